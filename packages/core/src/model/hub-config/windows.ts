import type { WindowShape } from "./decoder.ts";
import type { ConfigReader } from "./reader.ts";

type LayerType = "full" | "sliding" | "chunked";

/** What files call the kinds of attention that keep a paged KV cache. */
const kinds: Readonly<Record<string, LayerType>> = {
  full_attention: "full",
  attention: "full",
  sliding_attention: "sliding",
  chunked_attention: "chunked",
};

const noWindow: WindowShape = { slidingWindow: null, layerTypes: null };

/**
 * The window that engines apply: by `layer_types` where the file has them, else one window for all layers, unless the
 * file switches it off. A window as long as the model's context limits nothing.
 */
export function windows(config: ConfigReader, layers: number, maxPositions: number): WindowShape {
  const listed = listedTypes(config, layers);
  if (!config.flag(true, "use_sliding_window")) return noWindow;
  const window = windowOf(config);
  if (listed !== null) return withTypes(listed, window, config);
  if (window === null || window >= maxPositions) return noWindow;
  if (config.has("use_sliding_window") && config.has("max_window_layers")) {
    const first = config.amountOr(layers, "max_window_layers");
    return withTypes(
      Array.from({ length: layers }, (_, layer) => (layer >= first ? "sliding" : "full")),
      window,
      config,
    );
  }
  return { slidingWindow: window, layerTypes: null };
}

/** Windowed layers by their place, where the family's code fixes the pattern and the file has no list. */
export function patternWindows(
  config: ConfigReader,
  layers: number,
  window: number | null,
  typeOf: (layer: number) => LayerType,
): WindowShape {
  const types = listedTypes(config, layers) ?? Array.from({ length: layers }, (_, layer) => typeOf(layer));
  return withTypes(types, window, config);
}

export function windowOf(config: ConfigReader, fallback: number | null = null): number | null {
  const found = config.amountOr(0, "sliding_window", "sliding_window_size", "attention_chunk_size");
  return found > 0 ? found : fallback;
}

function withTypes(types: readonly LayerType[], window: number | null, config: ConfigReader): WindowShape {
  if (types.every((type) => type === "full")) return noWindow;
  if (window === null) config.refuse("layer_types has windowed layers, but sliding_window is missing");
  return { slidingWindow: window, layerTypes: types };
}

function listedTypes(config: ConfigReader, layers: number): readonly LayerType[] | null {
  const listed = config.list("layer_types");
  if (listed === null) return null;
  const types = listed.map((name) =>
    typeof name === "string" && Object.hasOwn(kinds, name) ? kinds[name] : undefined,
  );
  const unknown = types.indexOf(undefined);
  if (unknown >= 0) {
    config.refuse(
      `layer_types[${unknown}] is ${JSON.stringify(listed[unknown])}, a kind of layer whose memory is not modelled; known are ${Object.keys(kinds).join(", ")}`,
    );
  }
  if (listed.length !== layers)
    config.refuse(`layer_types names ${listed.length} layers, num_hidden_layers says ${layers}`);
  return types.map((type) => type ?? "full");
}
