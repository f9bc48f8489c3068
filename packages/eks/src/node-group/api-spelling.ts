import type { CapacityKind, ResolvedPool, TaintEffect } from "@capstan/core";

/** Taint effects as the EKS API spells them. */
const API_TAINT_EFFECTS: Readonly<Record<TaintEffect, string>> = {
  NoSchedule: "NO_SCHEDULE",
  PreferNoSchedule: "PREFER_NO_SCHEDULE",
  NoExecute: "NO_EXECUTE",
};

/** A reservation is ordinary on-demand capacity that the launch template points at. */
export const API_CAPACITY_TYPES: Readonly<Record<CapacityKind, string>> = {
  "on-demand": "ON_DEMAND",
  reservation: "ON_DEMAND",
  spot: "SPOT",
  "capacity-block": "CAPACITY_BLOCK",
};

export interface ApiTaint {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
}

/** The API refuses an empty value; a taint without one is written without it. */
export function apiTaints(pool: ResolvedPool): ApiTaint[] {
  return pool.taints.map(({ key, value, effect }) => ({
    key,
    ...(value !== "" && { value }),
    effect: API_TAINT_EFFECTS[effect],
  }));
}
