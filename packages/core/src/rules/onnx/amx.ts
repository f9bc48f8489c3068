import { onnxRule } from "../rule.ts";
import { amx, bge, classifier, genoa, graviton, phi } from "./examples.ts";

/** CPU-09 */
export const amxMissing = onnxRule({
  id: "cpu.amx.missing",
  severity: "error",
  acknowledgeable: false,
  reason:
    "Only Xeon from Sapphire Rapids on has AMX; on AMD, Graviton and older Xeon the service runs at a fraction of the planned speed.",
  reference: "EC2 processor features; NFD cpu-cpuid.AMXTILE",
  check: ({ amx, pool }) =>
    amx && !pool.cpu.amx
      ? [
          {
            at: "amx",
            message: `pool ${pool.name} (${pool.instanceTypes[0]}) has no AMX`,
            remedy: "use a pool of c7i, m7i, r7i or c8i types, or remove amx",
          },
        ]
      : [],
  examples: {
    bad: [
      { title: "AMD", declare: () => phi({ amx: true, pool: genoa }), at: "amx" },
      { title: "Graviton", declare: () => bge({ amx: true, pool: graviton }), at: "amx" },
    ],
    good: [
      { title: "c7i", declare: () => phi({ amx: true, pool: amx }) },
      { title: "not asked for", declare: () => phi({ pool: genoa }) },
    ],
  },
});

const USED_BY_AMX = ["int8", "int4", "bf16"];

/** CPU-09 */
export const amxIdle = onnxRule({
  id: "cpu.amx.idle",
  severity: "warning",
  reason: "AMX multiplies bfloat16 and int8; a model in another type leaves it idle.",
  reference: "Intel 64 and IA-32 Architectures Software Developer's Manual, AMX",
  check: ({ amx, precision, origins }) =>
    amx && origins.amx?.from === "given" && !USED_BY_AMX.includes(precision)
      ? [
          {
            at: "amx",
            message: `amx is asked for with precision ${precision}, which does not use it`,
            remedy: 'use precision "int8" or "int4" with OpenVINO Model Server, or remove amx',
          },
        ]
      : [],
  examples: {
    bad: [
      { title: "fp32 embeddings", declare: () => bge({ amx: true }), at: "amx" },
      { title: "fp32 classifier", declare: () => classifier({ amx: true, precision: "fp32" }), at: "amx" },
    ],
    good: [
      { title: "int4", declare: () => phi({ amx: true, precision: "int4" }) },
      { title: "fp32, not asked for", declare: () => bge({}) },
    ],
  },
});

/** CPU-09, facts/serving.md D5 */
export const amxInOnnxRuntime = onnxRule({
  id: "cpu.amx.not-in-onnxruntime",
  severity: "info",
  reason:
    "ONNX Runtime's own kernels use AMX for unsigned activations with signed int8 weights only; 4-bit matrix products run on AVX-512, and bfloat16 has no kernel.",
  reference: "microsoft/onnxruntime onnxruntime/core/mlas, release 1.30",
  check: ({ amx, precision, engine }) =>
    amx && engine === "triton" && precision !== "int8" && USED_BY_AMX.includes(precision)
      ? [
          {
            at: "precision",
            message: `${precision} on Triton's ONNX Runtime does not use the AMX of this pool`,
            remedy: 'use engine: "ovms" with an OpenVINO model for AMX, or amx: false to say that AVX-512 is enough',
          },
        ]
      : [],
  examples: {
    bad: [{ title: "int4", declare: () => classifier({ precision: "int4" }), at: "precision" }],
    good: [
      { title: "int8", declare: () => classifier({ precision: "int8" }) },
      { title: "int4 on OpenVINO", declare: () => phi({ precision: "int4" }) },
      { title: "not counted on", declare: () => classifier({ precision: "int4", amx: false }) },
    ],
  },
});
