import fc from "fast-check";
import { expect, test } from "vitest";
import { roleName } from "./role-name.ts";

test("leaves a name that fits to Pulumi", () => {
  expect(roleName("a".repeat(56))).toEqual({});
});

test("a longer one becomes a prefix that IAM takes, and two stay two", () => {
  const long = fc.string({ minLength: 57, maxLength: 200, unit: fc.constantFrom(..."abcdefghijklmnopqrstuvwxyz-") });
  fc.assert(
    fc.property(long, (name) => {
      const { namePrefix } = roleName(name);
      expect(namePrefix).toHaveLength(38);
      expect(name.startsWith(namePrefix!.slice(0, 30))).toBe(true);
    }),
  );
  const common = "inference-capstan-system-preload-".padEnd(60, "x");
  expect(roleName(`${common}a`)).not.toEqual(roleName(`${common}b`));
});
