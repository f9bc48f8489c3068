import type {
  ClusterAutoscalerValues,
  GpuOperatorValues,
  KedaValues,
  KubecostValues,
  KubePrometheusStackValues,
  PrometheusCrdsValues,
} from "@capstan/addons";
import type { HelmAddonArgs } from "./helm-addon.ts";

type ValuesTransform<Values extends object> = NonNullable<HelmAddonArgs<Values>["transform"]>;

/** Changes the values of an add-on, last of all; not called where the platform does not install it. */
export interface AddonTransforms {
  readonly prometheusOperatorCrds?: ValuesTransform<PrometheusCrdsValues>;
  readonly kubePrometheusStack?: ValuesTransform<KubePrometheusStackValues>;
  readonly clusterAutoscaler?: ValuesTransform<ClusterAutoscalerValues>;
  readonly gpuOperator?: ValuesTransform<GpuOperatorValues>;
  readonly keda?: ValuesTransform<KedaValues>;
  readonly kubecost?: ValuesTransform<KubecostValues>;
}

const KEYS: Readonly<Record<string, keyof AddonTransforms>> = {
  "prometheus-operator-crds": "prometheusOperatorCrds",
  "kube-prometheus-stack": "kubePrometheusStack",
  "cluster-autoscaler": "clusterAutoscaler",
  "gpu-operator": "gpuOperator",
  keda: "keda",
  kubecost: "kubecost",
};

/** The transform of one add-on, as an argument of its component. A test pairs every add-on with its key. */
export function transformFor(addon: string, transforms: AddonTransforms | undefined): Pick<HelmAddonArgs, "transform"> {
  const key = KEYS[addon];
  if (key === undefined) throw new Error(`add-on ${addon} has no transform; add it to AddonTransforms`);
  const transform = transforms?.[key];
  return transform === undefined ? {} : { transform: transform as ValuesTransform<object> };
}
