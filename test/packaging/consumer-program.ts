/**
 * A program that a user could write: one pool, one service, on a cluster that is there. The lines that are wrong on
 * purpose show that the packages' types arrive: a type that does not resolve is `any`, and `any` accepts everything.
 */
export const CONSUMER_PROGRAM = `import * as pulumi from "@pulumi/pulumi";
import { gpuTypes } from "./catalog.js";
import { addonsFor } from "@capstan/addons";
import { VllmService } from "@capstan/cdk8s";
import { main } from "@capstan/cli";
import { fixed, gpuPool, mig, nvmeCache, platform, s3, vllm } from "@capstan/core";
import { EksCluster, GpuNodeGroup, InferencePlatform } from "@capstan/eks";
import { planOf, recordProject } from "@capstan/offline";
import * as policy from "@capstan/policy";
import { Cdk8sChart } from "@capstan/pulumi";
import { App, Chart } from "cdk8s";

const l40s = gpuPool({ name: "l40s", instanceType: "g6e.2xlarge", size: { min: 1, max: 4 }, localStorage: "raid0" });
gpuPool({ name: "h100", instanceType: "p5.4xlarge", sharing: mig("1g.10gb"), size: { min: 0, max: 2 } });
// @ts-expect-error an L4 has no MIG
gpuPool({ name: "l4", instanceType: "g6.2xlarge", sharing: mig("1g.10gb"), size: { min: 0, max: 1 } });
// @ts-expect-error no such instance type
gpuPool({ name: "typo", instanceType: "g6e.2xlrage", size: { min: 0, max: 1 } });

const chat = vllm({
  name: "llama-8b",
  team: "search",
  model: "meta-llama/Llama-3.1-8B-Instruct",
  pool: l40s,
  maxModelLen: 8192,
  cache: nvmeCache({ source: s3("models/llama-3.1-8b") }),
  scaling: fixed(1),
});
// @ts-expect-error not a number
vllm({ name: "x", team: "search", model: "meta-llama/Llama-3.1-8B-Instruct", pool: l40s, maxModelLen: "8k" });

export function program(): { readonly clusterName: pulumi.Output<string> } {
  const cluster = new EksCluster("main", { region: "eu-central-1", clusterName: "main", vpc: { zones: ["eu-central-1a", "eu-central-1b"] } });
  new InferencePlatform("inference", { cluster, platform: { environment: "dev", pools: [l40s], services: [chat] } });
  // @ts-expect-error a platform is needed
  new InferencePlatform("inference", { cluster });
  // @ts-expect-error no such option
  new GpuNodeGroup("l40s", { cluster, pool: l40s, subnets: "everywhere" });
  const chart = new Chart(new App(), "search", { namespace: "search" });
  new VllmService(chart, "llama-8b", chat);
  // @ts-expect-error not a service
  new VllmService(chart, "llama-8b", { name: "llama-8b" });
  new Cdk8sChart("search", { chart }, { provider: cluster.provider });
  // @ts-expect-error no chart
  new Cdk8sChart("search", {});
  const name: pulumi.Output<string> = pulumi.output(cluster.name);
  return { clusterName: name };
}

export async function tools(): Promise<number> {
  const resolved = platform({ environment: "dev", pools: [l40s], services: [chat] });
  const names: string[] = addonsFor(resolved, { name: "main", region: null }).map((addon) => addon.name);
  const recorded = await recordProject({ dir: ".", stack: "dev" });
  const plan = await planOf({ project: "p", stack: "s" }, program);
  const code: number = await main(["plan", "--stack", "dev"]);
  // @ts-expect-error arguments are strings
  await main([1]);
  return names.length + recorded.resources.length + plan.pools.length + code + Object.keys(policy).length + gpuTypes.length;
}
`;

export const CATALOG_PROGRAM = `import { type GpuInstanceType, gpuInstanceTypes } from "@capstan/catalog";

export const gpuTypes: readonly GpuInstanceType[] = ["g6e.2xlarge"];
// @ts-expect-error no such instance type
export const wrong: GpuInstanceType = "g6e.3xlarge";
export const count: number = gpuInstanceTypes.length;
`;
