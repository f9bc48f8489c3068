import { findVllm, nearest, vllmFlagHistory } from "@capstan/catalog";
import type { ResolvedVllm } from "../../service/resolved.ts";
import { type Hit, vllmRule } from "../rule.ts";
import { showArgument } from "../secrets.ts";
import { type Argument, argumentsOf, formProblem, isFurtherValue, longName } from "./argument.ts";
import { llama8b } from "./example-services.ts";
import { sinceMinor } from "./subject.ts";

/** What took the place of flags that vLLM gave up, and of some that articles still name. */
const SUCCESSORS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "--calculate-kv-scales": "remove it: scales come from the checkpoint",
    "--cuda-graph-sizes": "write --cudagraph-capture-sizes",
    "--disable-frontend-multiprocessing": "remove it",
    "--disable-log-requests": "remove it: requests are not logged unless --enable-log-requests is given",
    "--guided-decoding-backend": "write --structured-outputs-config.backend=...",
    "--max-seq-len-to-capture": "write --max-cudagraph-capture-size",
    "--num-scheduler-steps": "remove it: scheduling is asynchronous by default",
    "--num-speculative-tokens": "write --speculative-config.num_speculative_tokens=...",
    "--preemption-mode": "remove it: requests are recomputed",
    "--quantization-param-path": "remove it: scales come from the checkpoint",
    "--rope-scaling": "write --hf-overrides with the rope settings of the model's config.json",
    "--rope-theta": "write --hf-overrides with the rope settings of the model's config.json",
    "--speculative-model": "write --speculative-config.model=...",
    "--swap-space": "remove it: requests are recomputed; --kv-offloading-size keeps KV blocks in host memory",
    "--task": "write --runner or --convert",
    "--use-v2-block-manager": "remove it: there is no other",
    "--worker-use-ray": "write --distributed-executor-backend=ray",
  }),
);

export const argumentForm = vllmRule({
  id: "vllm.args.form",
  severity: "error",
  reason: "There is no shell that splits an argument, and a value on its own cannot be told from a second model.",
  reference: "vLLM utils/argparse_utils.py; Kubernetes container args",
  check: (service) => service.extraArgs.flatMap((_, index) => formHit(service.extraArgs, index, service) ?? []),
  examples: {
    bad: [
      {
        title: "flag and value in one string",
        declare: () => llama8b({ extraArgs: ["--seed 42"] }),
        at: "extraArgs.0",
      },
      { title: "flag and value in two", declare: () => llama8b({ extraArgs: ["--seed", "42"] }), at: "extraArgs.1" },
      { title: "no dashes", declare: () => llama8b({ extraArgs: ["seed=42"] }), at: "extraArgs.0" },
      { title: "short form", declare: () => llama8b({ extraArgs: ["-tp=2"] }), at: "extraArgs.0" },
      { title: "empty", declare: () => llama8b({ extraArgs: [""] }), at: "extraArgs.0" },
    ],
    good: [
      { title: "flag=value", declare: () => llama8b({ extraArgs: ["--seed=42", "--enable-log-requests"] }) },
      {
        title: "several values",
        declare: () => llama8b({ extraArgs: ["--lora-modules", "sql=/adapters/sql", "chat=/adapters/chat"] }),
      },
    ],
  },
});

function formHit(all: readonly string[], index: number, service: ResolvedVllm): Hit | null {
  const text = all[index] ?? "";
  const before = all[index - 1];
  const shown = showArgument(text, before);
  const hit = (problem: string, remedy: string): Hit => ({
    at: `extraArgs.${index}`,
    message: `"${shown}" is ${problem}`,
    remedy,
  });
  switch (formProblem(text)) {
    case null:
      return null;
    case "empty":
      return hit("no argument", "remove it");
    case "two-in-one":
      return hit(
        "one argument with a space in it; write --flag=value",
        `write ${showArgument(text.trim().replace(/\s+/, "="))}`,
      );
    case "short": {
      const [short = "", ...rest] = text.split("=");
      const long = longName(service, short);
      return hit(
        "a short form; write --flag=value",
        long ? `write ${showArgument([long, ...rest].join("="))}` : "write the flag's long name",
      );
    }
    case "value": {
      if (isFurtherValue(all, index)) return null;
      const flag = before !== undefined && formProblem(before) === null && !before.includes("=") ? before : null;
      return hit(
        "not a flag; write --flag=value",
        flag ? `write ${flag}=${shown} as one entry` : "put two dashes before the flag",
      );
    }
  }
}

