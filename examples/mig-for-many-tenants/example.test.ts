import { planDocument, recordProject } from "@capstan/offline";
import { expect, test } from "vitest";

const plan = planDocument(await recordProject({ dir: import.meta.dirname, stack: "dev" }));

/** Inputs of all resources of a kind in a namespace, by namespace. */
function byNamespace(kind: string): Record<string, unknown> {
  const objects = plan.resources
    .filter(({ type }) => type.startsWith("kubernetes:") && type.endsWith(`:${kind}`))
    .map(({ inputs }) => inputs as { metadata: { name: string; namespace?: string }; spec?: unknown });
  return Object.fromEntries(objects.map(({ metadata, spec }) => [metadata.namespace ?? metadata.name, spec]));
}

test("the node group is cut into the slices that the services ask for", () => {
  const group = plan.resources.find(
    ({ type, name }) => type === "aws:eks/nodeGroup:NodeGroup" && name.endsWith("h100-mig"),
  );
  expect(group?.inputs).toMatchObject({
    instanceTypes: ["p5.4xlarge"],
    labels: { "capstan.dev/pool": "h100-mig", "nvidia.com/mig.config": "all-1g.10gb" },
  });
  // Autoscalers take a node with this label for broken until it shows nvidia.com/gpu, which it never does.
  expect(group?.inputs.labels).not.toHaveProperty(["k8s.amazonaws.com/accelerator"]);
  const slice = { "nvidia.com/mig-1g.10gb": 1 };
  const pod = { template: { spec: { containers: [{ resources: { limits: slice, requests: slice } }] } } };
  expect(byNamespace("Deployment")).toMatchObject({ acme: pod, globex: pod, initech: pod });
});

test("every tenant has a namespace, and a quota of its slices", () => {
  expect(Object.keys(byNamespace("Namespace"))).toEqual(expect.arrayContaining(["acme", "globex", "initech"]));
  const quota = (slices: string) => ({ hard: { "requests.nvidia.com/mig-1g.10gb": slices } });
  expect(byNamespace("ResourceQuota")).toMatchObject({ acme: quota("4"), globex: quota("4"), initech: quota("2") });
});

test("one writer fills the cache of a node, and the tenants read it", () => {
  expect(Object.keys(byNamespace("DaemonSet"))).toEqual(["capstan-system"]);
  const volumes = expect.arrayContaining([
    { name: expect.any(String), persistentVolumeClaim: { claimName: expect.any(String), readOnly: true } },
  ]);
  const pod = { template: { spec: { volumes } } };
  expect(byNamespace("Deployment")).toMatchObject({ acme: pod, globex: pod, initech: pod });
});

test("only pods of the tenant's own namespace may call, and Prometheus may scrape", () => {
  const prometheus = { namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "monitoring" } } };
  const port = [{ protocol: "TCP", port: 8000 }];
  const policies = byNamespace("NetworkPolicy");
  for (const tenant of ["acme", "globex", "initech"]) {
    expect(policies[tenant]).toEqual({
      podSelector: {
        matchLabels: { "app.kubernetes.io/instance": `${tenant}-chat`, "app.kubernetes.io/name": "vllm" },
      },
      policyTypes: ["Ingress"],
      ingress: [
        { from: [{ podSelector: {} }], ports: port },
        { from: [prometheus], ports: port },
      ],
    });
  }
});

test("seven slices a node: three replicas need one, all ten need two", () => {
  expect(plan.pools).toMatchObject([
    { resourceName: "nvidia.com/mig-1g.10gb", slotsPerNode: 7, nodes: { min: 1, max: 2 } },
  ]);
  // 6.88 USD x 730 hours, and a third of it for each of three equal tenants.
  expect(plan.cost.usdPerMonth).toMatchObject({ min: 5022.4, max: 10_044.8 });
  expect(plan.cost.byTeam.acme?.expected).toBeCloseTo(5022.4 / 3, 0);
  expect(plan.findings.filter(({ severity, acknowledged }) => severity !== "info" && acknowledged === null)).toEqual(
    [],
  );
});
