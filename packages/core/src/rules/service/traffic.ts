import type { ResolvedService } from "../../service/resolved.ts";
import { bge, classifier, phi } from "../onnx/examples.ts";
import { serviceRule } from "../rule.ts";
import { llama } from "./examples.ts";

const HOURS_PER_DAY = 24;
const traffic = { requestsPerDay: 400_000, promptTokens: 900, outputTokens: 250 };

/** Longest prompt plus answer that the service takes; null: not bounded, or not known. */
function longestTokens(service: ResolvedService): number | null {
  if (service.kind === "onnx") return service.contextTokens ?? service.model.facts?.maxPositionEmbeddings ?? null;
  return typeof service.maxModelLen === "number" ? service.maxModelLen : null;
}

function generates(service: ResolvedService): boolean {
  return service.kind === "onnx" ? service.task === "text-generation" : service.model.facts?.generative !== false;
}

export const impossibleTraffic = serviceRule({
  id: "service.traffic.impossible",
  severity: "error",
  acknowledgeable: false,
  reason:
    "Speed, replicas and the price of a token follow from these figures; with ones that no day can have, all of them are wrong.",
  reference: "packages/core/src/service/common-props.ts, Traffic",
  check: (service) => {
    const { traffic: given } = service;
    if (given === null) return [];
    const hits = [];
    const tokens = given.promptTokens + given.outputTokens;
    const longest = longestTokens(service);
    if (longest !== null && tokens > longest) {
      hits.push({
        at: "traffic.promptTokens",
        message: `the mean request has ${tokens} tokens; the service takes ${longest}`,
        remedy: `raise ${service.kind === "vllm" ? "maxModelLen" : "contextTokens"}, or correct promptTokens and outputTokens`,
      });
    }
    if (given.peakToMean > HOURS_PER_DAY) {
      hits.push({
        at: "traffic.peakToMean",
        message: `${given.peakToMean} times the mean hour is more than a day has in one hour; the most is ${HOURS_PER_DAY}`,
        remedy: "use the busiest hour over the mean hour, usually 2 to 6",
      });
    }
    if (generates(service) && given.promptTokens === 0)
      hits.push({
        at: "traffic.promptTokens",
        message: "a prompt of no tokens",
        remedy: "give the mean length of a prompt, with its system prompt",
      });
    return hits;
  },
  examples: {
    bad: [
      {
        title: "longer than the context",
        declare: () => llama({ maxModelLen: 1024, traffic }),
        at: "traffic.promptTokens",
      },
      {
        title: "longer than an encoder reads",
        declare: () => bge({ traffic: { requestsPerDay: 1000, promptTokens: 4000, outputTokens: 0 } }),
        at: "traffic.promptTokens",
      },
      {
        title: "more than a day in an hour",
        declare: () => llama({ traffic: { ...traffic, peakToMean: 40 } }),
        at: "traffic.peakToMean",
      },
      {
        title: "no prompt",
        declare: () => phi({ traffic: { ...traffic, promptTokens: 0 } }),
        at: "traffic.promptTokens",
      },
    ],
    good: [
      { title: "chat", declare: () => llama({ traffic }) },
      {
        title: "a classifier of tables, which has no tokens",
        declare: () => classifier({ traffic: { requestsPerDay: 1000, promptTokens: 0, outputTokens: 0 } }),
      },
    ],
  },
});

export const oddTraffic = serviceRule({
  id: "service.traffic.odd",
  severity: "warning",
  reason:
    "The plan takes the figures as they are: without requests or answers there is no price of a token, and answers of an encoder are priced that nobody gets.",
  reference: "packages/core/src/service/common-props.ts, Traffic",
  check: (service) => {
    const { traffic: given } = service;
    if (given === null) return [];
    const hits = [];
    if (given.requestsPerDay === 0)
      hits.push({
        at: "traffic.requestsPerDay",
        message: "no requests a day",
        remedy: "leave traffic out where it is not known",
      });
    if (generates(service) && given.outputTokens === 0)
      hits.push({
        at: "traffic.outputTokens",
        message: "a generative model with answers of no tokens",
        remedy: "give the mean length of an answer",
      });
    if (!generates(service) && given.outputTokens > 0)
      hits.push({
        at: "traffic.outputTokens",
        message: `${given.outputTokens} output tokens of a model that writes none`,
        remedy: "use outputTokens: 0",
      });
    return hits;
  },
  examples: {
    bad: [
      {
        title: "no requests",
        declare: () => llama({ traffic: { ...traffic, requestsPerDay: 0 } }),
        at: "traffic.requestsPerDay",
      },
      {
        title: "no answers",
        declare: () => llama({ traffic: { ...traffic, outputTokens: 0 } }),
        at: "traffic.outputTokens",
      },
      {
        title: "answers of an encoder",
        declare: () => bge({ traffic: { requestsPerDay: 1000, promptTokens: 200, outputTokens: 100 } }),
        at: "traffic.outputTokens",
      },
    ],
    good: [
      { title: "chat", declare: () => llama({ traffic }) },
      {
        title: "embeddings",
        declare: () => bge({ traffic: { requestsPerDay: 1000, promptTokens: 200, outputTokens: 0 } }),
      },
    ],
  },
});

export const objectiveUnused = serviceRule({
  id: "service.objective.unused",
  severity: "warning",
  reason:
    "An objective holds in the busiest hour, which follows from the traffic; and a model that streams no tokens has no time between them.",
  reference: "packages/core/src/service/common-props.ts, Objective",
  check: (service) => {
    const { objective, traffic: given } = service;
    if (objective === null) return [];
    const hits = [];
    if (given === null)
      hits.push({
        at: "objective",
        message: "an objective without traffic cannot be checked",
        remedy: "give traffic: { requestsPerDay, promptTokens, outputTokens }",
      });
    if (!generates(service) && objective.interTokenP99Ms !== undefined)
      hits.push({
        at: "objective.interTokenP99Ms",
        message: "the model writes no tokens",
        remedy: "remove interTokenP99Ms",
      });
    if (objective.ttftP99Ms === undefined && objective.interTokenP99Ms === undefined)
      hits.push({
        at: "objective",
        message: "an objective that asks for nothing",
        remedy: "give ttftP99Ms or interTokenP99Ms, or leave objective out",
      });
    return hits;
  },
  examples: {
    bad: [
      { title: "without traffic", declare: () => llama({ objective: { ttftP99Ms: 800 } }), at: "objective" },
      {
        title: "tokens of an encoder",
        declare: () =>
          bge({
            traffic: { requestsPerDay: 1000, promptTokens: 200, outputTokens: 0 },
            objective: { interTokenP99Ms: 50 },
          }),
        at: "objective.interTokenP99Ms",
      },
      { title: "nothing asked", declare: () => llama({ traffic, objective: {} }), at: "objective" },
    ],
    good: [{ title: "both", declare: () => llama({ traffic, objective: { ttftP99Ms: 800, interTokenP99Ms: 40 } }) }],
  },
});
