import type { Taint, TaintEffect } from "@capstan/core";

export interface Toleration {
  key: string;
  operator: "Equal" | "Exists";
  value?: string;
  effect: TaintEffect;
}

export interface EnvironmentVariable {
  name: string;
  value: string;
}

export interface Resources {
  requests?: { cpu?: string; memory?: string };
  limits?: { cpu?: string; memory?: string };
}

/**
 * Exactly the given taints. A toleration without a key would also put the agent on nodes that are cordoned off for
 * something else.
 */
export function tolerations(taints: readonly Required<Taint>[]): Toleration[] {
  return taints.map(({ key, value, effect }) =>
    value === "" ? { key, operator: "Exists", effect } : { key, operator: "Equal", value, effect },
  );
}

/** Requests that take off the node what core has counted for the agent, divided among its containers. */
export function reserved(
  reserve: { readonly cpuMillis: number; readonly memoryMib: number },
  containers = 1,
): Resources {
  return {
    requests: { cpu: `${reserve.cpuMillis / containers}m`, memory: `${reserve.memoryMib / containers}Mi` },
  };
}
