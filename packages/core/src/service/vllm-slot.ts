import type { Finding } from "../finding.ts";
import type { ResolvedPool, SlotOffer } from "../pool/resolved.ts";
import type { VllmProps } from "./vllm-props.ts";

/** The pool's only offer, or the MIG profile that the service names. */
export function pickSlot(props: VllmProps, pool: ResolvedPool, path: string, findings: Finding[]): SlotOffer | null {
  const problem = (id: string, at: string, message: string, remedy: string): null => {
    findings.push({
      id,
      severity: "error",
      path: `${path}.${at}`,
      message,
      remedy,
      reference: null,
      acknowledged: null,
    });
    return null;
  };
  const [first, second] = pool.slots;
  if (!first) {
    return pool.kind === "cpu"
      ? problem(
          "vllm.pool.no-gpu",
          "pool",
          `pool ${pool.name} (${pool.instanceTypes[0]}) has no GPU`,
          "give it a gpuPool, or declare the service with onnx()",
        )
      : problem(
          "vllm.pool.no-slot",
          "pool",
          `pool ${pool.name} offers no GPU resource`,
          "mend the sharing of the pool",
        );
  }
  const profiles = pool.slots.flatMap((s) => (s.migProfile === null ? [] : [s.migProfile]));
  if (props.slice !== undefined) {
    const slot = pool.slots.find((s) => s.migProfile === props.slice);
    if (slot) return slot;
    return profiles.length > 0
      ? problem(
          "vllm.slice.unknown",
          "slice",
          `pool ${pool.name} has no slice ${props.slice}; it offers ${profiles.join(", ")}`,
          `use slice "${profiles[0]}"`,
        )
      : problem(
          "vllm.slice.unknown",
          "slice",
          `pool ${pool.name} is not partitioned, so there is no slice ${props.slice}`,
          "remove slice, or declare the pool with mig(...)",
        );
  }
  if (second) {
    return problem(
      "vllm.slice.ambiguous",
      "slice",
      `pool ${pool.name} offers several slices: ${profiles.join(", ")}`,
      `say which, for example slice: "${profiles[0]}"`,
    );
  }
  return first;
}
