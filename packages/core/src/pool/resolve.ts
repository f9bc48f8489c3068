import {
  cpuInstanceTypes,
  eks,
  findInstance,
  type GpuFacts,
  gpu,
  gpuInstanceTypes,
  type InstanceFacts,
  nearest,
} from "@capstan/catalog";
import type { ResolveContext } from "../context.ts";
import type { Finding } from "../finding.ts";
import { deepFreeze } from "../freeze.ts";
import {
  ACCELERATOR_LABEL,
  CPU_TAINT,
  DEVICE_PLUGIN_CONFIG_LABEL,
  GPU_TAINT,
  MIG_CONFIG_LABEL,
  POOL_LABEL,
} from "../labels.ts";
import { OriginLog } from "../provenance.ts";
import { shapeFindings, show } from "../shape.ts";
import { allocatable, poolCpu } from "./allocatable.ts";
import { amiType } from "./ami.ts";
import { capacityKind } from "./capacity.ts";
import { type MigLayout, migCounts } from "./mig-layout.ts";
import { poolPrice } from "./price.ts";
import type { AmiFamily, ImportedPool, Pool, PoolSize, Taint } from "./props.ts";
import type { ResolvedPool, ResolvedSharing } from "./resolved.ts";
import { cpuPoolShape, existingPoolShape, gpuPoolShape } from "./shape.ts";
import type { Sharing } from "./sharing.ts";
import { slotOffers } from "./slots.ts";
import { visibleGib } from "./visible-memory.ts";

type DeclaredPool = Exclude<Pool, ImportedPool>;

export interface PoolValues {
  /** Null where the declaration says too little to be resolved; the findings say what is missing. */
  readonly pool: ResolvedPool | null;
  readonly findings: readonly Finding[];
}

/** Fills every default of a pool. Says what keeps it from being resolved; judges nothing else. */
export function poolValues(declaration: Pool, context: ResolveContext): PoolValues {
  if (declaration.kind === "imported-pool")
    return { pool: pricedIn(context.region, declaration.props.pool), findings: [] };
  const path = `pools.${declaration.name}`;
  const findings = [...shapeFindings(shapeOf(declaration), declaration.props, path)];
  if (findings.length > 0) return { pool: null, findings };
  const types = instanceTypesOf(declaration);
  findings.push(...unknownTypes(declaration, types, path));
  const instance = findInstance(types[0] ?? "");
  if (findings.length > 0 || !instance) return { pool: null, findings };
  return { pool: deepFreeze(resolve(declaration, types, instance, context)), findings };
}

/** A pool that another program wrote brings the price of its own region. */
function pricedIn(region: string | null, pool: ResolvedPool): ResolvedPool {
  const { price } = pool;
  if (region === null || price.region === null || price.region === region) return pool;
  const basis = `written for ${price.region}, not for ${region}`;
  return deepFreeze({ ...pool, price: { onDemandUsdPerHour: null, usdPerHour: null, basis, asOf: null, region } });
}

function shapeOf(declaration: DeclaredPool) {
  switch (declaration.kind) {
    case "gpu-pool":
      return gpuPoolShape;
    case "cpu-pool":
      return cpuPoolShape;
    case "existing-pool":
      return existingPoolShape;
  }
}

function instanceTypesOf(declaration: DeclaredPool): readonly string[] {
  switch (declaration.kind) {
    case "gpu-pool":
      return [declaration.props.instanceType, ...(declaration.props.alternativeInstanceTypes ?? [])];
    case "cpu-pool":
      return declaration.props.instanceTypes;
    case "existing-pool":
      return [declaration.props.instanceType];
  }
}

function unknownTypes(declaration: DeclaredPool, types: readonly string[], path: string): Finding[] {
  const wanted =
    declaration.kind === "gpu-pool" ? gpuInstanceTypes : declaration.kind === "cpu-pool" ? cpuInstanceTypes : null;
  const known: readonly string[] = wanted ?? [...gpuInstanceTypes, ...cpuInstanceTypes];
  const kind =
    declaration.kind === "gpu-pool"
      ? "a GPU instance type"
      : declaration.kind === "cpu-pool"
        ? "a CPU instance type"
        : "an instance type";
  return types
    .filter((type) => !known.includes(type))
    .map((type) => {
      const near = nearest(type, known);
      const exists = findInstance(type) !== undefined;
      return {
        id: "pool.instance-type.unknown",
        severity: "error" as const,
        path: `${path}.${declaration.kind === "cpu-pool" ? "instanceTypes" : "instanceType"}`,
        message: exists
          ? `${type} is not ${kind}`
          : `${show(type)} is not ${kind} of the catalog${near ? `; did you mean ${near}?` : ""}`,
        remedy: exists
          ? `declare it with ${declaration.kind === "gpu-pool" ? "cpuPool" : "gpuPool"}`
          : near
            ? `write ${near}`
            : `choose one of the ${known.length} types, such as ${known.slice(0, 3).join(", ")}`,
        reference: null,
        acknowledged: null,
      };
    });
}

