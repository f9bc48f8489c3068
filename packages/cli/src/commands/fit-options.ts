import { type Command, Option } from "commander";

export interface FitFlag {
  /** Key of the query. */
  readonly key: string;
  readonly flag: string;
  readonly value: string | null;
  readonly help: string;
}

/** Options of `capstan fit`, in the order in which help shows them; each is a key of the query of the same name. */
export const fitFlags: readonly FitFlag[] = [
  flag("model", "id", "hub id of the catalog, or a quantised copy it knows"),
  flag("modelConfig", "file", "a Hugging Face config.json, for any other model"),
  flag("parameters", "n", "with --model-config: all parameters, where they cannot be computed"),
  flag("weightsGib", "gib", "with --model-config: size of the checkpoint, in place of --parameters"),
  flag("gpu", "name", "GPU of the catalog, such as h100-80; without it and --instance-type all are ranked"),
  flag("instanceType", "type", "EC2 type, such as g6e.2xlarge"),
  flag("mig", "profile", "MIG slice that the replica gets, such as 1g.10gb"),
  flag("shared", "n", "engines on the same GPU by time-slicing or MPS, this one counted"),
  flag("gpus", "n", "GPUs of one replica (default: tensor x pipeline parallel)"),
  flag("engine", "name@version", "such as vllm@0.19.0; tensorrt-llm for its published speed only"),
  flag("tensorParallel", "n", "GPUs that each layer is split over (default: 1)"),
  flag("pipelineParallel", "n", "stages that the layers are spread over (default: 1)"),
  flag("gpuMemoryUtilization", "share", "part of the GPU that the engine takes (default: the engine's)"),
  flag("maxModelLen", "tokens", "longest request, or auto (default: the model's own)"),
  flag("maxNumSeqs", "n", "requests in one step (default: the engine's)"),
  flag("maxNumBatchedTokens", "n", "tokens in one step (default: the engine's)"),
  flag("blockSize", "tokens", "tokens of one KV block (default: the engine's)"),
  flag("kvCacheDtype", "type", "auto, fp8, ... (default: auto)"),
  flag("quantization", "name", "fp8, w4a16, awq, ... (default: what the checkpoint is in)"),
  flag("dtype", "type", "bfloat16, float16, float32 (default: auto)"),
  { ...flag("enforceEager", "", "no CUDA graphs"), value: null },
  flag("totalGpuMemoryGib", "gib", "what the driver reports, in place of the catalog's"),
  flag("promptTokens", "n", "tokens of a prompt (default: 1024)"),
  flag("outputTokens", "n", "tokens of an answer (default: 256)"),
  flag("concurrency", "n", "requests in flight (default: as many as fit)"),
  flag("region", "name", "region of the prices (default: us-east-1)"),
  flag("objectiveTtftP99Ms", "ms", "time to the first token that 99 % of the requests have to meet"),
];

function flag(key: string, value: string, help: string): FitFlag {
  return { key, flag: `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`, value, help };
}

export function addFitOptions(command: Command): Command {
  for (const { flag: name, value, help } of fitFlags) {
    command.addOption(new Option(value === null ? name : `${name} <${value}>`, help));
  }
  return command;
}

/** Texts of the command line as values of a query: what is written like a number is one, the planner judges the rest. */
export function queryOf(options: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const query: Record<string, unknown> = {};
  for (const { key } of fitFlags) {
    const given = options[key];
    if (given !== undefined) query[key] = typeof given === "string" && !texts.has(key) ? numberOrText(given) : given;
  }
  return query;
}

/** Keys whose values are texts even where they look like numbers. */
const texts = new Set([
  "model",
  "modelConfig",
  "gpu",
  "instanceType",
  "mig",
  "engine",
  "kvCacheDtype",
  "quantization",
  "dtype",
  "region",
]);

function numberOrText(text: string): string | number {
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text.trim()) ? Number(text) : text;
}

/** A message of the planner, with the option in place of the query's key. */
export function asOption(message: string): string {
  const found = fitFlags.find(({ key }) => message.startsWith(`${key} `) || message.startsWith(`${key}:`));
  return found === undefined ? message : found.flag + message.slice(found.key.length);
}
