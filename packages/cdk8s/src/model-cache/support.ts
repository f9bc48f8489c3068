import type { ResolvedPreloader } from "@capstan/core";
import type { INetworkPolicy } from "kubernetes-models/networking.k8s.io/v1";
import type { IConfigMap, IServiceAccount } from "kubernetes-models/v1";
import { modelList } from "./model-list.ts";
import { PRELOAD_SCRIPT } from "./preload.sh.ts";

export const SCRIPT_KEY = "preload.sh";
export const LIST_KEY = "models.tsv";

/** Name and namespace as the platform has them; selects the preloader's own pods. */
export function selector(preloader: ResolvedPreloader): Record<string, string> {
  return { "app.kubernetes.io/name": "model-preloader", "app.kubernetes.io/instance": preloader.name };
}

export function cacheMetadata(preloader: ResolvedPreloader): {
  name: string;
  namespace: string;
  labels: { [key: string]: string };
} {
  return {
    name: preloader.name,
    namespace: preloader.namespace,
    labels: { ...preloader.labels, ...selector(preloader) },
  };
}

export function serviceAccount(preloader: ResolvedPreloader): IServiceAccount {
  return {
    apiVersion: "v1",
    kind: "ServiceAccount",
    metadata: { ...cacheMetadata(preloader), name: preloader.serviceAccount },
    automountServiceAccountToken: false,
  };
}

export function configMap(preloader: ResolvedPreloader): IConfigMap {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: cacheMetadata(preloader),
    data: { [SCRIPT_KEY]: PRELOAD_SCRIPT, [LIST_KEY]: modelList(preloader.models) },
  };
}

/** Nobody calls the preloader. It calls S3, the hub, DNS and the Pod Identity agent, which is not limited. */
export function networkPolicy(preloader: ResolvedPreloader): INetworkPolicy {
  return {
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata: cacheMetadata(preloader),
    spec: { podSelector: { matchLabels: selector(preloader) }, policyTypes: ["Ingress"], ingress: [] },
  };
}
