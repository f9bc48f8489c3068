import type { Alias, Document, Node } from "yaml";
import { isAlias, isCollection, isNode, isPair } from "yaml";

/** Nobody writes as much configuration; ten aliases of aliases can stand for ten thousand million values. */
const MOST_VALUES = 100_000;

export interface AliasProblem {
  /** Where in the file, in characters. */
  readonly offset: number;
  readonly message: string;
}

/** The first alias (`*name`) that stands for nothing, for what it is itself part of, or for too much. */
export function aliasProblem(document: Document): AliasProblem | undefined {
  const anchors = new Map<string, Node>();
  /** How many values each finished node stands for, what its aliases stand for included. */
  const sizes = new Map<Node, number>();
  let total = 0;
  let problem: AliasProblem | undefined;

  const sizeOfAlias = (alias: Alias): number => {
    const target = anchors.get(alias.source);
    const size = target === undefined ? undefined : sizes.get(target);
    if (size !== undefined) {
      total += size;
      if (total > MOST_VALUES)
        problem ??= at(alias, `the aliases up to here stand for more than ${MOST_VALUES} values`);
      return size;
    }
    const name = JSON.stringify(alias.source);
    problem ??= at(
      alias,
      target === undefined ? `there is no anchor ${name} before this alias` : `the value of ${name} contains itself`,
    );
    return 0;
  };
  const sizeOf = (node: unknown): number => {
    if (problem !== undefined) return 0;
    if (isPair(node)) return sizeOf(node.key) + sizeOf(node.value);
    if (!isNode(node)) return 0;
    if (isAlias(node)) return sizeOfAlias(node);
    if (node.anchor !== undefined) anchors.set(node.anchor, node);
    let size = 1;
    if (isCollection(node)) for (const item of node.items) size += sizeOf(item);
    sizes.set(node, size);
    return size;
  };
  sizeOf(document.contents);
  return problem;
}

function at(alias: Alias, message: string): AliasProblem {
  return { offset: alias.range?.[0] ?? 0, message };
}
