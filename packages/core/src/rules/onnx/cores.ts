import { onnxRule } from "../rule.ts";
import { bge, classifier, phi, pinnedAmx, twoSockets } from "./examples.ts";

const THREAD_VARIABLES = ["RAYON_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"];

/** CPU-01 */
export const oversubscribed = onnxRule({
  id: "cpu.threads.oversubscribed",
  severity: "error",
  reason:
    "More runnable threads than vCPUs use up the CPU quota early in every period; the rest of it all threads stand still, and latency doubles.",
  reference: "onnxruntime.ai, Thread management; kernel documentation, CFS bandwidth control",
  check: ({ threads, instances, resources: { cpus }, engine, environmentVariables, origins }) => {
    if (!(cpus >= 1) || !(threads >= 1)) return [];
    const most = Math.max(1, Math.floor(cpus / instances));
    if (threads * instances > cpus) {
      const derived = origins.threads?.from !== "given";
      return [
        {
          at: derived ? "instances" : "threads",
          message: `${instances === 1 ? "" : `${instances} instances x `}${threads} threads are ${threads * instances} threads on ${cpus} vCPUs`,
          remedy: derived ? `use at most ${cpus} instances` : `use threads: ${most}, or leave threads out`,
        },
      ];
    }
    if (engine !== "tei") return [];
    return environmentVariables
      .filter(({ name, value }) => THREAD_VARIABLES.includes(name) && Number(value) > cpus)
      .map(({ name, value }) => ({
        at: "environmentVariables",
        message: `${name}=${value} on ${cpus} vCPUs`,
        remedy: `remove ${name}: it is set to ${threads} from the container's vCPUs`,
      }));
  },
  examples: {
    bad: [
      { title: "eight threads on four vCPUs", declare: () => phi({ cpus: 4, threads: 8 }), at: "threads" },
      {
        title: "copies times threads",
        declare: () => classifier({ cpus: 4, threads: 2, instances: 4 }),
        at: "threads",
      },
      { title: "more copies than vCPUs", declare: () => classifier({ cpus: 2, instances: 3 }), at: "instances" },
      {
        title: "past the setting, by the variable",
        declare: () => bge({ cpus: 4, environmentVariables: [{ name: "RAYON_NUM_THREADS", value: "16" }] }),
        at: "environmentVariables",
      },
    ],
    good: [
      { title: "one a vCPU", declare: () => phi({ cpus: 4, threads: 4 }) },
      { title: "two copies of two", declare: () => classifier({ cpus: 4, threads: 2, instances: 2 }) },
      { title: "derived", declare: () => bge({}) },
    ],
  },
});

/** CPU-08, CPU-01 */
export const invalidThreads = onnxRule({
  id: "cpu.threads.invalid",
  severity: "error",
  acknowledgeable: false,
  reason:
    "Zero lets the runtime count the machine's cores and pin threads to CPUs outside the container's set; no fraction of a thread exists.",
  reference: "onnxruntime.ai, Thread management: intra_op_num_threads 0",
  check: ({ threads, resources: { cpus } }) =>
    Number.isInteger(threads) && threads >= 1
      ? []
      : [
          {
            at: "threads",
            message: `${threads} threads; valid is a whole number from 1 to the container's ${cpus} vCPUs`,
            remedy: "leave threads out, or give a whole number",
          },
        ],
  examples: {
    bad: [
      { title: "zero, the runtime's own default", declare: () => classifier({ threads: 0 }), at: "threads" },
      { title: "zero on pinned cores", declare: () => phi({ threads: 0, pool: pinnedAmx }), at: "threads" },
      { title: "a fraction", declare: () => phi({ threads: 1.5 }), at: "threads" },
      { title: "negative", declare: () => phi({ threads: -4 }), at: "threads" },
    ],
    good: [{ title: "one", declare: () => classifier({ threads: 1 }) }],
  },
});

