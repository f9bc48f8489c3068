import { cpuPool, gpuPool } from "../../pool/declare.ts";
import type { CpuPool, CpuPoolProps, GpuPool, GpuPoolProps } from "../../pool/props.ts";

/** Pools for the rules' examples: the usual one with a change. */
export const size = { min: 0, max: 2 };

export function g6(props: Partial<GpuPoolProps<"g6.2xlarge">>): GpuPool {
  return gpuPool<"g6.2xlarge">({ name: "l4", instanceType: "g6.2xlarge", size, ...props });
}

export function c7i(props: Partial<CpuPoolProps>): CpuPool {
  return cpuPool({ name: "amx", instanceTypes: ["c7i.8xlarge"], size, ...props });
}
