export { type Cache, type ClaimCache, claimCache, type NvmeCache, nvmeCache } from "./cache/props.ts";
export { CACHE_ROOT, MODEL_MOUNT } from "./cache/resolve.ts";
export {
  type CheckedPool,
  type CheckedService,
  poolFindings,
  resolvePool,
  resolveService,
  serviceFindings,
} from "./check.ts";
export {
  DEFAULT_KUBERNETES,
  defaultMonitoring,
  type MonitoringContext,
  type ResolveContext,
  standalone,
} from "./context.ts";
export {
  type Acknowledgements,
  DeclarationError,
  type Finding,
  isBlocking,
  type Severity,
  sortFindings,
  throwOnErrors,
} from "./finding.ts";
export { deepFreeze } from "./freeze.ts";
export {
  DECLARATION_METADATA,
  type DeclaredService,
  JSON_SCHEMA_VERSION,
  type PlatformJson,
  type PoolJson,
  platformToJson,
  poolFromJson,
  poolToJson,
  readVersioned,
  type ServiceJson,
  type ServicesJson,
  servicesToJson,
} from "./json.ts";
export * from "./labels.ts";
export {
  type HubModel,
  type HubModelOptions,
  type HubModelResult,
  knownArchitectures,
  modelFromConfig,
} from "./model/hub-config/index.ts";
export { type CustomModel, customModel, type ModelRef } from "./model/model.ts";
export { type HubSource, hub, type ModelSource, type S3Source, type SecretKey, s3, secretKey } from "./model/source.ts";
export { type ColdStart, coldStart } from "./plan/cold-start.ts";
export type * from "./plan/document.ts";
export * from "./plan/fit/index.ts";
export * from "./plan/memory/index.ts";
export { nodesFor, type PodGroup, podsPerNode } from "./plan/nodes/pack.ts";
export { plan } from "./plan/plan.ts";
export * from "./plan/speed/index.ts";
export { SYSTEM_NAMESPACE } from "./platform/preloaders.ts";
export {
  type AddonMode,
  type ExistingPrometheus,
  existingPrometheus,
  type Kubecost,
  kubecost,
  type PlatformProps,
  type PrometheusStack,
  prometheusStack,
  type Service,
} from "./platform/props.ts";
export { assemblePlatform, type PlatformParts, platform, resolvePlatform } from "./platform/resolve.ts";
export type {
  PreloadedModel,
  ResolvedAddons,
  ResolvedMonitoring,
  ResolvedNamespace,
  ResolvedPlatform,
  ResolvedPreloader,
} from "./platform/resolved.ts";
export { type Capacity, type CapacityKind, capacityBlock, reservation } from "./pool/capacity.ts";
export { cpuPool, existingPool, gpuPool } from "./pool/declare.ts";
export { NODE_AGENTS } from "./pool/node-agents.ts";
export type {
  AmiFamily,
  CpuPool,
  CpuPoolProps,
  ExistingPool,
  ExistingPoolProps,
  GpuPool,
  GpuPoolProps,
  ImportedPool,
  Pool,
  PoolSize,
  SharingOn,
  Taint,
  TaintEffect,
} from "./pool/props.ts";
export {
  type Allocatable,
  type PoolCpu,
  type PoolPrice,
  type ResolvedPool,
  type ResolvedSharing,
  type SlotOffer,
  slotsPerNode,
} from "./pool/resolved.ts";
export {
  type Mig,
  type MigStrategy,
  type Mps,
  mig,
  mps,
  type Sharing,
  type TimeSlicing,
  timeSlicing,
  type WholeGpus,
  wholeGpus,
} from "./pool/sharing.ts";
export type { Origin, Origins } from "./provenance.ts";
export { type Identity, inString, isRef, REF_TOKEN, type Ref, ref, showIdentity } from "./ref.ts";
export { asManifest, type Manifest } from "./rules/manifest.ts";
export { manifestFindings, manifestPath } from "./rules/manifest-findings.ts";
export { manifestRules, rules } from "./rules/registry.ts";
export type { Examples, Hit, ManifestRule, PlatformRule, Rule, RuleInfo } from "./rules/rule.ts";
export { toFinding } from "./rules/rule.ts";
export {
  type CpuScaling,
  type FixedScaling,
  fixed,
  type OfficeHours,
  onCpu,
  onQueue,
  type QueueScaling,
  type Scaling,
  type ScheduleScaling,
  schedule,
  type WakeMetric,
} from "./scaling/props.ts";
export type { Fallback, ResolvedScaling, ScalingBehaviour, Trigger } from "./scaling/resolved.ts";
export type {
  CommonServiceProps,
  EnvironmentVariable,
  ImageReference,
  IngressNamespaces,
  Objective,
  Traffic,
} from "./service/common-props.ts";
export { onnx, vllm } from "./service/declare.ts";
export {
  type CustomEngine,
  customEngine,
  type Onnx,
  type OnnxEngine,
  type OnnxProps,
  type OnnxTask,
  type TensorSpec,
} from "./service/onnx-props.ts";
export type {
  ContainerResources,
  ResolvedCache,
  ResolvedDrain,
  ResolvedFetch,
  ResolvedIdentity,
  ResolvedModel,
  ResolvedOnnx,
  ResolvedProbes,
  ResolvedRollout,
  ResolvedService,
  ResolvedServiceBase,
  ResolvedSource,
  ResolvedVllm,
  ServerFile,
  ServiceMetrics,
  WritableDirectory,
} from "./service/resolved.ts";
export type { Vllm, VllmProps } from "./service/vllm-props.ts";
export { hash, slug } from "./slug.ts";
