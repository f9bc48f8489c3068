import { nearest } from "@capstan/catalog";
import { isRecord } from "../../model/hub-config/reader.ts";
import { FitError, Problems } from "./fit-error.ts";
import type { FitQuery } from "./types.ts";

interface Kind {
  readonly is: (value: unknown) => boolean;
  readonly says: string;
}

const text: Kind = { is: (value) => typeof value === "string" && value !== "", says: "must be a text" };
const flag: Kind = { is: (value) => typeof value === "boolean", says: "must be true or false" };
const record: Kind = { is: isRecord, says: "must be an object: the contents of config.json" };

function whole(most: number): Kind {
  return {
    is: (value) => typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= most,
    says: `must be a whole number from 1 to ${most}`,
  };
}

function above0(most: number): Kind {
  return {
    is: (value) => typeof value === "number" && Number.isFinite(value) && value > 0 && value <= most,
    says: `must be a number above 0, at most ${most}`,
  };
}

const length = whole(2 ** 30);

/** Limits are far above anything real: past them a number is a slip. */
const kinds: Readonly<Record<keyof FitQuery, Kind>> = {
  model: text,
  modelConfig: record,
  parameters: whole(1e15),
  weightsGib: above0(1e6),
  gpu: text,
  instanceType: text,
  mig: text,
  shared: whole(64),
  gpus: whole(64),
  engine: text,
  tensorParallel: whole(64),
  pipelineParallel: whole(64),
  gpuMemoryUtilization: above0(1),
  maxModelLen: { is: (value) => value === "auto" || length.is(value), says: `${length.says}, or "auto"` },
  maxNumSeqs: whole(65_536),
  maxNumBatchedTokens: whole(2 ** 24),
  blockSize: {
    is: (value) => whole(1024).is(value) && (value as number) % 16 === 0,
    says: "must be a multiple of 16, at most 1024",
  },
  kvCacheDtype: text,
  quantization: text,
  dtype: text,
  enforceEager: flag,
  totalGpuMemoryGib: above0(4096),
  promptTokens: length,
  outputTokens: length,
  concurrency: whole(1_000_000),
  region: text,
  objectiveTtftP99Ms: above0(3_600_000),
};

export const queryKeys = Object.keys(kinds) as readonly (keyof FitQuery)[];

/**
 * A query of the right shape, with keys that are null taken out: known keys, each of its type and within reason.
 *
 * @throws FitError with everything that is wrong
 */
export function parseQuery(value: unknown): FitQuery {
  if (!isRecord(value)) {
    throw new FitError([
      { key: "query", value, message: 'a query is an object, such as { "model": "...", "gpu": "h100-80" }' },
    ]);
  }
  const problems = new Problems();
  const query: Record<string, unknown> = {};
  for (const [key, given] of Object.entries(value)) {
    if (!Object.hasOwn(kinds, key)) {
      const near = nearest(key, queryKeys);
      problems.add(
        key,
        given,
        `not a key of a query${near === undefined ? `; known: ${queryKeys.join(", ")}` : `; did you mean "${near}"?`}`,
      );
      continue;
    }
    if (given === null || given === undefined) continue;
    const kind = kinds[key as keyof FitQuery];
    if (kind.is(given)) query[key] = given;
    else problems.add(key, given, kind.says);
  }
  problems.throwIfAny();
  return query as FitQuery;
}
