import { isDigest, isFloatingTag, isRepository, isTag } from "../images.ts";
import { classifier, phi } from "../onnx/examples.ts";
import { serviceRule } from "../rule.ts";
import { llama } from "./examples.ts";

const digest = `sha256:${"0123456789abcdef".repeat(4)}`;

/** FIT-11 */
export const floatingImage = serviceRule({
  id: "service.image.floating",
  severity: "error",
  reason:
    "Such a tag is another engine tomorrow: replicas of one service differ, and flags, metrics and memory no longer are what was planned.",
  reference: "Kubernetes images, image names; case FIT-11",
  check: ({ image }, { production }) => {
    if (image.digest !== null || image.repository === "") return [];
    if (image.tag !== null && image.tag !== "" && !isFloatingTag(image.tag)) return [];
    return [
      {
        at: "image.tag",
        message: image.tag
          ? `tag ${image.tag} of ${image.repository} moves`
          : `${image.repository} has no tag, which means latest`,
        remedy: "leave image.tag out for the engine version's own, or give a release tag or a digest",
        ...(production ? {} : { severity: "warning" as const }),
      },
    ];
  },
  examples: {
    bad: [
      {
        title: "latest in production",
        declare: () => llama({ image: { repository: "vllm/vllm-openai", tag: "latest" } }),
        context: { production: true },
        at: "image.tag",
      },
      {
        title: "nightly in development",
        declare: () => llama({ image: { repository: "vllm/vllm-openai", tag: "nightly" } }),
        severity: "warning",
        at: "image.tag",
      },
      {
        title: "empty",
        declare: () => phi({ image: { repository: "acme/model_server", tag: "" } }),
        context: { production: true },
        at: "image.tag",
      },
      {
        title: "latest of a CUDA version",
        declare: () => llama({ image: { repository: "acme/vllm", tag: "latest-cuda13" } }),
        context: { production: true },
        at: "image.tag",
      },
    ],
    good: [
      { title: "the engine version's", declare: () => llama({}), context: { production: true } },
      {
        title: "release",
        declare: () => llama({ image: { repository: "acme/vllm", tag: "v0.33.0-acme.2" } }),
        context: { production: true },
      },
      {
        title: "digest beside a moving tag",
        declare: () => llama({ image: { repository: "vllm/vllm-openai", tag: "latest", digest } }),
        context: { production: true },
      },
      {
        title: "nightly of one commit",
        declare: () => llama({ image: { repository: "vllm/vllm-openai", tag: "nightly-4ff865c38eac" } }),
        context: { production: true },
      },
    ],
  },
});

export const invalidImage = serviceRule({
  id: "service.image.invalid",
  severity: "error",
  acknowledgeable: false,
  reason: "The kubelet cannot parse it, and the pod stays in InvalidImageName.",
  reference: "OCI distribution specification, pulling manifests",
  check: ({ image }) => {
    const hits = [];
    if (image.repository !== "" && !isRepository(image.repository)) {
      const joined = /[:@]/.test(image.repository.slice(image.repository.lastIndexOf("/") + 1));
      hits.push({
        at: "image.repository",
        message: `"${image.repository}" is not a repository: lower case, without scheme, tag or digest`,
        remedy: joined
          ? "give what follows as tag or digest"
          : "write it like vllm/vllm-openai or registry.example.com/team/name",
      });
    }
    if (image.tag !== null && image.tag !== "" && !isTag(image.tag))
      hits.push({
        at: "image.tag",
        message: `"${image.tag}" is not a tag: up to 128 letters, digits, dots, dashes and underscores`,
        remedy: "write the tag as the registry lists it",
      });
    if (image.digest !== null && !isDigest(image.digest))
      hits.push({
        at: "image.digest",
        message: `"${image.digest}" is not a digest: sha256: and 64 hexadecimal digits in lower case`,
        remedy: "copy it from the registry, or leave it out",
      });
    return hits;
  },
  examples: {
    bad: [
      {
        title: "tag inside",
        declare: () => llama({ image: { repository: "vllm/vllm-openai:v0.33.0" } }),
        at: "image.repository",
      },
      {
        title: "scheme",
        declare: () => llama({ image: { repository: "https://registry.example.com/vllm" } }),
        at: "image.repository",
      },
      {
        title: "upper case",
        declare: () => phi({ image: { repository: "Acme/Server", tag: "1" } }),
        at: "image.repository",
      },
      {
        title: "tag with a space",
        declare: () => phi({ image: { repository: "acme/server", tag: "1.0 beta" } }),
        at: "image.tag",
      },
      {
        title: "short digest",
        declare: () => llama({ image: { repository: "vllm/vllm-openai", digest: "sha256:abc" } }),
        at: "image.digest",
      },
    ],
    good: [
      {
        title: "registry with a port",
        declare: () => llama({ image: { repository: "registry.example.com:5000/ai/vllm-openai", tag: "v0.33.0" } }),
      },
      { title: "digest", declare: () => classifier({ image: { repository: "nvcr.io/nvidia/tritonserver", digest } }) },
    ],
  },
});

export const noDigest = serviceRule({
  id: "service.image.no-digest",
  severity: "info",
  reason: "A release tag can be pushed again; a digest names the bytes.",
  reference: "Kubernetes images, image names with digests",
  check: ({ image }, { production }) =>
    production && image.digest === null && image.tag !== null && image.tag !== "" && !isFloatingTag(image.tag)
      ? [
          {
            at: "image.digest",
            message: `${image.repository}:${image.tag} is not pinned by digest`,
            remedy: "give image.digest, as the registry shows it",
          },
        ]
      : [],
  examples: {
    bad: [{ title: "tag in production", declare: () => llama({}), context: { production: true }, at: "image.digest" }],
    good: [
      {
        title: "digest",
        declare: () => llama({ image: { repository: "vllm/vllm-openai", tag: "v0.33.0", digest } }),
        context: { production: true },
      },
      { title: "development", declare: () => llama({}) },
    ],
  },
});
