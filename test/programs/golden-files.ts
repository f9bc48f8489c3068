import { planDocument, type Recording, renderTree } from "@capstan/offline";

/** What is reviewed of a program, by path below its folder in `test/goldens/`. */
export type GoldenFiles = ReadonlyMap<string, string>;

/**
 * The plan's figures and findings, one line for each resource, and the YAML tree: everything that a change of ours may
 * change for a user, in files that a person can read.
 */
export function goldenFiles(recording: Recording): GoldenFiles {
  const { pools, services, cost, quota, findings } = planDocument(recording);
  const { files, notes } = renderTree(recording);
  return new Map([
    ["plan.json", `${JSON.stringify({ pools, services, cost, quota, findings }, null, 2)}\n`],
    ["resources.txt", lines(resourceLines(recording))],
    ["notes.txt", lines(notes)],
    ...files.map(({ path, content }): [string, string] => [`manifests/${path}`, content]),
  ]);
}

/** `aws:iam/role:Role inference-node < EksCluster inference`: type and name, and the parent's. */
function resourceLines({ resources }: Recording): string[] {
  const shown = new Map(
    resources.map(({ urn, type, name }) => [urn, `${type.slice(type.lastIndexOf(":") + 1)} ${name}`]),
  );
  return resources.map(({ type, name, parent }) =>
    parent === "" ? `${type} ${name}` : `${type} ${name} < ${shown.get(parent) ?? parent}`,
  );
}

function lines(texts: readonly string[]): string {
  return texts.map((text) => `${text}\n`).join("");
}