/** CPU-01, CPU-03 */
export const fractionalCpus = onnxRule({
  id: "cpu.cpus.invalid",
  severity: "error",
  acknowledgeable: false,
  reason:
    "Exclusive cores are given for whole CPU requests only, and a thread that has a part of a vCPU is throttled in every period.",
  reference: "Kubernetes CPU management policies: integer CPU requests",
  check: ({ resources: { cpus }, pinned }) =>
    Number.isInteger(cpus) && cpus >= 1
      ? []
      : [
          {
            at: "cpus",
            message: `${cpus} vCPUs${pinned ? " of pinned cores" : ""}; valid is a whole number from 1`,
            remedy: `use cpus: ${Math.max(1, Math.ceil(Number.isFinite(cpus) ? cpus : 1))}`,
          },
        ],
  examples: {
    bad: [
      { title: "2.5 on pinned cores", declare: () => phi({ cpus: 2.5, pool: pinnedAmx }), at: "cpus" },
      { title: "1500m", declare: () => bge({ cpus: 1.5 }), at: "cpus" },
      { title: "none", declare: () => bge({ cpus: 0 }), at: "cpus" },
      { title: "negative", declare: () => bge({ cpus: -2 }), at: "cpus" },
    ],
    good: [{ title: "whole", declare: () => phi({ cpus: 4, pool: pinnedAmx }) }],
  },
});

/** CPU-03 */
export const halfCore = onnxRule({
  id: "cpu.pinned.half-core",
  severity: "error",
  acknowledgeable: false,
  reason:
    "The kubelet of a static pool gives out whole physical cores (full-pcpus-only) and refuses a pod that asks for half of one with SMTAlignmentError.",
  reference: "Kubernetes CPU management policies: full-pcpus-only",
  check: ({ pool, resources: { cpus } }) => {
    const { manager, threadsPerCore } = pool.cpu;
    if (manager !== "static" || threadsPerCore === 1 || !(Number.isInteger(cpus) && cpus >= 1)) return [];
    if (cpus % threadsPerCore === 0) return [];
    return [
      {
        at: "cpus",
        message: `${cpus} vCPUs on ${pool.instanceTypes[0]}, whose cores have ${threadsPerCore} each; valid are multiples of ${threadsPerCore}`,
        remedy: `use cpus: ${Math.ceil(cpus / threadsPerCore) * threadsPerCore}`,
      },
    ];
  },
  examples: {
    bad: [
      { title: "three", declare: () => phi({ cpus: 3, pool: pinnedAmx }), at: "cpus" },
      { title: "pinned or not", declare: () => bge({ cpus: 1, pinned: false, pool: pinnedAmx }), at: "cpus" },
    ],
    good: [
      { title: "two cores", declare: () => phi({ cpus: 4, pool: pinnedAmx }) },
      { title: "odd without the static manager", declare: () => phi({ cpus: 3 }) },
    ],
  },
});

/** CPU-05 */
export const noStaticManager = onnxRule({
  id: "cpu.pinned.no-static-manager",
  severity: "error",
  acknowledgeable: false,
  reason:
    "Exclusive cores come from the kubelet's static CPU manager, which is set where the node starts; without it the pod runs on shared cores, whatever it asks for.",
  reference: "Kubernetes CPU management policies; awslabs/amazon-eks-ami nodeadm NodeConfig",
  check: ({ pinned, pool }) =>
    pinned && pool.cpu.manager !== "static"
      ? [
          {
            at: "pinned",
            message: `pool ${pool.name} has no static CPU manager`,
            remedy: 'declare the pool with cpuManager: "static" (its nodes are replaced), or remove pinned',
          },
        ]
      : [],
  examples: {
    bad: [{ title: "ordinary pool", declare: () => phi({ pinned: true }), at: "pinned" }],
    good: [
      { title: "static pool", declare: () => phi({ pinned: true, pool: pinnedAmx }) },
      { title: "not asked for", declare: () => phi({}) },
    ],
  },
});

export const pinnedAnyway = onnxRule({
  id: "cpu.pinned.anyway",
  severity: "info",
  reason:
    "Requests equal limits in whole CPUs, so the static manager gives every such container cores of its own; the declaration cannot refuse them.",
  reference: "Kubernetes CPU management policies: Guaranteed pods",
  check: ({ pinned, pool, threads }) =>
    !pinned && pool.cpu.manager === "static"
      ? [
          {
            at: "pinned",
            message: `pool ${pool.name} pins this service all the same; only its ${threads} threads follow from pinned: false`,
            remedy: "leave pinned out for one thread a core, or use a pool without the static manager",
          },
        ]
      : [],
  examples: {
    bad: [{ title: "static pool", declare: () => phi({ pinned: false, pool: pinnedAmx }), at: "pinned" }],
    good: [{ title: "default", declare: () => phi({ pool: pinnedAmx }) }],
  },
});

