import { DNS_LABEL } from "../../labels.ts";
import { SYSTEM_NAMESPACE } from "../../platform/preloaders.ts";
import { fixed, onQueue } from "../../scaling/props.ts";
import { phi } from "../onnx/examples.ts";
import { serviceRule } from "../rule.ts";
import { llama } from "./examples.ts";

/** Names of Services begin with a letter (RFC 1035), unlike those of most objects. */
const SERVICE_NAME = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;

const LONGEST_SERVICE = 63;

/** `keda-hpa-` in front of it still fits a name of 63. */
const LONGEST_SCALED = 54;

/** CDK-09; facts/platform.md 16.11 */
export const serviceName = serviceRule({
  id: "service.name.invalid",
  severity: "error",
  acknowledgeable: false,
  reason:
    "The name becomes a Service, part of host names and, under KEDA, of the HPA's name; Kubernetes refuses what does not fit.",
  reference: "RFC 1035 label names in Kubernetes; KEDA admission webhooks",
  check: ({ name, scaling }) => {
    const longest = scaling.by === "keda" ? LONGEST_SCALED : LONGEST_SERVICE;
    if (!SERVICE_NAME.test(name))
      return [
        {
          at: "name",
          message: `"${name}" is not a name of lower-case letters, digits and dashes that starts with a letter`,
          remedy: "write it like llama-8b or phi-3-mini",
        },
      ];
    return name.length > longest
      ? [
          {
            at: "name",
            message: `"${name}" has ${name.length} characters; ${scaling.by === "keda" ? "KEDA's HPA leaves" : "a Service has room for"} ${longest}`,
            remedy: `shorten it to ${longest} or less`,
          },
        ]
      : [];
  },
  examples: {
    bad: [
      { title: "the model's id", declare: () => llama({ name: "meta-llama/Llama-3.1-8B" }), at: "name" },
      { title: "starts with a digit", declare: () => llama({ name: "70b-chat" }), at: "name" },
      { title: "upper case", declare: () => phi({ name: "Phi" }), at: "name" },
      { title: "dot", declare: () => llama({ name: "llama-3.1" }), at: "name" },
      { title: "empty", declare: () => phi({ name: "" }), at: "name" },
      {
        title: "too long for KEDA",
        declare: () => llama({ name: "a".repeat(55), scaling: onQueue({ min: 1, max: 2 }) }),
        at: "name",
      },
      { title: "too long for a Service", declare: () => llama({ name: "a".repeat(64) }), at: "name" },
    ],
    good: [
      { title: "plain", declare: () => llama({ name: "llama-3-1-8b" }) },
      { title: "as long as it may be", declare: () => llama({ name: "a".repeat(63), scaling: fixed(1) }) },
      { title: "called vllm: service links are off", declare: () => llama({ name: "vllm" }) },
    ],
  },
});

export const teamName = serviceRule({
  id: "service.team.invalid",
  severity: "error",
  acknowledgeable: false,
  reason: "The team is a label value that costs are attributed to, and the namespace where none is given.",
  reference: "Kubernetes object names and IDs, DNS label names",
  check: ({ team }) =>
    DNS_LABEL.test(team)
      ? []
      : [
          {
            at: "team",
            message: `"${team}" is not a DNS label: 1 to 63 lower-case letters, digits and dashes`,
            remedy: "write it like search or customer-support",
          },
        ],
  examples: {
    bad: [
      { title: "spaces", declare: () => llama({ team: "Customer Support", namespace: "support" }), at: "team" },
      { title: "underscore", declare: () => phi({ team: "team_a", namespace: "team-a" }), at: "team" },
      { title: "empty", declare: () => phi({ team: "", namespace: "team-a" }), at: "team" },
      { title: "too long", declare: () => phi({ team: "t".repeat(64), namespace: "team-a" }), at: "team" },
    ],
    good: [{ title: "dash", declare: () => llama({ team: "customer-support" }) }],
  },
});

