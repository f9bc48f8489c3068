import { eks } from "@capstan/catalog";
import type { Finding } from "@capstan/core";
import { finding, listed } from "../findings.ts";
import { LARGEST_VPC_PREFIX, MOST_ZONES, parseCidr, SMALLEST_VPC_PREFIX } from "./cidr.ts";
import type { EksClusterArgs } from "./props.ts";

/** EKS's own rule for cluster names. */
const CLUSTER_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/;

export interface ClusterSubject {
  readonly args: EksClusterArgs;
  readonly clusterName: string;
  readonly kubernetes: string;
  readonly zones: readonly string[];
  readonly cidr: string;
}

/** What is wrong with the declaration of a cluster, all of it. */
export function clusterFindings(subject: ClusterSubject): Finding[] {
  return [
    ...nameFindings(subject),
    ...networkFindings(subject),
    ...endpointFindings(subject),
    ...privateEndpointFindings(subject),
    ...systemPoolFindings(subject),
    ...accessFindings(subject),
    ...addonFindings(subject),
  ];
}

function nameFindings({ clusterName, args }: ClusterSubject): Finding[] {
  if (CLUSTER_NAME.test(clusterName)) return [];
  return [
    finding(
      "error",
      {
        id: "cluster.name.invalid",
        path: args.clusterName === undefined ? "name" : "clusterName",
        message: `"${clusterName}" is no name for an EKS cluster: letters, digits, "-" and "_", at most 100, the first one no sign`,
        remedy: "choose another clusterName",
      },
      {},
    ),
  ];
}

function networkFindings({ args, zones, cidr }: ClusterSubject): Finding[] {
  if ((args.vpc === undefined) === (args.network === undefined)) {
    const both = args.vpc !== undefined;
    return [
      finding(
        "error",
        {
          id: both ? "cluster.network.two" : "cluster.network.missing",
          path: "network",
          message: both ? "vpc and network are both given" : "neither vpc nor network is given",
          remedy: "give vpc for a new network, or network for subnets that are there already",
        },
        {},
      ),
    ];
  }
  return args.vpc === undefined ? [] : [...cidrFindings(cidr), ...zoneFindings(zones, args.region)];
}

function cidrFindings(cidr: string): Finding[] {
  const block = parseCidr(cidr);
  if (block !== null && block.prefix >= LARGEST_VPC_PREFIX && block.prefix <= SMALLEST_VPC_PREFIX) return [];
  return [
    finding(
      "error",
      {
        id: "cluster.vpc.cidr",
        path: "vpc.cidr",
        message: `"${cidr}" is no IPv4 block between /${LARGEST_VPC_PREFIX} and /${SMALLEST_VPC_PREFIX}`,
        remedy: 'write a block such as "10.0.0.0/16", with no bits set behind the prefix',
        reference: "https://docs.aws.amazon.com/vpc/latest/userguide/vpc-cidr-blocks.html",
      },
      {},
    ),
  ];
}

function zoneFindings(zones: readonly string[], region: string): Finding[] {
  const problems: { message: string; remedy: string }[] = [];
  if (zones.length < 2 || zones.length > MOST_ZONES) {
    problems.push({
      message: `${zones.length} zones; a control plane needs two, and the network has room for ${MOST_ZONES}`,
      remedy: `give between 2 and ${MOST_ZONES} zones`,
    });
  }
  const repeated = zones.filter((zone, index) => zones.indexOf(zone) !== index);
  if (repeated.length > 0) {
    problems.push({ message: `${listed([...new Set(repeated)])} is named twice`, remedy: "name every zone once" });
  }
  const foreign = zones.filter((zone) => !zone.startsWith(region) || zone === region);
  if (foreign.length > 0) {
    problems.push({
      message: `${listed(foreign)} is no zone of ${region}`,
      remedy: `name zones of ${region}, or their letters ("a")`,
    });
  }
  return problems.map((problem) => finding("error", { id: "cluster.vpc.zones", path: "vpc.zones", ...problem }, {}));
}

function endpointFindings({ args }: ClusterSubject): Finding[] {
  const cidrs = args.endpoint?.publicCidrs ?? [];
  const acknowledge = args.acknowledge ?? {};
  return cidrs.flatMap((cidr, index) => {
    const path = `endpoint.publicCidrs.${index}`;
    const block = parseCidr(cidr);
    if (block === null) {
      return [
        finding(
          "error",
          {
            id: "cluster.endpoint.cidr",
            path,
            message: `"${cidr}" is no IPv4 block`,
            remedy: 'write a block such as "203.0.113.0/24", with no bits set behind the prefix',
          },
          {},
        ),
      ];
    }
    if (block.prefix > 0) return [];
    return [
      finding(
        "error",
        {
          id: "cluster.endpoint.open",
          path,
          message: `${cidr} lets the whole internet talk to the API server`,
          remedy: "name the blocks of your offices and pipelines, or leave endpoint out and deploy from inside the VPC",
          reference: "https://docs.aws.amazon.com/eks/latest/userguide/cluster-endpoint.html",
        },
        acknowledge,
      ),
    ];
  });
}

/** Of a network that is only being made no program outside is a part, so what comes after the cluster would hang. */
function privateEndpointFindings({ args }: ClusterSubject): Finding[] {
  if (args.vpc === undefined || (args.endpoint?.publicCidrs ?? []).length > 0) return [];
  return [
    finding(
      "warning",
      {
        id: "cluster.endpoint.private",
        path: "endpoint.publicCidrs",
        message:
          "no block is named, so only the new VPC reaches the API server; a deployment from outside makes the cluster and then hangs",
        remedy:
          "name the blocks of your pipelines and offices, or run Pulumi inside the VPC and acknowledge this finding",
        reference: "https://docs.aws.amazon.com/eks/latest/userguide/cluster-endpoint.html",
      },
      args.acknowledge ?? {},
    ),
  ];
}

function systemPoolFindings({ args }: ClusterSubject): Finding[] {
  const min = args.systemPool?.size?.min;
  if (min === undefined || min >= 1) return [];
  return [
    finding(
      "error",
      {
        id: "cluster.system-pool.empty",
        path: "systemPool.size.min",
        message: `${min}; DNS, the autoscaler and every operator run here, and an autoscaler that has no node starts none`,
        remedy: "set min to 2, so that one node can fail or be updated",
      },
      {},
    ),
  ];
}

function accessFindings({ args }: ClusterSubject): Finding[] {
  const names = (args.accessEntries ?? []).map((entry) => entry.name);
  const repeated = [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
  return repeated.map((name) =>
    finding(
      "error",
      {
        id: "cluster.access.duplicate",
        path: "accessEntries",
        message: `two access entries are called "${name}"`,
        remedy: "give each its own name",
      },
      {},
    ),
  );
}

/** An add-on without a pin takes what EKS recommends on the day: two deployments of one program may differ. */
function addonFindings({ args, kubernetes }: ClusterSubject): Finding[] {
  const unpinned = eks()
    .addons.filter(({ name, versions }) => (args.addonVersions?.[name] ?? versions[kubernetes] ?? null) === null)
    .map(({ name }) => name);
  if (unpinned.length === 0) return [];
  return [
    finding(
      "warning",
      {
        id: "cluster.addons.unpinned",
        path: "addonVersions",
        message: `no version of ${listed(unpinned)} is known for Kubernetes ${kubernetes}, so EKS chooses one`,
        remedy: "pin them in addonVersions",
      },
      args.acknowledge ?? {},
    ),
  ];
}
