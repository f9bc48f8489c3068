import { fixed, onQueue, schedule } from "@capstan/core";
import { expect, test } from "vitest";
import { chart, chat, one, synthesised } from "../testing/fixtures.ts";
import { chatWith, deployment, render } from "../testing/vllm.ts";
import { VllmService } from "../vllm-service.ts";

test("an autoscaled service has no replicas, a fixed one has them (SCALE-08, CDK-07)", () => {
  const objects = render(chat);
  expect(one(objects, "Deployment").spec).not.toHaveProperty("replicas");
  const scaled = one(objects, "ScaledObject");
  expect(scaled.spec.scaleTargetRef).toEqual({ apiVersion: "apps/v1", kind: "Deployment", name: "llama-8b" });
  expect(scaled.spec).toMatchObject({ minReplicaCount: 1, maxReplicaCount: 8 });
  expect(deployment(chatWith({ scaling: fixed(2) })).spec.replicas).toBe(2);
});

test("all trigger metadata are strings, and the query is a total with AverageValue (SCALE-01, SCALE-06, SCALE-14)", () => {
  const { triggers, fallback } = one(render(chat), "ScaledObject").spec;
  expect(triggers).toHaveLength(1);
  expect(triggers[0].metricType).toBe("AverageValue");
  expect(triggers[0].metadata.query).toMatch(/^sum\(/);
  expect(triggers[0].metadata.ignoreNullValues).toBe("false");
  for (const value of Object.values(triggers[0].metadata)) expect(typeof value).toBe("string");
  expect(fallback.replicas).toBeGreaterThanOrEqual(1);
});

test("cool-down and stabilisation are not shorter than a cold start (SCALE-10)", () => {
  const service = new VllmService(chart(), "x", chat);
  const spec = one(synthesised(service.objects.deployment.chart), "ScaledObject").spec;
  const { scaleUp, scaleDown } = spec.advanced.horizontalPodAutoscalerConfig.behavior;
  expect(spec.cooldownPeriod).toBeGreaterThanOrEqual(service.resolved.coldStart.totalSeconds.expected);
  expect(scaleDown.stabilizationWindowSeconds).toBeGreaterThanOrEqual(300);
  expect(scaleUp.policies).toHaveLength(1);
  expect(scaleUp.policies[0].value).toBeLessThanOrEqual(2);
});

test("a schedule becomes cron triggers with a floor of zero", () => {
  const hours = [{ timezone: "Europe/Berlin", weekdays: "1-5", from: "08:00", to: "19:00", replicas: 1 }];
  const { spec } = one(render(chatWith({ scaling: schedule({ hours }) })), "ScaledObject");
  expect(spec.minReplicaCount).toBe(0);
  expect(spec.triggers.map((t: { type: string }) => t.type)).toEqual(["cron"]);
  expect(spec.triggers[0].metadata).toMatchObject({
    timezone: "Europe/Berlin",
    start: "0 8 * * 1-5",
    end: "0 19 * * 1-5",
    desiredReplicas: "1",
  });
  expect(spec.triggers[0]).not.toHaveProperty("metricType");
  expect(spec).not.toHaveProperty("fallback");
});

test("the requests that one replica should hold are the threshold of the load trigger", () => {
  const objects = render(chatWith({ scaling: onQueue({ min: 2, max: 4, targetPerReplica: 10 }) }));
  expect(one(objects, "ScaledObject").spec.triggers[0].metadata.threshold).toBe("10");
});
