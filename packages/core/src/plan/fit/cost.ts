import { onDemandPrice } from "@capstan/catalog";
import type { Estimate } from "../speed/index.ts";
import { type Hardware, replicasOn } from "./hardware.ts";
import type { FitCost } from "./types.ts";

const SECONDS = 3600;
const MILLION = 1e6;

/** What the instance costs, and a million tokens with every place of it taken at full load. */
export function fitCost(hardware: Hardware, region: string, tokens: Estimate | null): FitCost {
  const { instance, instanceGiven, gpu } = hardware;
  if (instance === null) {
    return {
      usdPerHour: null,
      usdPerMillionOutputTokens: null,
      instanceType: null,
      replicasPerInstance: null,
      basis: `no EC2 type has ${hardware.gpusPerReplica} x ${gpu.id}`,
    };
  }
  const price = onDemandPrice(instance.type, region);
  const replicas = replicasOn(hardware) ?? 1;
  return {
    usdPerHour: price.usdPerHour,
    usdPerMillionOutputTokens:
      price.usdPerHour === null || tokens === null ? null : perMillion(price.usdPerHour / replicas, tokens),
    instanceType: instance.type,
    replicasPerInstance: replicas,
    basis:
      price.usdPerHour === null
        ? price.source
        : `${instanceGiven ? "" : "cheapest type with it, "}on-demand, ${region}, ${price.basis === "derived" ? "derived from us-east-1" : "list price"} of ${price.asOf}`,
  };
}

/** The slower, the dearer. */
function perMillion(usdPerHour: number, tokens: Estimate): Estimate {
  return {
    low: usdPerMillion(usdPerHour, tokens.high),
    expected: usdPerMillion(usdPerHour, tokens.expected),
    high: usdPerMillion(usdPerHour, tokens.low),
  };
}

export function usdPerMillion(usdPerHour: number, tokensPerSecond: number): number {
  return (usdPerHour / (tokensPerSecond * SECONDS)) * MILLION;
}
