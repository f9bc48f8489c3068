import { expect, test } from "vitest";
import { resolvePool } from "./check.ts";
import { standalone } from "./context.ts";
import { poolFromJson, poolToJson } from "./json.ts";
import { gpuPool } from "./pool/declare.ts";
import type { ResolvedPool } from "./pool/resolved.ts";

const declared = gpuPool({ name: "l40s", instanceType: "g6e.2xlarge", size: { min: 0, max: 2 } });

function written(): { readonly pool: ResolvedPool } {
  const { pool } = resolvePool(declared, { ...standalone, region: "us-east-1" });
  if (!pool) throw new Error("the pool has errors");
  return poolToJson(pool);
}

test("a pool is read as it was written, but its nodes are somebody else's", () => {
  const { pool } = resolvePool(poolFromJson(JSON.parse(JSON.stringify(written()))));
  expect(pool).toEqual({ ...written().pool, managed: false });
});

test("a document that lacks any field is refused with the field's name", () => {
  for (const field of Object.keys(written().pool)) {
    const document = JSON.parse(JSON.stringify(written())) as { pool: Record<string, unknown> };
    delete document.pool[field];
    expect(() => poolFromJson(document), field).toThrow(new RegExp(`the pool has no ${field};`));
  }
});

test("the price of another region is not known, never the one of the region it was written in", () => {
  const pool = poolFromJson(written());
  expect(resolvePool(pool, { ...standalone, region: "us-east-1" }).pool?.price.usdPerHour?.expected).toBe(2.24208);
  expect(resolvePool(pool, { ...standalone, region: "eu-central-1" }).pool?.price).toMatchObject({
    usdPerHour: null,
    basis: "written for us-east-1, not for eu-central-1",
  });
});
