import { hub, secretKey } from "../../model/source.ts";
import { customEngine } from "../../service/onnx-props.ts";
import { onnxRule } from "../rule.ts";
import { holdsSecret, secretArgument } from "../secrets.ts";
import { bge, classifier, phi } from "./examples.ts";

const ORT_VARIABLE = /^(ORT|ONNXRUNTIME)_.*THREADS?$/;
const OPENMP_VARIABLE = /^(OMP|KMP|GOMP|MKL|OPENBLAS)_/;

/** facts/serving.md D5 */
export const unreadThreads = onnxRule({
  id: "onnx.env.unread-threads",
  severity: "warning",
  reason:
    "ONNX Runtime has a thread pool of its own and reads no such variable; OpenVINO takes its threads from TBB. The threads stay at the default.",
  reference: "onnxruntime.ai, Thread management; OpenVINO INFERENCE_NUM_THREADS",
  check: ({ engine, environmentVariables, threads }) =>
    environmentVariables
      .filter(
        ({ name }) =>
          ORT_VARIABLE.test(name) || ((engine === "triton" || engine === "ovms") && OPENMP_VARIABLE.test(name)),
      )
      .map(({ name }) => ({
        at: "environmentVariables",
        message: `${name} is read by nobody here${engine === "custom" ? ", unless by code of your own" : ""}`,
        remedy:
          engine === "custom"
            ? "set the threads in code or by an argument of the server"
            : `remove it: the server is told ${threads} threads, and threads changes that`,
      })),
  examples: {
    bad: [
      {
        title: "the article's variable",
        declare: () => classifier({ environmentVariables: [{ name: "ORT_INTRA_OP_NUM_THREADS", value: "4" }] }),
        at: "environmentVariables",
      },
      {
        title: "OpenMP on Triton",
        declare: () => classifier({ environmentVariables: [{ name: "OMP_NUM_THREADS", value: "4" }] }),
        at: "environmentVariables",
      },
      {
        title: "OpenMP on OpenVINO",
        declare: () => phi({ environmentVariables: [{ name: "KMP_AFFINITY", value: "granularity=fine" }] }),
        at: "environmentVariables",
      },
      {
        title: "as the variable of a custom server",
        declare: () =>
          classifier({
            image: { repository: "acme/onnx-server", tag: "1.4.2" },
            engine: customEngine({
              name: "acme",
              port: 8080,
              healthPath: "/healthz",
              args: [],
              threadsVariable: "ORT_NUM_THREADS",
              metrics: null,
              runAsUser: 1000,
            }),
          }),
        at: "environmentVariables",
      },
    ],
    good: [
      { title: "TEI, whose fallback uses MKL", declare: () => bge({}) },
      {
        title: "other variables",
        declare: () => phi({ environmentVariables: [{ name: "LOG_LEVEL", value: "INFO" }] }),
      },
    ],
  },
});

/** Options of TEI that it also reads from the environment and that are given as arguments here. */
const TEI_OPTIONS = [
  "PORT",
  "HOSTNAME",
  "PROMETHEUS_PORT",
  "MODEL_ID",
  "REVISION",
  "DTYPE",
  "SERVED_MODEL_NAME",
  "JSON_OUTPUT",
];

/** facts/serving.md D2 */
export const teiHazards = onnxRule({
  id: "onnx.env.tei-option",
  severity: "error",
  reason:
    "TEI takes these names for its own options; an argument wins over the variable, so it changes nothing, and where none is given a wrong value ends the server.",
  reference: "huggingface/text-embeddings-inference router/src/main.rs",
  check: ({ engine, environmentVariables }) =>
    engine === "tei"
      ? environmentVariables
          .filter(({ name }) => TEI_OPTIONS.includes(name))
          .map(({ name }) => ({
            at: "environmentVariables",
            message: `${name} is an option of TEI that is set by an argument already`,
            remedy: "remove it",
          }))
      : [],
  examples: {
    bad: ["PORT", "HOSTNAME", "PROMETHEUS_PORT", "DTYPE"].map((name) => ({
      title: name,
      declare: () => bge({ environmentVariables: [{ name, value: "9000" }] }),
      at: "environmentVariables",
    })),
    good: [
      { title: "POOLING", declare: () => bge({ environmentVariables: [{ name: "POOLING", value: "cls" }] }) },
      {
        title: "another server",
        declare: () => classifier({ environmentVariables: [{ name: "HOSTNAME", value: "x" }] }),
      },
    ],
  },
});

