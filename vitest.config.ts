import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: [
      "packages/*/src/**/*.test.ts",
      "stacks/**/*.test.ts",
      "tools/**/*.test.ts",
      "examples/**/*.test.ts",
      "test/**/*.test.ts",
    ],
    // The last two have commands of their own: npm run test:packaging and test:engines.
    exclude: ["**/node_modules/**", "**/dist/**", "test/packaging/**", "test/engines/**"],
    // Every suite sets its own Pulumi monitor; sharing the module graph saves seconds of import per file.
    isolate: false,
    pool: "forks",
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