function resolve(
  declaration: DeclaredPool,
  types: readonly string[],
  instance: InstanceFacts,
  context: ResolveContext,
): ResolvedPool {
  const origins = new OriginLog();
  const props = declaration.props;
  const managed = declaration.kind === "existing-pool" ? null : declaration.props;
  const gpuProps = declaration.kind === "gpu-pool" ? declaration.props : null;
  const facts = instance.gpu ? gpu(instance.gpu.model) : null;
  const size = resolveSize(props.size, origins);
  const capacity = origins.orDefault(
    "capacity",
    props.capacity,
    "on-demand",
    "the only capacity that is there without being asked for ahead",
  );
  const family = origins.orDefault(
    "amiFamily",
    props.amiFamily,
    "al2023",
    "the EKS image with NVIDIA driver and toolkit",
  );
  const localStorage = origins.orDefault(
    "localStorage",
    props.localStorage,
    "none",
    "instance store stays raw unless asked for",
  );
  const rootVolumeGib = origins.orDerived(
    "rootVolumeGib",
    managed?.rootVolumeGib,
    () => (facts && localStorage === "none" ? 200 : 100),
    ["localStorage"],
    "two vLLM images and logs need 200 GiB where containerd has no NVMe, else 100",
  );
  const efa = origins.orDefault("efa", gpuProps?.efa, false, "only multi-node engines need it");
  const sharing = resolveSharing(declaration, facts, origins);
  const memoryGib = facts && visibleGib(facts, instance);
  const perNode = instance.gpu?.count ?? 0;
  const slots = facts ? slotOffers(facts, perNode, memoryGib, sharing) : [];
  const taints = resolveTaints(declaration, origins);
  const room = allocatable(instance, { localStorage, rootVolumeGib, efa });
  const manager =
    declaration.kind === "gpu-pool"
      ? "none"
      : origins.orDefault("cpuManager", declaration.props.cpuManager, "none", "exclusive cores only where asked for");
  const nodeSelector =
    declaration.kind === "existing-pool" ? declaration.props.nodeSelector : { [POOL_LABEL]: declaration.name };
  return {
    kind: facts ? "gpu" : "cpu",
    name: declaration.name,
    managed: declaration.kind !== "existing-pool",
    instanceTypes: types,
    arch: instance.arch,
    vcpus: instance.vcpus,
    memoryMib: instance.memoryMib,
    gpu: facts && {
      model: facts.id,
      perNode,
      memoryGib,
      computeCapability: facts.computeCapability,
      nvlink: facts.nvlinkGBps !== null && perNode > 1,
    },
    sharing,
    slots,
    cpu: poolCpu(instance, manager, room.cpuMillis),
    capacity: {
      kind: capacityKind(capacity),
      reservationId: typeof capacity === "string" ? null : capacity.reservationId,
    },
    size,
    zones: managed?.zones ?? null,
    ami: {
      family,
      type: amiType(family, instance.arch, facts !== null),
      release: amiRelease(family, managed?.amiRelease, context, origins),
      id: managed?.amiId ?? null,
    },
    localStorage,
    nvmeGib: localStorage === "raid0" ? (instance.localNvme?.totalGib ?? 0) : 0,
    nvmeDisks: localStorage === "raid0" ? (instance.localNvme?.disks ?? 0) : 0,
    networkGbps: instance.networkGbps,
    rootVolumeGib,
    labels: {
      ...managed?.labels,
      ...nodeSelector,
      ...ownLabels(
        declaration,
        family,
        facts,
        sharing,
        slots.map((s) => s.resource),
      ),
    },
    givenLabels: managed?.labels ?? {},
    nodeSelector,
    taints,
    efaAsked: efa,
    efaInterfaces: efa ? instance.efaInterfaces : 0,
    placement: origins.derived(
      "placement",
      efa ? "cluster" : null,
      ["efa"],
      "EFA nodes of one job belong close together",
    ),
    allocatable: room,
    price: poolPrice(types[0] ?? "", context.region, capacity, props.usdPerHour),
    acknowledge: props.acknowledge ?? {},
    origins: origins.done(),
  };
}

