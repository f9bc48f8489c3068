import { expect, test } from "vitest";
import { keda } from "./keda.ts";
import { everyKey, l40s, platformOf } from "./testing/platforms.ts";

test("every part has two replicas of which one may go at a time", () => {
  const { values } = keda(platformOf([l40s]));
  expect([values.operator, values.metricsServer, values.webhooks].map((part) => part.replicaCount)).toEqual([2, 2, 2]);
  expect(Object.values(values.podDisruptionBudget)).toEqual([
    { maxUnavailable: 1 },
    { maxUnavailable: 1 },
    { maxUnavailable: 1 },
  ]);
});

test("every part has metrics, with a monitor that the platform's Prometheus selects", () => {
  const metrics = (index: number) => Object.values(keda(everyKey[index]!).values.prometheus);
  const monitor = (labels: Record<string, string>) => ({
    enabled: true,
    serviceMonitor: { enabled: true, additionalLabels: labels },
  });
  expect(metrics(0)).toEqual(Array(3).fill(monitor({ release: "kube-prometheus-stack" })));
  expect(metrics(1)).toEqual(Array(3).fill(monitor({ team: "sre" })));
  expect(metrics(2)).toEqual(
    Array(3).fill({ enabled: true, serviceMonitor: { enabled: false, additionalLabels: {} } }),
  );
});

test("it brings the kinds that services scale with", () => {
  expect(keda(platformOf([l40s])).providesKinds).toContain("keda.sh/v1alpha1 ScaledObject");
});
