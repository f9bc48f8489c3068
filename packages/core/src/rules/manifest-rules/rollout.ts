import { EVICTION_WINDOW_SECONDS } from "../../service/lifecycle.ts";
import { manifestRule } from "../rule.ts";
import { budget, deployment, gpuContainer, web } from "./examples.ts";
import { fields, gpuPods, isOurs, number, pods } from "./objects.ts";

/** Kubernetes' own. */
const DEFAULT_GRACE_SECONDS = 30;
const DEFAULT_DEADLINE_SECONDS = 600;

/** POD-11 */
export const gpuSurge = manifestRule({
  id: "manifest.rollout.gpu-surge",
  severity: "warning",
  reason:
    "By default the new pod starts before an old one goes: on a pool without a free GPU it waits for ever, and the roll-out with it.",
  reference: "Kubernetes Deployments, rolling update",
  check: (manifest) => {
    if (manifest.kind !== "Deployment" || isOurs(manifest) || gpuPods(manifest).length === 0) return [];
    const { type, rollingUpdate } = fields(fields(manifest.spec).strategy);
    const { maxSurge, maxUnavailable } = fields(rollingUpdate);
    return type === "Recreate" || maxSurge !== undefined || maxUnavailable !== undefined
      ? []
      : [
          {
            at: "spec.strategy",
            message: "the default strategy needs a GPU more than there are replicas",
            remedy:
              "use rollingUpdate with maxSurge: 0 and maxUnavailable: 1, or say that a GPU is free with maxSurge: 1",
          },
        ];
  },
  examples: {
    bad: [
      { title: "default", declare: () => deployment(gpuContainer(), {}, { strategy: undefined }), at: "spec.strategy" },
    ],
    good: [
      { title: "one at a time", declare: () => deployment() },
      { title: "recreate", declare: () => deployment(gpuContainer(), {}, { strategy: { type: "Recreate" } }) },
      { title: "without a GPU", declare: () => web({}, {}, { strategy: undefined }) },
    ],
  },
});

/** PUL-02 */
export const shortDeadline = manifestRule({
  id: "manifest.rollout.deadline",
  severity: "info",
  reason:
    "After ten minutes without progress the roll-out counts as failed, and pulumi up with it, although a node, an image and a model may take longer.",
  reference: "Kubernetes Deployments, progressDeadlineSeconds",
  check: (manifest) => {
    if (manifest.kind !== "Deployment" || gpuPods(manifest).length === 0) return [];
    const given = fields(manifest.spec).progressDeadlineSeconds;
    const seconds = given === undefined ? DEFAULT_DEADLINE_SECONDS : number(given);
    return seconds !== null && seconds <= DEFAULT_DEADLINE_SECONDS
      ? [
          {
            at: "spec.progressDeadlineSeconds",
            message: `${seconds} s for a GPU pod to start`,
            remedy: "set it above the longest cold start, for example 1800",
          },
        ]
      : [];
  },
  examples: {
    bad: [
      {
        title: "default",
        declare: () => deployment(gpuContainer(), {}, { progressDeadlineSeconds: undefined }),
        at: "spec.progressDeadlineSeconds",
      },
      {
        title: "five minutes",
        declare: () => deployment(gpuContainer(), {}, { progressDeadlineSeconds: 300 }),
        at: "spec.progressDeadlineSeconds",
      },
    ],
    good: [{ title: "half an hour", declare: () => deployment() }],
  },
});

/** POD-09 */
export const shortGrace = manifestRule({
  id: "manifest.grace.short",
  severity: "warning",
  reason:
    "Thirty seconds after SIGTERM the pod is killed: answers that are still being written are cut at every roll-out and scale-in.",
  reference: "Kubernetes, Termination of Pods; vLLM --shutdown-timeout",
  check: (manifest) =>
    gpuPods(manifest).flatMap((pod) => {
      const given = pod.spec.terminationGracePeriodSeconds;
      const seconds = given === undefined ? DEFAULT_GRACE_SECONDS : number(given);
      return seconds !== null && seconds <= DEFAULT_GRACE_SECONDS
        ? [
            {
              at: `${pod.at}.terminationGracePeriodSeconds`,
              message: `${seconds} s to end running requests`,
              remedy: "give the drain and a margin, for example 165, and a preStop delay",
            },
          ]
        : [];
    }),
  examples: {
    bad: [
      {
        title: "default",
        declare: () => deployment(gpuContainer(), { terminationGracePeriodSeconds: undefined }),
        at: "spec.template.spec.terminationGracePeriodSeconds",
      },
      {
        title: "none",
        declare: () => deployment(gpuContainer(), { terminationGracePeriodSeconds: 0 }),
        at: "spec.template.spec.terminationGracePeriodSeconds",
      },
    ],
    good: [{ title: "two minutes and more", declare: () => deployment() }],
  },
});

