import {
  capacityBlock,
  cpuPool,
  existingPool,
  type GpuPoolProps,
  gpuPool,
  kubecost,
  mig,
  nvmeCache,
  onCpu,
  onnx,
  s3,
  vllm,
} from "@capstan/core";
import {
  CpuNodeGroup,
  EksCluster,
  type EksClusterArgs,
  type ExistingCluster,
  type ExistingFeatures,
  GpuNodeGroup,
  InferencePlatform,
  type InferencePlatformArgs,
} from "@capstan/eks";
import { type Expected, finds, token, unchecked } from "./wrong.ts";

/** A construct that has to refuse what it is given. */
export interface WrongConstruct {
  readonly title: string;
  /** What the program has before. */
  readonly before?: () => ExistingCluster;
  readonly construct: (cluster: ExistingCluster) => unknown;
  readonly findings: readonly Expected[];
}

const EVERYTHING: ExistingFeatures = {
  metricsServer: true,
  ebsCsi: true,
  gp3StorageClass: true,
  podIdentityAgent: true,
  networkPolicy: true,
  loadBalancerController: true,
};

const coordinates = {
  clusterName: "shared",
  region: "us-east-1",
  endpoint: "https://shared.example.com",
  certificateAuthority: "Q0E=",
};

const zones = { "us-east-1a": "subnet-a", "us-east-1b": "subnet-b", "us-east-1c": "subnet-c" };

export function shared(has: Partial<ExistingFeatures> = {}, subnetIds: Record<string, string> | string[] = zones) {
  return EksCluster.fromExisting("shared", { ...coordinates, subnetIds, has: { ...EVERYTHING, ...has } });
}

const size = { min: 0, max: 2 };
const l4 = gpuPool({ name: "l4", instanceType: "g6.2xlarge", size });
const amx = cpuPool({ name: "amx", instanceTypes: ["c7i.8xlarge"], size: { min: 1, max: 4 } });
const chat = vllm({ name: "qwen-4b", team: "search", model: "Qwen/Qwen3-4B", pool: l4, maxModelLen: 8192 });

function wrongCluster(title: string, args: Partial<EksClusterArgs>, ...findings: Expected[]): WrongConstruct {
  const all: EksClusterArgs = { region: "us-east-1", vpc: { zones: ["a", "b"] }, ...args };
  return { title, construct: () => new EksCluster("made", all), findings };
}

function onCluster(
  title: string,
  before: () => ExistingCluster,
  args: Omit<InferencePlatformArgs, "cluster">,
  ...findings: Expected[]
): WrongConstruct {
  return { title, before, construct: (cluster) => new InferencePlatform("inference", { cluster, ...args }), findings };
}

/** The control plane and its network. */
export const wrongClusters = [
  wrongCluster(
    "a name that EKS refuses",
    { clusterName: "my cluster" },
    finds("cluster.name.invalid", "clusterName", /"my cluster".*at most 100/, /another clusterName/),
  ),
  wrongCluster(
    "neither a new network nor one that is there",
    unchecked({ vpc: undefined }),
    finds("cluster.network.missing", "network", /neither vpc nor network/, /give vpc/),
  ),
  wrongCluster(
    "a block that is too small for a VPC",
    { vpc: { zones: ["a", "b"], cidr: "10.0.0.0/24" } },
    finds("cluster.vpc.cidr", "vpc.cidr", /"10\.0\.0\.0\/24".*\/16 and \/20/, /"10\.0\.0\.0\/16"/),
  ),
  wrongCluster(
    "one zone, of another region",
    { vpc: { zones: ["eu-central-1a"] } },
    finds("cluster.vpc.zones", "vpc.zones", /1 zones; a control plane needs two/, /between 2 and/),
    finds("cluster.vpc.zones", "vpc.zones", /eu-central-1a is no zone of us-east-1/, /letters/),
  ),
  wrongCluster(
    "an API server for the whole internet",
    { endpoint: { publicCidrs: ["0.0.0.0/0"] } },
    finds(
      "cluster.endpoint.open",
      "endpoint.publicCidrs.0",
      /0\.0\.0\.0\/0 lets the whole internet/,
      /leave endpoint out/,
    ),
  ),
  wrongCluster(
    "a system pool that may be empty",
    { systemPool: { size: { min: 0, max: 2 } } },
    finds("cluster.system-pool.empty", "systemPool.size.min", /0; DNS/, /min to 2/),
  ),
  wrongCluster(
    "four mistakes at once",
    {
      clusterName: "-",
      vpc: { zones: ["a", "a"], cidr: "10.0.0.1/16" },
      endpoint: { publicCidrs: ["203.0.113.0"] },
      systemPool: { size: { min: 3, max: 2 } },
    },
    finds("cluster.name.invalid", "clusterName", /"-"/, /another clusterName/),
    finds("cluster.vpc.cidr", "vpc.cidr", /"10\.0\.0\.1\/16"/, /no bits set behind the prefix/),
    finds("cluster.vpc.zones", "vpc.zones", /us-east-1a is named twice/, /once/),
    finds("cluster.endpoint.cidr", "endpoint.publicCidrs.0", /"203\.0\.113\.0" is no IPv4 block/, /203\.0\.113\.0\/24/),
    finds("pool.size.invalid", "systemPool.size", /min 3 is above max 2/, /raise max to 3/),
  ),
];

