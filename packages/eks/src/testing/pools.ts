import { type Pool, type ResolvedPool, resolvePool, standalone } from "@capstan/core";

/** A declared pool, resolved for the test's region; a test that declares a wrong one should use the findings instead. */
export function resolved(pool: Pool): ResolvedPool {
  const { pool: result, findings } = resolvePool(pool, { ...standalone, region: "eu-central-1" });
  if (result === null) throw new Error(findings.map(({ message }) => message).join("\n"));
  return result;
}
