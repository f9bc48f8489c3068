import { cpuPool, fixed, gpuPool, onCpu, onnx, onQueue, type Scaling, schedule, vllm } from "@capstan/core";
import { finds, token, unchecked, wrongPlatform, wrongService } from "./wrong.ts";

const l40s = gpuPool({ name: "l40s", instanceType: "g6e.2xlarge", size: { min: 0, max: 4 } });
const amx = cpuPool({ name: "amx", instanceTypes: ["c7i.8xlarge"], size: { min: 1, max: 4 } });

function llama(scaling: Scaling) {
  return vllm({
    name: "llama-8b",
    team: "search",
    model: "meta-llama/Llama-3.1-8B-Instruct",
    pool: l40s,
    source: token,
    maxModelLen: 8192,
    scaling,
  });
}

function phi(scaling: Scaling) {
  return onnx({ name: "phi-3-mini", team: "support", model: "microsoft/Phi-3-mini-4k-instruct", pool: amx, scaling });
}

const office = { timezone: "Europe/Berlin", weekdays: "1-5", from: "08:00", to: "18:00", replicas: 2 };
const at = (path: string) => `services.llama-8b.${path}`;

/** Replicas by queue, clock and CPU, and what they need of the cluster. */
export const wrongScaling = [
  wrongService(
    "more replicas at least than at most",
    () => llama(onQueue({ min: 3, max: 2 })),
    finds("scaling.range.invalid", at("scaling"), /min 3 is above max 2/, /raise max to 3/),
  ),
  wrongService(
    "fewer than no replica",
    () => llama(fixed(-1)),
    finds("scaling.range.invalid", at("scaling.replicas"), /-1 replicas/, /0 or more/),
  ),
  wrongService(
    "zero replicas that nothing can wake",
    () => llama(onQueue({ min: 0, max: 4 })),
    finds("scaling.zero.never-wakes", at("scaling.min"), /nothing can start one/, /wake.*hours.*min: 1/),
  ),
  wrongService(
    "woken by the pods that are not there",
    () => llama(onQueue({ min: 0, max: 4, wake: { query: "sum(vllm:num_requests_waiting)", threshold: 8 } })),
    finds(
      "scaling.wake.own-metric",
      at("scaling.wake.query"),
      /vllm:num_requests_waiting exists only while pods/,
      /gateway/,
    ),
  ),
  wrongService(
    "a target of no request",
    () => llama(onQueue({ min: 1, max: 4, targetPerReplica: 0 })),
    finds(
      "scaling.target.invalid",
      at("scaling.targetPerReplica"),
      /0 requests a replica; valid is above 0/,
      /leave it out/,
    ),
  ),
  wrongService(
    "replicas for which there is no node",
    () => llama(onQueue({ min: 1, max: 9 })),
    finds(
      "scaling.max.beyond-pool",
      at("scaling.max"),
      /9 replicas; pool l40s holds 4 \(1 a node, 4 nodes\)/,
      /size\.max of the pool to 9/,
    ),
  ),
  wrongService(
    "the CPU of no pod",
    () => phi(onCpu({ min: 0, max: 4 })),
    finds("scaling.zero.hpa", "services.phi-3-mini.scaling.min", /min 0/, /min: 1/),
  ),
  wrongService(
    "more than all of the CPU",
    () => phi(onCpu({ min: 1, max: 4, targetPercent: 150 })),
    finds("scaling.target.invalid", "services.phi-3-mini.scaling.targetPercent", /150 % .*up to 100/, /70/),
  ),
  wrongService(
    "a time zone that does not exist",
    () => llama(schedule({ hours: [{ ...office, timezone: "Europe/Berln" }] })),
    finds("scaling.hours.invalid", at("scaling.hours.0.timezone"), /"Europe\/Berln"/, /"Europe\/Berlin"/),
  ),
  wrongService(
    "zero replicas as closing time",
    () => llama(schedule({ hours: [{ ...office, replicas: 0 }], outside: 2 })),
    finds("scaling.hours.replicas", at("scaling.hours.0.replicas"), /0 replicas inside the window/, /1 or more/),
  ),
  wrongService(
    "a scaling that does not exist",
    () => llama(unchecked({ kind: "gpu-utilisation", min: 1, max: 2 })),
    finds("declaration.shape", at("scaling.kind"), /"gpu-utilisation".*queue/, /./),
  ),
  wrongPlatform(
    "a queue without KEDA",
    () => ({ pools: [l40s], services: [llama(onQueue({ min: 1, max: 4 }))], keda: "none" }),
    finds("scaling.keda.missing", at("scaling"), /KEDA, which the cluster does not have/, /keda: "install"/),
  ),
  wrongPlatform(
    "a queue without Prometheus",
    () => ({ pools: [l40s], services: [llama(onQueue({ min: 1, max: 4 }))], monitoring: "none" }),
    finds("scaling.monitoring.missing", at("scaling"), /there is no monitoring/, /prometheusStack\(\)/),
  ),
];
