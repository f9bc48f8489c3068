/** Label and taint keys of ours. Contract: renaming one replaces node groups or breaks selectors. */
export const POOL_LABEL = "capstan.dev/pool";
export const TEAM_LABEL = "capstan.dev/team";
export const MODEL_LABEL = "capstan.dev/model";
export const ENVIRONMENT_LABEL = "capstan.dev/environment";
export const CPU_TAINT = "capstan.dev/cpu-inference";
export const MODEL_ANNOTATION = "capstan.dev/model-id";
export const ACKNOWLEDGE_ANNOTATION = "capstan.dev/acknowledge";

/** NVIDIA's operands tolerate this key; the value is free. */
export const GPU_TAINT = "nvidia.com/gpu";
export const MIG_CONFIG_LABEL = "nvidia.com/mig.config";
export const DEVICE_PLUGIN_CONFIG_LABEL = "nvidia.com/device-plugin.config";
/** cluster-autoscaler treats a node with this label and no allocatable `nvidia.com/gpu` as not ready. */
export const ACCELERATOR_LABEL = "k8s.amazonaws.com/accelerator";

export const MANAGED_BY = "capstan";

/** A name that Kubernetes accepts as a DNS label. */
export const DNS_LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
/** A value that Kubernetes accepts as a label value. */
export const LABEL_VALUE = /^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/;
