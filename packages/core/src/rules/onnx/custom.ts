import type { CustomEngine } from "../../service/onnx-props.ts";
import { customEngine } from "../../service/onnx-props.ts";
import { onnxRule } from "../rule.ts";
import { bge, classifier, phi } from "./examples.ts";

const image = { repository: "acme/onnx-server", tag: "1.4.2" };

function server(engine: Partial<Omit<CustomEngine, "kind">> = {}): CustomEngine {
  return customEngine({
    name: "acme-server",
    port: 8080,
    healthPath: "/healthz",
    args: ["--model=/models"],
    threadsVariable: "SERVER_THREADS",
    metrics: { path: "/metrics", port: 8080, queueMetric: "acme_requests_in_flight" },
    runAsUser: 1000,
    ...engine,
  });
}

export const customWithoutImage = onnxRule({
  id: "onnx.custom.image-missing",
  severity: "error",
  acknowledgeable: false,
  reason: "Nobody else knows the image of a server of your own.",
  reference: "packages/core/src/service/onnx-props.ts, CustomEngine",
  check: ({ engine, image }) =>
    engine === "custom" && image.repository === ""
      ? [
          {
            at: "image",
            message: "a custom engine without an image",
            remedy: 'give image: { repository: "...", tag: "..." }',
          },
        ]
      : [],
  examples: {
    bad: [{ title: "left out", declare: () => classifier({ engine: server() }), at: "image" }],
    good: [{ title: "given", declare: () => classifier({ engine: server(), image }) }],
  },
});

export const invalidCustomEngine = onnxRule({
  id: "onnx.custom.invalid",
  severity: "error",
  acknowledgeable: false,
  reason: "Kubernetes refuses such a port or probe path, and a pod that must not be root does not start as user 0.",
  reference: "Kubernetes API, ContainerPort, HTTPGetAction and runAsNonRoot",
  check: ({ engine, port, probes, identity, metrics }) => {
    if (engine !== "custom") return [];
    const hits = [];
    const ports = [
      ["engine.port", port],
      ...(metrics ? [["engine.metrics.port", metrics.port] as const] : []),
    ] as const;
    for (const [at, number] of ports) {
      if (number < 1 || number > 65_535)
        hits.push({
          at,
          message: `port ${number}; valid are 1 to 65535`,
          remedy: "give the port that the server listens on",
        });
    }
    const paths = [
      ["engine.healthPath", probes.readyPath],
      ...(metrics ? [["engine.metrics.path", metrics.path] as const] : []),
    ] as const;
    for (const [at, path] of paths) {
      if (!path.startsWith("/"))
        hits.push({ at, message: `"${path}" is not a path of a URL`, remedy: `write it with a slash: "/${path}"` });
    }
    if (identity.runAsUser === 0)
      hits.push({
        at: "engine.runAsUser",
        message: "user 0 is root, and the pod must not run as root",
        remedy: "build the image for a user of its own and give its number",
      });
    return hits;
  },
  examples: {
    bad: [
      { title: "port", declare: () => classifier({ engine: server({ port: 0 }), image }), at: "engine.port" },
      {
        title: "metrics port",
        declare: () =>
          classifier({ engine: server({ metrics: { path: "/metrics", port: 99_999, queueMetric: null } }), image }),
        at: "engine.metrics.port",
      },
      {
        title: "path",
        declare: () => classifier({ engine: server({ healthPath: "healthz" }), image }),
        at: "engine.healthPath",
      },
      {
        title: "metrics path",
        declare: () =>
          classifier({ engine: server({ metrics: { path: "metrics", port: 8080, queueMetric: null } }), image }),
        at: "engine.metrics.path",
      },
      { title: "root", declare: () => classifier({ engine: server({ runAsUser: 0 }), image }), at: "engine.runAsUser" },
    ],
    good: [{ title: "complete", declare: () => classifier({ engine: server(), image }) }],
  },
});

