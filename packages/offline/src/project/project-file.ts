import { statSync } from "node:fs";
import { resolve } from "node:path";
import { UserError } from "../errors.ts";
import type { ConfigDeclaration } from "./config-declaration.ts";
import { configDeclarations } from "./config-declaration.ts";
import { findFile, readYaml, TO_JS } from "./yaml-file.ts";

/** What a Pulumi.yaml says, as far as running the program goes. */
export interface ProjectFile {
  /** Folder of the file, absolute. */
  readonly directory: string;
  readonly file: string;
  readonly name: string;
  /** The program's file or folder relative to `directory`; undefined: the folder itself. */
  readonly main: string | undefined;
  readonly runtime: NodeRuntime;
  readonly config: readonly ConfigDeclaration[];
  /** Folder of the stack files, absolute. */
  readonly stackDirectory: string;
}

/** `runtime.options` of a Node.js project. */
export interface NodeRuntime {
  /** False: the program is JavaScript, built by other means. */
  readonly typescript: boolean;
  /** Another tsconfig.json than the one beside the program. */
  readonly tsconfig: string | undefined;
  /** Arguments for node itself. */
  readonly nodeArguments: readonly string[];
}

export function readProjectFile(directory: string): ProjectFile {
  const folder = resolve(directory);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new UserError(`there is no folder ${folder}`);
  }
  const file = findFile(folder, "Pulumi");
  if (file === undefined)
    throw new UserError(`there is no Pulumi.yaml in ${folder}: name the folder of a Pulumi project`);

  const document = readYaml(file);
  const content = (document.toJS(TO_JS) ?? {}) as Record<string, unknown>;
  const name = content.name;
  if (typeof name !== "string" || name === "") throw new UserError(`${file}: "name" must be the name of the project`);
  const main = optionalText(file, "main", content.main);
  // Before types of configuration came, `config` was what is `stackConfigDir` now.
  const stackFolder = optionalText(file, "stackConfigDir", content.stackConfigDir ?? textOnly(content.config)) ?? ".";
  return {
    directory: folder,
    file,
    name,
    main,
    runtime: nodeRuntime(file, content.runtime),
    config: configDeclarations(file, name, document),
    stackDirectory: resolve(folder, stackFolder),
  };
}

function nodeRuntime(file: string, runtime: unknown): NodeRuntime {
  const { name, options } =
    typeof runtime === "string" ? { name: runtime, options: {} } : ((runtime ?? {}) as Record<string, unknown>);
  if (name !== "nodejs") {
    const found = name === undefined ? "no runtime is given" : `the runtime is ${JSON.stringify(name)}`;
    throw new UserError(`${file}: ${found}; only "nodejs" programs can be planned`);
  }
  const { typescript = true, tsconfig, nodeargs } = (options ?? {}) as Record<string, unknown>;
  if (typeof typescript !== "boolean")
    throw new UserError(`${file}: "runtime.options.typescript" must be true or false`);
  return {
    typescript,
    tsconfig: optionalText(file, "runtime.options.tsconfig", tsconfig),
    nodeArguments: words(optionalText(file, "runtime.options.nodeargs", nodeargs) ?? ""),
  };
}

function optionalText(file: string, key: string, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "string") throw new UserError(`${file}: "${key}" must be text`);
  return value;
}

function textOnly(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Splits a command line as a shell does, quotes included. */
function words(commandLine: string): string[] {
  const parts = commandLine.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? [];
  return parts.map((part) => part.replace(/"([^"]*)"|'([^']*)'/g, "$1$2"));
}
