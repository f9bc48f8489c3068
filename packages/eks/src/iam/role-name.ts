import { hash } from "@capstan/core";

/** IAM takes 64 characters; Pulumi adds seven to the name of a resource, and fails where the sum is longer. */
const LONGEST_ROLE_NAME = 64 - 7 - 1;
/** The provider adds 26 characters to a prefix. */
const LONGEST_PREFIX = 64 - 26;

/** A shortened name for a role whose own would be too long; with a hash, so that two long ones stay two. */
export function roleName(name: string): { readonly namePrefix?: string } {
  if (name.length <= LONGEST_ROLE_NAME) return {};
  const suffix = `-${hash(name)}-`;
  return { namePrefix: `${name.slice(0, LONGEST_PREFIX - suffix.length)}${suffix}` };
}
