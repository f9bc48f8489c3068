import * as pulumi from "@pulumi/pulumi";
import { expect, onTestFinished, test } from "vitest";
import { RecordingMonitor } from "./recording-monitor.ts";

class Thing extends pulumi.CustomResource {
  constructor(name: string, inputs: Record<string, unknown>) {
    super("test:index:Thing", name, inputs);
  }
}

/** Resources outside of `recordInProcess` go to the process's own monitor: leave none behind. */
function detachAfterwards() {
  onTestFinished(() => (pulumi.runtime as unknown as { _reset(): void })._reset());
}

test("records what is created while it is attached, with no function around it", async () => {
  detachAfterwards();
  const monitor = new RecordingMonitor({ project: "shop", stack: "dev", organization: "acme" });
  await monitor.attach();
  new Thing("a", { token: pulumi.secret("hunter2"), org: pulumi.getOrganization() });
  const { resources, ...rest } = await monitor.recording();
  expect(rest).toEqual({ project: "shop", stack: "dev", outputs: {}, logs: [] });
  expect(resources).toEqual([
    {
      urn: "urn:pulumi:dev::shop::test:index:Thing::a",
      type: "test:index:Thing",
      name: "a",
      custom: true,
      parent: "",
      inputs: { org: "acme", token: "[secret]" },
      options: {},
    },
  ]);
});

test("a newly attached monitor starts empty, and an invoke makes its recording impossible", async () => {
  detachAfterwards();
  const monitor = new RecordingMonitor({ project: "shop", stack: "dev" });
  await monitor.attach();
  expect((await monitor.recording()).resources).toEqual([]);
  await pulumi.runtime.invoke("aws:ec2/getAmi:getAmi", {}).catch(() => {});
  await expect(monitor.recording()).rejects.toThrow("aws:ec2/getAmi:getAmi");
});
