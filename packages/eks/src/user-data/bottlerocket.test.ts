import { cpuPool, gpuPool, mig, mps, timeSlicing } from "@capstan/core";
import { expect, test } from "vitest";
import { resolved } from "../testing/pools.ts";
import { bottlerocketSettings } from "./bottlerocket.ts";

const common = { size: { min: 0, max: 2 }, amiFamily: "bottlerocket" } as const;

test("sets nothing where the image's defaults do", () => {
  expect(bottlerocketSettings(resolved(gpuPool({ name: "l4", instanceType: "g6.2xlarge", ...common })))).toBeNull();
});

test("shares a GPU by the image's own device plugin", () => {
  const pool = gpuPool({ name: "l4", instanceType: "g6.2xlarge", ...common, sharing: timeSlicing(4) });
  expect(bottlerocketSettings(resolved(pool))).toBe(`[settings.kubelet-device-plugins.nvidia]
device-sharing-strategy = "time-slicing"

[settings.kubelet-device-plugins.nvidia.time-slicing]
replicas = 4
rename-by-default = true
fail-requests-greater-than-one = true
`);
});

test("shares a GPU by MPS", () => {
  const pool = gpuPool({ name: "l4", instanceType: "g6.2xlarge", ...common, sharing: mps(3) });
  expect(bottlerocketSettings(resolved(pool))).toBe(`[settings.kubelet-device-plugins.nvidia]
device-sharing-strategy = "mps"

[settings.kubelet-device-plugins.nvidia.mps]
replicas = 3
rename-by-default = true
`);
});

test("partitions by the image's own MIG service", () => {
  const sharing = mig("1g.10gb", { strategy: "single" });
  const pool = gpuPool({ name: "h100", instanceType: "p5.48xlarge", ...common, sharing });
  expect(bottlerocketSettings(resolved(pool))).toBe(`[settings.kubelet-device-plugins.nvidia]
device-partitioning-strategy = "mig"

[settings.kubelet-device-plugins.nvidia.mig.profile]
"h100.80gb" = "1g.10gb"
`);
});

test("puts kubelet, containerd, logs and the model cache onto the instance store", () => {
  const pool = gpuPool({ name: "l4", instanceType: "g6.2xlarge", ...common, localStorage: "raid0" });
  expect(bottlerocketSettings(resolved(pool))).toBe(`[settings.bootstrap-commands.000-instance-store]
commands = [["apiclient", "ephemeral-storage", "init"], ["apiclient", "ephemeral-storage", "bind", "--dirs", "/var/lib/containerd", "/var/lib/kubelet", "/var/log/pods", "/mnt/k8s-disks/0/capstan-models"]]
essential = true
mode = "always"
`);
});

test("pins whole cores", () => {
  const pool = cpuPool({ name: "amx", instanceTypes: ["c7i.8xlarge"], ...common, cpuManager: "static" });
  expect(bottlerocketSettings(resolved(pool))).toBe(`[settings.kubernetes]
cpu-manager-policy = "static"
cpu-manager-policy-options = ["full-pcpus-only"]

[settings.kubernetes.kube-reserved]
cpu = "150m"
`);
});
