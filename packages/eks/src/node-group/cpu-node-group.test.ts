import { cpuPool } from "@capstan/core";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { testCluster } from "../testing/cluster.ts";
import { only, record } from "../testing/record.ts";
import { CpuNodeGroup } from "./cpu-node-group.ts";

const amx = cpuPool({
  name: "amx",
  instanceTypes: ["c7i.8xlarge", "m7i.8xlarge"],
  cpuManager: "static",
  capacity: "spot",
  size: { min: 1, max: 20 },
});

async function registered() {
  return record(() => {
    new CpuNodeGroup("amx", { cluster: testCluster(), pool: amx });
  });
}

// CPU-05
test("sets the CPU manager in the kubelet's own configuration, with a reserve above zero", async () => {
  const { userData } = only(await registered(), "aws:ec2/launchTemplate:LaunchTemplate").inputs as { userData: string };
  const message = Buffer.from(userData, "base64").toString("utf8");
  const document = message.slice(message.indexOf("apiVersion:"), message.lastIndexOf("--==NODECONFIG==--"));
  expect(parse(document).spec.kubelet.config).toMatchObject({
    cpuManagerPolicy: "static",
    kubeReserved: { cpu: "150m" },
  });
});

// NODE-13
test("spot is the node group's word", async () => {
  const all = await registered();
  expect(only(all, "aws:eks/nodeGroup:NodeGroup").inputs).toMatchObject({
    capacityType: "SPOT",
    instanceTypes: ["c7i.8xlarge", "m7i.8xlarge"],
    amiType: "AL2023_x86_64_STANDARD",
    taints: [{ key: "capstan.dev/cpu-inference", value: "true", effect: "NO_SCHEDULE" }],
  });
  expect(only(all, "aws:ec2/launchTemplate:LaunchTemplate").inputs).not.toHaveProperty("instanceMarketOptions");
});

test("is a component of its own type", async () => {
  expect(only(await registered(), "capstan:eks:CpuNodeGroup").name).toBe("amx");
});
