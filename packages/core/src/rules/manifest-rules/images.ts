import { imageParts, isFloatingTag } from "../images.ts";
import { manifestRule } from "../rule.ts";
import { deployment, gpuContainer, web } from "./examples.ts";
import { pods, text } from "./objects.ts";

/** FIT-11; facts/platform.md 16.26 */
export const floatingImage = manifestRule({
  id: "manifest.image.floating",
  severity: "error",
  reason: "Such a reference is another image tomorrow, and two nodes run two of them under one name.",
  reference: "Kubernetes images, image names",
  check: (manifest) =>
    pods(manifest)
      .flatMap((pod) => pod.containers)
      .flatMap(({ at, container }) => {
        const reference = text(container.image);
        if (reference === null || reference === "") return [];
        const { tag, digest } = imageParts(reference);
        if (digest !== null || (tag !== null && !isFloatingTag(tag))) return [];
        return [
          {
            at: `${at}.image`,
            message:
              tag === null
                ? `${reference} has neither tag nor digest, which means latest`
                : `tag ${tag} of ${reference} moves`,
            remedy: "name a release tag, better a digest",
          },
        ];
      }),
  examples: {
    bad: [
      {
        title: "latest",
        declare: () => web({ image: "registry.example.com/search/web:latest" }),
        at: "spec.template.spec.containers.0.image",
      },
      {
        title: "no tag, registry with a port",
        declare: () => web({ image: "registry.example.com:5000/search/web" }),
        at: "spec.template.spec.containers.0.image",
      },
      {
        title: "main",
        declare: () => web({ image: "ghcr.io/acme/router:main" }),
        at: "spec.template.spec.containers.0.image",
      },
      {
        title: "nightly",
        declare: () => deployment(gpuContainer({ image: "vllm/vllm-openai:nightly" })),
        at: "spec.template.spec.containers.0.image",
      },
      {
        title: "of an init container",
        declare: () => web({}, { initContainers: [{ name: "wait", image: "busybox:stable" }] }),
        at: "spec.template.spec.initContainers.0.image",
      },
      {
        title: "of a Pod",
        declare: () => ({
          apiVersion: "v1",
          kind: "Pod",
          metadata: { name: "debug" },
          spec: { containers: [{ name: "sh", image: "ubuntu" }] },
        }),
        at: "spec.containers.0.image",
      },
      {
        title: "of a CronJob",
        declare: () => ({
          apiVersion: "batch/v1",
          kind: "CronJob",
          metadata: { name: "warm" },
          spec: {
            jobTemplate: { spec: { template: { spec: { containers: [{ name: "curl", image: "curlimages/curl" }] } } } },
          },
        }),
        at: "spec.jobTemplate.spec.template.spec.containers.0.image",
      },
    ],
    good: [
      { title: "release", declare: () => deployment() },
      {
        title: "digest",
        declare: () => web({ image: `registry.example.com:5000/search/web@sha256:${"0a".repeat(32)}` }),
      },
    ],
  },
});
