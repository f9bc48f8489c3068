import { eks } from "@capstan/catalog";
import type { Finding, ResolvedPool } from "@capstan/core";
import type { Cluster } from "../cluster/cluster.ts";
import type { NodeSubnets } from "../cluster/subnets.ts";
import { type FindingText, finding, listed } from "../findings.ts";
import { BOTTLEROCKET_MIG_MODELS } from "../user-data/bottlerocket.ts";

export interface NodeGroupSubject {
  readonly pool: ResolvedPool;
  readonly cluster: Pick<Cluster, "subnets" | "vpcId" | "nodeSecurityGroupId">;
  /** Subnets that the group would get; null where the pool's zones are not among the cluster's. */
  readonly subnets: NodeSubnets | null;
  /** Which construct it is for. */
  readonly wanted: ResolvedPool["kind"];
}

/** What EKS, EC2 or a node image would refuse or ignore. Pools themselves are judged by core's rules. */
export function nodeGroupFindings(subject: NodeGroupSubject): Finding[] {
  const { pool } = subject;
  // None of it works for any reason, so none can be acknowledged.
  const error = (text: FindingText | null): Finding[] => (text ? [finding("error", text, {})] : []);
  return [
    ...error(wrongConstruct(subject)),
    ...error(madeByOthers(pool)),
    ...error(unknownZones(subject)),
    ...error(severalSubnets(subject)),
    ...reservationZones(subject),
    ...error(unknownNetwork(subject)),
    ...error(ubuntuOptions(pool)),
    ...error(bottlerocketMig(pool)),
    ...error(manyInstanceTypes(pool)),
  ];
}

function wrongConstruct({ pool, wanted }: NodeGroupSubject): FindingText | null {
  if (pool.kind === wanted) return null;
  return {
    id: "node-group.pool.kind",
    path: `pools.${pool.name}`,
    message: `${pool.name} is a pool of ${pool.kind.toUpperCase()} nodes, this is a node group for ${wanted.toUpperCase()} nodes`,
    remedy: `use ${pool.kind === "gpu" ? "GpuNodeGroup" : "CpuNodeGroup"}`,
  };
}

function madeByOthers(pool: ResolvedPool): FindingText | null {
  if (pool.managed) return null;
  return {
    id: "node-group.pool.existing",
    path: `pools.${pool.name}`,
    message: `the nodes of ${pool.name} are made by others (existingPool)`,
    remedy: "declare it with gpuPool or cpuPool, or leave the node group out",
  };
}

function unknownZones({ pool, cluster, subnets }: NodeGroupSubject): FindingText | null {
  if (subnets !== null || pool.zones === null) return null;
  const { byZone } = cluster.subnets;
  const known = byZone === null ? null : Object.keys(byZone);
  const missing = pool.zones.filter((zone) => !known?.includes(zone));
  return {
    id: "node-group.zones.unknown",
    path: `pools.${pool.name}.zones`,
    message: known
      ? `the cluster has no subnet in ${listed(missing)}, only in ${listed(known)}`
      : `the cluster's subnets are a plain list, so the ones in ${listed(pool.zones)} cannot be told`,
    remedy: known
      ? `choose from ${listed(known)}, or give the node group \`subnetIds\``
      : 'give the cluster its subnets by zone ({ "eu-central-1a": "subnet-..." }), or the node group `subnetIds`',
  };
}

/** A placement group and a capacity block are in one zone; choosing one here would choose another one later. */
function severalSubnets({ pool, subnets }: NodeGroupSubject): FindingText | null {
  // A pool that names several zones itself has been told so by its own rule.
  if (subnets === null || subnets.count === 1 || (pool.zones !== null && pool.zones.length !== 1)) return null;
  const why =
    pool.placement === "cluster"
      ? "EFA in a cluster placement group"
      : pool.capacity.kind === "capacity-block"
        ? "a capacity block"
        : null;
  if (why === null) return null;
  const zones = subnets.byZone ? ` (${listed(Object.keys(subnets.byZone))})` : "";
  const count =
    subnets.count === null ? "a number of subnets that is not known yet" : `${subnets.count} subnets${zones}`;
  return {
    id: "node-group.subnets.several",
    path: `pools.${pool.name}.zones`,
    message: `${why} needs exactly one subnet; the node group has ${count}`,
    remedy:
      pool.placement === "cluster"
        ? "give the pool one zone, or the node group one subnet id in a list"
        : "give the pool the zone of the reservation, or the node group one subnet id in a list",
    reference: "https://docs.aws.amazon.com/eks/latest/userguide/capacity-blocks-mng.html",
  };
}

