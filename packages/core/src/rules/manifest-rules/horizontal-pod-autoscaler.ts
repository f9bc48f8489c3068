import type { Manifest } from "../manifest.ts";
import { manifestRule } from "../rule.ts";
import { type Fields, fields, number } from "./objects.ts";

/** SCALE-14 */
export const hpaRange = manifestRule({
  id: "manifest.hpa.range",
  severity: "error",
  acknowledgeable: false,
  reason: "The API server refuses an empty range, and zero without a feature gate that EKS has off.",
  reference: "Kubernetes HorizontalPodAutoscaler API",
  check: (manifest) => {
    if (manifest.kind !== "HorizontalPodAutoscaler") return [];
    const { minReplicas, maxReplicas } = fields(manifest.spec);
    const min = minReplicas === undefined ? 1 : number(minReplicas);
    const max = number(maxReplicas);
    if (min !== null && min < 1)
      return [
        { at: "spec.minReplicas", message: `minReplicas ${min}`, remedy: "use 1 or more, or KEDA to go to zero" },
      ];
    return min !== null && max !== null && min > max
      ? [
          {
            at: "spec.minReplicas",
            message: `minReplicas ${min} is above maxReplicas ${max}`,
            remedy: `raise maxReplicas to ${min}, or lower minReplicas`,
          },
        ]
      : [];
  },
  examples: {
    bad: [
      { title: "min above max", declare: () => hpa({ minReplicas: 5, maxReplicas: 4 }), at: "spec.minReplicas" },
      { title: "zero", declare: () => hpa({ minReplicas: 0, maxReplicas: 4 }), at: "spec.minReplicas" },
    ],
    good: [
      { title: "one to four", declare: () => hpa({ minReplicas: 1, maxReplicas: 4 }) },
      { title: "min left out", declare: () => hpa({ maxReplicas: 4 }) },
    ],
  },
});

function hpa(spec: Fields): Manifest {
  return {
    apiVersion: "autoscaling/v2",
    kind: "HorizontalPodAutoscaler",
    metadata: { name: "web", namespace: "search" },
    spec: { scaleTargetRef: { kind: "Deployment", name: "web" }, ...spec },
  };
}
