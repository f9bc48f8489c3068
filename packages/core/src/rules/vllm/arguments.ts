import { findVllm, nearest, vllmFlagHistory } from "@capstan/catalog";
import type { ResolvedVllm } from "../../service/resolved.ts";
import { type Hit, vllmRule } from "../rule.ts";
import { type Argument, argumentsOf, formProblem, isSwitch, longName } from "./argument.ts";
import { llama8b } from "./example-services.ts";
import { showArgument } from "./secret.ts";
import { sinceMinor } from "./subject.ts";

/** What took the place of flags that vLLM gave up, and of some that articles still name. */
const SUCCESSORS: Readonly<Record<string, string>> = {
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
};

/** Still taken by 0.33.0, which announces the version that drops them. */
const ANNOUNCED: Readonly<Record<string, { readonly gone: string; readonly instead: string }>> = {
  "--disable-cascade-attn": { gone: "0.33", instead: "remove it: it has no effect" },
  "--ir-op-priority": { gone: "0.34", instead: "remove it: the engine chooses" },
  "--log-config-file": { gone: "0.33", instead: "write --logging-config" },
  "--mamba-cache-mode": { gone: "0.33", instead: "remove it: it follows prefix caching" },
};

export const argumentForm = vllmRule({
  id: "vllm.args.form",
  severity: "error",
  reason: "There is no shell that splits an argument, and a value on its own cannot be told from a second model.",
  reference: "vLLM utils/argparse_utils.py; Kubernetes container args",
  check: (service) =>
    service.extraArgs.flatMap((text, index): Hit[] => {
      const problem = formProblem(text);
      if (problem === null) return [];
      const at = `extraArgs.${index}`;
      switch (problem) {
        case "empty":
          return [{ at, message: `"${text}" is no argument`, remedy: "remove it" }];
        case "short": {
          const [short = "", ...rest] = text.split("=");
          const long = longName(service, short);
          return [{ at, message: `"${showArgument(text)}" is a short form; write --flag=value`, remedy: long ? `write ${showArgument([long, ...rest].join("="))}` : "write the flag's long name" }];
        }
        case "two-in-one":
          return [{ at, message: `"${showArgument(text)}" is one argument with a space in it; write --flag=value`, remedy: `write ${showArgument(text.trim().replace(/\s+/, "="))}` }];
        case "value": {
          const before = service.extraArgs[index - 1];
          const value = showArgument(text, before);
          const flag = before !== undefined && formProblem(before) === null && !before.includes("=") ? before : null;
          return [{ at, message: `"${value}" is not a flag; write --flag=value`, remedy: flag ? `write ${flag}=${value} as one entry; where the flag takes several values, acknowledge this rule` : "put two dashes before the flag" }];
        }
      }
    }),
  examples: {
    bad: [
      { title: "flag and value in one string", declare: () => llama8b({ extraArgs: ["--seed 42"] }), at: "extraArgs.0" },
      { title: "flag and value in two", declare: () => llama8b({ extraArgs: ["--seed", "42"] }), at: "extraArgs.1" },
      { title: "no dashes", declare: () => llama8b({ extraArgs: ["seed=42"] }), at: "extraArgs.0" },
      { title: "short form", declare: () => llama8b({ extraArgs: ["-tp=2"] }), at: "extraArgs.0" },
      { title: "empty", declare: () => llama8b({ extraArgs: [""] }), at: "extraArgs.0" },
    ],
    good: [{ title: "flag=value", declare: () => llama8b({ extraArgs: ["--seed=42", "--enable-log-requests"] }) }],
  },
});