/** The group starts nodes in all of its zones in turn; in the others they wait for capacity that is not reserved there. */
function reservationZones({ pool, subnets }: NodeGroupSubject): Finding[] {
  if (pool.capacity.kind !== "reservation" || pool.placement === "cluster") return [];
  if (subnets === null || subnets.count === 1) return [];
  return [
    finding(
      "warning",
      {
        id: "node-group.reservation.zones",
        path: `pools.${pool.name}.zones`,
        message: `${pool.capacity.reservationId} is in one zone; the node group also starts nodes in others, which fail`,
        remedy: "give the pool the zone of the reservation, or the node group one subnet id in a list",
      },
      {},
    ),
  ];
}

function unknownNetwork({ pool, cluster }: NodeGroupSubject): FindingText | null {
  if (pool.efaInterfaces === 0) return null;
  const missing = [
    ...(cluster.vpcId === null ? ["vpcId"] : []),
    ...(cluster.nodeSecurityGroupId === null ? ["nodeSecurityGroupId"] : []),
  ];
  if (missing.length === 0) return null;
  return {
    id: "node-group.efa.network-unknown",
    path: `pools.${pool.name}.efa`,
    message: `EFA interfaces carry their security groups themselves, and the cluster does not say its ${listed(missing)}`,
    remedy: `give EksCluster.fromExisting ${listed(missing)}`,
  };
}

/** The bootstrap script of these images has no option for either, and what else would set them differs by release. */
function ubuntuOptions(pool: ResolvedPool): FindingText | null {
  if (pool.ami.family !== "ubuntu") return null;
  const asked = [
    ...(pool.localStorage === "raid0" ? ['localStorage: "raid0"'] : []),
    ...(pool.cpu.manager === "static" ? ['cpuManager: "static"'] : []),
  ];
  if (asked.length === 0) return null;
  return {
    id: "node-group.ubuntu.option-unsupported",
    path: `pools.${pool.name}.amiFamily`,
    message: `${listed(asked)} cannot be set on the Ubuntu image: it does not read a NodeConfig`,
    remedy: 'use amiFamily "al2023" or "bottlerocket"',
  };
}

function bottlerocketMig(pool: ResolvedPool): FindingText | null {
  if (pool.ami.family !== "bottlerocket" || pool.sharing.kind !== "mig" || pool.gpu === null) return null;
  const path = `pools.${pool.name}.sharing`;
  const reference = "https://github.com/bottlerocket-os/bottlerocket/issues/4483";
  if (BOTTLEROCKET_MIG_MODELS[pool.gpu.model] === undefined) {
    return {
      id: "node-group.bottlerocket.mig-unknown-gpu",
      path,
      message: `Bottlerocket's MIG service does not know the ${pool.gpu.model}; it knows ${listed(Object.keys(BOTTLEROCKET_MIG_MODELS))}`,
      remedy: 'use amiFamily "al2023"',
      reference,
    };
  }
  if (pool.sharing.strategy === "single") return null;
  return {
    id: "node-group.bottlerocket.mig-strategy",
    path: `${path}.strategy`,
    message: `Bottlerocket advertises MIG slices as nvidia.com/gpu; with strategy "${pool.sharing.strategy}" pods would wait for ${listed(pool.slots.map(({ resource }) => resource))} for ever`,
    remedy: 'use mig(profile, { strategy: "single" }), or amiFamily "al2023"',
    reference,
  };
}

function manyInstanceTypes(pool: ResolvedPool): FindingText | null {
  const limit = eks().nodeGroupLimits.instanceTypes;
  const count = pool.instanceTypes.length;
  if (count <= limit) return null;
  return {
    id: "node-group.instance-types.many",
    path: `pools.${pool.name}.instanceTypes`,
    message: `${count} instance types; a managed node group takes at most ${limit}`,
    remedy: `leave ${count - limit} out, or split the pool`,
  };
}
