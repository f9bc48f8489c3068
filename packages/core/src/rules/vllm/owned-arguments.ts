import { onQueue } from "../../scaling/props.ts";
import type { ResolvedVllm } from "../../service/resolved.ts";
import { type Hit, vllmRule } from "../rule.ts";
import { isSecretFlag, secretArgument } from "../secrets.ts";
import { argumentsOf, flagValue, formProblem } from "./argument.ts";
import { bucket, llama8b } from "./example-services.ts";

/** Flags that a property of the service writes: property, and how to write what the flag says. */
const FIELDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "--model": "model",
    "--revision": "source: hub({ revision })",
    "--served-model-name": "servedModelName",
    "--tensor-parallel-size": "tensorParallel",
    "--pipeline-parallel-size": "pipelineParallel",
    "--max-model-len": "maxModelLen",
    "--max-num-seqs": "maxNumSeqs",
    "--max-num-batched-tokens": "maxNumBatchedTokens",
    "--gpu-memory-utilization": "gpuMemoryUtilization",
    "--kv-cache-memory-bytes": "kvCacheGib",
    "--kv-cache-dtype": "kvCacheDtype",
    "--dtype": "dtype",
    "--tool-call-parser": "toolCallParser",
    "--enable-auto-tool-choice": "toolCallParser",
    "--reasoning-parser": "reasoningParser",
    "--enable-lora": "lora",
    "--max-loras": "lora.maxAdapters",
    "--max-lora-rank": "lora.maxRank",
    "--shutdown-timeout": "drainSeconds",
    "--enforce-eager": "enforceEager",
    "--enable-prefix-caching": "prefixCaching",
    "--trust-remote-code": "trustRemoteCode",
  }),
);

export const typedFieldTwice = vllmRule({
  id: "vllm.args.has-field",
  severity: "error",
  acknowledgeable: false,
  reason:
    "The last argument wins at start while plan, memory and checks read the property, so the two disagree unseen.",
  reference: "vLLM utils/argparse_utils.py; DESIGN section 2",
  check: (service) =>
    argumentsOf(service).flatMap(({ at, name, spelled }) => {
      if (name === "--load-format" && streams(service))
        return [
          {
            at,
            message: `${spelled} is set by source: s3(...), which needs the streaming loader`,
            remedy: "remove it",
          },
        ];
      const field = FIELDS.get(name);
      return field === undefined
        ? []
        : [{ at, message: `${spelled} is written by the property ${field}`, remedy: `remove it and set ${field}` }];
    }),
  examples: {
    bad: [
      { title: "context length", declare: () => llama8b({ extraArgs: ["--max-model-len=4096"] }), at: "extraArgs.0" },
      {
        title: "underscores",
        declare: () => llama8b({ extraArgs: ["--gpu_memory_utilization=0.95"] }),
        at: "extraArgs.0",
      },
      {
        title: "alias",
        declare: () => llama8b({ extraArgs: ["--device-memory-utilization=0.95"] }),
        at: "extraArgs.0",
      },
      { title: "abbreviation", declare: () => llama8b({ extraArgs: ["--tensor-parallel=2"] }), at: "extraArgs.0" },
      { title: "twin", declare: () => llama8b({ extraArgs: ["--no-enable-prefix-caching"] }), at: "extraArgs.0" },
      {
        title: "deprecated --model",
        declare: () => llama8b({ extraArgs: ["--model=Qwen/Qwen3-8B"] }),
        at: "extraArgs.0",
      },
      {
        title: "loader of S3",
        declare: () => llama8b({ source: bucket, extraArgs: ["--load-format=auto"] }),
        at: "extraArgs.0",
      },
    ],
    good: [{ title: "no field for it", declare: () => llama8b({ extraArgs: ["--seed=1"] }) }],
  },
});

function streams(service: ResolvedVllm): boolean {
  return service.cache === null && service.source.kind === "s3";
}

/** PUL-05, POD-14 */
export const plainSecretArgument = vllmRule({
  id: "vllm.args.secret",
  severity: "error",
  acknowledgeable: false,
  reason: "Arguments can be read in the Pulumi state, in kubectl describe and in the node's process list.",
  reference: "Kubernetes good practices for Secrets; case PUL-05",
  check: (service) =>
    service.extraArgs.flatMap((text, index, all): Hit[] => {
      const flag = /^--[^\s=]+/.exec(text)?.[0].replaceAll("_", "-") ?? "";
      // A bare `--hf-token` means the token of a log-in and carries nothing.
      const valued =
        /[\s=]/.test(text) || (all[index + 1] !== undefined && formProblem(all[index + 1] ?? "") === "value");
      if (!(isSecretFlag(flag) && valued) && !secretArgument(text)) return [];
      return [
        {
          at: `extraArgs.${index}`,
          message: `${isSecretFlag(flag) ? flag : "an argument"} carries a secret in plain text`,
          remedy:
            flag === "--hf-token"
              ? 'remove it; write source: hub({ token: secretKey("hf-token", "token") })'
              : "remove it; give VLLM_API_KEY with secretEnvironmentVariables",
        },
      ];
    }),
  examples: {
    bad: [
      { title: "API key", declare: () => llama8b({ extraArgs: ["--api-key=very-secret"] }), at: "extraArgs.0" },
      {
        title: "hub token",
        declare: () => llama8b({ extraArgs: ["--hf-token=hf_abcdefghijklmnopqrstuvwx"] }),
        at: "extraArgs.0",
      },
      {
        title: "in a value",
        declare: () => llama8b({ extraArgs: ['--model-loader-extra-config={"key":"AKIAABCDEFGHIJKLMNOP"}'] }),
        at: "extraArgs.0",
      },
    ],
    good: [{ title: "no secret", declare: () => llama8b({ extraArgs: ["--root-path=/llm"] }) }],
  },
});

