import fc from "fast-check";
import type { PoolShape, Props } from "./blueprint.ts";

/** What any pool may have besides. Keys that are left out are undefined, which is what left out means. */
const extras = fc.record(
  {
    labels: fc.constantFrom({ tier: "a" }, { "example.com/cost-centre": "4711", zone: "b" }),
    taints: fc.constantFrom(
      [{ key: "dedicated", value: "inference", effect: "NoSchedule" }],
      [
        { key: "a", effect: "NoExecute" },
        { key: "b", value: "c", effect: "PreferNoSchedule" },
      ],
    ),
    usdPerHour: fc.double({ min: 0.1, max: 50, noNaN: true }),
    capacity: fc.constantFrom("on-demand", "spot"),
    zones: fc.constantFrom(["us-east-1a"], ["us-east-1a", "us-east-1b"]),
  },
  { requiredKeys: [] },
);

function gpu(instances: readonly string[], more: fc.Arbitrary<Props>): fc.Arbitrary<PoolShape> {
  return fc
    .tuple(fc.constantFrom(...instances), fc.constantFrom("none", "raid0"), extras, more)
    .map(([instanceType, localStorage, extra, own]) => ({
      make: "gpu",
      props: { instanceType, localStorage, ...extra, ...own },
    }));
}

function wholePools(): fc.Arbitrary<PoolShape> {
  const types = [
    "g5.2xlarge",
    "g6.2xlarge",
    "g6.12xlarge",
    "g6e.xlarge",
    "g6e.2xlarge",
    "g6e.12xlarge",
    "p4d.24xlarge",
    "p5.4xlarge",
  ];
  return gpu(types, fc.constantFrom({}, { amiFamily: "bottlerocket", amiRelease: "1.34.0-abcdef12" }));
}

function migPools(): fc.Arbitrary<PoolShape> {
  const layouts: readonly (readonly [string, unknown])[] = [
    ["p5.4xlarge", "1g.10gb"],
    ["p5.4xlarge", "3g.40gb"],
    ["p5.4xlarge", { "3g.40gb": 1, "1g.10gb": 4 }],
    ["p5.4xlarge", { "1g.10gb": 2, "2g.20gb": 1, "3g.40gb": 1 }],
    ["p5en.48xlarge", "1g.18gb"],
    ["p4d.24xlarge", "3g.20gb"],
    ["p4de.24xlarge", "2g.20gb"],
  ];
  return fc.tuple(fc.constantFrom(...layouts), fc.boolean(), extras).map(([[instanceType, layout], single, extra]) => ({
    make: "gpu",
    props: {
      instanceType,
      // Many pods a node: their disks do not fit a root volume.
      localStorage: "raid0",
      sharing: { kind: "mig", layout, strategy: single && typeof layout === "string" ? "single" : "mixed" },
      ...extra,
    },
  }));
}

function sharedPools(): fc.Arbitrary<PoolShape> {
  const sharing = fc.oneof(
    fc.record({ kind: fc.constant("time-slicing"), replicas: fc.integer({ min: 2, max: 4 }), rename: fc.boolean() }),
    fc.record({ kind: fc.constant("mps"), replicas: fc.integer({ min: 2, max: 3 }) }),
  );
  return gpu(["g6.4xlarge", "g6e.4xlarge", "g6.12xlarge"], fc.record({ sharing }));
}

function cpuPools(): fc.Arbitrary<PoolShape> {
  const types = [
    ["c7i.4xlarge"],
    ["c7i.8xlarge", "m7i.8xlarge"],
    ["c7i.48xlarge"],
    ["m7i.4xlarge"],
    ["c7a.8xlarge"],
    ["c7g.8xlarge"],
  ];
  return fc
    .tuple(
      fc.constantFrom(...types),
      fc.constantFrom("none", "static"),
      fc.option(fc.boolean(), { nil: undefined }),
      extras,
    )
    .map(([instanceTypes, cpuManager, dedicated, extra]) => ({
      make: "cpu",
      props: { instanceTypes, cpuManager, ...(dedicated === undefined ? {} : { dedicated }), ...extra },
    }));
}

function existingPools(): fc.Arbitrary<PoolShape> {
  return fc
    .tuple(
      fc.constantFrom<Props>(
        { instanceType: "g6e.2xlarge" },
        { instanceType: "g6.4xlarge", sharing: { kind: "time-slicing", replicas: 2, rename: true } },
        {
          instanceType: "p5.4xlarge",
          sharing: { kind: "mig", layout: "2g.20gb", strategy: "mixed" },
          localStorage: "raid0",
        },
        { instanceType: "c7i.8xlarge", cpuManager: "static" },
      ),
      extras,
    )
    .map(([own, { taints, usdPerHour, capacity }]) => ({
      make: "existing",
      props: {
        ...own,
        nodeSelector: { "example.com/nodes": "theirs" },
        ...(taints === undefined ? {} : { taints }),
        ...(usdPerHour === undefined ? {} : { usdPerHour }),
        ...(capacity === undefined ? {} : { capacity }),
      },
    }));
}

/** Every kind of pool, and every kind of sharing. */
export const poolShapes: fc.Arbitrary<PoolShape> = fc.oneof(
  wholePools(),
  migPools(),
  sharedPools(),
  cpuPools(),
  existingPools(),
);
