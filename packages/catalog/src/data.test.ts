import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { chartComponents } from "./charts.ts";
import {
  artefactModelIds,
  cpuInstanceTypes,
  gpuInstanceTypes,
  gpuModels,
  modelAliases,
  modelIds,
  neuronInstanceTypes,
  regions,
  vllmVersions,
} from "./generated/ids.ts";
import * as schemas from "./testing/schemas.ts";

const folder = new URL("../data/", import.meta.url);
const files = {
  artefacts: schemas.artefactsFile,
  charts: schemas.chartsFile,
  eks: schemas.eksFile,
  engines: schemas.enginesFile,
  gpus: schemas.gpusFile,
  instances: schemas.instancesFile,
  metrics: schemas.metricsFile,
  models: schemas.modelsFile,
  prices: schemas.pricesFile,
  quotas: schemas.quotasFile,
  tools: schemas.toolsFile,
  "vllm-versions": schemas.vllmVersionsFile,
};

function read<T>(name: string, schema: { parse(value: unknown): T }): T {
  return schema.parse(JSON.parse(readFileSync(new URL(`${name}.json`, folder), "utf8")));
}

test.each(Object.entries(files))(
  "%s.json has the shape that its reader expects, a date and sources",
  (name, schema) => {
    const document = read(name, schema as { parse(value: unknown): { asOf: string; sources: string[] } });
    expect(document.asOf <= new Date().toISOString().slice(0, 10)).toBe(true);
    expect(document.sources.length).toBeGreaterThan(0);
  },
);

test("every data file has a schema", () => {
  expect(readdirSync(folder).sort()).toEqual(
    Object.keys(files)
      .map((name) => `${name}.json`)
      .sort(),
  );
});

test("a key that no reader knows is refused", () => {
  const document = JSON.parse(readFileSync(new URL("gpus.json", folder), "utf8"));
  expect(() => schemas.gpusFile.parse({ ...document, colour: "green" })).toThrow(/colour/);
  expect(() => schemas.gpusFile.parse({ ...document, asOf: "yesterday" })).toThrow(/asOf/);
});

test("the literal ids are those of the data", () => {
  const instances = read("instances", schemas.instancesFile).instances;
  const ofClass = (wanted: string) =>
    instances.filter((record) => record.class === wanted).map((record) => record.type);
  const models = read("models", schemas.modelsFile).models;
  expect([...gpuModels]).toEqual(read("gpus", schemas.gpusFile).gpus.map((record) => record.id));
  expect([...gpuInstanceTypes]).toEqual(ofClass("gpu"));
  expect([...cpuInstanceTypes]).toEqual(ofClass("cpu"));
  expect([...neuronInstanceTypes]).toEqual(ofClass("neuron"));
  expect([...modelIds]).toEqual(models.map((record) => record.id));
  expect([...modelAliases]).toEqual(models.flatMap((record) => record.aliases.map((alias) => alias.id)));
  expect([...vllmVersions]).toEqual(read("vllm-versions", schemas.vllmVersionsFile).versions);
  expect([...regions]).toEqual(read("prices", schemas.pricesFile).regions);
  expect([...chartComponents]).toEqual(read("charts", schemas.chartsFile).charts.map((record) => record.component));
});

test("16 GPUs, 304 EC2 types, 58 models, 21 vLLM releases, 491 artefacts", () => {
  expect(gpuModels).toHaveLength(16);
  expect([gpuInstanceTypes.length, cpuInstanceTypes.length, neuronInstanceTypes.length]).toEqual([64, 232, 8]);
  expect(modelIds).toHaveLength(58);
  expect(vllmVersions).toHaveLength(21);
  expect(read("artefacts", schemas.artefactsFile).artefacts).toHaveLength(491);
});

test("an artefact's model is one that a service can name", () => {
  const known = new Set<string>([...modelIds, ...modelAliases, ...artefactModelIds]);
  const models = new Set(read("artefacts", schemas.artefactsFile).artefacts.map((record) => record.model));
  expect([...models].filter((model) => !known.has(model))).toEqual([]);
  // and the other way round: an id that only artefacts have is not a leftover
  expect(artefactModelIds.filter((id) => !models.has(id))).toEqual([]);
});

test("ids are unique", () => {
  for (const ids of [
    gpuModels,
    gpuInstanceTypes,
    cpuInstanceTypes,
    vllmVersions,
    chartComponents,
    [...modelIds, ...modelAliases],
  ]) {
    expect(new Set<string>(ids).size).toBe(ids.length);
  }
});

test("every priced type is in the instance table, and every type has a price record", () => {
  const types = read("instances", schemas.instancesFile).instances.map((record) => record.type as string);
  const prices = read("prices", schemas.pricesFile);
  expect(Object.keys(prices.onDemandUsdPerHour)).toEqual(types);
  expect(Object.keys(prices.spotAdvisor).filter((type) => !types.includes(type))).toEqual([]);
  expect(Object.keys(prices.spotSamplesUsdPerHour).filter((type) => !(type in prices.spotAdvisor))).toEqual([]);
});

test("a CPU platform that an instance names exists, and none is unused", () => {
  const { cpuPlatforms, instances } = read("instances", schemas.instancesFile);
  const used = new Set(instances.map((record) => record.cpuPlatform).filter((id) => id !== null));
  expect([...used].sort()).toEqual(Object.keys(cpuPlatforms).sort());
});

test("a region has a listed price or a derived one, not both", () => {
  const prices = Object.entries(read("prices", schemas.pricesFile).onDemandUsdPerHour);
  const both = prices.filter(([, { list, derived }]) => Object.keys(derived ?? {}).some((region) => region in list));
  expect(both.map(([type]) => type)).toEqual([]);
});
