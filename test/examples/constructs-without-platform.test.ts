import { resolve } from "node:path";
import { type PlannedResource, planDocument, recordProject } from "@capstan/offline";
import { expect, test } from "vitest";

// Beside the example it would be CommonJS like its program, which the workspace's compiler options do not allow.
const directory = resolve(import.meta.dirname, "../../examples/constructs-without-platform");
const stackReferences = {
  "acme/cluster/dev": {
    clusterName: "shared-dev",
    kubeconfig: JSON.stringify({
      clusters: [
        { name: "shared", cluster: { server: "https://shared.example.com", "certificate-authority-data": "Q0E=" } },
      ],
    }),
    privateSubnetIds: ["subnet-a", "subnet-b"],
  },
};
const plan = planDocument(await recordProject({ dir: directory, stack: "dev", stackReferences }));

function only(type: string, name: string): PlannedResource {
  const [found, second] = plan.resources.filter((resource) => resource.type === type && resource.name === name);
  if (found === undefined || second !== undefined) throw new Error(`not exactly one ${type} ${name}`);
  return found;
}

test("each construct registers its own part, beside what was there before", () => {
  const components = plan.resources
    .filter(({ type }) => type.startsWith("capstan:"))
    .map(({ type, name }) => [type, name]);
  expect(components.sort()).toEqual([
    ["capstan:eks:ExistingCluster", "shared"],
    ["capstan:eks:GpuNodeGroup", "l4"],
    ["capstan:kubernetes:Cdk8sChart", "search"],
  ]);
  expect(only("aws:eks/nodeGroup:NodeGroup", "l4").inputs).toMatchObject({
    clusterName: "shared-dev",
    subnetIds: ["subnet-a", "subnet-b"],
    instanceTypes: ["g6.2xlarge"],
  });
});

test("the pod waits for its namespace and its nodes, on the pool's own terms", () => {
  const { inputs, options } = only("kubernetes:apps/v1:Deployment", "search/search/qwen-4b");
  expect(options.dependsOn).toEqual(
    expect.arrayContaining([
      only("kubernetes:core/v1:Namespace", "search").urn,
      only("aws:eks/nodeGroup:NodeGroup", "l4").urn,
    ]),
  );
  expect(options.provider).toBe(only("pulumi:providers:kubernetes", "shared").urn);
  expect(inputs).toMatchObject({
    spec: {
      replicas: 1,
      template: {
        spec: {
          nodeSelector: { "capstan.dev/pool": "l4" },
          tolerations: [{ key: "nvidia.com/gpu", effect: "NoSchedule" }],
          containers: [{ resources: { limits: { "nvidia.com/gpu": 1 } } }],
        },
      },
    },
  });
});

test("the plan is rebuilt from what the constructs registered", () => {
  expect(plan.services).toMatchObject([{ name: "qwen-4b", team: "search", pool: "l4", replicas: { min: 1, max: 1 } }]);
  // One replica on one GPU; 0.9776 USD x 730 hours.
  expect(plan.pools).toMatchObject([{ name: "l4", instanceType: "g6.2xlarge", nodes: { min: 1, max: 1 } }]);
  expect(plan.cost.usdPerMonth.expected).toBeCloseTo(713.65, 1);
  expect(plan.findings.filter(({ severity }) => severity !== "info")).toEqual([]);
});
