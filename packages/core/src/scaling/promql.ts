import { type Token, tokens, UnreadableQuery } from "./promql-tokens.ts";

/** What KEDA's Prometheus scaler has to know of a query. */
export interface QueryFacts {
  /** Names of the series that it reads, each once. */
  readonly metrics: readonly string[];
  /** True where the result is one value: KEDA fails on a query with several. */
  readonly single: boolean;
  /** True where the value is a mean over replicas, which `AverageValue` divides by the replicas once more. */
  readonly mean: boolean;
}

export type QueryReading =
  | ({ readonly readable: true } & QueryFacts)
  | { readonly readable: false; readonly problem: string };

/** Several rules ask about one query after the other. */
const recent = new Map<string, QueryReading>();
const MOST_RECENT = 64;

/** Reads a PromQL query without asking a server. Never throws. */
export function readQuery(query: string): QueryReading {
  const known = recent.get(query);
  if (known !== undefined) return known;
  if (recent.size >= MOST_RECENT) recent.clear();
  const reading = read(query);
  recent.set(query, reading);
  return reading;
}

function read(query: string): QueryReading {
  try {
    const reader = new Reader(tokens(query));
    const value = reader.whole();
    return { readable: true, metrics: [...reader.metrics], single: value.labels?.size === 0, mean: value.mean };
  } catch (error) {
    if (error instanceof UnreadableQuery) return { readable: false, problem: error.message };
    throw error;
  }
}

/** Result of a part: the labels that tell its series apart (none: one value; null: any), and how it was made. */
interface Value {
  readonly labels: ReadonlySet<string> | null;
  readonly mean: boolean;
  readonly counts: boolean;
}

const ONE: Value = { labels: new Set(), mean: false, counts: false };
const MANY: Value = { labels: null, mean: false, counts: false };
const DEEPEST = 100;

const AGGREGATIONS = new Set(
  "sum min max avg group stddev stdvar count quantile count_values topk bottomk limitk limit_ratio".split(" "),
);
/** They keep series as they are, so they give one value only of one. */
const PICKING = new Set(["topk", "bottomk", "limitk", "limit_ratio", "count_values"]);
/** One value, whatever they are given. */
const SINGLE_FUNCTIONS = new Set("scalar vector time pi absent absent_over_time".split(" "));
const SET_OPERATORS = new Set(["and", "or", "unless"]);
const OPERATORS = new Set(["+", "-", "*", "/", "%", "^", "==", "!=", ">", "<", ">=", "<=", "atan2", ...SET_OPERATORS]);
const MATCHING = new Set(["on", "ignoring", "group_left", "group_right"]);
const MODIFIERS = new Set(["bool", ...MATCHING]);
const NUMBERS = new Set(["inf", "nan"]);

class Reader {
  readonly metrics = new Set<string>();
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;

  constructor(list: readonly Token[]) {
    this.#tokens = list;
  }

