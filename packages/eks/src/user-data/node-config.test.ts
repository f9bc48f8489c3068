import { cpuPool, gpuPool } from "@capstan/core";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { resolved } from "../testing/pools.ts";
import { nodeConfig, nodeConfigMessage } from "./node-config.ts";

const size = { min: 0, max: 2 };

test("says nothing where nodeadm's defaults are what the pool wants", () => {
  expect(nodeConfig(resolved(gpuPool({ name: "l40s", instanceType: "g6e.2xlarge", size })))).toBeNull();
  expect(nodeConfig(resolved(cpuPool({ name: "cpu", instanceTypes: ["c7i.8xlarge"], size })))).toBeNull();
});

test("asks for one array of the instance store", () => {
  const pool = resolved(gpuPool({ name: "l40s", instanceType: "g6e.2xlarge", size, localStorage: "raid0" }));
  expect(nodeConfig(pool)).toEqual({
    apiVersion: "node.eks.aws/v1alpha1",
    kind: "NodeConfig",
    spec: { instance: { localStorage: { strategy: "RAID0" } } },
  });
});

// 32 vCPUs: 60m for the first, 10m for the second, 2 x 5m, 28 x 2.5m.
test("static pinning has whole cores and the reserve that the pool was counted with", () => {
  const pool = resolved(cpuPool({ name: "amx", instanceTypes: ["c7i.8xlarge"], cpuManager: "static", size }));
  expect(nodeConfig(pool)?.spec.kubelet).toEqual({
    config: {
      cpuManagerPolicy: "static",
      cpuManagerPolicyOptions: { "full-pcpus-only": "true" },
      kubeReserved: { cpu: "150m" },
    },
  });
});

// 192 vCPUs on two NUMA nodes: 60 + 10 + 2 x 5 + 188 x 2.5.
test("keeps a pod on one NUMA node where it can", () => {
  const pool = resolved(cpuPool({ name: "amx", instanceTypes: ["c7i.48xlarge"], cpuManager: "static", size }));
  expect(nodeConfig(pool)?.spec.kubelet?.config).toMatchObject({
    topologyManagerPolicy: "best-effort",
    kubeReserved: { cpu: "550m" },
  });
});

test("a core without hyper-threads needs no option to be whole", () => {
  const pool = resolved(cpuPool({ name: "arm", instanceTypes: ["c7g.8xlarge"], cpuManager: "static", size }));
  expect(nodeConfig(pool)?.spec.kubelet?.config).toEqual({
    cpuManagerPolicy: "static",
    kubeReserved: { cpu: "150m" },
  });
});

test("is one part of a multipart message, which nodeadm reads", () => {
  const config = nodeConfig(
    resolved(gpuPool({ name: "l4", instanceType: "g6.2xlarge", size, localStorage: "raid0" })),
  )!;
  const message = nodeConfigMessage(config);
  const [head, ...rest] = message.split("\n\n");
  expect(head).toBe('MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="==NODECONFIG=="');
  const body = rest.join("\n\n");
  const parts = body.split("--==NODECONFIG==").map((part) => part.trim());
  // Before the first boundary, the part, and what closes the last one.
  expect(parts).toHaveLength(3);
  expect(parts[0]).toBe("");
  expect(parts[2]).toBe("--");
  const [header, document] = parts[1]!.split("\n\n");
  expect(header).toBe("Content-Type: application/node.eks.aws");
  expect(parse(document!)).toEqual(config);
  expect(message).not.toContain("bootstrap.sh");
});
