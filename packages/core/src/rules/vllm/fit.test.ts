import { expect, test } from "vitest";
import { resolveService } from "../../check.ts";
import type { Finding } from "../../finding.ts";
import { gpuPool } from "../../pool/declare.ts";
import type { VllmProps } from "../../service/vllm-props.ts";
import {
  h100,
  h100Eight,
  h100Slices,
  LLAMA_1B,
  LLAMA_70B,
  l4,
  l4Halves,
  l40s,
  l40sFour,
  llama8b,
} from "./example-services.ts";

function fit(props: Partial<VllmProps>): Finding[] {
  return resolveService(llama8b(props)).findings.filter(({ id }) => id.startsWith("vllm.fit."));
}

const errors = (props: Partial<VllmProps>) =>
  fit(props)
    .filter(({ severity }) => severity === "error")
    .map(({ id }) => id);
const large = { model: LLAMA_70B } as const;

// The outcomes that cases FIT-04 and FIT-05 ask for.
test.each<[string, Partial<VllmProps>, string[]]>([
  ["8B on an L4 with 8192", { pool: l4, maxModelLen: 8192 }, []],
  ["70B on two H100 with 16384", { ...large, pool: h100Eight, gpus: 2, maxModelLen: 16384 }, []],
  ["70B on four L40S with 8192", { ...large, pool: l40sFour, gpus: 4 }, []],
  ["70B in 4 bits on one L40S with 8192", { ...large, precision: "w4a16", pool: l40s }, []],
  ["70B in FP8 on one H100 with 2048", { ...large, precision: "fp8", pool: h100, maxModelLen: 2048 }, []],
  [
    "70B in FP8 on one H100 with 131072",
    { ...large, precision: "fp8", pool: h100, maxModelLen: 131_072 },
    ["vllm.fit.context-too-long"],
  ],
  ["70B on one H100", { ...large, pool: h100 }, ["vllm.fit.does-not-load"]],
  ["14B on an L4", { model: "Qwen/Qwen2.5-14B-Instruct", pool: l4 }, ["vllm.fit.does-not-load"]],
  ["8B on half an L4", { pool: l4Halves }, ["vllm.fit.does-not-load"]],
])("%s", (_, props, expected) => {
  expect(errors(props)).toEqual(expected);
});

test.each<[string, Partial<VllmProps>]>([
  ["70B in 4 bits on one L40S", { ...large, precision: "w4a16", pool: l40s }],
  ["70B in FP8 on one H100 with 8192", { ...large, precision: "fp8", pool: h100 }],
  ["70B in FP8 on one H100 with 2048", { ...large, precision: "fp8", pool: h100, maxModelLen: 2048 }],
])("%s is never passed in silence", (_, props) => {
  expect(fit(props)).not.toHaveLength(0);
});

// 128 KiB a token: 131072 of them are 16 GiB, and 8192 are 1 GiB.
test("the message of a context that is too long says what it needs and what fits", () => {
  const [found] = resolveService(llama8b({ pool: l4, maxModelLen: 131_072 })).findings.filter(
    ({ id }) => id === "vllm.fit.context-too-long",
  );
  expect(found?.message).toMatch(/131072 tokens needs 16 GiB of KV cache/);
  const longest = Number(/longest context that fits is (\d+)/.exec(found?.message ?? "")?.[1]);
  expect(errors({ pool: l4, maxModelLen: longest })).toEqual([]);
  expect(errors({ pool: l4, maxModelLen: longest + 20_000 })).toEqual(["vllm.fit.context-too-long"]);
});

/** The change that a remedy names, as props. */
function remedied(remedy: string): Partial<VllmProps> {
  const length = /maxModelLen (\d+)/.exec(remedy)?.[1];
  const sequences = /maxNumSeqs (\d+)/.exec(remedy)?.[1];
  const cache = /kvCacheDtype "(\w+)"/.exec(remedy)?.[1];
  const precision = /precision "(\w+)"/.exec(remedy)?.[1];
  const gpus = /gpus (\d+)/.exec(remedy)?.[1];
  const type = /pool of (?:whole \S+ \()?([a-z0-9-]+\.\w+)/.exec(remedy)?.[1];
  return {
    ...(length && { maxModelLen: Number(length) }),
    ...(sequences && { maxNumSeqs: Number(sequences) }),
    ...(cache && { kvCacheDtype: cache }),
    ...(precision && { precision: precision as NonNullable<VllmProps["precision"]> }),
    ...(gpus && { gpus: Number(gpus) }),
    ...(type && { pool: gpuPool({ name: "other", instanceType: type as "g6.xlarge", size: { min: 0, max: 1 } }) }),
  };
}

test.each<[string, Partial<VllmProps>]>([
  ["8B on an L4", { pool: l4, maxModelLen: 131_072 }],
  ["70B on one H100", { ...large, pool: h100 }],
  ["70B in FP8 on one H100", { ...large, precision: "fp8", pool: h100 }],
  ["14B on an L4", { model: "Qwen/Qwen2.5-14B-Instruct", pool: l4 }],
  ["8B on half an L4", { pool: l4Halves }],
  ["8B on a slice", { pool: h100Slices }],
])("every remedy for %s helps", (_, props) => {
  const [found] = fit(props).filter(({ severity }) => severity === "error");
  const remedies = found?.remedy.split("; or ") ?? [];
  expect(remedies.length).toBeGreaterThan(1);
  for (const remedy of remedies) {
    const changed = remedied(remedy);
    expect(Object.keys(changed), remedy).not.toHaveLength(0);
    expect(errors({ ...props, ...changed }), remedy).toEqual([]);
  }
});

test("an error that is acknowledged stays as a warning with its reason", () => {
  const acknowledge = { "vllm.fit.does-not-load": "measured: 72 GiB on this build" };
  const [found] = fit({ ...large, pool: h100, acknowledge });
  expect(found).toMatchObject({
    id: "vllm.fit.does-not-load",
    severity: "warning",
    acknowledged: acknowledge["vllm.fit.does-not-load"],
  });
});

test("MIG-09: the ban on slices can be lifted, and the warning still speaks of peer-to-peer", () => {
  const acknowledge = { "vllm.mig.parallel": "NCCL 2.29 without P2P is fast enough" };
  const { findings } = resolveService(llama8b({ model: LLAMA_1B, pool: h100Slices, tensorParallel: 2, acknowledge }));
  const [found] = findings.filter(({ id }) => id === "vllm.mig.parallel");
  expect(found?.severity).toBe("warning");
  expect(found?.message).toContain("no peer-to-peer");
});

test("SHARE-18: no GPU count that is not a number reaches the pod", () => {
  for (const gpus of [Number.NaN, "all", null, Number.POSITIVE_INFINITY]) {
    const checked = resolveService(llama8b({ gpus: gpus as number }));
    expect(checked.service).toBeNull();
    expect(checked.findings.map(({ path }) => path)).toContain("services.llama-8b.gpus");
  }
});
