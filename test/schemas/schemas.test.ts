import { expect, test } from "vitest";
import type { RenderedObject } from "../programs/rendered.ts";
import { schemaProblem } from "./models.ts";
import { typeProblems } from "./unknown-fields.ts";

const pod = { containers: [{ name: "server", image: "vllm/vllm-openai:v0.33.0" }] };

function deployment(podSpec: object): RenderedObject {
  const labels = { app: "x" };
  return {
    path: "x.yaml",
    object: {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "x" },
      spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: podSpec } },
    },
  };
}

test("the schemas refuse a wrong type, and a kind that they do not know", async () => {
  expect(await schemaProblem(deployment(pod))).toBe(null);
  const wrong = deployment({ ...pod, terminationGracePeriodSeconds: "165" });
  expect(await schemaProblem(wrong)).toContain("/spec/template/spec/terminationGracePeriodSeconds");
  const unknown = { path: "y.yaml", object: { apiVersion: "apps/v1", kind: "Deploymint", metadata: { name: "y" } } };
  expect(await schemaProblem(unknown)).not.toBe(null);
});

test("a field that no schema knows is found at any depth, in our kinds and in the operators'", () => {
  expect(typeProblems([deployment(pod)])).toEqual([]);
  const misspelled = deployment({ containers: [{ ...pod.containers[0], lifecycle: { preStopp: {} } }] });
  expect(typeProblems([deployment(pod), misspelled])).toEqual([expect.stringMatching(/^x\.yaml: .*preStopp/s)]);
  const scaled = {
    path: "z.yaml",
    object: {
      apiVersion: "keda.sh/v1alpha1",
      kind: "ScaledObject",
      metadata: { name: "z" },
      spec: { scaleTargetRef: { name: "z" }, triggers: [], minReplicas: 1 },
    },
  };
  expect(typeProblems([scaled])).toEqual([expect.stringMatching(/^z\.yaml: .*minReplicas/s)]);
});
