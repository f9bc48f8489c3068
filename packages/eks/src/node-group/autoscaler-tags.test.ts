import { cpuPool, gpuPool, mig, timeSlicing } from "@capstan/core";
import { expect, test } from "vitest";
import { resolved } from "../testing/pools.ts";
import { autoscalerTags, templateResources } from "./autoscaler-tags.ts";

const size = { min: 0, max: 2 };
const byKey = (pool: Parameters<typeof autoscalerTags>[0]) =>
  Object.fromEntries(autoscalerTags(pool).map(({ key, value }) => [key("prod"), value]));

test("tells the autoscaler all of a node that does not exist yet", () => {
  const pool = gpuPool({
    name: "l40s",
    instanceType: "g6e.2xlarge",
    size,
    labels: { "example.com/tier": "gold" },
    taints: [{ key: "dedicated", effect: "NoExecute" }],
  });
  // 200 GiB root volume without instance store; a tenth stays with the system.
  expect(byKey(resolved(pool))).toEqual({
    "k8s.io/cluster-autoscaler/enabled": "true",
    "k8s.io/cluster-autoscaler/prod": "owned",
    "k8s.io/cluster-autoscaler/node-template/label/example.com/tier": "gold",
    "k8s.io/cluster-autoscaler/node-template/label/capstan.dev/pool": "l40s",
    "k8s.io/cluster-autoscaler/node-template/label/k8s.amazonaws.com/accelerator": "nvidia-l40s",
    "k8s.io/cluster-autoscaler/node-template/taint/nvidia.com/gpu": "present:NoSchedule",
    "k8s.io/cluster-autoscaler/node-template/taint/dedicated": ":NoExecute",
    "k8s.io/cluster-autoscaler/node-template/resources/nvidia.com/gpu": "1",
    "k8s.io/cluster-autoscaler/node-template/resources/ephemeral-storage": "180Gi",
  });
});

test("counts slices, not GPUs, and has no accelerator label where no whole GPU is advertised", () => {
  // p5.4xlarge: one H100, which takes seven of these.
  const pool = resolved(gpuPool({ name: "h100", instanceType: "p5.4xlarge", size, sharing: mig("1g.10gb") }));
  expect(templateResources(pool)["nvidia.com/mig-1g.10gb"]).toBe("7");
  expect(Object.keys(byKey(pool)).filter((key) => key.includes("accelerator"))).toEqual([]);
});

test("has a resource for each profile of a mixed layout", () => {
  const sharing = mig({ "3g.40gb": 1, "1g.10gb": 4 });
  const pool = resolved(gpuPool({ name: "h100", instanceType: "p5.48xlarge", size, sharing }));
  // Eight GPUs.
  expect(templateResources(pool)).toMatchObject({ "nvidia.com/mig-3g.40gb": "8", "nvidia.com/mig-1g.10gb": "32" });
});

test("counts the pods of a shared GPU", () => {
  const pool = resolved(gpuPool({ name: "l4", instanceType: "g6.12xlarge", size, sharing: timeSlicing(4) }));
  // Four L4 with four pods each.
  expect(templateResources(pool)["nvidia.com/gpu.shared"]).toBe("16");
  expect(templateResources(pool)["nvidia.com/gpu"]).toBeUndefined();
});

test("counts the interfaces of EFA", () => {
  const pool = gpuPool({ name: "h100", instanceType: "p5.48xlarge", size, efa: true, zones: ["eu-central-1a"] });
  expect(templateResources(resolved(pool))).toMatchObject({ "nvidia.com/gpu": "8", "vpc.amazonaws.com/efa": "32" });
});

test("a CPU pool has storage only", () => {
  const pool = resolved(cpuPool({ name: "amx", instanceTypes: ["c7i.8xlarge"], size, rootVolumeGib: 200 }));
  expect(templateResources(pool)).toEqual({ "ephemeral-storage": "180Gi" });
});

test("the Pulumi name of a tag says nothing of the cluster", () => {
  const tag = autoscalerTags(resolved(gpuPool({ name: "l4", instanceType: "g6.2xlarge", size })))[1]!;
  expect([tag.id, tag.key("a"), tag.key("b")]).toEqual([
    "cluster",
    "k8s.io/cluster-autoscaler/a",
    "k8s.io/cluster-autoscaler/b",
  ]);
});
