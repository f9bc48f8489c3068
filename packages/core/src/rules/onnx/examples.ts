import { customModel } from "../../model/model.ts";
import { s3 } from "../../model/source.ts";
import { cpuPool } from "../../pool/declare.ts";
import { onnx } from "../../service/declare.ts";
import type { Onnx, OnnxProps } from "../../service/onnx-props.ts";

/** Declarations that the examples of several rules change in one place. */
const size = { min: 1, max: 4 };

export const amx = cpuPool({ name: "amx", instanceTypes: ["c7i.8xlarge"], size });
/** 30 of 32 vCPUs for pods, in whole cores of two threads. */
export const pinnedAmx = cpuPool({ name: "amx", instanceTypes: ["c7i.8xlarge"], cpuManager: "static", size });
/** Two NUMA nodes of 96 vCPUs. */
export const twoSockets = cpuPool({ name: "large", instanceTypes: ["c7i.48xlarge"], size });
export const genoa = cpuPool({ name: "amd", instanceTypes: ["c7a.8xlarge"], size });
export const graviton = cpuPool({ name: "arm", instanceTypes: ["c7g.8xlarge"], size });

/** Text generation on OpenVINO Model Server, int4. */
export function phi(props: Partial<OnnxProps>): Onnx {
  return onnx({
    name: "phi-3-mini",
    team: "support",
    model: "microsoft/Phi-3-mini-4k-instruct",
    pool: amx,
    ...props,
  });
}

/** Embeddings on TEI, fp32. */
export function bge(props: Partial<OnnxProps>): Onnx {
  return onnx({ name: "bge-small", team: "search", model: "BAAI/bge-small-en-v1.5", pool: amx, ...props });
}

/** A classifier of one's own on Triton. */
export function classifier(props: Partial<OnnxProps>): Onnx {
  return onnx({
    name: "fraud",
    team: "risk",
    model: customModel({ id: "acme/fraud-detector", weightsBytes: 420_000_000 }),
    task: "classification",
    source: s3("models-bucket/fraud-detector"),
    pool: amx,
    ...props,
  });
}
