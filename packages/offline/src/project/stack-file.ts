import { readdirSync } from "node:fs";
import { isMap, isScalar, isSeq } from "yaml";
import { UserError } from "../errors.ts";
import { typeMismatch } from "./config-declaration.ts";
import type { ConfigValue } from "./config-value.ts";
import { configValueOf } from "./config-value.ts";
import { withTypedPlaceholder } from "./encrypted-placeholder.ts";
import { nearest } from "./nearest.ts";
import type { ProjectFile } from "./project-file.ts";
import { EXTENSIONS, findFile, readYaml } from "./yaml-file.ts";

/** Configuration of one stack of a project, complete: what the stack file leaves out comes from Pulumi.yaml. */
export interface StackConfig {
  /** Keys with their namespace. */
  readonly config: Readonly<Record<string, string>>;
  readonly secretConfig: readonly string[];
  /** ESC environments that the file imports: they live in a cloud and are not read. */
  readonly environments: readonly string[];
}

export function readStackConfig(
  project: ProjectFile,
  stack: string,
  given: Readonly<Record<string, string>> = {},
): StackConfig {
  const file = findFile(project.stackDirectory, `Pulumi.${stack}`);
  if (file === undefined) throw new UserError(noStackMessage(project, stack));
  const document = readYaml(file);
  const config = document.get("config", true);
  if (config !== undefined && !isMap(config) && !(isScalar(config) && config.value === null)) {
    throw new UserError(`${file}: "config" must be a mapping (key: value)`);
  }

  const values = new Map<string, ConfigValue>();
  for (const { key, value } of isMap(config) ? config.items : []) {
    values.set(qualified(project, String(isScalar(key) ? key.value : key)), configValueOf(value, document));
  }
  for (const [name, text] of Object.entries(given)) {
    const key = qualified(project, name);
    const declared = project.config.find((declaration) => declaration.key === key)?.type?.type;
    // What was secret stays secret, whoever gives the value.
    const secret = values.get(key)?.secret ?? false;
    values.set(key, { text, structure: declared === "array" || declared === "object", secret });
  }
  completeAndCheck(project, stack, file, values);
  const keys = [...values.keys()].sort();
  return {
    config: Object.fromEntries(keys.map((key) => [key, values.get(key)!.text])),
    secretConfig: keys.filter((key) => values.get(key)!.secret),
    environments: environmentsOf(document.get("environment", true)),
  };
}

/** `replicas` and the old spelling `project:config:replicas` are `project:replicas`. */
function qualified(project: ProjectFile, key: string): string {
  return key.includes(":") ? key.replace(/^([^:]+):config:/, "$1:") : `${project.name}:${key}`;
}

/** Fills in defaults; all that is missing or of a wrong type is said at once. */
function completeAndCheck(project: ProjectFile, stack: string, file: string, values: Map<string, ConfigValue>): void {
  const problems: string[] = [];
  for (const { key, type, fallback, secret } of project.config) {
    const value = values.get(key);
    if (value === undefined) {
      if (fallback === undefined)
        problems.push(`${key} is missing: set it with "pulumi config set --stack ${stack} ${key} VALUE"`);
      else values.set(key, fallback);
      continue;
    }
    if (secret && !value.secret) problems.push(`${key} is declared secret but stands in clear: set it with --secret`);
    const wanted = type === undefined ? null : typeMismatch(value, type);
    if (wanted === null) values.set(key, withTypedPlaceholder(value, type));
    // What is declared secret may stand in clear by mistake: it must not get into a log for that.
    else if (secret) problems.push(`${key} (secret, not shown) is not of type ${wanted}`);
    else problems.push(`${key} is ${value.text}, which is not of type ${wanted}`);
  }
  if (problems.length > 0) {
    throw new UserError(
      `${file} does not satisfy ${project.file}:\n${problems.map((problem) => `  ${problem}`).join("\n")}`,
    );
  }
}

function noStackMessage(project: ProjectFile, stack: string): string {
  const existing = stacksOf(project.stackDirectory);
  const missing = `there is no Pulumi.${stack}.yaml in ${project.stackDirectory}`;
  if (existing.length === 0) return `${missing}: create one, it may be empty`;
  const close = nearest(stack, existing);
  return `${missing}; stacks there: ${existing.join(", ")}${close === undefined ? "" : `. Did you mean "${close}"?`}`;
}

function stacksOf(directory: string): string[] {
  const pattern = new RegExp(`^Pulumi\\.(.+)(?:${EXTENSIONS.map((extension) => `\\${extension}`).join("|")})$`);
  let files: string[];
  try {
    files = readdirSync(directory);
  } catch {
    return [];
  }
  return files
    .map((file) => pattern.exec(file)?.[1])
    .filter((name) => name !== undefined)
    .sort();
}

function environmentsOf(node: unknown): string[] {
  const imports = isMap(node) ? node.get("imports", true) : node;
  if (!isSeq(imports)) return [];
  return imports.items.map((item) =>
    isScalar(item) ? String(item.value) : isMap(item) ? String(item.items[0]?.key) : String(item),
  );
}
