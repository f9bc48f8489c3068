import type { ResolvedService } from "@capstan/core";
import type { ApiObject } from "cdk8s";
import type { Construct } from "constructs";
import type { IDeployment } from "kubernetes-models/apps/v1";
import type { IHorizontalPodAutoscaler } from "kubernetes-models/autoscaling/v2";
import type { INetworkPolicy } from "kubernetes-models/networking.k8s.io/v1";
import type { IPodDisruptionBudget } from "kubernetes-models/policy/v1";
import type {
  IConfigMap,
  IPersistentVolume,
  IPersistentVolumeClaim,
  IService,
  IServiceAccount,
} from "kubernetes-models/v1";
import { createClusterObject, createObject, type Transform } from "../object.ts";
import { deployment } from "./deployment.ts";
import { podDisruptionBudget } from "./disruption.ts";
import { horizontalPodAutoscaler } from "./horizontal-pod-autoscaler.ts";
import { modelClaim, modelPersistentVolume, nvmeVolume } from "./model-volume.ts";
import { networkPolicy, service, serviceAccount } from "./network.ts";
import { type PodMonitor, podMonitor } from "./pod-monitor.ts";
import { type ScaledObject, scaledObject } from "./scaled-object.ts";
import { serverFiles, serverFilesConfigMap } from "./server-files.ts";

/** One entry for each object that a service can have; not called where the service has no such object. */
export interface ServiceTransform {
  readonly deployment?: Transform<IDeployment>;
  readonly service?: Transform<IService>;
  readonly serviceAccount?: Transform<IServiceAccount>;
  readonly networkPolicy?: Transform<INetworkPolicy>;
  /** Where the service has metrics and the cluster a Prometheus operator. */
  readonly podMonitor?: Transform<PodMonitor>;
  /** Where there can be more than one replica. */
  readonly podDisruptionBudget?: Transform<IPodDisruptionBudget>;
  /** Where KEDA scales. */
  readonly scaledObject?: Transform<ScaledObject>;
  /** Where a plain HPA scales. */
  readonly horizontalPodAutoscaler?: Transform<IHorizontalPodAutoscaler>;
  /** With an NVMe cache. */
  readonly persistentVolume?: Transform<IPersistentVolume>;
  /** With an NVMe cache. */
  readonly persistentVolumeClaim?: Transform<IPersistentVolumeClaim>;
  /** Where the engine reads configuration files. */
  readonly serverFiles?: Transform<IConfigMap>;
}

/** The objects of one service; null where it has none of that kind. */
export interface ServingObjects {
  readonly serviceAccount: ApiObject;
  readonly serverFiles: ApiObject | null;
  readonly persistentVolume: ApiObject | null;
  readonly persistentVolumeClaim: ApiObject | null;
  readonly deployment: ApiObject;
  readonly service: ApiObject;
  readonly networkPolicy: ApiObject;
  readonly podDisruptionBudget: ApiObject | null;
  readonly podMonitor: ApiObject | null;
  /** KEDA's ScaledObject or the HPA. */
  readonly autoscaler: ApiObject | null;
}

/**
 * The ids of the children are contract: they are part of resource names wherever the chart is deployed. So is their
 * order: what a pod needs comes before it, and what scales it after. No `addDependency` says it again: the bridge reads
 * it from the manifests, and at synth cdk8s walks through the dependencies of the whole app for every chart.
 */
export function createServingObjects(
  scope: Construct,
  resolved: ResolvedService,
  transform: ServiceTransform,
): ServingObjects {
  const cache = nvmeVolume(resolved);
  const { disruption, metrics } = resolved;
  const files = serverFiles(resolved).length === 0 ? null : serverFilesConfigMap(resolved);
  return {
    serviceAccount: createObject(scope, "service-account", serviceAccount(resolved), transform.serviceAccount),
    serverFiles: files && createObject(scope, "server-files", files, transform.serverFiles),
    persistentVolume:
      cache &&
      createClusterObject(scope, "model-volume", modelPersistentVolume(resolved, cache), transform.persistentVolume),
    persistentVolumeClaim:
      cache && createObject(scope, "model-claim", modelClaim(resolved, cache), transform.persistentVolumeClaim),
    deployment: createObject(scope, "deployment", deployment(resolved), transform.deployment),
    service: createObject(scope, "service", service(resolved), transform.service),
    networkPolicy: createObject(scope, "network-policy", networkPolicy(resolved), transform.networkPolicy),
    podDisruptionBudget:
      disruption &&
      createObject(
        scope,
        "pod-disruption-budget",
        podDisruptionBudget(resolved, disruption),
        transform.podDisruptionBudget,
      ),
    podMonitor: metrics && createObject(scope, "pod-monitor", podMonitor(resolved, metrics), transform.podMonitor),
    autoscaler: createAutoscaler(scope, resolved, transform),
  };
}

function createAutoscaler(scope: Construct, resolved: ResolvedService, transform: ServiceTransform): ApiObject | null {
  const { scaling } = resolved;
  switch (scaling.by) {
    case "keda":
      return createObject(scope, "scaled-object", scaledObject(resolved, scaling), transform.scaledObject);
    case "hpa":
      return createObject(
        scope,
        "horizontal-pod-autoscaler",
        horizontalPodAutoscaler(resolved, scaling),
        transform.horizontalPodAutoscaler,
      );
    case "nobody":
      return null;
  }
}
