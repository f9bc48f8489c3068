import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { addonsFor } from "./addons-for.ts";
import { type CheckedCharts, checkedKeys, isChecked, leafPaths, readChart } from "./testing/chart-keys.ts";
import { cluster, everyKey } from "./testing/platforms.ts";

const checked = JSON.parse(
  readFileSync(new URL("./testing/checked-keys.json", import.meta.url), "utf8"),
) as CheckedCharts;
const addons = everyKey.flatMap((platform) => addonsFor(platform, cluster));

test("every value has a key that was found in the chart of that version", () => {
  expect([...new Set(addons.map(({ name }) => name))].sort()).toEqual(Object.keys(checked));
  for (const addon of addons) {
    const chart = checked[addon.chart.component];
    expect(chart?.version, addon.name).toBe(addon.chart.version);
    const keys = new Set(chart?.keys);
    const unknown = leafPaths(addon.values).filter((path) => !isChecked(path, keys));
    expect(unknown, `${addon.name}: look the keys up with testing/write-checked-keys.ts`).toEqual([]);
  }
});

test("no key is on the list that no add-on sets", () => {
  for (const [component, { keys }] of Object.entries(checked)) {
    const paths = addons
      .filter(({ chart }) => chart.component === component)
      .flatMap(({ values }) => leafPaths(values));
    const unused = keys.filter((key) => !paths.some((path) => isChecked(path, new Set([key]))));
    expect(unused, component).toEqual([]);
  }
});

test("a key that was not looked up is found out", () => {
  const keys = new Set(["driver/enabled", "extraArgs/*"]);
  expect(isChecked(["driver", "enabled"], keys)).toBe(true);
  expect(isChecked(["extraArgs", "v"], keys)).toBe(true);
  expect(isChecked(["driver", "version"], keys)).toBe(false);
  expect(isChecked(["extraArgs"], keys)).toBe(false);
});

const charts = process.env.CAPSTAN_CHARTS;

test.runIf(charts)("the charts themselves have every key", async () => {
  for (const addon of addons) {
    const chart = await readChart(join(charts ?? "", addon.chart.component));
    const keys = new Set(checked[addon.chart.component]?.keys);
    expect(
      checkedKeys(addon, chart).filter((key) => !keys.has(key)),
      addon.name,
    ).toEqual([]);
    expect(() => checkedKeys({ ...addon, values: { noSuchKey: true } }, chart), addon.name).toThrow(/noSuchKey/);
  }
});
