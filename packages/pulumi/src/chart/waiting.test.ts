import { expect, test } from "vitest";
import type { Manifest } from "../kubernetes-object.ts";
import { autoscaled } from "./scaling.ts";
import { awaitAnnotations, timeouts } from "./waiting.ts";

function manifest(kind: string, spec: object = {}, annotations?: Record<string, string>): Manifest {
  return {
    apiVersion: "v1",
    kind,
    metadata: { name: "x", namespace: "n", ...(annotations ? { annotations } : {}) },
    spec,
  };
}

const SKIP = { "pulumi.com/skipAwait": "true" };

test("nothing that waits for pods is waited for", () => {
  expect(awaitAnnotations(manifest("Service"), false)).toEqual(SKIP);
  expect(awaitAnnotations(manifest("Service", { type: "ClusterIP" }), false)).toEqual(SKIP);
  expect(awaitAnnotations(manifest("Service", { type: "LoadBalancer" }), false)).toEqual({});
  // Its volume is made for the first pod; one that is bound to a given volume needs none.
  expect(awaitAnnotations(manifest("PersistentVolumeClaim"), false)).toEqual(SKIP);
  expect(awaitAnnotations(manifest("PersistentVolumeClaim", { volumeName: "v" }), false)).toEqual({});
  expect(awaitAnnotations(manifest("PersistentVolume"), false)).toEqual({});
  expect(awaitAnnotations(manifest("Deployment"), false)).toEqual({});
});

test("skipAwait is for what the provider waits for", () => {
  for (const kind of [
    "Deployment",
    "StatefulSet",
    "DaemonSet",
    "Job",
    "Pod",
    "Ingress",
    "Service",
    "PersistentVolumeClaim",
  ]) {
    expect(awaitAnnotations(manifest(kind), true), kind).toEqual(SKIP);
  }
  for (const kind of ["ConfigMap", "ScaledObject", "PersistentVolume"]) {
    expect(awaitAnnotations(manifest(kind), true), kind).toEqual({});
  }
});

test("what the object says itself stays", () => {
  expect(awaitAnnotations(manifest("Service", {}, { "pulumi.com/skipAwait": "false" }), true)).toEqual({});
});

function seconds(spec: object, scaler?: Manifest): (string | undefined)[] {
  const result = timeouts(manifest("Deployment", spec), autoscaled(scaler ? [scaler] : []));
  return [result?.create, result?.update];
}

test("a new workload gets its deadline and a late image", () => {
  // 600 s is Kubernetes' default; ten minutes on top.
  expect(seconds({})[0]).toBe("1200s");
  expect(seconds({ progressDeadlineSeconds: 1500 })[0]).toBe("2100s");
  expect(timeouts(manifest("ConfigMap"), new Map())).toBeNull();
});

test("a start that the probe allows is waited for even where the deadline is shorter", () => {
  const containers = [
    { startupProbe: { initialDelaySeconds: 30, periodSeconds: 10, failureThreshold: 177 } },
    { startupProbe: { failureThreshold: 6 } },
    {},
  ];
  // 30 + 10 x 177 = 1800.
  expect(seconds({ template: { spec: { containers } } })[0]).toBe("2400s");
});

test("an update gets the deadline for every pod that has to wait for another", () => {
  const one = { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } };
  expect(seconds({ replicas: 4, progressDeadlineSeconds: 1000, strategy: one })[1]).toBe("4600s");
  expect(seconds({ replicas: 4, progressDeadlineSeconds: 1000, strategy: { type: "Recreate" } })[1]).toBe("1600s");
  // A quarter of 8 more and a quarter of 8 fewer: four at once, in two waves.
  expect(seconds({ replicas: 8, progressDeadlineSeconds: 1000 })[1]).toBe("2600s");
  // Of 3, one more (rounded up) and none fewer (rounded down): three waves.
  expect(seconds({ replicas: 3, progressDeadlineSeconds: 1000 })[1]).toBe("3600s");
});

test("the autoscaler says how many there may be", () => {
  const one = { progressDeadlineSeconds: 1000, strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } };
  const scaled = (spec: object) =>
    seconds(one, manifest("ScaledObject", { scaleTargetRef: { name: "x" }, ...spec }))[1];
  expect(scaled({ maxReplicaCount: 8 })).toBe("8600s");
  // KEDA's own default is a hundred.
  expect(scaled({})).toBe("100600s");
  const hpa = manifest("HorizontalPodAutoscaler", {
    scaleTargetRef: { kind: "Deployment", name: "x" },
    maxReplicas: 2,
  });
  expect(seconds(one, hpa)[1]).toBe("2600s");
});
