import type { GpuModel, MigProfileName } from "@capstan/catalog";
import type { Acknowledgements } from "../finding.ts";
import type { Origins } from "../provenance.ts";
import type { CapacityKind } from "./capacity.ts";
import type { AmiFamily, Taint } from "./props.ts";
import type { MigStrategy } from "./sharing.ts";

/** What pods ask for on this pool's nodes, and what they get for it. */
export interface SlotOffer {
  /** Extended resource: `nvidia.com/gpu`, `nvidia.com/gpu.shared`, `nvidia.com/mig-1g.10gb`. */
  readonly resource: string;
  readonly slotsPerNode: number;
  readonly gpu: GpuModel;
  readonly migProfile: MigProfileName | null;
  /** Pods on one physical GPU; 1 for whole GPUs and MIG slices. */
  readonly sharedBy: number;
  /** What CUDA gives a process of the pod, GiB (less than nvidia-smi prints): the slice's for MIG, the whole card's for time-slicing; null: not known. */
  readonly deviceMemoryGib: number | null;
  /** What one pod may use, GiB: the device's memory divided by the pods that share it. */
  readonly memoryGib: number | null;
}

export type ResolvedSharing =
  | { readonly kind: "whole" }
  | {
      readonly kind: "mig";
      readonly strategy: MigStrategy;
      /** Instances on every GPU. */
      readonly layout: Readonly<Record<string, number>>;
      /** Value of the node label `nvidia.com/mig.config`. */
      readonly configName: string;
      /** True where MIG Manager has no configuration of that name and the operator needs ours. */
      readonly customConfig: boolean;
    }
  | { readonly kind: "time-slicing" | "mps"; readonly replicas: number; readonly rename: boolean };

export interface PoolCpu {
  readonly manager: "none" | "static";
  readonly amx: boolean;
  readonly avx512: boolean;
  readonly threadsPerCore: number;
  readonly numaNodes: number;
  /**
   * vCPUs that one pod can get inside one NUMA node: with the static manager whole cores after the kubelet's reserve,
   * else allocatable CPU rounded down.
   */
  readonly largestSlotVcpus: number;
  /** vCPUs for pods on each NUMA node. Their sum is less than allocatable says under the static manager. */
  readonly vcpusPerNuma: readonly number[];
}

export interface Reserve {
  readonly cpuMillis: number;
  readonly memoryMib: number;
  readonly why: string;
}

/** What is left for serving pods on one node, and what takes the rest. */
export interface Allocatable {
  /** After kubelet reserve, eviction threshold and the platform's daemonsets. */
  readonly cpuMillis: number;
  readonly memoryMib: number;
  readonly ephemeralGib: number;
  readonly pods: number;
  readonly reserves: readonly Reserve[];
  /** What `kubectl describe node` shows as allocatable, before daemonsets. */
  readonly node: { readonly cpuMillis: number; readonly memoryMib: number };
}

/** Price of one node. Every field null where there is no price: never 0. */
export interface PoolPrice {
  readonly onDemandUsdPerHour: number | null;
  /** What a node of this pool costs: on-demand, spot with its range, or the given price. */
  readonly usdPerHour: { readonly low: number; readonly expected: number; readonly high: number } | null;
  readonly basis: string;
  readonly asOf: string | null;
  /** Region that it was looked up for; null: none was known. */
  readonly region: string | null;
}

/** One pool object is the contract between a node group and everything that is scheduled on it. Plain JSON. */
export interface ResolvedPool {
  readonly kind: "gpu" | "cpu";
  readonly name: string;
  /** The nodes are made by this pool's node group, or by somebody else. */
  readonly managed: boolean;
  /** The first is the one that plans count with. */
  readonly instanceTypes: readonly string[];
  readonly arch: "amd64" | "arm64";
  readonly vcpus: number;
  readonly memoryMib: number;
  readonly gpu: {
    readonly model: GpuModel;
    readonly perNode: number;
    /** Memory of one card that CUDA gives a process, GiB, which is less than nvidia-smi prints; null: not known. */
    readonly memoryGib: number | null;
    readonly computeCapability: string;
    readonly nvlink: boolean;
  } | null;
  readonly sharing: ResolvedSharing;
  /** One entry a resource name; several for a mixed MIG layout; empty for CPU pools. */
  readonly slots: readonly SlotOffer[];
  readonly cpu: PoolCpu;
  readonly capacity: { readonly kind: CapacityKind; readonly reservationId: string | null };
  readonly size: { readonly min: number; readonly max: number; readonly desired: number };
  readonly zones: readonly string[] | null;
  readonly ami: {
    readonly family: AmiFamily;
    /** `amiType` of the EKS API; `CUSTOM` with `id`. */
    readonly type: string;
    readonly release: string | null;
    readonly id: string | null;
  };
  readonly localStorage: "none" | "raid0";
  /** Instance store that pods can use, GiB; 0 without `raid0`. */
  readonly nvmeGib: number;
  /** Disks of the array; 0 without `raid0` and where the layout is not known. */
  readonly nvmeDisks: number;
  /** Baseline network of the node, Gbit/s; null: not known. */
  readonly networkGbps: number | null;
  readonly rootVolumeGib: number;
  /** Every label of the node, our own included. */
  readonly labels: Readonly<Record<string, string>>;
  /** The labels among them that the declaration gave. */
  readonly givenLabels: Readonly<Record<string, string>>;
  /** Selects this pool's nodes and no others. */
  readonly nodeSelector: Readonly<Record<string, string>>;
  readonly taints: readonly Required<Taint>[];
  readonly efaAsked: boolean;
  readonly efaInterfaces: number;
  readonly placement: "cluster" | null;
  readonly allocatable: Allocatable;
  readonly price: PoolPrice;
  readonly acknowledge: Acknowledgements;
  readonly origins: Origins;
}

/** Slots of all resources of one node. */
export function slotsPerNode(pool: ResolvedPool): number {
  return pool.slots.reduce((sum, slot) => sum + slot.slotsPerNode, 0);
}
