import { nearest } from "@capstan/catalog";
import type { ResolvedVllm } from "../../service/resolved.ts";
import { type Hit, vllmRule } from "../rule.ts";
import { showArgument } from "../secrets.ts";
import { type Argument, argumentsOf, formProblem, isSwitch } from "./argument.ts";
import { llama8b } from "./example-services.ts";
import { sinceMinor } from "./subject.ts";

/** Still taken by 0.33.0, which announces the version that drops them. */
const ANNOUNCED: ReadonlyMap<string, { readonly gone: string; readonly instead: string }> = new Map(
  Object.entries({
    "--disable-cascade-attn": { gone: "0.33", instead: "remove it: it has no effect" },
    "--ir-op-priority": { gone: "0.34", instead: "remove it: the engine chooses" },
    "--log-config-file": { gone: "0.33", instead: "write --logging-config" },
    "--mamba-cache-mode": { gone: "0.33", instead: "remove it: it follows prefix caching" },
  }),
);

export const abbreviatedFlag = vllmRule({
  id: "vllm.args.abbreviated",
  severity: "warning",
  reason:
    "A beginning is taken for the whole flag only as long as no other flag begins so: the next version may refuse it.",
  reference: "Python argparse, allow_abbrev",
  check: (service) =>
    argumentsOf(service)
      .filter((argument) => argument.abbreviated)
      .map(({ at, spelled, name, negated }) => ({
        at,
        message: `${spelled} is taken for ${name}`,
        remedy: `write ${negated ? `--no-${name.slice(2)}` : name}`,
      })),
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
      if (flag === null) return [];
      if (key !== null && isSwitch(flag))
        return [{ at, message: `${spelled} is a switch and has no key ${key}`, remedy: `write ${name}` }];
      if (key !== null) return [];
      if (isSwitch(flag)) {
        if (value === null) return [];
        const off = /^(false|0|no|off)$/i.test(value) !== negated;
        return [
          {
            at,
            message: `${spelled} is a switch and takes no value, got "${showArgument(value)}"`,
            remedy: off ? `write --no-${name.slice(2)}` : `write ${name}`,
          },
        ];
      }
      if (value === null)
        return followed(service, argument) || name === "--hf-token"
          ? []
          : [{ at, message: `${spelled} needs a value`, remedy: `write ${name}=...` }];
      const { choices } = flag;
      if (choices === null || choices.includes(value)) return [];
      const near = nearest(value, choices);
      return [
        {
          at,
          message: `${spelled} is "${showArgument(value)}"; valid are ${choices.join(", ")}`,
          remedy: near ? `write ${name}=${near}` : "use one of them",
        },
      ];
    }),
  examples: {
    bad: [
      {
        title: "switch with a value",
        declare: () => llama8b({ extraArgs: ["--enable-chunked-prefill=true"] }),
        at: "extraArgs.0",
      },
      {
        title: "switch set to false",
        declare: () => llama8b({ extraArgs: ["--async-scheduling=False"] }),
        at: "extraArgs.0",
      },
      {
        title: "switch with a key",
        declare: () => llama8b({ extraArgs: ["--enforce-eager.mode=1"] }),
        at: "extraArgs.0",
      },
      { title: "no value", declare: () => llama8b({ extraArgs: ["--seed"] }), at: "extraArgs.0" },
      {
        title: "not a choice",
        declare: () => llama8b({ extraArgs: ["--gdn-prefill-backend=cuda"] }),
        at: "extraArgs.0",
      },
    ],
    good: [
      {
        title: "as they are",
        declare: () => llama8b({ extraArgs: ["--no-async-scheduling", "--seed=1", "--seed=0"] }),
      },
    ],
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
      if (before && !APPENDED.has(argument.name))
        hits.push({
          at: argument.at,
          message: `${argument.spelled} is given twice, first as ${showArgument(before.text)}`,
          remedy: "keep one",
        });
      seen.set(id, argument);
    }
    return hits;
  },
  examples: {
    bad: [
      { title: "two values", declare: () => llama8b({ extraArgs: ["--seed=1", "--seed=2"] }), at: "extraArgs.1" },
      {
        title: "on and off",
        declare: () => llama8b({ extraArgs: ["--async-scheduling", "--no-async_scheduling"] }),
        at: "extraArgs.1",
      },
    ],
    good: [
      {
        title: "two keys of one option",
        declare: () =>
          llama8b({ extraArgs: ["--compilation-config.mode=3", "--compilation-config.cudagraph_mode=PIECEWISE"] }),
      },
    ],
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
      const note = flag === null || !sinceMinor(service, "0.33") ? undefined : ANNOUNCED.get(name);
      return note
        ? [
            {
              at,
              message: `${spelled} is announced to go with vLLM ${note.gone}, although 0.33.0 still takes it`,
              remedy: note.instead,
            },
          ]
        : [];
    }),
  examples: {
    bad: [
      {
        title: "log file",
        declare: () => llama8b({ extraArgs: ["--log-config-file=/etc/vllm/log.json"] }),
        at: "extraArgs.0",
      },
    ],
    good: [
      {
        title: "before",
        declare: () => llama8b({ engineVersion: "0.30.0", extraArgs: ["--log-config-file=/etc/vllm/log.json"] }),
      },
    ],
  },
});
