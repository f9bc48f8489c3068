import type { ResolvedVllm, Vllm } from "@capstan/core";
import { Construct } from "constructs";
import { attachDeclaration, type ServiceProps, serviceToRender } from "./service/declaration.ts";
import { createServingObjects, type ServingObjects } from "./service/serving-objects.ts";

/** The declaration itself, the service that `platform()` resolved, or one of them with context and `transform`. */
export type VllmServiceProps = Vllm | ResolvedVllm | ServiceProps<Vllm | ResolvedVllm>;

/**
 * A model on GPUs behind vLLM: Deployment, Service, ServiceAccount, NetworkPolicy and, where they apply, disruption
 * budget, autoscaler, PodMonitor and the volume of the node cache.
 *
 * ```ts
 * new VllmService(chart, "llama-8b", vllm({ name: "llama-8b", team: "search", model, pool: l40s }));
 * ```
 *
 * Throws before anything is created where the declaration has errors; the message has all of them.
 */
export class VllmService extends Construct {
  /** What was rendered: every value with where it came from. */
  readonly resolved: ResolvedVllm;
  readonly objects: ServingObjects;

  constructor(scope: Construct, id: string, props: VllmServiceProps) {
    const render = serviceToRender<ResolvedVllm>(props);
    super(scope, id);
    this.resolved = render.service;
    this.objects = createServingObjects(this, render.service, render.transform);
    attachDeclaration(this, render);
  }
}