/** Node groups: what EKS, EC2 or a node image would refuse. */
export const wrongNodeGroups: readonly WrongConstruct[] = [
  {
    title: "GPUs with MIG that they do not have",
    before: shared,
    construct: (cluster) => {
      const pool = gpuPool(
        unchecked<GpuPoolProps>({ name: "l4", instanceType: "g6.2xlarge", size, sharing: mig("1g.10gb") }),
      );
      return new GpuNodeGroup("l4", { cluster, pool });
    },
    findings: [finds("gpu.mig.unsupported", "pools.l4.sharing", /has no MIG/, /timeSlicing/)],
  },
  {
    title: "a CPU pool for a group of GPU nodes",
    before: shared,
    construct: (cluster) => new GpuNodeGroup("amx", { cluster, pool: unchecked(amx) }),
    findings: [
      finds("node-group.pool.kind", "pools.amx", /CPU nodes, this is a node group for GPU nodes/, /CpuNodeGroup/),
    ],
  },
  {
    title: "a GPU pool for a group of CPU nodes",
    before: shared,
    construct: (cluster) => new CpuNodeGroup("l4", { cluster, pool: unchecked(l4) }),
    findings: [
      finds("node-group.pool.kind", "pools.l4", /GPU nodes, this is a node group for CPU nodes/, /GpuNodeGroup/),
    ],
  },
  {
    title: "nodes that others made",
    before: shared,
    construct: (cluster) => {
      const pool = existingPool({ name: "theirs", instanceType: "g6.2xlarge", nodeSelector: { gpu: "l4" }, size });
      return new GpuNodeGroup("theirs", { cluster, pool: unchecked(pool) });
    },
    findings: [finds("node-group.pool.existing", "pools.theirs", /made by others/, /gpuPool or cpuPool/)],
  },
  {
    title: "a zone without a subnet",
    before: shared,
    construct: (cluster) => {
      const pool = gpuPool({ name: "l4", instanceType: "g6.2xlarge", size, zones: ["us-east-1f"] });
      return new GpuNodeGroup("l4", { cluster, pool });
    },
    findings: [
      finds("node-group.zones.unknown", "pools.l4.zones", /no subnet in us-east-1f, only in us-east-1a/, /choose from/),
    ],
  },
  {
    title: "EFA in three subnets, on a cluster whose network nobody named",
    before: shared,
    construct: (cluster) => {
      const pool = gpuPool({ name: "h100", instanceType: "p5.48xlarge", size, efa: true });
      return new GpuNodeGroup("h100", { cluster, pool });
    },
    findings: [
      finds(
        "node-group.subnets.several",
        "pools.h100.zones",
        /EFA .*exactly one subnet; the node group has 3/,
        /one zone/,
      ),
      finds("node-group.efa.network-unknown", "pools.h100.efa", /vpcId and nodeSecurityGroupId/, /fromExisting/),
    ],
  },
  {
    title: "a capacity block in three subnets",
    before: shared,
    construct: (cluster) => {
      const pool = gpuPool({
        name: "h100",
        instanceType: "p5.48xlarge",
        size,
        capacity: capacityBlock("cr-0123456789abcdef0"),
      });
      return new GpuNodeGroup("h100", { cluster, pool });
    },
    findings: [
      finds(
        "node-group.subnets.several",
        "pools.h100.zones",
        /capacity block needs exactly one subnet/,
        /zone of the reservation/,
      ),
    ],
  },
  {
    title: "slices under their own name on Bottlerocket",
    before: shared,
    construct: (cluster) => {
      const pool = gpuPool({
        name: "h100",
        instanceType: "p5.4xlarge",
        size,
        amiFamily: "bottlerocket",
        amiRelease: "1.34.0-abcdef12",
        sharing: mig("1g.10gb"),
      });
      return new GpuNodeGroup("h100", { cluster, pool });
    },
    findings: [
      finds(
        "node-group.bottlerocket.mig-strategy",
        "pools.h100.sharing.strategy",
        /nvidia\.com\/mig-1g\.10gb for ever/,
        /strategy: "single"/,
      ),
    ],
  },
  {
    title: "RAID and pinned cores on Ubuntu",
    before: shared,
    construct: (cluster) => {
      const pool = cpuPool({
        name: "i7ie",
        instanceTypes: ["i7ie.2xlarge"],
        size,
        amiFamily: "ubuntu",
        amiId: "ami-0123456789abcdef0",
        localStorage: "raid0",
        cpuManager: "static",
      });
      return new CpuNodeGroup("i7ie", { cluster, pool });
    },
    findings: [
      finds(
        "node-group.ubuntu.option-unsupported",
        "pools.i7ie.amiFamily",
        /localStorage: "raid0" and cpuManager: "static"/,
        /al2023/,
      ),
    ],
  },
];

