import {
  ApiObject,
  type ApiObjectProps,
  App,
  ImplicitTokenResolver,
  type JsonPatch,
  LazyResolver,
  NumberStringUnionResolver,
} from "cdk8s";
import type { Construct } from "constructs";

/**
 * An `ApiObject` that knows its manifest to be plain data most of the time. cdk8s asks every resolver of the app about
 * every value of every object, which for the thousands of objects of a large platform costs more than all the rest; its
 * own resolvers have nothing to say about plain data. What this leaves to them: Lazy values and other instances that a
 * `transform` put in, patches, and all objects of an app with a resolver of somebody else's (the Pulumi bridge).
 */
export class PlainObject extends ApiObject {
  readonly #manifest: ApiObjectProps;
  #patched = false;

  constructor(scope: Construct, id: string, manifest: ApiObjectProps) {
    super(scope, id, manifest);
    this.#manifest = manifest;
  }

  override addJsonPatch(...ops: JsonPatch[]): void {
    this.#patched = true;
    super.addJsonPatch(...ops);
  }

  override toJson(): unknown {
    const sort = process.env.CDK8S_DISABLE_SORT === undefined || process.env.CDK8S_DISABLE_SORT === "";
    if (this.#patched || !sort || !App.of(this).resolvers.every(isOfCdk8s)) return super.toJson();
    const { apiVersion, kind, metadata: _, ...rest } = this.#manifest;
    const plain = sorted(rest);
    return plain === NOT_PLAIN
      ? super.toJson()
      : { apiVersion, kind, metadata: this.metadata.toJson(), ...(plain as object) };
  }
}

function isOfCdk8s(resolver: unknown): boolean {
  return (
    resolver instanceof LazyResolver ||
    resolver instanceof ImplicitTokenResolver ||
    resolver instanceof NumberStringUnionResolver
  );
}

const NOT_PLAIN = Symbol("not plain");

/** As cdk8s writes it: keys in order, null and undefined left out. */
function sorted(value: unknown): unknown {
  if (value === null) return undefined;
  if (typeof value === "function") return NOT_PLAIN;
  if (typeof value !== "object") return value;
  if (Array.isArray(value)) {
    const copies = value.map(sorted);
    return copies.includes(NOT_PLAIN) ? NOT_PLAIN : copies;
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) return NOT_PLAIN;
  const source = value as Record<string, unknown>;
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(source).sort()) {
    const child = sorted(source[key]);
    if (child === NOT_PLAIN) return NOT_PLAIN;
    if (child !== undefined) copy[key] = child;
  }
  return copy;
}
