import { nearest } from "@capstan/catalog";
import * as pulumi from "@pulumi/pulumi";
import { allConfig } from "@pulumi/pulumi/runtime/config.js";
import * as z from "zod";

const PROJECT = "inference-platform";

const count = z.number().int().nonnegative();
const size = z.strictObject({ min: count, max: count.min(1), capacity: z.enum(["on-demand", "spot"]).optional() });
const load = z.strictObject({ min: count, max: count.min(1), requestsPerDay: z.number().positive().optional() });
const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "expected a time such as 08:00");

/** What an environment decides. Models, engines and their pools are the platform's own, see platform.ts. */
export const schema = z.strictObject({
  environment: z.enum(["dev", "staging", "prod"]),
  /** Availability zones of the VPC, in this order for ever. */
  zones: z.array(z.string()).min(2),
  /** Networks that may reach the Kubernetes API besides the VPC; empty: none. */
  apiAllowedCidrs: z.array(z.string()),
  /** S3 bucket that holds the models of the node caches. */
  modelBucket: z.string().min(3),
  kubecostClusterId: z.string(),
  /** A service has its `min` in these hours, up to `max` with load, and nothing outside. Left out: always. */
  officeHours: z.strictObject({ timezone: z.string(), weekdays: z.string(), from: time, to: time }).optional(),
  pools: z.strictObject({ l40s: size, h100Mig: size, l4Shared: size, cpuAmx: size }),
  services: z.strictObject({
    llama8b: load,
    tenantSmall: load,
    lowTraffic: load,
    phi3Mini: load,
    embeddings: load,
    classifier: load,
  }),
});

export type StackConfig = z.infer<typeof schema> & { readonly region: string };

/**
 * The configuration of the stack, checked as a whole.
 *
 * @throws pulumi.RunError naming every wrong key and value at once
 */
export function readConfig(): StackConfig {
  const region = new pulumi.Config("aws").require("region");
  const parsed = schema.safeParse(given());
  if (parsed.success) return { ...parsed.data, region };
  const lines = parsed.error.issues.flatMap(describe);
  throw new pulumi.RunError(`Pulumi.${pulumi.getStack()}.yaml:\n${lines.map((line) => `  ${line}`).join("\n")}`);
}

/** Every key of the project, known or not: a misspelled key must not be silently ignored. */
function given(): Record<string, unknown> {
  const prefix = `${PROJECT}:`;
  const own = Object.entries(allConfig()).filter(([key]) => key.startsWith(prefix));
  return Object.fromEntries(own.map(([key, value]) => [key.slice(prefix.length), parse(value)]));
}

/** Pulumi hands every value over as a string; lists and maps as JSON. */
function parse(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function describe(issue: z.core.$ZodIssue): string[] {
  const path = issue.path.map(String);
  const at = path.length > 0 ? `${PROJECT}:${path.join(".")}` : PROJECT;
  if (issue.code !== "unrecognized_keys") return [`${at}: ${issue.message}`];
  return issue.keys.map((key) => {
    const near = nearest(key, knownKeys(path));
    return `${PROJECT}:${[...path, key].join(".")}: no such key${near ? `; did you mean "${near}"?` : `; known: ${knownKeys(path).join(", ")}`}`;
  });
}

function knownKeys(path: readonly string[]): string[] {
  let current: unknown = schema;
  for (const key of path)
    current = inner(current) instanceof z.ZodObject ? (inner(current) as z.ZodObject).shape[key] : undefined;
  const object = inner(current);
  return object instanceof z.ZodObject ? Object.keys(object.shape) : [];
}

function inner(value: unknown): unknown {
  return value instanceof z.ZodOptional ? value.unwrap() : value;
}
