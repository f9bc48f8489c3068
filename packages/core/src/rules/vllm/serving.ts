import { s3 } from "../../model/source.ts";
import { startupSeconds } from "../../service/lifecycle.ts";
import { vllmRule } from "../rule.ts";
import { h100Eight, LLAMA_70B, llama8b } from "./example-services.ts";
import { sinceMinor } from "./subject.ts";

/** What `--max-lora-rank` takes. */
const LORA_RANKS = [1, 8, 16, 32, 64, 128, 256, 320, 512];
/** The engine's processes wait this long for one another, unless a variable that came with 0.14 says more. */
const HANDSHAKE_SECONDS = 600;

export const loraSizes = vllmRule({
  id: "vllm.lora.invalid",
  severity: "error",
  acknowledgeable: false,
  reason: "Adapters share buffers of one rank, for which the kernels know a few sizes.",
  reference: "vLLM config/lora.py, MaxLoRARanks",
  check: ({ lora }) => {
    if (lora === null) return [];
    const fitting = LORA_RANKS.find((rank) => rank >= lora.maxRank);
    return [
      ...(LORA_RANKS.includes(lora.maxRank)
        ? []
        : [
            {
              at: "lora.maxRank",
              message: `rank ${lora.maxRank} is not one of ${LORA_RANKS.join(", ")}`,
              remedy: fitting === undefined ? "use 512 or less" : `use ${fitting}, which holds smaller ones too`,
            },
          ]),
      ...(lora.maxAdapters >= 1
        ? []
        : [
            {
              at: "lora.maxAdapters",
              message: `${lora.maxAdapters} adapters in a batch; valid is 1 or more`,
              remedy: "use 1 or more, or leave lora out",
            },
          ]),
    ];
  },
  examples: {
    bad: [
      { title: "rank 24", declare: () => llama8b({ lora: { maxAdapters: 4, maxRank: 24 } }), at: "lora.maxRank" },
      { title: "rank 0", declare: () => llama8b({ lora: { maxAdapters: 4, maxRank: 0 } }), at: "lora.maxRank" },
      { title: "rank 1024", declare: () => llama8b({ lora: { maxAdapters: 4, maxRank: 1024 } }), at: "lora.maxRank" },
      {
        title: "no adapter",
        declare: () => llama8b({ lora: { maxAdapters: 0, maxRank: 16 } }),
        at: "lora.maxAdapters",
      },
    ],
    good: [{ title: "four of rank 16", declare: () => llama8b({ lora: { maxAdapters: 4, maxRank: 16 } }) }],
  },
});

export const parserName = vllmRule({
  id: "vllm.parser.invalid",
  severity: "error",
  acknowledgeable: false,
  reason: "Parsers are registered under one plain name; the engine exits on another.",
  reference: "vLLM entrypoints/openai/tool_parsers and reasoning parsers",
  check: ({ toolCallParser, reasoningParser }) =>
    Object.entries({ toolCallParser, reasoningParser })
      .filter(([, name]) => name !== null && !/^[A-Za-z0-9_-]+$/.test(name))
      .map(([at, name]) => ({
        at,
        message: `"${name}" cannot name a parser`,
        remedy:
          at === "toolCallParser"
            ? "write a name such as llama3_json, hermes or mistral, or leave it out"
            : "write a name such as qwen3 or deepseek_r1, or leave it out",
      })),
  examples: {
    bad: [
      { title: "empty", declare: () => llama8b({ toolCallParser: "" }), at: "toolCallParser" },
      {
        title: "as a flag",
        declare: () => llama8b({ toolCallParser: "--tool-call-parser=hermes" }),
        at: "toolCallParser",
      },
      { title: "two", declare: () => llama8b({ reasoningParser: "qwen3, deepseek_r1" }), at: "reasoningParser" },
    ],
    good: [{ title: "name", declare: () => llama8b({ toolCallParser: "llama3_json" }) }],
  },
});

/** POD-09 */
export const noDrainInVersion = vllmRule({
  id: "vllm.drain.unsupported",
  severity: "warning",
  reason: "Before --shutdown-timeout the engine aborts every running request on SIGTERM, whatever the grace period.",
  reference: "vllm-project/vllm@7afe0faab",
  check: (service) =>
    service.drain.drainSeconds > 0 && !sinceMinor(service, "0.18")
      ? [
          {
            at: "drainSeconds",
            message: `vLLM ${service.engineVersion} cannot drain: ${service.drain.drainSeconds} s have no effect`,
            remedy: "use engineVersion 0.18.1 or newer",
          },
        ]
      : [],
  examples: {
    bad: [
      { title: "default drain", declare: () => llama8b({ engineVersion: "0.17.1" }), at: "drainSeconds" },
      {
        title: "asked for",
        declare: () => llama8b({ engineVersion: "0.16.0", drainSeconds: 300 }),
        at: "drainSeconds",
      },
    ],
    good: [{ title: "0.18", declare: () => llama8b({ engineVersion: "0.18.1", drainSeconds: 300 }) }],
  },
});

/** POD-01 */
export const handshake = vllmRule({
  id: "vllm.startup.handshake",
  severity: "error",
  reason:
    "Before VLLM_ENGINE_READY_TIMEOUT_S the API server gives the engine ten minutes and exits, however long the startup probe waits.",
  reference: "vLLM envs.py, VLLM_ENGINE_READY_TIMEOUT_S; case POD-01",
  check: (service) => {
    const budget = startupSeconds(service.probes);
    return !sinceMinor(service, "0.14") && budget > HANDSHAKE_SECONDS
      ? [
          {
            at: "engineVersion",
            message: `loading ${service.model.id} may take ${budget} s; vLLM ${service.engineVersion} gives up after ${HANDSHAKE_SECONDS} s`,
            remedy: "use engineVersion 0.14.1 or newer, or a faster source: nvmeCache(...)",
          },
        ]
      : [];
  },
  examples: {
    bad: [
      {
        title: "70B from S3",
        declare: () =>
          llama8b({
            engineVersion: "0.12.0",
            model: LLAMA_70B,
            pool: h100Eight,
            gpus: 4,
            source: s3("models-bucket/llama-70b"),
          }),
        at: "engineVersion",
      },
    ],
    good: [
      {
        title: "0.14",
        declare: () =>
          llama8b({
            engineVersion: "0.14.1",
            model: LLAMA_70B,
            pool: h100Eight,
            gpus: 4,
            source: s3("models-bucket/llama-70b"),
          }),
      },
      { title: "small", declare: () => llama8b({ engineVersion: "0.12.0", source: s3("models-bucket/llama-8b") }) },
    ],
  },
});
