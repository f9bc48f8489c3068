import {
  DECLARATION_METADATA,
  declarationJson,
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
   * What the service needs to know of its surroundings; used for a declaration only, since a resolved service has it.
   * @default standalone
   */
  readonly context?: ResolveContext;
  /** @default - the objects stay as rendered */
  readonly transform?: ServiceTransform;
}

export type Declared<R extends ResolvedService> = R extends ResolvedVllm ? Vllm : Onnx;

/** The resolved service behind any form of props. Throws every error finding at once, before anything is created. */
export function resolvedService<R extends ResolvedVllm | ResolvedOnnx>(
  props: Declared<R> | R | ServiceProps<Declared<R> | R>,
): { readonly declared: Declared<R> | R; readonly service: R; readonly transform: ServiceTransform } {
  const given: ServiceProps<Declared<R> | R> = "service" in props ? props : { service: props };
  const declared = given.service;
  const transform = given.transform ?? {};
  if (!("props" in declared)) return { declared, service: declared as R, transform };
  const subject = `service "${declared.name}"`;
  const { service, findings } = resolveService(declared, given.context ?? standalone);
  throwOnErrors(subject, findings);
  if (service === null) throw new Error(`${subject} cannot be resolved: ${findings.map((f) => f.message).join("; ")}`);
  return { declared, service: service as R, transform };
}

/** Puts what the construct was made from beside it, secret-free, so that plan, diff and policy can rebuild it. */
export function attachDeclaration(construct: Construct, declared: Vllm | Onnx | ResolvedService, service: ResolvedService): void {
  construct.node.addMetadata(DECLARATION_METADATA, declarationJson(declared));
  attachRefs(construct, service.refs);
}
