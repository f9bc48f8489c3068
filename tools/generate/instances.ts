import type { RawCpuPlatform, RawInstance, RawInstances } from "./raw.ts";

export function instancesDocument(raw: RawInstances): object {
  return {
    asOf: "2026-08-21",
    sources: [
      "github.com/aws/karpenter-provider-aws@1d927085dd81 website/content/en/docs/reference/instance-types.md (2026-07-20), pkg/providers/instancetype/zz_generated.vpclimits.go (2026-08-06)",
      "github.com/vantage-sh/ec2instances.info@4ef36cd2c986 scraper/aws/ec2/extras/manually_fetched_data.json (measured CPU model, threads per core, NUMA nodes)",
      "github.com/skypilot-org/skypilot-catalog@2c3d7ea7d76b catalogs/v9/aws/vms.csv (disk layouts)",
      "EKS user guide, page ml-eks-optimized-ami, and github.com/awslabs/amazon-eks-ami@81fec2e89585 doc/usage/g7-ami.md (AMI support)",
    ],
    notes: [
      "Instruction sets and memory channels of cpuPlatforms are vendor facts from memory; on a node, Node Feature Discovery decides.",
      "A fractional type (g6f, gr6f) has GPU count 0 in the API: no nvidia.com/gpu is known for it before the node is up.",
      "Disk layouts other than those in the catalogue of skypilot are from memory, kept where count x size gives the API's total.",
      "maxPods: VPC CNI without prefix delegation.",
    ],
    cpuPlatforms: Object.fromEntries(
      raw.cpuPlatforms.platforms.map((platform) => [platformId(platform), platformRecord(platform)]),
    ),
    instances: Object.entries(raw.instanceTypes).map(([type, instance]) => instanceRecord(type, instance, raw)),
  };
}

/** `Genoa (Zen 4)` becomes `genoa`; Graviton's generations are named after the Arm core, so take the product. */
function platformId(platform: RawCpuPlatform): string {
  const graviton = /Graviton\d/.exec(platform.model)?.[0];
  return (graviton ?? platform.generation.replace(/ \(.*/, "")).toLowerCase().replaceAll(" ", "-");
}

function platformRecord(platform: RawCpuPlatform): object {
  return {
    generation: /Graviton\d/.exec(platform.model)?.[0] ?? platform.generation,
    amx: platform.amx !== null,
    amxFp16: platform.amx?.fp16 ?? false,
    avx512: platform.avx512,
    memoryGBpsPerVcpu: platform.memoryGBpsPerVcpu,
  };
}

function instanceRecord(type: string, instance: RawInstance, raw: RawInstances): object {
  return {
    type,
    family: instance.family,
    class: instance.class,
    arch: instance.arch,
    vcpus: instance.vcpus,
    memoryMib: instance.memoryMiB,
    cpuManufacturer: instance.cpu.manufacturer,
    threadsPerCore: instance.cpu.threadsPerCore,
    numaNodes: instance.cpu.numaNodes,
    cpuPlatform: platformOf(type, instance, raw.cpuPlatforms),
    gpu:
      instance.gpu === null
        ? null
        : {
            model: instance.gpu.ref,
            count: instance.gpu.count,
            fractional: instance.gpu.fractional,
            fractionMib: instance.gpu.fractional ? instance.gpu.apiMemoryMiBEach : null,
          },
    neuron: instance.neuron ?? null,
    localNvme:
      instance.localNvme === null ? null : { totalGib: instance.localNvme.totalGiB, disks: instance.localNvme.disks },
    networkGbps: instance.networkGbpsBaseline,
    ebsGbps: instance.ebsGbpsMax,
    efaInterfaces: instance.efaInterfaces,
    networkCards: instance.eni?.networkCards ?? null,
    maxPods: instance.maxPods,
    maxPodsPrefixDelegation: instance.maxPodsPrefixDelegation,
    bareMetal: instance.bareMetal,
    gpuAmiFamilies: instance.gpu === null ? [] : gpuAmiFamilies(instance.family, raw.eksGpuNodes.amiSupport),
  };
}

/** Platform by family, except for the hosts that nobody measured; a measured CPU model that disagrees is an error. */
function platformOf(type: string, instance: RawInstance, known: RawInstances["cpuPlatforms"]): string | null {
  const unmeasured = known.unknownHosts.flatMap((text) => text.match(/[a-z0-9-]+\.\d*x?[a-z0-9]+/g) ?? []);
  if (unmeasured.includes(type)) return null;
  const found = known.platforms.find((platform) =>
    platform.families.some((entry) => {
      const [, family, size] = /^(\S+)(?: \((\S+)\))?$/.exec(entry) ?? [];
      return family === instance.family && (size === undefined || type === `${family}.${size}`);
    }),
  );
  if (found === undefined) return null;
  const parts = found.model.match(/\b(?:\d{4}[A-Z]*|\dR\d{2}|6975P-C)\b/g) ?? [];
  const measured = instance.cpu.model;
  if (measured !== null && parts.length > 0 && !parts.some((part) => measured.includes(part))) {
    throw new Error(`${type}: measured CPU ${measured} is not a ${found.model}`);
  }
  return platformId(found);
}

function gpuAmiFamilies(family: string, support: Record<string, unknown>): string[] {
  const listed = (prefix: string) =>
    Object.entries(support).some(
      ([amiType, families]) =>
        amiType.startsWith(prefix) &&
        amiType.endsWith("NVIDIA") &&
        Array.isArray(families) &&
        families.includes(family),
    );
  return [...(listed("AL2023_") ? ["al2023"] : []), ...(listed("BOTTLEROCKET_") ? ["bottlerocket"] : [])];
}
