export type CpuEngine = "ovms" | "triton" | "tei" | "vllm-cpu";

export interface CpuEngineAssumption {
  /** Memory of the server itself: code, thread arenas, tokenizer, allocator rests. */
  readonly runtimeGib: number;
  readonly basis: string;
}

/** Nothing here was measured by us: assumptions with their derivation, to be replaced by measurements. */
export const cpuAssumptionsAsOf = "2026-11-30";

export const cpuAssumptions: Readonly<Record<CpuEngine, CpuEngineAssumption>> = {
  ovms: {
    runtimeGib: 1.25,
    basis:
      "upper end of what a Phi-3-mini int4 server uses beyond its file without KV: 2.7 GB of files, 3.5 to 4 GB in use (facts/serving.md D5)",
  },
  triton: {
    runtimeGib: 1,
    basis: "assumed: server, ONNX Runtime backend and one arena per instance",
  },
  tei: {
    runtimeGib: 0.5,
    basis: "assumed: one native process, ONNX Runtime and MKL arenas",
  },
  "vllm-cpu": {
    runtimeGib: 3,
    basis: "assumed: API server and engine, each a Python process with PyTorch",
  },
};

/** Tokens TEI puts in one batch by default (`--max-batch-tokens`, facts/serving.md D2). */
export const teiBatchTokens = 16384;
/** vLLM's defaults on a CPU (facts/vllm-by-version.md 1.1). */
export const vllmCpuBatch = { maxNumSeqs: 128, maxNumBatchedTokens: 2048 };
/** Tokens of one KV block of vLLM on a CPU; 16 for multi-head latent attention. */
export const vllmCpuBlockSize = 128;
/** Share on top of the sum, for fragmentation and file pages that cannot be dropped at once. */
export const requestMargin = 0.1;
/** Requests are rounded up to this. */
export const requestStepGib = 0.25;
