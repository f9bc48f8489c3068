import type { Traffic } from "../../service/common-props.ts";
import type { ReplicaThroughput } from "./throughput.ts";

/** Of a replica's plateau, before the autoscaler has brought the next one. */
const TARGET_UTILIZATION = 0.7;
const SECONDS_PER_DAY = 86_400;

/**
 * Requests a second that one replica is planned for: under the objective where there is one, never more than most of its
 * plateau. 0: no load meets the objective, not even one request alone.
 */
export function sustainedRequestsPerSecond(throughput: ReplicaThroughput): number {
  const plateau = throughput.requestsPerSecond.expected * TARGET_UTILIZATION;
  return Math.min(plateau, throughput.underObjective?.requestsPerSecond ?? plateau);
}

/** Requests a second of the busiest hour, and the replicas that sustain them. Null: one replica sustains none at all. */
export function busiestHour(
  traffic: Required<Traffic>,
  throughput: ReplicaThroughput,
): { readonly requestsPerSecond: number; readonly replicas: number } | null {
  const each = sustainedRequestsPerSecond(throughput);
  if (each === 0) return null;
  const requestsPerSecond = (traffic.requestsPerDay / SECONDS_PER_DAY) * traffic.peakToMean;
  return { requestsPerSecond, replicas: Math.ceil(requestsPerSecond / each) };
}
