import { manifestRule } from "../rule.ts";
import { deployment, gpuContainer, web } from "./examples.ts";
import { fields, gpuContainers, number, pods } from "./objects.ts";

const at = "spec.template.spec.containers.0";
const http = { httpGet: { path: "/health", port: 8000 } };
const tcp = { tcpSocket: { port: 8000 } };
/** Kubernetes' own. */
const DEFAULT_PERIOD_SECONDS = 10;
const DEFAULT_FAILURES = 3;
/** No model server on a GPU is up sooner: imports, weights and graphs. */
const SHORTEST_GPU_START_SECONDS = 120;
const SHORT_SECONDS = 60;

/** POD-01 */
export const startupMissing = manifestRule({
  id: "manifest.probe.startup-missing",
  severity: "error",
  reason:
    "Without a startup probe the liveness probe begins while the model loads, and kills the pod before it ever serves.",
  reference: "Kubernetes, Configure liveness, readiness and startup probes",
  check: (manifest) =>
    gpuContainers(manifest)
      .filter(({ container }) => isProbe(container.livenessProbe) && !isProbe(container.startupProbe))
      .map((part) => ({
        at: `${part.at}.startupProbe`,
        message: "livenessProbe without startupProbe on a GPU container",
        remedy: "add a startupProbe on the health path whose period x failureThreshold is longer than the slowest load",
      })),
  examples: {
    bad: [
      {
        title: "liveness alone",
        declare: () => deployment(gpuContainer({ startupProbe: undefined })),
        at: `${at}.startupProbe`,
      },
    ],
    good: [
      { title: "both", declare: () => deployment() },
      {
        title: "neither",
        declare: () => deployment(gpuContainer({ startupProbe: undefined, livenessProbe: undefined })),
      },
      { title: "without a GPU", declare: () => web({ livenessProbe: http }) },
    ],
  },
});

function isProbe(value: unknown): boolean {
  return Object.keys(fields(value)).length > 0;
}

/** CDK-03 */
export const tcpStartup = manifestRule({
  id: "manifest.probe.startup-tcp",
  severity: "error",
  reason:
    "A port says nothing about the model behind it: open early it lets traffic in while weights load, open late it restarts the pod every half minute.",
  reference: "cdk8s-plus container probes; case CDK-03",
  check: (manifest) =>
    pods(manifest)
      .flatMap((pod) => pod.containers)
      .filter(({ container }) => fields(container.startupProbe).tcpSocket !== undefined)
      .filter((part) => part.gpus.length > 0 || budgetSeconds(part.container.startupProbe) < SHORT_SECONDS)
      .map((part) => ({
        at: `${part.at}.startupProbe.tcpSocket`,
        message: `startup by an open port, with ${budgetSeconds(part.container.startupProbe)} s to get there`,
        remedy: "use httpGet on the health path, with time for the slowest start",
        ...(part.gpus.length > 0 ? {} : { severity: "warning" as const }),
      })),
  examples: {
    bad: [
      {
        title: "model server",
        declare: () => deployment(gpuContainer({ startupProbe: { ...tcp, failureThreshold: 90 } })),
        at: `${at}.startupProbe.tcpSocket`,
      },
      {
        title: "what cdk8s-plus adds",
        declare: () => web({ startupProbe: { ...tcp, failureThreshold: 3 } }),
        severity: "warning",
        at: `${at}.startupProbe.tcpSocket`,
      },
    ],
    good: [
      { title: "health path", declare: () => deployment() },
      {
        title: "a web server with time",
        declare: () => web({ startupProbe: { ...tcp, periodSeconds: 5, failureThreshold: 60 } }),
      },
    ],
  },
});

function budgetSeconds(probe: unknown): number {
  const { periodSeconds, failureThreshold } = fields(probe);
  return (number(periodSeconds) ?? DEFAULT_PERIOD_SECONDS) * (number(failureThreshold) ?? DEFAULT_FAILURES);
}

/** POD-01 */
export const shortStartup = manifestRule({
  id: "manifest.probe.startup-short",
  severity: "warning",
  reason:
    "The kubelet restarts a container whose startup probe runs out; a model that loads longer than that never starts.",
  reference: "Kubernetes, Configure liveness, readiness and startup probes",
  check: (manifest) =>
    gpuContainers(manifest)
      .filter(
        ({ container }) =>
          isProbe(container.startupProbe) && budgetSeconds(container.startupProbe) < SHORTEST_GPU_START_SECONDS,
      )
      .map((part) => ({
        at: `${part.at}.startupProbe.failureThreshold`,
        message: `${budgetSeconds(part.container.startupProbe)} s to start on a GPU; loading takes minutes`,
        remedy: "raise failureThreshold: ten minutes are usual, more for large models",
      })),
  examples: {
    bad: [
      {
        title: "defaults",
        declare: () => deployment(gpuContainer({ startupProbe: http })),
        at: `${at}.startupProbe.failureThreshold`,
      },
      {
        title: "a minute",
        declare: () => deployment(gpuContainer({ startupProbe: { ...http, periodSeconds: 5, failureThreshold: 12 } })),
        at: `${at}.startupProbe.failureThreshold`,
      },
    ],
    good: [{ title: "a quarter of an hour", declare: () => deployment() }],
  },
});

/** POD-01 */
export const initialDelay = manifestRule({
  id: "manifest.probe.initial-delay",
  severity: "warning",
  reason:
    "A delay is waited in full by a pod that is ready sooner, and is too short for one that takes longer; the startup probe fits both.",
  reference: "Kubernetes, Configure liveness, readiness and startup probes",
  check: (manifest) =>
    gpuContainers(manifest).flatMap((part) =>
      (["livenessProbe", "readinessProbe"] as const)
        .filter((key) => (number(fields(part.container[key]).initialDelaySeconds) ?? 0) > 0)
        .map((key) => ({
          at: `${part.at}.${key}.initialDelaySeconds`,
          message: `initialDelaySeconds ${String(fields(part.container[key]).initialDelaySeconds)} on a GPU container`,
          remedy: "remove it, and give the time to a startupProbe",
        })),
    ),
  examples: {
    bad: [
      {
        title: "liveness",
        declare: () => deployment(gpuContainer({ livenessProbe: { ...http, initialDelaySeconds: 300 } })),
        at: `${at}.livenessProbe.initialDelaySeconds`,
      },
      {
        title: "readiness",
        declare: () => deployment(gpuContainer({ readinessProbe: { ...http, initialDelaySeconds: 60 } })),
        at: `${at}.readinessProbe.initialDelaySeconds`,
      },
    ],
    good: [
      { title: "none", declare: () => deployment() },
      {
        title: "zero",
        declare: () => deployment(gpuContainer({ livenessProbe: { ...http, initialDelaySeconds: 0 } })),
      },
    ],
  },
});
