import type { MigProfileName } from "@capstan/catalog";
import { deepFreeze } from "../freeze.ts";

/** `mixed`: one resource name a profile; `single`: every GPU of the node has one profile, advertised as `nvidia.com/gpu`. */
export type MigStrategy = "mixed" | "single";

export interface WholeGpus {
  readonly kind: "whole";
}

export interface Mig<P extends string = MigProfileName> {
  readonly kind: "mig";
  /** Instances on every GPU of the node: profile -> count. */
  readonly layout: Readonly<Partial<Record<P, number>>> | P;
  readonly strategy: MigStrategy;
}

export interface TimeSlicing {
  readonly kind: "time-slicing";
  readonly replicas: number;
  /** Advertise `nvidia.com/gpu.shared`, so that cost tools and quotas tell shared from exclusive. @default true */
  readonly rename: boolean;
}

export interface Mps {
  readonly kind: "mps";
  readonly replicas: number;
}

export type Sharing = WholeGpus | Mig | TimeSlicing | Mps;

/** Every pod gets GPUs of its own. The default. */
export function wholeGpus(): WholeGpus {
  return Object.freeze({ kind: "whole" });
}

/**
 * Hardware partitions with memory and bandwidth of their own: H100, H200, A100, B200, RTX PRO. One profile fills every
 * GPU (`mig("1g.10gb")`); a layout says how many of each (`mig({ "3g.40gb": 1, "1g.10gb": 4 })`).
 * The layout is fixed for the life of the pool: MIG Manager evicts nobody, so a change is a new pool.
 *
 * @param options.strategy how the slices are advertised. @default "mixed"
 */
export function mig<const L extends MigProfileName | Readonly<Partial<Record<MigProfileName, number>>>>(
  layout: L,
  options: { readonly strategy?: MigStrategy } = {},
): Mig<ProfilesIn<L>> {
  const plain: unknown = typeof layout === "string" ? layout : { ...(layout as object) };
  // The copy has the type of what was copied, which the compiler cannot see through the conditional.
  return deepFreeze({ kind: "mig", layout: plain, strategy: options.strategy ?? "mixed" } as Mig<ProfilesIn<L>>);
}

/** The profiles that a layout names, so that the compiler can hold them against the instance type's GPU. */
type ProfilesIn<L> = L extends string ? L : Extract<keyof L, MigProfileName>;

/**
 * `replicas` pods take turns on one GPU. No memory isolation: a pod that allocates more than its share makes the others
 * fail, so services on such a pool get an explicit KV cache size.
 */
export function timeSlicing(replicas: number, options: { readonly rename?: boolean } = {}): TimeSlicing {
  return Object.freeze({ kind: "time-slicing", replicas, rename: options.rename ?? true });
}

/** `replicas` processes share one GPU at the same time, each with a memory limit. Whole GPUs only; experimental upstream. */
export function mps(replicas: number): Mps {
  return Object.freeze({ kind: "mps", replicas });
}
