import * as pulumi from "@pulumi/pulumi";

/**
 * Subnets by availability zone (`{ "eu-central-1a": "subnet-0123" }`), so that a pool can choose its zones, or a plain
 * list, whose zones nobody knows before deployment. The order given is the order used.
 */
export type Subnets = Readonly<Record<string, pulumi.Input<string>>> | pulumi.Input<pulumi.Input<string>[]>;

export interface NodeSubnets {
  /** Null for a plain list. */
  readonly byZone: Readonly<Record<string, pulumi.Output<string>>> | null;
  readonly all: pulumi.Output<string[]>;
  /** How many; null where that is known at deployment only. */
  readonly count: number | null;
}

export function nodeSubnets(given: Subnets): NodeSubnets {
  if (isByZone(given)) {
    const byZone = Object.fromEntries(Object.entries(given).map(([zone, id]) => [zone, pulumi.output(id)]));
    return Object.freeze({
      byZone: Object.freeze(byZone),
      all: pulumi.all(Object.values(byZone)),
      count: Object.keys(byZone).length,
    });
  }
  return Object.freeze({
    byZone: null,
    all: pulumi.output(given).apply((ids) => [...ids]),
    count: Array.isArray(given) ? given.length : null,
  });
}

function isByZone(given: Subnets): given is Readonly<Record<string, pulumi.Input<string>>> {
  return !Array.isArray(given) && !pulumi.Output.isInstance(given) && !(given instanceof Promise);
}

/** Subnets of some zones, in the pool's order; null where a zone is not there or zones are not known. */
export function subnetsOfZones(subnets: NodeSubnets, zones: readonly string[]): NodeSubnets | null {
  const { byZone } = subnets;
  if (byZone === null || zones.some((zone) => byZone[zone] === undefined)) return null;
  return nodeSubnets(Object.fromEntries(zones.map((zone) => [zone, byZone[zone]!])));
}
