import { VllmService } from "@capstan/cdk8s";
import { gpuPool, vllm } from "@capstan/core";
import { EksCluster, GpuNodeGroup } from "@capstan/eks";
import { Cdk8sChart } from "@capstan/pulumi";
import { Namespace } from "@pulumi/kubernetes/core/v1";
import * as pulumi from "@pulumi/pulumi";
import { App, Chart } from "cdk8s";

// What this program had before: a cluster of another stack, and a namespace of its own.
const infrastructure = new pulumi.StackReference(new pulumi.Config().require("clusterStack"));
const cluster = EksCluster.fromExisting("shared", {
  clusterName: infrastructure.requireOutput("clusterName"),
  region: "us-east-1",
  kubeconfig: infrastructure.requireOutput("kubeconfig"),
  subnetIds: infrastructure.requireOutput("privateSubnetIds") as pulumi.Output<string[]>,
  has: {
    metricsServer: true,
    ebsCsi: true,
    gp3StorageClass: true,
    podIdentityAgent: true,
    networkPolicy: true,
    loadBalancerController: true,
  },
});
const namespace = new Namespace("search", { metadata: { name: "search" } }, { provider: cluster.provider });

// The pool is what nodes and pods agree on: instance type, labels, taints, resource name, memory.
const l4 = gpuPool({ name: "l4", instanceType: "g6.2xlarge", size: { min: 1, max: 2 } });
const nodes = new GpuNodeGroup("l4", { cluster, pool: l4 });

const chart = new Chart(new App(), "search", { namespace: "search" });
new VllmService(
  chart,
  "qwen-4b",
  vllm({ name: "qwen-4b", team: "search", model: "Qwen/Qwen3-4B", pool: l4, maxModelLen: 8192 }),
);
new Cdk8sChart("search", { chart }, { provider: cluster.provider, dependsOn: [namespace, nodes] });

export const url = "http://qwen-4b.search:8000/v1";
