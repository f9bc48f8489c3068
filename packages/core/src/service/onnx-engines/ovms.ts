import { downloadImage, engine } from "@capstan/catalog";
import { imageIdentity } from "../image.ts";
import type { ServerFile } from "../resolved.ts";
import {
  CONFIG_DIRECTORY,
  MODEL_DIRECTORY,
  modelVolume,
  type Server,
  type ServerInput,
  serverModelName,
  TMP,
} from "./engine.ts";

/** Gauges and histograms beyond the default list; the server exports nothing unless asked. */
const METRICS = [
  "ovms_current_requests",
  "ovms_current_graphs",
  "ovms_requests_accepted",
  "ovms_requests_rejected",
  "ovms_responses",
  "ovms_graph_request_latency_us",
  "ovms_infer_req_queue_size",
  "ovms_infer_req_active",
];

const HUB_TASKS = { "text-generation": "text_generation", embeddings: "embeddings", rerank: "rerank" } as const;

/**
 * OpenVINO Model Server. From the hub the server pulls and configures a generative model itself; weights that are there
 * already get the configuration files that it would have written.
 */
export function ovms(input: ServerInput): Server {
  const facts = engine("ovms");
  const { http, grpc, metrics } = facts.ports;
  const pulls = input.source.kind === "hub" && input.cache === null && isPulledTask(input.task);
  const tensor = !isPulledTask(input.task);
  const name = tensor ? serverModelName(input.servedModelName) : input.servedModelName;
  const directory = tensor ? `${MODEL_DIRECTORY}/${name}/1` : `${MODEL_DIRECTORY}/model`;
  return {
    args: [
      `--rest_port=${http}`,
      `--port=${grpc ?? 9000}`,
      "--metrics_enable",
      `--metrics_list=${METRICS.join(",")}`,
      ...(pulls ? pullArguments(input) : [`--config_path=${CONFIG_DIRECTORY}/config.json`]),
      ...(input.props.extraArgs ?? []),
    ],
    environmentVariables: input.props.environmentVariables ?? [],
    files: pulls ? [] : tensor ? tensorFiles(input, name) : textFiles(input, name, directory),
    port: http,
    paths: facts.paths,
    metrics: { port: metrics, portName: "http", path: facts.paths.metrics },
    loadMetrics: [tensor ? "ovms_current_requests" : facts.queueMetric.name],
    modelPath: pulls ? null : directory,
    fetch:
      pulls || input.cache
        ? null
        : {
            image: downloadImage(input.source.kind),
            source: input.source,
            path: input.model.path,
            directory,
            bytes: input.model.weightsBytes,
          },
    writable: [...(input.cache ? [] : [modelVolume(input.weightsGib, MODEL_DIRECTORY)]), TMP],
    identity: imageIdentity("ovms", facts.image.defaultVersion),
  };
}

function isPulledTask(task: ServerInput["task"]): task is keyof typeof HUB_TASKS {
  return task in HUB_TASKS;
}

function pullArguments(input: ServerInput): string[] {
  const task = isPulledTask(input.task) ? HUB_TASKS[input.task] : "text_generation";
  const args = [
    `--source_model=${input.model.repository}`,
    `--model_repository_path=${MODEL_DIRECTORY}`,
    `--model_name=${input.servedModelName}`,
    `--task=${task}`,
    "--target_device=CPU",
  ];
  if (input.task !== "text-generation") return [...args, `--plugin_config=${pluginConfig(input)}`];
  return [
    ...args,
    `--max_num_seqs=${input.concurrency}`,
    `--cache_size=${cacheSizeGb(input)}`,
    "--enable_prefix_caching=true",
    `--plugin_config=${pluginConfig(input)}`,
  ];
}

/** Threads as given, no pinning of its own: the cpuset of the container decides which cores they run on. */
function pluginConfig(input: ServerInput): string {
  return JSON.stringify({
    INFERENCE_NUM_THREADS: input.threads,
    NUM_STREAMS: input.instances,
    ...(input.task === "text-generation" ? { KV_CACHE_PRECISION: "u8" } : { PERFORMANCE_HINT: "LATENCY" }),
  });
}

function cacheSizeGb(input: ServerInput): number {
  return Math.max(1, Math.ceil(input.kvCacheGib));
}

/** The graph that the server writes itself when it pulls a model, for weights that are there already. */
function textFiles(input: ServerInput, name: string, directory: string): ServerFile[] {
  const config = {
    model_config_list: [],
    mediapipe_config_list: [{ name, base_path: CONFIG_DIRECTORY, graph_path: "graph.pbtxt" }],
  };
  const graph = `input_stream: "HTTP_REQUEST_PAYLOAD:input"
output_stream: "HTTP_RESPONSE_PAYLOAD:output"
node {
  name: "LLMExecutor"
  calculator: "HttpLLMCalculator"
  input_stream: "LOOPBACK:loopback"
  input_stream: "HTTP_REQUEST_PAYLOAD:input"
  input_side_packet: "LLM_NODE_RESOURCES:llm"
  output_stream: "LOOPBACK:loopback"
  output_stream: "HTTP_RESPONSE_PAYLOAD:output"
  input_stream_info {
    tag_index: "LOOPBACK:0"
    back_edge: true
  }
  node_options {
    [type.googleapis.com/mediapipe.LLMCalculatorOptions] {
      models_path: ${JSON.stringify(directory)}
      device: "CPU"
      max_num_seqs: ${input.concurrency}
      cache_size: ${cacheSizeGb(input)}
      enable_prefix_caching: true
      plugin_config: ${JSON.stringify(pluginConfig(input))}
    }
  }
  input_stream_handler {
    input_stream_handler: "SyncSetInputStreamHandler"
    options {
      [mediapipe.SyncSetInputStreamHandlerOptions.ext] {
        sync_set { tag_index: "LOOPBACK:0" }
      }
    }
  }
}
`;
  return [
    { path: `${CONFIG_DIRECTORY}/config.json`, content: `${JSON.stringify(config, null, 2)}\n` },
    { path: `${CONFIG_DIRECTORY}/graph.pbtxt`, content: graph },
  ];
}

function tensorFiles(input: ServerInput, name: string): ServerFile[] {
  const config = {
    model_config_list: [
      {
        config: {
          name,
          base_path: `${MODEL_DIRECTORY}/${name}`,
          nireq: Math.max(input.instances, input.concurrency),
          plugin_config: JSON.parse(pluginConfig(input)) as Record<string, unknown>,
        },
      },
    ],
  };
  return [{ path: `${CONFIG_DIRECTORY}/config.json`, content: `${JSON.stringify(config, null, 2)}\n` }];
}
