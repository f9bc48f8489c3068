import { gpuPool, vllm } from "@capstan/core";
import { EksCluster, InferencePlatform } from "@capstan/eks";
import * as pulumi from "@pulumi/pulumi";

/** Exported rather than run: a module runs once a process, a program may be planned several times. */
export function program(): Record<string, pulumi.Input<unknown>> {
  const config = new pulumi.Config();
  const cluster = EksCluster.fromExisting("shared", {
    clusterName: config.require("clusterName"),
    region: "us-east-1",
    endpoint: config.require("endpoint"),
    certificateAuthority: config.require("certificateAuthority"),
    subnetIds: config.requireObject<Record<string, string>>("subnetIds"),
    // Nothing is looked up: what the platform needs and the cluster has not is an error before anything exists.
    has: {
      metricsServer: true,
      ebsCsi: true,
      gp3StorageClass: true,
      podIdentityAgent: true,
      networkPolicy: true,
      loadBalancerController: false,
    },
  });
  const l4 = gpuPool({ name: "l4", instanceType: "g6.2xlarge", size: { min: 1, max: 2 } });
  const chat = vllm({ name: "qwen-4b", team: "search", model: "Qwen/Qwen3-4B", pool: l4, maxModelLen: 8192 });

  new InferencePlatform("inference", { cluster, platform: { environment: "dev", pools: [l4], services: [chat] } });
  return { url: "http://qwen-4b.search:8000/v1" };
}
