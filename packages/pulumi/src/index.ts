export { Cdk8sChart, type Cdk8sChartArgs } from "./cdk8s-chart.ts";
export { HelmAddon, type HelmAddonArgs } from "./helm-addon.ts";
export { KubernetesObject, type Manifest, type ManifestMetadata, type ManifestTransform } from "./kubernetes-object.ts";
