import { planDocument, recordProject } from "@capstan/offline";
import { expect, test } from "vitest";

const plan = planDocument(await recordProject({ dir: import.meta.dirname, stack: "dev" }));

function only(type: string, name: string) {
  const found = plan.resources.filter((resource) => resource.type === type && resource.name.endsWith(name));
  expect(found, `${type} ${name}`).toHaveLength(1);
  return found[0]?.inputs ?? {};
}

test("the cluster is used and nothing of it is made", () => {
  const types = plan.resources.map(({ type }) => type);
  expect(types.filter((type) => /^aws:(ec2\/(vpc|subnet)|eks\/(cluster|addon))/.test(type))).toEqual([]);
  expect(types.filter((type) => type === "aws:eks/nodeGroup:NodeGroup")).toHaveLength(1);
  expect(only("aws:eks/nodeGroup:NodeGroup", "l4")).toMatchObject({
    clusterName: "shared-dev",
    instanceTypes: ["g6.2xlarge"],
    subnetIds: ["subnet-0a0a0a0a0a0a0a0a0", "subnet-0b0b0b0b0b0b0b0b0"],
    scalingConfig: { minSize: 1, maxSize: 2, desiredSize: 1 },
    taints: [{ key: "nvidia.com/gpu", value: "present", effect: "NO_SCHEDULE" }],
  });
});

test("the service asks for what the pool offers", () => {
  const { spec } = only("kubernetes:apps/v1:Deployment", "search/qwen-4b") as {
    spec: { template: { spec: Record<string, unknown> & { containers: { args: string[]; resources: unknown }[] } } };
  };
  const pod = spec.template.spec;
  expect(pod).toMatchObject({
    nodeSelector: { "capstan.dev/pool": "l4" },
    tolerations: [{ key: "nvidia.com/gpu", operator: "Equal", value: "present", effect: "NoSchedule" }],
    containers: [{ resources: { limits: { "nvidia.com/gpu": 1 }, requests: { "nvidia.com/gpu": 1 } } }],
  });
  expect(pod.containers[0]?.args).toEqual(expect.arrayContaining(["Qwen/Qwen3-4B", "--max-model-len=8192"]));
});

test("the model fits, and the plan says for how many", () => {
  expect(plan.services).toMatchObject([{ name: "qwen-4b", fit: { verdict: "serves" } }]);
  // A token takes 36 layers x 2 x 8 heads x 128 x 2 bytes = 144 KiB. Of 22.5 GiB x 0.92 = 20.7 GiB some 7.5 are weights
  // and at most 3 activations, graphs and CUDA's own, so 10.2 to 13.2 GiB are left: 74,000 to 96,000 tokens.
  const [{ fit }] = plan.services as unknown as [{ fit: { kvCache: { tokens: number } } }];
  const { tokens } = fit.kvCache;
  expect(tokens).toBeGreaterThan(74_000);
  expect(tokens).toBeLessThan(96_000);
});

test("one node for the one replica, at the list price of 2026-07-20", () => {
  expect(plan.pools.map(({ name, nodes }) => [name, nodes.min, nodes.max])).toEqual([["l4", 1, 1]]);
  // 0.9776 USD x 730 hours.
  expect(plan.cost.usdPerMonth.expected).toBeCloseTo(713.65, 1);
  expect(plan.findings.filter(({ severity }) => severity !== "info")).toEqual([]);
});
