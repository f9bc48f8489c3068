import { OnnxService, VllmService } from "@capstan/cdk8s";
import { cpuPool, DeclarationError, gpuPool, hub, isBlocking, onnx, vllm } from "@capstan/core";
import { type ExistingCluster, InferencePlatform } from "@capstan/eks";
import { ProgramError, recordInProcess } from "@capstan/offline";
import { App, Chart } from "cdk8s";
import { describe, expect, test } from "vitest";
import { shared, type WrongConstruct, wrongClusters, wrongCombinations, wrongNodeGroups } from "./clusters.ts";
import { matched } from "./wrong.ts";

const kinds = [
  ["clusters", wrongClusters],
  ["node groups", wrongNodeGroups],
  ["platforms on clusters", wrongCombinations],
] as const;

describe.each(kinds)("%s", (_kind, constructs) => {
  test.each(constructs.map((wrong) => [wrong.title, wrong] as const))("%s", async (_title, wrong: WrongConstruct) => {
    let error: unknown;
    const { resources } = await recordInProcess({ project: "wrong", stack: "test" }, () => {
      const cluster = wrong.before?.();
      try {
        wrong.construct(cluster as ExistingCluster);
      } catch (thrown) {
        error = thrown;
      }
    });
    const before = wrong.before ? ["capstan:eks:ExistingCluster", "pulumi:providers:kubernetes"] : [];
    expect(resources.map(({ type }) => type).sort()).toEqual([...before, "pulumi:pulumi:Stack"]);
    expect(error).toBeInstanceOf(DeclarationError);
    const { findings, stack } = error as DeclarationError;
    expect(matched(findings.filter(isBlocking), wrong.findings)).toEqual({ missing: [], unexpected: [] });
    expect(stack).not.toMatch(/^\s+at /m);
  });
});

test.each([
  [
    "VllmService",
    (chart: Chart) => {
      const pool = gpuPool({ name: "l4", instanceType: "g6.2xlarge", size: { min: 0, max: 1 } });
      const model = "meta-llama/Llama-3.1-8B-Instruct";
      new VllmService(chart, "llama", vllm({ name: "llama", team: "search", model, pool, source: hub(), gpus: 2 }));
    },
    // 131,072 tokens would fit over two GPUs; there is one.
    ["service.source.gated", "vllm.gpus.more-than-node"],
  ],
  [
    "OnnxService",
    (chart: Chart) => {
      const pool = cpuPool({ name: "amd", instanceTypes: ["c7a.8xlarge"], size: { min: 0, max: 1 } });
      const model = "microsoft/Phi-3-mini-4k-instruct";
      new OnnxService(
        chart,
        "phi",
        onnx({ name: "phi", team: "support", model, pool, amx: true, pinned: true, threads: 0 }),
      );
    },
    ["cpu.amx.missing", "cpu.pinned.no-static-manager", "cpu.threads.invalid"],
  ],
] as const)("%s throws all at once and leaves the chart as it was", (_name, construct, ids) => {
  const chart = new Chart(new App(), "search", { namespace: "search" });
  let error: unknown;
  try {
    construct(chart);
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(DeclarationError);
  const { findings, message, stack } = error as DeclarationError;
  const found = findings.filter(isBlocking).map(({ id }) => id);
  expect(found.sort()).toEqual(ids);
  for (const id of ids) expect(message).toContain(`[${id}]`);
  expect(stack).not.toMatch(/^\s+at /m);
  expect(chart.node.children).toEqual([]);
});

test("a program that does not catch it fails with the findings, and nothing of ours around them", async () => {
  const pool = gpuPool({ name: "l4", instanceType: "g6.2xlarge", size: { min: 3, max: 2 } });
  const program = () => {
    new InferencePlatform("inference", {
      cluster: shared(),
      platform: { environment: "test", pools: [pool], services: [] },
    });
  };
  const failure = await recordInProcess({ project: "wrong", stack: "test" }, program).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ProgramError);
  expect((failure as ProgramError).message).toBe(
    'InferencePlatform "inference" has 1 error; nothing was registered:\n' +
      "  pools.l4.size: min 3 is above max 2\n" +
      "    fix: raise max to 3 or lower min [pool.size.invalid]",
  );
});
