/**
 * Declarations that the compiler refuses, compiled with the workspace: an error that is expected and does not come is
 * an error itself. What a program in JavaScript or a file writes all the same is found by the rules.
 */
import {
  cpuPool,
  customModel,
  existingPool,
  type GpuPool,
  gpuPool,
  mig,
  mps,
  onnx,
  onQueue,
  timeSlicing,
  vllm,
  wholeGpus,
} from "@capstan/core";

const size = { min: 0, max: 1 };

// @ts-expect-error an L4 has no MIG
gpuPool({ name: "l4", instanceType: "g6.2xlarge", size, sharing: mig("1g.10gb") });
// @ts-expect-error nor has an L40S
gpuPool({ name: "l40s", instanceType: "g6e.2xlarge", size, sharing: mig("1g.10gb") });
// @ts-expect-error nor an A10G
gpuPool({ name: "a10g", instanceType: "g5.xlarge", size, sharing: mig({ "1g.5gb": 1 }) });
// @ts-expect-error nor a T4
gpuPool({ name: "t4", instanceType: "g4dn.xlarge", size, sharing: mig("1g.10gb") });
// @ts-expect-error slices of an H200 have 18 GB, not 10
gpuPool({ name: "h200", instanceType: "p5en.48xlarge", size, sharing: mig("1g.10gb") });
// @ts-expect-error slices of an A100 of 40 GB have 5 GB
gpuPool({ name: "a100", instanceType: "p4d.24xlarge", size, sharing: mig({ "3g.40gb": 1 }) });
// @ts-expect-error one of the two profiles is of another GPU
gpuPool({ name: "h100", instanceType: "p5.4xlarge", size, sharing: mig({ "1g.10gb": 4, "3g.71gb": 1 }) });
// @ts-expect-error no GPU has eight compute slices
mig("8g.80gb");
// @ts-expect-error a strategy that the device plugin does not know
mig("1g.10gb", { strategy: "double" });

// What the same GPUs do have compiles.
gpuPool({ name: "l4", instanceType: "g6.2xlarge", size, sharing: timeSlicing(2) });
gpuPool({ name: "l40s", instanceType: "g6e.2xlarge", size, sharing: mps(2) });
gpuPool({ name: "h100", instanceType: "p5.4xlarge", size, sharing: mig("1g.10gb") });
gpuPool({ name: "h100", instanceType: "p5.4xlarge", size, sharing: mig({ "1g.10gb": 4, "3g.40gb": 1 }) });
gpuPool({ name: "h200", instanceType: "p5en.48xlarge", size, sharing: mig("1g.18gb") });
const l4: GpuPool = gpuPool({ name: "l4", instanceType: "g6.2xlarge", size, sharing: wholeGpus() });

// @ts-expect-error an instance type that does not exist
gpuPool({ name: "l4", instanceType: "g6.2xlage", size });
// @ts-expect-error a type without a GPU
gpuPool({ name: "l4", instanceType: "c7i.4xlarge", size });
// @ts-expect-error a type with GPUs
cpuPool({ name: "amx", instanceTypes: ["g6.2xlarge"], size });
// @ts-expect-error no type at all
cpuPool({ name: "amx", instanceTypes: [], size });
// @ts-expect-error no size
cpuPool({ name: "amx", instanceTypes: ["c7i.8xlarge"] });
// @ts-expect-error a misspelt property
gpuPool({ name: "l4", instanceType: "g6.2xlarge", size, localstorage: "raid0" });
// @ts-expect-error a capacity that EC2 does not sell
gpuPool({ name: "l4", instanceType: "g6.2xlarge", size, capacity: "preemptible" });
// @ts-expect-error the EKS API's spelling of an effect
cpuPool({ name: "amx", instanceTypes: ["c7i.8xlarge"], size, taints: [{ key: "a", effect: "NO_SCHEDULE" }] });
// @ts-expect-error nodes of others without a selector
existingPool({ name: "theirs", instanceType: "g6.2xlarge", size });

const service = { name: "qwen", team: "search", pool: l4 } as const;

vllm({ ...service, model: "Qwen/Qwen3-4B" });
// @ts-expect-error a model id that the catalog does not have
vllm({ ...service, model: "Qwen/Qwen3-4b" });
// What it does not have can be described.
vllm({ ...service, model: customModel({ id: "acme/chat-9b", weightsBytes: 18e9 }) });
// @ts-expect-error a version that was never released
vllm({ ...service, model: "Qwen/Qwen3-4B", engineVersion: "0.99.0" });
// @ts-expect-error a precision that does not exist
vllm({ ...service, model: "Qwen/Qwen3-4B", precision: "int3" });
// @ts-expect-error a slice that no GPU has
vllm({ ...service, model: "Qwen/Qwen3-4B", slice: "1g.11gb" });
// @ts-expect-error all of them is no number
vllm({ ...service, model: "Qwen/Qwen3-4B", gpus: "all" });
// @ts-expect-error a pool is an object, not a name
vllm({ ...service, model: "Qwen/Qwen3-4B", pool: "l4" });
// @ts-expect-error scaling by queue needs both ends of its range
vllm({ ...service, model: "Qwen/Qwen3-4B", scaling: onQueue({ min: 1 }) });
// @ts-expect-error a server that is not there
onnx({ ...service, model: "BAAI/bge-small-en-v1.5", engine: "onnxruntime" });
// @ts-expect-error a task that no server does
onnx({ ...service, model: "BAAI/bge-small-en-v1.5", task: "translation" });
