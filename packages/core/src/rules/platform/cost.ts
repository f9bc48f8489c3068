import { nearest, onDemandPrice, regions } from "@capstan/catalog";
import { kubecost } from "../../platform/props.ts";
import { cpuPool, gpuPool } from "../../pool/declare.ts";
import { timeSlicing } from "../../pool/sharing.ts";
import { platformRule } from "../rule.ts";
import { declared, l40s, llama, sharedL4, slices, small } from "./examples.ts";

const cost = kubecost({ clusterId: "search-dev" });
const sharedPlain = gpuPool({
  name: "l4",
  instanceType: "g6.4xlarge",
  size: { min: 0, max: 2 },
  sharing: timeSlicing(2, { rename: false }),
});

/** facts/platform.md 10 and 16.20 */
export const migNotAttributed = platformRule({
  id: "cost.mig-not-attributed",
  severity: "warning",
  reason:
    "Kubecost counts nvidia.com/gpu and knows no MIG resources: what a slice costs is shown with the node, and with no team.",
  reference: "kubecost/docs, GPU allocation: MIG is not supported",
  check: ({ pools, addons }) =>
    addons.kubecost === null
      ? []
      : pools
          .filter((pool) => pool.sharing.kind === "mig")
          .map((pool) => ({
            at: `pools.${pool.name}.sharing`,
            message: `Kubecost does not split the GPUs of pool ${pool.name} over its ${pool.slots.map((slot) => slot.resource).join(", ")}`,
            remedy: "split the node's price by slices in your own report, and acknowledge this with where that is",
          })),
  examples: {
    bad: [
      {
        title: "MIG",
        declare: () => declared({ pools: [slices], services: [small({ pool: slices })], cost }),
        at: "pools.h100-mig.sharing",
      },
    ],
    good: [
      { title: "whole GPUs", declare: () => declared({ cost }) },
      { title: "no cost tool", declare: () => declared({ pools: [slices], services: [small({ pool: slices })] }) },
    ],
  },
});

/** SHARE-11, OBS-01 */
export const sharedNotRenamed = platformRule({
  id: "cost.shared-not-renamed",
  severity: "error",
  reason:
    "A shared GPU under the plain name is counted as a whole one for every pod: the teams of one card are charged for it several times, or not at all.",
  reference: "kubecost/docs, GPU allocation: shared GPUs need renameByDefault",
  check: ({ pools, addons }) =>
    addons.kubecost === null
      ? []
      : pools.flatMap((pool) =>
          (pool.sharing.kind === "time-slicing" || pool.sharing.kind === "mps") && !pool.sharing.rename
            ? [
                {
                  at: `pools.${pool.name}.sharing.rename`,
                  message: `pool ${pool.name} offers shared GPUs as nvidia.com/gpu`,
                  remedy:
                    "use timeSlicing(n), which renames them to nvidia.com/gpu.shared; the autoscaler learns the name from tags",
                },
              ]
            : [],
        ),
  examples: {
    bad: [
      {
        title: "plain name",
        declare: () => declared({ pools: [sharedPlain], services: [small({ pool: sharedPlain })], cost }),
        at: "pools.l4.sharing.rename",
      },
    ],
    good: [
      {
        title: "renamed, with cluster-autoscaler",
        declare: () => declared({ pools: [sharedL4], services: [small()], cost }),
      },
      {
        title: "no cost tool",
        declare: () => declared({ pools: [sharedPlain], services: [small({ pool: sharedPlain })] }),
      },
    ],
  },
});

const CLUSTER_ID = /^[a-z0-9]([-a-z0-9.]{0,61}[a-z0-9])?$/;
/** What the charts set where nobody says anything. */
const DEFAULT_IDS = ["cluster-one", "default-cluster", "cluster"];

/** facts/platform.md 16.20 */
export const clusterId = platformRule({
  id: "cost.cluster-id.invalid",
  severity: "error",
  acknowledgeable: false,
  reason:
    "Reports of several clusters are put together by this name: under the default of the charts their costs run into one.",
  reference: "Kubecost 3 values, global.clusterId",
  check: ({ addons: { kubecost: tool } }) => {
    if (tool === null) return [];
    const id = tool.clusterId;
    if (!CLUSTER_ID.test(id))
      return [
        {
          at: "cost.clusterId",
          message: `"${id}" is not a name of 1 to 63 lower-case letters, digits, dashes and dots`,
          remedy: "write it like search-prod-eu",
        },
      ];
    return DEFAULT_IDS.includes(id)
      ? [
          {
            at: "cost.clusterId",
            message: `"${id}" is the default that every cluster has`,
            remedy: "give a name that no other cluster of the account has",
          },
        ]
      : [];
  },
  examples: {
    bad: [
      { title: "empty", declare: () => declared({ cost: kubecost({ clusterId: "" }) }), at: "cost.clusterId" },
      {
        title: "the chart's default",
        declare: () => declared({ cost: kubecost({ clusterId: "cluster-one" }) }),
        at: "cost.clusterId",
      },
      {
        title: "spaces",
        declare: () => declared({ cost: kubecost({ clusterId: "Search Prod" }) }),
        at: "cost.clusterId",
      },
    ],
    good: [{ title: "own", declare: () => declared({ cost }) }],
  },
});

