import { planDocument, recordProject } from "@capstan/offline";
import { expect, test } from "vitest";

const plan = planDocument(await recordProject({ dir: import.meta.dirname, stack: "dev" }));

function spec(kind: string): Record<string, unknown> {
  const found = plan.resources.filter(
    ({ type, name }) => type.endsWith(`:${kind}`) && name.endsWith("support/phi-3-mini"),
  );
  expect(found, kind).toHaveLength(1);
  return found[0]?.inputs.spec as Record<string, unknown>;
}

interface Pod {
  readonly terminationGracePeriodSeconds: number;
  readonly containers: readonly {
    readonly image: string;
    readonly args: readonly string[];
    readonly resources: unknown;
  }[];
}

const pod = (spec("Deployment").template as { readonly spec: Pod }).spec;

test("spot nodes of one generation", () => {
  const group = plan.resources.find(({ type, name }) => type === "aws:eks/nodeGroup:NodeGroup" && name.endsWith("amx"));
  expect(group?.inputs).toMatchObject({
    capacityType: "SPOT",
    instanceTypes: ["c7i.8xlarge", "m7i.8xlarge", "r7i.8xlarge"],
  });
});

test("whole cores, requests equal limits: the kubelet pins such a pod", () => {
  // 32 vCPUs less one core for the system are 30: two pods of 14, as whole cores of two threads.
  // Memory: 2.00 GiB of weights; 6.5 of KV cache, as 8 requests x 4096 tokens x 208 KiB (32 layers x 2 x 32 heads x 96
  // values of a byte and 8 of scale); 1.25 of the server; 10 % on top, rounded up: 11.
  const resources = { cpu: 14, memory: "11264Mi" };
  expect(pod.containers[0]?.resources).toMatchObject({ requests: resources, limits: resources });
  // One thread a core: both threads of a core share its AMX unit.
  expect(pod.containers[0]?.args.join(" ")).toContain('"INFERENCE_NUM_THREADS":7');
});

test("the int4 conversion on a pinned image", () => {
  expect(pod.containers[0]?.args).toContain("--source_model=OpenVINO/Phi-3-mini-4k-instruct-int4-ov");
  expect(pod.containers[0]?.image).toMatch(/^openvino\/model_server:\d{4}\.\d/);
});

test("pods end within the two minutes that spot gives", () => {
  expect(pod.terminationGracePeriodSeconds).toBeLessThanOrEqual(120);
});

test("scaled by requests in flight, and nobody else writes the number of replicas", () => {
  expect(spec("Deployment")).not.toHaveProperty("replicas");
  const scaled = spec("ScaledObject");
  expect(scaled).toMatchObject({
    minReplicaCount: 3,
    maxReplicaCount: 20,
    scaleTargetRef: { name: "phi-3-mini" },
    // Half of the eight requests that run at the same time.
    triggers: [{ type: "prometheus", metricType: "AverageValue", metadata: { threshold: "4" } }],
  });
  // A request to a language model is one graph of the server for as long as it runs.
  const [trigger] = scaled.triggers as { metadata: { query: string } }[];
  expect(trigger?.metadata.query).toBe('sum(ovms_current_graphs{job="support/phi-3-mini"})');
});

test("two pods a node: three replicas need two nodes, twenty need ten", () => {
  expect(plan.pools).toMatchObject([{ name: "amx", nodes: { min: 2, max: 10 } }]);
  // At most what on-demand costs: 1.428 USD x 730 hours x 10 nodes.
  expect(plan.cost.usdPerMonth.max).toBeCloseTo(10_424.4, 1);
  expect(plan.findings.filter(({ severity }) => severity !== "info")).toEqual([]);
});
