import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { kubecostAddon } from "./kubecost.ts";
import { leafPaths } from "./testing/chart-keys.ts";
import { cost, everyKey, l40s, platformOf } from "./testing/platforms.ts";

/** Keys of 2.x with which the 3.x chart fails, from its own preconditions (kubecost/kubecost@v3.2.1 _helpers.tpl). */
const FORBIDDEN = [
  "prometheus",
  "grafana",
  "global/prometheus",
  "global/grafana",
  "global/amp",
  "global/gmp",
  "global/mimirProxy",
  "global/ammsp",
  "kubecostModel",
  "kubecostAggregator",
  "kubecostFrontend",
  "kubecostMetrics",
  "federatedETL",
  "etlUtils",
  "service",
  "pricingCsv",
  "sigV4Proxy",
  "awsstore",
  "finops-agent",
  "kubecostProductConfigs/clusterName",
  "kubecostProductConfigs/cloudIntegrationSecret",
  "kubecostProductConfigs/cloudIntegrationJSON",
];

test("no key is one of Kubecost 2", () => {
  for (const platform of everyKey.filter(({ addons }) => addons.kubecost !== null)) {
    const paths = leafPaths(kubecostAddon(platform).values).map((path) => path.join("/"));
    const wrong = paths.filter((path) => FORBIDDEN.some((key) => path === key || path.startsWith(`${key}/`)));
    expect(wrong).toEqual([]);
  }
});

const charts = process.env.CAPSTAN_CHARTS;

test.runIf(charts)("the chart forbids nothing that the list does not have", () => {
  const text = readFileSync(join(charts ?? "", "kubecost", "templates", "_helpers.tpl"), "utf8");
  for (const [, key] of text.matchAll(/`\.Values\.([A-Za-z.]+)`[^`]*is no longer supported/g)) {
    expect(
      FORBIDDEN.some((known) => `${key?.replaceAll(".", "/")}/`.startsWith(`${known}/`)),
      key,
    ).toBe(true);
  }
});

test("costs are split by labels that every workload carries, as the agent spells them", () => {
  const { values } = kubecostAddon(platformOf([l40s], { cost }));
  expect(values.kubecostProductConfigs.labelMappingConfigs).toEqual({
    team_label: "capstan_dev_team",
    product_label: "capstan_dev_model",
    environment_label: "capstan_dev_environment",
  });
  expect(values.global).toMatchObject({ clusterId: "prod-eu", defaultStorageClass: "gp3" });
});

test("it renders without a cluster to look into, and no privileged or rewriting part runs", () => {
  const { values } = kubecostAddon(platformOf([l40s], { cost }));
  expect(values.global.platforms.cicd).toEqual({ enabled: true, skipSanityChecks: true });
  expect(values.networkCosts.enabled).toBe(false);
  expect(values.clusterController.enabled).toBe(false);
});

test("GPU use needs the operator's exporter first", () => {
  expect(kubecostAddon(platformOf([l40s], { cost })).dependsOn).toEqual(["gpu-operator"]);
  expect(kubecostAddon(platformOf([l40s], { cost, gpuOperator: "present" })).dependsOn).toEqual([]);
});

test("without a cost tool it says so", () => {
  expect(() => kubecostAddon(platformOf([l40s]))).toThrow(/declares no cost tool/);
});
