import type { OfficeHours } from "./props.ts";

/** A KEDA trigger. All metadata values are strings, as KEDA wants them. */
export interface Trigger {
  readonly type: "prometheus" | "cron" | "cpu";
  readonly name: string;
  readonly metricType: "AverageValue" | "Value" | "Utilization" | null;
  readonly metadata: Readonly<Record<string, string>>;
}

export interface ScalingBehaviour {
  readonly scaleUp: {
    readonly stabilizationSeconds: number;
    readonly pods: number;
    readonly periodSeconds: number;
  };
  readonly scaleDown: {
    readonly stabilizationSeconds: number;
    readonly pods: number;
    readonly periodSeconds: number;
  };
}

export interface Fallback {
  readonly failureThreshold: number;
  readonly replicas: number;
  readonly behavior: "static" | "currentReplicas" | "currentReplicasIfHigher";
}

interface Range {
  readonly min: number;
  readonly max: number;
}

/** Who owns the number of replicas, and with which limits. */
export type ResolvedScaling =
  | ({ readonly by: "nobody" } & Range)
  | ({ readonly by: "hpa"; readonly targetPercent: number; readonly behaviour: ScalingBehaviour } & Range)
  | ({
      readonly by: "keda";
      readonly triggers: readonly Trigger[];
      readonly fallback: Fallback | null;
      readonly pollingSeconds: number;
      readonly cooldownSeconds: number;
      readonly behaviour: ScalingBehaviour;
      /** Requests in flight per replica that the queue trigger aims at; null: scaled by the clock only. */
      readonly targetPerReplica: number | null;
      readonly hours: readonly OfficeHours[];
    } & Range);
