import {
  cpuPool,
  gpuPool,
  hub,
  mig,
  nvmeCache,
  onCpu,
  onnx,
  onQueue,
  platform,
  s3,
  secretKey,
  timeSlicing,
  vllm,
} from "@capstan/core";
import { App, Chart } from "cdk8s";
import { parseAllDocuments } from "yaml";

export const l40s = gpuPool({
  name: "l40s",
  instanceType: "g6e.2xlarge",
  size: { min: 1, max: 8 },
  localStorage: "raid0",
});
export const h100Mig = gpuPool({
  name: "h100-mig",
  instanceType: "p5.4xlarge",
  sharing: mig("1g.10gb"),
  size: { min: 0, max: 2 },
});
const l4Shared = gpuPool({
  name: "l4-shared",
  instanceType: "g6.4xlarge",
  sharing: timeSlicing(2),
  size: { min: 1, max: 2 },
});
export const amx = cpuPool({
  name: "amx",
  instanceTypes: ["c7i.8xlarge"],
  cpuManager: "static",
  size: { min: 1, max: 10 },
});
export const cpu = cpuPool({ name: "cpu", instanceTypes: ["c7i.4xlarge"], size: { min: 1, max: 10 } });

/** A cached model from S3, scaled by queue. */
export const chat = vllm({
  name: "llama-8b",
  team: "search",
  model: "meta-llama/Llama-3.1-8B-Instruct",
  pool: l40s,
  maxModelLen: 8192,
  cache: nvmeCache({ source: s3("models-bucket/llama-3.1-8b") }),
  scaling: onQueue({ min: 1, max: 8 }),
});

/** A gated model straight from the hub, one replica. */
export const gated = vllm({
  name: "llama-1b",
  team: "search",
  model: "meta-llama/Llama-3.2-1B-Instruct",
  pool: l40s,
  maxModelLen: 8192,
  source: hub({ token: secretKey("hf-token", "token") }),
});

/** One replica on a slice of an H100. */
export const onSlice = vllm({
  name: "qwen-small",
  team: "tenants",
  model: "Qwen/Qwen2.5-1.5B-Instruct",
  pool: h100Mig,
  maxModelLen: 4096,
});

/** One replica on a time-sliced L4. */
export const onShared = vllm({
  name: "qwen-shared",
  team: "tenants",
  model: "Qwen/Qwen2.5-0.5B-Instruct",
  pool: l4Shared,
  maxModelLen: 4096,
});

export const phi = onnx({
  name: "phi-3-mini",
  team: "support",
  model: "microsoft/Phi-3-mini-4k-instruct",
  precision: "int4",
  pool: amx,
  scaling: onCpu({ min: 3, max: 10 }),
});

export const embeddings = onnx({
  name: "embeddings",
  team: "search",
  model: "BAAI/bge-base-en-v1.5",
  task: "embeddings",
  pool: cpu,
  scaling: onQueue({ min: 2, max: 6 }),
});

export const classifier = onnx({
  name: "classifier",
  team: "support",
  model: "BAAI/bge-base-en-v1.5",
  task: "tensor",
  precision: "int8",
  engine: "triton",
  pool: cpu,
});

/** Two services that read one pool's cache, from S3 and from the hub. */
export function cachedPlatform() {
  return platform({
    environment: "dev",
    pools: [l40s],
    services: [
      chat,
      vllm({
        name: "qwen-7b",
        team: "assist",
        model: "Qwen/Qwen2.5-7B-Instruct",
        pool: l40s,
        maxModelLen: 8192,
        cache: nvmeCache({
          source: hub({ revision: "a09a35458c702b33eeacc393d103063234e8bc28", token: secretKey("hf-token", "token") }),
        }),
      }),
    ],
  });
}

/** A chart as a program of one's own makes it. */
export function chart(namespace?: string): Chart {
  return new Chart(new App(), "test", namespace === undefined ? {} : { namespace });
}

export interface Rendered {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  // biome-ignore lint/suspicious/noExplicitAny: tests read any field of the parsed YAML.
  readonly [field: string]: any;
}

/** The synthesised YAML, read back: what a cluster would get, not what a construct was given. */
export function synthesised(of: Chart): Rendered[] {
  const app = App.of(of);
  return parseAllDocuments(app.synthYaml()).map((document) => document.toJS() as Rendered);
}

/** The only object of a kind. */
export function one(objects: readonly Rendered[], kind: string): Rendered {
  const found = objects.filter((object) => object.kind === kind);
  if (found.length !== 1) throw new Error(`expected one ${kind}, found ${found.length}`);
  return found[0] as Rendered;
}
