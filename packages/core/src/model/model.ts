import type { ArtefactModelId, ModelAlias, ModelFacts, ModelId } from "@capstan/catalog";
import { frozenCopy } from "../freeze.ts";

/** A model that the catalog does not know, with the facts that memory and speed depend on. */
export interface CustomModel {
  readonly kind: "custom-model";
  readonly id: string;
  /** Null for a model whose architecture is not needed (an ONNX classifier): memory then comes from `weightsBytes`. */
  readonly facts: ModelFacts | null;
  /** Bytes of the weights as served. */
  readonly weightsBytes: number;
}

export type ModelRef = ModelId | ModelAlias | ArtefactModelId | CustomModel;

export function customModel(model: Omit<CustomModel, "kind" | "facts"> & { readonly facts?: ModelFacts }): CustomModel {
  return frozenCopy({ kind: "custom-model", ...model, facts: model.facts ?? null });
}

export function modelId(model: ModelRef): string {
  return typeof model === "string" ? model : model.id;
}
