import { fileURLToPath } from "node:url";
import { planFile, recordProject } from "@capstan/offline";
import { expect, test } from "vitest";
import { UsageError } from "../usage-error.ts";
import { originText } from "./explain-text.ts";

const dir = fileURLToPath(new URL("../../../../stacks/inference-platform", import.meta.url));
const file = planFile(await recordProject({ dir, stack: "staging" }));

test("every value that has an origin can be read, wherever the resolved object keeps it", () => {
  const owners = [
    ...file.resolved.pools.map((pool) => ({ path: `pools.${pool.name}`, origins: pool.origins })),
    ...file.resolved.services.map((service) => ({ path: `services.${service.name}`, origins: service.origins })),
  ];
  const paths = owners.flatMap(({ path, origins }) => Object.keys(origins).map((key) => `${path}.${key}`));
  expect(paths).toContain("services.llama-8b.cpus");
  for (const path of paths) expect(originText(file, path), path).not.toMatch(/undefined/);
});

test("nothing that every object has is a value", () => {
  expect(() => originText(file, "services.llama-8b.constructor")).toThrow(UsageError);
});
