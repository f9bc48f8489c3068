import { existingPool, type GpuPoolProps, gpuPool, mig, mps, timeSlicing, type VllmProps, vllm } from "@capstan/core";
import { finds, token, unchecked, wrongPool, wrongService } from "./wrong.ts";

const size = { min: 0, max: 2 };
const slices = gpuPool({ name: "h100-mig", instanceType: "p5.4xlarge", sharing: mig("1g.10gb"), size });
const mixed = gpuPool({
  name: "h100-mixed",
  instanceType: "p5.4xlarge",
  sharing: mig({ "3g.40gb": 1, "1g.10gb": 4 }),
  size,
});
const halves = gpuPool({ name: "l4-halves", instanceType: "g6.2xlarge", sharing: timeSlicing(2), size });
const quarters = gpuPool({ name: "l4-quarters", instanceType: "g6.4xlarge", sharing: timeSlicing(4), size });

/** A model that fits everywhere here. */
function small(props: Partial<VllmProps>) {
  return vllm({
    name: "llama-1b",
    team: "labs",
    model: "meta-llama/Llama-3.2-1B-Instruct",
    pool: halves,
    source: token,
    maxModelLen: 4096,
    ...props,
  });
}

/** MIG, time-slicing and MPS: on the pool, and from the service that asks for a share. */
export const wrongSharing = [
  wrongPool(
    "MIG on an L4",
    () => gpuPool(unchecked<GpuPoolProps>({ name: "l4", instanceType: "g6.2xlarge", size, sharing: mig("1g.10gb") })),
    finds(
      "gpu.mig.unsupported",
      "pools.l4.sharing",
      /l4 of g6\.2xlarge has no MIG/,
      /timeSlicing\(n\) or mps\(n\).*p5/,
    ),
  ),
  wrongPool(
    "MIG on an A10G that others made",
    () =>
      existingPool({
        name: "a10g",
        instanceType: "g5.xlarge",
        nodeSelector: { gpu: "a10g" },
        size,
        sharing: mig("1g.5gb"),
      }),
    finds("gpu.mig.unsupported", "pools.a10g.sharing", /a10g of g5\.xlarge has no MIG/, /timeSlicing/),
  ),
  wrongPool(
    "an H100's profile on an H200",
    () =>
      gpuPool(unchecked<GpuPoolProps>({ name: "h200", instanceType: "p5en.48xlarge", size, sharing: mig("1g.10gb") })),
    finds("gpu.mig.profile-unknown", "pools.h200.sharing.layout", /h200.* no MIG profile 1g\.10gb.*1g\.18gb/, /mig\("/),
  ),
  wrongPool(
    "more slices than the GPU has",
    () => gpuPool({ name: "h100", instanceType: "p5.4xlarge", size, sharing: mig({ "3g.40gb": 2, "1g.10gb": 1 }) }),
    finds(
      "gpu.mig.layout-impossible",
      "pools.h100.sharing.layout",
      /2 x 3g\.40gb \+ 1 x 1g\.10gb does not fit/,
      /fewer/,
    ),
  ),
  wrongPool(
    "strategy single with two profiles",
    () =>
      gpuPool({
        name: "h100",
        instanceType: "p5.4xlarge",
        size,
        sharing: mig({ "3g.40gb": 1, "1g.10gb": 4 }, { strategy: "single" }),
      }),
    finds(
      "gpu.mig.single-needs-one-profile",
      "pools.h100.sharing.strategy",
      /3g\.40gb and 1g\.10gb/,
      /strategy "mixed"/,
    ),
  ),
  wrongPool(
    "time-slicing for one",
    () => gpuPool({ name: "l4", instanceType: "g6.2xlarge", size, sharing: timeSlicing(1) }),
    finds("gpu.sharing.replicas", "pools.l4.sharing.replicas", /1 replicas.*2 to 48/, /leave sharing out/),
  ),
  wrongPool(
    "more MPS clients than a GPU takes",
    () => gpuPool({ name: "l4", instanceType: "g6.2xlarge", size, sharing: mps(64) }),
    finds("gpu.sharing.replicas", "pools.l4.sharing.replicas", /64 replicas.*2 to 48/, /from 2 to 48/),
  ),
  wrongService(
    "two shares for one pod",
    () => small({ gpus: 2 }),
    finds(
      "gpu.shared.combined",
      "services.llama-1b.gpus",
      /2 x nvidia\.com\/gpu\.shared.*cannot be combined/,
      /whole GPUs/,
    ),
  ),
  wrongService(
    "0.9 of a card that four pods share",
    () => small({ pool: quarters, gpuMemoryUtilization: 0.9 }),
    // 0.9 of the card for four pods is 0.225 each, written in hundredths.
    finds("gpu.shared.over-claimed", "services.llama-1b.gpuMemoryUtilization", /0\.9 x 4 pods claims 360 %/, /0\.22/),
  ),
  wrongService(
    "8B in 16 bits on half an L4",
    () => small({ name: "llama-8b", model: "meta-llama/Llama-3.1-8B-Instruct" }),
    finds(
      "vllm.fit.does-not-load",
      "services.llama-8b.pool",
      /needs 15 GiB of weights.*may claim 9\.91 GiB/,
      /whole L4/,
    ),
    // Host memory: 8 of the engine, and 1.2 x 10 for a shard on its way.
    finds(
      "vllm.host.slots-stranded",
      "services.llama-8b.memoryGib",
      /GPUs for 2 such pods and memory for 1: 2 x 20 GiB/,
      /larger instance type/,
    ),
  ),
  wrongService(
    "tensor parallelism over slices",
    () => small({ pool: slices, tensorParallel: 2 }),
    finds(
      "vllm.mig.parallel",
      "services.llama-1b.tensorParallel",
      /1g\.10gb: there is no peer-to-peer/,
      /larger slice/,
    ),
  ),
  wrongService(
    "a slice that the pool does not offer",
    () => small({ pool: slices, slice: "2g.20gb" }),
    finds("vllm.slice.unknown", "services.llama-1b.slice", /no slice 2g\.20gb; it offers 1g\.10gb/, /slice "1g\.10gb"/),
  ),
  wrongService(
    "no slice where there are several",
    () => small({ pool: mixed }),
    finds("vllm.slice.ambiguous", "services.llama-1b.slice", /3g\.40gb, 1g\.10gb/, /slice: "3g\.40gb"/),
  ),
  wrongService(
    "a KV cache of more than the share",
    () => small({ kvCacheGib: 12 }),
    finds(
      "gpu.shared.over-claimed",
      "services.llama-1b.kvCacheGib",
      /KV cache of 12 .*share of .* is 11 GiB/,
      /or less, or leave it out/,
    ),
  ),
];