/** PUL-05, POD-14 */
export const plainSecret = onnxRule({
  id: "onnx.secret.plain",
  severity: "error",
  reason:
    "A value in an argument or variable is readable in the manifest, in the state of the deployment and by everyone who may see pods.",
  reference: "Kubernetes Secrets; good practices",
  check: ({ environmentVariables, args }) => [
    ...environmentVariables.filter(holdsSecret).map(({ name }) => ({
      at: "environmentVariables",
      message: `${name} holds a secret in plain text`,
      remedy: "put it into a Secret; for the hub's token use hub({ token: secretKey(name, key) })",
    })),
    ...args.filter(secretArgument).map((arg) => ({
      at: "extraArgs",
      message: `${arg.split("=")[0]} holds a secret in plain text`,
      remedy: "give it by a Secret that the server reads from a file or variable",
    })),
  ],
  examples: {
    bad: [
      {
        title: "token",
        declare: () =>
          bge({ environmentVariables: [{ name: "HF_TOKEN", value: "hf_aBcDeFgHiJkLmNoPqRsTuVwXyZ012345" }] }),
        at: "environmentVariables",
      },
      {
        title: "key",
        declare: () => phi({ environmentVariables: [{ name: "API_KEY", value: "s3cret" }] }),
        at: "environmentVariables",
      },
      { title: "argument", declare: () => bge({ extraArgs: ["--api-key=s3cret"] }), at: "extraArgs" },
      {
        title: "by its look",
        declare: () => phi({ environmentVariables: [{ name: "CONFIG", value: "AKIAIOSFODNN7EXAMPLE" }] }),
        at: "environmentVariables",
      },
    ],
    good: [
      { title: "by reference", declare: () => bge({ source: hub({ token: secretKey("hf", "token") }) }) },
      {
        title: "a limit in tokens",
        declare: () => bge({ environmentVariables: [{ name: "MAX_BATCH_TOKENS", value: "16384" }] }),
      },
      { title: "a file", declare: () => phi({ extraArgs: ["--api_key_file=/etc/keys/api"] }) },
    ],
  },
});

export const repeatedArgument = onnxRule({
  id: "onnx.args.repeated",
  severity: "error",
  reason:
    "The servers refuse an option that is given twice, or take one of the two without a word; probes, metrics and the plan know only ours.",
  reference: "clap and cxxopts, repeated options",
  check: ({ engine, args }) => {
    if (engine === "custom") return [];
    const flags = args.filter((arg) => arg.startsWith("--")).map((arg) => arg.split("=")[0] ?? arg);
    const twice = flags.filter((flag, i) => !REPEATABLE.includes(flag) && flags.indexOf(flag) !== i);
    return [...new Set(twice)].map((flag) => ({
      at: "extraArgs",
      message: `${flag} is set already`,
      remedy: "remove it; use the property that sets it where there is one",
    }));
  },
  examples: {
    bad: [
      { title: "port of TEI", declare: () => bge({ extraArgs: ["--port=3000"] }), at: "extraArgs" },
      { title: "sequences of OpenVINO", declare: () => phi({ extraArgs: ["--max_num_seqs=64"] }), at: "extraArgs" },
      {
        title: "twice in the list",
        declare: () => bge({ extraArgs: ["--auto-truncate=true", "--auto-truncate=false"] }),
        at: "extraArgs",
      },
    ],
    good: [
      { title: "new", declare: () => bge({ extraArgs: ["--max-batch-tokens=8192"] }) },
      {
        title: "repeatable",
        declare: () =>
          classifier({
            extraArgs: [
              "--backend-config=onnxruntime,default-max-batch-size=8",
              "--backend-config=default-max-batch-size=4",
            ],
          }),
      },
    ],
  },
});

/** Options of Triton that are meant to be given several times. */
const REPEATABLE = [
  "--backend-config",
  "--cache-config",
  "--host-policy",
  "--load-model",
  "--metrics-config",
  "--trace-config",
];
