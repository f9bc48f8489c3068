import type { ResolvedService } from "@capstan/core";
import type { IContainer, IPodSpec, IPodTemplateSpec, ITopologySpreadConstraint, IVolume } from "kubernetes-models/v1";
import { checksum } from "../checksum.ts";
import { tolerations } from "../tolerations.ts";
import { serverContainer } from "./container.ts";
import { fetchModel } from "./fetch-model.ts";
import { modelVolumes, nvmeVolume } from "./model-volume.ts";
import { SERVER_FILES_VOLUME, SHM_VOLUME } from "./names.ts";
import { serverFiles, serverFilesName } from "./server-files.ts";
import { waitForModel } from "./wait-for-model.ts";

export function podTemplate(service: ResolvedService): IPodTemplateSpec {
  return {
    metadata: { labels: { ...service.labels, ...service.selector }, annotations: podAnnotations(service) },
    spec: podSpec(service),
  };
}

function podAnnotations(service: ResolvedService): Record<string, string> {
  const local = localVolumes(service).map((volume) => volume.name);
  const files = serverFiles(service);
  return {
    ...service.annotations,
    // Without it cluster-autoscaler never removes a node that runs this pod: it takes an emptyDir for data.
    ...(local.length === 0 ? {} : { "cluster-autoscaler.kubernetes.io/safe-to-evict-local-volumes": local.join(",") }),
    ...(service.doNotDisrupt ? { "karpenter.sh/do-not-disrupt": "true" } : {}),
    ...(files.length === 0 ? {} : { "capstan.dev/server-files": checksum(files.flatMap((f) => [f.path, f.content])) }),
  };
}

function podSpec(service: ResolvedService): IPodSpec {
  const { identity, pool } = service;
  const before = initContainers(service);
  return {
    serviceAccountName: service.name,
    // Pod Identity projects a token of its own; nothing in the pod talks to the Kubernetes API.
    automountServiceAccountToken: false,
    // A Service called `vllm` or `prometheus` would put a URL into a variable that the engines read as a port.
    enableServiceLinks: false,
    terminationGracePeriodSeconds: service.drain.graceSeconds,
    nodeSelector: { ...pool.nodeSelector },
    tolerations: tolerations(pool.taints),
    ...spread(service),
    securityContext: {
      runAsNonRoot: identity.nonRoot,
      runAsUser: identity.runAsUser,
      runAsGroup: identity.runAsGroup,
      fsGroup: identity.fsGroup,
      // Else the kubelet walks through every file of a large claim at each start.
      fsGroupChangePolicy: "OnRootMismatch",
      seccompProfile: { type: "RuntimeDefault" },
    },
    ...(before.length === 0 ? {} : { initContainers: before }),
    containers: [serverContainer(service)],
    volumes: [
      ...modelVolumes(service),
      ...(serverFiles(service).length === 0
        ? []
        : [{ name: SERVER_FILES_VOLUME, configMap: { name: serverFilesName(service) } }]),
      ...localVolumes(service),
    ],
  };
}

/** What brings the model before the server starts: the node's cache, or a download into the pod. */
function initContainers(service: ResolvedService): IContainer[] {
  const cache = nvmeVolume(service);
  return [
    ...(cache === null ? [] : [waitForModel(service, cache)]),
    ...(service.fetch === null ? [] : [fetchModel(service, service.fetch)]),
  ];
}

function spread(service: ResolvedService): { topologySpreadConstraints?: ITopologySpreadConstraint[] } {
  const keys = [
    ...(service.spread.zones ? ["topology.kubernetes.io/zone"] : []),
    ...(service.spread.nodes ? ["kubernetes.io/hostname"] : []),
  ];
  if (keys.length === 0) return {};
  return {
    topologySpreadConstraints: keys.map((topologyKey) => ({
      topologyKey,
      maxSkew: 1,
      // A wish: a zone without capacity must not keep a replica from starting elsewhere.
      whenUnsatisfiable: "ScheduleAnyway",
      labelSelector: { matchLabels: { ...service.selector } },
    })),
  };
}

/** Volumes that die with the pod. */
function localVolumes(service: ResolvedService): IVolume[] {
  const { shmGib } = service.resources;
  return [
    ...(shmGib === null ? [] : [{ name: SHM_VOLUME, emptyDir: { medium: "Memory", sizeLimit: `${shmGib}Gi` } }]),
    ...service.writable.map(({ name, sizeGib }) => ({ name, emptyDir: { sizeLimit: `${sizeGib}Gi` } })),
  ];
}
