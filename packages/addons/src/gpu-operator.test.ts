import { existingPool, gpuPool, mig, timeSlicing } from "@capstan/core";
import { expect, test } from "vitest";
import { AddonError } from "./addon.ts";
import { gpuOperator } from "./gpu-operator.ts";
import { amx, h100Layout, h100Mig, l4Mps, l4Shared, l40s, platformOf } from "./testing/platforms.ts";

const bottlerocket = gpuPool({
  name: "rocket",
  instanceType: "g6e.2xlarge",
  amiFamily: "bottlerocket",
  sharing: timeSlicing(2),
  size: { min: 1, max: 2 },
});
const ubuntu = gpuPool({
  name: "ubuntu",
  instanceType: "g6e.2xlarge",
  amiFamily: "ubuntu",
  amiId: "ami-0123456789abcdef0",
  size: { min: 1, max: 2 },
});

function values(...pools: Parameters<typeof platformOf>[0]) {
  return gpuOperator(platformOf(pools)).values;
}

test("driver and toolkit come from the image on AL2023 and Bottlerocket, and from the operator on Ubuntu", () => {
  expect(values(l40s)).toMatchObject({ driver: { enabled: false }, toolkit: { enabled: false } });
  expect(values(bottlerocket)).toMatchObject({ driver: { enabled: false }, toolkit: { enabled: false } });
  expect(values(l40s, bottlerocket)).toMatchObject({ driver: { enabled: false }, toolkit: { enabled: false } });
  expect(values(ubuntu)).toMatchObject({ driver: { enabled: true }, toolkit: { enabled: true } });
});

test("pools that need opposite settings are named", () => {
  expect(() => values(l40s, ubuntu, bottlerocket)).toThrow(AddonError);
  expect(() => values(l40s, ubuntu, bottlerocket)).toThrow(
    /ubuntu \(ubuntu\).*l40s \(al2023\), rocket \(bottlerocket\)/,
  );
  expect(() => values(ubuntu, amx), "a CPU pool has no part in it").not.toThrow();
});

test("on Bottlerocket alone the operating system runs device plugin and partitioning", () => {
  expect(values(bottlerocket).devicePlugin).toEqual({
    enabled: false,
    resources: { requests: { cpu: "5m", memory: "32Mi" } },
  });
  expect(values(bottlerocket).migManager).toEqual({ enabled: false, env: [] });
  const both = values(bottlerocket, l40s);
  expect(both.devicePlugin.enabled).toBe(true);
  expect(Object.keys(both.devicePlugin.config?.data ?? {})).toEqual(["default"]);
});

test("every sharing pool has its device plugin file under the value of its node label, and others the default", () => {
  const platform = platformOf([l40s, l4Shared, l4Mps]);
  const { config } = gpuOperator(platform).values.devicePlugin;
  expect(config?.default).toBe("default");
  expect(config?.data).toEqual({
    default: "version: v1\n",
    "l4-shared": `version: v1
sharing:
  timeSlicing:
    renameByDefault: true
    failRequestsGreaterThanOne: true
    resources:
      - name: nvidia.com/gpu
        replicas: 4
`,
    "l4-mps": `version: v1
sharing:
  mps:
    renameByDefault: true
    failRequestsGreaterThanOne: true
    resources:
      - name: nvidia.com/gpu
        replicas: 3
`,
  });
  const labels = platform.pools.map((pool) => pool.labels["nvidia.com/device-plugin.config"]);
  expect(labels).toEqual([undefined, "l4-shared", "l4-mps"]);
});

test("a changed device plugin file has another name, an unchanged one has not", () => {
  const name = (replicas: number) =>
    values(gpuPool({ name: "a", instanceType: "g6.2xlarge", sharing: timeSlicing(replicas), size: { min: 0, max: 1 } }))
      .devicePlugin.config?.name;
  expect(name(2)).toBe(name(2));
  expect(name(2)).not.toBe(name(3));
  expect(name(2)).toMatch(/^capstan-device-plugin-[0-9a-f]{10}$/);
});

test("without renaming the shared GPU keeps its plain name", () => {
  const pool = gpuPool({
    name: "plain",
    instanceType: "g6.2xlarge",
    sharing: timeSlicing(2, { rename: false }),
    size: { min: 0, max: 1 },
  });
  expect(values(pool).devicePlugin.config?.data.plain).toContain("renameByDefault: false");
});

test("a sharing pool called default would share every GPU of the cluster", () => {
  const pool = gpuPool({
    name: "default",
    instanceType: "g6.2xlarge",
    sharing: timeSlicing(2),
    size: { min: 0, max: 1 },
  });
  expect(() => values(pool)).toThrow(/cannot be called default/);
});

test("MIG is advertised by profile unless every MIG pool says single", () => {
  const single = gpuPool({
    name: "single",
    instanceType: "p5.4xlarge",
    sharing: mig("1g.10gb", { strategy: "single" }),
    size: { min: 0, max: 1 },
  });
  expect(values(l40s).mig.strategy).toBe("mixed");
  expect(values(h100Mig).mig.strategy).toBe("mixed");
  expect(values(single, l40s).mig.strategy).toBe("single");
  expect(values(single, h100Mig).mig.strategy).toBe("mixed");
});

test("MIG Manager keeps its generated configurations where they have every layout", () => {
  expect(values(h100Mig).migManager).toEqual({ enabled: true, env: [] });
});