function resolveSize(size: PoolSize, origins: OriginLog): ResolvedPool["size"] {
  origins.given("size.min", size.min);
  origins.given("size.max", size.max);
  return {
    min: size.min,
    max: size.max,
    desired: origins.orDerived(
      "size.desired",
      size.desired,
      () => size.min,
      ["size.min"],
      "the autoscaler adds what pods ask for",
    ),
  };
}

function resolveSharing(declaration: DeclaredPool, facts: GpuFacts | null, origins: OriginLog): ResolvedSharing {
  if (declaration.kind === "cpu-pool" || !facts) return { kind: "whole" };
  // The declaration's type ties profiles to the instance type; here any sharing may come from a file.
  const declared = declaration.props.sharing as Sharing | undefined;
  const sharing = origins.orDefault("sharing", declared, { kind: "whole" }, "every pod gets GPUs of its own");
  switch (sharing.kind) {
    case "whole":
      return { kind: "whole" };
    case "time-slicing":
      return { kind: "time-slicing", replicas: sharing.replicas, rename: sharing.rename };
    case "mps":
      return { kind: "mps", replicas: sharing.replicas, rename: true };
    case "mig": {
      const layout = migCounts(facts.mig, sharing.layout);
      const config = migConfig(declaration.name, facts, layout);
      return { kind: "mig", strategy: sharing.strategy, layout, ...config };
    }
  }
}

/** Name of MIG Manager's configuration for the layout, or our own where it has none. */
function migConfig(pool: string, facts: GpuFacts, layout: MigLayout): { configName: string; customConfig: boolean } {
  const entries = Object.entries(layout).filter(([, count]) => count > 0);
  const [only, second] = entries;
  const profile = facts.mig?.profiles.find((p) => p.profile === only?.[0]);
  if (only && !second && profile && only[1] === profile.maxInstances) {
    return { configName: profile.configName, customConfig: false };
  }
  return { configName: `capstan-${pool}`, customConfig: true };
}

function resolveTaints(declaration: DeclaredPool, origins: OriginLog): Required<Taint>[] {
  const own: Taint[] = [];
  if (declaration.kind === "gpu-pool" && declaration.props.untainted !== true) {
    own.push(
      origins.derived(
        `taints.${GPU_TAINT}`,
        { key: GPU_TAINT, value: "present", effect: "NoSchedule" as const },
        ["untainted"],
        "keeps ordinary pods off GPU nodes",
      ),
    );
  }
  if (declaration.kind === "cpu-pool" && declaration.props.dedicated !== false) {
    own.push(
      origins.derived(
        `taints.${CPU_TAINT}`,
        { key: CPU_TAINT, value: "true", effect: "NoSchedule" as const },
        ["dedicated"],
        "keeps ordinary pods off the cores of CPU inference",
      ),
    );
  }
  return [...own, ...(declaration.props.taints ?? [])].map((taint) => ({ value: "", ...taint }));
}

/** Labels that device plugin, MIG Manager and autoscaler act on. They are the node group's own, so new nodes carry them. */
function ownLabels(
  declaration: DeclaredPool,
  family: AmiFamily,
  facts: GpuFacts | null,
  sharing: ResolvedSharing,
  resources: readonly string[],
): Record<string, string> {
  if (!facts || declaration.kind === "existing-pool") return {};
  const labels: Record<string, string> = {};
  if (resources.includes("nvidia.com/gpu")) labels[ACCELERATOR_LABEL] = `nvidia-${facts.id}`;
  // Bottlerocket partitions and shares by its own settings.
  if (family === "bottlerocket") {
    labels["nvidia.com/gpu.deploy.device-plugin"] = "false";
    labels["nvidia.com/gpu.deploy.mig-manager"] = "false";
    return labels;
  }
  if (sharing.kind === "mig") labels[MIG_CONFIG_LABEL] = sharing.configName;
  if (sharing.kind === "time-slicing" || sharing.kind === "mps") labels[DEVICE_PLUGIN_CONFIG_LABEL] = declaration.name;
  return labels;
}

function amiRelease(
  family: AmiFamily,
  given: string | undefined,
  context: ResolveContext,
  origins: OriginLog,
): string | null {
  return origins.orDerived(
    "amiRelease",
    given,
    () =>
      eks().amiReleases.find((r) => r.family === family && r.kubernetes === context.kubernetes)?.releaseVersion ?? null,
    ["amiFamily", "kubernetes"],
    "the release that the catalog has for this image and Kubernetes version",
  );
}
