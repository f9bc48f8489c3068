import type { ResolvedService } from "@capstan/core";
import type {
  INetworkPolicy,
  INetworkPolicyIngressRule,
  INetworkPolicyPeer,
} from "kubernetes-models/networking.k8s.io/v1";
import type { IService, IServiceAccount } from "kubernetes-models/v1";
import { HTTP_PORT, objectMetadata } from "./names.ts";

export function service(resolved: ResolvedService): IService {
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: objectMetadata(resolved),
    spec: {
      type: "ClusterIP",
      selector: { ...resolved.selector },
      ports: [{ name: HTTP_PORT, port: resolved.port, targetPort: HTTP_PORT, protocol: "TCP" }],
    },
  };
}

export function serviceAccount(resolved: ResolvedService): IServiceAccount {
  return {
    apiVersion: "v1",
    kind: "ServiceAccount",
    metadata: objectMetadata(resolved),
    automountServiceAccountToken: false,
  };
}

/**
 * Who may call the server: its own namespace, those given, and the scraper on the metrics port. KEDA asks Prometheus and
 * never the pods. Probes come from the
 * node and are always let in. What the pod calls itself (the hub, S3, DNS) is not limited. Ports by number: not every
 * network plugin resolves names.
 */
export function networkPolicy(resolved: ResolvedService): INetworkPolicy {
  return {
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata: objectMetadata(resolved),
    spec: {
      podSelector: { matchLabels: { ...resolved.selector } },
      policyTypes: ["Ingress"],
      ingress: [requests(resolved), ...scrapes(resolved)],
    },
  };
}

function requests(resolved: ResolvedService): INetworkPolicyIngressRule {
  return { from: callers(resolved), ports: [{ protocol: "TCP", port: resolved.port }] };
}

function callers(resolved: ResolvedService): INetworkPolicyPeer[] {
  // Every namespace, still only pods of this cluster.
  if (resolved.ingressNamespaces === "any") return [{ namespaceSelector: {} }];
  const others = resolved.ingressNamespaces.filter((name) => name !== resolved.namespace);
  return [{ podSelector: {} }, ...others.map(namespace)];
}

function scrapes(resolved: ResolvedService): INetworkPolicyIngressRule[] {
  if (resolved.metrics === null) return [];
  return [
    {
      from: [namespace(resolved.metrics.scraperNamespace)],
      ports: [{ protocol: "TCP", port: resolved.metrics.port }],
    },
  ];
}

/** Every namespace carries this label by itself. */
function namespace(name: string): INetworkPolicyPeer {
  return { namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": name } } };
}
