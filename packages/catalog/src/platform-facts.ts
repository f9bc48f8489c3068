import type { Provenance, ServingEngine } from "./facts.ts";

/** A user that a serving image can run as, from a version on. */
export interface ImageUser {
  /** First version with it; null: every version. */
  readonly since: string | null;
  /** null: the image has no user but root. */
  readonly runAsUser: number | null;
  readonly runAsGroup: number | null;
  readonly fsGroup: number | null;
  /** Home directory, below which caches lie; it has to be writable. */
  readonly home: string;
}

export interface EngineFacts {
  readonly engine: ServingEngine;
  readonly title: string;
  readonly image: {
    readonly repository: string;
    /** Tag pattern for each architecture that is published, with `{version}` in it. */
    readonly tags: Readonly<Partial<Record<"amd64" | "arm64", string>>>;
    readonly defaultVersion: string;
  };
  readonly ports: { readonly http: number; readonly grpc: number | null; readonly metrics: number };
  readonly paths: { readonly live: string; readonly ready: string; readonly metrics: string };
  /** Flags without which the engine exports no metrics. */
  readonly metricsFlags: readonly string[];
  /** Gauge to scale on; `busyName` counts what is being worked on, null where the engine has no such gauge. */
  readonly queueMetric: { readonly name: string; readonly busyName: string | null; readonly meaning: string };
  /** Ascending by version. */
  readonly users: readonly ImageUser[];
  /** CUDA of the image by version, ascending; empty for CPU engines; null where it was not read. */
  readonly cuda: readonly {
    readonly since: string;
    readonly version: string | null;
    readonly minDriverBranch: number | null;
  }[];
  /** What a node downloads; null: not read. */
  readonly compressedImageGib: number | null;
  readonly compressedImageSource: string | null;
  readonly notes: readonly string[];
}

export type AmiFamily = "al2023" | "bottlerocket";

/** Names of the EKS add-ons that have pinned versions. */
export type EksAddonName =
  | "vpc-cni"
  | "coredns"
  | "kube-proxy"
  | "aws-ebs-csi-driver"
  | "eks-pod-identity-agent"
  | "eks-node-monitoring-agent"
  | "metrics-server";

/** What nodeadm keeps back from pods. */
export interface KubeletReserveFacts {
  readonly memoryBaseMib: number;
  readonly memoryPerPodMib: number;
  readonly evictionHardMemoryMib: number;
  /** Per cent of the node's file system that has to stay free. */
  readonly evictionHardDiskPercent: number;
  /** Share of each core between the step before and `upToCores`; null: of all the rest. */
  readonly cpuSteps: readonly { readonly upToCores: number | null; readonly percent: number }[];
}

export interface EksFacts {
  readonly provenance: Provenance;
  readonly defaultKubernetes: string;
  readonly amiTypes: readonly {
    readonly family: AmiFamily;
    readonly arch: "amd64" | "arm64";
    readonly accelerator: "none" | "nvidia" | "neuron";
    /** Spelled as the EKS API has it. */
    readonly amiType: string;
  }[];
  /** `releaseVersion` of a managed node group; null: none was found, the user has to pin one. */
  readonly amiReleases: readonly {
    readonly family: AmiFamily;
    readonly kubernetes: string;
    readonly releaseVersion: string | null;
  }[];
  /** What the GPU images carry, which decides the GPU Operator's values. */
  readonly gpuImages: readonly {
    readonly family: AmiFamily;
    readonly driverBranch: number;
    readonly driverVersion: string | null;
    readonly containerToolkit: boolean;
    readonly devicePlugin: boolean;
    readonly fabricManager: boolean;
  }[];
  readonly addons: readonly {
    readonly name: EksAddonName;
    readonly versions: Readonly<Record<string, string | null>>;
  }[];
  readonly kubeletReserve: KubeletReserveFacts;
  /** Memory of the type that the kernel and firmware take before the kubelet sees it, as Karpenter assumes by default. */
  readonly vmMemoryOverheadPercent: number;
  /** nodeadm's `spec.instance.localStorage`. */
  readonly localStorage: {
    readonly strategies: readonly ("RAID0" | "RAID10" | "Mount")[];
    readonly mountPath: string;
    readonly raidPath: string;
  };
  /** Pages of 2 MiB that a host with EFA sets aside at boot. */
  readonly hugePages2MiOnEfaHosts: number;
  readonly nodeGroupLimits: { readonly taints: number; readonly labels: number; readonly instanceTypes: number };
  readonly capacityBlock: { readonly scaleToZeroMinutesBeforeEnd: number };
}

export interface KnownMetrics {
  readonly provenance: Provenance;
  readonly dcgm: {
    /** Exported with the GPU Operator's own collector file. */
    readonly on: readonly string[];
    /** Only with a collector file of one's own. */
    readonly off: readonly string[];
    /** Exported, but meaningless for MIG instances. */
    readonly notForMig: readonly string[];
  };
  readonly engines: Readonly<Record<"tei" | "triton" | "ovms", readonly string[]>>;
  /** Metrics of gateways and routers, which exist when a service has no pod. */
  readonly gateways: { readonly survivesZeroPods: readonly string[] };
  /** Names from articles that no current release exports, with the right one. */
  readonly wrong: readonly { readonly name: string; readonly use: string }[];
}
