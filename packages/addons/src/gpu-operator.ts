import { chart, gpu } from "@capstan/catalog";
import {
  deepFreeze,
  type MigStrategy,
  type MonitoringContext,
  NODE_AGENTS,
  type ResolvedPlatform,
  type ResolvedPool,
  TEAM_LABEL,
} from "@capstan/core";
import { type Addon, AddonError } from "./addon.ts";
import { contentName } from "./content-name.ts";
import { DEFAULT_DEVICE_PLUGIN_CONFIG, devicePluginConfigs } from "./device-plugin-config.ts";
import { type MigPool, migPartedConfig, migPools } from "./mig-config.ts";
import { monitorDependencies, monitoringOf } from "./monitoring.ts";
import { type EnvironmentVariable, type Resources, reserved, type Toleration, tolerations } from "./pod.ts";

export interface GpuOperatorValues {
  operator: { resources: Resources };
  daemonsets: { tolerations: Toleration[] };
  "node-feature-discovery": { worker: { tolerations: Toleration[]; resources: Resources } };
  cdi: { enabled: boolean };
  driver: { enabled: boolean };
  toolkit: { enabled: boolean };
  devicePlugin: {
    enabled: boolean;
    resources: Resources;
    config?: { create: boolean; name: string; default: string; data: Record<string, string> };
  };
  gfd: { resources: Resources };
  mig: { strategy: MigStrategy };
  migManager: {
    enabled: boolean;
    env: EnvironmentVariable[];
    config?: { create: boolean; name: string; data: { "config.yaml": string } };
  };
  dcgmExporter: {
    resources: Resources;
    env: EnvironmentVariable[];
    enablePodLabels: boolean;
    podLabelAllowlistRegex: string[];
    serviceMonitor: DcgmServiceMonitor;
  };
  validator: { plugin: { env: EnvironmentVariable[] } };
}

export interface DcgmServiceMonitor {
  enabled: boolean;
  interval?: string;
  scrapeTimeout?: string;
  honorLabels?: boolean;
  additionalLabels?: Record<string, string>;
}

/** The NVIDIA GPU Operator with node feature discovery. Its values are a function of the pools and nothing else. */
export function gpuOperator(platform: ResolvedPlatform): Addon<GpuOperatorValues> {
  return deepFreeze({
    name: "gpu-operator",
    chart: chart("gpu-operator"),
    releaseName: "gpu-operator",
    // Drivers, device plugin and exporters mount the host.
    namespace: { name: "gpu-operator", podSecurity: "privileged" },
    values: gpuOperatorValues(platform),
    crds: "in-chart",
    providesKinds: [
      "nvidia.com/v1 ClusterPolicy",
      "nvidia.com/v1alpha1 NVIDIADriver",
      "nfd.k8s-sigs.io/v1alpha1 NodeFeature",
      "nfd.k8s-sigs.io/v1alpha1 NodeFeatureRule",
      "nfd.k8s-sigs.io/v1alpha1 NodeFeatureGroup",
    ],
    // The operator drops its ServiceMonitor without a word when the definition is not there yet.
    dependsOn: monitorDependencies(platform),
    timeoutSeconds: 900,
  });
}

function gpuOperatorValues(platform: ResolvedPlatform): GpuOperatorValues {
  const pools = platform.pools.filter((pool) => pool.gpu !== null && gpu(pool.gpu.model).vendor === "nvidia");
  // Bottlerocket runs the device plugin and partitions GPUs itself; core keeps the operands off those nodes by label.
  const operated = pools.filter((pool) => pool.ami.family !== "bottlerocket");
  const byOperatingSystem = pools.length > 0 && operated.length === 0;
  const installsDriver = needsDriver(pools);
  const mig = migPools(operated);
  const agentTolerations = tolerations(platform.addons.nodeAgentTaints);
  return {
    // The chart's 350Mi is not enough on large clusters: the operator is killed while it lists nodes.
    operator: { resources: { requests: { cpu: "200m", memory: "350Mi" }, limits: { memory: "700Mi" } } },
    daemonsets: { tolerations: agentTolerations },
    "node-feature-discovery": {
      worker: { tolerations: agentTolerations, resources: reserved(NODE_AGENTS.nfdWorker) },
    },
    cdi: { enabled: true },
    driver: { enabled: installsDriver },
    toolkit: { enabled: installsDriver },
    devicePlugin: { enabled: !byOperatingSystem, ...devicePlugin(operated, byOperatingSystem) },
    gfd: { resources: reserved(NODE_AGENTS.devicePlugin, DEVICE_PLUGIN_CONTAINERS) },
    mig: { strategy: migStrategy(mig) },
    migManager: { enabled: !byOperatingSystem, ...migManager(mig) },
    dcgmExporter: {
      resources: reserved(NODE_AGENTS.dcgmExporter),
      env: isShared(pools) ? [{ name: "KUBERNETES_VIRTUAL_GPUS", value: "true" }] : [],
      enablePodLabels: true,
      podLabelAllowlistRegex: [`^${TEAM_LABEL.replaceAll(".", "\\.")}$`],
      serviceMonitor: serviceMonitor(monitoringOf(platform)),
    },
    // Else a validation pod takes a GPU on every new node, before the pod that the node was started for.
    validator: { plugin: { env: [{ name: "WITH_WORKLOAD", value: "false" }] } },
  };
}

