import { cpuPool, onnx, onQueue } from "@capstan/core";
import { EksCluster, InferencePlatform } from "@capstan/eks";
import type * as pulumi from "@pulumi/pulumi";

/** Exported rather than run: a module runs once a process, a program may be planned several times. */
export function program(): Record<string, pulumi.Input<unknown>> {
  const cluster = new EksCluster("slm", { region: "us-east-1", vpc: { zones: ["a", "b"] } });
  const amx = cpuPool({
    name: "amx",
    // Several types of one generation: spot reclaims one of them at a time.
    instanceTypes: ["c7i.8xlarge", "m7i.8xlarge", "r7i.8xlarge"],
    capacity: "spot",
    cpuManager: "static",
    size: { min: 2, max: 10 },
  });
  const phi = onnx({
    name: "phi-3-mini",
    team: "support",
    model: "microsoft/Phi-3-mini-4k-instruct",
    precision: "int4",
    pool: amx,
    // A spot node has two minutes from its notice to its end.
    drainSeconds: 60,
    scaling: onQueue({ min: 3, max: 20 }),
    traffic: { requestsPerDay: 20_000, promptTokens: 600, outputTokens: 150 },
  });
  new InferencePlatform("slm", { cluster, platform: { environment: "dev", pools: [amx], services: [phi] } });
  return { clusterName: cluster.name };
}
