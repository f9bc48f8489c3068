import { type ResolvedVllm, resolveService } from "@capstan/core";
import { type IScaledObject, ScaledObject as KedaScaledObject } from "@kubernetes-models/keda/keda.sh/v1alpha1";
import {
  type IPodMonitor,
  PodMonitor as OperatorPodMonitor,
} from "@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1";
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
import { expect, test } from "vitest";
import { ModelCache } from "./model-cache/model-cache.ts";
import { Namespaces } from "./namespaces.ts";
import { OnnxService } from "./onnx-service.ts";
import { podMonitor } from "./service/pod-monitor.ts";
import { scaledObject } from "./service/scaled-object.ts";
import {
  cachedPlatform,
  chart,
  chat,
  classifier,
  embeddings,
  gated,
  onShared,
  onSlice,
  phi,
  type Rendered,
  synthesised,
} from "./testing/fixtures.ts";
import { VllmService } from "./vllm-service.ts";

interface Validated {
  validate(): void;
}

/** Schemas of the Kubernetes API and of both operators' custom resources. */
const schemas: Readonly<Record<string, new (data: never) => Validated>> = {
  ConfigMap,
  DaemonSet,
  Deployment,
  HorizontalPodAutoscaler,
  Namespace,
  NetworkPolicy,
  PersistentVolume,
  PersistentVolumeClaim,
  PodDisruptionBudget,
  PodMonitor: OperatorPodMonitor,
  ResourceQuota,
  ScaledObject: KedaScaledObject,
  Service,
  ServiceAccount,
};

function everything(): Rendered[] {
  const c = chart("a-namespace");
  for (const declaration of [chat, gated, onShared, onSlice]) new VllmService(c, declaration.name, declaration);
  for (const declaration of [classifier, embeddings, phi]) new OnnxService(c, declaration.name, declaration);
  const all = cachedPlatform();
  new Namespaces(c, "namespaces", { namespaces: all.namespaces });
  for (const preloader of all.preloaders) new ModelCache(c, preloader.name, preloader);
  return synthesised(c);
}

test("every object validates against the schema of its kind, and every kind occurs", () => {
  const objects = everything();
  expect([...new Set(objects.map((o) => o.kind))].sort()).toEqual(Object.keys(schemas).sort());
  for (const object of objects) {
    const schema = schemas[object.kind];
    if (schema === undefined) throw new Error(`no schema for ${object.kind}`);
    expect(() => new schema(object as never).validate(), `${object.kind} ${object.metadata.name}`).not.toThrow();
  }
});

test("the schemas refuse what is wrong, so the test above can fail", () => {
  const [deployment] = everything().filter((o) => o.kind === "Deployment");
  const wrong = structuredClone(deployment) as Rendered;
  wrong.spec.template.spec.terminationGracePeriodSeconds = "165";
  expect(() => new Deployment(wrong as never).validate()).toThrow("/spec/template/spec/terminationGracePeriodSeconds");
});

test("custom resources have the operators' own types", () => {
  const { service } = resolveService(chat) as { service: ResolvedVllm };
  if (service.scaling.by !== "keda" || service.metrics === null) throw new Error("scaled by KEDA and scraped");
  // Assignments that the compiler checks: the operators' types are only needed here, not by users.
  const scaled: IScaledObject = scaledObject(service, service.scaling);
  const monitor: IPodMonitor = podMonitor(service, service.metrics);
  expect([scaled.kind, monitor.kind]).toEqual(["ScaledObject", "PodMonitor"]);
});

test("names are unique for each kind and namespace", () => {
  const ids = everything().map((o) => `${o.kind} ${o.metadata.namespace ?? ""}/${o.metadata.name}`);
  expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([]);
});