export const unknownFlag = vllmRule({
  id: "vllm.args.unknown",
  severity: "error",
  reason: "The engine exits at once on a flag that it does not know, on a node that is paid for.",
  reference: "flags of the released vLLM wheels 0.11 to 0.33",
  check: (service) =>
    argumentsOf(service)
      .filter((argument) => argument.flag === null)
      .map((argument) => unknownHit(service, argument)),
  examples: {
    bad: [
      {
        title: "misspelt",
        declare: () => llama8b({ extraArgs: ["--enable-log-request=true", "--max-num-seqqs=8"] }),
        at: "extraArgs.1",
      },
      { title: "removed", declare: () => llama8b({ extraArgs: ["--swap-space=4"] }), at: "extraArgs.0" },
      {
        title: "removed, with underscores",
        declare: () => llama8b({ extraArgs: ["--calculate_kv_scales"] }),
        at: "extraArgs.0",
      },
      {
        title: "of a newer version",
        declare: () => llama8b({ engineVersion: "0.23.0", extraArgs: ["--watermark=0.1"] }),
        at: "extraArgs.0",
      },
      {
        title: "of an article of 2024",
        declare: () => llama8b({ extraArgs: ["--num-scheduler-steps=8"] }),
        at: "extraArgs.0",
      },
      {
        title: "switch of one way",
        declare: () => llama8b({ extraArgs: ["--no-disable-log-stats"] }),
        at: "extraArgs.0",
      },
      {
        title: "opposite, before it was taken",
        declare: () => llama8b({ engineVersion: "0.28.0", extraArgs: ["--disable-chunked-prefill"] }),
        at: "extraArgs.0",
      },
      { title: "no twin", declare: () => llama8b({ extraArgs: ["--no-seed"] }), at: "extraArgs.0" },
    ],
    good: [
      {
        title: "known to that version",
        declare: () => llama8b({ engineVersion: "0.17.1", extraArgs: ["--swap-space=4"] }),
      },
      {
        title: "opposite",
        declare: () => llama8b({ extraArgs: ["--disable-chunked-prefill", "--enable-uvicorn-access-log"] }),
      },
      {
        title: "twin, underscores, JSON keys",
        declare: () =>
          llama8b({
            extraArgs: ["--no-enable-chunked-prefill", "--generation_config=vllm", "--compilation-config.mode=3"],
          }),
      },
    ],
  },
});

function unknownHit(service: ResolvedVllm, { at, spelled, name }: Argument): Hit {
  const history = vllmFlagHistory(name) ?? vllmFlagHistory(name.replace(/^--no-/, "--"));
  const removed = history?.until != null && sinceMinor(service, history.until);
  const successor = SUCCESSORS.get(name);
  if (removed || (history === undefined && successor !== undefined)) {
    return {
      at,
      message: removed
        ? `${spelled} left vLLM in ${history?.until}; engineVersion is ${service.engineVersion}`
        : `vLLM ${service.engineVersion} has no ${spelled}`,
      remedy: successor ?? "remove it",
    };
  }
  if (history?.since != null && !sinceMinor(service, history.since)) {
    return {
      at,
      message: `${spelled} came with vLLM ${history.since}; engineVersion is ${service.engineVersion}`,
      remedy: "remove it, or use a newer engineVersion",
    };
  }
  const near = nearest(name, [...(findVllm(service.engineVersion)?.flags.keys() ?? [])]);
  return {
    at,
    message: `vLLM ${service.engineVersion} has no ${spelled}${near ? `; did you mean ${near}?` : ""}`,
    remedy: near ? `write ${near}` : "remove it; acknowledge this rule where an image of your own brings it",
  };
}
