import { findModel } from "@capstan/catalog";
import { customModel } from "../../model/model.ts";
import { s3 } from "../../model/source.ts";
import { describeUnsupported, parseEngineVersion } from "../../plan/memory/index.ts";
import { vllmMemoryInput } from "../../service/vllm-fit.ts";
import { impossibleFacts } from "../../service/vllm-model-facts.ts";
import { show } from "../../shape.ts";
import { vllmRule } from "../rule.ts";
import { LLAMA_8B, llama8b, unchecked } from "./example-services.ts";

const chat9b = s3("models-bucket/chat-9b");

/** FIT-04: refused, never guessed. */
export const unsupportedModel = vllmRule({
  id: "vllm.fit.unsupported",
  severity: "error",
  reason: "The memory model does not cover this architecture or version, and a guess would cost a GPU node.",
  reference: "DESIGN section 5: fit never guesses",
  check: (service) => {
    const input = vllmMemoryInput(service);
    // An inexact version has a rule of its own.
    if (
      service.memory === null ||
      service.memory.supported ||
      input === null ||
      parseEngineVersion(input.version) === null
    )
      return [];
    // With every number at its plainest, what is left is the model or the version; numbers have rules of their own.
    const plain = describeUnsupported({
      model: input.model,
      version: input.version,
      device: { ...input.device, gpusPerReplica: 1 },
      precision: input.precision,
      kvCacheDtype: "auto",
      tensorParallel: 1,
      pipelineParallel: 1,
    });
    if (plain === null) return [];
    const encoder = input.model.attention === "encoder" || !input.model.generative;
    return [
      {
        at: "model",
        message: `no memory check: ${plain.reason}`,
        remedy: encoder
          ? "declare it with onnx(), or acknowledge this rule"
          : "try it on a node first, and acknowledge this rule with what you saw",
      },
    ];
  },
  examples: {
    bad: [
      { title: "cross attention", declare: () => llama8b({ model: "openai/whisper-large-v3" }), at: "model" },
      { title: "embedding model", declare: () => llama8b({ model: "BAAI/bge-m3" }), at: "model" },
    ],
    good: [{ title: "decoder", declare: () => llama8b({}) }],
  },
});

export const impossibleModel = vllmRule({
  id: "vllm.model.facts-invalid",
  severity: "error",
  acknowledgeable: false,
  reason: "Memory, parallelism and speed are counted from these numbers; one that cannot be makes all of them wrong.",
  reference: "config.json of the model",
  check: ({ model }) =>
    model.facts
      ? impossibleFacts(model.facts).map(({ path, value }) => ({
          at: `model.facts.${path}`,
          message: `${path} is ${value === undefined ? "missing" : show(value)}; valid is a whole number, as config.json has it`,
          remedy: "copy the number from the model's config.json",
        }))
      : [],
  examples: {
    bad: [
      {
        title: "no layer",
        declare: () => llama8b({ model: custom({ layers: 0 }), source: chat9b }),
        at: "model.facts.layers",
      },
      {
        title: "half a head",
        declare: () => llama8b({ model: custom({ kvHeads: 0.5 }), source: chat9b }),
        at: "model.facts.kvHeads",
      },
      {
        title: "left out",
        declare: () => llama8b({ model: custom({ parameters: unchecked({}) }), source: chat9b }),
        at: "model.facts.parameters.total",
      },
    ],
    good: [{ title: "as published", declare: () => llama8b({ model: custom({}), source: chat9b }) }],
  },
});

function custom(facts: Partial<NonNullable<ReturnType<typeof findModel>>>) {
  return customModel({ id: "acme/chat-9b", weightsBytes: 18e9, facts: { ...findModel(LLAMA_8B)!, ...facts } });
}