export const namespaceName = serviceRule({
  id: "service.namespace.invalid",
  severity: "error",
  acknowledgeable: false,
  reason: "The API server refuses a namespace that is not a DNS label.",
  reference: "Kubernetes object names and IDs, DNS label names",
  check: ({ namespace, origins }) =>
    DNS_LABEL.test(namespace)
      ? []
      : [
          {
            at: origins.namespace?.from === "given" ? "namespace" : "team",
            message: `"${namespace}" is not a namespace: 1 to 63 lower-case letters, digits and dashes`,
            remedy:
              origins.namespace?.from === "given"
                ? "write it like search-prod"
                : "write the team as a DNS label, or give namespace",
          },
        ],
  examples: {
    bad: [
      { title: "dots", declare: () => llama({ namespace: "search.prod" }), at: "namespace" },
      { title: "too long", declare: () => llama({ namespace: "n".repeat(64) }), at: "namespace" },
      { title: "empty", declare: () => phi({ namespace: "" }), at: "namespace" },
      { title: "from the team", declare: () => phi({ team: "Team A" }), at: "team" },
    ],
    good: [{ title: "given", declare: () => llama({ namespace: "search-prod" }) }],
  },
});

/** Namespaces that belong to add-ons of the platform, with the rights that their pods need. */
const ADDON_NAMESPACES = [SYSTEM_NAMESPACE, "gpu-operator", "keda", "kubecost", "cluster-autoscaler"];

export const addonNamespace = serviceRule({
  id: "service.namespace.addon",
  severity: "error",
  reason:
    "A team's namespace gets a quota and the restricted pod security level, under which node agents, exporters and preloaders no longer start.",
  reference: "Kubernetes Pod Security Admission",
  check: ({ namespace }, { monitoring }) =>
    ADDON_NAMESPACES.includes(namespace) || namespace === monitoring?.namespace
      ? [
          {
            at: "namespace",
            message: `${namespace} is the namespace of an add-on`,
            remedy: "use the team's own namespace",
          },
        ]
      : [],
  examples: {
    bad: [
      { title: "the preloaders'", declare: () => llama({ namespace: "capstan-system" }), at: "namespace" },
      { title: "Prometheus'", declare: () => llama({ namespace: "monitoring" }), at: "namespace" },
      { title: "a team called like an add-on", declare: () => phi({ team: "keda" }), at: "namespace" },
    ],
    good: [{ title: "the team's", declare: () => llama({}) }],
  },
});

/** Those that every cluster has from the start. */
const INITIAL_NAMESPACES = ["default", "kube-system", "kube-public", "kube-node-lease"];

export const reservedNamespace = serviceRule({
  id: "service.namespace.reserved",
  severity: "error",
  reason:
    "A team's namespace gets a quota and a pod security level: in kube-system the cluster's own pods no longer start, and in default nobody's quota and network policy hold.",
  reference: "Kubernetes namespaces, initial namespaces; Pod Security Admission",
  check: ({ namespace, origins }) => {
    const initial = INITIAL_NAMESPACES.includes(namespace);
    if (!initial && !namespace.startsWith("kube-")) return [];
    const given = origins.namespace?.from === "given";
    return [
      {
        at: given ? "namespace" : "team",
        message: initial
          ? `${namespace} is a namespace of Kubernetes itself`
          : `${namespace} begins with kube-, which is kept for Kubernetes itself`,
        remedy: given
          ? "leave namespace out for the team's own, or name another"
          : "name the team otherwise, or give namespace",
        ...(initial ? {} : { severity: "warning" as const }),
      },
    ];
  },
  examples: {
    bad: [
      { title: "default", declare: () => llama({ namespace: "default" }), at: "namespace" },
      { title: "kube-system", declare: () => phi({ namespace: "kube-system" }), at: "namespace" },
      { title: "kube-public", declare: () => llama({ namespace: "kube-public" }), at: "namespace" },
      { title: "kube-node-lease", declare: () => llama({ namespace: "kube-node-lease" }), at: "namespace" },
      { title: "from the team", declare: () => phi({ team: "kube-system" }), at: "team" },
      {
        title: "one that Kubernetes may take",
        declare: () => llama({ namespace: "kube-models" }),
        at: "namespace",
        severity: "warning",
      },
    ],
    good: [
      { title: "the team's", declare: () => llama({}) },
      {
        title: "a team called like Kubernetes, in a namespace of its own",
        declare: () => phi({ team: "kube-system", namespace: "kubernetes-admins" }),
      },
    ],
  },
});
