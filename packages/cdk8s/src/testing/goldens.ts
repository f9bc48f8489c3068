import type { Onnx } from "@capstan/core";
import { App, type Chart } from "cdk8s";
import { ModelCache } from "../model-cache/model-cache.ts";
import { OnnxService } from "../onnx-service.ts";
import { VllmService } from "../vllm-service.ts";
import { cachedPlatform, chart, chat, classifier, embeddings, phi } from "./fixtures.ts";

/** The reviewed files of `goldens/`, by name, as they are rendered now. */
export function renderGoldens(): Record<string, string> {
  return {
    "vllm-cached.yaml": yaml((c) => new VllmService(c, chat.name, chat)),
    "ovms.yaml": onnxYaml(phi),
    "triton.yaml": onnxYaml(classifier),
    "tei.yaml": onnxYaml(embeddings),
    "model-cache.yaml": yaml((c) => {
      for (const preloader of cachedPlatform().preloaders) new ModelCache(c, preloader.name, preloader);
    }),
  };
}

function onnxYaml(declaration: Onnx): string {
  return yaml((c) => new OnnxService(c, declaration.name, declaration));
}

function yaml(fill: (into: Chart) => unknown): string {
  const c = chart();
  fill(c);
  return App.of(c).synthYaml();
}
