import { downloadImage } from "@capstan/catalog";
import { nonRoot } from "../image.ts";
import type { CustomEngine } from "../onnx-props.ts";
import { MODEL_DIRECTORY, modelVolume, type Server, type ServerInput, TMP } from "./engine.ts";

/** A server of the user's own: what it needs was declared with it. */
export function custom(engine: CustomEngine, input: ServerInput): Server {
  const given = input.props.environmentVariables ?? [];
  const tells = engine.threadsVariable !== null && given.every((v) => v.name !== engine.threadsVariable);
  const threads = tells ? [{ name: engine.threadsVariable ?? "", value: String(input.threads) }] : [];
  return {
    args: [...engine.args, ...(input.props.extraArgs ?? [])],
    environmentVariables: [...threads, ...given],
    files: [],
    port: engine.port,
    paths: { ready: engine.healthPath, live: engine.healthPath },
    metrics: engine.metrics && {
      port: engine.metrics.port,
      portName: engine.metrics.port === engine.port ? "http" : "metrics",
      path: engine.metrics.path,
    },
    loadMetrics: engine.metrics?.queueMetric == null ? [] : [engine.metrics.queueMetric],
    modelPath: MODEL_DIRECTORY,
    fetch: input.cache
      ? null
      : {
          image: downloadImage(input.source.kind),
          source: input.source,
          path: input.model.path,
          directory: MODEL_DIRECTORY,
          bytes: input.model.weightsBytes,
        },
    writable: [...(input.cache ? [] : [modelVolume(input.weightsGib, MODEL_DIRECTORY)]), TMP],
    identity: nonRoot(engine.runAsUser, engine.runAsUser, engine.runAsUser),
  };
}
