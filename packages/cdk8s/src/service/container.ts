import type { ResolvedService } from "@capstan/core";
import type {
  IContainer,
  IContainerPort,
  IEnvVar,
  IResourceRequirements,
  ISecurityContext,
} from "kubernetes-models/v1";
import { modelMounts } from "./model-volume.ts";
import { HTTP_PORT, SERVER_CONTAINER, SERVER_FILES_VOLUME, SHM_VOLUME } from "./names.ts";
import { serverFileKey, serverFiles } from "./server-files.ts";

/** The one container that serves. */
export function serverContainer(service: ResolvedService): IContainer {
  const { probes, drain } = service;
  const ready = { path: probes.readyPath, port: HTTP_PORT };
  const live = { path: probes.livePath, port: HTTP_PORT };
  return {
    name: SERVER_CONTAINER,
    image: service.imageReference,
    imagePullPolicy: "IfNotPresent",
    args: [...service.args],
    ...environment(service),
    ports: containerPorts(service),
    resources: resources(service),
    // No initial delays: the startup probe holds the other two back until the model is loaded.
    startupProbe: { httpGet: ready, ...probes.startup },
    readinessProbe: { httpGet: ready, ...probes.readiness },
    livenessProbe: { httpGet: live, ...probes.liveness },
    // The endpoint goes out of every load balancer before the engine is told to stop.
    lifecycle: { preStop: { sleep: { seconds: drain.preStopSeconds } } },
    // The last lines of a crash show in `kubectl describe pod`.
    terminationMessagePolicy: "FallbackToLogsOnError",
    securityContext: containerSecurity(service),
    volumeMounts: [
      ...modelMounts(service),
      ...serverFiles(service).map((file) => ({
        name: SERVER_FILES_VOLUME,
        mountPath: file.path,
        subPath: serverFileKey(file),
        readOnly: true,
      })),
      ...(service.resources.shmGib === null ? [] : [{ name: SHM_VOLUME, mountPath: "/dev/shm" }]),
      ...service.writable.map((directory) => ({ name: directory.name, mountPath: directory.mountPath })),
    ],
  };
}

function environment(service: ResolvedService): { env?: IEnvVar[] } {
  const env = [
    ...service.environmentVariables.map(({ name, value }) => ({ name, value })),
    ...service.secretEnvironment.map(({ name, secret }) => ({
      name,
      // Not optional: a missing secret stops the pod with its name instead of an engine that cannot download.
      valueFrom: { secretKeyRef: { name: secret.secretName, key: secret.key } },
    })),
  ];
  return env.length === 0 ? {} : { env };
}

/** Name of the port that metrics are read from. One port number has one name. */
export function metricsPortName(service: ResolvedService): string {
  const { metrics } = service;
  return metrics === null || metrics.port === service.port ? HTTP_PORT : metrics.portName;
}

function containerPorts(service: ResolvedService): IContainerPort[] {
  const { metrics } = service;
  return [
    { name: HTTP_PORT, containerPort: service.port, protocol: "TCP" },
    ...(metrics === null || metrics.port === service.port
      ? []
      : [{ name: metricsPortName(service), containerPort: metrics.port, protocol: "TCP" as const }]),
  ];
}

/** Requests equal limits for every resource: the Guaranteed class, which exclusive cores need. */
function resources(service: ResolvedService): IResourceRequirements {
  const { accelerator } = service.resources;
  const amounts = {
    ...hostResources(service),
    ...(accelerator === null ? {} : { [accelerator.resource]: accelerator.count }),
  };
  return { requests: amounts, limits: amounts };
}

/** What every container of the pod asks for beside the accelerator. */
export function hostResources(service: ResolvedService): Record<string, string | number> {
  const { cpus, memoryMib, ephemeralGib } = service.resources;
  return { cpu: cpus, memory: `${memoryMib}Mi`, "ephemeral-storage": `${ephemeralGib}Gi` };
}

export function containerSecurity(service: ResolvedService): ISecurityContext {
  return {
    allowPrivilegeEscalation: false,
    capabilities: { drop: ["ALL"] },
    readOnlyRootFilesystem: service.identity.readOnlyRootFilesystem,
  };
}
