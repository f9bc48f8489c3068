import { prometheusStack } from "@capstan/core";
import { expect, test } from "vitest";
import { kubePrometheusStack } from "./prometheus.ts";
import { l40s, platformOf } from "./testing/platforms.ts";

const { values } = kubePrometheusStack(
  platformOf([l40s], { monitoring: prometheusStack({ retentionDays: 30, storageGib: 100, storageClass: "gp3-fast" }) }),
);

test("it takes monitors of every release and namespace", () => {
  const { prometheusSpec } = values.prometheus;
  const selectors = Object.entries(prometheusSpec).filter(([key]) => key.endsWith("SelectorNilUsesHelmValues"));
  expect(selectors).toHaveLength(5);
  expect(selectors.every(([, value]) => value === false)).toBe(true);
});

test("retention, size and class are the platform's, and data goes before the volume is full", () => {
  expect(values.prometheus.prometheusSpec).toMatchObject({
    retention: "30d",
    // 85 of 100 GiB.
    retentionSize: "85GiB",
    storageSpec: {
      volumeClaimTemplate: {
        spec: {
          storageClassName: "gp3-fast",
          accessModes: ["ReadWriteOnce"],
          resources: { requests: { storage: "100Gi" } },
        },
      },
    },
  });
});

test("a small volume still has a retention size", () => {
  const small = kubePrometheusStack(platformOf([l40s], { monitoring: prometheusStack({ storageGib: 1 }) }));
  expect(small.values.prometheus.prometheusSpec.retentionSize).toBe("1GiB");
});

test("nothing of the EKS control plane is scraped", () => {
  for (const target of ["kubeControllerManager", "kubeScheduler", "kubeEtcd", "kubeProxy"] as const) {
    expect(values[target]).toEqual({ enabled: false });
  }
});

test("costs can be joined by team and idle time by pool", () => {
  expect(values["kube-state-metrics"].metricLabelsAllowlist).toEqual([
    "pods=[capstan.dev/team,capstan.dev/model,capstan.dev/environment]",
    "nodes=[capstan.dev/pool]",
  ]);
});

test("node exporter is on every node and requests what the pools set aside", () => {
  expect(values["prometheus-node-exporter"]).toEqual({
    tolerations: [{ operator: "Exists" }],
    resources: { requests: { cpu: "50m", memory: "64Mi" } },
  });
});

test("no password is made up: Grafana has no administrator", () => {
  expect(values.grafana.env).toEqual({ GF_SECURITY_DISABLE_INITIAL_ADMIN_CREATION: "true" });
  expect(values.grafana["grafana.ini"]["auth.anonymous"]).toEqual({ enabled: true, org_role: "Viewer" });
  // Nobody can ask it to reload, so data sources have to be there when it starts.
  expect(values.grafana.sidecar).toEqual({
    dashboards: { skipReload: true },
    datasources: { skipReload: true, initDatasources: true },
  });
});
