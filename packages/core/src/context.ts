import { deepFreeze } from "./freeze.ts";
import type { IngressNamespaces } from "./service/common-props.ts";

/**
 * What a pool or service needs to know of its surroundings. A platform makes one from its own declaration; a construct
 * used alone gets `standalone`, which names nothing that it cannot know.
 */
export interface ResolveContext {
  /** `dev`, `prod` ...: a label on everything that is emitted. */
  readonly environment: string;
  /** Production is judged more strictly: no floating images, pinned releases. */
  readonly production: boolean;
  /** AWS region, for prices; null: prices are unknown. */
  readonly region: string | null;
  /** Kubernetes minor version of the cluster. */
  readonly kubernetes: string;
  readonly monitoring: MonitoringContext | null;
  /** KEDA runs in the cluster. False: queue scaling is an error, CPU scaling uses a plain HPA. */
  readonly keda: boolean;
  /** Namespaces whose pods may call the services, besides the service's own; `any`: every pod of the cluster. */
  readonly ingressNamespaces: IngressNamespaces;
}

export interface MonitoringContext {
  /** Prometheus server that KEDA asks, with port. */
  readonly prometheusUrl: string;
  /** Namespace that Prometheus scrapes from. */
  readonly namespace: string;
  /** Labels that the Prometheus operator selects monitors by. */
  readonly monitorLabels: Readonly<Record<string, string>>;
  /** @default 15 */
  readonly scrapeIntervalSeconds: number;
}

export const defaultMonitoring: MonitoringContext = deepFreeze({
  prometheusUrl: "http://prometheus-operated.monitoring.svc:9090",
  namespace: "monitoring",
  monitorLabels: { release: "kube-prometheus-stack" },
  scrapeIntervalSeconds: 15,
});

export const DEFAULT_KUBERNETES = "1.34";

export const standalone: ResolveContext = deepFreeze({
  environment: "default",
  production: false,
  region: null,
  kubernetes: DEFAULT_KUBERNETES,
  monitoring: defaultMonitoring,
  keda: true,
  ingressNamespaces: [],
});
