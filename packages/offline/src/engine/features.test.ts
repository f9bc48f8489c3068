import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { supportedFeatures, supportsFeature } from "./features.ts";

const { ResourceMonitorFeature } = createRequire(import.meta.url)("@pulumi/pulumi/proto/resource_pb.js") as {
  ResourceMonitorFeature: Record<string, number>;
};

test("all features have a number in the SDK, and those that would wrap values are not among them", () => {
  const numbers = supportedFeatures(ResourceMonitorFeature);
  expect(numbers).toHaveLength(12);
  expect(numbers).toContain(ResourceMonitorFeature.RESOURCE_MONITOR_FEATURE_SECRETS);
  expect(numbers).toContain(ResourceMonitorFeature.RESOURCE_MONITOR_FEATURE_ALIAS_SPECS);
  expect(numbers).not.toContain(ResourceMonitorFeature.RESOURCE_MONITOR_FEATURE_OUTPUT_VALUES);
  expect(numbers).not.toContain(ResourceMonitorFeature.RESOURCE_MONITOR_FEATURE_INVOKE_DEPENDS_ON);
});

test("leaves out what an older SDK does not know", () => {
  expect(supportedFeatures({ RESOURCE_MONITOR_FEATURE_SECRETS: 0 })).toEqual([0]);
});

test("answers SDKs that ask feature by feature", () => {
  expect(supportsFeature("secrets")).toBe(true);
  expect(supportsFeature("outputValues")).toBe(false);
});
