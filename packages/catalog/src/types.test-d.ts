// Compiled by the workspace's type-check, never run: each line that must fail to compile says so.
import type { GpuInstanceType, GpuModel, InstanceType, ModelId, VllmVersion } from "./generated/ids.ts";
import type { GpuOf, MigProfile, MigProfileOf } from "./types.ts";

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

export const onH100: MigProfile<"h100-80"> = "1g.10gb";
export const onH200: MigProfileOf<"p5en.48xlarge"> = "1g.18gb";
export const l4HasNoMig: Equal<MigProfileOf<"g6.2xlarge">, never> = true;
export const l40sHasNoMig: Equal<MigProfile<"l40s">, never> = true;
export const gpuOfType: Equal<GpuOf<"g6e.2xlarge">, "l40s"> = true;
export const mostProfilesAreRefused: Equal<MigProfileOf<"g6.2xlarge" | "p5.48xlarge">, MigProfile<"h100-80">> = true;
export const everyGpuTypeHasAGpu: GpuModel = undefined as never as GpuOf<GpuInstanceType>;

// @ts-expect-error an L4 has no MIG
export const onL4: MigProfileOf<"g6.2xlarge"> = "1g.10gb";
// @ts-expect-error 1g.18gb is a profile of the H200, not of the H100
export const wrongSize: MigProfile<"h100-80"> = "1g.18gb";
// @ts-expect-error there is no such type
export const wrongType: InstanceType = "g6e.3xlarge";
// @ts-expect-error a CPU type has no GPU
export const cpuType: GpuOf<"c7i.8xlarge"> = "l4";
// @ts-expect-error a model id has its organisation in front
export const wrongModel: ModelId = "Llama-3.1-8B-Instruct";
// @ts-expect-error 0.13 was not read
export const wrongVersion: VllmVersion = "0.13.0";
