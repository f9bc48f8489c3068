import { findVllm, nearest, vllmVersions } from "@capstan/catalog";
import { nvmeCache } from "../../cache/props.ts";
import { CACHE_DIRECTORY } from "../../service/vllm-environment.ts";
import type { Vllm } from "../../service/vllm-props.ts";
import { vllmRule } from "../rule.ts";
import { holdsSecret, showValue } from "../secrets.ts";
import { bucket, llama8b } from "./example-services.ts";
import { environmentValue, isOn, sinceMinor } from "./subject.ts";

const AT = "environmentVariables";

function withVariables(variables: Readonly<Record<string, string>>): Vllm {
  return llama8b({ environmentVariables: Object.entries(variables).map(([name, value]) => ({ name, value })) });
}

/** PUL-05, POD-13, POD-14 */
export const secretVariable = vllmRule({
  id: "vllm.env.secret",
  severity: "error",
  reason: "A plain value can be read in the Pulumi state, in the manifest and by everyone who may see pods.",
  reference: "Kubernetes good practices for Secrets; case PUL-05",
  check: ({ environmentVariables }) =>
    environmentVariables
      .filter(holdsSecret)
      .map(({ name }) => ({ at: AT, message: `${name} carries a secret in plain text`, remedy: secretRemedy(name) })),
  examples: {
    bad: [
      { title: "hub token", declare: () => withVariables({ HF_TOKEN: "hf_abcdefghijklmnopqrstuvwx" }), at: AT },
      { title: "its old name", declare: () => withVariables({ HUGGING_FACE_HUB_TOKEN: "whatever" }), at: AT },
      { title: "AWS key", declare: () => withVariables({ AWS_SECRET_ACCESS_KEY: "whatever" }), at: AT },
      { title: "API key", declare: () => withVariables({ VLLM_API_KEY: "whatever" }), at: AT },
      {
        title: "key in another variable",
        declare: () => withVariables({ EXTRA: "Bearer sk-abcdefghijklmnopqrst" }),
        at: AT,
      },
    ],
    good: [
      {
        title: "no secret",
        declare: () => withVariables({ TOKENIZERS_PARALLELISM: "false", VLLM_MAX_N_SEQUENCES: "8" }),
      },
      { title: "a file", declare: () => withVariables({ OTEL_TOKEN_FILE: "/var/run/secrets/otel" }) },
    ],
  },
});

function secretRemedy(name: string): string {
  if (/^(HF_TOKEN|HUGGING_?FACE_(HUB_)?TOKEN)$/.test(name))
    return 'remove it; write source: hub({ token: secretKey("hf-token", "token") })';
  if (name.startsWith("AWS_")) return "remove it: the pod reads S3 with its own identity";
  return 'remove it; give it with secretEnvironmentVariables: [{ name, secret: secretKey("secret", "key") }]';
}

/** POD-03 */
export const internalPort = vllmRule({
  id: "vllm.env.internal-address",
  severity: "error",
  reason:
    "VLLM_PORT and VLLM_HOST_IP are where the engine's own processes meet, not where clients come in; each pod has an address of its own.",
  reference: "vLLM envs.py get_vllm_port, docs/configuration/env_vars.md",
  check: (service) => {
    const port = environmentValue(service, "VLLM_PORT");
    const host = environmentValue(service, "VLLM_HOST_IP");
    return [
      ...(port !== undefined && !/^\d+$/.test(port)
        ? [
            {
              at: AT,
              message: `VLLM_PORT is "${showValue(port)}"; the engine takes a number only`,
              remedy: "remove it",
            },
          ]
        : []),
      ...(port !== undefined && Number(port) === service.port
        ? [
            {
              at: AT,
              message: `VLLM_PORT ${port} is the port of the API; the engine's processes would take it first`,
              remedy: "remove it: clients come in on --port",
            },
          ]
        : []),
      ...(host !== undefined
        ? [
            {
              at: AT,
              message: `VLLM_HOST_IP is ${showValue(host)} for every replica, and no pod has that address`,
              remedy: "remove it: the engine asks the pod",
            },
          ]
        : []),
    ];
  },
  examples: {
    bad: [
      { title: "the API's port", declare: () => withVariables({ VLLM_PORT: "8000" }), at: AT },
      {
        title: "as a service link writes it",
        declare: () => withVariables({ VLLM_PORT: "tcp://10.100.1.2:8000" }),
        at: AT,
      },
      { title: "one address for all pods", declare: () => withVariables({ VLLM_HOST_IP: "10.0.1.17" }), at: AT },
      { title: "the API's port as host", declare: () => withVariables({ VLLM_HOST_IP: "8000" }), at: AT },
    ],
    good: [{ title: "another port", declare: () => withVariables({ VLLM_PORT: "29500" }) }],
  },
});

