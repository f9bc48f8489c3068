import type { MonitoringContext } from "../context.ts";
import type { Acknowledgements } from "../finding.ts";
import { frozenCopy } from "../freeze.ts";
import type { Pool } from "../pool/props.ts";
import type { IngressNamespaces } from "../service/common-props.ts";
import type { Onnx } from "../service/onnx-props.ts";
import type { Vllm } from "../service/vllm-props.ts";

export type Service = Vllm | Onnx;

/** Kubecost 3 in the cluster. */
export interface Kubecost {
  readonly kind: "kubecost";
  /** Unique among the clusters of an account; names the cluster in every report. */
  readonly clusterId: string;
  /** @default "gp3" */
  readonly storageClass?: string;
}

export function kubecost(options: Omit<Kubecost, "kind">): Kubecost {
  return frozenCopy({ kind: "kubecost", ...options });
}

/** kube-prometheus-stack, installed by the platform. */
export interface PrometheusStack {
  readonly kind: "prometheus-stack";
  /** @default 15 */
  readonly retentionDays?: number;
  /** @default 50 */
  readonly storageGib?: number;
  /** @default "gp3" */
  readonly storageClass?: string;
}

export function prometheusStack(options: Omit<PrometheusStack, "kind"> = {}): PrometheusStack {
  return frozenCopy({ kind: "prometheus-stack", ...options });
}

/** A Prometheus that is there already. */
export interface ExistingPrometheus extends MonitoringContext {
  readonly kind: "existing-prometheus";
}

export function existingPrometheus(
  options: Omit<MonitoringContext, "scrapeIntervalSeconds"> & { readonly scrapeIntervalSeconds?: number },
): ExistingPrometheus {
  return frozenCopy({ kind: "existing-prometheus", scrapeIntervalSeconds: 15, ...options });
}

/** `install`: the platform brings it; `present`: the cluster has it; `none`: it is not there. */
export type AddonMode = "install" | "present" | "none";

export interface PlatformProps {
  /** @default "inference" */
  readonly name?: string;
  /** `dev`, `staging`, `prod` ...: a label on everything. */
  readonly environment: string;
  /** Judge as production: nothing floating, nothing unpinned. @default - true for `prod` and `production` */
  readonly production?: boolean;
  /** AWS region, for prices and quotas. @default - unknown: money is null */
  readonly region?: string;
  /** Minor version of the cluster. @default "1.34" */
  readonly kubernetes?: string;
  readonly pools: readonly Pool[];
  readonly services: readonly Service[];
  /** @default "install" with a pool of NVIDIA GPUs, else "none" */
  readonly gpuOperator?: AddonMode;
  /** @default "install" where a service scales by KEDA, else "none" */
  readonly keda?: AddonMode;
  /** @default prometheusStack() */
  readonly monitoring?: PrometheusStack | ExistingPrometheus | "none";
  /** Who adds and removes nodes. @default "install" where a pool's max is above its min, else "none" */
  readonly clusterAutoscaler?: AddonMode;
  /** @default - no cost tool */
  readonly cost?: Kubecost;
  /**
   * Namespaces whose pods may call every service, besides the service's own: a gateway's. `any` lets in every pod of the
   * cluster. A service that says it for itself is not asked this.
   * @default - none: a service is called from its own namespace
   */
  readonly ingressNamespaces?: IngressNamespaces;
  /** Seconds after which node counts settle on less load, for cost. @default 600 */
  readonly scaleDownDelaySeconds?: number;
  readonly acknowledge?: Acknowledgements;
}
