import { downloadImage, engine } from "@capstan/catalog";
import { imageIdentity } from "../image.ts";
import type { TensorSpec } from "../onnx-props.ts";
import {
  fileName,
  MODEL_DIRECTORY,
  modelVolume,
  type Server,
  type ServerInput,
  serverModelName,
  TMP,
} from "./engine.ts";

/** Triton with the ONNX Runtime backend on CPU. The model repository's configuration is written here, not by the user. */
export function triton(input: ServerInput): Server {
  const facts = engine("triton");
  const { http, grpc, metrics } = facts.ports;
  const name = serverModelName(input.servedModelName);
  const directory = `${MODEL_DIRECTORY}/${name}/1`;
  return {
    args: [
      "tritonserver",
      `--model-repository=${MODEL_DIRECTORY}`,
      "--model-control-mode=none",
      `--http-port=${http}`,
      `--grpc-port=${grpc ?? 8001}`,
      `--metrics-port=${metrics}`,
      "--allow-gpu-metrics=false",
      "--strict-readiness=true",
      "--exit-on-error=true",
      ...(input.props.extraArgs ?? []),
    ],
    environmentVariables: input.props.environmentVariables ?? [],
    files: [{ path: `${MODEL_DIRECTORY}/${name}/config.pbtxt`, content: modelConfig(input, name) }],
    port: http,
    paths: facts.paths,
    metrics: { port: metrics, portName: "metrics", path: facts.paths.metrics },
    loadMetrics: [facts.queueMetric.name],
    modelPath: directory,
    fetch: input.cache
      ? null
      : {
          image: downloadImage(input.source.kind),
          source: input.source,
          path: input.model.path,
          directory,
          bytes: input.model.weightsBytes,
        },
    writable: [...(input.cache ? [] : [modelVolume(input.weightsGib, directory)]), TMP],
    identity: imageIdentity("triton", facts.image.defaultVersion),
  };
}

function modelConfig(input: ServerInput, name: string): string {
  const { maxBatchSize, maxQueueDelayMicroseconds } = input.batching;
  const lines = [
    `name: ${JSON.stringify(name)}`,
    'backend: "onnxruntime"',
    `default_model_filename: ${JSON.stringify(fileName(input.model.path ?? "model.onnx"))}`,
    `max_batch_size: ${maxBatchSize}`,
    ...(input.props.tensors?.inputs ?? []).map((t) => tensor("input", t)),
    ...(input.props.tensors?.outputs ?? []).map((t) => tensor("output", t)),
    `instance_group [ { count: ${input.instances} kind: KIND_CPU } ]`,
    ...(maxBatchSize > 1 ? [`dynamic_batching { max_queue_delay_microseconds: ${maxQueueDelayMicroseconds} }`] : []),
    // Left alone, ONNX Runtime takes the machine's cores for every instance, whatever the container may use.
    parameter("intra_op_thread_count", input.threads),
    parameter("inter_op_thread_count", 1),
  ];
  return `${lines.join("\n")}\n`;
}

function tensor(kind: "input" | "output", spec: TensorSpec): string {
  return `${kind} [ { name: ${JSON.stringify(spec.name)} data_type: ${spec.dataType} dims: [ ${spec.dims.join(", ")} ] } ]`;
}

function parameter(key: string, value: number): string {
  return `parameters { key: ${JSON.stringify(key)} value: { string_value: "${value}" } }`;
}