/** NODE-21 */
export const longGrace = manifestRule({
  id: "manifest.grace.long",
  severity: "warning",
  reason: "An EKS node group update waits about fifteen minutes for a node to drain, and then fails.",
  reference: "EKS user guide, managed node update behaviour",
  check: (manifest) =>
    pods(manifest).flatMap((pod) => {
      const seconds = number(pod.spec.terminationGracePeriodSeconds);
      return seconds !== null && seconds > EVICTION_WINDOW_SECONDS
        ? [
            {
              at: `${pod.at}.terminationGracePeriodSeconds`,
              message: `${seconds} s is more than the ${EVICTION_WINDOW_SECONDS} s that a drain may take`,
              remedy: `use ${EVICTION_WINDOW_SECONDS} or less`,
            },
          ]
        : [];
    }),
  examples: {
    bad: [
      {
        title: "half an hour",
        declare: () => web({}, { terminationGracePeriodSeconds: 1800 }),
        at: "spec.template.spec.terminationGracePeriodSeconds",
      },
    ],
    good: [{ title: "ten minutes", declare: () => web({}, { terminationGracePeriodSeconds: 600 }) }],
  },
});

/** NODE-21 */
export const blockingBudget = manifestRule({
  id: "manifest.pdb.blocks",
  severity: "error",
  reason:
    "A budget that allows no disruption stops every drain: node updates fail, and the autoscaler removes no node.",
  reference: "Kubernetes, Specifying a Disruption Budget; EKS managed node update behaviour",
  check: (manifest) => {
    if (manifest.kind !== "PodDisruptionBudget") return [];
    const { maxUnavailable, minAvailable } = fields(manifest.spec);
    if (maxUnavailable === 0 || maxUnavailable === "0" || maxUnavailable === "0%")
      return [
        {
          at: "spec.maxUnavailable",
          message: `maxUnavailable ${maxUnavailable} lets no pod go`,
          remedy: 'use a percentage such as "25%", or no budget for one replica',
        },
      ];
    return minAvailable === "100%"
      ? [{ at: "spec.minAvailable", message: "minAvailable 100% lets no pod go", remedy: 'use maxUnavailable: "25%"' }]
      : [];
  },
  examples: {
    bad: [
      { title: "zero", declare: () => budget({ maxUnavailable: 0 }), at: "spec.maxUnavailable" },
      { title: "zero per cent", declare: () => budget({ maxUnavailable: "0%" }), at: "spec.maxUnavailable" },
      { title: "all of them", declare: () => budget({ minAvailable: "100%" }), at: "spec.minAvailable" },
    ],
    good: [{ title: "a quarter", declare: () => budget({ maxUnavailable: "25%" }) }],
  },
});

/** NODE-21 */
export const fixedBudget = manifestRule({
  id: "manifest.pdb.min-available",
  severity: "info",
  reason: "A number of pods that must stay blocks every drain while as many run: with one replica, always.",
  reference: "Kubernetes, Specifying a Disruption Budget",
  check: (manifest) => {
    const { minAvailable } = fields(manifest.spec);
    const pods =
      number(minAvailable) ??
      (typeof minAvailable === "string" && /^\d+$/.test(minAvailable) ? Number(minAvailable) : 0);
    return manifest.kind === "PodDisruptionBudget" && pods >= 1
      ? [
          {
            at: "spec.minAvailable",
            message: `minAvailable ${pods} lets no pod go while ${pods} run`,
            remedy: 'use maxUnavailable: "25%" with unhealthyPodEvictionPolicy: AlwaysAllow',
          },
        ]
      : [];
  },
  examples: {
    bad: [{ title: "one", declare: () => budget({ minAvailable: 1 }), at: "spec.minAvailable" }],
    good: [
      { title: "half of them", declare: () => budget({ minAvailable: "50%" }) },
      { title: "a quarter may go", declare: () => budget({ maxUnavailable: "25%" }) },
    ],
  },
});