/** SHARE-16 */
export const visibleDevices = vllmRule({
  id: "gpu.visible-devices.overridden",
  severity: "error",
  reason: "The device plugin says which GPU is the pod's; a fixed list gives it another's, or none.",
  reference: "NVIDIA container runtime, NVIDIA_VISIBLE_DEVICES; case SHARE-16",
  check: ({ environmentVariables }) =>
    environmentVariables
      .filter(({ name }) => /^((CUDA|NVIDIA|HIP|ROCR)_VISIBLE_DEVICES|NVIDIA_MIG_(CONFIG|MONITOR)_DEVICES)$/.test(name))
      .map(({ name, value }) => ({
        at: AT,
        message: `${name}=${showValue(value)} takes the choice of GPUs from the device plugin`,
        remedy: "remove it; ask for GPUs with gpus",
      })),
  examples: {
    bad: [
      { title: "all", declare: () => withVariables({ NVIDIA_VISIBLE_DEVICES: "all" }), at: AT },
      { title: "first", declare: () => withVariables({ CUDA_VISIBLE_DEVICES: "0" }), at: AT },
    ],
    good: [{ title: "order only", declare: () => withVariables({ CUDA_DEVICE_ORDER: "PCI_BUS_ID" }) }],
  },
});

export const unknownVariable = vllmRule({
  id: "vllm.env.unknown",
  severity: "warning",
  reason: "The engine does not read a VLLM_ variable that its version does not know: a setting that nobody gets.",
  reference: "vLLM envs.py of the released wheels 0.11 to 0.33",
  check: (service) => {
    const version = findVllm(service.engineVersion);
    if (!version) return [];
    return service.environmentVariables
      .filter(({ name }) => name.startsWith("VLLM_") && !version.environment.has(name) && !SET_HERE.has(name))
      .map(({ name }) => {
        const elsewhere = vllmVersions.filter((v) => findVllm(v)?.environment.has(name));
        const last = elsewhere.at(-1);
        if (last !== undefined) {
          const newer = sinceMinor(service, findVllm(last)?.minor ?? "");
          return {
            at: AT,
            message: newer
              ? `vLLM ${service.engineVersion} no longer reads ${name}; the last that was read with it is ${last}`
              : `${name} came with vLLM ${elsewhere[0]}; engineVersion is ${service.engineVersion}`,
            remedy: newer ? "remove it" : "remove it, or use a newer engineVersion",
          };
        }
        const near = nearest(name, [...version.environment]);
        return {
          at: AT,
          message: `vLLM ${service.engineVersion} has no variable ${name}${near ? `; did you mean ${near}?` : ""}`,
          remedy: near ? `write ${near}` : "remove it",
        };
      });
  },
  examples: {
    bad: [
      { title: "misspelt", declare: () => withVariables({ VLLM_LOGGING_LEVL: "DEBUG" }), at: AT },
      { title: "removed", declare: () => withVariables({ VLLM_RPC_TIMEOUT: "60000" }), at: AT },
      {
        title: "of a newer version",
        declare: () =>
          llama8b({
            engineVersion: "0.24.0",
            environmentVariables: [{ name: "VLLM_ENABLE_STARTUP_PLAN", value: "1" }],
          }),
        at: AT,
      },
    ],
    good: [{ title: "known", declare: () => withVariables({ VLLM_LOGGING_LEVEL: "DEBUG", LOG_LEVEL: "debug" }) }],
  },
});

/** What resolution sets itself: old engines that do not know one of them lose nothing by it. */
const SET_HERE = new Set(["VLLM_CACHE_ROOT", "VLLM_NO_USAGE_STATS", "VLLM_ENGINE_READY_TIMEOUT_S"]);

