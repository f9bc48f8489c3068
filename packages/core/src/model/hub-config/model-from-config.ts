import type { ModelFacts, Precision } from "@capstan/catalog";
import { nearest } from "@capstan/catalog";
import type { Unsupported } from "../../plan/memory/index.ts";
import { isQuantised } from "../../plan/memory/precision.ts";
import { GIB } from "../../plan/memory/units.ts";
import type { DecoderShape, ParameterCount } from "./decoder.ts";
import { countOf, decoderFacts, encoderFacts, type Identity, parametersOfBytes } from "./facts.ts";
import { encoderFamilies } from "./families/encoders.ts";
import type { EncoderShape, Family, MultimodalFamily } from "./families/family.ts";
import { multimodalFamilies } from "./families/multimodal.ts";
import { maxPositions } from "./max-length.ts";
import { quantization } from "./quantization.ts";
import { ConfigReader, isRecord } from "./reader.ts";
import { refusal } from "./refusals.ts";
import { architectureOfType, decoderFamilies, entry, knownArchitectures } from "./registry.ts";
import { remoteCode } from "./remote-code.ts";
import type { HubModel, HubModelOptions, HubModelResult } from "./types.ts";
import { windows } from "./windows.ts";

/**
 * Facts of a model from its Hugging Face `config.json`. An architecture that is not known, code of the repository's own,
 * and kinds of layers that the memory model does not have are refused with the reason: nothing is guessed.
 */
export function modelFromConfig(config: unknown, options: HubModelOptions): HubModelResult {
  if (!isRecord(config)) return refuse("a model's config.json is a JSON object with the fields of the architecture");
  const reader = new ConfigReader(config);
  const architecture = architectureOf(reader);
  if (architecture === null) {
    return refuse(
      'architectures is missing: add "architectures": ["LlamaForCausalLM"], or whatever class the model is',
    );
  }
  const reason = refusal(architecture, reader) ?? remoteCode(architecture, config);
  if (reason !== null) return refuse(reason);
  const encoder = entry(encoderFamilies, architecture);
  const multimodal = entry(multimodalFamilies, architecture);
  const plain = entry(decoderFamilies, architecture);
  if (encoder !== undefined) return encoderModel(reader, architecture, encoder(reader), options);
  if (multimodal !== undefined) return multimodalModel(reader, architecture, multimodal, options);
  if (plain !== undefined) return decoderModel(reader, reader, architecture, plain, 0, options);
  return refuse(unknown(architecture));
}

function architectureOf(reader: ConfigReader): string | null {
  const named = reader.list("architectures")?.[0];
  return typeof named === "string" ? named : architectureOfType(reader.text("model_type"));
}

function unknown(architecture: string): string {
  const near = nearest(architecture, knownArchitectures);
  return `the architecture "${architecture}" is not known, so neither is its attention${near === undefined ? "" : `; the nearest known one is ${near}`}. ${knownArchitectures.length} are known; where the model has the tensors of one of them, name that one in "architectures"`;
}

function multimodalModel(
  reader: ConfigReader,
  architecture: string,
  family: MultimodalFamily,
  options: HubModelOptions,
): HubModelResult {
  // The first Qwen2-VL files have the fields of the text model at the top.
  const nested = family.text === null ? null : reader.section(family.text);
  const text = (nested ?? reader).withDefaults(reader, [
    "tie_word_embeddings",
    "torch_dtype",
    "dtype",
    "quantization_config",
  ]);
  const named = nested?.list("architectures")?.[0];
  const inner =
    family.textArchitecture ?? (typeof named === "string" ? named : architectureOfType(text.text("model_type")));
  const textFamily = inner === null ? undefined : entry(decoderFamilies, inner);
  if (inner === null || textFamily === undefined) {
    return refuse(
      `${architecture} has a text model of its own (${family.text ?? "config"}.model_type "${text.text("model_type") ?? "missing"}") that is not known; known text models are ${Object.keys(decoderFamilies).length} architectures`,
    );
  }
  const refused = refusal(inner, text);
  if (refused !== null) return refuse(refused);
  // A total that was given has the tower in it, so a file without its sizes will do.
  const given = options.parameters ?? options.weightsGib;
  if (family.tower === null || given !== undefined) {
    return decoderModel(reader, text, architecture, textFamily, null, options);
  }
  const hidden = textFamily.read(text.silent()).hidden;
  return decoderModel(reader, text, architecture, textFamily, family.tower(reader, hidden), options);
}

