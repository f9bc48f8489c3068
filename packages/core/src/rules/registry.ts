import * as cpuPool from "./pool/cpu.ts";
import * as gpuSharing from "./pool/gpu-sharing.ts";
import * as node from "./pool/node.ts";
import * as onnxAmx from "./onnx/amx.ts";
import * as onnxArtefact from "./onnx/artefact.ts";
import * as onnxCache from "./onnx/cache.ts";
import * as onnxCores from "./onnx/cores.ts";
import * as onnxCustom from "./onnx/custom.ts";
import * as onnxEngine from "./onnx/engine.ts";
import * as onnxEnvironment from "./onnx/environment.ts";
import * as onnxMemory from "./onnx/memory.ts";
import type { ManifestRule, OnnxRule, PlatformRule, PoolRule, Rule, ServiceRule, VllmRule } from "./rule.ts";

/** Every rule: a new one is an export of a file that is listed here. */
const files: readonly Record<string, Rule>[] = [
  node,
  gpuSharing,
  cpuPool,
  onnxCores,
  onnxAmx,
  onnxMemory,
  onnxEngine,
  onnxCustom,
  onnxArtefact,
  onnxEnvironment,
  onnxCache,
];

export const rules: readonly Rule[] = files.flatMap((file) => Object.values(file));

export const poolRules = rules.filter((r): r is PoolRule => r.subject === "pool");
export const vllmRules = rules.filter((r): r is VllmRule => r.subject === "vllm");
export const onnxRules = rules.filter((r): r is OnnxRule => r.subject === "onnx");
export const serviceRules = rules.filter((r): r is ServiceRule => r.subject === "service");
export const platformRules = rules.filter((r): r is PlatformRule => r.subject === "platform");
export const manifestRules = rules.filter((r): r is ManifestRule => r.subject === "manifest");
