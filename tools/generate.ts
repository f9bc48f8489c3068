// Writes the catalog's data files and literal ids.
//   generate --from DIR         from the raw fact files in DIR
//   generate --add-vllm FILE    folds one more vLLM release into data/vllm-versions.json (FILE: what vllm-from-wheel.py wrote)
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { artefactsDocument } from "./generate/artefacts.ts";
import { gpusDocument } from "./generate/gpus.ts";
import { idsSource, withVllmVersions } from "./generate/ids.ts";
import { instancesDocument } from "./generate/instances.ts";
import { readJson, writeData } from "./generate/json.ts";
import { modelsDocument } from "./generate/models.ts";
import { pricesDocument, regions } from "./generate/prices.ts";
import type { RawArtefact, RawGpus, RawInstances, RawModel, RawVllmVersion } from "./generate/raw.ts";
import { type CompactVllm, compactVllm, expandVllm, type VllmAdditions, vllmTables } from "./generate/vllm.ts";

const catalog = fileURLToPath(new URL("../packages/catalog/", import.meta.url));
const data = (name: string) => join(catalog, "data", `${name}.json`);
const idsFile = join(catalog, "src/generated/ids.ts");
const additions = readJson<VllmAdditions>(fileURLToPath(new URL("./generate/vllm-additions.json", import.meta.url)));

function main(): number {
  const options = { from: { type: "string" }, "add-vllm": { type: "string" } } as const;
  try {
    const { values } = parseArgs({ options });
    if (values.from !== undefined) generate(values.from);
    else if (values["add-vllm"] !== undefined) addVllm(values["add-vllm"]);
    else throw new Error("say --from DIR (raw fact files) or --add-vllm FILE (one release read from its wheel)");
    return 0;
  } catch (error) {
    console.error(`generate: ${error instanceof Error ? error.message : String(error)}`);
    return 2;
  }
}

function generate(from: string): void {
  const gpus = readJson<RawGpus>(join(from, "gpus.json"));
  const instances = readJson<RawInstances>(join(from, "ec2-instance-types.json"));
  const { models } = readJson<{ models: RawModel[] }>(join(from, "model-configs.json"));
  const { artifacts } = readJson<{ artifacts: RawArtefact[] }>(join(from, "model-artifacts.json"));
  const vllm = readJson<{ _about: { asOf: string }; versions: Record<string, RawVllmVersion> }>(
    join(from, "vllm-versions.json"),
  );
  const versions = new Map(Object.entries(vllm.versions));
  const compact = compactVllm(versions, additions, vllm._about.asOf);
  const modelDocument = modelsDocument(models, artifacts);

  // Everything is computed before the first file is written: an error leaves the old set whole.
  const files: [name: string, document: object, tables: string[]][] = [
    ["gpus", gpusDocument(gpus), []],
    ["instances", instancesDocument(instances), ["instances"]],
    ["prices", pricesDocument(instances), ["onDemandUsdPerHour", "spotAdvisor", "spotSamplesUsdPerHour"]],
    ["models", modelDocument, []],
    ["artefacts", artefactsDocument(artifacts), ["artefacts"]],
    ["vllm-versions", compact, vllmTables],
  ];
  const ids = idsSource({
    gpus,
    instances,
    models: (modelDocument as { models: { id: string; aliases: { id: string }[] }[] }).models,
    artefacts: artifacts,
    vllmVersions: compact.versions,
    regions,
  });
  for (const [name, document, tables] of files) writeData(data(name), document, tables);
  writeFileSync(idsFile, ids);
  console.log(`wrote ${files.length} data files and generated/ids.ts`);
}

function addVllm(file: string): void {
  const entry = readJson<{ asOf: string; versions: Record<string, RawVllmVersion> }>(file);
  const versions = expandVllm(readJson<CompactVllm>(data("vllm-versions")));
  for (const [version, release] of Object.entries(entry.versions)) versions.set(version, release);
  const compact = compactVllm(versions, additions, entry.asOf);
  const ids = withVllmVersions(readFileSync(idsFile, "utf8"), compact.versions);
  writeData(data("vllm-versions"), compact, vllmTables);
  writeFileSync(idsFile, ids);
  console.log(`vllm-versions.json and generated/ids.ts now have ${compact.versions.length} releases`);
}

process.exitCode = main();
