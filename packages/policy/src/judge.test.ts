import { expect, test } from "vitest";
import { judgeManifests, judgeRecording, policyRules } from "./judge.ts";

const floating = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web", namespace: "shop", labels: { "capstan.dev/team": "shop" } },
  spec: {
    selector: { matchLabels: { app: "web" } },
    template: { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "web", image: "nginx:latest" }] } },
  },
};

test("an object of somebody else's is judged by the same rules, with its place in the path", () => {
  const findings = judgeManifests([floating]);
  const image = findings.filter((f) => f.message.includes("nginx:latest"));
  expect(image).toHaveLength(1);
  expect(image[0]?.path).toMatch(/^manifests\/Deployment\/shop\/web/);
  expect(policyRules.map((r) => r.id)).toContain(image[0]?.id);
});

test("an annotation with a reason acknowledges one rule on one object", () => {
  const id = judgeManifests([floating]).find((f) => f.message.includes("nginx:latest"))?.id ?? "";
  const annotations = { "capstan.dev/acknowledge": JSON.stringify({ [id]: "pinned by digest at admission" }) };
  const [finding] = judgeManifests([{ ...floating, metadata: { ...floating.metadata, annotations } }]).filter(
    (f) => f.id === id,
  );
  expect(finding?.acknowledged).toBe("pinned by digest at admission");
});

test("resources that are no objects are left alone", () => {
  expect(
    judgeRecording([
      { type: "aws:s3/bucket:Bucket", inputs: { apiVersion: "v1" } },
      { type: "kubernetes:helm.sh/v3:Release", inputs: { chart: "x", version: "latest" } },
      { type: "kubernetes:apps/v1:Deployment", inputs: floating },
    ]).filter((f) => f.message.includes("nginx:latest")),
  ).toHaveLength(1);
});
