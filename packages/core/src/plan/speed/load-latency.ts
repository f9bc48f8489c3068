import type { OperatingPoint, SpeedEstimate } from "./types.ts";

export interface LoadLatencyInput {
  readonly speed: Pick<SpeedEstimate, "curve">;
  /** Arrivals at one replica, at random moments. */
  readonly requestsPerSecond: number;
}

export interface LoadLatency {
  /** Part of the saturated rate, 0 to 1; 1 and more: the queue grows without end. */
  readonly utilisation: number;
  readonly saturated: boolean;
  /** Mean requests in flight; null when saturated. */
  readonly batch: number | null;
  /** Null when saturated. */
  readonly ttftSeconds: { readonly mean: number; readonly p99: number } | null;
  /** Between two tokens of an answer; null when saturated. */
  readonly interTokenSeconds: { readonly mean: number; readonly p99: number } | null;
  readonly how: string;
}

/** Squared coefficient of variation of prompts and answers, assumed: 1, as with exponentially distributed lengths. */
const lengthVariation = 1;

/**
 * Latency under a load of random arrivals. Two queues, both with textbook approximations: for a slot of the batch
 * (M/G/k, Sakasegawa), and behind other prompts (M/G/1, Pollaczek and Khinchine), since prompts take the replica one
 * after another. Tails are taken as exponential. The batch itself is the one that completes as many requests as arrive.
 */
export function loadLatency({ speed, requestsPerSecond: rate }: LoadLatencyInput): LoadLatency {
  const { curve } = speed;
  const full = curve.at(-1) as OperatingPoint;
  const utilisation = rate / full.requestsPerSecond;
  const how = `${curve.length} operating points up to ${full.batch} in flight; M/G/k for a slot, M/G/1 for prompts`;
  if (utilisation >= 1) {
    return { utilisation, saturated: true, batch: null, ttftSeconds: null, interTokenSeconds: null, how };
  }
  const at = pointAt(curve, rate);
  const slot = slotQueue(full, rate);
  const prompts = promptQueue(at.promptSeconds, rate);
  return {
    utilisation,
    saturated: false,
    batch: at.batch,
    ttftSeconds: {
      mean: at.firstTokenSeconds + slot.mean + prompts.mean,
      // One queue is at its worst while the other is as usual: both at once are rarer than one in a hundred.
      p99: at.firstTokenSeconds + Math.max(slot.p99 + prompts.mean, slot.mean + prompts.p99),
    },
    interTokenSeconds: { mean: at.interTokenSeconds, p99: worstStep(at, rate) },
    how,
  };
}

/** Below one request at a time the replica is idle in between, and a request finds it so. */
function pointAt(curve: readonly OperatingPoint[], rate: number): OperatingPoint {
  const first = curve[0] as OperatingPoint;
  if (rate <= first.requestsPerSecond)
    return { ...first, batch: rate / first.requestsPerSecond, requestsPerSecond: rate };
  const above = curve.findIndex((each) => each.requestsPerSecond >= rate);
  const high = curve[above] as OperatingPoint;
  const low = curve[above - 1] as OperatingPoint;
  const part = (rate - low.requestsPerSecond) / (high.requestsPerSecond - low.requestsPerSecond);
  const between = (key: keyof OperatingPoint): number => low[key] + part * (high[key] - low[key]);
  return {
    batch: between("batch"),
    requestsPerSecond: rate,
    interTokenSeconds: between("interTokenSeconds"),
    firstTokenSeconds: between("firstTokenSeconds"),
    promptSeconds: between("promptSeconds"),
    chunkStepSeconds: between("chunkStepSeconds"),
    promptChunks: low.promptChunks,
  };
}

/** Steps with a chunk of a prompt are the slow ones; rarer than one in a hundred they leave the 99th percentile alone. */
function worstStep(at: OperatingPoint, rate: number): number {
  const stepsWithPrompt = rate * at.promptChunks * at.interTokenSeconds;
  return stepsWithPrompt > 0.01 ? Math.max(at.chunkStepSeconds, at.interTokenSeconds) : at.interTokenSeconds;
}

interface Wait {
  readonly mean: number;
  readonly p99: number;
}

/** `batch` servers, each of which takes a whole cycle for a request. */
function slotQueue(full: OperatingPoint, rate: number): Wait {
  const utilisation = rate / full.requestsPerSecond;
  const chance = utilisation ** (Math.sqrt(2 * (full.batch + 1)) - 1);
  return waitOf(chance, (1 + lengthVariation) / (2 * (full.requestsPerSecond - rate)));
}

function promptQueue(promptSeconds: number, rate: number): Wait {
  // A cycle is never shorter than its prompts, so below saturation this stays below 1.
  const utilisation = rate * promptSeconds;
  return waitOf(utilisation, ((1 + lengthVariation) / 2) * (promptSeconds / (1 - utilisation)));
}

/** Who waits at all (`chance`) waits `mean` on average, exponentially distributed. */
function waitOf(chance: number, mean: number): Wait {
  return { mean: chance * mean, p99: mean * Math.max(0, Math.log(chance / 0.01)) };
}

export interface LoadObjective {
  readonly ttftP99Seconds?: number | undefined;
  readonly interTokenP99Seconds?: number | undefined;
}

export interface LargestLoad {
  /** 0: not even a single request meets it. */
  readonly requestsPerSecond: number;
  /** Requests in flight at that load. */
  readonly concurrency: number;
  readonly latency: LoadLatency | null;
}

/** The most arrivals a replica takes while it meets an objective. */
export function largestLoad(speed: Pick<SpeedEstimate, "curve">, objective: LoadObjective): LargestLoad {
  const full = speed.curve.at(-1) as OperatingPoint;
  const at = (requestsPerSecond: number): LoadLatency => loadLatency({ speed, requestsPerSecond });
  const meets = ({ ttftSeconds, interTokenSeconds }: LoadLatency): boolean =>
    ttftSeconds !== null &&
    interTokenSeconds !== null &&
    ttftSeconds.p99 <= (objective.ttftP99Seconds ?? Number.POSITIVE_INFINITY) &&
    interTokenSeconds.p99 <= (objective.interTokenP99Seconds ?? Number.POSITIVE_INFINITY);
  let good = 0;
  let bad = full.requestsPerSecond;
  for (let round = 0; round < bisections; round++) {
    const middle = (good + bad) / 2;
    if (meets(at(middle))) good = middle;
    else bad = middle;
  }
  if (good === 0) return { requestsPerSecond: 0, concurrency: 0, latency: null };
  const latency = at(good);
  return { requestsPerSecond: good, concurrency: latency.batch ?? 0, latency };
}

/** Ends within a millionth of the saturated rate. */
const bisections = 20;
