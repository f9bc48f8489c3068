import { GPU_TAINT } from "../../labels.ts";
import { manifestRule } from "../rule.ts";
import { agent, deployment, gpuContainer, web } from "./examples.ts";
import { type Fields, fields, gpuPods, isOurs, isSystem, items, type PodPart, pods } from "./objects.ts";

const spec = "spec.template.spec";

function tolerations(pod: PodPart): readonly Fields[] {
  return items(pod.spec.tolerations).map(fields);
}

/** `operator: Exists` without a key tolerates every taint there is. */
function toleratesAll(toleration: Fields): boolean {
  return toleration.operator === "Exists" && (toleration.key === undefined || toleration.key === "");
}

function toleratesGpu(toleration: Fields): boolean {
  return toleratesAll(toleration) || toleration.key === GPU_TAINT;
}

/** facts/platform.md 16.8 */
export const gpuUntolerated = manifestRule({
  id: "manifest.gpu.no-toleration",
  severity: "warning",
  reason:
    "GPU nodes carry the taint nvidia.com/gpu, so that web pods stay off them; a GPU pod that does not tolerate it waits for ever.",
  reference: "packages/core/src/labels.ts, GPU_TAINT; NVIDIA GPU Operator",
  check: (manifest) =>
    isOurs(manifest)
      ? []
      : gpuPods(manifest)
          .filter((pod) => !tolerations(pod).some(toleratesGpu))
          .map((pod) => ({
            at: `${pod.at}.tolerations`,
            message: `asks for a GPU and does not tolerate ${GPU_TAINT}`,
            remedy: `add { key: "${GPU_TAINT}", operator: "Exists", effect: "NoSchedule" }`,
          })),
  examples: {
    bad: [
      { title: "none", declare: () => deployment(gpuContainer(), { tolerations: [] }), at: `${spec}.tolerations` },
      {
        title: "another key",
        declare: () => deployment(gpuContainer(), { tolerations: [{ key: "dedicated", operator: "Exists" }] }),
        at: `${spec}.tolerations`,
      },
    ],
    good: [
      { title: "tolerated", declare: () => deployment() },
      { title: "without a GPU", declare: () => web() },
    ],
  },
});

/** OBS-10 */
export const toleratesEverything = manifestRule({
  id: "manifest.toleration.everything",
  severity: "warning",
  reason:
    "A toleration without a key is for every taint: ordinary pods fill GPU nodes, and stay on nodes that are going away.",
  reference: "Kubernetes taints and tolerations",
  check: (manifest) =>
    manifest.kind === "DaemonSet" || isOurs(manifest)
      ? []
      : pods(manifest).flatMap((pod) =>
          tolerations(pod).flatMap((toleration, i) =>
            toleratesAll(toleration)
              ? [
                  {
                    at: `${pod.at}.tolerations.${i}`,
                    message: "tolerates every taint",
                    remedy: "name the key of the taint that is meant; node agents are DaemonSets",
                  },
                ]
              : [],
          ),
        ),
  examples: {
    bad: [
      {
        title: "web pods",
        declare: () => web({}, { tolerations: [{ operator: "Exists" }] }),
        at: `${spec}.tolerations.0`,
      },
      {
        title: "by effect alone",
        declare: () => web({}, { tolerations: [{ operator: "Exists", effect: "NoSchedule" }] }),
        at: `${spec}.tolerations.0`,
      },
    ],
    good: [
      { title: "by key", declare: () => web({}, { tolerations: [{ key: "dedicated", operator: "Exists" }] }) },
      { title: "a node agent", declare: () => agent("kube-system", { tolerations: [{ operator: "Exists" }] }) },
    ],
  },
});

/** OBS-10 */
export const toleratesGpuTaint = manifestRule({
  id: "manifest.toleration.gpu-unused",
  severity: "warning",
  reason: "A pod that uses no GPU and tolerates the taint of GPU nodes takes their CPU and memory from those that do.",
  reference: "Kubernetes taints and tolerations; case NODE-22",
  check: (manifest) =>
    manifest.kind === "DaemonSet" || isSystem(manifest) || isOurs(manifest)
      ? []
      : pods(manifest)
          .filter((pod) => pod.containers.every((part) => part.gpus.length === 0))
          .flatMap((pod) =>
            tolerations(pod).flatMap((toleration, i) =>
              toleration.key === GPU_TAINT
                ? [
                    {
                      at: `${pod.at}.tolerations.${i}`,
                      message: `tolerates ${GPU_TAINT} and asks for no GPU`,
                      remedy: "remove the toleration, or ask for a GPU",
                    },
                  ]
                : [],
            ),
          ),
  examples: {
    bad: [
      {
        title: "web pods",
        declare: () => web({}, { tolerations: [{ key: "nvidia.com/gpu", operator: "Exists" }] }),
        at: `${spec}.tolerations.0`,
      },
    ],
    good: [
      { title: "with a GPU", declare: () => deployment() },
      {
        title: "an exporter",
        declare: () => agent("monitoring", { tolerations: [{ key: "nvidia.com/gpu", operator: "Exists" }] }),
      },
    ],
  },
});

const DISCOVERED = /^feature\.node\.kubernetes\.io\/cpu-cpuid\./;

/** CPU-10 */
export const discoveryLabel = manifestRule({
  id: "manifest.affinity.discovered-label",
  severity: "warning",
  reason:
    "The label is there only after node feature discovery has looked at a running node: from zero nodes the autoscaler finds no group that fits, and without discovery on CPU nodes there never is one.",
  reference: "node-feature-discovery labels; cluster-autoscaler FAQ, scale from zero",
  check: (manifest) =>
    pods(manifest).flatMap((pod) =>
      [...Object.keys(fields(pod.spec.nodeSelector)), ...affinityKeys(pod)]
        .filter((key) => DISCOVERED.test(key))
        .map((key) => ({
          at: `${pod.at}.${key in fields(pod.spec.nodeSelector) ? "nodeSelector" : "affinity"}`,
          message: `selects nodes by ${key}`,
          remedy: "select by capstan.dev/pool or node.kubernetes.io/instance-type",
        })),
    ),
  examples: {
    bad: [
      {
        title: "selector",
        declare: () => web({}, { nodeSelector: { "feature.node.kubernetes.io/cpu-cpuid.AMXTILE": "true" } }),
        at: `${spec}.nodeSelector`,
      },
      {
        title: "affinity",
        declare: () =>
          web(
            {},
            {
              affinity: {
                nodeAffinity: {
                  requiredDuringSchedulingIgnoredDuringExecution: {
                    nodeSelectorTerms: [
                      {
                        matchExpressions: [
                          { key: "feature.node.kubernetes.io/cpu-cpuid.AMXINT8", operator: "In", values: ["true"] },
                        ],
                      },
                    ],
                  },
                },
              },
            },
          ),
        at: `${spec}.affinity`,
      },
    ],
    good: [{ title: "pool", declare: () => web({}, { nodeSelector: { "capstan.dev/pool": "amx" } }) }],
  },
});

function affinityKeys(pod: PodPart): string[] {
  const required = fields(
    fields(fields(pod.spec.affinity).nodeAffinity).requiredDuringSchedulingIgnoredDuringExecution,
  );
  return items(required.nodeSelectorTerms)
    .flatMap((term) => items(fields(term).matchExpressions))
    .flatMap((expression) => {
      const { key } = fields(expression);
      return typeof key === "string" ? [key] : [];
    });
}
