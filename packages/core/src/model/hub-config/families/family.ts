import type { DecoderShape, WindowShape } from "../decoder.ts";
import type { ConfigReader } from "../reader.ts";

/** How the files of one architecture are read. */
export interface Family {
  readonly read: (config: ConfigReader) => DecoderShape;
  /** @default - `layer_types`, else one window for all layers */
  readonly windows?: (config: ConfigReader, layers: number, maxPositions: number) => WindowShape;
  /**
   * The publishers' own repositories bring modelling code (`auto_map`) although engines have an implementation of that
   * very architecture. Elsewhere `auto_map` means code that nobody here has read.
   */
  readonly shipsCode?: true;
}

export type Families = Readonly<Record<string, Family>>;

/** The biases that a file asks for by one flag or another. */
export function flaggedBiases(config: ConfigReader) {
  const attention = config.flag(false, "attention_bias", "qkv_bias", "bias", "use_bias");
  return { qkv: attention, output: attention, mlp: config.flag(false, "mlp_bias"), head: false };
}
