import { findArtefacts, type Precision } from "@capstan/catalog";
import type { VllmMemory, VllmVerdict } from "../memory/index.ts";
import { bytesToGib } from "../memory/units.ts";
import type { Judged } from "./answer.ts";
import { attempt, type Candidate } from "./attempt.ts";
import { biggerHardware } from "./bigger-hardware.ts";
import type { FitCase } from "./case.ts";
import { gpusOf } from "./hardware.ts";
import { splitProblem } from "./parallel.ts";
import { hasFp8KvCache, runsFast } from "./precision.ts";
import type { FitRemedy } from "./types.ts";

/** Less is noise against the uncertainty of the figures. */
const LEAST_GIB = 0.05;
const rank: Readonly<Record<VllmVerdict, number>> = { "does-not-load": 0, "cannot-serve-one-request": 1, serves: 2 };

/** What would help, each tried alone with the memory model, the largest gain first. */
export function remediesOf(judged: Judged): readonly FitRemedy[] {
  const failing = judged.memory.verdict !== "serves";
  const candidates = [...settings(judged), ...lengths(judged), ...hardware(judged), ...artefacts(judged.of)];
  return candidates
    .filter((each) => failing || !each.onlyIfFailing)
    .flatMap((each) => tried(judged, each) ?? [])
    .sort((a, b) => b.gainGib - a.gainGib || (a.change < b.change ? -1 : 1));
}

function tried({ memory }: Judged, candidate: Candidate): FitRemedy | null {
  const after = attempt(candidate.query);
  if (after === null) return null;
  const gainGib = gain(memory, after);
  const better = rank[after.verdict] - rank[memory.verdict];
  if (better < 0 || (better === 0 && gainGib < LEAST_GIB)) return null;
  return { change: candidate.change, gainGib, why: candidate.why, verdict: after.verdict };
}

/**
 * KV memory that a change is worth: what it adds per GPU, and what one request needs less of it; a narrower KV type
 * makes the same memory hold more, and that too counts as memory.
 */
function gain(before: VllmMemory, after: VllmMemory): number {
  const need = ({ kvCache }: VllmMemory): number => bytesToGib(kvCache.blocksPerRequest * kvCache.bytesPerBlock);
  const perToken = ({ kvCache }: VllmMemory): number => kvCache.bytesPerBlock / kvCache.blockSize;
  const narrower = perToken(before) / perToken(after);
  const sameLength = before.resolved.maxModelLen === after.resolved.maxModelLen;
  const available = after.memory.availableKvGib * (sameLength ? narrower : 1) - before.memory.availableKvGib;
  return available + (narrower === 1 ? Math.max(0, need(before) - need(after)) : 0);
}

