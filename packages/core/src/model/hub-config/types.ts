import type { ModelFacts, Precision } from "@capstan/catalog";
import type { Unsupported } from "../../plan/memory/index.ts";

export interface HubModelOptions {
  /** Id the model is shown under. */
  readonly id: string;
  /** All parameters, where the architecture's tower is not read here, or to take the place of the computed figure. */
  readonly parameters?: number | undefined;
  /** Size of the checkpoint in GiB, another way of saying the same. */
  readonly weightsGib?: number | undefined;
  /** Precision that is served. @default - that of the checkpoint, by `quantization_config` and `torch_dtype` */
  readonly precision?: Precision | undefined;
}

/** A model as its config.json describes it. */
export interface HubModel {
  readonly supported: true;
  readonly facts: ModelFacts;
  /** What the checkpoint is in. */
  readonly precision: Precision;
  /** Where the number of parameters comes from. */
  readonly parametersBasis: "computed" | "given" | "from weightsGib";
  /** What a reader of the figures has to know. */
  readonly notes: readonly string[];
}

export type HubModelResult = HubModel | Unsupported;