  whole(): Value {
    if (this.#tokens.length === 0) throw new UnreadableQuery("the query is empty");
    const value = this.#expression();
    const rest = this.#peek();
    if (rest) throw new UnreadableQuery(rest.text === ")" ? '")" closes nothing' : `"${rest.text}" follows nothing`);
    return value;
  }

  #expression(): Value {
    this.#depth++;
    if (this.#depth > DEEPEST) throw new UnreadableQuery(`brackets go deeper than ${DEEPEST}`);
    let left = this.#operand();
    for (let operator = this.#operator(); operator !== null; operator = this.#operator()) {
      left = combine(left, operator, this.#operand());
    }
    this.#depth--;
    return left;
  }

  #operator(): string | null {
    const token = this.#peek();
    if (!token || (token.kind !== "symbol" && token.kind !== "name")) return null;
    const operator = token.text.toLowerCase();
    if (!OPERATORS.has(operator)) return null;
    this.#at++;
    while (MODIFIERS.has(this.#peek()?.text.toLowerCase() ?? "")) {
      this.#at++;
      if (this.#peek()?.text === "(") this.#labels();
    }
    return operator;
  }

  #operand(): Value {
    while (this.#peek()?.text === "-" || this.#peek()?.text === "+") this.#at++;
    const value = this.#primary();
    for (let token = this.#peek(); token; token = this.#peek()) {
      // A range or subquery has the series of what is before it.
      if (token.kind === "range") this.#at++;
      else if (token.text === "@" || token.text.toLowerCase() === "offset") {
        this.#at++;
        this.#time();
      } else break;
    }
    return value;
  }

  /** `offset -5m`, `@ 1609746000`, `@ start()` */
  #time(): void {
    if (this.#peek()?.text === "-" || this.#peek()?.text === "+") this.#at++;
    const token = this.#take();
    if (token.kind === "name") {
      this.#expect("(");
      this.#expect(")");
    } else if (token.kind !== "number") throw new UnreadableQuery(`"${token.text}" is no time`);
  }

  #primary(): Value {
    const token = this.#take();
    if (token.kind === "number" || token.kind === "string") return ONE;
    if (token.kind === "matchers") return this.#selector(null, token.text);
    if (token.text === "(") {
      const inside = this.#expression();
      this.#expect(")");
      return inside;
    }
    if (token.kind !== "name") throw new UnreadableQuery(`"${token.text}" stands where a value is needed`);
    const name = token.text.toLowerCase();
    if (NUMBERS.has(name)) return ONE;
    if (AGGREGATIONS.has(name)) return this.#aggregation(name);
    if (this.#peek()?.text === "(") return this.#call(name);
    const matchers = this.#peek()?.kind === "matchers" ? this.#take().text : "";
    return this.#selector(token.text, matchers);
  }

  #selector(name: string | null, matchers: string): Value {
    const named =
      name ?? /__name__\s*=~?\s*["'`]([^"'`]+)["'`]/.exec(matchers)?.[1] ?? /^\s*["']([^"']+)["']/.exec(matchers)?.[1];
    if (named !== undefined) this.metrics.add(named);
    return MANY;
  }

  #aggregation(name: string): Value {
    let by = this.#grouping();
    const of = this.#arguments();
    by ??= this.#grouping();
    const inner = of.at(-1) ?? MANY;
    if (PICKING.has(name)) return { ...MANY, labels: inner.labels?.size === 0 ? inner.labels : null };
    const kept = by === null ? new Set<string>() : by.without ? null : by.labels;
    // What is one value already stays one, whatever it is grouped by.
    const labels =
      inner.labels === null || kept === null ? kept : new Set([...kept].filter((label) => inner.labels?.has(label)));
    return {
      labels: kept === null && inner.labels?.size === 0 ? inner.labels : labels,
      mean: name === "avg",
      counts: name === "count",
    };
  }

  #grouping(): { readonly without: boolean; readonly labels: Set<string> } | null {
    const word = this.#peek()?.text.toLowerCase();
    if (word !== "by" && word !== "without") return null;
    this.#at++;
    return { without: word === "without", labels: this.#labels() };
  }

  /** `(model, zone)` */
  #labels(): Set<string> {
    const labels = new Set<string>();
    this.#expect("(");
    for (let token = this.#take(); token.text !== ")"; token = this.#take()) {
      if (token.kind === "name" || token.kind === "string") labels.add(token.text);
      else if (token.text !== ",") throw new UnreadableQuery(`"${token.text}" is no label`);
    }
    return labels;
  }

  #call(name: string): Value {
    const given = this.#arguments();
    const mean = given.some((value) => value.mean);
    if (SINGLE_FUNCTIONS.has(name)) return { ...ONE, mean };
    const { labels } = given.find((value) => value.labels?.size !== 0) ?? ONE;
    // The buckets of a histogram become one value.
    const kept = name.startsWith("histogram_") && labels !== null ? without(labels, "le") : labels;
    return { labels: kept, mean, counts: false };
  }

  #arguments(): Value[] {
    const given: Value[] = [];
    this.#expect("(");
    if (this.#peek()?.text === ")") {
      this.#at++;
      return given;
    }
    for (;;) {
      given.push(this.#expression());
      const token = this.#take();
      if (token.text === ")") return given;
      if (token.text !== ",") throw new UnreadableQuery(`"${token.text}" stands where "," or ")" is needed`);
    }
  }

  #peek(): Token | undefined {
    return this.#tokens[this.#at];
  }

  #take(): Token {
    const token = this.#tokens[this.#at++];
    if (!token) throw new UnreadableQuery('it ends too early: a value or ")" is missing');
    return token;
  }

  #expect(text: string): void {
    const token = this.#take();
    if (token.kind !== "symbol" || token.text !== text)
      throw new UnreadableQuery(`"${token.text}" stands where "${text}" is needed`);
  }
}

function combine(left: Value, operator: string, right: Value): Value {
  if (operator === "and" || operator === "unless") return left;
  const single = left.labels?.size === 0 && right.labels?.size === 0;
  if (operator === "or") return single ? { ...left, mean: left.mean || right.mean } : MANY;
  const mean = isMean(left, operator, right);
  if (single) return { labels: left.labels, mean, counts: false };
  const equal =
    left.labels !== null &&
    right.labels !== null &&
    left.labels.size === right.labels.size &&
    [...left.labels].every((l) => right.labels?.has(l));
  return equal ? { labels: left.labels, mean, counts: false } : { ...MANY, mean };
}

function without(labels: ReadonlySet<string>, label: string): Set<string> {
  return new Set([...labels].filter((l) => l !== label));
}

/** A sum over a count of pods is a mean, and a mean times their count is a sum. */
function isMean(left: Value, operator: string, right: Value): boolean {
  if (operator === "*" && ((left.mean && right.counts) || (left.counts && right.mean))) return false;
  return left.mean || right.mean || (operator === "/" && right.counts);
}
