import type { Finding } from "../finding.ts";
import type { ResolvedPool } from "../pool/resolved.ts";
import type { Origins } from "../provenance.ts";
import type { ResolvedService } from "../service/resolved.ts";
import type { ColdStart } from "./cold-start.ts";
import type { CpuEngineMemory, VllmMemoryResult } from "./memory/index.ts";
import type { ReplicaThroughput } from "./speed/throughput.ts";

export interface Range {
  readonly min: number;
  readonly expected: number;
  readonly max: number;
}

/** Null fields where no price is known: never 0. */
export interface MoneyRange {
  readonly min: number | null;
  readonly expected: number | null;
  readonly max: number | null;
}

export interface NodeCounts {
  readonly min: number;
  readonly expected: number;
  readonly peak: number;
  readonly max: number;
}

export interface PlannedPool {
  readonly name: string;
  readonly instanceType: string;
  readonly gpu: string | null;
  readonly slotsPerNode: number;
  /** The one resource pods ask for; with a mixed MIG layout the first of `slots`; null on CPU pools. */
  readonly resourceName: string | null;
  readonly slots: readonly {
    readonly resource: string;
    readonly slotsPerNode: number;
    readonly memoryGib: number | null;
  }[];
  readonly allocatable: { readonly vcpus: number; readonly memoryGib: number };
  readonly nodes: NodeCounts;
  readonly usdPerHour: { readonly low: number; readonly expected: number; readonly high: number } | null;
  readonly usdPerMonth: MoneyRange;
  /** Part of the expected money that no service uses, 0 to 1; null where there is no money. */
  readonly idleShare: number | null;
}

export interface PlannedService {
  readonly name: string;
  readonly kind: "vllm" | "onnx";
  readonly engine: string;
  readonly model: string;
  readonly precision: string;
  readonly team: string;
  readonly namespace: string;
  readonly pool: string;
  readonly replicas: NodeCounts;
  /** Memory, KV cache and verdict; null where the model's facts are not known. */
  readonly fit: VllmMemoryResult | CpuEngineMemory | null;
  /** Of one replica on the declared traffic; null without traffic, and where the hardware's figures are not known. */
  readonly throughput: ReplicaThroughput | null;
  readonly coldStartSeconds: ColdStart;
  readonly usdPerMonth: MoneyRange;
  /** Null with `noTraffic` where no traffic is declared, and where there is no price. */
  readonly usdPerMillionTokens: { readonly low: number; readonly expected: number; readonly high: number } | null;
  readonly noTraffic: boolean;
}

export interface PlannedQuota {
  readonly code: string;
  readonly name: string;
  readonly region: string;
  readonly vcpus: number;
}

/** What the platform will be, before anything exists. The part of `capstan plan --json` that core computes. */
export interface PlatformPlan {
  readonly pools: readonly PlannedPool[];
  readonly services: readonly PlannedService[];
  readonly findings: readonly Finding[];
  readonly cost: {
    readonly usdPerMonth: MoneyRange;
    readonly byTeam: Readonly<Record<string, MoneyRange>>;
    readonly pricesAsOf: string;
    readonly region: string | null;
    readonly assumptions: readonly string[];
  };
  readonly quota: readonly PlannedQuota[];
}

/** What a plan file adds: every value with its origin. */
export interface ResolvedWithOrigins {
  readonly pools: readonly ResolvedPool[];
  readonly services: readonly ResolvedService[];
  readonly origins: Readonly<Record<string, Origins>>;
}
