import { manifestRule } from "../rule.ts";
import { agent, deployment, gpuContainer, web } from "./examples.ts";
import { fields, isSystem, items, pods } from "./objects.ts";

const spec = "spec.template.spec";

/** DESIGN section 6: pods never use hostPath */
export const hostPath = manifestRule({
  id: "manifest.pod.host-path",
  severity: "error",
  reason:
    "A path of the node is everybody's: a team's pod could change weights that others serve, its namespace would have to be privileged, and the autoscaler does not remove the node.",
  reference: "Kubernetes volumes, hostPath; Pod Security Standards, baseline",
  check: (manifest) =>
    isSystem(manifest)
      ? []
      : pods(manifest).flatMap((pod) =>
          items(pod.spec.volumes).flatMap((volume, i) => {
            const { hostPath: path, name } = fields(volume);
            return path === undefined || path === null
              ? []
              : [
                  {
                    at: `${pod.at}.volumes.${i}.hostPath`,
                    message: `volume ${String(name)} is ${String(fields(path).path ?? "a path")} of the node`,
                    remedy: "use an emptyDir, or a claim on a local volume (nvmeCache makes one)",
                  },
                ];
          }),
        ),
  examples: {
    bad: [
      {
        title: "models on the node",
        declare: () => deployment(gpuContainer(), { volumes: [{ name: "models", hostPath: { path: "/mnt/models" } }] }),
        at: `${spec}.volumes.0.hostPath`,
      },
    ],
    good: [
      {
        title: "claim",
        declare: () =>
          deployment(gpuContainer(), {
            volumes: [{ name: "models", persistentVolumeClaim: { claimName: "llama-model" } }],
          }),
      },
      {
        title: "the preloader",
        declare: () => agent("capstan-system", { volumes: [{ name: "node", hostPath: { path: "/mnt/k8s-disks/0" } }] }),
      },
    ],
  },
});

export const privileged = manifestRule({
  id: "manifest.pod.privileged",
  severity: "error",
  reason:
    "A privileged container, or one in the host's namespaces, has the node with all its GPUs and every pod on it.",
  reference: "Kubernetes, Pod Security Standards, baseline",
  check: (manifest) =>
    isSystem(manifest)
      ? []
      : pods(manifest).flatMap((pod) => [
          ...pod.containers
            .filter(({ container }) => fields(container.securityContext).privileged === true)
            .map((part) => ({
              at: `${part.at}.securityContext.privileged`,
              message: `container ${String(part.container.name)} is privileged`,
              remedy: "remove privileged: GPUs come from the device plugin; for IPC use an emptyDir at /dev/shm",
            })),
          ...(["hostNetwork", "hostPID", "hostIPC"] as const)
            .filter((key) => pod.spec[key] === true)
            .map((key) => ({
              at: `${pod.at}.${key}`,
              message: `${key} is on`,
              remedy: key === "hostIPC" ? "mount an emptyDir at /dev/shm instead" : `remove ${key}`,
            })),
        ]),
  examples: {
    bad: [
      {
        title: "privileged",
        declare: () => deployment(gpuContainer({ securityContext: { privileged: true } })),
        at: `${spec}.containers.0.securityContext.privileged`,
      },
      { title: "IPC of the host", declare: () => deployment(gpuContainer(), { hostIPC: true }), at: `${spec}.hostIPC` },
      { title: "network of the host", declare: () => web({}, { hostNetwork: true }), at: `${spec}.hostNetwork` },
    ],
    good: [
      { title: "plain", declare: () => deployment() },
      { title: "an operand", declare: () => agent("gpu-operator", {}, { securityContext: { privileged: true } }) },
    ],
  },
});
