import type { DecoderShape, WindowShape } from "../decoder.ts";
import type { ConfigReader } from "../reader.ts";

/** How the files of one architecture of text decoders are read. */
export interface Family {
  readonly read: (config: ConfigReader) => DecoderShape;
  /** @default - `layer_types`, else one window for all layers */
  readonly windows?: (config: ConfigReader, layers: number, maxPositions: number) => WindowShape;
  /** Context of files that do not state it. @default - vLLM's 2048 */
  readonly maxPositions?: number;
  /**
   * The publishers' own repositories bring modelling code (`auto_map`) although engines have an implementation of that
   * very architecture. Elsewhere `auto_map` means code that nobody here has read. A string: the class in that code, where
   * it is not called like the architecture.
   */
  readonly shipsCode?: true | string;
}

export type Families = Readonly<Record<string, Family>>;

/** A text decoder with a tower for images before it. */
export interface MultimodalFamily {
  /** Section of the text model; null: its fields stand at the top. */
  readonly text: string | null;
  /** Architecture of the text model where the section names none. */
  readonly textArchitecture: string | null;
  /** Parameters of tower and projector; null: their architecture is not read here, so the total has to be given. */
  readonly tower: ((config: ConfigReader, textHidden: number) => number) | null;
  readonly shipsCode?: true;
}

/** An encoder: no KV cache, every parameter used for every token. */
export interface EncoderShape {
  readonly attention: "encoder" | "encoder-decoder";
  readonly layers: number;
  readonly hidden: number;
  readonly heads: number;
  readonly width: number;
  readonly vocab: number;
  readonly maxPositions: number;
  readonly tied: boolean;
  readonly total: number;
}

export type EncoderFamily = (config: ConfigReader) => EncoderShape;

/** The biases that a file asks for by one flag or another. */
export function flaggedBiases(config: ConfigReader) {
  const attention = config.flag(false, "attention_bias", "qkv_bias", "bias", "use_bias");
  return { qkv: attention, output: attention, mlp: config.flag(false, "mlp_bias"), head: false };
}
