import { findArtefacts, type ModelFacts, type Precision } from "@capstan/catalog";

/** What the model's own checkpoint is in. */
export function nativePrecision(facts: ModelFacts | null): Precision {
  switch (facts?.nativeQuantization) {
    case "mxfp4":
      return "mxfp4";
    case "fp8":
      return "fp8";
    default:
      break;
  }
  switch (facts?.dtype) {
    case "float16":
      return "fp16";
    case "float32":
      return "fp32";
    default:
      return "bf16";
  }
}

/** The first of the wanted precisions that somebody has published, else the first. */
export function publishedPrecision(
  model: string,
  engine: "ovms" | "triton" | "tei",
  wanted: readonly [Precision, ...Precision[]],
): Precision {
  return wanted.find((precision) => findArtefacts({ model, engine, precision }).length > 0) ?? wanted[0];
}
