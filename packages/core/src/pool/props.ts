import type { CpuInstanceType, GpuInstanceType, MigProfileName, MigProfileOf } from "@capstan/catalog";
import type { Acknowledgements } from "../finding.ts";
import type { Capacity } from "./capacity.ts";
import type { ResolvedPool } from "./resolved.ts";
import type { Mig, Mps, TimeSlicing, WholeGpus } from "./sharing.ts";

/** Kubernetes spelling; the EKS API's own spelling is made where the node group is rendered. */
export type TaintEffect = "NoSchedule" | "PreferNoSchedule" | "NoExecute";

export interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: TaintEffect;
}

export interface PoolSize {
  /** Nodes that always run. 0 saves money and makes the first request wait for a node. */
  readonly min: number;
  readonly max: number;
  /** Nodes at creation; afterwards the autoscaler owns the number. @default `min` */
  readonly desired?: number;
}

export type AmiFamily = "al2023" | "bottlerocket" | "ubuntu";

interface PoolProps {
  /** DNS label; becomes the node label `capstan.dev/pool` and part of resource names. */
  readonly name: string;
  readonly size: PoolSize;
  /** @default "on-demand" */
  readonly capacity?: Capacity;
  /** Availability zones, such as `us-east-1a`. @default - every zone of the subnets given to the node group */
  readonly zones?: readonly string[];
  /** @default "al2023" */
  readonly amiFamily?: AmiFamily;
  /**
   * Pinned AMI release (`1.34.2-20260724`). Changing it rolls every node.
   * @default - the release of the catalog for the cluster's Kubernetes version; unpinned, with a warning, where it has none
   */
  readonly amiRelease?: string;
  /** AMI id for `ubuntu`, which managed node groups do not offer by name. */
  readonly amiId?: string;
  /** Instance store as one array under the kubelet's and containerd's directories. @default "none" */
  readonly localStorage?: "none" | "raid0";
  /** Encrypted gp3 root volume. @default 100, or 200 for GPU pools without local NVMe (two vLLM images and logs) */
  readonly rootVolumeGib?: number;
  /** Extra node labels. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Extra taints; services of this pool tolerate them. */
  readonly taints?: readonly Taint[];
  /** Own price per node and hour (savings plan, private offer), instead of the dated list price. */
  readonly usdPerHour?: number;
  readonly acknowledge?: Acknowledgements;
}

/** What `sharing` accepts on an instance type: only profiles that its GPU has. Without MIG the profile is a sentence. */
export type SharingOn<T extends GpuInstanceType> =
  | WholeGpus
  | TimeSlicing
  | Mps
  | ([MigProfileOf<T>] extends [never]
      ? { readonly kind: "mig"; readonly layout: `the GPU of ${T} has no MIG: use timeSlicing(n) or mps(n)` }
      : Mig<MigProfileOf<T>>);

export interface GpuPoolProps<T extends GpuInstanceType = GpuInstanceType> extends PoolProps {
  /** Changing it replaces the node group: the new nodes are needed before the old ones go. */
  readonly instanceType: T;
  /** Further types with the same GPU model and number, for spot capacity. @default - none */
  readonly alternativeInstanceTypes?: readonly GpuInstanceType[];
  /** @default wholeGpus() */
  readonly sharing?: SharingOn<NoInfer<T>>;
  /** Elastic Fabric Adapter on every network card; needs one zone. @default false */
  readonly efa?: boolean;
  /** Leave the GPU taint off, so that ordinary pods may fill these nodes. @default false */
  readonly untainted?: boolean;
}

export interface CpuPoolProps extends PoolProps {
  /** All of one architecture and of equal instruction sets; the plan counts with the first. */
  readonly instanceTypes: readonly [CpuInstanceType, ...CpuInstanceType[]];
  /** `static` gives whole cores to Guaranteed pods with whole CPU requests. @default "none" */
  readonly cpuManager?: "none" | "static";
  /** Keep other pods away with the taint `capstan.dev/cpu-inference`. @default true */
  readonly dedicated?: boolean;
}

/** Nodes that others made: what they carry and offer, as the scheduler sees it. */
export interface ExistingPoolProps {
  readonly name: string;
  readonly instanceType: GpuInstanceType | CpuInstanceType;
  /** Labels that select these nodes and no others. */
  readonly nodeSelector: Readonly<Record<string, string>>;
  readonly taints?: readonly Taint[];
  readonly size: PoolSize;
  /** @default "on-demand" */
  readonly capacity?: Capacity;
  /** How the GPUs are advertised. @default wholeGpus() */
  readonly sharing?: WholeGpus | TimeSlicing | Mps | Mig<MigProfileName>;
  readonly amiFamily?: AmiFamily;
  readonly localStorage?: "none" | "raid0";
  readonly cpuManager?: "none" | "static";
  readonly usdPerHour?: number;
  readonly acknowledge?: Acknowledgements;
}

/** A declared pool of GPU nodes. Made by `gpuPool`. */
export interface GpuPool {
  readonly kind: "gpu-pool";
  readonly name: string;
  readonly props: GpuPoolProps;
}

/** A declared pool of CPU nodes. Made by `cpuPool`. */
export interface CpuPool {
  readonly kind: "cpu-pool";
  readonly name: string;
  readonly props: CpuPoolProps;
}

export interface ExistingPool {
  readonly kind: "existing-pool";
  readonly name: string;
  readonly props: ExistingPoolProps;
}

/** A pool as another stack or repository wrote it down. Made by `poolFromJson`. */
export interface ImportedPool {
  readonly kind: "imported-pool";
  readonly name: string;
  readonly props: { readonly pool: ResolvedPool };
}

export type Pool = GpuPool | CpuPool | ExistingPool | ImportedPool;
