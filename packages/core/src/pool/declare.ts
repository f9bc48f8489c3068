import type { GpuInstanceType } from "@capstan/catalog";
import { frozenCopy } from "../freeze.ts";
import type { CpuPool, CpuPoolProps, ExistingPool, ExistingPoolProps, GpuPool, GpuPoolProps } from "./props.ts";

/**
 * Declares a pool of GPU nodes. Never throws: what is wrong with it is found when it is used or checked.
 *
 * @example gpuPool({ name: "l40s", instanceType: "g6e.2xlarge", size: { min: 1, max: 8 }, localStorage: "raid0" })
 */
export function gpuPool<const T extends GpuInstanceType>(props: GpuPoolProps<T>): GpuPool {
  // The type parameter has done its work: it tied the MIG profile to the instance type.
  return Object.freeze({ kind: "gpu-pool", name: props.name, props: frozenCopy(props) as unknown as GpuPoolProps });
}

/**
 * Declares a pool of CPU nodes for ONNX services.
 *
 * @example cpuPool({ name: "amx", instanceTypes: ["c7i.8xlarge"], cpuManager: "static", size: { min: 1, max: 20 } })
 */
export function cpuPool(props: CpuPoolProps): CpuPool {
  return Object.freeze({ kind: "cpu-pool", name: props.name, props: frozenCopy(props) });
}

/** Declares nodes that others made, so that services can be placed, sized and priced on them. */
export function existingPool(props: ExistingPoolProps): ExistingPool {
  return Object.freeze({ kind: "existing-pool", name: props.name, props: frozenCopy(props) });
}
