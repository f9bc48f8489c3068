import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readQuery } from "./promql.ts";

function facts(query: string) {
  const reading = readQuery(query);
  if (!reading.readable) throw new Error(`${query}: ${reading.problem}`);
  return reading;
}

test.each([
  'sum(vllm:num_requests_running{job="a/b"}) + sum(vllm:num_requests_waiting{job="a/b"})',
  "sum(rate(envoy_cluster_upstream_rq_total[1m]))",
  "max(x)",
  "min by () (x)",
  "count(up == 1)",
  "scalar(x)",
  "vector(1)",
  "sum(x) or vector(0)",
  "(sum(x) / sum(y)) * 100",
  "ceil(sum(x) / 3)",
  "clamp_max(sum(x), 10)",
  "histogram_quantile(0.95, sum by (le) (rate(vllm:time_to_first_token_seconds_bucket[5m])))",
  "sum(x) > 0",
  "topk(1, sum(x))",
  "absent(x)",
  "sum(x offset -5m) - sum(x @ 1609746000)",
  "max_over_time(sum(x)[10m:1m])",
  "sum without (pod) (sum(x))",
  "quantile(0.9, x)",
  'sum({__name__="vllm:num_requests_waiting"})',
  "sum(x) and on() vector(1)",
  "# the gateway's queue\nsum(x)",
])("one value: %s", (query) => {
  expect(facts(query).single).toBe(true);
});

test.each([
  "vllm:num_requests_waiting",
  'vllm:num_requests_waiting{namespace="search"}',
  "rate(x[5m])",
  "sum by (model_name) (x)",
  "sum(x) by (pod)",
  "sum without (pod) (x)",
  "topk(3, x)",
  "count_values('v', x)",
  "sum(x) + y",
  "x or vector(0)",
  "sum(x) / on() group_left() y",
  "histogram_quantile(0.95, sum by (le, pod) (rate(x_bucket[5m])))",
  "label_replace(x, 'a', '$1', 'b', '(.*)')",
])("several values: %s", (query) => {
  expect(facts(query).single).toBe(false);
});

test.each([
  ["avg(x)", true],
  ["round(avg(x))", true],
  ["avg(x) * 2", true],
  ["sum(x) / count(x)", true],
  ["avg(vllm:kv_cache_usage_perc) or vector(0)", true],
  ["sum(avg by (pod) (x))", false],
  ["sum(x)", false],
  ["sum(avg_over_time(x[5m]))", false],
  ["avg(x) * count(x)", false],
])("mean over replicas: %s is %s", (query, mean) => {
  expect(facts(query).mean).toBe(mean);
});

test.each([
  ["", "the query is empty"],
  ["   ", "the query is empty"],
  ["sum(x", 'it ends too early: a value or ")" is missing'],
  ["sum(x))", '")" closes nothing'],
  ["sum(x{a='b')", '"{" is never closed'],
  ["sum(rate(x[5m))", '"[" is never closed'],
  ["sum(x) +", 'it ends too early: a value or ")" is missing'],
  ["sum x", '"x" stands where "(" is needed'],
  ["sum(x) sum(y)", '"sum" follows nothing'],
  ["sum(x) ; drop", '"; drop" cannot be read'],
  ["(".repeat(5000), "brackets go deeper than 100"],
])("unreadable: %s", (query, problem) => {
  expect(readQuery(query)).toEqual({ readable: false, problem });
});

describe("metrics", () => {
  test("names of series only, each once", () => {
    const query =
      'sum by (model_name) (rate(vllm:request_success_total{finished_reason="stop"}[5m])) / on (model_name) group_left (pod) sum(vllm:request_success_total) unless up offset 5m';
    expect(facts(query).metrics).toEqual(["vllm:request_success_total", "up"]);
  });

  test("by matcher", () => {
    expect(facts('sum({__name__=~"te_queue_size", job="x"})').metrics).toEqual(["te_queue_size"]);
  });

  test("a bracket in a label's value is text", () => {
    expect(facts('sum(x{path="/a}b)"})').metrics).toEqual(["x"]);
  });
});

test("property: never throws, whatever it is given", () => {
  const word = fc.constantFrom(
    "sum",
    "avg",
    "by",
    "(",
    ")",
    "{",
    "}",
    "[5m]",
    "x",
    "+",
    "or",
    "on",
    ",",
    '"a"',
    "offset",
    "@",
    "1",
    " ",
    "-",
    "histogram_quantile",
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(word, { maxLength: 30 }).map((w) => w.join(" ")),
      ),
      (query) => {
        const reading = readQuery(query);
        expect(typeof reading.readable).toBe("boolean");
      },
    ),
    { numRuns: 2000 },
  );
});
