import { findGpu, gpuModels, nearest } from "@capstan/catalog";
import type { Manifest } from "../manifest.ts";
import { manifestRule } from "../rule.ts";
import { deployment, gpuContainer, resources } from "./examples.ts";
import { type ContainerPart, type Fields, fields, pods } from "./objects.ts";

const at = "spec.template.spec.containers.0";

function containers(manifest: Manifest): readonly ContainerPart[] {
  return pods(manifest).flatMap((pod) => pod.containers);
}

function amounts({ container }: ContainerPart): { readonly limits: Fields; readonly requests: Fields } {
  const { limits, requests } = fields(container.resources);
  return { limits: fields(limits), requests: fields(requests) };
}

/** Resources of devices: counted in whole ones and never overcommitted. */
function isExtended(name: string): boolean {
  return name.includes("/") && !/(^|\.)kubernetes\.io\//.test(name);
}

/** 1 and "1", and nothing that a device cannot be divided into; null: a value that is known only at deployment. */
function wholeNumber(value: unknown): boolean | null {
  if (typeof value === "number") return Number.isInteger(value) && value >= 0;
  if (typeof value === "string") return /^\d+$/.test(value);
  return null;
}

/** SHARE-18; facts/platform.md 16.5 */
export const quantity = manifestRule({
  id: "manifest.gpu.quantity",
  severity: "error",
  acknowledgeable: false,
  reason: "Devices are given in whole numbers; the API server refuses parts of one and words.",
  reference: "Kubernetes, Extended resources",
  check: (manifest) =>
    containers(manifest).flatMap((part) =>
      Object.entries(amounts(part)).flatMap(([key, values]) =>
        Object.entries(values)
          .filter(([name, value]) => isExtended(name) && wholeNumber(value) === false)
          .map(([name, value]) => ({
            at: `${part.at}.resources.${key}.${name}`,
            message: `${name}: ${String(value)} is not a whole number of devices`,
            remedy:
              "ask for 1 or more; for a part of a GPU use a MIG or time-sliced pool and ask for 1 of its resource",
          })),
      ),
    ),
  examples: {
    bad: [
      {
        title: "half",
        declare: () => deployment(gpuContainer(resources({ "nvidia.com/gpu": 0.5 }))),
        at: `${at}.resources.limits.nvidia.com/gpu`,
      },
      {
        title: "thousandths",
        declare: () => deployment(gpuContainer(resources({ "nvidia.com/gpu": "500m" }))),
        at: `${at}.resources.limits.nvidia.com/gpu`,
      },
      {
        title: "all",
        declare: () => deployment(gpuContainer(resources({ "nvidia.com/gpu": "all" }))),
        at: `${at}.resources.requests.nvidia.com/gpu`,
      },
      {
        title: "negative",
        declare: () => deployment(gpuContainer(resources({ "nvidia.com/gpu": -1 }))),
        at: `${at}.resources.limits.nvidia.com/gpu`,
      },
      {
        title: "a part of a network device",
        declare: () => deployment(gpuContainer(resources({ "nvidia.com/gpu": 1, "vpc.amazonaws.com/efa": "0.5" }))),
        at: `${at}.resources.limits.vpc.amazonaws.com/efa`,
      },
    ],
    good: [
      { title: "one", declare: () => deployment() },
      { title: "as a string", declare: () => deployment(gpuContainer(resources({ "nvidia.com/gpu": "8" }))) },
    ],
  },
});

