import { gpuPool } from "../../pool/declare.ts";
import { fixed, onQueue } from "../../scaling/props.ts";
import { count } from "../numbers.ts";
import { platformRule } from "../rule.ts";
import { declared, llama } from "./examples.ts";

const oneZone = gpuPool({ name: "l40s", instanceType: "g6e.2xlarge", size: { min: 2, max: 4 }, zones: ["us-east-1a"] });
const oneNode = gpuPool({ name: "l40s", instanceType: "g6e.2xlarge", size: { min: 1, max: 1 } });
const spot = gpuPool({
  name: "l40s",
  instanceType: "g6e.2xlarge",
  alternativeInstanceTypes: ["g6e.4xlarge"],
  size: { min: 2, max: 4 },
  capacity: "spot",
});
const two = onQueue({ min: 2, max: 4 });

export const oneReplica = platformRule({
  id: "platform.production.one-replica",
  severity: "info",
  reason: "With one replica a lost node or a roll-out is an outage as long as a cold start.",
  reference: "Kubernetes disruptions",
  check: ({ context, services }) =>
    context.production
      ? services
          .filter((service) => service.scaling.min === 1)
          .map((service) => ({
            at: `services.${service.name}.scaling`,
            message: `${service.name} may run one replica; a new one takes about ${service.coldStart.totalSeconds.expected} s`,
            remedy: "use min: 2, or acknowledge the outage",
          }))
      : [],
  examples: {
    bad: [
      {
        title: "one in production",
        declare: () => declared({ environment: "prod", services: [llama({ scaling: fixed(1) })] }),
        at: "services.llama-8b.scaling",
      },
    ],
    good: [
      { title: "two", declare: () => declared({ environment: "prod", services: [llama({ scaling: two })] }) },
      { title: "development", declare: () => declared({}) },
    ],
  },
});

export const onePlace = platformRule({
  id: "platform.production.one-place",
  severity: "info",
  reason: "All replicas of a pool in one zone, or on its only node, go together.",
  reference: "AWS Well-Architected, Reliability: deploy to multiple locations",
  check: ({ context, pools }) =>
    context.production
      ? pools.flatMap((pool) => {
          // A block, a reservation and EFA live in one zone by their nature.
          const bound =
            pool.efaAsked || pool.capacity.kind === "capacity-block" || pool.capacity.kind === "reservation";
          if (pool.size.max === 1)
            return [
              {
                at: `pools.${pool.name}.size.max`,
                message: `pool ${pool.name} has one node at most`,
                remedy: "use size.max: 2 or more",
              },
            ];
          return pool.zones?.length === 1 && !bound
            ? [
                {
                  at: `pools.${pool.name}.zones`,
                  message: `all nodes of pool ${pool.name} are in ${pool.zones[0]}`,
                  remedy: "leave zones out, or name two",
                },
              ]
            : [];
        })
      : [],
  examples: {
    bad: [
      {
        title: "one zone",
        declare: () =>
          declared({ environment: "prod", pools: [oneZone], services: [llama({ pool: oneZone, scaling: two })] }),
        at: "pools.l40s.zones",
      },
      {
        title: "one node",
        declare: () => declared({ environment: "prod", pools: [oneNode], services: [llama({ pool: oneNode })] }),
        at: "pools.l40s.size.max",
      },
    ],
    good: [
      { title: "all zones", declare: () => declared({ environment: "prod", services: [llama({ scaling: two })] }) },
      { title: "development", declare: () => declared({ pools: [oneZone], services: [llama({ pool: oneZone })] }) },
    ],
  },
});

export const spotOnly = platformRule({
  id: "platform.production.spot",
  severity: "info",
  reason:
    "EC2 takes spot nodes back with two minutes' notice, often several at once, and none may be left to replace them.",
  reference: "EC2 Spot interruption notices",
  check: ({ context, pools, services }) =>
    context.production
      ? pools
          .filter((pool) => pool.capacity.kind === "spot")
          .flatMap((pool) => {
            const own = services.filter((service) => service.pool.name === pool.name);
            return own.length === 0
              ? []
              : [
                  {
                    at: `pools.${pool.name}.capacity`,
                    message: `${count(own.length, "service")} of production run on spot nodes alone`,
                    remedy: "keep the replicas that must always answer on an on-demand pool, or acknowledge it",
                  },
                ];
          })
      : [],
  examples: {
    bad: [
      {
        title: "spot",
        declare: () =>
          declared({ environment: "prod", pools: [spot], services: [llama({ pool: spot, scaling: two })] }),
        at: "pools.l40s.capacity",
      },
    ],
    good: [
      { title: "on-demand", declare: () => declared({ environment: "prod", services: [llama({ scaling: two })] }) },
    ],
  },
});
