import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { type Recording, recordProject } from "@capstan/offline";
import { root } from "../../tools/lib/workspace.ts";

/** One program of the workspace on one of its stacks. */
export interface Program {
  /** Unique and fit for a folder: `inference-platform-prod`, `slm-on-cpu-dev`. */
  readonly name: string;
  readonly directory: string;
  readonly stack: string;
}

/** Every reference stack and every example, on every stack that it has a file for. */
export const programs: readonly Program[] = ["stacks", "examples"].flatMap((folder) =>
  readdirSync(join(root, folder))
    .map((name) => ({ name, directory: join(root, folder, name) }))
    .filter(({ directory }) => existsSync(join(directory, "Pulumi.yaml")))
    .flatMap(({ name, directory }) =>
      stacksOf(directory).map((stack) => ({ name: `${name}-${stack}`, directory, stack })),
    ),
);

function stacksOf(directory: string): string[] {
  return readdirSync(directory).flatMap((file) => /^Pulumi\.(.+)\.yaml$/.exec(file)?.[1] ?? []);
}

const recordings = new Map<string, Promise<Recording>>();

/** What a program registers. Recorded once in a process: it takes about a second. */
export function recordingOf({ name, directory, stack }: Program): Promise<Recording> {
  const known = recordings.get(name) ?? recordProject({ dir: directory, stack });
  recordings.set(name, known);
  return known;
}