function settings({ of, memory }: Judged): readonly Candidate[] {
  const { query, hardware } = of;
  const { maxNumSeqs, maxNumBatchedTokens, gpuMemoryUtilization } = memory.resolved;
  const list: Candidate[] = [];
  const fewer = [256, 64].find((each) => each < maxNumSeqs);
  if (fewer !== undefined) {
    list.push({
      change: `--max-num-seqs ${fewer}`,
      query: { ...query, maxNumSeqs: fewer },
      why: `profiling samples for ${maxNumSeqs} sequences over the whole vocabulary; ${fewer} need less`,
      onlyIfFailing: false,
    });
  }
  if (maxNumBatchedTokens > 2048 && (query.maxNumSeqs ?? 0) <= 2048) {
    list.push({
      change: "--max-num-batched-tokens 2048",
      query: { ...query, maxNumBatchedTokens: 2048, maxNumSeqs: query.maxNumSeqs ?? Math.min(maxNumSeqs, 2048) },
      why: "smaller steps take less activation memory, and sliding windows keep fewer tokens",
      onlyIfFailing: false,
    });
  }
  if (hasFp8KvCache(hardware.gpu.computeCapability) && !(query.kvCacheDtype ?? "auto").startsWith("fp8")) {
    list.push({
      change: "--kv-cache-dtype fp8",
      query: { ...query, kvCacheDtype: "fp8" },
      why: "a token's keys and values in 8 bits take half the memory; check the answers' quality",
      onlyIfFailing: false,
    });
  }
  const higher = Math.round((gpuMemoryUtilization + 0.03) * 100) / 100;
  if (hardware.sharedBy === 1 && higher <= 0.97) {
    list.push({
      change: `--gpu-memory-utilization ${higher}`,
      query: { ...query, gpuMemoryUtilization: higher },
      why: "leaves less beside the engine's budget; graphs and other processes need some of it",
      onlyIfFailing: false,
    });
  }
  if (hardware.sharedBy > 1) {
    const fair = Math.floor((0.9 / hardware.sharedBy) * 100) / 100;
    list.push({
      change: `--gpu-memory-utilization ${fair}`,
      query: { ...query, gpuMemoryUtilization: fair },
      why: `${hardware.sharedBy} engines have to fit on the GPU together`,
      onlyIfFailing: true,
    });
    list.push({
      change: `--shared ${hardware.sharedBy - 1}`,
      query: { ...query, shared: hardware.sharedBy - 1 },
      why: "fewer engines on the GPU leave a larger part to each",
      onlyIfFailing: true,
    });
  }
  if (query.enforceEager !== true) {
    list.push({
      change: "--enforce-eager",
      query: { ...query, enforceEager: true },
      why: "no CUDA graphs, at the price of slower decoding",
      onlyIfFailing: true,
    });
  }
  return list;
}

function lengths({ of, memory }: Judged): readonly Candidate[] {
  const longest = memory.longestContextTokens;
  if (of.query.maxModelLen === "auto" || longest < 1 || longest >= memory.resolved.maxModelLen) return [];
  const request = (of.query.promptTokens ?? 1) + (of.query.outputTokens ?? 1);
  if (longest < request) return [];
  return [
    {
      change: `--max-model-len ${longest}`,
      query: { ...of.query, maxModelLen: longest },
      why: `the longest context of which one request fits, in place of ${memory.resolved.maxModelLen}`,
      onlyIfFailing: true,
    },
  ];
}

function hardware(judged: Judged): readonly Candidate[] {
  const { of } = judged;
  const { tensorParallel, pipelineParallel } = of.parallel;
  const list: Candidate[] = [...biggerHardware(judged)];
  const doubled = 2 * tensorParallel;
  const there = of.hardware.instance === null ? 0 : gpusOf(of.hardware.instance);
  const room = of.hardware.instanceGiven ? there : MOST_GPUS;
  const whole = of.hardware.mig === null && of.hardware.sharedBy === 1;
  if (whole && doubled * pipelineParallel <= room && splitProblem(of.model.facts, doubled) === null) {
    list.push({
      change: `--tensor-parallel ${doubled}`,
      query: { ...of.query, tensorParallel: doubled, gpus: null },
      why: `the weights are spread over ${doubled * pipelineParallel} GPUs${of.hardware.instanceGiven ? " that the instance has" : ""}`,
      onlyIfFailing: true,
    });
  }
  return list;
}

const MOST_GPUS = 8;

/** Narrower weights that somebody has published, one repository of each width. */
function artefacts({ model, query, hardware }: FitCase): readonly Candidate[] {
  if (query.quantization || query.modelConfig) return [];
  const found = findArtefacts({ model: model.facts.id, engine: "vllm" }).filter(
    (each) => each.confidence === "read" && runsFast(each, hardware.gpu.computeCapability),
  );
  const widths: readonly (readonly Precision[])[] = [
    ["fp8", "int8"],
    ["w4a16", "awq", "gptq"],
    ["nvfp4", "mxfp4"],
  ];
  return widths.flatMap((width) => {
    const best = width.flatMap((precision) => found.find((each) => each.precision === precision) ?? [])[0];
    if (best === undefined || best.precision === model.precision) return [];
    return [
      {
        change: `--model ${best.repository}`,
        query: { ...query, model: best.repository, quantization: null },
        why: `the same model with weights in ${best.precision}`,
        onlyIfFailing: true,
      },
    ];
  });
}
