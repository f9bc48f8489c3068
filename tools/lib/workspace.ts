import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Folder of the workspace. */
export const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/[/\\]$/, "");

export interface PackageManifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

export interface WorkspacePackage {
  /** Name of its folder below `packages/`. */
  readonly folder: string;
  readonly directory: string;
  readonly manifest: PackageManifest;
}

/** The published packages, a package after everything that it depends on. */
export function packages(): readonly WorkspacePackage[] {
  const all = readdirSync(join(root, "packages"))
    .filter((folder) => existsSync(join(root, "packages", folder, "package.json")))
    .sort()
    .map((folder) => {
      const directory = join(root, "packages", folder);
      return { folder, directory, manifest: readJson<PackageManifest>(join(directory, "package.json")) };
    });
  const ordered: WorkspacePackage[] = [];
  const visit = (wanted: WorkspacePackage) => {
    if (ordered.includes(wanted)) return;
    for (const name of Object.keys(wanted.manifest.dependencies ?? {})) {
      const other = all.find(({ manifest }) => manifest.name === name);
      if (other) visit(other);
    }
    ordered.push(wanted);
  };
  for (const each of all) visit(each);
  return ordered;
}

export function readJson<T>(file: string): T {
  return JSON.parse(readFileSync(file, "utf8")) as T;
}
