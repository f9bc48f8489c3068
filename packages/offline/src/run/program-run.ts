import type { ProgramEntry } from "../project/program-entry.ts";
import { findProgram } from "../project/program-entry.ts";
import type { NodeRuntime } from "../project/project-file.ts";
import { readProjectFile } from "../project/project-file.ts";
import { readStackConfig } from "../project/stack-file.ts";
import type { StackReferences } from "../recording.ts";
import type { ProgramSettings } from "./runtime.ts";
import type { PulumiSdk } from "./sdk.ts";
import { requireSdk } from "./sdk.ts";

export interface RecordProjectOptions {
  /** Folder of a Pulumi.yaml. */
  readonly dir: string;
  /** `dev`, or with the organization `acme/dev` or `acme/project/dev`. */
  readonly stack: string;
  /** @default - outputs of other stacks are unknown */
  readonly stackReferences?: StackReferences;
  /**
   * Takes the place of values of the stack file, for instance of an encrypted one that the program computes with
   * (`[secret]` stands for it otherwise, or 0, false, {} or [] where Pulumi.yaml declares such a type). Keys bare or with a namespace; what is encrypted in the file stays secret.
   * @default - the stack file alone
   */
  readonly config?: Readonly<Record<string, string>>;
  /** The node that runs the program. @default - the one that runs this */
  readonly nodePath?: string;
  /** How long the program may take. @default 120 */
  readonly timeoutSeconds?: number;
}

/** All that the two ways of running a program need to know. */
export interface ProgramRun {
  readonly settings: ProgramSettings;
  readonly program: ProgramEntry;
  readonly runtime: NodeRuntime;
  /** The program's own copy. */
  readonly sdk: PulumiSdk;
  readonly stackReferences: StackReferences;
  readonly node: string;
  readonly timeoutSeconds: number;
  /** ESC environments that the stack imports. */
  readonly environments: readonly string[];
}

/** Reads everything there is to read; what is wrong with the project shows here, before anything runs. */
export function prepareRun(options: RecordProjectOptions): ProgramRun {
  const project = readProjectFile(options.dir);
  const { organization, stack } = stackName(options.stack);
  const { environments, ...config } = readStackConfig(project, stack, options.config);
  const program = findProgram(project);
  return {
    settings: {
      project: project.name,
      stack,
      organization,
      preview: true,
      rootDirectory: project.directory,
      ...config,
    },
    program,
    runtime: project.runtime,
    sdk: requireSdk(program.directory),
    stackReferences: options.stackReferences ?? {},
    node: options.nodePath ?? process.execPath,
    timeoutSeconds: options.timeoutSeconds ?? 120,
    environments,
  };
}

/**
 * Node itself loads an ES module as Pulumi's runner would, unless the project has a newer ts-node: the runner then
 * compiles with that, which accepts TypeScript that Node does not strip.
 */
export function runsAsModule({ program, runtime, sdk }: ProgramRun): boolean {
  return program.isModule && !(runtime.typescript && sdk.find("ts-node/esm") !== undefined);
}

function stackName(qualified: string): { organization: string; stack: string } {
  const parts = qualified.split("/");
  return { organization: parts.length > 1 ? parts[0]! : "organization", stack: parts.at(-1)! };
}
