import type { ConfigReader } from "../reader.ts";

/** Layers with a plain MLP where `decoder_sparse_step` and `mlp_only_layers` say which have experts. */
export function sparseLayers(config: ConfigReader, layers: number): number {
  const step = config.amountOr(1, "decoder_sparse_step");
  const only = new Set(config.list("mlp_only_layers") ?? []);
  let dense = 0;
  for (let layer = 0; layer < layers; layer++) {
    if (only.has(layer) || step === 0 || (layer + 1) % step !== 0) dense += 1;
  }
  return dense;
}
