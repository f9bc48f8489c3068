import { LABEL_VALUE, TEAM_LABEL } from "../../labels.ts";
import type { Manifest } from "../manifest.ts";
import { manifestRule } from "../rule.ts";
import { agent, deployment, gpuContainer, web } from "./examples.ts";
import { fields, isSystem, pods, strings } from "./objects.ts";

/** Kinds whose selector cannot be changed once they exist. */
const SELECTING = new Set(["Deployment", "StatefulSet", "DaemonSet", "ReplicaSet"]);

/** OBS-01 kind: costs by team */
export const teamMissing = manifestRule({
  id: "manifest.label.team-missing",
  severity: "warning",
  reason: "Costs are attributed by the team label of pods: without it what the pod costs belongs to nobody.",
  reference: "Kubecost label mapping; packages/core/src/labels.ts, TEAM_LABEL",
  check: (manifest) =>
    isSystem(manifest)
      ? []
      : pods(manifest)
          .filter(
            (pod) =>
              pod.labels[TEAM_LABEL] === undefined &&
              !(manifest.kind === "Pod" && fields(fields(manifest.metadata).labels)[TEAM_LABEL] !== undefined),
          )
          .map((pod) => ({
            at: manifest.kind === "Pod" ? "metadata.labels" : `${pod.at.replace(/\.spec$/, "")}.metadata.labels`,
            message: `pods have no label ${TEAM_LABEL}`,
            remedy: `add ${TEAM_LABEL}: <team>`,
          })),
  examples: {
    bad: [
      {
        title: "none",
        declare: () =>
          deployment(
            gpuContainer(),
            {},
            { template: { metadata: { labels: {} }, spec: { containers: [gpuContainer()] } } },
          ),
        at: "spec.template.metadata.labels",
      },
      {
        title: "Pod",
        declare: () => ({ apiVersion: "v1", kind: "Pod", metadata: { name: "job" }, spec: { containers: [] } }),
        at: "metadata.labels",
      },
    ],
    good: [
      { title: "there", declare: () => web() },
      { title: "an agent of the platform", declare: () => agent("capstan-system") },
      {
        title: "no pods",
        declare: () => ({ apiVersion: "v1", kind: "Service", metadata: { name: "llama" }, spec: { ports: [] } }),
      },
    ],
  },
});

/** What changes from release to release. */
const CHANGING =
  /^(app\.kubernetes\.io\/version|helm\.sh\/chart|capstan\.dev\/(model|environment|pool)|nvidia\.com\/gpu\.product|node\.kubernetes\.io\/instance-type|(.*[./-])?(version|model|image|tag|revision|gpu|chart|commit|checksum))$/i;

/** PUL-07 */
export const unstableSelector = manifestRule({
  id: "manifest.selector.unstable",
  severity: "error",
  reason:
    "Selectors cannot be changed: a new version, model or GPU in one replaces the Deployment, and all its GPUs are lost at once.",
  reference: "Kubernetes Deployments, label selector updates",
  check: (manifest) =>
    Object.keys(selectorOf(manifest))
      .filter((key) => CHANGING.test(key))
      .map((key) => ({
        at: `spec.selector.matchLabels.${key}`,
        message: `${key} is in the selector`,
        remedy:
          "select by app.kubernetes.io/name and app.kubernetes.io/instance only; keep this one as a label of the pods",
      })),
  examples: {
    bad: [
      {
        title: "version",
        declare: () => selecting({ app: "llama", "app.kubernetes.io/version": "0.33.0" }),
        at: "spec.selector.matchLabels.app.kubernetes.io/version",
      },
      {
        title: "model",
        declare: () => selecting({ app: "llama", model: "llama-3.1-8b" }),
        at: "spec.selector.matchLabels.model",
      },
      {
        title: "our own model label",
        declare: () => selecting({ app: "llama", "capstan.dev/model": "llama" }),
        at: "spec.selector.matchLabels.capstan.dev/model",
      },
      {
        title: "chart",
        declare: () => selecting({ app: "llama", "helm.sh/chart": "vllm-0.1.12" }),
        at: "spec.selector.matchLabels.helm.sh/chart",
      },
    ],
    good: [
      { title: "name and instance", declare: () => deployment() },
      {
        title: "model server, as a role",
        declare: () => selecting({ app: "llama", "app.kubernetes.io/component": "model-server" }),
      },
    ],
  },
});

