import type { ResolvedPool } from "../pool/resolved.ts";
import type { OriginLog } from "../provenance.ts";
import type { OnnxTask } from "./onnx-props.ts";

/** Beyond these vCPUs one process of the task gains little: another replica serves more. */
const MOST_VCPUS: Record<OnnxTask, number> = {
  "text-generation": 16,
  embeddings: 8,
  rerank: 8,
  classification: 4,
  tensor: 4,
};

/** Whole vCPUs, in whole cores, and an even part of the largest slot so that nothing of the node is left over. */
export function onnxCpus(given: number | undefined, pool: ResolvedPool, task: OnnxTask, origins: OriginLog): number {
  return origins.orDerived(
    "cpus",
    given,
    () => {
      const { largestSlotVcpus, threadsPerCore } = pool.cpu;
      const parts = Math.max(1, Math.ceil(largestSlotVcpus / MOST_VCPUS[task]));
      const share = Math.floor(largestSlotVcpus / parts);
      return Math.max(1, share - (share % threadsPerCore));
    },
    ["pool.cpu", "task"],
    `an even part of a NUMA node, at most ${MOST_VCPUS[task]} vCPUs for this task`,
  );
}
