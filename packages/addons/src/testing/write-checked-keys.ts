/**
 * Checks the add-ons' values against the charts and writes down which keys were found.
 *
 *   CAPSTAN_CHARTS=<directory of <component>/values.yaml and <component>/charts/<sub-chart>/values.yaml> \
 *     node packages/addons/src/testing/write-checked-keys.ts && biome check --write packages/addons/src/testing
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { addonsFor } from "../addons-for.ts";
import { type CheckedKeys, checkedKeys, readChart } from "./chart-keys.ts";
import { cluster, everyKey } from "./platforms.ts";

const directory = process.env.CAPSTAN_CHARTS;
if (directory === undefined) throw new Error("set CAPSTAN_CHARTS to a directory with the charts");

const found = new Map<string, { readonly version: string; readonly keys: Set<string> }>();
for (const platform of everyKey) {
  for (const addon of addonsFor(platform, cluster)) {
    const { component, version } = addon.chart;
    const entry = found.get(component) ?? { version, keys: new Set() };
    found.set(component, entry);
    for (const key of checkedKeys(addon, await readChart(join(directory, component)))) entry.keys.add(key);
  }
}
const document: Record<string, CheckedKeys> = {};
for (const [component, { version, keys }] of [...found].sort(([a], [b]) => (a < b ? -1 : 1))) {
  document[component] = { version, keys: [...keys].sort() };
}
writeFileSync(new URL("./checked-keys.json", import.meta.url), `${JSON.stringify(document, null, 2)}\n`);
console.log(`${found.size} charts, ${[...found.values()].reduce((sum, { keys }) => sum + keys.size, 0)} keys`);
