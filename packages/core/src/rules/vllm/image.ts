import { eks, engine, findVllm } from "@capstan/catalog";
import { parseEngineVersion } from "../../plan/memory/index.ts";
import { gpuPool } from "../../pool/declare.ts";
import type { ResolvedVllm } from "../../service/resolved.ts";
import { vllmRule } from "../rule.ts";
import { llama8b, unchecked } from "./example-services.ts";
import { compareMinor, given, sinceMinor } from "./subject.ts";

const size = { min: 0, max: 2 };
const oldNodes = gpuPool({ name: "l40s-old", instanceType: "g6e.2xlarge", size, amiRelease: "1.34.0-20250801" });
const newNodes = gpuPool({ name: "l40s-new", instanceType: "g6e.2xlarge", size, amiRelease: "1.34.9-20260714" });

/** FIT-11 */
export const versionMismatch = vllmRule({
  id: "vllm.image.version-mismatch",
  severity: "error",
  reason: "Flags, metrics and memory are checked for engineVersion; the image runs another one.",
  reference: "cases FIT-11 and SCALE-04",
  check: (service) => {
    const { tag } = service.image;
    const minor = /^v?(\d+\.\d+)\.\d+/.exec(tag ?? "")?.[1];
    const checked = findVllm(service.engineVersion)?.minor;
    if (minor === undefined || checked === undefined || minor === checked || !given(service, "image.tag")) return [];
    return [
      {
        at: "image.tag",
        message: `image ${tag} is vLLM ${minor}, engineVersion is ${service.engineVersion}`,
        remedy:
          "give both the same version, or leave the tag out; where the tag is your own numbering, acknowledge this rule",
      },
    ];
  },
  examples: {
    bad: [
      {
        title: "older image",
        declare: () => llama8b({ image: { repository: "vllm/vllm-openai", tag: "v0.19.1" } }),
        at: "image.tag",
      },
      {
        title: "newer image",
        declare: () => llama8b({ engineVersion: "0.30.0", image: { repository: "acme/vllm", tag: "0.33.0-acme.1" } }),
        at: "image.tag",
      },
    ],
    good: [
      {
        title: "same",
        declare: () => llama8b({ engineVersion: "0.32.0", image: { repository: "vllm/vllm-openai", tag: "v0.32.0" } }),
      },
      {
        title: "a patch of it",
        declare: () => llama8b({ engineVersion: "0.32.0", image: { repository: "acme/vllm", tag: "v0.32.1-acme" } }),
      },
    ],
  },
});

export const inexactVersion = vllmRule({
  id: "vllm.version.inexact",
  severity: "error",
  reason:
    "The image tag is made of the version, and behaviour changes inside a minor version: 0.20.0 and 0.20.2 count KV tokens differently.",
  reference: "vLLM releases; facts/vllm-by-version.md section 8",
  check: (service) => {
    const read = findVllm(service.engineVersion)?.version;
    if (read === undefined || read === service.engineVersion) return [];
    if (parseEngineVersion(service.engineVersion) === null || service.engineVersion.startsWith("v")) {
      return [
        {
          at: "engineVersion",
          message: `engineVersion "${service.engineVersion}" is not an exact version`,
          remedy: `write "${read}"`,
        },
      ];
    }
    return [
      {
        at: "engineVersion",
        message: `vLLM ${service.engineVersion} was not read; flags and memory are those of ${read}`,
        remedy: `use "${read}" where it does not matter`,
        severity: "info" as const,
      },
    ];
  },
  examples: {
    bad: [
      { title: "minor only", declare: () => llama8b({ engineVersion: unchecked("0.33") }), at: "engineVersion" },
      { title: "as a tag", declare: () => llama8b({ engineVersion: unchecked("v0.33.0") }), at: "engineVersion" },
      {
        title: "a patch that was not read",
        declare: () => llama8b({ engineVersion: unchecked("0.32.1") }),
        at: "engineVersion",
        severity: "info",
      },
    ],
    good: [{ title: "exact", declare: () => llama8b({ engineVersion: "0.33.0" }) }],
  },
});

