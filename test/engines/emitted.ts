import type { JsonValue, RecordedResource } from "@capstan/offline";
import { programs, recordingOf } from "../programs.ts";

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

/** Argument lists of all vLLM containers of all stacks and examples. */
export async function emittedArguments(): Promise<ArgumentList[]> {
  const lists = await Promise.all(
    programs.map(async (program) => {
      const { resources } = await recordingOf(program);
      return resources.flatMap((resource) =>
        containersOf(resource).flatMap(({ image, args }) => {
          const version = /vllm[^:]*:v?(\d+\.\d+\.\d+)/.exec(image ?? "")?.[1];
          return version && args ? [{ title: `${program.name}: ${resource.name}`, version, args }] : [];
        }),
      );
    }),
  );
  return lists.flat();
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
