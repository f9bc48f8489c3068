import { NODE_AGENTS, type ResolvedPreloader } from "@capstan/core";
import type { IDaemonSet } from "kubernetes-models/apps/v1";
import type { IContainer, IEnvVar, IPodSpec } from "kubernetes-models/v1";
import { checksum } from "../checksum.ts";
import { type SourceKind, toolEnvironment, WORK_DIRECTORY } from "../shell/tools.ts";
import { tolerations } from "../tolerations.ts";
import { modelList, secretId, tokenSecrets, tokenVariables } from "./model-list.ts";
import { PRELOAD_SCRIPT } from "./preload.sh.ts";
import { cacheMetadata, LIST_KEY, SCRIPT_KEY, selector } from "./support.ts";

const FILES_DIRECTORY = "/etc/capstan";

export function daemonSet(preloader: ResolvedPreloader): IDaemonSet {
  const metadata = cacheMetadata(preloader);
  return {
    apiVersion: "apps/v1",
    kind: "DaemonSet",
    metadata,
    spec: {
      selector: { matchLabels: selector(preloader) },
      // All nodes at once: a new model is wanted everywhere, and a preloader serves nobody while it is replaced.
      updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: "100%" } },
      template: {
        metadata: {
          labels: metadata.labels,
          // A changed list or script starts new pods.
          annotations: {
            "capstan.dev/models": checksum([modelList(preloader.models), PRELOAD_SCRIPT]),
            "cluster-autoscaler.kubernetes.io/safe-to-evict-local-volumes": kinds(preloader).map(workVolume).join(","),
          },
        },
        spec: podSpec(preloader),
      },
    },
  };
}

/** One container for each kind of source that occurs, with the tool for it. */
function kinds(preloader: ResolvedPreloader): SourceKind[] {
  const present = new Set(preloader.models.map((model) => model.source.kind));
  return (["s3", "hub"] as const).filter((kind) => present.has(kind));
}

function podSpec(preloader: ResolvedPreloader): IPodSpec {
  return {
    serviceAccountName: preloader.serviceAccount,
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    nodeSelector: { ...preloader.pool.nodeSelector },
    tolerations: tolerations(preloader.pool.taints),
    // As every node agent: a node that is full of serving pods would otherwise never get the models they wait for.
    priorityClassName: "system-node-critical",
    terminationGracePeriodSeconds: 30,
    securityContext: { seccompProfile: { type: "RuntimeDefault" } },
    containers: kinds(preloader).map((kind, _, all) => container(preloader, kind, all.length)),
    volumes: [
      { name: "node", hostPath: { path: preloader.hostRoot, type: "DirectoryOrCreate" } },
      { name: "files", configMap: { name: preloader.name } },
      ...kinds(preloader).map((kind) => ({ name: workVolume(kind), emptyDir: { sizeLimit: "1Gi" } })),
    ],
  };
}

function workVolume(kind: SourceKind): string {
  return `work-${kind}`;
}

function container(preloader: ResolvedPreloader, kind: SourceKind, containers: number): IContainer {
  const { cpuMillis, memoryMib } = NODE_AGENTS.preloader;
  return {
    name: kind,
    image: preloader.images[kind],
    imagePullPolicy: "IfNotPresent",
    command: ["/bin/sh", `${FILES_DIRECTORY}/${SCRIPT_KEY}`],
    env: [...environment(preloader, kind), ...tokens(preloader, kind)],
    resources: {
      // What the plan takes off every node for the preloader, shared by its containers. No CPU limit: a download may
      // use what is idle. The memory limit leaves room for 32 transfers of 8 MiB and the tool itself.
      requests: {
        cpu: `${Math.floor(cpuMillis / containers)}m`,
        memory: `${Math.floor(memoryMib / containers)}Mi`,
      },
      limits: { memory: "2Gi" },
    },
    // Ready when every model of its list is complete on this node.
    readinessProbe: { exec: { command: ["test", "-e", `${WORK_DIRECTORY}/ready`] }, periodSeconds: 10 },
    terminationMessagePolicy: "FallbackToLogsOnError",
    // The kubelet makes the host directory for root, and all models on it are root's; no capability is needed beyond.
    securityContext: {
      runAsUser: 0,
      runAsGroup: 0,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ["ALL"] },
      readOnlyRootFilesystem: true,
    },
    volumeMounts: [
      { name: "node", mountPath: preloader.hostRoot },
      { name: "files", mountPath: FILES_DIRECTORY, readOnly: true },
      { name: workVolume(kind), mountPath: WORK_DIRECTORY },
    ],
  };
}

function environment(preloader: ResolvedPreloader, kind: SourceKind): IEnvVar[] {
  return [
    { name: "SOURCE_KIND", value: kind },
    { name: "CACHE_ROOT", value: preloader.hostRoot },
    { name: "MODEL_LIST", value: `${FILES_DIRECTORY}/${LIST_KEY}` },
    { name: "PRELOADER", value: preloader.name },
    // Names the holder of a lock: this container of this pod, also after a restart.
    { name: "POD_NAME", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
    { name: "HOLDER", value: `$(POD_NAME)/${kind}` },
    ...toolEnvironment(kind),
  ];
}

function tokens(preloader: ResolvedPreloader, kind: SourceKind): IEnvVar[] {
  if (kind !== "hub") return [];
  const variables = tokenVariables(preloader.models);
  return tokenSecrets(preloader.models).map((secret) => ({
    name: variables.get(secretId(secret)) ?? "",
    valueFrom: { secretKeyRef: { name: secret.secretName, key: secret.key } },
  }));
}
