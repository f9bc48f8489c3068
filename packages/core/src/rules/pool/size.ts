import { DNS_LABEL } from "../../labels.ts";
import { existingPool } from "../../pool/declare.ts";
import { poolRule } from "../rule.ts";
import { c7i, g6 } from "./examples.ts";

const LONGEST_POOL_NAME = 40;
/** AWS's default quota "Nodes per managed node group", which can be raised; recalled from the EKS user guide, not read. */
const NODES_PER_GROUP_QUOTA = 450;

export const poolName = poolRule({
  id: "pool.name.invalid",
  severity: "error",
  acknowledgeable: false,
  reason: "The name becomes a label value and part of resource names, which AWS and Kubernetes cut or refuse.",
  reference: "Kubernetes object names and IDs; IAM role name limit of 64",
  check: (pool) =>
    DNS_LABEL.test(pool.name) && pool.name.length <= LONGEST_POOL_NAME
      ? []
      : [
          {
            at: "name",
            message: `"${pool.name}" is not a name of at most ${LONGEST_POOL_NAME} lower-case letters, digits and dashes`,
            remedy: "write it like l40s or h100-mig",
          },
        ],
  examples: {
    bad: [
      { title: "upper case", declare: () => g6({ name: "L4" }), at: "name" },
      { title: "underscore", declare: () => c7i({ name: "amx_pool" }), at: "name" },
      { title: "empty", declare: () => c7i({ name: "" }), at: "name" },
      { title: "too long", declare: () => g6({ name: "a".repeat(41) }), at: "name" },
    ],
    good: [{ title: "plain", declare: () => g6({ name: "l4-spot" }) }],
  },
});

export const poolSize = poolRule({
  id: "pool.size.invalid",
  severity: "error",
  acknowledgeable: false,
  reason: "EKS refuses a size outside min <= desired <= max, and ignoring desired hides it until apply.",
  reference: "EKS CreateNodegroup scalingConfig; cloudposse/terraform-aws-eks-node-group#12",
  check: ({ size: { min, max, desired } }) => {
    if (min < 0) return [{ at: "size.min", message: `min ${min} is negative`, remedy: "use 0 or more" }];
    if (max < 1)
      return [{ at: "size.max", message: `max ${max} allows no node`, remedy: "use 1 or more, or remove the pool" }];
    if (min > max)
      return [{ at: "size", message: `min ${min} is above max ${max}`, remedy: `raise max to ${min} or lower min` }];
    if (desired < min || desired > max)
      return [
        {
          at: "size.desired",
          message: `desired ${desired} is outside ${min} to ${max}`,
          remedy: "leave desired out, or choose a number inside",
        },
      ];
    return [];
  },
  examples: {
    bad: [
      { title: "min above max", declare: () => g6({ size: { min: 3, max: 2 } }), at: "size" },
      { title: "negative", declare: () => g6({ size: { min: -1, max: 2 } }), at: "size.min" },
      { title: "no node", declare: () => c7i({ size: { min: 0, max: 0 } }), at: "size.max" },
      { title: "desired outside", declare: () => c7i({ size: { min: 1, max: 2, desired: 5 } }), at: "size.desired" },
    ],
    good: [{ title: "from zero", declare: () => g6({ size: { min: 0, max: 4 } }) }],
  },
});

export const aboveQuota = poolRule({
  id: "pool.size.above-quota",
  severity: "warning",
  reason: "EKS refuses a node group above the account's quota of nodes per managed node group, 450 until it is raised.",
  reference: "EKS user guide, service quotas: nodes per managed node group",
  check: ({ managed, size: { max } }) =>
    managed && max > NODES_PER_GROUP_QUOTA
      ? [
          {
            at: "size.max",
            message: `max ${max} is above ${NODES_PER_GROUP_QUOTA}, the default quota of nodes in one group`,
            remedy: `lower max to ${NODES_PER_GROUP_QUOTA} or declare a second pool, or have the quota raised first`,
          },
        ]
      : [],
  examples: {
    bad: [
      { title: "GPU", declare: () => g6({ size: { min: 0, max: 451 } }), at: "size.max" },
      { title: "CPU", declare: () => c7i({ size: { min: 0, max: 1000 } }), at: "size.max" },
    ],
    good: [
      { title: "as many as the quota allows", declare: () => g6({ size: { min: 0, max: 450 } }) },
      {
        title: "nodes that are there",
        declare: () =>
          existingPool({
            name: "x",
            instanceType: "g6.xlarge",
            nodeSelector: { pool: "x" },
            size: { min: 0, max: 600 },
          }),
      },
    ],
  },
});

export const repeatedType = poolRule({
  id: "pool.instance-type.repeated",
  severity: "error",
  acknowledgeable: false,
  reason: "A type that is named twice adds no capacity; most often another was meant.",
  reference: "EKS CreateNodegroup instanceTypes",
  check: (pool) => {
    const twice = pool.instanceTypes.filter((type, i, all) => all.indexOf(type) !== i);
    return [...new Set(twice)].map((type) => ({
      at: pool.kind === "gpu" ? "alternativeInstanceTypes" : "instanceTypes",
      message: `${type} is named more than once`,
      remedy: "remove it, or write the type that was meant",
    }));
  },
  examples: {
    bad: [
      {
        title: "the first again",
        declare: () => g6({ alternativeInstanceTypes: ["g6.2xlarge"] }),
        at: "alternativeInstanceTypes",
      },
      {
        title: "an alternative twice",
        declare: () => g6({ alternativeInstanceTypes: ["g6.4xlarge", "g6.4xlarge"] }),
        at: "alternativeInstanceTypes",
      },
      {
        title: "CPU",
        declare: () => c7i({ instanceTypes: ["c7i.8xlarge", "m7i.8xlarge", "c7i.8xlarge"] }),
        at: "instanceTypes",
      },
    ],
    good: [{ title: "each once", declare: () => c7i({ instanceTypes: ["c7i.8xlarge", "m7i.8xlarge"] }) }],
  },
});
