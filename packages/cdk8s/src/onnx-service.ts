import type { Onnx, ResolvedOnnx } from "@capstan/core";
import { Construct } from "constructs";
import { attachDeclaration, type ServiceProps, serviceToRender } from "./service/declaration.ts";
import { createServingObjects, type ServingObjects } from "./service/serving-objects.ts";

/** The declaration itself, the service that `platform()` resolved, or one of them with context and `transform`. */
export type OnnxServiceProps = Onnx | ResolvedOnnx | ServiceProps<Onnx | ResolvedOnnx>;

/**
 * A model on CPU cores behind OpenVINO Model Server, Triton, Text Embeddings Inference or a server of one's own: the
 * objects of a `VllmService`, with the configuration files that the engine reads.
 *
 * ```ts
 * new OnnxService(chart, "phi-3-mini", onnx({ name: "phi-3-mini", team: "support", model, precision: "int4", pool: amx }));
 * ```
 *
 * Throws before anything is created where the declaration has errors; the message has all of them.
 */
export class OnnxService extends Construct {
  /** What was rendered: every value with where it came from. */
  readonly resolved: ResolvedOnnx;
  readonly objects: ServingObjects;

  constructor(scope: Construct, id: string, props: OnnxServiceProps) {
    const render = serviceToRender<ResolvedOnnx>(props);
    super(scope, id);
    this.resolved = render.service;
    this.objects = createServingObjects(this, render.service, render.transform);
    attachDeclaration(this, render);
  }
}
