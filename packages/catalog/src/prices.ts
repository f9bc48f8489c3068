import type { DatedPrice, SpotFacts } from "./facts.ts";
import { lazy } from "./load.ts";

interface Basis {
  readonly asOf: string;
  readonly source: string;
}

type ByRegion<T> = Readonly<Record<string, T>>;

const document = lazy<{
  readonly bases: { readonly home: Basis & { readonly region: string }; readonly list: Basis; readonly derived: Basis };
  readonly onDemandUsdPerHour: Readonly<
    Record<string, { readonly list: ByRegion<number>; readonly derived?: ByRegion<number> }>
  >;
  readonly spot: { readonly advisor: Basis; readonly samples: Basis; readonly bands: readonly Band[] };
  readonly spotAdvisor: Readonly<Record<string, ByRegion<readonly [savingPercent: number, band: number]>>>;
  readonly spotSamplesUsdPerHour: Readonly<Record<string, ByRegion<readonly [low: number, high: number]>>>;
}>("prices");

type Band = SpotFacts["interruptionsPerMonth"];

/** Price of an hour, Linux, shared tenancy. A type or region without one gives `basis: "unknown"` and null, never 0. */
export function onDemandPrice(type: string, region: string): DatedPrice {
  const { bases } = document();
  const listed = own(own(document().onDemandUsdPerHour, type)?.list, region);
  if (listed !== undefined) {
    const { asOf, source } = region === bases.home.region ? bases.home : bases.list;
    return { usdPerHour: listed, basis: "list", asOf, source };
  }
  const derived = own(own(document().onDemandUsdPerHour, type)?.derived, region);
  if (derived !== undefined) return { usdPerHour: derived, basis: "derived", ...bases.derived };
  return { usdPerHour: null, basis: "unknown", asOf: pricesAsOf(), source: `no source read has ${type} in ${region}` };
}

/** null: the advisor's snapshot does not list the type in the region. */
export function spotFacts(type: string, region: string): SpotFacts | null {
  const { spot, spotAdvisor, spotSamplesUsdPerHour } = document();
  const advised = own(own(spotAdvisor, type), region);
  const interruptionsPerMonth = advised === undefined ? undefined : spot.bands[advised[1]];
  if (advised === undefined || interruptionsPerMonth === undefined) return null;
  const sampled = own(own(spotSamplesUsdPerHour, type), region);
  return {
    savingPercent: advised[0],
    interruptionsPerMonth,
    asOf: spot.advisor.asOf,
    sample:
      sampled === undefined ? null : { lowUsdPerHour: sampled[0], highUsdPerHour: sampled[1], asOf: spot.samples.asOf },
  };
}

/** Day of the on-demand list prices. */
export function pricesAsOf(): string {
  return document().asOf;
}

/** A plain index would answer `constructor` and the like with a method. */
function own<T>(record: Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
}
