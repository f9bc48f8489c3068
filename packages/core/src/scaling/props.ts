import { frozenCopy } from "../freeze.ts";

/** The same number of replicas at all times. */
export interface FixedScaling {
  readonly kind: "fixed";
  readonly replicas: number;
}

/** A metric that exists while no pod runs: of a gateway, a router or a queue. */
export interface WakeMetric {
  /** PromQL that aggregates to one value. */
  readonly query: string;
  /** Wakes when the value is above this. @default 0 */
  readonly activationThreshold?: number;
  /** Value that one replica takes. */
  readonly threshold: number;
}

/** Hours of a week in which at least `replicas` run. */
export interface OfficeHours {
  /** IANA name, such as `Europe/Berlin`. */
  readonly timezone: string;
  /** Cron weekdays, such as `1-5` (Monday to Friday). */
  readonly weekdays: string;
  /** `08:00` */
  readonly from: string;
  /** `19:00` */
  readonly to: string;
  readonly replicas: number;
}

/** KEDA on the engine's own load: requests running and waiting per replica. */
export interface QueueScaling {
  readonly kind: "queue";
  /** 0 needs `wake` or `hours`: a metric of pods that do not exist cannot start them. */
  readonly min: number;
  readonly max: number;
  /**
   * Requests in flight that one replica should hold.
   * @default - half of the concurrency that fits in the KV cache at the expected request length, at most 64
   */
  readonly targetPerReplica?: number;
  readonly wake?: WakeMetric;
  readonly hours?: readonly OfficeHours[];
  /** Seconds without activity before the last replica goes. @default - the predicted cold start, at least 300 */
  readonly cooldownSeconds?: number;
}

/** Replicas by the clock: `hours.replicas` inside, `outside` otherwise. */
export interface ScheduleScaling {
  readonly kind: "schedule";
  readonly hours: readonly OfficeHours[];
  /** @default 0 */
  readonly outside: number;
}

/** HPA on CPU utilisation of the request. For CPU services only: a GPU engine's CPU says nothing about its load. */
export interface CpuScaling {
  readonly kind: "cpu";
  readonly min: number;
  readonly max: number;
  /** @default 70 */
  readonly targetPercent: number;
}

export type Scaling = FixedScaling | QueueScaling | ScheduleScaling | CpuScaling;

export function fixed(replicas: number): FixedScaling {
  return Object.freeze({ kind: "fixed", replicas });
}

export function onQueue(options: Omit<QueueScaling, "kind">): QueueScaling {
  return frozenCopy({ kind: "queue", ...options });
}

export function schedule(options: {
  readonly hours: readonly OfficeHours[];
  readonly outside?: number;
}): ScheduleScaling {
  return frozenCopy({ kind: "schedule", hours: options.hours, outside: options.outside ?? 0 });
}

export function onCpu(options: {
  readonly min: number;
  readonly max: number;
  readonly targetPercent?: number;
}): CpuScaling {
  return Object.freeze({
    kind: "cpu",
    min: options.min,
    max: options.max,
    targetPercent: options.targetPercent ?? 70,
  });
}
