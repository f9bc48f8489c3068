export type { AddonTransforms } from "./addon-transforms.ts";
export { Cdk8sChart, type Cdk8sChartArgs } from "./cdk8s-chart.ts";
export { HelmAddon, type HelmAddonArgs } from "./helm-addon.ts";
export { KubernetesObject, type Manifest, type ManifestMetadata, type ManifestTransform } from "./kubernetes-object.ts";
export { PlatformServices, type PlatformServicesArgs, type PlatformServicesTransform } from "./platform-services.ts";
export type { SecretValues } from "./secrets.ts";