/** FIT-11 */
export const driverTooOld = vllmRule({
  id: "vllm.image.driver",
  severity: "warning",
  reason: "The image's CUDA needs a driver of its branch on the node, or every start ends with an insufficient driver.",
  reference: "NVIDIA CUDA compatibility; awslabs/amazon-eks-ami release notes",
  check: (service) => {
    const cuda = cudaOf(service);
    const { family, release } = service.pool.ami;
    if (!cuda || !service.pool.managed || family === "ubuntu") return [];
    const node = eks().gpuImages.find((image) => image.family === family);
    const read = eks()
      .amiReleases.filter((known) => known.family === family)
      .flatMap((known) => dayOf(known.releaseVersion) ?? []);
    const day = dayOf(release);
    const older = day !== null && read.length > 0 && read.every((known) => day < known);
    if (!older && (node?.driverBranch ?? Number.POSITIVE_INFINITY) >= cuda.minDriverBranch) return [];
    const driver = older
      ? `the driver of node image ${release} was not read; it is older than the one with ${node?.driverBranch}`
      : `the ${family} image has branch ${node?.driverBranch}`;
    return [
      {
        at: "image.tag",
        message: `vLLM ${service.engineVersion} is built with CUDA ${cuda.version}, which needs driver branch ${cuda.minDriverBranch} or newer; ${driver}`,
        remedy: "use a newer amiRelease, an engineVersion before 0.20, or an image built with CUDA 12.9",
      },
    ];
  },
  examples: {
    bad: [{ title: "CUDA 13 on nodes of 2025", declare: () => llama8b({ pool: oldNodes }), at: "image.tag" }],
    good: [
      { title: "current nodes", declare: () => llama8b({ pool: newNodes }) },
      { title: "CUDA 12 on nodes of 2025", declare: () => llama8b({ pool: oldNodes, engineVersion: "0.19.1" }) },
      {
        title: "build with CUDA 12.9",
        declare: () => llama8b({ pool: oldNodes, image: { repository: "vllm/vllm-openai", tag: "v0.33.0-cu129" } }),
      },
    ],
  },
});

/** CUDA of the image where it asks for a driver branch: upstream's by version, unless the tag names another. */
function cudaOf(service: ResolvedVllm): { readonly version: string; readonly minDriverBranch: number } | null {
  const tagged = /cu(?:da)?-?(\d{2})/i.exec(service.image.tag ?? "")?.[1];
  const facts = engine("vllm")
    .cuda.filter((cuda) => sinceMinor(service, cuda.since))
    .at(-1);
  if (facts?.version == null || facts.minDriverBranch === null) return null;
  return tagged !== undefined && Number(tagged) < Number(facts.version.split(".")[0])
    ? null
    : { version: facts.version, minDriverBranch: facts.minDriverBranch };
}

/** `20260714` of `1.34.9-20260714`. */
function dayOf(release: string | null): string | null {
  return /-(\d{8})$/.exec(release ?? "")?.[1] ?? null;
}

/** POD-07 */
export const runsAsRoot = vllmRule({
  id: "vllm.image.runs-as-root",
  severity: "warning",
  reason:
    "Images before the non-root user have no passwd entry for another one, so the engine runs as root in the container.",
  reference: "vllm-project/vllm@3df1c7c43; Kubernetes pod security standards",
  check: (service, { production }) => {
    if (service.identity.nonRoot) return [];
    const since = engine("vllm").users.find((user) => user.runAsUser !== null)?.since ?? null;
    if (since === null || compareMinor(findVllm(service.engineVersion)?.minor ?? since, since) >= 0) return [];
    return [
      {
        at: "engineVersion",
        message: `the image of vLLM ${service.engineVersion} has no user but root`,
        remedy: `use engineVersion ${since} or newer`,
        ...(production ? {} : { severity: "info" as const }),
      },
    ];
  },
  examples: {
    bad: [
      {
        title: "0.22 in production",
        declare: () => llama8b({ engineVersion: "0.22.1" }),
        at: "engineVersion",
        context: { production: true },
      },
      {
        title: "0.22 elsewhere",
        declare: () => llama8b({ engineVersion: "0.22.1" }),
        at: "engineVersion",
        severity: "info",
      },
    ],
    good: [{ title: "0.23", declare: () => llama8b({ engineVersion: "0.23.0" }), context: { production: true } }],
  },
});
