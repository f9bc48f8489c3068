import { findArtefacts, type Precision } from "@capstan/catalog";
import { hub } from "../../model/source.ts";
import type { ResolvedVllm } from "../../service/resolved.ts";
import { type Hit, vllmRule } from "../rule.ts";
import { argumentsOf } from "./argument.ts";
import { a10g, COMMIT, h100, LLAMA_1B, LLAMA_70B, l4, llama8b, t4 } from "./example-services.ts";
import { capabilityNumber, computeCapability, sinceMinor } from "./subject.ts";

/** Ampere: bfloat16 arithmetic, and the Marlin kernels that unpack 8- and 4-bit floats. */
const AMPERE = 8;
/** Formats that no kernel reads on a GPU before Ampere. */
const FLOAT_FORMATS: readonly Precision[] = ["fp8", "nvfp4", "mxfp4"];
/** Where the GPU multiplies in the format itself, for models that the catalog has no artefact of. */
const NATIVE_FROM: Readonly<Partial<Record<Precision, number>>> = { fp8: 8.9, nvfp4: 10 };

/** FIT-07 */
export const bfloat16Unsupported = vllmRule({
  id: "vllm.dtype.bfloat16-unsupported",
  severity: "error",
  reason: "GPUs before Ampere have no bfloat16.",
  reference: "vLLM platforms/cuda.py, check_if_supports_dtype; case FIT-07",
  check: (service) => {
    const capability = computeCapability(service);
    if (capability === null || capability >= AMPERE) return [];
    const asked = service.dtype === "bfloat16" || (service.dtype === "auto" && service.precision === "bf16");
    return asked
      ? [
          {
            at: "dtype",
            message: `${service.slot.gpu.toUpperCase()} (compute capability ${capability.toFixed(1)}) has no bfloat16, which is the type of ${service.model.id}`,
            remedy: 'write dtype: "float16", or take a pool with L4 (g6) or newer',
          },
        ]
      : [];
  },
  examples: {
    bad: [
      { title: "T4, the checkpoint's own type", declare: () => llama8b({ model: LLAMA_1B, pool: t4 }), at: "dtype" },
      { title: "T4, asked for", declare: () => llama8b({ model: LLAMA_1B, pool: t4, dtype: "bfloat16" }), at: "dtype" },
    ],
    good: [
      { title: "float16 on a T4", declare: () => llama8b({ model: LLAMA_1B, pool: t4, dtype: "float16" }) },
      { title: "L4", declare: () => llama8b({ pool: l4 }) },
    ],
  },
});

/** FIT-07 */
export const precisionRefused = vllmRule({
  id: "vllm.precision.gpu-too-old",
  severity: "error",
  reason: "No kernel of the engine reads 8- and 4-bit floats on a GPU before Ampere.",
  reference: "vLLM docs/features/quantization; case FIT-07",
  check: (service) => {
    const capability = computeCapability(service);
    if (capability === null || capability >= AMPERE || !FLOAT_FORMATS.includes(service.precision)) return [];
    const others = findArtefacts({ model: service.model.id, engine: "vllm" })
      .filter((a) => (capabilityNumber(a.minComputeCapability) ?? 99) <= capability)
      .map((a) => a.precision);
    return [
      {
        at: "precision",
        message: `${service.precision} weights need compute capability ${AMPERE}.0, the ${service.slot.gpu.toUpperCase()} has ${capability.toFixed(1)}`,
        remedy:
          others.length > 0
            ? `use precision "${others[0]}", or a pool with L4 (g6) or newer`
            : "take a pool with L4 (g6) or newer",
      },
    ];
  },
  examples: {
    bad: [
      {
        title: "FP8 on a T4",
        declare: () => llama8b({ pool: t4, precision: "fp8", dtype: "float16" }),
        at: "precision",
      },
    ],
    good: [
      { title: "AWQ on a T4", declare: () => llama8b({ pool: t4, precision: "awq", dtype: "float16" }) },
      { title: "FP8 on an L4", declare: () => llama8b({ pool: l4, precision: "fp8" }) },
    ],
  },
});

