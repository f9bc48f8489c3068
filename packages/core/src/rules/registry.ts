import * as cpuPool from "./pool/cpu.ts";
import * as gpuSharing from "./pool/gpu-sharing.ts";
import * as node from "./pool/node.ts";
import type { ManifestRule, OnnxRule, PlatformRule, PoolRule, Rule, ServiceRule, VllmRule } from "./rule.ts";

/** Every rule: a new one is an export of a file that is listed here. */
const files: readonly Record<string, Rule>[] = [node, gpuSharing, cpuPool];

export const rules: readonly Rule[] = files.flatMap((file) => Object.values(file));

export const poolRules = rules.filter((r): r is PoolRule => r.subject === "pool");
export const vllmRules = rules.filter((r): r is VllmRule => r.subject === "vllm");
export const onnxRules = rules.filter((r): r is OnnxRule => r.subject === "onnx");
export const serviceRules = rules.filter((r): r is ServiceRule => r.subject === "service");
export const platformRules = rules.filter((r): r is PlatformRule => r.subject === "platform");
export const manifestRules = rules.filter((r): r is ManifestRule => r.subject === "manifest");
