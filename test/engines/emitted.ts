import type { JsonValue, RecordedResource } from "@capstan/offline";
import { type Program, recordingOf } from "../programs/programs.ts";

/** One argument list as a container gets it. */
export interface ArgumentList {
  readonly title: string;
  readonly version: string;
  readonly args: readonly string[];
}

interface Container {
  readonly image?: string;
  readonly args?: readonly string[];
}

/** Argument lists of all vLLM containers of a program. */
export async function emittedArguments(program: Program): Promise<ArgumentList[]> {
  const { resources } = await recordingOf(program);
  return resources.flatMap((resource) =>
    containersOf(resource).flatMap(({ image, args }) => {
      const version = /vllm[^:]*:v?(\d+\.\d+\.\d+)/.exec(image ?? "")?.[1];
      return version && args ? [{ title: resource.name, version, args }] : [];
    }),
  );
}

function containersOf({ type, inputs }: RecordedResource): readonly Container[] {
  if (type !== "kubernetes:apps/v1:Deployment") return [];
  const containers = at(inputs, ["spec", "template", "spec", "containers"]);
  return (containers ?? []) as unknown as readonly Container[];
}

function at(value: JsonValue, path: readonly string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>(
    (inside, key) => (inside as { readonly [name: string]: JsonValue } | undefined)?.[key],
    value,
  );
}
