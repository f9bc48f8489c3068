import { expect, test } from "vitest";
import { isStackUrn, resourceUrn, urnOfProviderReference } from "./urn.ts";

const at = { stack: "dev", project: "shop" };
const STACK = "urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev";

test("a URN carries the types of all ancestors but the stack's, and the name as it is", () => {
  expect(resourceUrn(at, "", "pulumi:pulumi:Stack", "shop-dev")).toBe(STACK);
  const team = resourceUrn(at, STACK, "acme:index:Team", "a");
  expect(team).toBe("urn:pulumi:dev::shop::acme:index:Team::a");
  const inner = resourceUrn(at, team, "acme:index:Inner", "b");
  expect(resourceUrn(at, inner, "aws:s3/bucket:Bucket", "x::y")).toBe(
    "urn:pulumi:dev::shop::acme:index:Team$acme:index:Inner$aws:s3/bucket:Bucket::x::y",
  );
});

test("tells the stack from what only lives in it", () => {
  expect(isStackUrn(STACK)).toBe(true);
  expect(isStackUrn("urn:pulumi:dev::shop::acme:index:Team::pulumi:pulumi:Stack")).toBe(false);
});

test("takes the id off a provider reference", () => {
  expect(urnOfProviderReference("urn:pulumi:dev::shop::pulumi:providers:aws::eu::04da6b54")).toBe(
    "urn:pulumi:dev::shop::pulumi:providers:aws::eu",
  );
  expect(urnOfProviderReference("")).toBe("");
});
