import { gpuPool, mig, nvmeCache, onQueue, s3, type Vllm, vllm } from "@capstan/core";
import { EksCluster, InferencePlatform } from "@capstan/eks";
import type * as pulumi from "@pulumi/pulumi";

/** One H100 in seven slices, each with memory and bandwidth of its own: a tenant cannot slow another one down. */
const h100 = gpuPool({
  name: "h100-mig",
  instanceType: "p5.4xlarge",
  sharing: mig("1g.10gb"),
  size: { min: 1, max: 2 },
  localStorage: "raid0",
});

/** A team is a namespace, with a quota of the slices that its services may use at most. */
function tenant(team: string, most: number): Vllm {
  return vllm({
    name: `${team}-chat`,
    team,
    model: "Qwen/Qwen3-0.6B",
    pool: h100,
    maxModelLen: 4096,
    // All tenants have the same weights: one copy a node, which no tenant can change.
    cache: nvmeCache({ source: s3("example-models/qwen3-0.6b") }),
    scaling: onQueue({ min: 1, max: most }),
    // Pods of the tenant's own namespace only. Left out it is the same, until the platform lets in a namespace for all.
    ingressNamespaces: [],
  });
}

/** Exported rather than run: a module runs once a process, a program may be planned several times. */
export function program(): Record<string, pulumi.Input<unknown>> {
  const cluster = new EksCluster("tenants", { region: "us-east-1", vpc: { zones: ["a", "b"] } });
  new InferencePlatform("tenants", {
    cluster,
    platform: {
      environment: "dev",
      pools: [h100],
      services: [tenant("acme", 4), tenant("globex", 4), tenant("initech", 2)],
      acknowledge: {
        "vllm.cpus.few": "sixteen vCPUs for seven slices: these tenants send little and seldom at the same time",
      },
    },
  });
  return { clusterName: cluster.name };
}
