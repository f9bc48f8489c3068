import {
  cpuPool,
  fixed,
  type GpuPoolProps,
  gpuPool,
  kubecost,
  mig,
  mps,
  nvmeCache,
  type OnnxProps,
  onnx,
  type PlatformProps,
  s3,
  timeSlicing,
  type VllmProps,
  vllm,
} from "@capstan/core";
import { finds, token, unchecked, wrongPlatform } from "./wrong.ts";

const size = { min: 0, max: 4 };
const l40s = gpuPool({ name: "l40s", instanceType: "g6e.2xlarge", size });
const amx = cpuPool({ name: "amx", instanceTypes: ["c7i.8xlarge"], cpuManager: "static", size: { min: 1, max: 4 } });
const halves = gpuPool({ name: "l4-halves", instanceType: "g6.2xlarge", size, sharing: timeSlicing(2) });

function llama(props: Partial<VllmProps> = {}) {
  return vllm({
    name: "llama-8b",
    team: "search",
    model: "meta-llama/Llama-3.1-8B-Instruct",
    pool: l40s,
    source: token,
    maxModelLen: 8192,
    ...props,
  });
}

function phi(props: Partial<OnnxProps> = {}) {
  return onnx({ name: "phi-3-mini", team: "support", model: "microsoft/Phi-3-mini-4k-instruct", pool: amx, ...props });
}

const cached = (name: string) => {
  const source = s3(`models/${name}`, { bytes: 240e9 });
  const pool = gpuPool({ name: "l40s", instanceType: "g6e.2xlarge", size, localStorage: "raid0" });
  return { pool, service: vllm({ ...llama({ name, pool }).props, source, cache: nvmeCache({ source }) }) };
};

