import type { ResolvedScaling, ResolvedService } from "@capstan/core";
import type { IHorizontalPodAutoscaler } from "kubernetes-models/autoscaling/v2";
import { objectMetadata } from "./names.ts";
import { behaviour, scaleTarget } from "./scaled-object.ts";

export type HpaScaling = Extract<ResolvedScaling, { readonly by: "hpa" }>;

export function horizontalPodAutoscaler(service: ResolvedService, scaling: HpaScaling): IHorizontalPodAutoscaler {
  return {
    apiVersion: "autoscaling/v2",
    kind: "HorizontalPodAutoscaler",
    metadata: objectMetadata(service),
    spec: {
      scaleTargetRef: scaleTarget(service),
      minReplicas: scaling.min,
      maxReplicas: scaling.max,
      metrics: [
        {
          type: "Resource",
          resource: { name: "cpu", target: { type: "Utilization", averageUtilization: scaling.targetPercent } },
        },
      ],
      behavior: behaviour(scaling.behaviour),
    },
  };
}
