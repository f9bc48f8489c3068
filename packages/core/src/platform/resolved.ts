import type { ResolveContext } from "../context.ts";
import type { Acknowledgements, Finding } from "../finding.ts";
import type { Taint } from "../pool/props.ts";
import type { ResolvedPool } from "../pool/resolved.ts";
import type { Origins } from "../provenance.ts";
import type { ResolvedService, ResolvedSource } from "../service/resolved.ts";
import type { AddonMode } from "./props.ts";

/** One model that a preloader keeps on every node of its pool. */
export interface PreloadedModel {
  readonly slug: string;
  readonly source: ResolvedSource;
  /** File or directory inside the source; null: all of it. */
  readonly path: string | null;
  readonly hostPath: string;
  /** Bytes that must be there before the marker is written; null: not known, only the tool's own check. */
  readonly bytes: number | null;
}

/** The one writer of a pool's node cache. */
export interface ResolvedPreloader {
  readonly name: string;
  readonly namespace: string;
  readonly serviceAccount: string;
  readonly pool: ResolvedPool;
  /** Image of the tool for each kind of source. */
  readonly images: Readonly<Record<ResolvedSource["kind"], string>>;
  /** Directory of the node array that holds all models. */
  readonly hostRoot: string;
  readonly models: readonly PreloadedModel[];
  readonly labels: Readonly<Record<string, string>>;
}

export interface ResolvedNamespace {
  readonly name: string;
  readonly teams: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  /** Hard limits of the ResourceQuota: `requests.nvidia.com/gpu` and so on, from the services and pools; empty: none. */
  readonly quota: Readonly<Record<string, string>>;
}

export interface ResolvedMonitoring {
  readonly mode: AddonMode;
  readonly retentionDays: number;
  readonly storageGib: number;
  readonly storageClass: string;
}

/** What the add-ons are derived from: pools, never a second list. */
export interface ResolvedAddons {
  readonly gpuOperator: AddonMode;
  readonly keda: AddonMode;
  readonly monitoring: ResolvedMonitoring;
  readonly clusterAutoscaler: AddonMode;
  readonly kubecost: { readonly clusterId: string; readonly storageClass: string } | null;
  /** Tolerations that every node agent needs: the union of the pools' taints, and nothing else. */
  readonly nodeAgentTaints: readonly Required<Taint>[];
}

export interface ResolvedPlatform {
  readonly kind: "platform";
  readonly name: string;
  readonly context: ResolveContext;
  readonly pools: readonly ResolvedPool[];
  readonly services: readonly ResolvedService[];
  readonly preloaders: readonly ResolvedPreloader[];
  readonly namespaces: readonly ResolvedNamespace[];
  readonly addons: ResolvedAddons;
  readonly scaleDownDelaySeconds: number;
  readonly findings: readonly Finding[];
  readonly acknowledge: Acknowledgements;
  readonly origins: Origins;
}