const REGION = /^[a-z]{2}(-[a-z]+)+-\d$/;

export const unknownRegion = platformRule({
  id: "cost.region-unknown",
  severity: "warning",
  reason: "Without prices of the region every cost of the plan is unknown.",
  reference: "regions of packages/catalog/data/prices.json",
  check: ({ context: { region } }) => {
    const known: readonly string[] = regions;
    if (region === null || known.includes(region)) return [];
    const near = nearest(region, known);
    return [
      {
        at: "region",
        message: `no prices are known for ${REGION.test(region) ? region : `"${region}", which is not spelt like a region`}; known: ${known.join(", ")}`,
        remedy:
          near !== undefined && !REGION.test(region)
            ? `write "${near}"`
            : "give usdPerHour on the pools, or leave money unknown",
      },
    ];
  },
  examples: {
    bad: [
      { title: "misspelt", declare: () => declared({ region: "us-east1" }), at: "region" },
      { title: "a zone", declare: () => declared({ region: "eu-central-1a" }), at: "region" },
      { title: "no prices", declare: () => declared({ region: "sa-east-1" }), at: "region" },
    ],
    good: [{ title: "known", declare: () => declared({ region: "eu-central-1" }) }],
  },
});

export const unknownPrice = platformRule({
  id: "cost.price-unknown",
  severity: "info",
  reason: "Without the price of its nodes a pool is missing in every sum of the plan.",
  reference: "packages/catalog/data/prices.json",
  check: ({ pools, context: { region } }) =>
    pools
      .filter(
        (pool) =>
          pool.price.usdPerHour === null && (region === null || (regions as readonly string[]).includes(region)),
      )
      .map((pool) => ({
        at: `pools.${pool.name}.usdPerHour`,
        message: `the price of pool ${pool.name} (${pool.instanceTypes[0]}) is not known: ${pool.price.basis}`,
        remedy:
          region === null ? "give region on the platform, or usdPerHour on the pool" : "give usdPerHour on the pool",
      })),
  examples: {
    bad: [
      {
        title: "no region",
        declare: () => ({ environment: "dev", pools: [l40s], services: [llama()] }),
        at: "pools.l40s.usdPerHour",
      },
    ],
    good: [
      { title: "listed", declare: () => declared({}) },
      {
        title: "given",
        declare: () => {
          const pool = gpuPool({
            name: "l40s",
            instanceType: "g6e.2xlarge",
            size: { min: 1, max: 4 },
            usdPerHour: 1.9,
          });
          return { environment: "dev", pools: [pool], services: [llama({ pool })] };
        },
      },
    ],
  },
});

/** Of a type whose price is known in fewer regions the lack of one more says nothing. */
const KNOWN_WELL = Math.ceil(regions.length / 2);

export const notOffered = platformRule({
  id: "platform.instance-type.not-in-region",
  severity: "warning",
  reason:
    "A type whose price is known in most regions and not in this one may not be sold here: the node group would wait for capacity that never comes.",
  reference: "EC2 instance types by Region; packages/catalog/data/prices.json",
  check: ({ pools, context: { region } }) => {
    if (region === null || !(regions as readonly string[]).includes(region)) return [];
    return pools.flatMap((pool) =>
      pool.instanceTypes
        .filter((type) => onDemandPrice(type, region).usdPerHour === null)
        .flatMap((type) => {
          const elsewhere = regions.filter((other) => onDemandPrice(type, other).usdPerHour !== null);
          return elsewhere.length < KNOWN_WELL
            ? []
            : [
                {
                  at: `pools.${pool.name}.instanceType`,
                  message: `${type} has a price in ${elsewhere.join(", ")}, and none in ${region}`,
                  remedy:
                    "see with aws ec2 describe-instance-type-offerings whether it is sold there, or use another type or region",
                },
              ];
        }),
    );
  },
  examples: {
    bad: [
      { title: "L40S in Ireland", declare: () => declared({ region: "eu-west-1" }), at: "pools.l40s.instanceType" },
      {
        title: "L4 in Tokyo",
        declare: () => declared({ region: "ap-northeast-1", pools: [sharedL4], services: [small()] }),
        at: "pools.l4.instanceType",
      },
    ],
    good: [
      { title: "offered", declare: () => declared({}) },
      {
        title: "read for one region only",
        declare: () =>
          declared({
            region: "eu-central-1",
            pools: [cpuPool({ name: "m7i", instanceTypes: ["m7i.8xlarge"], size: { min: 1, max: 2 } })],
            services: [],
          }),
      },
    ],
  },
});