/** `tower`: parameters outside the decoder; null: not read, so the total has to be given. */
function decoderModel(
  reader: ConfigReader,
  text: ConfigReader,
  architecture: string,
  family: Family,
  tower: number | null,
  options: HubModelOptions,
): HubModelResult {
  const shape = family.read(text);
  const longest = maxPositions(text, text.text("model_type") ?? "", family.maxPositions);
  const window = (family.windows ?? windows)(text, shape.layers, longest);
  const identity = identityOf(reader, text, architecture, options, shape);
  return finish(reader, identity, options, {
    computed: tower === null ? null : countOf(shape, tower),
    known: countOf(shape, 0),
    missing: `the vision tower of ${architecture} is not read here`,
    facts: (parameters) => decoderFacts(identity, { shape, maxPositions: longest, parameters, ...window }),
  });
}

function encoderModel(
  reader: ConfigReader,
  architecture: string,
  shape: EncoderShape,
  options: HubModelOptions,
): HubModelResult {
  const identity = identityOf(reader, reader, architecture, options, null);
  const embedding = shape.vocab * shape.hidden;
  const count: ParameterCount = { total: shape.total, active: shape.total, embedding, lmHead: 0 };
  return finish(reader, identity, options, {
    computed: count,
    known: count,
    missing: "",
    facts: ({ total }) => encoderFacts(identity, shape, total),
  });
}

interface Counted {
  readonly computed: ParameterCount | null;
  /** Without what cannot be counted. */
  readonly known: ParameterCount;
  readonly missing: string;
  readonly facts: (parameters: ParameterCount) => ModelFacts;
}

function finish(
  reader: ConfigReader,
  identity: Identity & { readonly notes: readonly string[] },
  options: HubModelOptions,
  counted: Counted,
): HubModelResult {
  if (reader.problems.length > 0) {
    return refuse(`config.json of "${options.id}": ${[...new Set(reader.problems)].join("; ")}`);
  }
  const given = givenTotal(identity, options, counted.known);
  const total = given?.total ?? counted.computed?.total;
  if (total === undefined) {
    return refuse(
      `the number of parameters of "${options.id}" cannot be computed: ${counted.missing}; give --parameters N or --weights-gib X`,
    );
  }
  const outside = counted.known.embedding + counted.known.lmHead;
  if (total <= outside) {
    return refuse(`${total} parameters are fewer than the ${outside} of the embedding and output head alone`);
  }
  const beside = total - (counted.computed ?? counted.known).total;
  const parameters = { ...counted.known, total, active: (counted.computed ?? counted.known).active + beside };
  return {
    supported: true,
    facts: counted.facts({ ...parameters, active: Math.max(1, Math.min(total, parameters.active)) }),
    precision: identity.precision,
    parametersBasis: given?.basis ?? "computed",
    notes: identity.notes,
  };
}

function givenTotal(
  identity: Identity,
  options: HubModelOptions,
  known: ParameterCount,
): { readonly total: number; readonly basis: HubModel["parametersBasis"] } | null {
  if (options.parameters !== undefined) return { total: Math.round(options.parameters), basis: "given" };
  if (options.weightsGib === undefined) return null;
  return { total: parametersOfBytes(identity, options.weightsGib * GIB, known), basis: "from weightsGib" };
}

function identityOf(
  reader: ConfigReader,
  text: ConfigReader,
  architecture: string,
  { id, precision: served }: HubModelOptions,
  shape: DecoderShape | null,
): Identity & { readonly notes: readonly string[] } {
  const dtype = dtypeOf(reader.text("torch_dtype", "dtype") ?? text.text("torch_dtype", "dtype"));
  const stored = quantization(reader) ?? quantization(text);
  if (served === undefined && stored !== null && stored.precision === null) {
    reader.refuse(
      `the size of ${stored.why} (quantization_config) is not known; give the precision with --quantization, or the size with --weights-gib and --quantization`,
    );
  }
  const precision = served ?? stored?.precision ?? plainPrecision(dtype);
  const partly = precision === "w4a16" && shape !== null && shape.mixture !== null;
  return {
    id,
    architecture,
    dtype,
    precision,
    quantized: isQuantised(precision),
    notes: partly
      ? ["counted as if every linear layer were quantised; those that quantization_config ignores add to it"]
      : [],
  };
}

/** Files without a type are of models that were trained and saved in bfloat16 or are loaded in 16 bits anyway. */
function dtypeOf(name: string | null): ModelFacts["dtype"] {
  if (name === "float16" || name === "half") return "float16";
  return name === "float32" || name === "float" ? "float32" : "bfloat16";
}

function plainPrecision(dtype: ModelFacts["dtype"]): Precision {
  return dtype === "float16" ? "fp16" : dtype === "float32" ? "fp32" : "bf16";
}

function refuse(reason: string): Unsupported {
  return { supported: false, reason };
}
