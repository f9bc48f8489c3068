import type { Manifest } from "../manifest.ts";
import { manifestRule } from "../rule.ts";
import { holdsSecret, looksLikeSecret, secretArgument } from "../secrets.ts";
import { deployment, gpuContainer, web } from "./examples.ts";
import { args, fields, items, type PodPart, pods, strings, variables } from "./objects.ts";

const at = "spec.template.spec.containers.0";

/** POD-13 */
export const legacyToken = manifestRule({
  id: "manifest.env.legacy-token",
  severity: "warning",
  reason:
    "Current libraries of the hub read HF_TOKEN; the old name alone is read by some and not by others, and gated models are refused with 401.",
  reference: "huggingface_hub documentation, environment variables",
  check: (manifest) =>
    pods(manifest)
      .flatMap((pod) => pod.containers)
      .flatMap((part) => {
        const names = items(part.container.env).map((entry) => fields(entry).name);
        const i = names.findIndex((name) => name === "HUGGING_FACE_HUB_TOKEN" || name === "HUGGINGFACE_TOKEN");
        return i < 0 || names.includes("HF_TOKEN")
          ? []
          : [
              {
                at: `${part.at}.env.${i}`,
                message: `${String(names[i])} without HF_TOKEN`,
                remedy: "call it HF_TOKEN",
              },
            ];
      }),
  examples: {
    bad: [
      {
        title: "old name",
        declare: () => deployment(gpuContainer({ env: [fromSecret("HUGGING_FACE_HUB_TOKEN")] })),
        at: `${at}.env.0`,
      },
    ],
    good: [
      { title: "new name", declare: () => deployment(gpuContainer({ env: [fromSecret("HF_TOKEN")] })) },
      {
        title: "both",
        declare: () =>
          deployment(gpuContainer({ env: [fromSecret("HUGGING_FACE_HUB_TOKEN"), fromSecret("HF_TOKEN")] })),
      },
    ],
  },
});

function fromSecret(name: string, optional?: boolean) {
  return {
    name,
    valueFrom: { secretKeyRef: { name: "hf-token", key: "token", ...(optional === undefined ? {} : { optional }) } },
  };
}

/** PUL-05, POD-14 */
export const plainSecret = manifestRule({
  id: "manifest.secret.plain",
  severity: "error",
  reason:
    "What stands in a manifest is in its repository, in the state of the deployment, and readable by everyone who may see the object.",
  reference: "Kubernetes, Good practices for Secrets",
  check: (manifest) => [
    ...pods(manifest)
      .flatMap((pod: PodPart) => pod.containers)
      .flatMap((part) => [
        ...variables(part)
          .filter(holdsSecret)
          .map(({ at: path, name }) => ({
            at: path,
            message: `${name} holds a secret in plain text`,
            remedy: "take it from a Secret: valueFrom.secretKeyRef",
          })),
        ...args(part)
          .filter((arg) => secretArgument(arg.text))
          .map((arg) => ({
            at: arg.at,
            message: `${arg.text.split("=")[0]?.slice(0, 40)} holds a secret in plain text`,
            remedy: "give it by a Secret that the process reads from a file or variable",
          })),
      ]),
    ...elsewhere(manifest),
  ],
  examples: {
    bad: [
      {
        title: "token",
        declare: () =>
          deployment(gpuContainer({ env: [{ name: "HF_TOKEN", value: "hf_aBcDeFgHiJkLmNoPqRsTuVwXyZ012345" }] })),
        at: `${at}.env.0`,
      },
      {
        title: "password",
        declare: () => web({ env: [{ name: "DB_PASSWORD", value: "correct horse" }] }),
        at: `${at}.env.0`,
      },
      {
        title: "argument",
        declare: () => deployment(gpuContainer({ args: ["model", "--api-key=s3cret"] })),
        at: `${at}.args.1`,
      },
      {
        title: "annotation",
        declare: () => deployment(gpuContainer(), {}, {}, { annotations: { note: "AKIAIOSFODNN7EXAMPLE" } }),
        at: "metadata.annotations.note",
      },
      {
        title: "ConfigMap",
        declare: () => ({
          apiVersion: "v1",
          kind: "ConfigMap",
          metadata: { name: "settings" },
          data: { "app.env": "TOKEN=hf_aBcDeFgHiJkLmNoPqRsTuVwXyZ012345" },
        }),
        at: "data.app.env",
      },
    ],
    good: [
      { title: "by reference", declare: () => deployment(gpuContainer({ env: [fromSecret("HF_TOKEN")] })) },
      {
        title: "another variable's value",
        declare: () => web({ env: [{ name: "API_KEY", value: "$(FROM_SECRET)" }] }),
      },
      { title: "path of a file", declare: () => web({ env: [{ name: "SSL_KEY", value: "/etc/tls/key.pem" }] }) },
      { title: "number of tokens", declare: () => web({ env: [{ name: "MAX_TOKENS", value: "4096" }] }) },
    ],
  },
});

/** Labels, annotations and ConfigMaps, by how the value looks. */
function elsewhere(manifest: Manifest): { at: string; message: string; remedy: string }[] {
  const metadata = fields(manifest.metadata);
  const places = [
    ...strings(metadata.labels).map(([key, value]) => [`metadata.labels.${key}`, value] as const),
    ...strings(metadata.annotations).map(([key, value]) => [`metadata.annotations.${key}`, value] as const),
    ...(manifest.kind === "ConfigMap"
      ? strings(manifest.data).map(([key, value]) => [`data.${key}`, value] as const)
      : []),
  ];
  return places
    .filter(([, value]) => looksLikeSecret(value))
    .map(([path]) => ({
      at: path,
      message: "holds what looks like a secret in plain text",
      remedy: "put it into a Secret",
    }));
}

/** POD-14 */
export const optionalSecret = manifestRule({
  id: "manifest.secret.optional",
  severity: "warning",
  reason:
    "A missing Secret then starts the pod without the token, and it fails minutes later on a download, with another message.",
  reference: "Kubernetes, Secrets: optional",
  check: (manifest) =>
    pods(manifest)
      .flatMap((pod) => pod.containers)
      .flatMap((part) =>
        items(part.container.env).flatMap((entry, i) => {
          const { name, valueFrom } = fields(entry);
          return fields(fields(valueFrom).secretKeyRef).optional === true
            ? [
                {
                  at: `${part.at}.env.${i}.valueFrom.secretKeyRef.optional`,
                  message: `the secret of ${String(name)} may be missing`,
                  remedy: "remove optional",
                },
              ]
            : [];
        }),
      ),
  examples: {
    bad: [
      {
        title: "optional token",
        declare: () => deployment(gpuContainer({ env: [fromSecret("HF_TOKEN", true)] })),
        at: `${at}.env.0.valueFrom.secretKeyRef.optional`,
      },
    ],
    good: [
      { title: "needed", declare: () => deployment(gpuContainer({ env: [fromSecret("HF_TOKEN")] })) },
      { title: "said so", declare: () => deployment(gpuContainer({ env: [fromSecret("HF_TOKEN", false)] })) },
    ],
  },
});
