import type { ResolvedService, ServiceMetrics } from "@capstan/core";
import { metricsPortName } from "./container.ts";
import { type ObjectMetadata, objectMetadata } from "./names.ts";

/** `monitoring.coreos.com/v1`, the fields that are used here. */
export interface PodMonitor {
  apiVersion: "monitoring.coreos.com/v1";
  kind: "PodMonitor";
  metadata: ObjectMetadata;
  spec: {
    namespaceSelector: { matchNames: string[] };
    selector: { matchLabels: { [key: string]: string } };
    podMetricsEndpoints: { port: string; path: string; interval: string; [field: string]: unknown }[];
    [field: string]: unknown;
  };
}

export function podMonitor(service: ResolvedService, metrics: ServiceMetrics): PodMonitor {
  const metadata = objectMetadata(service);
  return {
    apiVersion: "monitoring.coreos.com/v1",
    kind: "PodMonitor",
    // Prometheus takes only monitors that carry the labels it selects by.
    metadata: { ...metadata, labels: { ...metadata.labels, ...metrics.monitorLabels } },
    spec: {
      namespaceSelector: { matchNames: [service.namespace] },
      selector: { matchLabels: { ...service.selector } },
      podMetricsEndpoints: [
        { port: metricsPortName(service), path: metrics.path, interval: `${metrics.intervalSeconds}s` },
      ],
    },
  };
}
