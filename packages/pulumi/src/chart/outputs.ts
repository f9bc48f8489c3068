import { refsOf } from "@capstan/cdk8s";
import { isRef, type Ref } from "@capstan/core";
import * as pulumi from "@pulumi/pulumi";
import { ApiObject, App, type Chart, type IResolver, type ResolutionContext } from "cdk8s";
import { outputOf, type TokenValues } from "../fill.ts";
import type { Manifest } from "../kubernetes-object.ts";

export interface RenderedChart {
  /** In the order of the construct tree. */
  readonly objects: readonly { readonly object: ApiObject; readonly manifest: Manifest }[];
  readonly values: TokenValues;
}

/**
 * Renders the objects of a chart. Outputs and refs that stand in them become tokens, since cdk8s takes plain data only;
 * `values` has them.
 */
export function render(chart: Chart): RenderedChart {
  const held: pulumi.Output<unknown>[] = [];
  const hold = (value: pulumi.Output<unknown>) => `\${capstan-output:${held.push(value) - 1}}`;
  const { resolvers } = App.of(chart);
  resolvers.unshift(new OutputResolver(hold));
  try {
    const objects = apiObjects(chart).map((object) => ({ object, manifest: manifestOf(object) }));
    const refs = refsOf(chart);
    return { objects, values: (token) => held[indexOf(token)] ?? refOutput(refs, token) };
  } finally {
    // The app is the caller's: a later synth of his own must fail on an Output, not print our tokens.
    resolvers.shift();
  }
}

class OutputResolver implements IResolver {
  readonly #hold: (value: pulumi.Output<unknown>) => string;

  constructor(hold: (value: pulumi.Output<unknown>) => string) {
    this.#hold = hold;
  }

  resolve(context: ResolutionContext): void {
    const { value } = context;
    if (pulumi.Output.isInstance(value)) context.replaceValue(this.#hold(value));
    else if (isRef(value)) context.replaceValue(this.#hold(outputOf(value, context.obj.node.path)));
  }
}

/** At any depth, those of nested charts too: what is given is deployed. */
function apiObjects(chart: Chart): ApiObject[] {
  return chart.node.findAll().filter(ApiObject.isApiObject);
}

/** Kinds of Kubernetes' own without namespace. */
const CLUSTER_KINDS = new Set([
  "Namespace",
  "CustomResourceDefinition",
  "PersistentVolume",
  "StorageClass",
  "PriorityClass",
  "RuntimeClass",
  "ClusterRole",
  "ClusterRoleBinding",
]);

function manifestOf(object: ApiObject): Manifest {
  const manifest = object.toJson() as Manifest;
  // cdk8s puts the chart's namespace on every object; here it would be a part of the resource's name.
  if (CLUSTER_KINDS.has(manifest.kind)) delete manifest.metadata.namespace;
  return manifest;
}

function indexOf(token: string): number {
  return Number(/^\$\{capstan-output:(\d+)\}$/.exec(token)?.[1] ?? -1);
}

function refOutput(refs: ReadonlyMap<string, Ref>, token: string): pulumi.Output<unknown> | undefined {
  const ref = refs.get(/^\$\{ref:(.+)\}$/.exec(token)?.[1] ?? "");
  return ref && outputOf(ref, token);
}
