import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { recordInProcess } from "@capstan/offline";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { program } from "../../stacks/inference-platform/program.ts";

type Config = Record<string, unknown>;

const file = resolve(import.meta.dirname, "../../stacks/inference-platform/Pulumi.dev.yaml");
const dev = (parse(readFileSync(file, "utf8")) as { readonly config: Config }).config;
const key = (name: string) => `inference-platform:${name}`;

/** What the program says of a configuration, and what it has registered by then. */
async function run(config: Config): Promise<{ message: string; types: string[] }> {
  const texts = Object.entries(config).map(([name, value]) => [
    name,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  let message = "";
  const { resources } = await recordInProcess(
    { project: "inference-platform", stack: "dev", config: Object.fromEntries(texts) },
    () => {
      try {
        program();
      } catch (error) {
        message = (error as Error).message;
      }
    },
  );
  return { message, types: resources.map(({ type }) => type) };
}

const pools = dev[key("pools")] as Config;
const services = dev[key("services")] as Config;
const { [key("modelBucket")]: _, ...withoutBucket } = dev;

test.each<[title: string, config: Config, lines: readonly RegExp[]]>([
  [
    "a misspelt key",
    { ...dev, [key("kubecostClusterID")]: "x" },
    [/inference-platform:kubecostClusterID: no such key; did you mean "kubecostClusterId"\?/],
  ],
  [
    "a misspelt pool",
    { ...dev, [key("pools")]: { ...pools, l40: { min: 0, max: 1 } } },
    [/inference-platform:pools\.l40: no such key; did you mean "l40s"\?/],
  ],
  [
    "a misspelt property of a service",
    { ...dev, [key("services")]: { ...services, llama8b: { min: 1, max: 1, requestPerDay: 5 } } },
    [/inference-platform:services\.llama8b\.requestPerDay: no such key; did you mean "requestsPerDay"\?/],
  ],
  [
    "a key that is missing",
    withoutBucket,
    [/inference-platform:modelBucket: .*required|inference-platform:modelBucket: .*expected string/i],
  ],
  [
    "an environment that does not exist",
    { ...dev, [key("environment")]: "production" },
    [/inference-platform:environment: .*"dev"/],
  ],
  [
    "several at once",
    {
      ...dev,
      [key("zones")]: ["us-east-1a"],
      [key("pools")]: { ...pools, l40s: { min: -1, max: 1 } },
      [key("servces")]: services,
    },
    [
      /inference-platform:zones: /,
      /inference-platform:pools\.l40s\.min: /,
      /inference-platform:servces: no such key; did you mean "services"\?/,
    ],
  ],
])("%s in the stack's configuration names itself and registers nothing", async (_title, config, lines) => {
  const { message, types } = await run(config);
  expect(message.split("\n")[0]).toBe("Pulumi.dev.yaml:");
  for (const line of lines) expect(message).toMatch(line);
  expect(message.split("\n").slice(1)).toHaveLength(lines.length);
  expect(types).toEqual(["pulumi:pulumi:Stack"]);
});

test("the configuration as it stands has nothing wrong with it", async () => {
  const { message, types } = await run(dev);
  expect(message).toBe("");
  expect(types).toContain("capstan:eks:InferencePlatform");
});