/** What only the whole set shows: names, capacity, what is shared, add-ons, acknowledgements. */
export const wrongPlatforms = [
  wrongPlatform(
    "a misspelt property",
    () => unchecked<Partial<PlatformProps>>({ pool: [l40s], pools: [], services: [] }),
    finds("declaration.shape", "platform.pool", /"pool".*did you mean "pools"/, /write "pools"/),
  ),
  wrongPlatform(
    "no environment",
    () => ({ pools: [l40s], services: [llama()], environment: unchecked(undefined) }),
    finds("declaration.shape", "platform.environment", /required and missing/, /give it/),
  ),
  wrongPlatform(
    "props of a pool instead of the pool",
    () => ({ pools: unchecked([{ name: "l40s", instanceType: "g6e.2xlarge", size }]) }),
    finds("declaration.shape", "platform.pools.0", /gpuPool/, /./),
  ),
  wrongPlatform(
    "two pools of one name",
    () => ({ pools: [l40s, gpuPool({ name: "l40s", instanceType: "g6e.4xlarge", size })], services: [llama()] }),
    finds(
      "platform.pool.duplicate",
      "pools.l40s",
      /2 pools are called l40s \(g6e\.2xlarge, g6e\.4xlarge\)/,
      /name of its own/,
    ),
    // One service meets both; the second pool of the name is the one that counts.
    finds(
      "platform.pool.differs",
      "services.llama-8b.pool",
      /g6e\.2xlarge\) is another than the platform's \(g6e\.4xlarge\)/,
      /same object/,
    ),
  ),
  wrongPlatform(
    "two services of one name",
    () => ({ pools: [l40s], services: [llama(), llama({ model: "Qwen/Qwen2.5-7B-Instruct" })] }),
    finds("platform.service.duplicate", "services.llama-8b", /2 services .*llama-8b/, /name|namespace/),
  ),
  wrongPlatform(
    "a service on a pool that the platform does not have",
    () => ({ pools: [l40s], services: [llama(), phi()] }),
    finds("platform.pool.not-declared", "services.phi-3-mini.pool", /amx is not among .*\(l40s\)/, /add it to pools/),
  ),
  wrongPlatform(
    "more replicas together than nodes",
    () => ({ pools: [l40s], services: [llama({ scaling: fixed(3) }), llama({ name: "llama-b", scaling: fixed(2) })] }),
    finds(
      "platform.capacity.min",
      "pools.l40s.size.max",
      /3 x llama-8b, 2 x llama-b need 5 nodes .*at most 4/,
      /size\.max to 5/,
    ),
  ),
  wrongPlatform(
    "two engines that claim more than the card they share",
    () => ({
      pools: [halves],
      services: ["a", "b"].map((name) =>
        llama({
          name,
          pool: halves,
          model: "meta-llama/Llama-3.2-1B-Instruct",
          maxModelLen: 4096,
          gpuMemoryUtilization: 0.6,
          // Each alone is told of its own share; here that is accepted.
          acknowledge: { "gpu.shared.over-claimed": "the other one sleeps by day" },
          kvCacheGib: 9,
        }),
      ),
    }),
    finds("gpu.shared.sum", "pools.l4-halves.sharing", /a 0\.\d\d \+ b 0\.\d\d of one l4.*may take 0\.9/, /lower them/),
  ),
  wrongPlatform(
    "two models on a disk for one",
    // 2 x 240 GB are 447 GiB, with a fifth to spare 536; the disk has 419.
    () => ({ pools: [cached("a").pool], services: [cached("a").service, cached("b").service] }),
    finds("cache.too-small", "pools.l40s.localStorage", /2 models .*536\.?\d* GiB.*419 GiB/, /more instance store/),
  ),
  wrongPlatform(
    "a cost tool and shared GPUs under the plain name",
    () => {
      const pool = gpuPool({
        name: "l4",
        instanceType: "g6.2xlarge",
        size,
        sharing: timeSlicing(2, { rename: false }),
      });
      return { pools: [pool], cost: kubecost({ clusterId: "test" }) };
    },
    finds(
      "cost.shared-not-renamed",
      "pools.l4.sharing.rename",
      /l4 offers shared GPUs as nvidia\.com\/gpu/,
      /nvidia\.com\/gpu\.shared/,
    ),
  ),
  wrongPlatform(
    "GPUs that nothing advertises",
    () => ({ pools: [l40s], services: [llama()], gpuOperator: "none" }),
    finds(
      "platform.gpu-operator.missing",
      "platform.gpuOperator",
      /gpuOperator is none.*l40s/,
      /leave gpuOperator out.*"present"/,
    ),
  ),
  wrongPlatform(
    "nodes with a driver and nodes without",
    () => ({
      pools: [
        l40s,
        gpuPool({
          name: "ubuntu",
          instanceType: "g6.2xlarge",
          size,
          amiFamily: "ubuntu",
          amiId: "ami-0123456789abcdef0",
        }),
      ],
    }),
    finds(
      "gpu.driver.mixed",
      "pools.ubuntu.amiFamily",
      /ubuntu .*need the operator's driver; l40s/,
      /one kind of image/,
    ),
  ),
  wrongPlatform(
    "MPS and MIG in one cluster",
    () => ({
      pools: [
        gpuPool({ name: "h100", instanceType: "p5.4xlarge", size, sharing: mig("1g.10gb") }),
        gpuPool({ name: "l4", instanceType: "g6.2xlarge", size, sharing: mps(2) }),
      ],
    }),
    finds("gpu.mps.beside-mig", "pools.l4.sharing", /MPS on pool l4 beside MIG on h100/, /timeSlicing\(n\)/),
  ),
  wrongPlatform(
    "two MIG strategies in one cluster",
    () => ({
      pools: [
        gpuPool({ name: "h100", instanceType: "p5.4xlarge", size, sharing: mig("1g.10gb") }),
        gpuPool({ name: "h200", instanceType: "p5en.48xlarge", size, sharing: mig("1g.18gb", { strategy: "single" }) }),
      ],
    }),
    finds("gpu.mig.strategies-differ", "pools.h200.sharing.strategy", /h100 is mixed, h200 is single/, /"mixed"/),
  ),
  wrongPlatform(
    "a cost tool with a name for the cluster that it refuses",
    () => ({ pools: [l40s], services: [llama()], cost: kubecost({ clusterId: "" }) }),
    finds("cost.cluster-id.invalid", "platform.cost.clusterId", /""/, /./),
  ),
  wrongPlatform(
    "a Kubernetes that the add-ons do not run on",
    () => ({ pools: [l40s], services: [llama()], kubernetes: "1.29" }),
    finds(
      "platform.kubernetes.unsupported",
      "platform.kubernetes",
      /cluster-autoscaler .* 1\.33 to 1\.35; the cluster has 1\.29/,
      /1\.33/,
    ),
    finds(
      "platform.kubernetes.unsupported",
      "platform.kubernetes",
      /gpu-operator .* 1\.33 to 1\.36; the cluster has 1\.29/,
      /1\.33/,
    ),
  ),
  wrongPlatform(
    "an acknowledgement of a rule that does not exist",
    () => ({ pools: [l40s], acknowledge: { "cost.mig-not-atributed": "split by slice count" } }),
    finds(
      "acknowledge.invalid",
      "platform.acknowledge",
      /no rule "cost\.mig-not-atributed"/,
      /as the finding shows it/,
    ),
  ),
  wrongPlatform(
    "an acknowledgement without a reason",
    () => ({
      pools: [
        gpuPool({
          name: "l4",
          instanceType: "g6.2xlarge",
          size,
          rootVolumeGib: 60,
          acknowledge: { "pool.root-volume.too-small": " " },
        }),
      ],
    }),
    finds("acknowledge.invalid", "pools.l4.acknowledge", /without a reason/, /say why/),
    finds("pool.root-volume.too-small", "pools.l4.rootVolumeGib", /60 GiB .*100 GiB/, /100 or more/),
  ),
  wrongPlatform(
    "an acknowledgement of what no reason makes work",
    () => ({
      pools: [
        gpuPool(
          unchecked<GpuPoolProps>({
            name: "l4",
            instanceType: "g6.2xlarge",
            size,
            sharing: mig("1g.10gb"),
            acknowledge: { "gpu.mig.unsupported": "we tried it" },
          }),
        ),
      ],
    }),
    finds("acknowledge.invalid", "pools.l4.acknowledge", /gpu\.mig\.unsupported cannot be acknowledged/, /mend/),
    finds("gpu.mig.unsupported", "pools.l4.sharing", /has no MIG/, /timeSlicing/),
  ),
  wrongPlatform(
    "a floating image in production",
    () => ({
      environment: "prod",
      pools: [amx],
      services: [phi({ image: { repository: "openvino/model_server", tag: "latest" } })],
    }),
    finds(
      "service.image.floating",
      "services.phi-3-mini.image.tag",
      /tag latest of openvino\/model_server moves/,
      /release tag or a digest/,
    ),
  ),
];
