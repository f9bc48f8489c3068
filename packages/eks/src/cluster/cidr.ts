/** An IPv4 block: the address as a number, and the length of the prefix. */
export interface Cidr {
  readonly address: number;
  readonly prefix: number;
}

/** Null where the text is no IPv4 block, or has bits set behind its prefix. */
export function parseCidr(text: string): Cidr | null {
  const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})\/(\d{1,2})$/.exec(text);
  if (!match) return null;
  const [a, b, c, d, prefix] = match.slice(1).map(Number) as [number, number, number, number, number];
  if ([a, b, c, d].some((octet) => octet > 255) || prefix > 32) return null;
  const address = a * 2 ** 24 + b * 2 ** 16 + c * 2 ** 8 + d;
  return address % 2 ** (32 - prefix) === 0 ? { address, prefix } : null;
}

export function formatCidr({ address, prefix }: Cidr): string {
  const octets = [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256);
  return `${octets.join(".")}/${prefix}`;
}

/** The n-th block of a longer prefix inside the block. */
function subBlock(block: Cidr, prefix: number, index: number): Cidr {
  return { address: block.address + index * 2 ** (32 - prefix), prefix };
}

export interface SubnetPlan {
  readonly zone: string;
  readonly privateCidr: string;
  readonly publicCidr: string;
}

/** Nodes and pods get an eighth of the network in each zone. */
const PRIVATE_BITS = 3;
/** NAT gateways and load balancers need few addresses: 1/256 of the network, out of its last eighth. */
const PUBLIC_BITS = 8;
/** The last eighth holds the public subnets, so that many zones fit. */
export const MOST_ZONES = 2 ** PRIVATE_BITS - 1;
/** AWS takes VPCs of /16 and smaller, and subnets of /28 and larger. */
export const LARGEST_VPC_PREFIX = 16;
export const SMALLEST_VPC_PREFIX = 28 - PUBLIC_BITS;

/**
 * Subnets of a VPC, one private and one public for each zone, in the order of the zones. A zone that is added at the
 * end leaves the others where they are.
 */
export function subnetPlan(vpc: Cidr, zones: readonly string[]): SubnetPlan[] {
  const publicBlock = subBlock(vpc, vpc.prefix + PRIVATE_BITS, MOST_ZONES);
  return zones.map((zone, index) => ({
    zone,
    privateCidr: formatCidr(subBlock(vpc, vpc.prefix + PRIVATE_BITS, index)),
    publicCidr: formatCidr(subBlock(publicBlock, vpc.prefix + PUBLIC_BITS, index)),
  }));
}
