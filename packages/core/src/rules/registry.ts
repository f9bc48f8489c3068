import * as manifestGpuAccess from "./manifest-rules/gpu-access.ts";
import * as manifestGpuResources from "./manifest-rules/gpu-resources.ts";
import * as manifestHpa from "./manifest-rules/horizontal-pod-autoscaler.ts";
import * as manifestImages from "./manifest-rules/images.ts";
import * as manifestLabels from "./manifest-rules/labels.ts";
import * as manifestProbes from "./manifest-rules/probes.ts";
import * as manifestRollout from "./manifest-rules/rollout.ts";
import * as manifestScaledObject from "./manifest-rules/scaled-object.ts";
import * as manifestQueries from "./manifest-rules/scaled-object-queries.ts";
import * as manifestScheduling from "./manifest-rules/scheduling.ts";
import * as manifestSecrets from "./manifest-rules/secrets.ts";
import * as manifestSecurity from "./manifest-rules/security.ts";
import * as manifestVllm from "./manifest-rules/vllm.ts";
import * as onnxAmx from "./onnx/amx.ts";
import * as onnxArtefact from "./onnx/artefact.ts";
import * as onnxCache from "./onnx/cache.ts";
import * as onnxCores from "./onnx/cores.ts";
import * as onnxCustom from "./onnx/custom.ts";
import * as onnxEngine from "./onnx/engine.ts";
import * as onnxEnvironment from "./onnx/environment.ts";
import * as onnxMemory from "./onnx/memory.ts";
import * as onnxOvms from "./onnx/ovms.ts";
import * as platformAddons from "./platform/addons.ts";
import * as platformCache from "./platform/cache.ts";
import * as platformCapacity from "./platform/capacity.ts";
import * as platformCost from "./platform/cost.ts";
import * as platformGpuOperator from "./platform/gpu-operator.ts";
import * as platformNames from "./platform/names.ts";
import * as platformProduction from "./platform/production.ts";
import * as platformSharedGpu from "./platform/shared-gpu.ts";
import * as poolCapacity from "./pool/capacity.ts";
import * as cpuPool from "./pool/cpu.ts";
import * as gpuSharing from "./pool/gpu-sharing.ts";
import * as poolHardware from "./pool/hardware.ts";
import * as poolImage from "./pool/image.ts";
import * as poolLabels from "./pool/labels.ts";
import * as poolSize from "./pool/size.ts";
import type { ManifestRule, OnnxRule, PlatformRule, PoolRule, Rule, ServiceRule, VllmRule } from "./rule.ts";
import * as serviceEnvironment from "./service/environment.ts";
import * as serviceImage from "./service/image.ts";
import * as serviceLabels from "./service/labels.ts";
import * as serviceLifecycle from "./service/lifecycle.ts";
import * as serviceNames from "./service/names.ts";
import * as serviceObjective from "./service/objective.ts";
import * as scalingCapacity from "./service/scaling-capacity.ts";
import * as scalingCluster from "./service/scaling-cluster.ts";
import * as scalingHours from "./service/scaling-hours.ts";
import * as scalingQuery from "./service/scaling-query.ts";
import * as scalingRange from "./service/scaling-range.ts";
import * as scalingZero from "./service/scaling-zero.ts";
import * as serviceSource from "./service/source.ts";
import * as serviceTraffic from "./service/traffic.ts";
import * as vllmArgumentValues from "./vllm/argument-values.ts";
import * as vllmArguments from "./vllm/arguments.ts";
import * as vllmCache from "./vllm/cache.ts";
import * as vllmEnvironment from "./vllm/environment.ts";
import * as vllmHost from "./vllm/host.ts";
import * as vllmImage from "./vllm/image.ts";
import * as vllmKvCacheDtype from "./vllm/kv-cache-dtype.ts";
import * as vllmMemoryFit from "./vllm/memory-fit.ts";
import * as vllmModelSupport from "./vllm/model-support.ts";
import * as vllmNotPlanned from "./vllm/not-planned.ts";
import * as vllmNumbers from "./vllm/numbers.ts";
import * as vllmOwnedArguments from "./vllm/owned-arguments.ts";
import * as vllmParallelism from "./vllm/parallelism.ts";
import * as vllmPrecision from "./vllm/precision.ts";
import * as vllmServing from "./vllm/serving.ts";
import * as vllmSharing from "./vllm/sharing.ts";
import * as vllmSource from "./vllm/source.ts";
import * as vllmTokens from "./vllm/tokens.ts";

/** Every rule: a new one is an export of a file that is listed here. */
const files: readonly Record<string, Rule>[] = [
  poolSize,
  poolLabels,
  poolHardware,
  poolCapacity,
  poolImage,
  gpuSharing,
  cpuPool,
  onnxCores,
  onnxAmx,
  onnxMemory,
  onnxEngine,
  onnxOvms,
  onnxCustom,
  onnxArtefact,
  onnxEnvironment,
  onnxCache,
  serviceEnvironment,
  serviceImage,
  serviceLifecycle,
  serviceNames,
  serviceObjective,
  serviceSource,
  serviceLabels,
  scalingCluster,
  scalingCapacity,
  scalingHours,
  scalingQuery,
  scalingRange,
  scalingZero,
  serviceTraffic,
  platformAddons,
  platformGpuOperator,
  platformCapacity,
  platformSharedGpu,
  platformCache,
  platformCost,
  platformNames,
  platformProduction,
  manifestSecrets,
  manifestVllm,
  manifestGpuResources,
  manifestGpuAccess,
  manifestImages,
  manifestLabels,
  manifestProbes,
  manifestRollout,
  manifestScaledObject,
  manifestQueries,
  manifestHpa,
  manifestScheduling,
  manifestSecurity,
  vllmArguments,
  vllmMemoryFit,
  vllmModelSupport,
  vllmNumbers,
  vllmOwnedArguments,
  vllmParallelism,
  vllmCache,
  vllmEnvironment,
  vllmHost,
  vllmImage,
  vllmKvCacheDtype,
  vllmNotPlanned,
  vllmPrecision,
  vllmServing,
  vllmSource,
  vllmArgumentValues,
  vllmTokens,
  vllmSharing,
];

export const rules: readonly Rule[] = files.flatMap((file) => Object.values(file));

export const poolRules = rules.filter((r): r is PoolRule => r.subject === "pool");
export const vllmRules = rules.filter((r): r is VllmRule => r.subject === "vllm");
export const onnxRules = rules.filter((r): r is OnnxRule => r.subject === "onnx");
export const serviceRules = rules.filter((r): r is ServiceRule => r.subject === "service");
export const platformRules = rules.filter((r): r is PlatformRule => r.subject === "platform");
export const manifestRules = rules.filter((r): r is ManifestRule => r.subject === "manifest");
