export type Token =
  | { readonly kind: "name" | "number" | "string" | "symbol"; readonly text: string }
  /** Inside of `{...}`. */
  | { readonly kind: "matchers"; readonly text: string }
  /** Inside of `[...]`. */
  | { readonly kind: "range"; readonly text: string };

export class UnreadableQuery extends Error {}

const PATTERNS: readonly (readonly ["name" | "number" | "string" | "symbol", RegExp])[] = [
  ["number", /(?:0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)(?:ms|[smhdwy](?:\d+(?:ms|[smhdwy]))*)?/y],
  ["name", /[A-Za-z_][A-Za-z0-9_:]*/y],
  ["string", /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`]*`/y],
  ["symbol", /==|!=|>=|<=|[-+*/%^<>(),@]/y],
];
const SKIPPED = /(?:\s+|#[^\n]*)+/y;
const CLOSING = { "{": "}", "[": "]" } as const;

/** Splits PromQL far enough to tell what a query aggregates. Throws `UnreadableQuery`. */
export function tokens(query: string): Token[] {
  const found: Token[] = [];
  let at = 0;
  while (at < query.length) {
    const skipped = match(SKIPPED, query, at);
    if (skipped !== null) {
      at += skipped.length;
      continue;
    }
    const character = query[at];
    if (character === "{" || character === "[") {
      const end = closing(query, at, CLOSING[character]);
      found.push({ kind: character === "{" ? "matchers" : "range", text: query.slice(at + 1, end) });
      at = end + 1;
      continue;
    }
    const token = next(query, at);
    if (token === null) throw new UnreadableQuery(`"${query.slice(at, at + 10)}" cannot be read`);
    found.push(token);
    at += token.text.length;
  }
  return found;
}

function next(query: string, at: number): Token | null {
  for (const [kind, pattern] of PATTERNS) {
    const text = match(pattern, query, at);
    if (text !== null) return { kind, text };
  }
  return null;
}

function match(sticky: RegExp, text: string, at: number): string | null {
  sticky.lastIndex = at;
  return sticky.exec(text)?.[0] ?? null;
}

/** Position of the bracket that ends what starts here; a bracket in a label's value is text. */
function closing(query: string, start: number, bracket: string): number {
  let at = start + 1;
  while (at < query.length) {
    const character = query[at];
    if (character === bracket) return at;
    const text = character === '"' || character === "'" || character === "`" ? next(query, at)?.text : undefined;
    at += text?.length ?? 1;
  }
  throw new UnreadableQuery(`"${query[start]}" is never closed`);
}
