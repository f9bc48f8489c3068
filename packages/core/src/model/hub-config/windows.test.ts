import { expect, test } from "vitest";
import { ConfigReader } from "./reader.ts";
import { windows } from "./windows.ts";

const at = (fields: Record<string, unknown>, layers = 4, positions = 32_768) => {
  const config = new ConfigReader(fields);
  return { ...windows(config, layers, positions), problems: config.problems };
};

test("one window holds for all layers, unless it is switched off or as long as the context", () => {
  expect(at({ sliding_window: 4096 })).toMatchObject({ slidingWindow: 4096, layerTypes: null });
  expect(at({ sliding_window: 4096, use_sliding_window: false })).toMatchObject({ slidingWindow: null });
  expect(at({ sliding_window: 32_768 })).toMatchObject({ slidingWindow: null });
  expect(at({ sliding_window: null })).toMatchObject({ slidingWindow: null });
});

test("max_window_layers counts the full layers at the start", () => {
  const found = at({ sliding_window: 4096, use_sliding_window: true, max_window_layers: 3 });
  expect(found.layerTypes).toEqual(["full", "full", "full", "sliding"]);
});

test("a list of layers wins, and full layers alone need no window", () => {
  const types = ["sliding_attention", "full_attention", "sliding_attention", "full_attention"];
  expect(at({ sliding_window: 128, layer_types: types }).layerTypes).toEqual(["sliding", "full", "sliding", "full"]);
  expect(at({ layer_types: Array(4).fill("full_attention") })).toMatchObject({ slidingWindow: null, layerTypes: null });
});

test("what the list does not say clearly is a problem", () => {
  expect(
    at({ layer_types: ["linear_attention", "full_attention", "full_attention", "full_attention"] }).problems,
  ).toEqual([
    'layer_types[0] is "linear_attention", a kind of layer whose memory is not modelled; known are full_attention, attention, sliding_attention, chunked_attention',
  ]);
  expect(at({ layer_types: ["sliding_attention"], sliding_window: 8 }, 2).problems).toEqual([
    "layer_types names 1 layers, num_hidden_layers says 2",
  ]);
  expect(at({ layer_types: ["sliding_attention"] }, 1).problems).toEqual([
    "layer_types has windowed layers, but sliding_window is missing",
  ]);
});
