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
  const gateways = createNatGateways(vpc, name, publicSubnets, publicRoute, input);
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

/** Public subnets share one way out; private ones have each their zone's. */
function createPublicSubnets(
  vpc: Vpc,
  name: string,
  plan: readonly SubnetPlan[],
  input: NetworkInput,
): { readonly subnets: readonly ZoneSubnet[]; readonly route: Route } {
  const gatewayArgs: InternetGatewayArgs = { vpcId: vpc.id, tags: { Name: name, ...input.tags } };
  const gateway = new InternetGateway(name, transformed(input.transform?.internetGateway, gatewayArgs, name), {
    parent: vpc,
  });
  const table = createRouteTable(vpc, `${name}-public`, input);
  const route = createDefaultRoute(table, `${name}-public`, { gatewayId: gateway.id }, input);
  const subnets = plan.map(({ zone, publicCidr }) => {
    const subnetName = `${name}-public-${zone}`;
    // The AWS Load Balancer Controller looks for this tag.
    const subnet = createSubnet(vpc, subnetName, zone, publicCidr, "kubernetes.io/role/elb", input);
    associate(table, subnet, subnetName, input);
    return { zone, subnet };
  });
  return { subnets, route };
}

/** One gateway serves all zones, or each zone has its own: then a zone that fails takes no other one's way out. */
function createNatGateways(
  vpc: Vpc,
  name: string,
  publicSubnets: readonly ZoneSubnet[],
  publicRoute: Route,
  input: NetworkInput,
): ReadonlyMap<string, NatGateway> {
  const home = input.natGateways === "one" ? publicSubnets.slice(0, 1) : publicSubnets;
  const made = home.map(({ zone, subnet }) => {
    const gatewayName = `${name}-nat-${zone}`;
    const tags = { Name: gatewayName, ...input.tags };
    const addressArgs: EipArgs = { domain: "vpc", tags };
    const address = new Eip(gatewayName, transformed(input.transform?.eip, addressArgs, gatewayName), { parent: vpc });
    const args: NatGatewayArgs = { allocationId: address.id, subnetId: subnet.id, tags };
    return new NatGateway(gatewayName, transformed(input.transform?.natGateway, args, gatewayName), {
      parent: vpc,
      // EC2 refuses a gateway in a VPC that has no way out yet.
      dependsOn: [publicRoute],
    });
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
    const table = createRouteTable(vpc, subnetName, input);
    const route = createDefaultRoute(table, subnetName, { natGatewayId: gateways.get(zone)!.id }, input);
    associate(table, subnet, subnetName, input);
    return { zone, subnet, table, route };
  });
  createS3Endpoint(
    vpc,
    `${name}-s3`,
    made.map(({ table }) => table),
    input,
  );
  return made;
}

/** Models of hundreds of gigabytes come from S3; through a NAT gateway every one of them would be paid for. */
function createS3Endpoint(vpc: Vpc, name: string, tables: readonly RouteTable[], input: NetworkInput): VpcEndpoint {
  const args: VpcEndpointArgs = {
    vpcId: vpc.id,
    serviceName: `com.amazonaws.${input.region}.s3`,
    vpcEndpointType: "Gateway",
    routeTableIds: tables.map(({ id }) => id),
    tags: { Name: name, ...input.tags },
  };
  return new VpcEndpoint(name, transformed(input.transform?.vpcEndpoint, args, name), { parent: vpc });
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

function createRouteTable(vpc: Vpc, name: string, input: NetworkInput): RouteTable {
  const args: RouteTableArgs = { vpcId: vpc.id, tags: { Name: name, ...input.tags } };
  return new RouteTable(name, transformed(input.transform?.routeTable, args, name), { parent: vpc });
}

function createDefaultRoute(
  table: RouteTable,
  name: string,
  target: Pick<RouteArgs, "gatewayId" | "natGatewayId">,
  input: NetworkInput,
): Route {
  const args: RouteArgs = { routeTableId: table.id, destinationCidrBlock: "0.0.0.0/0", ...target };
  return new Route(name, transformed(input.transform?.route, args, name), { parent: table });
}

function associate(table: RouteTable, subnet: Subnet, name: string, input: NetworkInput): void {
  const args: RouteTableAssociationArgs = { routeTableId: table.id, subnetId: subnet.id };
  new RouteTableAssociation(name, transformed(input.transform?.routeTableAssociation, args, name), { parent: subnet });
}
