import { capacityBlock } from "../../pool/capacity.ts";
import { gpuPool } from "../../pool/declare.ts";
import { poolRule } from "../rule.ts";
import { c7i, g6, size } from "./examples.ts";

/** NODE-13 */
export const spotSingleType = poolRule({
  id: "pool.spot.single-type",
  severity: "warning",
  reason: "One instance type is one capacity pool: when it is reclaimed, all nodes go together.",
  reference: "EC2 Spot best practices: be flexible about instance types",
  check: (pool) =>
    pool.managed && pool.capacity.kind === "spot" && pool.instanceTypes.length === 1
      ? [
          {
            at: "capacity",
            message: `spot with ${pool.instanceTypes[0]} alone`,
            remedy:
              pool.kind === "gpu" ? "add alternativeInstanceTypes with the same GPU" : "add further instanceTypes",
          },
        ]
      : [],
  examples: {
    bad: [
      { title: "GPU", declare: () => g6({ capacity: "spot" }), at: "capacity" },
      { title: "CPU", declare: () => c7i({ capacity: "spot" }), at: "capacity" },
    ],
    good: [
      { title: "two types", declare: () => c7i({ capacity: "spot", instanceTypes: ["c7i.8xlarge", "m7i.8xlarge"] }) },
      { title: "on-demand", declare: () => g6({}) },
    ],
  },
});

/** NODE-14 */
export const reservationId = poolRule({
  id: "pool.reservation.invalid",
  severity: "error",
  acknowledgeable: false,
  reason: "Capacity type, market type and reservation id must agree, or EKS makes the group without the reservation.",
  reference: "EKS user guide, Capacity Blocks for ML",
  check: (pool) => {
    const { kind, reservationId: id } = pool.capacity;
    if (id === null) return [];
    if (!/^cr-[0-9a-f]{8,17}$/.test(id))
      return [
        {
          at: "capacity.reservationId",
          message: `"${id}" is not a capacity reservation id`,
          remedy: "give the id as EC2 shows it, cr- and 17 hex digits",
        },
      ];
    if (kind === "capacity-block" && pool.instanceTypes.length > 1)
      return [
        {
          at: "alternativeInstanceTypes",
          message: "a capacity block is sold for one instance type",
          remedy: "remove the alternatives",
        },
      ];
    return [];
  },
  examples: {
    bad: [
      {
        title: "empty",
        declare: () => gpuPool({ name: "h100", instanceType: "p5.48xlarge", size, capacity: capacityBlock("") }),
        at: "capacity.reservationId",
      },
      {
        title: "something else's id",
        declare: () =>
          gpuPool({ name: "h100", instanceType: "p5.48xlarge", size, capacity: capacityBlock("i-0123456789abcdef0") }),
        at: "capacity.reservationId",
      },
    ],
    good: [
      {
        title: "id",
        declare: () =>
          gpuPool({
            name: "h100",
            instanceType: "p5.48xlarge",
            size,
            zones: ["us-east-1a"],
            capacity: capacityBlock("cr-0123456789abcdef0"),
          }),
      },
    ],
  },
});

export const blockNeedsOneZone = poolRule({
  id: "pool.zones.one-needed",
  severity: "error",
  reason: "A reservation and an EFA placement group live in one zone; nodes in another are refused or cannot talk.",
  reference: "EKS user guide, Capacity Blocks and EFA; EC2 cluster placement groups",
  check: (pool) => {
    const why = pool.efaInterfaces > 0 ? "EFA" : pool.capacity.kind === "capacity-block" ? "a capacity block" : null;
    return why !== null && pool.managed && pool.zones !== null && pool.zones.length !== 1
      ? [
          {
            at: "zones",
            message: `${why} needs one zone, got ${pool.zones.length === 0 ? "none" : pool.zones.join(", ")}`,
            remedy: 'name the one zone, for example zones: ["us-east-1a"]',
          },
        ]
      : [];
  },
  examples: {
    bad: [
      {
        title: "EFA over three",
        declare: () =>
          gpuPool({
            name: "h100",
            instanceType: "p5.48xlarge",
            size,
            efa: true,
            zones: ["us-east-1a", "us-east-1b", "us-east-1c"],
          }),
        at: "zones",
      },
      {
        title: "block over two",
        declare: () =>
          gpuPool({
            name: "h100",
            instanceType: "p5.48xlarge",
            size,
            zones: ["us-east-1a", "us-east-1b"],
            capacity: capacityBlock("cr-0123456789abcdef0"),
          }),
        at: "zones",
      },
    ],
    good: [
      {
        title: "one",
        declare: () => gpuPool({ name: "h100", instanceType: "p5.48xlarge", size, efa: true, zones: ["us-east-1a"] }),
      },
    ],
  },
});

export const scarceOnDemand = poolRule({
  id: "pool.capacity.scarce",
  severity: "warning",
  reason:
    "The large GPU types are practically sold as capacity blocks and reservations; on-demand requests wait for ever.",
  reference: "facts of the EC2 capacity documentation, 2026; case NODE-14",
  check: (pool) =>
    pool.managed &&
    pool.capacity.kind === "on-demand" &&
    /^(p5|p5e|p5en|p6-b200|p6-b300)\.48xlarge$/.test(pool.instanceTypes[0] ?? "")
      ? [
          {
            at: "capacity",
            message: `${pool.instanceTypes[0]} on-demand is rarely to be had`,
            remedy: "use capacityBlock(id) or reservation(id), or p5.4xlarge for single GPUs",
          },
        ]
      : [],
  examples: {
    bad: [
      {
        title: "p5.48xlarge",
        declare: () => gpuPool({ name: "h100", instanceType: "p5.48xlarge", size }),
        at: "capacity",
      },
    ],
    good: [{ title: "p5.4xlarge", declare: () => gpuPool({ name: "h100", instanceType: "p5.4xlarge", size }) }],
  },
});