export const unknownFlag = vllmRule({
  id: "vllm.args.unknown",
  severity: "error",
  reason: "The engine exits at once on a flag that it does not know, on a node that is paid for.",
  reference: "flags of the released vLLM wheels 0.11 to 0.33",
  check: (service) => argumentsOf(service).filter((argument) => argument.flag === null).map((argument) => unknownHit(service, argument)),
  examples: {
    bad: [
      { title: "misspelt", declare: () => llama8b({ extraArgs: ["--enable-log-request=true", "--max-num-seqqs=8"] }), at: "extraArgs.1" },
      { title: "removed", declare: () => llama8b({ extraArgs: ["--swap-space=4"] }), at: "extraArgs.0" },
      { title: "removed, with underscores", declare: () => llama8b({ extraArgs: ["--calculate_kv_scales"] }), at: "extraArgs.0" },
      { title: "of a newer version", declare: () => llama8b({ engineVersion: "0.23.0", extraArgs: ["--watermark=0.1"] }), at: "extraArgs.0" },
      { title: "of an article of 2024", declare: () => llama8b({ extraArgs: ["--num-scheduler-steps=8"] }), at: "extraArgs.0" },
      { title: "no twin", declare: () => llama8b({ extraArgs: ["--no-seed"] }), at: "extraArgs.0" },
    ],
    good: [
      { title: "known to that version", declare: () => llama8b({ engineVersion: "0.17.1", extraArgs: ["--swap-space=4"] }) },
      { title: "twin, underscores, JSON keys", declare: () => llama8b({ extraArgs: ["--no-enable-chunked-prefill", "--generation_config=vllm", "--compilation-config.mode=3"] }) },
    ],
  },
});

function unknownHit(service: ResolvedVllm, { at, spelled, name }: Argument): Hit {
  const history = vllmFlagHistory(name) ?? vllmFlagHistory(name.replace(/^--no-/, "--"));
  const removed = history?.until != null && sinceMinor(service, history.until);
  const successor = SUCCESSORS[name];
  if (removed || (history === undefined && successor !== undefined)) {
    return {
      at,
      message: removed ? `${spelled} left vLLM in ${history?.until}; engineVersion is ${service.engineVersion}` : `vLLM ${service.engineVersion} has no ${spelled}`,
      remedy: successor ?? "remove it",
    };
  }
  if (history?.since != null && !sinceMinor(service, history.since)) {
    return { at, message: `${spelled} came with vLLM ${history.since}; engineVersion is ${service.engineVersion}`, remedy: "remove it, or use a newer engineVersion" };
  }
  const near = nearest(name, [...(findVllm(service.engineVersion)?.flags.keys() ?? [])]);
  return {
    at,
    message: `vLLM ${service.engineVersion} has no ${spelled}${near ? `; did you mean ${near}?` : ""}`,
    remedy: near ? `write ${near}` : "remove it; acknowledge this rule where an image of your own brings it",
  };
}

export const abbreviatedFlag = vllmRule({
  id: "vllm.args.abbreviated",
  severity: "warning",
  reason: "A beginning is taken for the whole flag only as long as no other flag begins so: the next version may refuse it.",
  reference: "Python argparse, allow_abbrev",
  check: (service) =>
    argumentsOf(service)
      .filter((argument) => argument.abbreviated)
      .map(({ at, spelled, name, negated }) => ({ at, message: `${spelled} is taken for ${name}`, remedy: `write ${negated ? `--no-${name.slice(2)}` : name}` })),
  examples: {
    bad: [{ title: "beginning", declare: () => llama8b({ extraArgs: ["--uvicorn-log=warning"] }), at: "extraArgs.0" }],
    good: [{ title: "whole", declare: () => llama8b({ extraArgs: ["--uvicorn-log-level=warning"] }) }],
  },
});

