/** AWS partition of a region: the second field of every ARN. */
export function partitionOf(region: string): "aws" | "aws-cn" | "aws-us-gov" {
  if (region.startsWith("cn-")) return "aws-cn";
  return region.startsWith("us-gov-") ? "aws-us-gov" : "aws";
}

/** ARN of a policy that AWS keeps. */
export function managedPolicyArn(region: string, name: string): string {
  return `arn:${partitionOf(region)}:iam::aws:policy/${name}`;
}