/**
 * The EKS images for AL2023 and Bottlerocket carry driver and container toolkit; Ubuntu's do not. One setting is for
 * the whole cluster: with the toolkit on, the device plugin looks for the CDI hook where only the toolkit puts it.
 */
function needsDriver(pools: readonly ResolvedPool[]): boolean {
  const ubuntu = pools.filter((pool) => pool.ami.family === "ubuntu").map((pool) => pool.name);
  const others = pools
    .filter((pool) => pool.ami.family !== "ubuntu")
    .map((pool) => `${pool.name} (${pool.ami.family})`);
  if (ubuntu.length > 0 && others.length > 0) {
    throw new AddonError(
      `GPU pools ${ubuntu.join(", ")} (ubuntu) need the GPU Operator to install driver and container toolkit, which breaks ` +
        `${others.join(", ")}, whose images carry both; use one kind of image for all GPU pools of a cluster`,
    );
  }
  return ubuntu.length > 0;
}

/** Plugin and feature discovery, each with the side-car that swaps its configuration: the requests go to every one. */
const DEVICE_PLUGIN_CONTAINERS = 4;

function devicePlugin(
  pools: readonly ResolvedPool[],
  byOperatingSystem: boolean,
): Pick<GpuOperatorValues["devicePlugin"], "resources" | "config"> {
  const resources = reserved(NODE_AGENTS.devicePlugin, DEVICE_PLUGIN_CONTAINERS);
  if (byOperatingSystem) return { resources };
  const data = devicePluginConfigs(pools);
  return {
    resources,
    config: {
      create: true,
      name: contentName("capstan-device-plugin", data),
      default: DEFAULT_DEVICE_PLUGIN_CONFIG,
      data,
    },
  };
}

/**
 * `mixed` unless every MIG pool says otherwise: under `single` a slice and a whole GPU have one name, and a pod can land
 * on the whole one in the minutes before the node is partitioned.
 */
function migStrategy(pools: readonly MigPool[]): MigStrategy {
  return pools.length > 0 && pools.every(({ sharing }) => sharing.strategy === "single") ? "single" : "mixed";
}

function migManager(pools: readonly MigPool[]): Pick<GpuOperatorValues["migManager"], "env" | "config"> {
  const reboot = pools.some(({ pool }) => pool.gpu !== null && gpu(pool.gpu.model).mig?.modeChangeNeedsReset);
  const env = reboot ? [{ name: "WITH_REBOOT", value: "true" }] : [];
  const file = migPartedConfig(pools);
  if (file === null) return { env };
  return {
    env,
    config: { create: true, name: contentName("capstan-mig-parted", file), data: { "config.yaml": file } },
  };
}

function isShared(pools: readonly ResolvedPool[]): boolean {
  return pools.some((pool) => pool.sharing.kind === "time-slicing" || pool.sharing.kind === "mps");
}

/** `honorLabels`: rules and dashboards of ours join on `pod` and `namespace` of the workload, not of the exporter. */
function serviceMonitor(monitoring: MonitoringContext | null): DcgmServiceMonitor {
  if (monitoring === null) return { enabled: false };
  return {
    enabled: true,
    interval: `${monitoring.scrapeIntervalSeconds}s`,
    scrapeTimeout: `${Math.min(10, monitoring.scrapeIntervalSeconds)}s`,
    honorLabels: true,
    additionalLabels: { ...monitoring.monitorLabels },
  };
}
