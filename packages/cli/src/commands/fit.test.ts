import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FitAnswer, type FitRanking, fit, queryKeys } from "@capstan/core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { run } from "../testing/run.ts";
import { fitFlags } from "./fit-options.ts";

const MODEL = "meta-llama/Llama-3.1-8B-Instruct";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "capstan fit-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function written(name: string, content: unknown): string {
  writeFileSync(join(folder, name), typeof content === "string" ? content : JSON.stringify(content));
  return name;
}

test("every key of a query is an option of the same name, and no other is", () => {
  expect(fitFlags.map(({ key }) => key).sort()).toEqual([...queryKeys].sort());
  expect(fitFlags.find(({ key }) => key === "objectiveTtftP99Ms")?.flag).toBe("--objective-ttft-p99-ms");
  expect(fitFlags.find(({ key }) => key === "tensorParallel")?.flag).toBe("--tensor-parallel");
});

test("help shows examples that work as they stand", async () => {
  const { code, out } = await run(["fit", "--help"], folder);
  expect(code).toBe(0);
  const examples = [...out.matchAll(/^ {2}capstan (fit .*)$/gm)].map((match) => match[1]?.split(" ") ?? []);
  expect(examples).toHaveLength(2);
  for (const example of examples) expect((await run(example, folder)).code).toBe(0);
});

test("--json is the planner's answer and nothing else", async () => {
  const { code, out, err } = await run(
    ["fit", "--model", MODEL, "--gpu", "h100-80", "--engine", "vllm@0.19.0", "--json"],
    folder,
  );
  expect(code).toBe(0);
  expect(err).toBe("");
  expect(JSON.parse(out)).toEqual(
    JSON.parse(JSON.stringify(fit({ model: MODEL, gpu: "h100-80", engine: "vllm@0.19.0" }))),
  );
});

test("every option reaches the query", async () => {
  const { out } = await run(
    [
      ...[
        "fit",
        "--json",
        "--model",
        MODEL,
        "--instance-type",
        "p5.48xlarge",
        "--gpus",
        "4",
        "--engine",
        "vllm@0.30.0",
      ],
      ...[
        "--tensor-parallel",
        "2",
        "--pipeline-parallel",
        "2",
        "--gpu-memory-utilization",
        "0.85",
        "--max-model-len",
        "4096",
      ],
      ...["--max-num-seqs", "128", "--max-num-batched-tokens", "4096", "--block-size", "32", "--kv-cache-dtype", "fp8"],
      ...["--quantization", "fp8", "--dtype", "bfloat16", "--enforce-eager", "--total-gpu-memory-gib", "79.1"],
      ...["--prompt-tokens", "300", "--output-tokens", "50", "--concurrency", "8", "--region", "us-west-2"],
      ...["--objective-ttft-p99-ms", "900"],
    ],
    folder,
  );
  expect((JSON.parse(out) as FitAnswer).query).toEqual({
    model: MODEL,
    instanceType: "p5.48xlarge",
    gpus: 4,
    engine: "vllm@0.30.0",
    tensorParallel: 2,
    pipelineParallel: 2,
    gpuMemoryUtilization: 0.85,
    maxModelLen: 4096,
    maxNumSeqs: 128,
    maxNumBatchedTokens: 4096,
    blockSize: 32,
    kvCacheDtype: "fp8",
    quantization: "fp8",
    dtype: "bfloat16",
    enforceEager: true,
    totalGpuMemoryGib: 79.1,
    promptTokens: 300,
    outputTokens: 50,
    concurrency: 8,
    region: "us-west-2",
    objectiveTtftP99Ms: 900,
  });
});

test.each([
  [["--gpu", "l4"], 1, "Loads, but cannot serve one request of 131,072 tokens"],
  [["--gpu", "l4", "--max-model-len", "8192"], 0, "Serves:"],
  [["--gpu", "l4", "--max-model-len", "auto"], 0, "Serves:"],
  [["--gpu", "h100-80", "--mig", "1g.10gb"], 1, "Does not load:"],
])("%j exits with %d and says %s", async (args, expected, words) => {
  const { code, out } = await run(["fit", "--model", MODEL, ...args], folder);
  expect(code).toBe(expected);
  expect(out).toContain(words);
});

test.each([
  [["--gpu", "h100"], /^capstan: --gpu is "h100": not a GPU of the catalog; did you mean "h100-80"/],
  [["--gpu", "l4", "--tensor-parallel", "three"], /--tensor-parallel is "three": must be a whole number/],
  [["--gpu", "l4", "--tensor-parallel", "-2"], /--tensor-parallel is -2: must be a whole number/],
  [["--gpu", "l4", "--max-model-len", "8k"], /--max-model-len is "8k"/],
  [["--gpu", "l4", "--josn"], /unknown option '--josn'/],
  [["--gpu", "l4", "extra"], /too many arguments/],
  [["--model-config", "nowhere.json", "--gpu", "l4"], /nowhere\.json cannot be read/],
])("%j is one message, exit code 2, nothing on stdout", async (args, message) => {
  const { code, out, err } = await run(["fit", "--model", MODEL, ...args], folder);
  expect(code).toBe(2);
  expect(err).toMatch(message);
  expect(err).not.toMatch(/\n\s+at /);
  expect(out).toBe("");
});

test("all mistakes at once, each under its option", async () => {
  const { err } = await run(["fit", "--model", "x/y", "--gpu", "h100", "--dtype", "int3"], folder);
  for (const option of ["--model", "--gpu", "--dtype"]) expect(err).toContain(`${option} is`);
});

