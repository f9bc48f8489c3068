import { claimCache } from "../../cache/props.ts";
import { DNS_LABEL, ENVIRONMENT_LABEL, LABEL_VALUE, TEAM_LABEL } from "../../labels.ts";
import { onCpu } from "../../scaling/props.ts";
import { bge, classifier, phi } from "../onnx/examples.ts";
import { serviceRule } from "../rule.ts";
import { llama } from "./examples.ts";

/** Labels whose value has a rule of its own. */
const CHECKED_ELSEWHERE = [TEAM_LABEL, "app.kubernetes.io/instance"];

/** CDK-09 */
export const labelValue = serviceRule({
  id: "service.label.invalid",
  severity: "error",
  acknowledgeable: false,
  reason: "One label value that Kubernetes refuses keeps every object of the service out.",
  reference: "Kubernetes labels and selectors, syntax",
  check: ({ labels }) =>
    Object.entries(labels)
      .filter(([key, value]) => !CHECKED_ELSEWHERE.includes(key) && !LABEL_VALUE.test(value))
      .map(([key, value]) => ({
        at:
          key === "app.kubernetes.io/version"
            ? "image.tag"
            : key === ENVIRONMENT_LABEL
              ? "environment"
              : `labels.${key}`,
        message: `"${value}" cannot be the value of label ${key}: at most 63 letters, digits, dashes, dots and underscores, none of the last three at an end`,
        remedy:
          key === "app.kubernetes.io/version"
            ? "shorten the tag, or name the image by digest alone"
            : "shorten it or replace the other characters",
      })),
  examples: {
    bad: [
      {
        title: "tag of 70 characters",
        declare: () => phi({ image: { repository: "acme/model_server", tag: "a".repeat(70) } }),
        at: "image.tag",
      },
      {
        title: "environment of two words",
        declare: () => phi({}),
        context: { environment: "prod eu" },
        at: "environment",
      },
    ],
    good: [
      { title: "a model id with slash, dots and capitals", declare: () => llama({}) },
      {
        title: "digest alone",
        declare: () => phi({ image: { repository: "acme/model_server", digest: `sha256:${"a".repeat(64)}` } }),
      },
    ],
  },
});

/** Spaces part arguments in people's minds, `..` and a slash at an end make other directories. */
const MODEL_NAME = /^[A-Za-z0-9]([A-Za-z0-9._:@/-]*[A-Za-z0-9])?$/;

export const servedName = serviceRule({
  id: "service.served-model-name.invalid",
  severity: "error",
  acknowledgeable: false,
  reason: "Clients send the name in requests and URLs, and Triton and OpenVINO Model Server make a directory of it.",
  reference: "OpenAI API, model; triton-inference-server model repository",
  check: ({ servedModelName: name }) =>
    MODEL_NAME.test(name) && !name.includes("..") && !name.includes("//")
      ? []
      : [
          {
            at: "servedModelName",
            message: `"${name}" cannot name a model: letters, digits and . _ : @ / - inside`,
            remedy: "leave servedModelName out for the model's id",
          },
        ],
  examples: {
    bad: [
      { title: "space", declare: () => llama({ servedModelName: "llama 8b" }), at: "servedModelName" },
      { title: "empty", declare: () => phi({ servedModelName: "" }), at: "servedModelName" },
      {
        title: "another directory",
        declare: () => classifier({ servedModelName: "fraud/../../etc" }),
        at: "servedModelName",
      },
    ],
    good: [
      { title: "the model's id", declare: () => llama({}) },
      { title: "short", declare: () => bge({ servedModelName: "bge:small" }) },
    ],
  },
});

export const ingress = serviceRule({
  id: "service.ingress.invalid",
  severity: "error",
  acknowledgeable: false,
  reason: "The network policy lets in namespaces by their exact name: a pattern or a misspelling lets in nobody.",
  reference: "Kubernetes network policies, kubernetes.io/metadata.name",
  check: ({ ingressNamespaces }) => {
    if (ingressNamespaces === "any") return [];
    return ingressNamespaces.flatMap((name, i) => {
      const at = `ingressNamespaces.${i}`;
      if (!DNS_LABEL.test(name))
        return [
          {
            at,
            message: `"${name}" is not the name of a namespace`,
            remedy: name.includes("*")
              ? 'write ingressNamespaces: "any" to let in the whole cluster'
              : "write names like search or gateway",
          },
        ];
      return ingressNamespaces.indexOf(name) === i
        ? []
        : [{ at, message: `"${name}" is there twice`, remedy: "remove one" }];
    });
  },
  examples: {
    bad: [
      { title: "pattern", declare: () => llama({ ingressNamespaces: ["*"] }), at: "ingressNamespaces.0" },
      {
        title: "upper case",
        declare: () => llama({ ingressNamespaces: ["gateway", "Search"] }),
        at: "ingressNamespaces.1",
      },
      { title: "twice", declare: () => phi({ ingressNamespaces: ["gateway", "gateway"] }), at: "ingressNamespaces.1" },
    ],
    good: [
      { title: "two", declare: () => llama({ ingressNamespaces: ["gateway", "search"] }) },
      { title: "only its own", declare: () => llama({ ingressNamespaces: [] }) },
      { title: "every one", declare: () => llama({ ingressNamespaces: "any" }) },
    ],
  },
});

const OBJECT_NAME = /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/;

export const claim = serviceRule({
  id: "service.cache.claim-invalid",
  severity: "error",
  acknowledgeable: false,
  reason: "Kubernetes refuses such a claim name, and mounts no directory that is absolute or climbs out of the volume.",
  reference: "Kubernetes volumes, subPath; object names and IDs",
  check: ({ cache }) => {
    if (cache?.kind !== "claim") return [];
    const hits = [];
    if (!OBJECT_NAME.test(cache.claimName))
      hits.push({
        at: "cache.claimName",
        message: `"${cache.claimName}" is not the name of a claim`,
        remedy: "write it as kubectl get pvc shows it",
      });
    if (cache.path.startsWith("/") || cache.path.split("/").includes(".."))
      hits.push({
        at: "cache.path",
        message: `"${cache.path}" is not a directory inside the volume`,
        remedy: "write it from the top of the volume, without a leading slash",
      });
    return hits;
  },
  examples: {
    bad: [
      {
        title: "name",
        declare: () =>
          llama({ cache: claimCache({ claimName: "Model Store", accessMode: "ReadOnlyMany", path: "llama" }) }),
        at: "cache.claimName",
      },
      {
        title: "absolute",
        declare: () =>
          llama({ cache: claimCache({ claimName: "models", accessMode: "ReadOnlyMany", path: "/llama" }) }),
        at: "cache.path",
      },
      {
        title: "out of the volume",
        declare: () =>
          phi({
            cache: claimCache({ claimName: "models", accessMode: "ReadOnlyMany", path: "a/../../b" }),
            scaling: onCpu({ min: 1, max: 2 }),
          }),
        at: "cache.path",
      },
    ],
    good: [
      {
        title: "directory",
        declare: () =>
          llama({ cache: claimCache({ claimName: "models", accessMode: "ReadOnlyMany", path: "llama/3.1-8b" }) }),
      },
    ],
  },
});
