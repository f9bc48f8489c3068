export { type Addon, AddonError, type AddonNamespace, type CrdSource, type PodSecurity } from "./addon.ts";
export { addonsFor, inOrder, type PlatformAddon } from "./addons-for.ts";
export {
  type AddonCluster,
  CLUSTER_AUTOSCALER_SERVICE_ACCOUNT,
  type ClusterAutoscalerValues,
  clusterAutoscaler,
} from "./cluster-autoscaler.ts";
export { type DcgmServiceMonitor, type GpuOperatorValues, gpuOperator } from "./gpu-operator.ts";
export { type KedaDisruption, type KedaMetrics, type KedaValues, keda } from "./keda.ts";
export { type KubecostValues, kubecostAddon } from "./kubecost.ts";
export type { EnvironmentVariable, Resources, Toleration } from "./pod.ts";
export {
  type KubePrometheusStackValues,
  kubePrometheusStack,
  type PrometheusCrdsValues,
  prometheusOperatorCrds,
  type VolumeClaim,
} from "./prometheus.ts";