/** SHARE-18; facts/platform.md 16.5 */
export const requestDiffers = manifestRule({
  id: "manifest.gpu.request-differs",
  severity: "error",
  acknowledgeable: false,
  reason: "Devices cannot be overcommitted: the API server wants a limit, and a request that equals it.",
  reference: "Kubernetes, Extended resources; Schedule GPUs",
  check: (manifest) =>
    containers(manifest).flatMap((part) => {
      const { limits, requests } = amounts(part);
      return Object.entries(requests)
        .filter(
          ([name, value]) =>
            isExtended(name) &&
            (limits[name] === undefined ||
              (wholeNumber(value) === true &&
                wholeNumber(limits[name]) === true &&
                Number(limits[name]) !== Number(value))),
        )
        .map(([name, value]) => ({
          at: `${part.at}.resources.requests.${name}`,
          message:
            limits[name] === undefined
              ? `${name} is requested without a limit`
              : `${name}: request ${String(value)}, limit ${String(limits[name])}`,
          remedy: "give both the same number, or the limit alone",
        }));
    }),
  examples: {
    bad: [
      {
        title: "one of two",
        declare: () => deployment(gpuContainer(resources({ "nvidia.com/gpu": 2 }, { "nvidia.com/gpu": 1 }))),
        at: `${at}.resources.requests.nvidia.com/gpu`,
      },
      {
        title: "no limit",
        declare: () => deployment(gpuContainer(resources({}, { "nvidia.com/gpu": 1 }))),
        at: `${at}.resources.requests.nvidia.com/gpu`,
      },
    ],
    good: [
      { title: "equal", declare: () => deployment() },
      {
        title: "limit alone",
        declare: () => deployment(gpuContainer({ resources: { limits: { "nvidia.com/gpu": 1 } } })),
      },
      {
        title: "equal in two spellings",
        declare: () => deployment(gpuContainer(resources({ "nvidia.com/gpu": 1 }, { "nvidia.com/gpu": "1" }))),
      },
    ],
  },
});

const WHOLE = ["nvidia.com/gpu", "nvidia.com/gpu.shared"];

let known: readonly string[] | undefined;

/** What the device plugin can advertise: whole and shared GPUs, and the slices of every GPU of the catalog. */
function knownResources(): readonly string[] {
  known ??= [
    ...new Set([
      ...WHOLE,
      ...gpuModels.flatMap((model) => findGpu(model)?.mig?.profiles.map((profile) => profile.mixedResource) ?? []),
    ]),
  ];
  return known;
}

/** Names that once were right, or look as if they were. */
const MISTAKEN = /^(gpus?|nvidia\/gpus?|nvidia-gpus?|alpha\.kubernetes\.io\/nvidia-gpu|nvidia\.com\/.*)$/i;

/** Of NVIDIA's other device plugins. */
const OTHER_DEVICES = /^nvidia\.com\/(gpu\.replicas|hostdev|rdma|sriov|pgpu|[a-z0-9]*-?vgpu)/i;

