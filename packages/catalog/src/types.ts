import type { GpuByInstanceType, GpuInstanceType, GpuModel, MigProfilesByGpu } from "./generated/ids.ts";

/** MIG profiles of a GPU: `MigProfile<"h100-80">` has `"1g.10gb"`; never where the GPU has no MIG. */
export type MigProfile<G extends GpuModel> = MigProfilesByGpu[G];

/** GPU model of an EC2 type: `GpuOf<"g6e.2xlarge">` is `"l40s"`. */
export type GpuOf<T extends GpuInstanceType> = GpuByInstanceType[T];

/** MIG profiles that an EC2 type can be cut into; never where its GPU has no MIG. */
export type MigProfileOf<T extends GpuInstanceType> = MigProfile<GpuOf<T>>;
