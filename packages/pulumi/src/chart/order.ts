import type { ApiObject } from "cdk8s";
import { ApiObject as ApiObjectClass } from "cdk8s";
import type { IConstruct } from "constructs";
import type { Manifest } from "../kubernetes-object.ts";
import { keysOf, needs } from "./references.ts";
import { selectionOrder } from "./selection.ts";

export interface Ordered {
  readonly object: ApiObject;
  readonly manifest: Manifest;
  /** Objects of the same chart that come first, in the order of the construct tree. */
  readonly after: readonly ApiObject[];
  /** Objects that the program says come first and that are in another chart. */
  readonly foreign: readonly ApiObject[];
}

interface Item {
  readonly object: ApiObject;
  readonly manifest: Manifest;
}

/**
 * The objects of a chart in an order in which each can be created, and what each has to wait for: what the program says
 * by `addDependency`, and what the manifests say by name and selector (a namespace before what is in it, accounts,
 * configuration and volumes before the pods that name them, pods before what scales or watches them). What the program
 * says wins where the two contradict.
 */
export function inOrder(items: readonly Item[]): Ordered[] {
  const said = items.map((item) => statedDependencies(item.object));
  const indexOf = new Map(items.map(({ object }, index) => [object, index]));
  const edges = said.map((objects) => new Set(objects.flatMap((o) => indexOf.get(o) ?? [])));
  addImplied(edges, impliedOrder(items.map(({ manifest }) => manifest)));
  return topological(items, edges).map((index) => {
    const { object, manifest } = items[index]!;
    return {
      object,
      manifest,
      after: [...edges[index]!].sort((a, b) => a - b).map((i) => items[i]!.object),
      foreign: said[index]!.filter((o) => !indexOf.has(o)),
    };
  });
}

/** Also what an enclosing construct depends on, and every object below what is depended on. */
function statedDependencies(object: ApiObject): ApiObject[] {
  const found = new Set<ApiObject>();
  for (const scope of object.node.scopes) {
    for (const dependency of scope.node.dependencies) {
      for (const other of objectsBelow(dependency)) if (other !== object) found.add(other);
    }
  }
  return [...found];
}

function objectsBelow(construct: IConstruct): ApiObject[] {
  return construct.node.findAll().filter(ApiObjectClass.isApiObject);
}

function impliedOrder(manifests: readonly Manifest[]): [later: number, earlier: number][] {
  const byKey = new Map<string, number>();
  manifests.forEach((manifest, index) => {
    for (const key of keysOf(manifest)) byKey.set(key, index);
  });
  const pairs: [number, number][] = [];
  manifests.forEach((manifest, later) => {
    for (const key of needs(manifest)) {
      const earlier = byKey.get(key);
      if (earlier !== undefined && earlier !== later) pairs.push([later, earlier]);
    }
  });
  return [...pairs, ...selectionOrder(manifests)];
}

/**
 * Implied order alone is never circular. Only where the program has said something can it be, so only what reaches a
 * stated dependency is looked at.
 */
function addImplied(edges: Set<number>[], implied: readonly (readonly [number, number])[]): void {
  const stated = edges.some((set) => set.size > 0);
  for (const [later, earlier] of implied) {
    if (stated && reaches(edges, earlier, later)) continue;
    edges[later]!.add(earlier);
  }
}

function reaches(edges: readonly ReadonlySet<number>[], from: number, to: number): boolean {
  const seen = new Set<number>();
  const open = [from];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (at === to) return true;
    if (seen.has(at)) continue;
    seen.add(at);
    open.push(...edges[at]!);
  }
  return false;
}

function topological(items: readonly Item[], edges: readonly ReadonlySet<number>[]): number[] {
  const done = new Set<number>();
  const path: number[] = [];
  const visit = (index: number) => {
    if (done.has(index)) return;
    if (path.includes(index)) {
      const circle = [...path.slice(path.indexOf(index)), index].map((i) => items[i]!.object.node.path);
      throw new Error(
        `these objects depend on each other in a circle: ${circle.join(" -> ")}; take one dependency out`,
      );
    }
    path.push(index);
    for (const earlier of [...edges[index]!].sort((a, b) => a - b)) visit(earlier);
    path.pop();
    done.add(index);
  };
  items.forEach((_, index) => {
    visit(index);
  });
  return [...done];
}
