import { defineConfig } from "vitest/config";

// Apart from the other tests: needs python3, and downloads each version of the engine once.
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ["**/*.test.ts"],
    isolate: false,
    testTimeout: 120_000,
    hookTimeout: 600_000,
  },
});
