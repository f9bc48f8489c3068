import { type Hit, vllmRule } from "../rule.ts";
import { flagValue, hasFlag } from "./argument.ts";
import { LLAMA_1B, llama8b } from "./example-services.ts";
import { environmentValue, given, isOn, isWhole, sinceMinor, usableFacts } from "./subject.ts";

export const contextLength = vllmRule({
  id: "vllm.max-model-len.invalid",
  severity: "error",
  acknowledgeable: false,
  reason: "The engine wants a whole number of tokens.",
  reference: "vLLM engine arguments: max-model-len",
  check: ({ maxModelLen }) =>
    typeof maxModelLen !== "number" || isWhole(maxModelLen)
      ? []
      : [
          {
            at: "maxModelLen",
            message: `maxModelLen is ${maxModelLen}; valid are whole numbers from 1, or "auto"`,
            remedy: "write the tokens of the longest prompt plus answer, for example 8192",
          },
        ],
  examples: {
    bad: [
      { title: "zero", declare: () => llama8b({ maxModelLen: 0 }), at: "maxModelLen" },
      { title: "the engine's own -1", declare: () => llama8b({ maxModelLen: -1 }), at: "maxModelLen" },
      { title: "fraction", declare: () => llama8b({ maxModelLen: 8192.5 }), at: "maxModelLen" },
    ],
    good: [{ title: "longest that fits", declare: () => llama8b({ maxModelLen: "auto" }) }],
  },
});

export const contextAboveModel = vllmRule({
  id: "vllm.max-model-len.above-model",
  severity: "error",
  reason: "Positions that the model was never trained on give nonsense, so the engine refuses to start.",
  reference: "vLLM config/model.py, VLLM_ALLOW_LONG_MAX_MODEL_LEN",
  check: (service) => {
    const { maxModelLen, model } = service;
    const most = usableFacts(service)?.maxPositionEmbeddings;
    if (most === undefined || typeof maxModelLen !== "number" || maxModelLen <= most) return [];
    if (isOn(environmentValue(service, "VLLM_ALLOW_LONG_MAX_MODEL_LEN")) || hasFlag(service, "--hf-overrides"))
      return [];
    return [
      {
        at: "maxModelLen",
        message: `maxModelLen ${maxModelLen} is more than the ${most} positions of ${model.id}`,
        remedy: `use ${most} or less; with scaled rotary positions give --hf-overrides={"rope_parameters":...} in extraArgs`,
      },
    ];
  },
  examples: {
    bad: [{ title: "a million tokens", declare: () => llama8b({ maxModelLen: 1_000_000 }), at: "maxModelLen" }],
    good: [
      { title: "the model's own", declare: () => llama8b({ model: LLAMA_1B, maxModelLen: 131_072 }) },
      {
        title: "scaled positions",
        declare: () =>
          llama8b({
            model: LLAMA_1B,
            maxModelLen: 262_144,
            extraArgs: ['--hf-overrides={"rope_parameters":{"rope_type":"yarn","factor":2}}'],
          }),
      },
      {
        title: "asked for",
        declare: () =>
          llama8b({
            model: LLAMA_1B,
            maxModelLen: 262_144,
            environmentVariables: [{ name: "VLLM_ALLOW_LONG_MAX_MODEL_LEN", value: "1" }],
          }),
      },
    ],
  },
});

export const autoUnsupported = vllmRule({
  id: "vllm.max-model-len.auto-unsupported",
  severity: "error",
  acknowledgeable: false,
  reason: "The search for the longest context that fits came with 0.14; before it the word is not a number.",
  reference: "vllm-project/vllm@8ee90c83f",
  check: (service) =>
    service.maxModelLen === "auto" && !sinceMinor(service, "0.14")
      ? [
          {
            at: "maxModelLen",
            message: `vLLM ${service.engineVersion} has no maxModelLen "auto"`,
            remedy: "give a number, or engineVersion 0.14.1 or newer",
          },
        ]
      : [],
  examples: {
    bad: [
      { title: "0.12", declare: () => llama8b({ maxModelLen: "auto", engineVersion: "0.12.0" }), at: "maxModelLen" },
    ],
    good: [{ title: "0.14", declare: () => llama8b({ maxModelLen: "auto", engineVersion: "0.14.1" }) }],
  },
});

export const batchSizes = vllmRule({
  id: "vllm.batch.invalid",
  severity: "error",
  acknowledgeable: false,
  reason: "A step takes a whole number of sequences and tokens.",
  reference: "vLLM engine arguments: max-num-seqs, max-num-batched-tokens",
  check: ({ maxNumSeqs, maxNumBatchedTokens }) =>
    Object.entries({ maxNumSeqs, maxNumBatchedTokens })
      .filter(([, value]) => value !== null && !isWhole(value))
      .map(([at, value]) => ({
        at,
        message: `${at} is ${value}; valid are whole numbers from 1`,
        remedy: "leave it out for the engine's own",
      })),
  examples: {
    bad: [
      { title: "no sequence", declare: () => llama8b({ maxNumSeqs: 0 }), at: "maxNumSeqs" },
      { title: "negative tokens", declare: () => llama8b({ maxNumBatchedTokens: -2048 }), at: "maxNumBatchedTokens" },
    ],
    good: [{ title: "smaller batches", declare: () => llama8b({ maxNumSeqs: 64, maxNumBatchedTokens: 4096 }) }],
  },
});

export const batchTokens = vllmRule({
  id: "vllm.batch.too-few-tokens",
  severity: "error",
  acknowledgeable: false,
  reason: "A step has at least one token for each sequence, and a whole prompt where prompts are not cut into chunks.",
  reference: "vLLM config/scheduler.py",
  check: (service) => {
    const { maxNumSeqs, maxNumBatchedTokens: tokens, maxModelLen } = service;
    const hits: Hit[] = [];
    if (tokens === null || !isWhole(tokens)) return hits;
    if (maxNumSeqs !== null && isWhole(maxNumSeqs) && maxNumSeqs > tokens) {
      hits.push({
        at: given(service, "maxNumBatchedTokens") ? "maxNumBatchedTokens" : "maxNumSeqs",
        message: `${tokens} tokens a step are fewer than ${maxNumSeqs} sequences`,
        remedy: `use maxNumBatchedTokens ${maxNumSeqs} or more, or fewer sequences`,
      });
    }
    if (
      given(service, "maxNumBatchedTokens") &&
      flagValue(service, "--enable-chunked-prefill") === false &&
      typeof maxModelLen === "number" &&
      tokens < maxModelLen
    ) {
      hits.push({
        at: "maxNumBatchedTokens",
        message: `without chunked prefill a step must hold a prompt of ${maxModelLen} tokens, and it holds ${tokens}`,
        remedy: "leave chunked prefill on, or raise maxNumBatchedTokens",
      });
    }
    return hits;
  },
  examples: {
    bad: [
      {
        title: "both given",
        declare: () => llama8b({ maxNumSeqs: 512, maxNumBatchedTokens: 256 }),
        at: "maxNumBatchedTokens",
      },
      { title: "more than the engine's own tokens", declare: () => llama8b({ maxNumSeqs: 4096 }), at: "maxNumSeqs" },
      {
        title: "no chunks",
        declare: () => llama8b({ maxNumBatchedTokens: 2048, extraArgs: ["--no-enable-chunked-prefill"] }),
        at: "maxNumBatchedTokens",
      },
    ],
    good: [{ title: "enough", declare: () => llama8b({ maxNumSeqs: 512, maxNumBatchedTokens: 8192 }) }],
  },
});
