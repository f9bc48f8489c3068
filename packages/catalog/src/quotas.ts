import { lazy, once } from "./load.ts";

/** A vCPU quota of EC2, which is asked for by code. */
export interface VcpuQuota {
  readonly code: string;
  readonly name: string;
  readonly market: "on-demand" | "spot";
  /** Matches the instance families that count against it. */
  readonly families: RegExp;
}

interface Row extends Omit<VcpuQuota, "families"> {
  readonly families: string;
}

const document = lazy<{ readonly quotas: readonly Row[] }>("quotas");

/** vCPU quotas by market and instance family. */
export const vcpuQuotas: () => readonly VcpuQuota[] = once(() =>
  document().quotas.map((row) => ({ ...row, families: new RegExp(row.families) })),
);
