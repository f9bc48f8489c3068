import { onDemandPrice, spotFacts } from "@capstan/catalog";
import { type Capacity, capacityKind } from "./capacity.ts";
import type { PoolPrice } from "./resolved.ts";

/** Spot moves from day to day: what the plan calls low is this much under the advisor's mean. */
const SPOT_LOW = 0.8;

export function poolPrice(
  instanceType: string,
  region: string | null,
  capacity: Capacity,
  givenUsdPerHour: number | undefined,
): PoolPrice {
  const list = region === null ? null : onDemandPrice(instanceType, region);
  const onDemand = list?.usdPerHour ?? null;
  const base = { onDemandUsdPerHour: onDemand, asOf: list?.asOf ?? null, region };
  if (givenUsdPerHour !== undefined)
    return { ...base, usdPerHour: flat(givenUsdPerHour), basis: "given with the pool" };
  if (region === null) return { ...base, usdPerHour: null, basis: "no region given" };
  if (list === null || onDemand === null) {
    return { ...base, usdPerHour: null, basis: `no price known for ${instanceType} in ${region}` };
  }
  const listed =
    list.basis === "derived" ? "on-demand, derived from us-east-1 by the family's factor" : "on-demand list price";
  switch (capacityKind(capacity)) {
    case "on-demand":
      return { ...base, usdPerHour: flat(onDemand), basis: listed };
    case "reservation":
      return { ...base, usdPerHour: flat(onDemand), basis: `${listed}; a reservation is paid whether used or not` };
    case "capacity-block":
      return {
        ...base,
        usdPerHour: flat(onDemand),
        basis: `${listed}; a capacity block is sold at its own price, up front`,
      };
    case "spot": {
      const spot = spotFacts(instanceType, region);
      if (!spot) {
        return {
          ...base,
          usdPerHour: { low: onDemand * 0.3, expected: onDemand, high: onDemand },
          basis: "spot price unknown: counted as on-demand",
        };
      }
      const expected = onDemand * (1 - spot.savingPercent / 100);
      return {
        ...base,
        usdPerHour: { low: expected * SPOT_LOW, expected, high: onDemand },
        basis: `spot at ${spot.savingPercent} % under on-demand (advisor of ${spot.asOf}), at worst on-demand`,
      };
    }
  }
}

function flat(usdPerHour: number): { low: number; expected: number; high: number } {
  return { low: usdPerHour, expected: usdPerHour, high: usdPerHour };
}
