import { findModel, modelIds } from "@capstan/catalog";
import { expect, test } from "vitest";
import { exactVersion } from "./engine-version.ts";
import { expertShape, weightLayout } from "./layout.ts";
import { model } from "./testing/cases.ts";

test("the parts of every generative model of the catalog sum up to its parameters", () => {
  const decoders = modelIds.flatMap((id) => {
    const found = findModel(id);
    return found?.generative === true && found.attention !== "encoder-decoder" ? [found] : [];
  });
  expect(decoders.length).toBeGreaterThan(40);
  for (const each of decoders) {
    const layout = weightLayout(each);
    const sum =
      each.layers * (layout.attentionPerLayer + layout.mlpPerLayer) +
      layout.experts +
      layout.other +
      layout.norms +
      layout.extras +
      each.parameters.embedding +
      each.parameters.lmHead;
    expect(sum / each.parameters.total, each.id).toBeCloseTo(1, 9);
  }
});

test("an MLP without a gate is seen from the parameters", () => {
  expect(weightLayout(model("microsoft/phi-2")).mlpMatrices).toBe(2);
  expect(weightLayout(model("meta-llama/Llama-3.1-8B-Instruct")).mlpMatrices).toBe(3);
});

test("the vision tower is what the text layers leave", () => {
  // Mistral-Small-3.1 adds the Pixtral encoder, about 0.44 billion parameters, to the text model of 23.57 billion.
  const { extras } = weightLayout(model("mistralai/Mistral-Small-3.1-24B-Instruct-2503"));
  expect(extras).toBe(24011361280 - 23572403200);
});

test("MXFP4 experts are padded by the kernel", () => {
  const gptOss = model("openai/gpt-oss-20b");
  const of = (version: string, tensorParallel: number) =>
    expertShape(gptOss, "mxfp4", tensorParallel, exactVersion(version));
  expect(of("0.19.0", 1)).toEqual({ hidden: 3072, intermediate: 2944 });
  // 2880 / 2 = 1440, padded to 1536.
  expect(of("0.19.0", 2)).toEqual({ hidden: 3072, intermediate: 1536 });
  expect(of("0.11.0", 1)).toEqual({ hidden: 2880, intermediate: 3072 });
  expect(expertShape(gptOss, "bf16", 1, exactVersion("0.19.0"))).toEqual({ hidden: 2880, intermediate: 2880 });
});
