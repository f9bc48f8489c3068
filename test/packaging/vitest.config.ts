import { defineConfig } from "vitest/config";

// Apart from the other tests: builds, packs and installs every package, which takes most of a minute.
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ["**/*.test.ts"],
    isolate: false,
    testTimeout: 120_000,
    hookTimeout: 300_000,
  },
});
