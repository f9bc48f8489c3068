import { Eip, type EipArgs } from "@pulumi/aws/ec2/eip.js";
import { InternetGateway, type InternetGatewayArgs } from "@pulumi/aws/ec2/internetGateway.js";
import { NatGateway, type NatGatewayArgs } from "@pulumi/aws/ec2/natGateway.js";
import { Route, type RouteArgs } from "@pulumi/aws/ec2/route.js";
import { RouteTable, type RouteTableArgs } from "@pulumi/aws/ec2/routeTable.js";
import { RouteTableAssociation, type RouteTableAssociationArgs } from "@pulumi/aws/ec2/routeTableAssociation.js";
import { Subnet, type SubnetArgs } from "@pulumi/aws/ec2/subnet.js";
import { Vpc, type VpcArgs } from "@pulumi/aws/ec2/vpc.js";
import { VpcEndpoint, type VpcEndpointArgs } from "@pulumi/aws/ec2/vpcEndpoint.js";
import type * as pulumi from "@pulumi/pulumi";
import { type Transform, transformed } from "../transform.ts";
import { type Cidr, formatCidr, type SubnetPlan, subnetPlan } from "./cidr.ts";
import { type NodeSubnets, nodeSubnets } from "./subnets.ts";

export interface NetworkTransform {
  readonly vpc?: Transform<VpcArgs>;
  readonly subnet?: Transform<SubnetArgs>;
  readonly natGateway?: Transform<NatGatewayArgs>;
  readonly vpcEndpoint?: Transform<VpcEndpointArgs>;
  readonly internetGateway?: Transform<InternetGatewayArgs>;
  readonly eip?: Transform<EipArgs>;
  readonly routeTable?: Transform<RouteTableArgs>;
  readonly route?: Transform<RouteArgs>;
  readonly routeTableAssociation?: Transform<RouteTableAssociationArgs>;
}

export interface NetworkInput {
  readonly region: string;
  readonly cidr: Cidr;
  readonly zones: readonly string[];
  readonly natGateways: "one" | "per-zone";
  readonly tags: Readonly<Record<string, pulumi.Input<string>>>;
  readonly transform: NetworkTransform | undefined;
}

export interface Network {
  readonly vpcId: pulumi.Output<string>;
  readonly privateSubnets: NodeSubnets;
  readonly publicSubnets: NodeSubnets | null;
  /** What nodes need to reach the internet. */
  readonly dependencies: readonly pulumi.Resource[];
}

/** A VPC for one cluster: private subnets for nodes, public ones for NAT gateways and load balancers. */
export function createNetwork(parent: pulumi.Resource, name: string, input: NetworkInput): Network {
  const { tags, transform } = input;
  const vpc = new Vpc(
    name,
    transformed(
      transform?.vpc,
      {
        cidrBlock: formatCidr(input.cidr),
        enableDnsSupport: true,
        enableDnsHostnames: true,
        tags: { Name: name, ...tags },
      },
      name,
    ),
    { parent },
  );
  const plan = subnetPlan(input.cidr, input.zones);
  const { subnets: publicSubnets, route: publicRoute } = createPublicSubnets(vpc, name, plan, input);
  const gateways = createNatGateways(vpc, name, publicSubnets, input);
  const privateSubnets = createPrivateSubnets(vpc, name, plan, gateways, input);
  return {
    vpcId: vpc.id,
    privateSubnets: byZone(privateSubnets),
    publicSubnets: byZone(publicSubnets),
    dependencies: [publicRoute, ...privateSubnets.map(({ route }) => route)],
  };
}

interface ZoneSubnet {
  readonly zone: string;
  readonly subnet: Subnet;
}

function byZone(subnets: readonly ZoneSubnet[]): NodeSubnets {
  return nodeSubnets(Object.fromEntries(subnets.map(({ zone, subnet }) => [zone, subnet.id])));
}

