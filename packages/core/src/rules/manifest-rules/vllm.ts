import { imageParts } from "../images.ts";
import { manifestRule } from "../rule.ts";
import { deployment, gpuContainer, web } from "./examples.ts";
import { args, type ContainerPart, fields, items, pods, text, variables } from "./objects.ts";

const at = "spec.template.spec.containers.0";

/** Engines that take options from variables which a Service of the same name injects as URLs. */
const READS_LINKS = /(vllm|text-embeddings-inference|lmcache)/i;

function runsVllm({ container }: ContainerPart): boolean {
  const { repository } = imageParts(text(container.image) ?? "");
  const words = [...items(container.command), ...items(container.args)];
  return /vllm/i.test(repository) || (words.includes("vllm") && words.includes("serve"));
}

function readsLinks(part: ContainerPart): boolean {
  return READS_LINKS.test(imageParts(text(part.container.image) ?? "").repository) || runsVllm(part);
}

/** POD-03; facts/serving.md D2 */
export const serviceLinks = manifestRule({
  id: "manifest.env.service-links",
  severity: "warning",
  reason:
    "A Service called vllm or prometheus in the namespace injects VLLM_PORT or PROMETHEUS_PORT as a tcp:// URL, and the engine ends at start.",
  reference: "Kubernetes, Accessing the Service by environment variables; vLLM documentation on VLLM_PORT",
  check: (manifest) =>
    pods(manifest)
      .filter(
        (pod) => pod.spec.enableServiceLinks !== false && pod.containers.some((part) => !part.init && readsLinks(part)),
      )
      .map((pod) => ({
        at: `${pod.at}.enableServiceLinks`,
        message: "service links are on for an engine that reads such variables",
        remedy: "set enableServiceLinks: false",
      })),
  examples: {
    bad: [
      {
        title: "default",
        declare: () => deployment(gpuContainer(), { enableServiceLinks: undefined }),
        at: "spec.template.spec.enableServiceLinks",
      },
      {
        title: "by command",
        declare: () =>
          deployment(gpuContainer({ image: "acme/engine:1.2.3", command: ["vllm", "serve"] }), {
            enableServiceLinks: true,
          }),
        at: "spec.template.spec.enableServiceLinks",
      },
      {
        title: "TEI",
        declare: () =>
          web({ image: "ghcr.io/huggingface/text-embeddings-inference:cpu-1.9" }, { enableServiceLinks: true }),
        at: "spec.template.spec.enableServiceLinks",
      },
    ],
    good: [
      { title: "off", declare: () => deployment() },
      { title: "a web server", declare: () => web({}, { enableServiceLinks: true }) },
    ],
  },
});

/** POD-03 */
export const internalPort = manifestRule({
  id: "manifest.env.vllm-port",
  severity: "warning",
  reason:
    "VLLM_PORT and VLLM_HOST_IP are for the engine's own processes among themselves; set to what clients use, the two clash.",
  reference: "vLLM documentation, environment variables",
  check: (manifest) =>
    pods(manifest)
      .flatMap((pod) => pod.containers)
      .filter(runsVllm)
      .flatMap(variables)
      .filter(({ name }) => name === "VLLM_PORT" || name === "VLLM_HOST_IP")
      .map(({ at: path, name, value }) => ({
        at: path,
        message: `${name}=${value} is not what clients connect to`,
        remedy: "remove it; clients' port is --port",
      })),
  examples: {
    bad: [
      {
        title: "the serving port",
        declare: () => deployment(gpuContainer({ env: [{ name: "VLLM_PORT", value: "8000" }] })),
        at: `${at}.env.0`,
      },
      {
        title: "the address",
        declare: () => deployment(gpuContainer({ env: [{ name: "VLLM_HOST_IP", value: "0.0.0.0" }] })),
        at: `${at}.env.0`,
      },
    ],
    good: [
      {
        title: "another variable",
        declare: () => deployment(gpuContainer({ env: [{ name: "VLLM_LOGGING_LEVEL", value: "INFO" }] })),
      },
    ],
  },
});

const PARALLEL = /^(--tensor-parallel-size|-tp)(?:=(\d+))?$/;

/** POD-05 */
export const sharedMemory = manifestRule({
  id: "manifest.vllm.no-shm",
  severity: "warning",
  reason:
    "The workers of a tensor-parallel engine pass data through /dev/shm, which is 64 MiB unless a volume is mounted there: NCCL fails, or crawls.",
  reference: "vLLM documentation, Docker: --ipc=host or --shm-size; case POD-05",
  check: (manifest) =>
    pods(manifest).flatMap((pod) =>
      pod.containers
        .filter(
          (part) =>
            parallel(part) > 1 &&
            !items(part.container.volumeMounts).some((mount) => fields(mount).mountPath === "/dev/shm"),
        )
        .map((part) => ({
          at: `${part.at}.volumeMounts`,
          message: `tensor parallelism of ${parallel(part)} without a volume at /dev/shm`,
          remedy: 'mount an emptyDir with medium "Memory" and a sizeLimit there',
        })),
    ),
  examples: {
    bad: [
      {
        title: "by two",
        declare: () => deployment(gpuContainer({ args: ["model", "--tensor-parallel-size=2"] })),
        at: `${at}.volumeMounts`,
      },
      {
        title: "in two arguments",
        declare: () => deployment(gpuContainer({ args: ["model", "--tensor-parallel-size", "4"] })),
        at: `${at}.volumeMounts`,
      },
    ],
    good: [
      {
        title: "mounted",
        declare: () =>
          deployment(
            gpuContainer({ args: ["model", "-tp=2"], volumeMounts: [{ name: "shm", mountPath: "/dev/shm" }] }),
          ),
      },
      { title: "one GPU", declare: () => deployment() },
    ],
  },
});

function parallel(part: ContainerPart): number {
  const words = args(part).map((arg) => arg.text);
  for (const [i, word] of words.entries()) {
    const match = PARALLEL.exec(word);
    if (match) return Number(match[2] ?? words[i + 1] ?? 1) || 1;
  }
  return 1;
}
