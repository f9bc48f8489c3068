import { downloadImage, engine } from "@capstan/catalog";
import type { EnvironmentVariable } from "../common-props.ts";
import { imageIdentity } from "../image.ts";
import { MODEL_DIRECTORY, modelVolume, type Server, type ServerInput, TMP } from "./engine.ts";

/** The image listens on 80, which a user that is not root cannot open. */
const PORT = 8080;
const DATA = "/data";

/** Text Embeddings Inference on CPU: embeddings, rerank and sequence classification, one batch at a time a pod. */
export function tei(input: ServerInput): Server {
  const facts = engine("tei");
  const local = input.cache !== null || input.source.kind === "s3";
  const revision = input.source.kind === "hub" && !local ? input.source.revision : null;
  const given = input.props.environmentVariables ?? [];
  return {
    args: [
      `--model-id=${local ? MODEL_DIRECTORY : input.model.repository}`,
      ...(revision === null ? [] : [`--revision=${revision}`]),
      "--dtype=float32",
      `--port=${PORT}`,
      "--hostname=0.0.0.0",
      `--prometheus-port=${facts.ports.metrics}`,
      `--served-model-name=${input.servedModelName}`,
      "--json-output",
      ...(input.props.extraArgs ?? []),
    ],
    environmentVariables: [
      ...ownEnvironment(input.threads).filter((own) => given.every((v) => v.name !== own.name)),
      ...given,
    ],
    files: [],
    port: PORT,
    paths: facts.paths,
    metrics: { port: facts.ports.metrics, portName: "metrics", path: facts.paths.metrics },
    loadMetrics: [facts.queueMetric.name],
    gaugesAfterFirstRequest: true,
    modelPath: local ? MODEL_DIRECTORY : null,
    fetch:
      input.source.kind === "s3" && input.cache === null
        ? {
            image: downloadImage(input.source.kind),
            source: input.source,
            path: null,
            directory: MODEL_DIRECTORY,
            bytes: input.model.weightsBytes,
          }
        : null,
    writable: [...(input.cache === null ? [modelVolume(input.weightsGib, local ? MODEL_DIRECTORY : DATA)] : []), TMP],
    identity: imageIdentity("tei", facts.image.defaultVersion),
  };
}

function ownEnvironment(threads: number): EnvironmentVariable[] {
  return [
    // The image sets 8 whatever the limit is.
    { name: "RAYON_NUM_THREADS", value: String(threads) },
    { name: "OMP_NUM_THREADS", value: String(threads) },
    { name: "MKL_NUM_THREADS", value: String(threads) },
    { name: "HF_HOME", value: DATA },
    { name: "HUGGINGFACE_HUB_CACHE", value: DATA },
  ];
}
