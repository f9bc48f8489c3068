import { gpuPool } from "@capstan/core";
import * as pulumi from "@pulumi/pulumi";
import { afterEach, expect, test, vi } from "vitest";
import { GpuNodeGroup } from "./node-group/gpu-node-group.ts";
import { testCluster } from "./testing/cluster.ts";
import { record } from "./testing/record.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

// NODE-11: an image without a pin is said, and deployed all the same.
test("warnings reach the log with place, remedy and id; accepted ones with their reason", async () => {
  const warned = vi.spyOn(pulumi.log, "warn").mockImplementation(async () => {});
  const said = vi.spyOn(pulumi.log, "info").mockImplementation(async () => {});
  const size = { min: 0, max: 2 };
  const unpinned = { instanceType: "g6.2xlarge", size, amiFamily: "bottlerocket" } as const;
  const reason = "the image is rebuilt every night";
  await record(() => {
    const cluster = testCluster();
    new GpuNodeGroup("plain", { cluster, pool: gpuPool({ name: "plain", ...unpinned }) });
    const acknowledge = { "pool.ami.unpinned": reason };
    new GpuNodeGroup("accepted", { cluster, pool: gpuPool({ name: "accepted", ...unpinned, acknowledge }) });
  });
  expect(warned.mock.calls.map(([text]) => text)).toEqual([
    expect.stringMatching(/^pools\.plain\.amiRelease: .*; give amiRelease.* \[pool\.ami\.unpinned\]$/),
  ]);
  expect(said.mock.calls.map(([text]) => text)).toEqual([
    expect.stringMatching(/^pools\.accepted\.amiRelease: .*\(accepted: the image is rebuilt every night\)$/),
  ]);
});