export const offlineHub = vllmRule({
  id: "vllm.env.offline-hub",
  severity: "error",
  acknowledgeable: false,
  reason: "An engine that may not ask the hub cannot download its model from it.",
  reference: "huggingface_hub environment variables",
  check: (service) =>
    ["HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"]
      .filter(
        (name) => service.modelPath === null && service.source.kind === "hub" && isOn(environmentValue(service, name)),
      )
      .map((name) => ({
        at: AT,
        message: `${name} is on, and the weights come from the hub`,
        remedy: "remove it, or give a cache: nvmeCache({ source })",
      })),
  examples: {
    bad: [
      { title: "offline", declare: () => withVariables({ HF_HUB_OFFLINE: "1" }), at: AT },
      { title: "offline, spelt out", declare: () => withVariables({ TRANSFORMERS_OFFLINE: "True" }), at: AT },
    ],
    good: [
      { title: "cached", declare: () => llama8b({ source: bucket, cache: nvmeCache({ source: bucket }) }) },
      { title: "off", declare: () => withVariables({ HF_HUB_OFFLINE: "0" }) },
    ],
  },
});

/** Directories that the engine writes to. */
const WRITTEN = [
  "HOME",
  "HF_HOME",
  "HF_HUB_CACHE",
  "XDG_CACHE_HOME",
  "VLLM_CACHE_ROOT",
  "VLLM_CONFIG_ROOT",
  "TORCHINDUCTOR_CACHE_DIR",
  "TRITON_CACHE_DIR",
];

/** POD-07 */
export const unwritableDirectory = vllmRule({
  id: "vllm.env.directory-read-only",
  severity: "error",
  reason:
    "The root file system is read-only and the user is not root, so a cache outside the writable mounts ends the start.",
  reference: "case POD-07",
  check: ({ environmentVariables, writable, identity }) =>
    identity.readOnlyRootFilesystem
      ? environmentVariables
          .filter(
            ({ name, value }) =>
              WRITTEN.includes(name) &&
              !writable.some(({ mountPath }) => value === mountPath || value.startsWith(`${mountPath}/`)),
          )
          .map(({ name, value }) => ({
            at: AT,
            message: `${name} is ${showValue(value)}, which cannot be written; writable are ${writable.map(({ mountPath }) => mountPath).join(" and ")}`,
            remedy: `remove it, or use a directory below ${CACHE_DIRECTORY}`,
          }))
      : [],
  examples: {
    bad: [
      { title: "root's home", declare: () => withVariables({ HF_HOME: "/root/.cache/huggingface" }), at: AT },
      { title: "beside the mount", declare: () => withVariables({ VLLM_CACHE_ROOT: `${CACHE_DIRECTORY}-2` }), at: AT },
    ],
    good: [
      { title: "below the mount", declare: () => withVariables({ HF_HOME: `${CACHE_DIRECTORY}/hub` }) },
      {
        title: "an image that runs as root",
        declare: () =>
          llama8b({
            engineVersion: "0.22.1",
            environmentVariables: [{ name: "HF_HOME", value: "/root/.cache/huggingface" }],
          }),
      },
    ],
  },
});

export const devMode = vllmRule({
  id: "vllm.env.dev-mode",
  severity: "error",
  reason:
    "Development mode opens routes that call into the workers and reset caches, to everyone who reaches the port.",
  reference: "vLLM docs/usage/security.md",
  check: (service, { production }) =>
    isOn(environmentValue(service, "VLLM_SERVER_DEV_MODE"))
      ? [
          {
            at: AT,
            message: "VLLM_SERVER_DEV_MODE opens /collective_rpc, /server_info, /sleep and others without a key",
            remedy:
              "remove it, or let in only the namespaces that need it with ingressNamespaces and acknowledge this rule",
            ...(production ? {} : { severity: "warning" as const }),
          },
        ]
      : [],
  examples: {
    bad: [
      {
        title: "production",
        declare: () => withVariables({ VLLM_SERVER_DEV_MODE: "1" }),
        at: AT,
        context: { production: true },
      },
      {
        title: "development",
        declare: () => withVariables({ VLLM_SERVER_DEV_MODE: "1" }),
        at: AT,
        severity: "warning",
      },
    ],
    good: [
      { title: "off", declare: () => withVariables({ VLLM_SERVER_DEV_MODE: "0" }), context: { production: true } },
    ],
  },
});