/** CPU-08, facts/serving.md D6 */
export const hyperthreads = onnxRule({
  id: "cpu.threads.hyperthreads",
  severity: "info",
  reason:
    "Both hardware threads of a core share its AMX and AVX-512 units, so a second thread a core adds no throughput.",
  reference: "OpenVINO documentation, CPU device: hyper-threading and performance hints",
  check: ({ pinned, pool, threads, instances, resources: { cpus } }) => {
    const cores = Math.floor(cpus / pool.cpu.threadsPerCore);
    if (!pinned || pool.cpu.manager !== "static" || cores < 1 || threads * instances > cpus) return [];
    if (threads * instances <= cores) return [];
    return [
      {
        at: "threads",
        message: `${threads * instances} threads on ${cores} physical cores`,
        remedy: `use threads: ${Math.max(1, Math.floor(cores / instances))}, or leave threads out`,
      },
    ];
  },
  examples: {
    bad: [
      { title: "one a hardware thread", declare: () => phi({ cpus: 8, threads: 8, pool: pinnedAmx }), at: "threads" },
    ],
    good: [{ title: "one a core", declare: () => phi({ cpus: 8, threads: 4, pool: pinnedAmx }) }],
  },
});

export const beyondNode = onnxRule({
  id: "cpu.cpus.beyond-node",
  severity: "error",
  acknowledgeable: false,
  reason: "A pod that asks for more CPU than a node has left waits for ever, and the autoscaler adds no node for it.",
  reference: "Kubernetes resource management; node allocatable",
  check: ({ pool, resources: { cpus } }) => {
    const most = vcpusForPods(pool);
    return cpus > most
      ? [
          {
            at: "cpus",
            message: `${cpus} vCPUs; a ${pool.instanceTypes[0]} of pool ${pool.name} has ${most} left for pods`,
            remedy: `use at most cpus: ${pool.cpu.largestSlotVcpus} and more replicas, or a pool of larger nodes`,
          },
        ]
      : [];
  },
  examples: {
    bad: [
      { title: "all of the type", declare: () => phi({ cpus: 32 }), at: "cpus" },
      { title: "past the reserved core", declare: () => phi({ cpus: 32, pool: pinnedAmx }), at: "cpus" },
      { title: "absurd", declare: () => phi({ cpus: 4096 }), at: "cpus" },
    ],
    good: [
      { title: "what is left", declare: () => phi({ cpus: 31 }) },
      { title: "what is left to pinned pods", declare: () => phi({ cpus: 30, pool: pinnedAmx }) },
    ],
  },
});

/** facts/hardware.md 4 */
export const spansNuma = onnxRule({
  id: "cpu.cpus.numa",
  severity: "warning",
  reason:
    "Cores of two NUMA nodes read half of the weights over the link between them, and decoding is bound by memory bandwidth.",
  reference: "OpenVINO Model Server, performance tuning: one container a NUMA node",
  check: ({ pool, resources: { cpus } }) => {
    const { numaNodes, largestSlotVcpus } = pool.cpu;
    return numaNodes > 1 && cpus > largestSlotVcpus && cpus <= vcpusForPods(pool)
      ? [
          {
            at: "cpus",
            message: `${cpus} vCPUs span the ${numaNodes} NUMA nodes of ${pool.instanceTypes[0]}; one has ${largestSlotVcpus} for pods`,
            remedy: `use at most cpus: ${largestSlotVcpus} and more replicas`,
          },
        ]
      : [];
  },
  examples: {
    bad: [{ title: "most of a c7i.48xlarge", declare: () => phi({ cpus: 128, pool: twoSockets }), at: "cpus" }],
    good: [
      { title: "inside one", declare: () => phi({ cpus: 64, pool: twoSockets }) },
      { title: "one NUMA node", declare: () => phi({ cpus: 30 }) },
    ],
  },
});

/** Of one node: what the scheduler gives, and under the static manager no more than the cores that are left. */
function vcpusForPods(pool: {
  readonly allocatable: { readonly cpuMillis: number };
  readonly cpu: { readonly manager: string; readonly vcpusPerNuma: readonly number[] };
}): number {
  const schedulable = Math.floor(pool.allocatable.cpuMillis / 1000);
  if (pool.cpu.manager !== "static") return schedulable;
  return Math.min(
    schedulable,
    pool.cpu.vcpusPerNuma.reduce((sum, vcpus) => sum + vcpus, 0),
  );
}
