import { findVllm, nearest, vllmVersions } from "@capstan/catalog";
import { computeDtype } from "../../plan/memory/precision.ts";
import { vllmRule } from "../rule.ts";
import { a10g, h100, h100Eight, LLAMA_1B, l4, llama8b, t4 } from "./example-services.ts";
import { computeCapability, sinceMinor, usableFacts } from "./subject.ts";

/** FIT-07 */
export const kvDtypeUnknown = vllmRule({
  id: "vllm.kv-cache-dtype.unknown",
  severity: "error",
  acknowledgeable: false,
  reason: "The parser refuses a type that the engine version does not list.",
  reference: "vLLM config/cache.py CacheDType, 0.19 to 0.33",
  check: (service) => {
    const choices = findVllm(service.engineVersion)?.flags.get("--kv-cache-dtype")?.choices;
    const dtype = service.kvCacheDtype;
    if (!choices || choices.includes(dtype)) return [];
    const since = vllmVersions.find((version) =>
      findVllm(version)?.flags.get("--kv-cache-dtype")?.choices?.includes(dtype),
    );
    if (since)
      return [
        {
          at: "kvCacheDtype",
          message: `kvCacheDtype "${dtype}" came with vLLM ${since}; engineVersion is ${service.engineVersion}`,
          remedy: `use engineVersion "${since}" or newer, or "auto"`,
        },
      ];
    const near = nearest(dtype, choices);
    return [
      {
        at: "kvCacheDtype",
        message: `kvCacheDtype "${dtype}" is unknown to vLLM ${service.engineVersion}; valid are ${choices.join(", ")}`,
        remedy: near ? `write "${near}"` : 'leave it out, or write "fp8"',
      },
    ];
  },
  examples: {
    bad: [
      { title: "int8", declare: () => llama8b({ kvCacheDtype: "int8" }), at: "kvCacheDtype" },
      { title: "empty", declare: () => llama8b({ kvCacheDtype: "" }), at: "kvCacheDtype" },
      {
        title: "of a newer version",
        declare: () => llama8b({ kvCacheDtype: "int8_per_token_head", engineVersion: "0.19.1" }),
        at: "kvCacheDtype",
      },
    ],
    good: [
      { title: "fp8", declare: () => llama8b({ kvCacheDtype: "fp8" }) },
      { title: "per token and head", declare: () => llama8b({ kvCacheDtype: "int8_per_token_head" }) },
    ],
  },
});

/** Types by what computes them. */
const NEEDS: readonly { readonly dtypes: RegExp; readonly capability: number; readonly what: string }[] = [
  { dtypes: /^fp8_e5m2$/, capability: 8, what: "Ampere or newer" },
  { dtypes: /^fp8/, capability: 8.9, what: "Ada, Hopper or newer" },
  { dtypes: /^nvfp4/, capability: 10, what: "Blackwell" },
];
const OF_OTHER_VENDORS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    fp8_inc: "Gaudi",
    ultraquant_4bit: "AMD GPUs",
    octave_k3v4: "AMD GPUs",
    octave_k3v3: "AMD GPUs",
    octave_k3v3_compact: "AMD GPUs",
  }),
);

