import { describe, expect, test } from "vitest";
import { resolvePool, resolveService } from "../check.ts";
import { type ResolveContext, standalone } from "../context.ts";
import type { Finding } from "../finding.ts";
import type { PlatformProps, Service } from "../platform/props.ts";
import { resolvePlatform } from "../platform/resolve.ts";
import type { Pool } from "../pool/props.ts";
import type { Manifest } from "./manifest.ts";
import { manifestFindings, manifestPath } from "./manifest-findings.ts";
import { rules } from "./registry.ts";
import type { Rule } from "./rule.ts";

/** What checking an example gives, with the path below its subject. */
function findings(
  rule: Rule,
  declared: Pool | Service | PlatformProps | Manifest,
  differs: Partial<ResolveContext> | undefined,
): { id: string; at: string; finding: Finding }[] {
  const context = differs ? { ...standalone, ...differs } : standalone;
  const strip = (prefix: string, all: readonly Finding[]) =>
    all.map((finding) => ({
      id: finding.id,
      at:
        finding.path === prefix
          ? ""
          : finding.path.startsWith(`${prefix}.`)
            ? finding.path.slice(prefix.length + 1)
            : finding.path,
      finding,
    }));
  switch (rule.subject) {
    case "pool": {
      const pool = declared as Pool;
      return strip(`pools.${pool.name}`, resolvePool(pool, context).findings);
    }
    case "vllm":
    case "onnx":
    case "service": {
      const service = declared as Service;
      return strip(`services.${service.name}`, resolveService(service, context).findings);
    }
    case "platform":
      return strip("platform", resolvePlatform(declared as PlatformProps).findings);
    case "manifest":
      return strip(manifestPath(declared as Manifest), manifestFindings(declared as Manifest));
  }
}

test("ids are unique and name their area", () => {
  const ids = rules.map((r) => r.id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[a-z0-9]+(\.[a-z0-9-]+){1,3}$/);
});

describe.each(rules.map((rule) => [rule.id, rule] as const))("%s", (_, rule) => {
  test("has a reason, a reference and examples", () => {
    expect(rule.reason).toMatch(/\.$/);
    expect(rule.reference).not.toBe("");
    expect(rule.examples.bad.length).toBeGreaterThan(0);
    expect(rule.examples.good.length).toBeGreaterThan(0);
  });

  test.each(rule.examples.bad.map((e) => [e.title, e] as const))("refuses: %s", (_title, example) => {
    const all = findings(rule, example.declare(), example.context);
    const own = all.filter((f) => f.id === rule.id && f.at === example.at);
    expect(own, `findings were ${JSON.stringify(all.map((f) => [f.id, f.at]))}`).not.toHaveLength(0);
    for (const { finding } of own) {
      expect(finding.severity).toBe(example.severity ?? rule.severity);
      expect(finding.message).not.toMatch(/undefined|NaN|\[object/);
      expect(finding.remedy).not.toMatch(/undefined|NaN|\[object/);
    }
  });

  test.each(rule.examples.good.map((e) => [e.title, e] as const))("accepts: %s", (_title, example) => {
    const all = findings(rule, example.declare(), example.context);
    expect(all.filter((f) => f.id === rule.id)).toHaveLength(0);
    // A good example that does not resolve would prove nothing.
    expect(all.filter((f) => f.id === "declaration.shape" || f.id.endsWith(".unknown"))).toHaveLength(0);
  });
});
