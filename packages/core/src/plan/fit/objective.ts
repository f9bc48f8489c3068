import { largestLoad, type SpeedEstimate } from "../speed/index.ts";
import { usdPerMillion } from "./cost.ts";
import type { FitCost, FitObjective } from "./types.ts";
import type { Workload } from "./workload.ts";

/** The most arrivals a replica takes while 99 of 100 requests have their first token in time. */
export function fitObjective(
  ttftP99Ms: number | null | undefined,
  speed: SpeedEstimate | null,
  cost: FitCost,
  workload: Workload,
): FitObjective | null {
  if (ttftP99Ms === null || ttftP99Ms === undefined) return null;
  const unmet = {
    ttftP99Ms,
    met: false,
    requestsPerSecond: 0,
    concurrency: 0,
    outputTokensPerSecond: 0,
    usdPerMillionOutputTokens: null,
  };
  if (speed === null) return unmet;
  const load = largestLoad(speed, { ttftP99Seconds: ttftP99Ms / 1000 });
  if (load.requestsPerSecond === 0) return unmet;
  const tokens = load.requestsPerSecond * workload.outputTokens;
  return {
    ttftP99Ms,
    met: true,
    requestsPerSecond: load.requestsPerSecond,
    concurrency: load.concurrency,
    outputTokensPerSecond: tokens,
    usdPerMillionOutputTokens:
      cost.usdPerHour === null ? null : usdPerMillion(cost.usdPerHour / (cost.replicasPerInstance ?? 1), tokens),
  };
}