/** FIT-07 */
export const kvDtypeOfGpu = vllmRule({
  id: "vllm.kv-cache-dtype.gpu-unsupported",
  severity: "error",
  reason: "The attention kernels convert these types in hardware that older GPUs do not have.",
  reference: "vLLM docs/features/quantization/quantized_kvcache.md",
  check: (service) => {
    const { kvCacheDtype: dtype, slot } = service;
    const capability = computeCapability(service);
    const card = slot.gpu.toUpperCase();
    const vendor = OF_OTHER_VENDORS.get(dtype);
    if (vendor)
      return [
        {
          at: "kvCacheDtype",
          message: `kvCacheDtype "${dtype}" is for ${vendor}, not for the ${card}`,
          remedy: capability !== null && capability >= 8.9 ? 'write "fp8", or leave it out' : "leave it out",
        },
      ];
    const need = NEEDS.find(({ dtypes }) => dtypes.test(dtype));
    if (!need || capability === null || capability >= need.capability) return [];
    return [
      {
        at: "kvCacheDtype",
        message: `kvCacheDtype "${dtype}" needs ${need.what} (compute capability ${need.capability.toFixed(1)}); the ${card} has ${capability.toFixed(1)}`,
        remedy: capability >= 8.9 ? 'write "fp8", or leave it out' : "leave it out",
      },
    ];
  },
  examples: {
    bad: [
      { title: "FP8 on an A10G", declare: () => llama8b({ pool: a10g, kvCacheDtype: "fp8" }), at: "kvCacheDtype" },
      {
        title: "FP8 on a T4",
        declare: () => llama8b({ model: LLAMA_1B, pool: t4, dtype: "float16", kvCacheDtype: "fp8_e4m3" }),
        at: "kvCacheDtype",
      },
      { title: "NVFP4 on an H100", declare: () => llama8b({ pool: h100, kvCacheDtype: "nvfp4" }), at: "kvCacheDtype" },
      { title: "of another vendor", declare: () => llama8b({ kvCacheDtype: "octave_k3v4" }), at: "kvCacheDtype" },
    ],
    good: [
      { title: "FP8 on an L4", declare: () => llama8b({ pool: l4, kvCacheDtype: "fp8" }) },
      { title: "e5m2 on an A10G", declare: () => llama8b({ pool: a10g, kvCacheDtype: "fp8_e5m2" }) },
    ],
  },
});

export const kvDtypeOfModel = vllmRule({
  id: "vllm.kv-cache-dtype.model-unsupported",
  severity: "error",
  reason: "Latent attention has a cache format of its own, and an explicit 16-bit type has to be the model's.",
  reference: "vLLM 0.33.0 v1/kv_cache_interface.py, config/cache.py",
  check: (service) => {
    const { kvCacheDtype: dtype, model } = service;
    const facts = usableFacts(service);
    if (facts === null) return [];
    const latent = facts.mla !== null;
    const hit = (message: string) => [
      { at: "kvCacheDtype", message, remedy: latent ? 'write "auto" or "fp8"' : 'write "auto"' },
    ];
    if (latent && /^(nvfp4(_4over6)?|turboquant_)/.test(dtype))
      return hit(`kvCacheDtype "${dtype}" is not for the multi-head latent attention of ${model.id}`);
    if (!latent && dtype.endsWith("_ds_mla"))
      return hit(`kvCacheDtype "${dtype}" is for multi-head latent attention, which ${model.id} does not have`);
    const own = service.dtype === "auto" ? computeDtype(facts, service.precision) : service.dtype;
    return sinceMinor(service, "0.33") && (dtype === "float16" || dtype === "bfloat16") && dtype !== own
      ? hit(`kvCacheDtype "${dtype}" is not the model's own ${own}, which vLLM 0.33 refuses`)
      : [];
  },
  examples: {
    bad: [
      {
        title: "NVFP4 with latent attention",
        declare: () =>
          llama8b({ model: "deepseek-ai/DeepSeek-V2-Lite-Chat", pool: h100Eight, gpus: 2, kvCacheDtype: "nvfp4" }),
        at: "kvCacheDtype",
      },
      {
        title: "latent format without it",
        declare: () => llama8b({ pool: h100, kvCacheDtype: "fp8_ds_mla" }),
        at: "kvCacheDtype",
      },
      { title: "the other 16 bits", declare: () => llama8b({ kvCacheDtype: "float16" }), at: "kvCacheDtype" },
    ],
    good: [
      { title: "auto", declare: () => llama8b({ kvCacheDtype: "auto" }) },
      { title: "its own", declare: () => llama8b({ kvCacheDtype: "bfloat16" }) },
    ],
  },
});