/** Images that articles name and that no project stands behind any more; facts/serving.md D1. */
const ABANDONED: readonly { readonly pattern: RegExp; readonly why: string }[] = [
  { pattern: /(^|\/)nohatek\/onnx-server$/, why: "is a placeholder of an article" },
  { pattern: /(^|\/)onnxruntime\/server$/, why: "left ONNX Runtime years ago" },
  { pattern: /(^|\/)text-generation-inference$/, why: "is in maintenance mode since January 2026 and recommends vLLM" },
];

export const abandonedImage = onnxRule({
  id: "onnx.image.abandoned",
  severity: "warning",
  reason: "An image that nobody maintains gets no security fixes and knows no current model.",
  reference: "README of huggingface/text-generation-inference; release notes of microsoft/onnxruntime",
  check: ({ image }) => {
    const known = ABANDONED.find(({ pattern }) => pattern.test(image.repository));
    return known
      ? [
          {
            at: "image.repository",
            message: `${image.repository} ${known.why}`,
            remedy: 'use engine "ovms", "triton" or "tei", or an image of your own',
          },
        ]
      : [];
  },
  examples: {
    bad: [
      {
        title: "the article's",
        declare: () => classifier({ engine: server(), image: { repository: "nohatek/onnx-server", tag: "latest" } }),
        at: "image.repository",
      },
      {
        title: "ONNX Runtime's former server",
        declare: () =>
          classifier({ engine: server(), image: { repository: "mcr.microsoft.com/onnxruntime/server", tag: "v0.5" } }),
        at: "image.repository",
      },
    ],
    good: [{ title: "own", declare: () => classifier({ engine: server(), image }) }],
  },
});

/** Properties that only some servers or tasks read. */
export const ignoredProperty = onnxRule({
  id: "onnx.property.ignored",
  severity: "error",
  reason: "The chosen server or task does not read it: what was meant does not happen, and nothing says so later.",
  reference: "packages/core/src/service/onnx-engines",
  check: ({ engine, task, tensors, origins }) => {
    const given = (name: string) => origins[name]?.from === "given";
    const hits = [];
    if (engine !== "triton" && given("batching"))
      hits.push({
        at: "batching",
        message: `batching is a setting of Triton; the server is ${engine}`,
        remedy: 'remove it, or use engine: "triton"',
      });
    if (engine !== "triton" && tensors !== null)
      hits.push({
        at: "tensors",
        message: `tensors describe a Triton model; the server is ${engine}`,
        remedy: 'remove them, or use engine: "triton"',
      });
    if (engine !== "triton" && engine !== "ovms" && given("instances"))
      hits.push({
        at: "instances",
        message: `${engine} has one copy of the model a pod`,
        remedy: "remove it, and scale pods instead",
      });
    if (task !== "text-generation" && given("contextTokens"))
      hits.push({
        at: "contextTokens",
        message: `contextTokens bounds generated text; the task is ${task}`,
        remedy: "remove it",
      });
    if (engine === "custom" && given("servedModelName"))
      hits.push({
        at: "servedModelName",
        message: "a custom engine gets only the arguments that it declares",
        remedy: "write the name into the engine's args",
      });
    return hits;
  },
  examples: {
    bad: [
      {
        title: "batching without Triton",
        declare: () => bge({ batching: { maxBatchSize: 32, maxQueueDelayMicroseconds: 500 } }),
        at: "batching",
      },
      { title: "tensors without Triton", declare: () => phi({ tensors: { inputs: [], outputs: [] } }), at: "tensors" },
      { title: "copies on TEI", declare: () => bge({ instances: 4 }), at: "instances" },
      { title: "context of an encoder", declare: () => bge({ contextTokens: 512 }), at: "contextTokens" },
      {
        title: "name for a custom server",
        declare: () => classifier({ engine: server(), image, servedModelName: "fraud" }),
        at: "servedModelName",
      },
    ],
    good: [
      {
        title: "batching on Triton",
        declare: () => classifier({ batching: { maxBatchSize: 32, maxQueueDelayMicroseconds: 500 } }),
      },
      { title: "streams of OpenVINO", declare: () => phi({ instances: 2 }) },
    ],
  },
});
