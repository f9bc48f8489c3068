import { vllm } from "@capstan/core";
import { expect, test } from "vitest";
import { CLUSTER_AUTOSCALER_SERVICE_ACCOUNT, clusterAutoscaler } from "./cluster-autoscaler.ts";
import { cluster, l40s, platformOf } from "./testing/platforms.ts";

test("the image follows the cluster's minor version", () => {
  const tag = (kubernetes: string) => clusterAutoscaler(platformOf([l40s], { kubernetes }), cluster).values.image.tag;
  expect(tag("1.33")).toMatch(/^v1\.33\.\d+$/);
  expect(tag("1.34")).toMatch(/^v1\.34\.\d+$/);
  expect(() => tag("1.20")).toThrow(/no cluster-autoscaler for Kubernetes 1\.20.*1\.34/);
});

test("nodes go after the delay that the plan counts with, also those with local volumes", () => {
  const { extraArgs } = clusterAutoscaler(platformOf([l40s], { scaleDownDelaySeconds: 900 }), cluster).values;
  expect(extraArgs).toMatchObject({
    expander: "least-waste",
    "balance-similar-node-groups": true,
    "skip-nodes-with-local-storage": false,
    "scale-down-unneeded-time": "900s",
    "scale-down-delay-after-add": "900s",
  });
});

test("a drain that takes longer than its own limit is not cut short", () => {
  const limit = (drainSeconds?: number) => {
    const service = vllm({
      name: "chat",
      team: "search",
      model: "meta-llama/Llama-3.1-8B-Instruct",
      pool: l40s,
      ...(drainSeconds === undefined ? {} : { drainSeconds }),
    });
    const platform = platformOf([l40s], { services: [service] });
    expect(platform.services).toHaveLength(1);
    return clusterAutoscaler(platform, cluster).values.extraArgs["max-graceful-termination-sec"];
  };
  expect(limit()).toBe(600);
  // 15 s before the signal and 30 s after the drain belong to the pod's grace period.
  expect(limit(700)).toBe(745);
});

test("it finds its groups by the cluster's name and acts under the account that its role is bound to", () => {
  const { values, namespace } = clusterAutoscaler(platformOf([l40s]), cluster);
  expect(values.autoDiscovery).toEqual({ clusterName: "prod-eu" });
  expect(values.awsRegion).toBe("eu-central-1");
  expect(namespace.name).toBe(CLUSTER_AUTOSCALER_SERVICE_ACCOUNT.namespace);
  expect(values.rbac.serviceAccount).toEqual({ create: true, name: CLUSTER_AUTOSCALER_SERVICE_ACCOUNT.name });
});
