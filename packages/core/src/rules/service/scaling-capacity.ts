import { podsPerNode } from "../../plan/nodes/pack.ts";
import { gpuPool } from "../../pool/declare.ts";
import { fixed, onCpu, onQueue, schedule } from "../../scaling/props.ts";
import { count } from "../numbers.ts";
import { phi } from "../onnx/examples.ts";
import { serviceRule } from "../rule.ts";
import { llama } from "./examples.ts";

const hours = [{ timezone: "Europe/Berlin", weekdays: "1-5", from: "08:00", to: "18:00", replicas: 1 }];

/** facts/platform.md 16.18 */
export const beyondPool = serviceRule({
  id: "scaling.max.beyond-pool",
  severity: "error",
  reason:
    "Replicas beyond what the pool's nodes hold at their most wait for ever, and the HPA counts them as if they served.",
  reference: "EKS managed node groups, maxSize; cluster-autoscaler FAQ",
  check: (service) => {
    const perNode = podsPerNode(service);
    const { pool, scaling } = service;
    const most = perNode * pool.size.max;
    if (perNode === 0 || scaling.max <= most) return [];
    return [
      {
        at: scaling.by === "nobody" ? "scaling.replicas" : "scaling.max",
        message: `${scaling.max} replicas; pool ${pool.name} holds ${most} (${perNode} a node, ${count(pool.size.max, "node")})`,
        remedy: `use at most ${most}, or raise size.max of the pool to ${Math.ceil(scaling.max / perNode)}`,
      },
    ];
  },
  examples: {
    bad: [
      {
        title: "nine GPUs of eight",
        declare: () => llama({ scaling: onQueue({ min: 1, max: 9 }) }),
        at: "scaling.max",
      },
      // Two pods of 14 vCPUs a c7i.8xlarge, four nodes.
      { title: "cores", declare: () => phi({ cpus: 14, scaling: onCpu({ min: 1, max: 9 }) }), at: "scaling.max" },
      { title: "fixed", declare: () => llama({ scaling: fixed(12) }), at: "scaling.replicas" },
    ],
    good: [
      { title: "eight of eight", declare: () => llama({ scaling: onQueue({ min: 1, max: 8 }) }) },
      { title: "eight of eight on cores", declare: () => phi({ cpus: 14, scaling: onCpu({ min: 1, max: 8 }) }) },
    ],
  },
});

export const needsMoreNodes = serviceRule({
  id: "scaling.min.needs-nodes",
  severity: "info",
  reason:
    "The replicas that always run keep more nodes up than the pool's min says: that is what the bill starts from.",
  reference: "cluster-autoscaler FAQ: when does it change the size of a cluster",
  check: (service) => {
    const { pool, scaling } = service;
    const perNode = podsPerNode(service);
    const nodes = perNode === 0 ? 0 : Math.ceil(scaling.min / perNode);
    // A pool from zero is left to the autoscaler altogether.
    return pool.size.min > 0 && nodes > pool.size.min && nodes <= pool.size.max
      ? [
          {
            at: scaling.by === "nobody" ? "scaling.replicas" : "scaling.min",
            message: `${count(scaling.min, "replica")} at all times need ${count(nodes, "node")} of pool ${pool.name}, whose min is ${pool.size.min}`,
            remedy: `use size: { min: ${nodes} } to have them without waiting for the autoscaler`,
          },
        ]
      : [];
  },
  examples: {
    bad: [
      {
        title: "three on a pool of one",
        declare: () => llama({ scaling: onQueue({ min: 3, max: 4 }) }),
        at: "scaling.min",
      },
    ],
    good: [{ title: "one on a pool of one", declare: () => llama({ scaling: onQueue({ min: 1, max: 4 }) }) }],
  },
});

/** NODE-14 kind: nodes of a block come and go at fixed times. */
export const blockAtZero = serviceRule({
  id: "scaling.zero.capacity-block",
  severity: "info",
  reason: "A capacity block is paid in advance; replicas at zero save nothing until it ends.",
  reference: "EC2 Capacity Blocks for ML, pricing",
  check: ({ scaling, pool }) =>
    scaling.by !== "nobody" &&
    scaling.min === 0 &&
    (pool.capacity.kind === "capacity-block" || pool.capacity.kind === "reservation")
      ? [
          {
            at: "scaling.min",
            message: `pool ${pool.name} is paid whether used or not (${pool.capacity.kind})`,
            remedy: "use min: 1 for no cold start at the same price, unless other services share the pool",
          },
        ]
      : [],
  examples: {
    bad: [
      {
        title: "reservation",
        declare: () =>
          llama({
            scaling: schedule({ hours }),
            pool: gpuPool({
              name: "h100",
              instanceType: "p5.4xlarge",
              size: { min: 0, max: 1 },
              capacity: { kind: "reservation", reservationId: "cr-0123456789abcdef0" },
            }),
          }),
        at: "scaling.min",
      },
    ],
    good: [{ title: "on-demand", declare: () => llama({ scaling: schedule({ hours }) }) }],
  },
});
