import { capacityBlock, cpuPool, existingPool, type GpuPoolProps, gpuPool } from "@capstan/core";
import { finds, unchecked, wrongPool } from "./wrong.ts";

const size = { min: 0, max: 2 };

/** Names, sizes, labels, instance types, capacity, images, network and disks of node groups. */
export const wrongPools = [
  wrongPool(
    "a name that is no DNS label",
    () => gpuPool({ name: "L4_pool", instanceType: "g6.2xlarge", size }),
    finds("pool.name.invalid", "pools.L4_pool.name", /"L4_pool".*lower-case/, /l40s/),
  ),
  wrongPool(
    "more nodes at least than at most",
    () => gpuPool({ name: "l4", instanceType: "g6.2xlarge", size: { min: 3, max: 2 } }),
    finds("pool.size.invalid", "pools.l4.size", /min 3 .*max 2/, /raise max to 3/),
  ),
  wrongPool(
    "a desired size outside of the range",
    () => cpuPool({ name: "amx", instanceTypes: ["c7i.8xlarge"], size: { min: 1, max: 2, desired: 5 } }),
    finds("pool.size.invalid", "pools.amx.size.desired", /desired 5 .*1 to 2/, /leave desired out/),
  ),
  wrongPool(
    "no size",
    () => gpuPool(unchecked<GpuPoolProps>({ name: "l4", instanceType: "g6.2xlarge" })),
    finds("declaration.shape", "pools.l4.size", /required and missing/, /give it/),
  ),
  wrongPool(
    "a size in words",
    () => gpuPool(unchecked<GpuPoolProps>({ name: "l4", instanceType: "g6.2xlarge", size: { min: "1", max: 2 } })),
    finds("declaration.shape", "pools.l4.size.min", /"1".*number/, /./),
  ),
  wrongPool(
    "a misspelt property",
    () => gpuPool(unchecked<GpuPoolProps>({ name: "l4", instanceType: "g6.2xlarge", size, localstorage: "raid0" })),
    finds("declaration.shape", "pools.l4.localstorage", /did you mean "localStorage"/, /write "localStorage"/),
  ),
  wrongPool(
    "an instance type that does not exist",
    () => gpuPool(unchecked<GpuPoolProps>({ name: "l4", instanceType: "g6.2xlage", size })),
    finds(
      "pool.instance-type.unknown",
      "pools.l4.instanceType",
      /"g6\.2xlage".*did you mean g6\.2xlarge/,
      /g6\.2xlarge/,
    ),
  ),
  wrongPool(
    "a CPU type in a pool of GPUs",
    () => gpuPool(unchecked<GpuPoolProps>({ name: "l4", instanceType: "c7i.4xlarge", size })),
    finds("pool.instance-type.unknown", "pools.l4.instanceType", /c7i\.4xlarge is not a GPU instance type/, /cpuPool/),
  ),
  wrongPool(
    "a GPU type in a pool of CPUs",
    () => cpuPool(unchecked({ name: "amx", instanceTypes: ["g6.2xlarge"], size })),
    finds("pool.instance-type.unknown", "pools.amx.instanceTypes", /g6\.2xlarge is not a CPU instance type/, /gpuPool/),
  ),
  wrongPool(
    "a fraction of a GPU",
    () => gpuPool({ name: "l4", instanceType: "g6f.xlarge", size }),
    finds("gpu.fractional.unsupported", "pools.l4.instanceType", /g6f\.xlarge/, /g6\.xlarge.*timeSlicing/),
  ),
  wrongPool(
    "alternatives with another GPU",
    () =>
      gpuPool({
        name: "l4",
        instanceType: "g6.2xlarge",
        alternativeInstanceTypes: ["g6e.2xlarge"],
        capacity: "spot",
        size,
      }),
    finds("pool.alternatives.differ", "pools.l4.alternativeInstanceTypes", /g6e\.2xlarge has 1 x l40s/, /second pool/),
  ),
  wrongPool(
    "a label that the pool sets itself",
    () => gpuPool({ name: "l4", instanceType: "g6.2xlarge", size, labels: { "nvidia.com/mig.config": "all-1g.10gb" } }),
    finds("pool.label.reserved", "pools.l4.labels.nvidia.com/mig.config", /nvidia\.com\/mig\.config/, /remove it/),
  ),
  wrongPool(
    "a label value with a space",
    () => gpuPool({ name: "l4", instanceType: "g6.2xlarge", size, labels: { tier: "very fast" } }),
    finds("pool.label.invalid", "pools.l4.labels.tier", /"very fast".*63/, /replace/),
  ),
  wrongPool(
    "the GPU taint a second time",
    () =>
      gpuPool({
        name: "l4",
        instanceType: "g6.2xlarge",
        size,
        taints: [{ key: "nvidia.com/gpu", value: "true", effect: "NoSchedule" }],
      }),
    finds("pool.label.invalid", "pools.l4.taints", /nvidia\.com\/gpu:NoSchedule is given twice/, /keep one/),
  ),
  wrongPool(
    "the EKS spelling of a taint effect",
    () =>
      gpuPool(
        unchecked<GpuPoolProps>({
          name: "l4",
          instanceType: "g6.2xlarge",
          size,
          taints: [{ key: "team", value: "a", effect: "NO_SCHEDULE" }],
        }),
      ),
    finds("declaration.shape", "pools.l4.taints.0.effect", /"NO_SCHEDULE".*NoSchedule/, /./),
  ),
  wrongPool(
    "a capacity block without its id",
    () =>
      gpuPool({ name: "h100", instanceType: "p5.48xlarge", size, zones: ["us-east-1a"], capacity: capacityBlock("") }),
    finds("pool.reservation.invalid", "pools.h100.capacity.reservationId", /"" is not/, /cr-/),
  ),
  wrongPool(
    "a capacity that is not sold",
    () => gpuPool(unchecked<GpuPoolProps>({ name: "l4", instanceType: "g6.2xlarge", size, capacity: "Spot" })),
    finds("declaration.shape", "pools.l4.capacity", /"Spot".*"spot"/, /./),
  ),
  wrongPool(
    "a capacity block in two zones",
    () =>
      gpuPool({
        name: "h100",
        instanceType: "p5.48xlarge",
        size,
        zones: ["us-east-1a", "us-east-1b"],
        capacity: capacityBlock("cr-0123456789abcdef0"),
      }),
    finds(
      "pool.zones.one-needed",
      "pools.h100.zones",
      /capacity block needs one zone, got us-east-1a, us-east-1b/,
      /zones: \[/,
    ),
  ),
  wrongPool(
    "EFA on a type without it",
    () => gpuPool({ name: "l4", instanceType: "g6.xlarge", size, efa: true, zones: ["us-east-1a"] }),
    finds("pool.efa.unsupported", "pools.l4.efa", /g6\.xlarge has no EFA/, /p5\.48xlarge/),
  ),
  wrongPool(
    "EFA over three zones",
    () =>
      gpuPool({
        name: "h100",
        instanceType: "p5.48xlarge",
        size,
        efa: true,
        zones: ["us-east-1a", "us-east-1b", "us-east-1c"],
      }),
    finds("pool.zones.one-needed", "pools.h100.zones", /EFA needs one zone/, /zones: \[/),
  ),
  wrongPool(
    "an image that has no driver for the GPU",
    () => gpuPool({ name: "g7", instanceType: "g7.2xlarge", size }),
    finds("pool.ami.no-driver", "pools.g7.amiFamily", /al2023.*g7\.2xlarge/, /ubuntu/),
  ),
  wrongPool(
    "Ubuntu without an image id",
    () => gpuPool({ name: "l4", instanceType: "g6.2xlarge", size, amiFamily: "ubuntu" }),
    finds("pool.ami.id-needed", "pools.l4.amiId", /ubuntu without amiId/, /id of the Ubuntu EKS image/),
  ),
  wrongPool(
    "an image id that nothing reads",
    () => gpuPool({ name: "l4", instanceType: "g6.2xlarge", size, amiId: "ami-0123456789abcdef0" }),
    finds("pool.ami.id-needed", "pools.l4.amiId", /al2023 is chosen by amiRelease/, /remove amiId/),
  ),
  wrongPool(
    "an array of disks that are not there",
    () => cpuPool({ name: "amx", instanceTypes: ["c7i.8xlarge"], size, localStorage: "raid0" }),
    finds("pool.local-storage.no-disks", "pools.amx.localStorage", /c7i\.8xlarge has no instance store/, /NVMe/),
  ),
  wrongPool(
    "a root volume too small for two images",
    () => gpuPool({ name: "l4", instanceType: "g6.2xlarge", size, rootVolumeGib: 20 }),
    finds("pool.root-volume.too-small", "pools.l4.rootVolumeGib", /20 GiB .*100 GiB/, /100 or more/),
  ),
  wrongPool(
    "nodes of others that nothing selects",
    () => existingPool({ name: "shared", instanceType: "g6.2xlarge", nodeSelector: {}, size }),
    finds("pool.selector.empty", "pools.shared.nodeSelector", /no label/, /labels that only these nodes have/),
  ),
  wrongPool(
    "cores with and without AMX",
    () => cpuPool({ name: "amx", instanceTypes: ["c7i.4xlarge", "c6i.4xlarge"], size }),
    finds(
      "cpu.instruction-set.mixed",
      "pools.amx.instanceTypes",
      /c6i\.4xlarge has .*c7i\.4xlarge has .*AMX/,
      /one generation/,
    ),
  ),
  wrongPool(
    "a second type that is smaller than the first",
    () => cpuPool({ name: "amx", instanceTypes: ["c7i.8xlarge", "c7i.4xlarge"], size }),
    finds(
      "cpu.instance-types.smaller",
      "pools.amx.instanceTypes",
      /c7i\.4xlarge \(16 vCPU, 32 GiB\)/,
      /smallest type first/,
    ),
  ),
  wrongPool(
    "pinned cores on a node of one core",
    () => cpuPool({ name: "amx", instanceTypes: ["c7i.large"], cpuManager: "static", size }),
    finds("cpu.static.no-cores", "pools.amx.cpuManager", /c7i\.large has no whole core/, /larger type/),
  ),
];