/** FIT-07 */
export const weightOnly = vllmRule({
  id: "vllm.precision.weight-only",
  severity: "warning",
  reason:
    "Without tensor cores for the format the engine stores weights in it and computes in 16 bits: memory is saved, time is not.",
  reference: "vLLM FP8 and FP4 Marlin kernels; case FIT-07",
  check: (service) => {
    const capability = computeCapability(service);
    const native = nativeFrom(service);
    if (capability === null || native === null || capability >= native) return [];
    if (capability < AMPERE && FLOAT_FORMATS.includes(service.precision)) return [];
    return [
      {
        at: "precision",
        message: `${service.precision} is fast from compute capability ${native.toFixed(1)}; the ${service.slot.gpu.toUpperCase()} has ${capability.toFixed(1)}, so only the weights are ${service.precision}`,
        remedy: "keep it for the memory, or take a newer GPU for the speed",
      },
    ];
  },
  examples: {
    bad: [
      { title: "FP8 on an A10G", declare: () => llama8b({ pool: a10g, precision: "fp8" }), at: "precision" },
      {
        title: "NVFP4 on an H100",
        declare: () => llama8b({ model: "meta-llama/Llama-3.3-70B-Instruct", pool: h100, precision: "nvfp4" }),
        at: "precision",
      },
    ],
    good: [
      { title: "FP8 on an L4", declare: () => llama8b({ pool: l4, precision: "fp8" }) },
      {
        title: "FP8 on an H100",
        declare: () => llama8b({ model: LLAMA_70B, pool: h100, precision: "fp8", maxModelLen: 2048 }),
      },
    ],
  },
});

/** Compute capability of the fast path: of the artefact that is served, else of the format. */
function nativeFrom({ model, precision }: ResolvedVllm): number | null {
  const published = findArtefacts({ model: model.id, engine: "vllm", precision });
  const artefact = published.find((a) => a.repository === model.repository) ?? published[0];
  // 16-bit weights have no second way to be computed; `vllm.dtype.bfloat16-unsupported` speaks of them.
  if (precision === "bf16" || precision === "fp16" || precision === "fp32") return null;
  return capabilityNumber(artefact?.minComputeCapability) ?? NATIVE_FROM[precision] ?? null;
}

/** Formats that left the engine's own code: first minor version without them. */
const LEFT: ReadonlyMap<string, { readonly in: string; readonly plugin: string }> = new Map(
  Object.entries({
    gguf: { in: "0.24", plugin: "a GGUF plug-in" },
    bitsandbytes: { in: "0.28", plugin: "a bitsandbytes plug-in" },
  }),
);

/** FIT-07 */
export const notInImage = vllmRule({
  id: "vllm.quantization.not-in-image",
  severity: "error",
  reason: "GGUF and bitsandbytes are plug-ins now, and the released image has neither.",
  reference: "vLLM release notes 0.24 and 0.28",
  check: (service) => {
    const hits: Hit[] = [];
    const say = (format: string, at: string): void => {
      const left = LEFT.get(format);
      if (left && sinceMinor(service, left.in))
        hits.push({
          at,
          message: `${format} is not in vLLM since ${left.in}; engineVersion is ${service.engineVersion}`,
          remedy: `use another precision (awq, gptq, fp8), or an image of your own with ${left.plugin} and acknowledge this rule`,
        });
    };
    if (service.precision === "bnb-4bit") say("bitsandbytes", "precision");
    for (const { at, name, value } of argumentsOf(service)) {
      if ((name === "--quantization" || name === "--load-format") && value !== null) say(value, at);
    }
    return hits;
  },
  examples: {
    bad: [
      {
        title: "bitsandbytes checkpoint",
        declare: () =>
          llama8b({ precision: "bnb-4bit", source: hub({ repository: "acme/llama-8b-bnb", revision: COMMIT }) }),
        at: "precision",
      },
      {
        title: "quantised while loading",
        declare: () => llama8b({ extraArgs: ["--quantization=bitsandbytes"] }),
        at: "extraArgs.0",
      },
      {
        title: "GGUF",
        declare: () => llama8b({ engineVersion: "0.24.0", extraArgs: ["--load-format=gguf"] }),
        at: "extraArgs.0",
      },
    ],
    good: [
      {
        title: "while it was there",
        declare: () => llama8b({ engineVersion: "0.27.1", extraArgs: ["--quantization=bitsandbytes"] }),
      },
    ],
  },
});
