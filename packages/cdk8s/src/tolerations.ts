import type { Taint } from "@capstan/core";
import type { IToleration } from "kubernetes-models/v1";

/** Exactly the taints of a pool, by value and effect: a wider toleration would let the pod onto other nodes. */
export function tolerations(taints: readonly Required<Taint>[]): IToleration[] {
  return taints.map(({ key, value, effect }) => ({
    key,
    operator: "Equal",
    ...(value === "" ? {} : { value }),
    effect,
  }));
}