/** Flags that take away what probes, Service or scraper rely on, with the reason. */
const BREAKING: readonly (readonly [
  flag: string,
  breaks: (value: string | boolean) => boolean,
  why: string,
  remedy: string,
])[] = [
  ["--port", (value) => value !== "8000", "Service, probes and monitor use port 8000", "remove it"],
  [
    "--host",
    (value) => typeof value === "string" && /^(127\.|localhost$|::1$)/.test(value),
    "the kubelet and other pods cannot reach the loopback address",
    "remove it: the server listens on every address",
  ],
  ["--uds", () => true, "probes and the Service need a TCP port", "remove it"],
  ["--ssl-keyfile", () => true, "probes and the Service speak plain HTTP", "end TLS at the gateway"],
  ["--ssl-certfile", () => true, "probes and the Service speak plain HTTP", "end TLS at the gateway"],
  ["--headless", (value) => value === true, "a headless engine has no HTTP server", "remove it"],
  ["--grpc", (value) => value === true, "probes and the Service speak HTTP", "remove it"],
];

export const unreachable = vllmRule({
  id: "vllm.args.unreachable",
  severity: "error",
  reason: "The startup probe asks /health on the HTTP port: where it is not, the pod is restarted for ever.",
  reference: "vLLM entrypoints/openai/cli_args.py; case POD-01",
  check: (service) =>
    argumentsOf(service).flatMap((argument) => {
      const breaking = BREAKING.find(([flag]) => flag === argument.name);
      return breaking?.[1](argument.value ?? !argument.negated)
        ? [{ at: argument.at, message: `${argument.spelled}: ${breaking[2]}`, remedy: breaking[3] }]
        : [];
    }),
  examples: {
    bad: [
      { title: "port", declare: () => llama8b({ extraArgs: ["--port=9000"] }), at: "extraArgs.0" },
      { title: "loopback", declare: () => llama8b({ extraArgs: ["--host=127.0.0.1"] }), at: "extraArgs.0" },
      {
        title: "TLS in the pod",
        declare: () => llama8b({ extraArgs: ["--ssl-keyfile=/tls/tls.key", "--ssl-certfile=/tls/tls.crt"] }),
        at: "extraArgs.1",
      },
      { title: "no server", declare: () => llama8b({ extraArgs: ["--headless"] }), at: "extraArgs.0" },
    ],
    good: [{ title: "every address", declare: () => llama8b({ extraArgs: ["--host=0.0.0.0", "--port=8000"] }) }],
  },
});

const MULTI_NODE = new Set([
  "--nnodes",
  "--node-rank",
  "--master-addr",
  "--master-port",
  "--data-parallel-address",
  "--data-parallel-rpc-port",
  "--data-parallel-start-rank",
  "--data-parallel-rank",
  "--data-parallel-hybrid-lb",
  "--data-parallel-external-lb",
]);

/** FIT-12 */
export const multiNode = vllmRule({
  id: "vllm.multi-node.unsupported",
  severity: "error",
  reason: "A replica here is one pod on one node; ranks on other nodes would wait for peers that nobody starts.",
  reference: "vLLM parallelism and scaling; LeaderWorkerSet",
  check: (service) =>
    argumentsOf(service)
      .filter(({ name, value }) => MULTI_NODE.has(name) && !(name === "--nnodes" && value === "1"))
      .map(({ at, spelled }) => ({
        at,
        message: `${spelled} spreads one replica over nodes, which is not built yet`,
        remedy: "take a node with enough GPUs, or a quantised checkpoint",
      })),
  examples: {
    bad: [
      {
        title: "two nodes",
        declare: () => llama8b({ extraArgs: ["--nnodes=2", "--master-addr=leader"] }),
        at: "extraArgs.0",
      },
    ],
    good: [{ title: "one node", declare: () => llama8b({ extraArgs: ["--nnodes=1"] }) }],
  },
});

/** SCALE-13 */
export const metricsOff = vllmRule({
  id: "vllm.args.no-metrics",
  severity: "error",
  reason: "Without engine statistics the load metric does not exist, so the scaler sees nothing to scale on.",
  reference: "facts of vLLM 0.33.0: --disable-log-stats removes every engine metric",
  check: (service) => {
    const scaled = service.scaling.by === "keda" && service.scaling.targetPerReplica !== null;
    if (flagValue(service, "--disable-log-stats") !== true || (!scaled && service.metrics === null)) return [];
    const { at } = argumentsOf(service).findLast((argument) => argument.name === "--disable-log-stats") ?? {
      at: "extraArgs",
    };
    return [
      {
        at,
        message: `--disable-log-stats removes the metrics that ${scaled ? "the scaling of this service" : "its PodMonitor"} reads`,
        remedy: "remove it",
        ...(scaled ? {} : { severity: "warning" as const }),
      },
    ];
  },
  examples: {
    bad: [
      {
        title: "scaled on its queue",
        declare: () => llama8b({ scaling: onQueue({ min: 1, max: 2 }), extraArgs: ["--disable-log-stats"] }),
        at: "extraArgs.0",
      },
      {
        title: "scraped",
        declare: () => llama8b({ extraArgs: ["--disable-log-stats"] }),
        at: "extraArgs.0",
        severity: "warning",
      },
    ],
    good: [
      { title: "statistics on", declare: () => llama8b({ scaling: onQueue({ min: 1, max: 2 }) }) },
      {
        title: "nobody reads them",
        declare: () => llama8b({ extraArgs: ["--disable-log-stats"] }),
        context: { monitoring: null },
      },
    ],
  },
});
