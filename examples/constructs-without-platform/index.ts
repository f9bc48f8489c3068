import { gpuPool } from "@capstan/core";
import { GpuNodeGroup } from "@capstan/eks";
import { VllmService } from "@capstan/cdk8s";
console.log(GpuNodeGroup, VllmService);
import * as pulumi from "@pulumi/pulumi";
export const x = gpuPool({ name: "l4", instanceType: "g6.2xlarge", size: { min: 0, max: 1 } }).name;
