import type { ResolvedRollout, ResolvedService } from "@capstan/core";
import type { IDeployment, IDeploymentStrategy } from "kubernetes-models/apps/v1";
import { objectMetadata } from "./names.ts";
import { podTemplate } from "./pod.ts";

export function deployment(service: ResolvedService): IDeployment {
  const { rollout, scaling } = service;
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { ...objectMetadata(service), annotations: { ...service.annotations } },
    spec: {
      // An autoscaler owns the number; writing it here would reset it at every deployment.
      ...(scaling.by === "nobody" ? { replicas: scaling.min } : {}),
      revisionHistoryLimit: rollout.revisionHistoryLimit,
      progressDeadlineSeconds: rollout.progressDeadlineSeconds,
      strategy: strategy(rollout),
      selector: { matchLabels: { ...service.selector } },
      template: podTemplate(service),
    },
  };
}

function strategy(rollout: ResolvedRollout): IDeploymentStrategy {
  if (rollout.strategy === "Recreate") return { type: "Recreate" };
  return {
    type: "RollingUpdate",
    rollingUpdate: {
      ...(rollout.maxSurge === null ? {} : { maxSurge: rollout.maxSurge }),
      ...(rollout.maxUnavailable === null ? {} : { maxUnavailable: rollout.maxUnavailable }),
    },
  };
}
