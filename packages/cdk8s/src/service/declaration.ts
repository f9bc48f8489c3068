import {
  DECLARATION_METADATA,
  type DeclaredService,
  type Onnx,
  type ResolveContext,
  type ResolvedOnnx,
  type ResolvedService,
  type ResolvedVllm,
  resolveService,
  standalone,
  throwOnErrors,
  type Vllm,
} from "@capstan/core";
import type { Construct } from "constructs";
import { attachRefs } from "../refs.ts";
import type { ServiceTransform } from "./serving-objects.ts";

/** A service with what surrounds it, in the long form of a service construct's props. */
export interface ServiceProps<D> {
  /** The declaration, or the service as `platform()` resolved it. */
  readonly service: D;
  /**
   * What the service needs to know of its surroundings. For a resolved service: what it was resolved with, which is
   * written beside it for plan, diff and policy.
   * @default standalone
   */
  readonly context?: ResolveContext;
  /** @default - the objects stay as rendered */
  readonly transform?: ServiceTransform;
}

export interface ServiceToRender<R> {
  readonly service: R;
  readonly context: ResolveContext;
  readonly transform: ServiceTransform;
}

type Declared<R extends ResolvedService> = R extends ResolvedVllm ? Vllm : Onnx;

/** The resolved service behind any form of props. Throws every error finding at once, before anything is created. */
export function serviceToRender<R extends ResolvedVllm | ResolvedOnnx>(
  props: Declared<R> | R | ServiceProps<Declared<R> | R>,
): ServiceToRender<R> {
  const given: ServiceProps<Declared<R> | R> = "service" in props ? props : { service: props };
  const { service: declared, context = standalone, transform = {} } = given;
  if (!("props" in declared)) return { service: declared as R, context, transform };
  const subject = `service "${declared.name}"`;
  const { service, findings } = resolveService(declared, context);
  throwOnErrors(subject, findings);
  if (service === null) throw new Error(`${subject} cannot be resolved: ${findings.map((f) => f.message).join("; ")}`);
  return { service: service as R, context, transform };
}

/** Puts the resolved service beside its objects, so that plan, diff and policy can rebuild the platform from the chart. */
export function attachDeclaration(construct: Construct, { service, context }: ServiceToRender<ResolvedService>): void {
  const declared: DeclaredService = { service, context };
  construct.node.addMetadata(DECLARATION_METADATA, declared);
  attachRefs(construct, service.refs);
}
