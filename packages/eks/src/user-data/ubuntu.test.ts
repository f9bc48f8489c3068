import { gpuPool } from "@capstan/core";
import { expect, test } from "vitest";
import { resolved } from "../testing/pools.ts";
import { ubuntuScript } from "./ubuntu.ts";

const cluster = { name: "prod", endpoint: "https://prod.example.com", certificateAuthority: "Q0E=" };
const pool = resolved(
  gpuPool({
    name: "l4",
    instanceType: "g6.2xlarge",
    size: { min: 0, max: 2 },
    amiFamily: "ubuntu",
    amiId: "ami-0123456789abcdef0",
    taints: [{ key: "dedicated", effect: "NoExecute" }],
  }),
);

test("names the cluster, and registers the labels and taints that EKS adds for its own images only", () => {
  const lines = ubuntuScript(pool, cluster).split("\n");
  expect(lines.slice(0, 2)).toEqual(["#!/bin/bash", "set -euo pipefail"]);
  expect(lines[2]).toBe(
    "/etc/eks/bootstrap.sh 'prod' --apiserver-endpoint 'https://prod.example.com' --b64-cluster-ca 'Q0E=' " +
      "--kubelet-extra-args '--node-labels=capstan.dev/pool=l4,k8s.amazonaws.com/accelerator=nvidia-l4 " +
      "--register-with-taints=nvidia.com/gpu=present:NoSchedule,dedicated=:NoExecute'",
  );
});

test("a name cannot end its quotes", () => {
  expect(ubuntuScript(pool, { ...cluster, name: "a'; rm -rf /; '" })).toContain(`'a'\\''; rm -rf /; '\\'''`);
});
