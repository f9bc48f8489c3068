import type { ChartFacts, Provenance } from "./facts.ts";
import { lazy, once, provenanceOf } from "./load.ts";

/** Components that are installed from a Helm chart. */
export const chartComponents = [
  "gpu-operator",
  "node-feature-discovery",
  "dra-driver-nvidia-gpu",
  "dcgm-exporter",
  "kube-prometheus-stack",
  "prometheus-operator-crds",
  "keda",
  "keda-http-add-on",
  "cluster-autoscaler",
  "metrics-server",
  "aws-load-balancer-controller",
  "karpenter",
  "karpenter-crd",
  "kubecost",
  "opencost",
  "envoy-gateway",
  "envoy-gateway-crds",
  "envoy-ai-gateway",
  "envoy-ai-gateway-crds",
  "llm-d-router-gateway",
  "lws",
  "kueue",
  "aws-ebs-csi-driver",
  "aws-efs-csi-driver",
  "aws-fsx-csi-driver",
  "aws-mountpoint-s3-csi-driver",
] as const;

export type ChartComponent = (typeof chartComponents)[number];

type ChartRecord = Omit<ChartFacts, "imageTags"> & Partial<Pick<ChartFacts, "imageTags">>;

const document = lazy<{ readonly charts: readonly ChartRecord[] }>("charts");

const byComponent = once(
  () =>
    new Map<string, ChartFacts & { readonly provenance: Provenance }>(
      document().charts.map((record) => [
        record.component,
        Object.freeze({ imageTags: null, ...record, provenance: provenanceOf(document()) }),
      ]),
    ),
);

/** Pinned chart of a component. */
export function chart(component: ChartComponent): ChartFacts & { readonly provenance: Provenance } {
  return byComponent().get(component)!;
}