export const flagValues = vllmRule({
  id: "vllm.args.value",
  severity: "error",
  reason: "A switch takes no value and every other flag needs one: the parser refuses both mistakes.",
  reference: "vLLM utils/argparse_utils.py",
  check: (service) =>
    argumentsOf(service).flatMap((argument): Hit[] => {
      const { at, spelled, name, flag, value, key, negated } = argument;
      if (flag === null || key !== null) return [];
      if (isSwitch(flag)) {
        if (value === null) return [];
        const off = /^(false|0|no|off)$/i.test(value) !== negated;
        return [{ at, message: `${spelled} is a switch and takes no value, got "${showArgument(value)}"`, remedy: off ? `write --no-${name.slice(2)}` : `write ${name}` }];
      }
      if (value === null) return followed(service, argument) ? [] : [{ at, message: `${spelled} needs a value`, remedy: `write ${name}=...` }];
      const { choices } = flag;
      if (choices === null || choices.includes(value)) return [];
      const near = nearest(value, choices);
      return [{ at, message: `${spelled} is "${showArgument(value)}"; valid are ${choices.join(", ")}`, remedy: near ? `write ${name}=${near}` : "use one of them" }];
    }),
  examples: {
    bad: [
      { title: "switch with a value", declare: () => llama8b({ extraArgs: ["--enable-chunked-prefill=true"] }), at: "extraArgs.0" },
      { title: "switch set to false", declare: () => llama8b({ extraArgs: ["--async-scheduling=False"] }), at: "extraArgs.0" },
      { title: "no value", declare: () => llama8b({ extraArgs: ["--seed"] }), at: "extraArgs.0" },
      { title: "not a choice", declare: () => llama8b({ extraArgs: ["--gdn-prefill-backend=cuda"] }), at: "extraArgs.0" },
    ],
    good: [{ title: "as they are", declare: () => llama8b({ extraArgs: ["--no-async-scheduling", "--seed=1", "--seed=0"] }) }],
  },
});

/** A value in an entry of its own belongs to the flag: `vllm.args.form` says so. */
function followed(service: ResolvedVllm, argument: Argument): boolean {
  const next = service.extraArgs[Number(argument.at.split(".")[1]) + 1];
  return next !== undefined && formProblem(next) === "value";
}

export const repeatedFlag = vllmRule({
  id: "vllm.args.repeated",
  severity: "warning",
  reason: "Of a repeated flag the last one counts, so the first is a value that nobody gets.",
  reference: "vLLM utils/argparse_utils.py",
  check: (service) => {
    const seen = new Map<string, Argument>();
    const hits: Hit[] = [];
    for (const argument of argumentsOf(service)) {
      const id = `${argument.name}.${argument.key ?? ""}`;
      const before = seen.get(id);
      if (before && !APPENDED.has(argument.name)) hits.push({ at: argument.at, message: `${argument.spelled} is given twice, first as ${showArgument(before.text)}`, remedy: "keep one" });
      seen.set(id, argument);
    }
    return hits;
  },
  examples: {
    bad: [
      { title: "two values", declare: () => llama8b({ extraArgs: ["--seed=1", "--seed=2"] }), at: "extraArgs.1" },
      { title: "on and off", declare: () => llama8b({ extraArgs: ["--async-scheduling", "--no-async_scheduling"] }), at: "extraArgs.1" },
    ],
    good: [{ title: "two keys of one option", declare: () => llama8b({ extraArgs: ["--compilation-config.mode=3", "--compilation-config.cudagraph_mode=PIECEWISE"] }) }],
  },
});

/** Every occurrence of these counts. */
const APPENDED = new Set(["--api-key", "--middleware"]);

export const deprecatedFlag = vllmRule({
  id: "vllm.args.deprecated",
  severity: "warning",
  reason: "The release notes announce that the flag goes; the upgrade that drops it will not start.",
  reference: "vLLM deprecation policy; warnings of 0.33.0",
  check: (service) =>
    argumentsOf(service).flatMap(({ at, name, spelled, flag }) => {
      const note = flag === null || !sinceMinor(service, "0.33") ? undefined : ANNOUNCED[name];
      return note ? [{ at, message: `${spelled} is announced to go with vLLM ${note.gone}, although 0.33.0 still takes it`, remedy: note.instead }] : [];
    }),
  examples: {
    bad: [{ title: "log file", declare: () => llama8b({ extraArgs: ["--log-config-file=/etc/vllm/log.json"] }), at: "extraArgs.0" }],
    good: [{ title: "before", declare: () => llama8b({ engineVersion: "0.30.0", extraArgs: ["--log-config-file=/etc/vllm/log.json"] }) }],
  },
});
