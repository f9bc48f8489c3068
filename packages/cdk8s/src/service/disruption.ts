import type { ResolvedService } from "@capstan/core";
import type { IPodDisruptionBudget } from "kubernetes-models/policy/v1";
import { objectMetadata } from "./names.ts";

export function podDisruptionBudget(
  service: ResolvedService,
  disruption: NonNullable<ResolvedService["disruption"]>,
): IPodDisruptionBudget {
  return {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: objectMetadata(service),
    spec: {
      maxUnavailable: disruption.maxUnavailable,
      selector: { matchLabels: { ...service.selector } },
      // A pod that never became ready must not keep its node from being drained.
      unhealthyPodEvictionPolicy: "AlwaysAllow",
    },
  };
}
