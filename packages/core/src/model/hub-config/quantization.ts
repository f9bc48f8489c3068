import type { Precision } from "@capstan/catalog";
import type { ConfigReader } from "./reader.ts";

export interface Quantization {
  /** null: the file says it is quantised, but not in a way that is known here. */
  readonly precision: Precision | null;
  /** As the file has it. */
  readonly method: string;
  readonly why: string;
}

/** Precision of the weights by `quantization_config`; null: the checkpoint is not quantised. */
export function quantization(config: ConfigReader): Quantization | null {
  const section = config.section("quantization_config", "compression_config");
  if (section === null) return null;
  const unnamed = section.has("quant_algo")
    ? "modelopt"
    : section.has("config_groups")
      ? "compressed-tensors"
      : "unnamed";
  const method = (section.text("quant_method") ?? unnamed).toLowerCase();
  const found = (precision: Precision | null, why: string): Quantization => ({ precision, method, why });
  const bits = section.amountOr(0, "bits", "w_bit");
  switch (method) {
    case "fp8":
    case "fbgemm_fp8":
      return found("fp8", "quant_method fp8");
    case "mxfp4":
      return found("mxfp4", "quant_method mxfp4");
    case "awq":
      return bits === 4 || bits === 0 ? found("awq", "AWQ, 4 bits") : found(null, `AWQ of ${bits} bits`);
    case "gptq":
    case "auto-round":
    case "auto_round":
      if (bits === 8) return found("int8", "GPTQ, 8 bits");
      return bits === 4 ? found("gptq", "GPTQ, 4 bits") : found(null, `GPTQ of ${bits} bits`);
    case "bitsandbytes":
      if (section.flag(false, "load_in_4bit", "_load_in_4bit")) return found("bnb-4bit", "bitsandbytes, 4 bits");
      if (section.flag(false, "load_in_8bit", "_load_in_8bit")) return found("int8", "bitsandbytes, 8 bits");
      return found(null, "bitsandbytes with neither load_in_4bit nor load_in_8bit");
    case "compressed-tensors":
      return { ...compressedTensors(section), method };
    case "modelopt":
    case "modelopt_fp4":
      return { ...modelOpt(section), method };
    default:
      return found(null, `quant_method ${method}`);
  }
}

/** Each group of layers states the form of its weights. */
function compressedTensors(section: ConfigReader): Pick<Quantization, "precision" | "why"> {
  const groups = section.section("config_groups")?.sections() ?? [];
  const weights = groups.flatMap((group) => group.section("weights") ?? []);
  if (weights.length === 0) return { precision: null, why: "compressed-tensors without config_groups" };
  const found = weights.map((each) => ({
    precision: precisionOf(each.text("type") ?? "int", each.amountOr(0, "num_bits")),
    why: `${each.text("type") ?? "int"} of ${each.amountOr(0, "num_bits")} bits`,
  }));
  const why = `compressed-tensors, ${[...new Set(found.map((each) => each.why))].join(" and ")}`;
  const precisions = new Set(found.map((each) => each.precision));
  return { precision: precisions.size === 1 ? (found[0]?.precision ?? null) : null, why };
}

function precisionOf(type: string, bits: number): Precision | null {
  if (type === "float") return bits === 8 ? "fp8" : bits === 4 ? "nvfp4" : null;
  return bits === 8 ? "int8" : bits === 4 ? "w4a16" : null;
}

function modelOpt(section: ConfigReader): Pick<Quantization, "precision" | "why"> {
  const algorithm = (
    section.text("quant_algo") ??
    section.section("quantization")?.text("quant_algo") ??
    ""
  ).toUpperCase();
  const why = `ModelOpt ${algorithm || "without quant_algo"}`;
  if (algorithm.includes("FP4")) return { precision: "nvfp4", why };
  return { precision: algorithm.startsWith("FP8") ? "fp8" : null, why };
}
