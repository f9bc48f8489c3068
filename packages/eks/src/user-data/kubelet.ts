import type { ResolvedPool } from "@capstan/core";

/** What the kubelet has to be told for exclusive cores, in no image's own spelling. */
export interface KubeletOptions {
  /** CPU that the kubelet and system keep. Static pinning refuses to start with a reserve of zero. */
  readonly reservedCpuMillis: number;
  /** Hand out both hyper-threads of a core together, so that two pods never share one. */
  readonly wholeCores: boolean;
  readonly topologyPolicy: "best-effort" | null;
}

/** Null where the default policy does: pods then share all cores. */
export function kubeletOptions(pool: ResolvedPool): KubeletOptions | null {
  if (pool.cpu.manager === "none") return null;
  return {
    // The reserve that the pool's own sums were made with, so that node and plan cannot disagree.
    reservedCpuMillis: pool.vcpus * 1000 - pool.allocatable.node.cpuMillis,
    wholeCores: pool.cpu.threadsPerCore > 1,
    // `single-numa-node` would refuse a pod that the scheduler sent here whenever the free cores lie on two NUMA nodes,
    // and its Deployment would send the next one to the same node, for ever. Slots are sized to one NUMA node anyway.
    topologyPolicy: pool.cpu.numaNodes > 1 ? "best-effort" : null,
  };
}
