import { type ApiObject, type ApiObjectProps, Chart, JsonPatch } from "cdk8s";
import type { Construct } from "constructs";
import { PlainObject } from "./plain-object.ts";

/**
 * Changes the manifest of one child: edit it in place, or return another one. It runs last, and nothing is decided
 * again afterwards; rules on rendered objects judge the result.
 */
// biome-ignore lint/suspicious/noConfusingVoidType: an in-place edit is written as a function without return.
export type Transform<T> = (manifest: T) => T | void;

/** What every Kubernetes object has. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata?: { name?: string };
}

/**
 * All objects are `ApiObject`s made from plain manifests, also those for which cdk8s-plus has a class: an L2 object is
 * not a manifest that `transform` could be given, adds fields that nobody resolved (`immutable: false`,
 * `externalIPs: []`), its L1 drops fields newer than Kubernetes 1.28, and its module takes as long to load as cdk8s
 * itself. `cdk8s-plus.test.ts` fails when that is no longer so. A program may use cdk8s-plus beside these constructs.
 */
export function createObject<T extends Manifest>(
  scope: Construct,
  id: string,
  manifest: T,
  transform: Transform<T> | undefined,
): ApiObject {
  return new PlainObject(scope, id, transformed(manifest, transform) as unknown as ApiObjectProps);
}

/** An object without namespace. cdk8s would put the chart's namespace into it. */
export function createClusterObject<T extends Manifest>(
  scope: Construct,
  id: string,
  manifest: T,
  transform: Transform<T> | undefined,
): ApiObject {
  const object = createObject(scope, id, manifest, transform);
  if (Chart.of(scope).namespace !== undefined) object.addJsonPatch(JsonPatch.remove("/metadata/namespace"));
  return object;
}

function transformed<T>(manifest: T, transform: Transform<T> | undefined): T {
  if (transform === undefined) return manifest;
  // A copy: manifests share frozen parts with the resolved declaration, and an edit must not reach it.
  const copy = structuredClone(manifest);
  return transform(copy) ?? copy;
}
