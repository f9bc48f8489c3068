import type { ReplicaThroughput } from "./throughput.ts";

/** Of a replica's plateau, before the autoscaler has brought the next one. */
const TARGET_UTILIZATION = 0.7;

/**
 * Requests a second that one replica is planned for: under the objective where there is one, never more than most of its
 * plateau. 0: no load meets the objective, not even one request alone.
 */
export function sustainedRequestsPerSecond(throughput: ReplicaThroughput): number {
  const plateau = throughput.requestsPerSecond.expected * TARGET_UTILIZATION;
  return Math.min(plateau, throughput.underObjective?.requestsPerSecond ?? plateau);
}