/** SHARE-18; facts/platform.md 16.4 */
export const unknownResource = manifestRule({
  id: "manifest.gpu.unknown-resource",
  severity: "error",
  reason:
    "A name that no device plugin advertises is ignored or never found: the pod runs without a GPU, or waits for ever.",
  reference: "NVIDIA/k8s-device-plugin internal/rm; packages/catalog/data/gpus.json",
  check: (manifest) =>
    containers(manifest).flatMap((part) => {
      const { limits, requests } = amounts(part);
      return [...new Set([...Object.keys(limits), ...Object.keys(requests)])]
        .filter((name) => MISTAKEN.test(name) && !OTHER_DEVICES.test(name) && !knownResources().includes(name))
        .map((name) => {
          const near = name.startsWith("nvidia.com/mig-")
            ? nearest(name.replace("+", "."), knownResources())
            : "nvidia.com/gpu";
          return {
            at: `${part.at}.resources.limits.${name}`,
            message: `no device plugin advertises ${name}`,
            remedy: near === undefined ? "use a resource that the pool offers" : `use ${near}`,
          };
        });
    }),
  examples: {
    bad: [
      {
        title: "gpu",
        declare: () => deployment(gpuContainer(resources({ gpu: 1 }))),
        at: `${at}.resources.limits.gpu`,
      },
      {
        title: "plural",
        declare: () => deployment(gpuContainer(resources({ "nvidia.com/gpus": 1 }))),
        at: `${at}.resources.limits.nvidia.com/gpus`,
      },
      {
        title: "the alpha name",
        declare: () => deployment(gpuContainer(resources({ "alpha.kubernetes.io/nvidia-gpu": 1 }))),
        at: `${at}.resources.limits.alpha.kubernetes.io/nvidia-gpu`,
      },
      {
        title: "profile that does not exist",
        declare: () => deployment(gpuContainer(resources({ "nvidia.com/mig-1g.11gb": 1 }))),
        at: `${at}.resources.limits.nvidia.com/mig-1g.11gb`,
      },
      {
        title: "plus sign",
        declare: () => deployment(gpuContainer(resources({ "nvidia.com/mig-1g.10gb+me": 1 }))),
        at: `${at}.resources.limits.nvidia.com/mig-1g.10gb+me`,
      },
    ],
    good: [
      { title: "slice", declare: () => deployment(gpuContainer(resources({ "nvidia.com/mig-1g.10gb": 1 }))) },
      {
        title: "slice with media",
        declare: () => deployment(gpuContainer(resources({ "nvidia.com/mig-1g.10gb.me": 1 }))),
      },
      { title: "shared", declare: () => deployment(gpuContainer(resources({ "nvidia.com/gpu.shared": 1 }))) },
    ],
  },
});

/** facts/platform.md 16.5 */
export const twoKinds = manifestRule({
  id: "manifest.gpu.two-kinds",
  severity: "error",
  reason:
    "A container sees either whole GPUs or one kind of slice: CUDA takes the first MIG device and no other, and few nodes offer both.",
  reference: "NVIDIA MIG User Guide, Device names and CUDA visibility",
  check: (manifest) =>
    containers(manifest)
      .filter((part) => part.gpus.filter((name) => knownResources().includes(name)).length > 1)
      .map((part) => ({
        at: `${part.at}.resources`,
        message: `asks for ${part.gpus.join(" and ")}`,
        remedy: "ask for one of them",
      })),
  examples: {
    bad: [
      {
        title: "GPU and slice",
        declare: () => deployment(gpuContainer(resources({ "nvidia.com/gpu": 1, "nvidia.com/mig-1g.10gb": 1 }))),
        at: `${at}.resources`,
      },
      {
        title: "two profiles",
        declare: () =>
          deployment(gpuContainer(resources({ "nvidia.com/mig-3g.40gb": 1, "nvidia.com/mig-1g.10gb": 1 }))),
        at: `${at}.resources`,
      },
    ],
    good: [{ title: "one", declare: () => deployment() }],
  },
});

/** SHARE-05 */
export const severalShares = manifestRule({
  id: "manifest.gpu.several-shares",
  severity: "error",
  reason: "A shared replica is access to a card, not a part of it: several are refused, or are the same card twice.",
  reference: "NVIDIA/k8s-device-plugin README, failRequestsGreaterThanOne",
  check: (manifest) =>
    containers(manifest)
      .map((part) => ({ at: part.at, shares: amounts(part).limits["nvidia.com/gpu.shared"] }))
      .filter(({ shares }) => wholeNumber(shares) === true && Number(shares) > 1)
      .map(({ at: path, shares }) => ({
        at: `${path}.resources.limits.nvidia.com/gpu.shared`,
        message: `${String(shares)} shares of a GPU`,
        remedy: "ask for 1, or for whole GPUs",
      })),
  examples: {
    bad: [
      {
        title: "two",
        declare: () => deployment(gpuContainer(resources({ "nvidia.com/gpu.shared": 2 }))),
        at: `${at}.resources.limits.nvidia.com/gpu.shared`,
      },
    ],
    good: [{ title: "one", declare: () => deployment(gpuContainer(resources({ "nvidia.com/gpu.shared": 1 }))) }],
  },
});
