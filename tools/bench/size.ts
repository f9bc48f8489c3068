import { join } from "node:path";
import type { RecordFigures } from "../../test/bench/record.ts";
import type { RenderFigures } from "../../test/bench/render.ts";
import { run } from "../lib/run.ts";
import { root } from "../lib/workspace.ts";
import { type Line, note } from "./line.ts";

const SIZES = [10, 100, 1000];
/** Pulumi's own cost of a resource is the larger part here, and nothing of ours changes it: sizes that take seconds. */
const RECORDED = [10, 100];
const MOST_MS_PER_OBJECT = 0.4;
const MOST_MIB = 512;
/** Adding a service costs the same at any size, within what a busy machine varies. */
const MOST_GROWTH = 1.5;

/** Platforms of growing size, each in a process of its own. */
export async function measureSizes(): Promise<Line[]> {
  note(`platforms of ${SIZES.join(", ")} vLLM services`);
  const rendered: RenderFigures[] = [];
  for (const size of SIZES) rendered.push(await inChild<RenderFigures>("render.ts", size));
  const recorded: RecordFigures[] = [];
  for (const size of RECORDED) recorded.push(await inChild<RecordFigures>("record.ts", size));
  return [...rendered.map(renderLine), growthLine(rendered), ...recorded.map(recordLine)];
}

async function inChild<T>(script: string, size: number): Promise<T> {
  const { code, stdout, output } = await run(process.execPath, [join(root, "test/bench", script), String(size)]);
  if (code !== 0) throw new Error(`${script} ${size} failed:\n${output}`);
  return JSON.parse(stdout) as T;
}

function renderLine(figures: RenderFigures): Line {
  const { services, objects, resolveAndCheckMs, renderMs, planMs, peakMib } = figures;
  const each = perObject(figures);
  const measured =
    `${each.toFixed(2)} ms for each of ${objects} objects, ${peakMib.toFixed(0)} MiB ` +
    `(check ${resolveAndCheckMs.toFixed(0)} ms, render ${renderMs.toFixed(0)}, plan ${planMs.toFixed(0)})`;
  const line = { what: `${services} services: resolve, check, render`, measured };
  // The limit is about large platforms: at ten services it would be about the machine's first milliseconds.
  if (services < Math.max(...SIZES)) return line;
  return {
    ...line,
    limit: `<= ${MOST_MS_PER_OBJECT} ms, ${MOST_MIB} MiB`,
    good: each <= MOST_MS_PER_OBJECT && peakMib <= MOST_MIB,
  };
}

function perObject({ objects, resolveAndCheckMs, renderMs }: RenderFigures): number {
  return (resolveAndCheckMs + renderMs) / objects;
}

/** The last nine tenths against the size before: a cost that grows with the square would be ten times as much. */
function growthLine(figures: readonly RenderFigures[]): Line {
  const [before, last] = figures.slice(-2);
  if (before === undefined || last === undefined) throw new Error("growth needs two sizes");
  const growth = perObject(last) / perObject(before);
  return {
    what: `${last.services} against ${before.services}, for each object`,
    measured: growth.toFixed(2),
    limit: `<= ${MOST_GROWTH}`,
    good: growth <= MOST_GROWTH,
  };
}

function recordLine({ services, resources, recordMs, planMs, peakMib }: RecordFigures): Line {
  return {
    what: `${services} services: recorded`,
    measured: `${(recordMs / resources).toFixed(2)} ms for each of ${resources} resources, ${peakMib.toFixed(0)} MiB (plan ${planMs.toFixed(0)} ms)`,
  };
}