function selecting(matchLabels: Readonly<Record<string, string>>): Manifest {
  const template = { metadata: { labels: { ...matchLabels, "capstan.dev/team": "search" } }, spec: { containers: [] } };
  return deployment(gpuContainer(), {}, { selector: { matchLabels }, template });
}

function selectorOf(manifest: Manifest): Readonly<Record<string, unknown>> {
  return SELECTING.has(manifest.kind) ? fields(fields(fields(manifest.spec).selector).matchLabels) : {};
}

/** PUL-07 */
export const selectorMismatch = manifestRule({
  id: "manifest.selector.mismatch",
  severity: "error",
  acknowledgeable: false,
  reason: "The API server refuses an object that would not select the pods it makes.",
  reference: "Kubernetes Deployments, selector",
  check: (manifest) =>
    pods(manifest).flatMap((pod) =>
      strings(selectorOf(manifest))
        .filter(
          ([key, value]) =>
            pod.labels[key] === undefined || (typeof pod.labels[key] === "string" && pod.labels[key] !== value),
        )
        .map(([key, value]) => ({
          at: `spec.selector.matchLabels.${key}`,
          message: `selects ${key}=${value}; its pods have ${pod.labels[key] === undefined ? "no such label" : String(pod.labels[key])}`,
          remedy: "give the template the labels of the selector",
        })),
    ),
  examples: {
    bad: [
      {
        title: "missing",
        declare: () => deployment(gpuContainer(), {}, { selector: { matchLabels: { app: "llama" } } }),
        at: "spec.selector.matchLabels.app",
      },
      {
        title: "another value",
        declare: () =>
          deployment(gpuContainer(), {}, { selector: { matchLabels: { "app.kubernetes.io/instance": "qwen" } } }),
        at: "spec.selector.matchLabels.app.kubernetes.io/instance",
      },
    ],
    good: [{ title: "equal", declare: () => deployment() }],
  },
});

/** CDK-09 */
export const labelValue = manifestRule({
  id: "manifest.label.invalid",
  severity: "error",
  acknowledgeable: false,
  reason: "The API server refuses an object with such a label: hub ids with a slash are the usual one.",
  reference: "Kubernetes labels and selectors, syntax",
  check: (manifest) => [
    ...invalid(fields(manifest.metadata).labels, "metadata.labels"),
    ...(manifest.kind === "Pod"
      ? []
      : pods(manifest).flatMap((pod) => invalid(pod.labels, `${pod.at.replace(/\.spec$/, "")}.metadata.labels`))),
  ],
  examples: {
    bad: [
      {
        title: "model id",
        declare: () => deployment(gpuContainer(), {}, {}, { labels: { model: "meta-llama/Llama-3.1-8B" } }),
        at: "metadata.labels.model",
      },
      {
        title: "too long",
        declare: () => deployment(gpuContainer(), {}, {}, { labels: { model: "m".repeat(64) } }),
        at: "metadata.labels.model",
      },
      {
        title: "number",
        declare: () => deployment(gpuContainer(), {}, {}, { labels: { version: 33 } }),
        at: "metadata.labels.version",
      },
    ],
    good: [{ title: "plain", declare: () => deployment() }],
  },
});

function invalid(labels: unknown, at: string): { at: string; message: string; remedy: string }[] {
  return Object.entries(fields(labels))
    .filter(([, value]) =>
      typeof value === "string" ? !LABEL_VALUE.test(value) : typeof value === "number" || typeof value === "boolean",
    )
    .map(([key, value]) => ({
      at: `${at}.${key}`,
      message:
        typeof value === "string"
          ? `"${value.length > 70 ? `${value.slice(0, 67)}...` : value}" is not a label value`
          : `${String(value)} is a ${typeof value}; labels are strings`,
      remedy:
        typeof value === "string"
          ? "use at most 63 letters, digits, dashes, dots and underscores; keep the whole in an annotation"
          : "write it in quotes",
    }));
}
