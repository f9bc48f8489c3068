import { ModelCache, Namespaces, OnnxService, VllmService } from "@capstan/cdk8s";
import type { ResolvedPlatform, ResolvedService } from "@capstan/core";
import { ScaledObject } from "@kubernetes-models/keda/keda.sh/v1alpha1";
import { PodMonitor } from "@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1";
import { App, Chart } from "cdk8s";
import { DaemonSet, Deployment } from "kubernetes-models/apps/v1";
import { HorizontalPodAutoscaler } from "kubernetes-models/autoscaling/v2";
import { NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1";
import {
  ConfigMap,
  Namespace,
  PersistentVolume,
  PersistentVolumeClaim,
  ResourceQuota,
  Service,
  ServiceAccount,
} from "kubernetes-models/v1";

export interface Rendered {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly spec?: unknown;
}

/** Schemas of the Kubernetes API, of KEDA and of the Prometheus operator. */
const schemas: Readonly<Record<string, new (data: never) => { validate(): void }>> = {
  ConfigMap,
  DaemonSet,
  Deployment,
  HorizontalPodAutoscaler,
  Namespace,
  NetworkPolicy,
  PersistentVolume,
  PersistentVolumeClaim,
  PodDisruptionBudget,
  PodMonitor,
  ResourceQuota,
  ScaledObject,
  Service,
  ServiceAccount,
};

/** Throws what is wrong with the object. */
export function validate(object: Rendered): void {
  const schema = schemas[object.kind];
  if (schema === undefined) throw new Error(`no schema for ${object.apiVersion} ${object.kind}`);
  new schema(object as never).validate();
}

/** The objects of one service, in a chart of their own. */
export function renderService(service: ResolvedService, { context }: ResolvedPlatform): Rendered[] {
  const chart = new Chart(new App(), "service");
  if (service.kind === "vllm") new VllmService(chart, service.name, { service, context });
  else new OnnxService(chart, service.name, { service, context });
  return chart.toJson() as Rendered[];
}

/** Everything of a platform that goes into the cluster without an add-on. */
export function renderPlatform(platform: ResolvedPlatform): Rendered[] {
  const chart = new Chart(new App(), "platform");
  new Namespaces(chart, "namespaces", { namespaces: platform.namespaces });
  for (const preloader of platform.preloaders) new ModelCache(chart, preloader.name, preloader);
  return [
    ...(chart.toJson() as Rendered[]),
    ...platform.services.flatMap((service) => renderService(service, platform)),
  ];
}

export interface Container {
  readonly name: string;
  readonly image: string;
  readonly resources?: {
    readonly requests?: Readonly<Record<string, unknown>>;
    readonly limits?: Readonly<Record<string, unknown>>;
  };
}

export interface PodSpec {
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly tolerations?: readonly {
    readonly key?: string;
    readonly operator?: string;
    readonly value?: string;
    readonly effect?: string;
  }[];
}

/** The pod of a service's Deployment. */
export function podOf(objects: readonly Rendered[]): PodSpec {
  const [deployment, second] = objects.filter(({ kind }) => kind === "Deployment");
  if (deployment === undefined || second !== undefined) throw new Error("not exactly one Deployment");
  return (deployment.spec as { readonly template: { readonly spec: PodSpec } }).template.spec;
}
