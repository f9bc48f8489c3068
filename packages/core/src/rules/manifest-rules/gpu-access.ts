import { manifestRule } from "../rule.ts";
import { agent, deployment, gpuContainer, web } from "./examples.ts";
import { isSystem, pods, variables } from "./objects.ts";

const at = "spec.template.spec.containers.0";

/** SHARE-16 */
export const visibleDevices = manifestRule({
  id: "manifest.gpu.visible-devices",
  severity: "error",
  reason:
    "The container runtime honours the variable: the pod sees every GPU of the node, also those that others have been given.",
  reference: "NVIDIA Container Toolkit, NVIDIA_VISIBLE_DEVICES; case SHARE-16",
  check: (manifest) =>
    isSystem(manifest)
      ? []
      : pods(manifest)
          .flatMap((pod) => pod.containers)
          .flatMap((part) =>
            variables(part)
              .filter(({ name, value }) => name === "NVIDIA_VISIBLE_DEVICES" && !["void", "none", ""].includes(value))
              .map(({ at: path, value }) => ({
                at: path,
                message: `NVIDIA_VISIBLE_DEVICES=${value}${part.gpus.length > 0 ? " beside what the device plugin gives" : " in a container that asks for no GPU"}`,
                remedy: part.gpus.length > 0 ? "remove it: the device plugin sets it" : 'use "void", or ask for a GPU',
              })),
          ),
  examples: {
    bad: [
      {
        title: "without a GPU",
        declare: () => web({ env: [{ name: "NVIDIA_VISIBLE_DEVICES", value: "all" }] }),
        at: `${at}.env.0`,
      },
      {
        title: "with one",
        declare: () => deployment(gpuContainer({ env: [{ name: "NVIDIA_VISIBLE_DEVICES", value: "0,1" }] })),
        at: `${at}.env.0`,
      },
    ],
    good: [
      { title: "void", declare: () => web({ env: [{ name: "NVIDIA_VISIBLE_DEVICES", value: "void" }] }) },
      {
        title: "an agent",
        declare: () => agent("gpu-operator", {}, { env: [{ name: "NVIDIA_VISIBLE_DEVICES", value: "all" }] }),
      },
    ],
  },
});

/** facts/platform.md 16.9 */
export const userNamespace = manifestRule({
  id: "manifest.gpu.user-namespace",
  severity: "error",
  reason: "In a user namespace the pod's root is nobody on the host, and the device files of the GPU cannot be opened.",
  reference: "Kubernetes user namespaces, limitations; NVIDIA Container Toolkit",
  check: (manifest) =>
    pods(manifest)
      .filter((pod) => pod.spec.hostUsers === false && pod.containers.some((part) => part.gpus.length > 0))
      .map((pod) => ({
        at: `${pod.at}.hostUsers`,
        message: "hostUsers: false with a GPU",
        remedy: "remove hostUsers",
      })),
  examples: {
    bad: [
      {
        title: "with a GPU",
        declare: () => deployment(gpuContainer(), { hostUsers: false }),
        at: "spec.template.spec.hostUsers",
      },
    ],
    good: [
      { title: "without a GPU", declare: () => web({}, { hostUsers: false }) },
      { title: "host's users", declare: () => deployment(gpuContainer(), { hostUsers: true }) },
    ],
  },
});

/** facts/platform.md 16.9 */
export const runtimeClass = manifestRule({
  id: "manifest.gpu.runtime-class",
  severity: "warning",
  reason:
    "The GPU is put into the container by NVIDIA's runtime or by CDI in the default one; sandboxes such as gVisor and Kata need set-up of their own.",
  reference: "NVIDIA GPU Operator, Container Device Interface",
  check: (manifest) =>
    pods(manifest)
      .filter(
        (pod) =>
          typeof pod.spec.runtimeClassName === "string" &&
          !pod.spec.runtimeClassName.startsWith("nvidia") &&
          pod.containers.some((part) => part.gpus.length > 0),
      )
      .map((pod) => ({
        at: `${pod.at}.runtimeClassName`,
        message: `runtimeClassName ${String(pod.spec.runtimeClassName)} with a GPU`,
        remedy: 'remove it, or use "nvidia"',
      })),
  examples: {
    bad: [
      {
        title: "gVisor",
        declare: () => deployment(gpuContainer(), { runtimeClassName: "gvisor" }),
        at: "spec.template.spec.runtimeClassName",
      },
    ],
    good: [
      { title: "nvidia", declare: () => deployment(gpuContainer(), { runtimeClassName: "nvidia" }) },
      { title: "default", declare: () => deployment() },
    ],
  },
});
