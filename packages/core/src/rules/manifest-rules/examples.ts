import type { Manifest } from "../manifest.ts";

export type Changes = Readonly<Record<string, unknown>>;

const labels = {
  "app.kubernetes.io/name": "vllm",
  "app.kubernetes.io/instance": "llama",
  "capstan.dev/team": "search",
};
const selector = { "app.kubernetes.io/name": "vllm", "app.kubernetes.io/instance": "llama" };
const probe = { httpGet: { path: "/health", port: 8000 } };

/** A container with one GPU as somebody careful writes it by hand. */
export function gpuContainer(changes: Changes = {}): Changes {
  const amounts = { cpu: "8", memory: "24Gi", "nvidia.com/gpu": 1 };
  return {
    name: "server",
    image: "vllm/vllm-openai:v0.33.0",
    args: ["meta-llama/Llama-3.1-8B-Instruct", "--max-model-len=8192"],
    resources: { requests: amounts, limits: amounts },
    startupProbe: { ...probe, periodSeconds: 10, failureThreshold: 90 },
    livenessProbe: probe,
    readinessProbe: probe,
    ...changes,
  };
}

export function resources(limits: Changes, requests: Changes = limits): Changes {
  return { resources: { limits, requests } };
}

/** A Deployment around one container. `pod` and `spec` replace fields of the pod's and the Deployment's spec. */
export function deployment(
  container: Changes = gpuContainer(),
  pod: Changes = {},
  spec: Changes = {},
  metadata: Changes = {},
): Manifest {
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "llama", namespace: "search", labels, ...metadata },
    spec: {
      progressDeadlineSeconds: 1800,
      strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
      selector: { matchLabels: selector },
      template: {
        metadata: { labels },
        spec: {
          enableServiceLinks: false,
          terminationGracePeriodSeconds: 165,
          tolerations: [{ key: "nvidia.com/gpu", operator: "Exists", effect: "NoSchedule" }],
          containers: [container],
          ...pod,
        },
      },
      ...spec,
    },
  };
}

/** A web server of a team: no GPU. */
export function web(container: Changes = {}, pod: Changes = {}, spec: Changes = {}): Manifest {
  return deployment(
    {
      name: "web",
      image: "registry.example.com/search/web:2.4.1",
      resources: { requests: { cpu: "1", memory: "1Gi" } },
      ...container,
    },
    { tolerations: [], ...pod },
    spec,
  );
}

/** A node agent. */
export function agent(namespace: string, pod: Changes = {}, container: Changes = {}): Manifest {
  const own = { "app.kubernetes.io/name": "agent" };
  return {
    apiVersion: "apps/v1",
    kind: "DaemonSet",
    metadata: { name: "agent", namespace, labels: own },
    spec: {
      selector: { matchLabels: own },
      template: {
        metadata: { labels: own },
        spec: { containers: [{ name: "agent", image: "registry.example.com/agent:1.2.3", ...container }], ...pod },
      },
    },
  };
}

export function trigger(metadata: Changes, changes: Changes = {}): Changes {
  return {
    type: "prometheus",
    name: "load",
    metricType: "AverageValue",
    metadata: {
      serverAddress: "http://prometheus-operated.monitoring.svc:9090",
      query: "sum(vllm:num_requests_running) + sum(vllm:num_requests_waiting)",
      threshold: "16",
      ignoreNullValues: "false",
      ...metadata,
    },
    ...changes,
  };
}

export function scaledObject(spec: Changes = {}, name = "llama"): Manifest {
  return {
    apiVersion: "keda.sh/v1alpha1",
    kind: "ScaledObject",
    metadata: { name, namespace: "search", labels: { "capstan.dev/team": "search" } },
    spec: {
      scaleTargetRef: { name: "llama" },
      minReplicaCount: 1,
      maxReplicaCount: 4,
      fallback: { failureThreshold: 3, replicas: 3, behavior: "currentReplicasIfHigher" },
      triggers: [trigger({})],
      ...spec,
    },
  };
}

export function budget(spec: Changes): Manifest {
  return {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: { name: "llama", namespace: "search" },
    spec: { selector: { matchLabels: selector }, ...spec },
  };
}

/** Office hours as a cron trigger. */
export function cronTrigger(metadata: Changes): Changes {
  return {
    type: "cron",
    name: "hours",
    metadata: {
      timezone: "Europe/Berlin",
      start: "0 8 * * 1-5",
      end: "0 18 * * 1-5",
      desiredReplicas: "2",
      ...metadata,
    },
  };
}
