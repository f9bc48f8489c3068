import { nvmeCache } from "../../cache/props.ts";
import { hub, s3 } from "../../model/source.ts";
import { fixed, onQueue } from "../../scaling/props.ts";
import { vllmRule } from "../rule.ts";
import { isPinned, readsHub, sourcePath } from "../service/weights-source.ts";
import { bucket, COMMIT, gatedHub, llama8b } from "./example-services.ts";

const qwen = { model: "Qwen/Qwen3-8B" } as const;
const openHub = hub({ revision: COMMIT });

/** POD-13 */
export const manyPulls = vllmRule({
  id: "vllm.source.rate-limited",
  severity: "warning",
  reason: "Every new replica downloads all of the weights: the hub limits that (429), and each scale-out waits for it.",
  reference: "Hugging Face hub rate limits; case POD-13",
  check: (service) =>
    service.source.kind === "hub" && service.modelPath === null && service.scaling.max > 1
      ? [
          {
            at: "source",
            message: `up to ${service.scaling.max} replicas download ${service.model.repository} from the hub, each for itself`,
            remedy: "give cache: nvmeCache({ source }), or source: s3(...)",
          },
        ]
      : [],
  examples: {
    bad: [
      { title: "scaled", declare: () => llama8b({ scaling: onQueue({ min: 1, max: 8 }) }), at: "source" },
      { title: "two", declare: () => llama8b({ ...qwen, source: openHub, scaling: fixed(2) }), at: "source" },
    ],
    good: [
      { title: "one", declare: () => llama8b({}) },
      {
        title: "cached on the node",
        declare: () =>
          llama8b({ source: gatedHub, cache: nvmeCache({ source: gatedHub }), scaling: onQueue({ min: 1, max: 8 }) }),
      },
      { title: "S3", declare: () => llama8b({ source: bucket, scaling: fixed(2) }) },
    ],
  },
});

export const remoteCode = vllmRule({
  id: "vllm.trust-remote-code",
  severity: "error",
  reason:
    "Whoever can write to the model repository runs code in the pod, beside the weights and the requests of your users.",
  reference: "Hugging Face transformers, trust_remote_code",
  check: (service, { production }) =>
    service.trustRemoteCode
      ? [
          {
            at: "trustRemoteCode",
            message: `code of ${service.model.repository} runs in the engine`,
            remedy:
              "leave it out: vLLM has most architectures itself; else read the code at a pinned revision and acknowledge this rule",
            ...(production ? {} : { severity: "warning" as const }),
          },
        ]
      : [],
  examples: {
    bad: [
      {
        title: "production",
        declare: () => llama8b({ trustRemoteCode: true }),
        at: "trustRemoteCode",
        context: { production: true },
      },
      {
        title: "development",
        declare: () => llama8b({ trustRemoteCode: true }),
        at: "trustRemoteCode",
        severity: "warning",
      },
    ],
    good: [{ title: "off", declare: () => llama8b({ trustRemoteCode: false }), context: { production: true } }],
  },
});

export const remoteCodeUnpinned = vllmRule({
  id: "vllm.trust-remote-code.unpinned",
  severity: "error",
  reason: "Code that was read today is not the code that a moving branch brings tomorrow.",
  reference: "Hugging Face transformers, code_revision",
  check: (service) =>
    service.trustRemoteCode && readsHub(service) && !isPinned(service)
      ? [
          {
            at: sourcePath(service, "revision"),
            message: `trustRemoteCode runs whatever ${service.model.repository} has at ${service.model.revision ?? "its newest commit"}`,
            remedy: "give hub({ revision }) the commit whose code you read",
          },
        ]
      : [],
  examples: {
    bad: [
      {
        title: "no revision",
        declare: () => llama8b({ ...qwen, source: hub(), trustRemoteCode: true }),
        at: "source.revision",
      },
      {
        title: "branch",
        declare: () => llama8b({ ...qwen, source: hub({ revision: "main" }), trustRemoteCode: true }),
        at: "source.revision",
      },
    ],
    good: [
      { title: "commit", declare: () => llama8b({ ...qwen, source: openHub, trustRemoteCode: true }) },
      {
        title: "a copy of one's own",
        declare: () => llama8b({ ...qwen, source: s3("models-bucket/qwen3-8b"), trustRemoteCode: true }),
      },
    ],
  },
});
