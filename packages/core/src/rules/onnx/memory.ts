import type { ResolvedOnnx } from "../../service/resolved.ts";
import { gib, gibOfMib } from "../numbers.ts";
import { onnxRule } from "../rule.ts";
import { bge, classifier, phi } from "./examples.ts";

/** What the server holds at its fullest, without the margin of the request. */
function residentGib({ memory }: ResolvedOnnx): number {
  return memory.weightsGib + memory.kvGib + memory.activationGib + memory.runtimeGib;
}

function parts({ memory }: ResolvedOnnx): string {
  return [
    `weights ${gib(memory.weightsGib)}`,
    ...(memory.kvGib > 0 ? [`KV cache ${gib(memory.kvGib)}`] : []),
    ...(memory.activationGib > 0 ? [`activations ${gib(memory.activationGib)}`] : []),
    `server ${gib(memory.runtimeGib)}`,
  ].join(", ");
}

/** CPU-11 */
export const belowModel = onnxRule({
  id: "cpu.memory.below-model",
  severity: "error",
  reason:
    "The limit is under what the server keeps resident, so the kernel kills it while it loads or in its first busy hour.",
  reference: "Kubernetes resource management: memory limits and OOM kill",
  check: (service) =>
    service.resources.memoryMib / 1024 < residentGib(service)
      ? [
          {
            at: "memoryGib",
            message: `${gibOfMib(service.resources.memoryMib)} is under the ${gib(residentGib(service))} that it holds: ${parts(service)}`,
            remedy: `leave memoryGib out, or use ${Math.ceil(service.memory.requestGib)} or more${service.memory.kvGib > 1 ? "; a shorter contextTokens or less concurrency needs less" : ""}`,
          },
        ]
      : [],
  examples: {
    bad: [
      { title: "two GiB for Phi-3 mini int4", declare: () => phi({ memoryGib: 2 }), at: "memoryGib" },
      { title: "weights only", declare: () => classifier({ memoryGib: 0.5 }), at: "memoryGib" },
    ],
    good: [{ title: "derived", declare: () => phi({}) }],
  },
});

/** CPU-11 */
export const withoutMargin = onnxRule({
  id: "cpu.memory.no-margin",
  severity: "warning",
  reason:
    "Allocators keep freed memory and mapped files stay resident, so a limit at the plain sum is reached after some hours.",
  reference: "facts of glibc malloc arenas; ONNX Runtime memory arenas",
  check: (service) => {
    const given = service.resources.memoryMib / 1024;
    return given >= residentGib(service) && given < service.memory.requestGib
      ? [
          {
            at: "memoryGib",
            message: `${gib(given)} holds the ${gib(residentGib(service))} in use and no margin; the plan asks for ${gib(service.memory.requestGib)}`,
            remedy: `leave memoryGib out, or use ${Math.ceil(service.memory.requestGib)}`,
          },
        ]
      : [];
  },
  examples: {
    // 2.00 of weights, 6.50 of 8-bit KV cache (8 x 4096 tokens x 208 KiB), 1.25 of the server: 9.75, with a tenth on top 10.75.
    bad: [{ title: "the plain sum", declare: () => phi({ memoryGib: 10 }), at: "memoryGib" }],
    good: [{ title: "the plan's figure", declare: () => phi({ memoryGib: 11 }) }],
  },
});

export const beyondNodeMemory = onnxRule({
  id: "cpu.memory.beyond-node",
  severity: "error",
  acknowledgeable: false,
  reason:
    "A pod that asks for more memory than a node has left waits for ever, and the autoscaler adds no node for it.",
  reference: "Kubernetes resource management; node allocatable",
  check: ({ resources: { memoryMib }, pool, origins, memory }) =>
    memoryMib > pool.allocatable.memoryMib
      ? [
          {
            at: "memoryGib",
            message: `${gibOfMib(memoryMib)}${origins.memoryGib?.from === "given" ? "" : " (derived)"}; a ${pool.instanceTypes[0]} of pool ${pool.name} has ${gibOfMib(pool.allocatable.memoryMib)} left for pods`,
            remedy: `${memory.kvGib > 1 ? "lower contextTokens or concurrency, or " : ""}use a pool with more memory a node, such as m7i or r7i types`,
          },
        ]
      : [],
  examples: {
    bad: [
      { title: "more than the type has", declare: () => bge({ memoryGib: 128 }), at: "memoryGib" },
      { title: "KV cache of 64 long requests", declare: () => phi({ concurrency: 64 }), at: "memoryGib" },
    ],
    good: [{ title: "fits", declare: () => bge({ memoryGib: 48 }) }],
  },
});

export const beyondNodeDisk = onnxRule({
  id: "onnx.disk.beyond-node",
  severity: "error",
  acknowledgeable: false,
  reason: "Without a cache the model is downloaded into the pod; a node without that much disk never takes the pod.",
  reference: "Kubernetes local ephemeral storage",
  check: ({ resources: { ephemeralGib }, pool }) =>
    ephemeralGib > pool.allocatable.ephemeralGib
      ? [
          {
            at: "model",
            message: `the download needs ${ephemeralGib} GiB of the node's disk; pool ${pool.name} has ${pool.allocatable.ephemeralGib} GiB for pods`,
            remedy: `raise rootVolumeGib of the pool to ${Math.ceil(ephemeralGib / 0.9) + 20} or more, or use a cache`,
          },
        ]
      : [],
  examples: {
    bad: [
      {
        title: "140 GB into a root volume of 100 GiB",
        declare: () =>
          phi({
            model: "meta-llama/Llama-3.1-70B-Instruct",
            precision: "fp16",
            artefact: { repository: "acme/llama-3.1-70b-fp16-ov", bytes: 141_000_000_000 },
          }),
        at: "model",
      },
    ],
    good: [{ title: "two GB", declare: () => phi({}) }],
  },
});