const config = {
  architectures: ["LlamaForCausalLM"],
  hidden_size: 4096,
  intermediate_size: 14_336,
  num_hidden_layers: 32,
  num_attention_heads: 32,
  num_key_value_heads: 8,
  vocab_size: 128_256,
  max_position_embeddings: 131_072,
  torch_dtype: "bfloat16",
};

test("--model-config reads a config.json", async () => {
  const file = written("config.json", config);
  const { code, out } = await run(["fit", "--model-config", file, "--gpu", "h100-80", "--json"], folder);
  expect(code).toBe(0);
  expect((JSON.parse(out) as FitAnswer).memory).toEqual(fit({ model: MODEL, gpu: "h100-80" }).memory);
});

test("a config.json that cannot be planned says why, and how to give what is missing", async () => {
  const file = written("config.json", { ...config, auto_map: { AutoModelForCausalLM: "modeling_x.XForCausalLM" } });
  const { code, err } = await run(["fit", "--model-config", file, "--gpu", "h100-80"], folder);
  expect(code).toBe(2);
  expect(err).toMatch(/^capstan: --model-config: auto_map runs code of the repository/);
});

test("--from answers each query in its place, with an error where there is no answer", async () => {
  mkdirSync(join(folder, "queries"));
  written("queries/config.json", config);
  const file = written("queries/all.json", [
    { model: MODEL, gpu: "h100-80" },
    { model: "x/y", gpu: "h100-80" },
    { modelConfig: "config.json", gpu: "h100-80" },
    { modelConfig: config, gpu: "h100-80", quantization: null },
    7,
    { modelConfig: "none.json", gpu: "l4" },
    { model: MODEL },
  ]);
  const { code, out, err } = await run(["fit", "--from", file], folder);
  expect(err).toBe("");
  expect(code).toBe(1);
  const answers = JSON.parse(out) as ((Partial<FitAnswer> & Partial<FitRanking>) | { error: string })[];
  expect(
    answers.map((answer) => ("error" in answer ? "error" : "options" in answer ? "ranking" : answer.verdict)),
  ).toEqual(["serves", "error", "serves", "serves", "error", "error", "ranking"]);
  expect(answers[2]).toMatchObject({ memory: fit({ model: MODEL, gpu: "h100-80" }).memory });
});

test("--from of queries that all serve exits 0", async () => {
  const file = written("good.json", [{ model: MODEL, gpu: "h100-80" }]);
  expect((await run(["fit", "--from", file, "--json"], folder)).code).toBe(0);
});

test.each([
  ["none.json", undefined, /cannot be read/],
  ["bad.json", "{", /is not JSON/],
  ["object.json", {}, /is not a JSON array of queries/],
])("--from %s is wrong usage", async (name, content, message) => {
  if (content !== undefined) written(name, content);
  const { code, out, err } = await run(["fit", "--from", name], folder);
  expect(code).toBe(2);
  expect(out).toBe("");
  expect(err).toMatch(message);
});

test("--from takes no second query from the command line", async () => {
  const { code, err } = await run(["fit", "--from", written("good.json", []), "--gpu", "l4"], folder);
  expect(code).toBe(2);
  expect(err).toContain("--from takes its queries from the file; write gpu there");
});

const wide = [
  ["--model", MODEL, "--gpu", "h100-80"],
  ["--model", "meta-llama/Llama-3.1-405B-Instruct", "--instance-type", "p5.48xlarge", "--tensor-parallel", "8"],
  ["--model", "meta-llama/Llama-4-Scout-17B-16E-Instruct", "--gpu", "l4", "--shared", "3"],
  ["--model", "deepseek-ai/DeepSeek-V3", "--max-model-len", "8192"],
  ["--model", "mistralai/Mistral-Small-3.1-24B-Instruct-2503", "--objective-ttft-p99-ms", "900"],
  ["--model", MODEL],
  ["--model", "openai/gpt-oss-20b"],
];

test.each(wide.map((args) => [args]))("%j is shown in 100 columns", async (args) => {
  const { out } = await run(["fit", ...args], folder);
  const tooLong = out.split("\n").filter((line) => line.length > 100);
  expect(tooLong).toEqual([]);
});

test("without a target: a table, the cheapest first, and what would make the next cheaper one fit", async () => {
  const { code, out } = await run(["fit", "--model", MODEL, "--max-model-len", "8192"], folder);
  expect(code).toBe(0);
  expect(out).toContain("Cheapest: ");
  const serving = out.slice(out.indexOf("\nServes\n"), out.indexOf("\nDoes not serve"));
  const prices = [...serving.matchAll(/ +[\d.,]+ +[\d,]+ +(\d+\.\d\d) +\d+\.\d\d$/gm)].map((match) => Number(match[1]));
  expect(prices.length).toBeGreaterThan(10);
  expect(prices).toEqual([...prices].sort((a, b) => a - b));
  expect(out).toMatch(/What would make \S+ fit, each alone/);
});

test("a region without prices still shows what serves", async () => {
  const { code, out } = await run(
    ["fit", "--model", MODEL, "--max-model-len", "8192", "--region", "eu-west-3"],
    folder,
  );
  expect(code).toBe(0);
  expect(out).toContain("no price is known in eu-west-3");
});

test("where nothing serves the exit code says so", async () => {
  const { code, out } = await run(["fit", "--model", "deepseek-ai/DeepSeek-V3", "--tensor-parallel", "1"], folder);
  expect(code).toBe(1);
  expect(out).toContain("No instance type serves it as asked.");
});