function createPublicSubnets(
  vpc: Vpc,
  name: string,
  plan: readonly SubnetPlan[],
  input: NetworkInput,
): { readonly subnets: readonly ZoneSubnet[]; readonly route: Route } {
  const gateway = new InternetGateway(name, { vpcId: vpc.id, tags: { Name: name, ...input.tags } }, { parent: vpc });
  const tableName = `${name}-public`;
  const table = new RouteTable(tableName, { vpcId: vpc.id, tags: { Name: tableName, ...input.tags } }, { parent: vpc });
  const route = new Route(
    tableName,
    { routeTableId: table.id, destinationCidrBlock: "0.0.0.0/0", gatewayId: gateway.id },
    { parent: table },
  );
  const subnets = plan.map(({ zone, publicCidr }) => {
    // The AWS Load Balancer Controller looks for this tag.
    const subnet = createSubnet(vpc, `${name}-public-${zone}`, zone, publicCidr, "kubernetes.io/role/elb", input);
    new RouteTableAssociation(
      `${name}-public-${zone}`,
      { routeTableId: table.id, subnetId: subnet.id },
      { parent: subnet },
    );
    return { zone, subnet };
  });
  return { subnets, route };
}

/** One gateway serves all zones, or each zone has its own: then a zone that fails takes no other one's way out. */
function createNatGateways(
  vpc: Vpc,
  name: string,
  publicSubnets: readonly ZoneSubnet[],
  input: NetworkInput,
): ReadonlyMap<string, NatGateway> {
  const home = input.natGateways === "one" ? publicSubnets.slice(0, 1) : publicSubnets;
  const made = home.map(({ zone, subnet }) => {
    const gatewayName = `${name}-nat-${zone}`;
    const tags = { Name: gatewayName, ...input.tags };
    const address = new Eip(gatewayName, { domain: "vpc", tags }, { parent: vpc });
    const args: NatGatewayArgs = { allocationId: address.id, subnetId: subnet.id, tags };
    return new NatGateway(gatewayName, transformed(input.transform?.natGateway, args, gatewayName), { parent: vpc });
  });
  return new Map(publicSubnets.map(({ zone }, index) => [zone, made[Math.min(index, made.length - 1)]!]));
}

function createPrivateSubnets(
  vpc: Vpc,
  name: string,
  plan: readonly SubnetPlan[],
  gateways: ReadonlyMap<string, NatGateway>,
  input: NetworkInput,
): (ZoneSubnet & { readonly route: Route })[] {
  const made = plan.map(({ zone, privateCidr }) => {
    const subnetName = `${name}-private-${zone}`;
    const subnet = createSubnet(vpc, subnetName, zone, privateCidr, "kubernetes.io/role/internal-elb", input);
    const table = new RouteTable(
      subnetName,
      { vpcId: vpc.id, tags: { Name: subnetName, ...input.tags } },
      { parent: vpc },
    );
    const route = new Route(
      subnetName,
      { routeTableId: table.id, destinationCidrBlock: "0.0.0.0/0", natGatewayId: gateways.get(zone)!.id },
      { parent: table },
    );
    new RouteTableAssociation(subnetName, { routeTableId: table.id, subnetId: subnet.id }, { parent: subnet });
    return { zone, subnet, table, route };
  });
  // Models of hundreds of gigabytes come from S3; through a NAT gateway every one of them would be paid for.
  const endpointName = `${name}-s3`;
  const endpoint: VpcEndpointArgs = {
    vpcId: vpc.id,
    serviceName: `com.amazonaws.${input.region}.s3`,
    vpcEndpointType: "Gateway",
    routeTableIds: made.map(({ table }) => table.id),
    tags: { Name: endpointName, ...input.tags },
  };
  new VpcEndpoint(endpointName, transformed(input.transform?.vpcEndpoint, endpoint, endpointName), { parent: vpc });
  return made;
}

function createSubnet(
  vpc: Vpc,
  name: string,
  zone: string,
  cidrBlock: string,
  roleTag: string,
  input: NetworkInput,
): Subnet {
  const args: SubnetArgs = {
    vpcId: vpc.id,
    availabilityZone: zone,
    cidrBlock,
    mapPublicIpOnLaunch: false,
    tags: { Name: name, [roleTag]: "1", ...input.tags },
  };
  return new Subnet(name, transformed(input.transform?.subnet, args, name), { parent: vpc });
}