const scaledOnCpu = onnx({
  name: "phi-3-mini",
  team: "support",
  model: "microsoft/Phi-3-mini-4k-instruct",
  pool: amx,
  scaling: onCpu({ min: 1, max: 4 }),
});
const raid = gpuPool({ name: "l40s", instanceType: "g6e.2xlarge", size, localStorage: "raid0" });
const cached = vllm({
  name: "llama-8b",
  team: "search",
  model: "meta-llama/Llama-3.1-8B-Instruct",
  pool: raid,
  maxModelLen: 8192,
  cache: nvmeCache({ source: s3("models/llama") }),
});
const gated = vllm({
  name: "llama-8b",
  team: "search",
  model: "meta-llama/Llama-3.1-8B-Instruct",
  pool: raid,
  maxModelLen: 8192,
  source: token,
});
const environment = "test";

/** What a platform needs and the cluster has not, and what the two say differently. */
export const wrongCombinations = [
  onCluster(
    "another region and another version than the cluster's",
    shared,
    { platform: { environment, region: "eu-central-1", kubernetes: "1.33", pools: [l4], services: [chat] } },
    finds(
      "cluster.region.differs",
      "platform.region",
      /platform says eu-central-1, the cluster us-east-1/,
      /leave region out/,
    ),
    finds(
      "cluster.kubernetes.differs",
      "platform.kubernetes",
      /platform says 1\.33, the cluster 1\.34/,
      /leave kubernetes out/,
    ),
  ),
  onCluster(
    "a CPU autoscaler without metrics-server",
    () => shared({ metricsServer: false }),
    { platform: { environment, pools: [amx], services: [scaledOnCpu] } },
    finds(
      "cluster.feature.missing",
      "cluster.has.metricsServer",
      /no metrics-server, which phi-3-mini needs/,
      /`metricsServer: true`/,
    ),
  ),
  onCluster(
    "volumes without a driver and a class",
    () => shared({ ebsCsi: false, gp3StorageClass: false }),
    { platform: { environment, pools: [l4], services: [chat], cost: kubecost({ clusterId: "test" }) } },
    finds(
      "cluster.feature.missing",
      "cluster.has.ebsCsi",
      /EBS CSI driver, which Prometheus and Kubecost need/,
      /install it/,
    ),
    finds("cluster.feature.missing", "cluster.has.gp3StorageClass", /storage class "gp3"/, /install it/),
  ),
  onCluster(
    "a bucket that no pod may read",
    () => shared({ podIdentityAgent: false }),
    { platform: { environment, pools: [raid], services: [cached] } },
    finds(
      "cluster.feature.missing",
      "cluster.has.podIdentityAgent",
      /cluster-autoscaler and preload-l40s need/,
      /Pod Identity|install it/,
    ),
  ),
  onCluster(
    "a secret that nobody reads, and one without its key",
    shared,
    {
      platform: { environment, pools: [raid], services: [gated] },
      secrets: { "hf-tokn": { token: "a" }, "hf-token": { tokn: "b" } },
    },
    finds(
      "platform.secrets.unused",
      "secrets.hf-tokn",
      /reads the secret "hf-tokn"; they read hf-token/,
      /token has it/,
    ),
    finds("platform.secrets.key-missing", "secrets.hf-token", /no key "token"/, /add token/),
  ),
  onCluster(
    "mistakes of the declaration, of the node group and of the cluster, all at once",
    () => shared({ ebsCsi: false }, ["subnet-a", "subnet-b"]),
    {
      platform: {
        environment,
        pools: [gpuPool({ name: "l4", instanceType: "g6.2xlarge", size: { min: 3, max: 2 }, zones: ["us-east-1a"] })],
        services: [],
      },
    },
    finds("pool.size.invalid", "pools.l4.size", /min 3/, /raise max to 3/),
    finds("node-group.zones.unknown", "pools.l4.zones", /plain list/, /by zone/),
    finds("cluster.feature.missing", "cluster.has.ebsCsi", /Prometheus needs/, /install it/),
  ),
];