test("a layout of its own replaces the generated configurations, and so holds those of all pools", () => {
  const { migManager } = values(h100Mig, h100Layout);
  expect(migManager.config?.data).toEqual({
    "config.yaml": `version: v1
mig-configs:
  all-disabled:
    - devices: all
      mig-enabled: false
  all-1g.10gb:
    - devices: all
      mig-enabled: true
      mig-devices:
        "1g.10gb": 7
  capstan-h100-mixed:
    - devices: all
      mig-enabled: true
      mig-devices:
        "3g.40gb": 1
        "1g.10gb": 4
`,
  });
  expect(migManager.config?.create).toBe(true);
  expect(migManager.config?.name).toMatch(/^capstan-mig-parted-[0-9a-f]{10}$/);
});

test("one name cannot stand for two layouts", () => {
  // 1g.10gb fits an A100 with 40 GB four times, an H100 seven times, and MIG Manager calls both all-1g.10gb.
  const a100 = gpuPool({
    name: "a100",
    instanceType: "p4d.24xlarge",
    sharing: mig("1g.10gb"),
    size: { min: 0, max: 1 },
  });
  expect(values(a100, h100Mig).migManager.config, "the generated ones tell GPUs apart").toBeUndefined();
  expect(() => values(a100, h100Mig, h100Layout)).toThrow(
    /pools a100 and h100-mig need different MIG layouts under one name, all-1g\.10gb/,
  );
});

test("only Ampere reboots to change the MIG mode", () => {
  const a100 = gpuPool({
    name: "a100",
    instanceType: "p4d.24xlarge",
    sharing: mig("1g.5gb"),
    size: { min: 0, max: 1 },
  });
  const a100Whole = gpuPool({ name: "a100-whole", instanceType: "p4d.24xlarge", size: { min: 0, max: 1 } });
  expect(values(a100, h100Mig).migManager.env).toEqual([{ name: "WITH_REBOOT", value: "true" }]);
  expect(values(a100Whole, h100Mig).migManager.env).toEqual([]);
});

test("operands and feature discovery tolerate the taints of all pools and nothing else", () => {
  const { daemonsets, "node-feature-discovery": nfd } = values(l40s, amx);
  expect(daemonsets.tolerations).toEqual([
    { key: "capstan.dev/cpu-inference", operator: "Equal", value: "true", effect: "NoSchedule" },
    { key: "nvidia.com/gpu", operator: "Equal", value: "present", effect: "NoSchedule" },
    { key: "team", operator: "Exists", effect: "NoExecute" },
  ]);
  expect(nfd.worker.tolerations).toEqual(daemonsets.tolerations);
});

test("agents request what the pools have set aside for them", () => {
  const { devicePlugin, gfd, dcgmExporter, "node-feature-discovery": nfd } = values(l40s);
  // Two containers of the plugin and two of feature discovery share 20m and 128Mi.
  expect(devicePlugin.resources).toEqual({ requests: { cpu: "5m", memory: "32Mi" } });
  expect(gfd.resources).toEqual({ requests: { cpu: "5m", memory: "32Mi" } });
  expect(dcgmExporter.resources).toEqual({ requests: { cpu: "100m", memory: "512Mi" } });
  expect(nfd.worker.resources).toEqual({ requests: { cpu: "5m", memory: "64Mi" } });
});

test("GPU metrics carry the team and are scraped by the platform's Prometheus", () => {
  const { dcgmExporter } = values(l40s);
  expect(dcgmExporter.podLabelAllowlistRegex).toEqual(["^capstan\\.dev/team$"]);
  expect(dcgmExporter.enablePodLabels).toBe(true);
  expect(dcgmExporter.serviceMonitor).toEqual({
    enabled: true,
    interval: "15s",
    scrapeTimeout: "10s",
    honorLabels: true,
    additionalLabels: { release: "kube-prometheus-stack" },
  });
  expect(gpuOperator(platformOf([l40s], { monitoring: "none" })).values.dcgmExporter.serviceMonitor).toEqual({
    enabled: false,
  });
});

test("pods on a shared GPU are told apart by their replica", () => {
  const variable = { name: "KUBERNETES_VIRTUAL_GPUS", value: "true" };
  expect(values(l40s, h100Mig).dcgmExporter.env).toEqual([]);
  expect(values(l4Shared).dcgmExporter.env).toEqual([variable]);
  expect(values(l4Mps).dcgmExporter.env).toEqual([variable]);
  expect(values(bottlerocket).dcgmExporter.env).toEqual([variable]);
});

test("no validation pod takes a GPU of a new node", () => {
  expect(values(l40s).validator.plugin.env).toEqual([{ name: "WITH_WORKLOAD", value: "false" }]);
});

test("nodes that others made count like the pool's own", () => {
  const existing = existingPool({
    name: "theirs",
    instanceType: "g6.2xlarge",
    nodeSelector: { "node-role": "gpu" },
    taints: [{ key: "gpu-only", effect: "NoSchedule" }],
    sharing: timeSlicing(2),
    size: { min: 1, max: 1 },
  });
  const theirs = values(existing);
  expect(Object.keys(theirs.devicePlugin.config?.data ?? {})).toEqual(["default", "theirs"]);
  expect(theirs.daemonsets.tolerations).toEqual([{ key: "gpu-only", operator: "Exists", effect: "NoSchedule" }]);
});

test("values cannot be changed by accident", () => {
  const { values: frozen } = gpuOperator(platformOf([l40s]));
  expect(() => {
    frozen.driver.enabled = true;
  }).toThrow(TypeError);
});
