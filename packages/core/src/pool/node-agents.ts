import type { Reserve } from "./resolved.ts";

/**
 * What runs on every node beside the serving pods, with the requests the scheduler takes off. The add-ons' values set
 * exactly these requests where the chart lets them, so that plan and cluster agree; the others are the components' own
 * defaults (read in the EKS add-ons and charts, 2026-08).
 */
export const NODE_AGENTS = {
  vpcCni: { cpuMillis: 50, memoryMib: 0, why: "aws-node and its network policy agent" },
  kubeProxy: { cpuMillis: 100, memoryMib: 0, why: "kube-proxy" },
  ebsCsi: { cpuMillis: 30, memoryMib: 120, why: "ebs-csi-node" },
  nodeExporter: { cpuMillis: 50, memoryMib: 64, why: "node-exporter" },
  nfdWorker: { cpuMillis: 5, memoryMib: 64, why: "node-feature-discovery worker" },
  dcgmExporter: { cpuMillis: 100, memoryMib: 512, why: "dcgm-exporter" },
  devicePlugin: { cpuMillis: 20, memoryMib: 128, why: "NVIDIA device plugin and GPU feature discovery" },
  preloader: { cpuMillis: 100, memoryMib: 512, why: "model preloader" },
} as const satisfies Record<string, Reserve>;

export function nodeAgents(pool: {
  readonly gpu: boolean;
  readonly localStorage: "none" | "raid0";
}): readonly Reserve[] {
  const agents: Reserve[] = [NODE_AGENTS.vpcCni, NODE_AGENTS.kubeProxy, NODE_AGENTS.ebsCsi, NODE_AGENTS.nodeExporter];
  if (pool.gpu) agents.push(NODE_AGENTS.nfdWorker, NODE_AGENTS.dcgmExporter, NODE_AGENTS.devicePlugin);
  if (pool.localStorage === "raid0") agents.push(NODE_AGENTS.preloader);
  return agents;
}
