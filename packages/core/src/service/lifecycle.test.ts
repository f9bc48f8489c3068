import { expect, test } from "vitest";
import { resolveService } from "../check.ts";
import { standalone } from "../context.ts";
import type { Service } from "../platform/props.ts";
import { cpuPool, gpuPool } from "../pool/declare.ts";
import { mig } from "../pool/sharing.ts";
import { fixed, onCpu, onQueue, type Scaling, schedule } from "../scaling/props.ts";
import { onnx, vllm } from "./declare.ts";

const size = { min: 1, max: 8 };
const slices = gpuPool({ name: "h100", instanceType: "p5.4xlarge", sharing: mig("1g.20gb"), size });
const whole = gpuPool({ name: "l40s", instanceType: "g6e.2xlarge", size });
const amx = cpuPool({ name: "amx", instanceTypes: ["c7i.8xlarge"], cpuManager: "static", size });
const day = { timezone: "Europe/Berlin", weekdays: "1-5", from: "08:00", to: "19:00" };

/** Four of these fit on a node. */
const onSlices = (scaling: Scaling) =>
  vllm({ name: "qwen", team: "labs", model: "Qwen/Qwen2.5-1.5B-Instruct", pool: slices, maxModelLen: 4096, scaling });
const onWhole = (scaling: Scaling) =>
  vllm({ name: "qwen", team: "labs", model: "Qwen/Qwen2.5-1.5B-Instruct", pool: whole, maxModelLen: 4096, scaling });
const onCores = (scaling: Scaling) =>
  onnx({ name: "bge", team: "labs", model: "BAAI/bge-small-en-v1.5", pool: amx, scaling });

const spread = (declaration: Service, production: boolean) =>
  resolveService(declaration, { ...standalone, production }).service?.spread;

test.each([
  ["slices of a GPU", onSlices(onQueue({ min: 2, max: 4 }))],
  ["a fixed number on slices", onSlices(fixed(2))],
  ["cores", onCores(onCpu({ min: 2, max: 4 }))],
  ["two in office hours", onSlices(schedule({ hours: [{ ...day, replicas: 2 }], outside: 0 }))],
])("%s: production keeps two replicas off one node, and nothing else does", (_, declaration) => {
  expect(spread(declaration, true)).toEqual({ zones: true, nodes: true });
  expect(spread(declaration, false)).toEqual({ zones: true, nodes: false });
});

test("replicas that come with load alone fill a node first, in production too", () => {
  expect(spread(onSlices(onQueue({ min: 1, max: 4 })), true)).toEqual({ zones: true, nodes: false });
  expect(spread(onCores(onCpu({ min: 1, max: 4 })), true)).toEqual({ zones: true, nodes: false });
});

test("one replica is not spread; whole nodes are always", () => {
  expect(spread(onSlices(fixed(1)), true)).toEqual({ zones: false, nodes: false });
  expect(spread(onWhole(onQueue({ min: 1, max: 4 })), false)).toEqual({ zones: true, nodes: true });
});
