import { busiestHour } from "../../plan/speed/sustained-load.ts";
import { replicaThroughput } from "../../plan/speed/throughput.ts";
import { gpuPool } from "../../pool/declare.ts";
import { fixed, onQueue } from "../../scaling/props.ts";
import { vllm } from "../../service/declare.ts";
import type { VllmProps } from "../../service/vllm-props.ts";
import { classifier } from "../onnx/examples.ts";
import { serviceRule } from "../rule.ts";

function qwen(props: Partial<VllmProps>) {
  return vllm({
    name: "qwen",
    team: "search",
    model: "Qwen/Qwen3-8B",
    pool: gpuPool({ name: "l40s", instanceType: "g6e.2xlarge", size: { min: 1, max: 8 } }),
    maxModelLen: 8192,
    ...props,
  });
}

function bounded(props: Partial<VllmProps>) {
  return qwen({ objective: { ttftP99Ms: 1500 }, ...props });
}

const small = { requestsPerDay: 20_000, promptTokens: 500, outputTokens: 100 };

/** What the declared replicas cannot do in the busiest hour, by the plan's own figures. */
export const objectiveMissed = serviceRule({
  id: "service.objective.missed",
  severity: "warning",
  reason: "By the predicted speed the busiest hour misses the objective even with every replica that scaling allows.",
  reference: "the speed model's calibration, npm run bench:accuracy",
  check: (service) => {
    const { objective, traffic, scaling } = service;
    if (!objective || !traffic) return [];
    const throughput = replicaThroughput(service, traffic);
    if (!throughput?.underObjective) return [];
    const peak = busiestHour(traffic, throughput);
    const wanted = Object.entries(objective)
      .map(([name, ms]) => `${name} ${ms}`)
      .join(" and ");
    if (peak === null) {
      return [
        {
          at: "objective",
          message: `not even one request alone meets ${wanted}: its first token takes about ${Math.round(throughput.ttftSeconds.expected * 1000)} ms under load`,
          remedy:
            "allow more time, send shorter prompts, or use a faster GPU, more tensor parallelism or an fp8 checkpoint",
        },
      ];
    }
    if (peak.replicas <= scaling.max) return [];
    return [
      {
        at: "scaling.max",
        message: `the busiest hour (${peak.requestsPerSecond.toFixed(1)} requests a second) needs about ${peak.replicas} replicas for ${wanted}; scaling stops at ${scaling.max}`,
        remedy: `raise max to ${peak.replicas}, allow more time, or use a faster GPU`,
      },
    ];
  },
  examples: {
    bad: [
      {
        title: "time that no GPU meets",
        declare: () => bounded({ objective: { ttftP99Ms: 1 }, traffic: small }),
        at: "objective",
      },
      {
        title: "one replica for millions",
        declare: () =>
          bounded({ scaling: fixed(1), traffic: { requestsPerDay: 5_000_000, promptTokens: 500, outputTokens: 100 } }),
        at: "scaling.max",
      },
    ],
    good: [
      { title: "room to scale", declare: () => bounded({ scaling: onQueue({ min: 1, max: 8 }), traffic: small }) },
      { title: "no traffic to hold it against", declare: () => bounded({}) },
    ],
  },
});

/** The same without an objective: nothing says how long a request may wait, but it would wait for ever. */
export const overload = serviceRule({
  id: "service.traffic.overload",
  severity: "warning",
  reason:
    "Requests that come faster than every allowed replica serves them queue without end, by the predicted speed and with the reserve that the plan keeps.",
  reference: "the speed model's calibration, npm run bench:accuracy",
  check: (service) => {
    const { objective, traffic, scaling } = service;
    if (objective || !traffic) return [];
    const throughput = replicaThroughput(service, traffic);
    if (!throughput) return [];
    const peak = busiestHour(traffic, throughput);
    if (peak === null || peak.replicas <= scaling.max) return [];
    return [
      {
        at: "scaling.max",
        message: `the busiest hour (${peak.requestsPerSecond.toFixed(1)} requests a second) needs about ${peak.replicas} replicas; scaling stops at ${scaling.max}`,
        remedy: `raise max to ${peak.replicas}, use a faster GPU, or correct traffic`,
      },
    ];
  },
  examples: {
    bad: [
      {
        title: "one replica for millions",
        declare: () =>
          qwen({
            scaling: fixed(1),
            traffic: { requestsPerDay: 5_000_000, promptTokens: 500, outputTokens: 100 },
          }),
        at: "scaling.max",
      },
    ],
    good: [
      {
        title: "room to scale",
        declare: () => qwen({ scaling: onQueue({ min: 1, max: 8 }), traffic: small }),
      },
    ],
  },
});

/** Traffic that nothing can be said about must not look like traffic that was checked. */
export const speedUnknown = serviceRule({
  id: "service.traffic.speed-unknown",
  severity: "info",
  reason:
    "Without a model of the engine's speed the plan cannot say how many replicas the traffic needs, nor what a token costs.",
  reference: "packages/core/src/plan/speed/throughput.ts",
  check: (service) => {
    if (!service.traffic || replicaThroughput(service, service.traffic)) return [];
    // Not serving at all has a finding of its own.
    if (service.kind === "vllm" && service.memory?.supported && service.memory.verdict !== "serves") return [];
    return [
      {
        at: "traffic",
        message: `the speed of ${service.model.id} on ${service.pool.instanceTypes[0] ?? service.pool.name} is not known: replicas are planned at their smallest number and tokens have no price`,
        remedy: "measure one replica under load and size scaling by it",
      },
    ];
  },
  examples: {
    bad: [
      {
        title: "a classifier of tables",
        declare: () => classifier({ traffic: { requestsPerDay: 10_000, promptTokens: 0, outputTokens: 0 } }),
        at: "traffic",
      },
    ],
    good: [{ title: "a model that is known", declare: () => qwen({ traffic: small }) }],
  },
});
