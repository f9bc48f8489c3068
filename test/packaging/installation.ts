import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stringify } from "yaml";
import { buildPackages } from "../../tools/lib/build-packages.ts";
import { type RunResult, runPnpm } from "../../tools/lib/run.ts";
import { packages, readJson, root, type WorkspacePackage } from "../../tools/lib/workspace.ts";

/** An empty project outside the workspace with every package installed from its tarball, as a user would have it. */
export interface Installation {
  readonly directory: string;
  readonly packages: readonly InstalledPackage[];
  remove(): void;
}

export interface InstalledPackage extends WorkspacePackage {
  readonly tarball: string;
  /** Its folder in the project's `node_modules`. */
  readonly installed: string;
}

/** Other packages that a program of a user needs, in the versions that the workspace has already. */
const OF_THE_USER = ["@pulumi/pulumi", "@pulumi/kubernetes", "@pulumi/aws", "cdk8s", "constructs"];

export async function installPackages(): Promise<Installation> {
  await done("build", buildPackages({ check: false }));
  // The real path: modules are named by it, and the temporary folder may be a link.
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "capstan packaging ")));
  const tarballs = join(directory, "tarballs");
  mkdirSync(tarballs);
  const pack = ["--recursive", "--filter", "./packages/*", "pack", "--pack-destination", tarballs];
  await done("pack", runPnpm(pack, { directory: root }));
  const all = packages().map((each) => ({
    ...each,
    tarball: join(tarballs, tarballOf(each, readdirSync(tarballs))),
    installed: join(directory, "node_modules", each.manifest.name),
  }));
  writeProject(directory, all);
  // Everything else is in the store already, since the workspace has the same versions.
  await done("install", runPnpm(["install", "--prefer-offline", "--no-frozen-lockfile"], { directory }));
  return { directory, packages: all, remove: () => rmSync(directory, { recursive: true, force: true }) };
}

function tarballOf({ manifest }: WorkspacePackage, files: readonly string[]): string {
  const wanted = `${manifest.name.replace("@", "").replace("/", "-")}-${manifest.version}.tgz`;
  if (!files.includes(wanted)) throw new Error(`pnpm pack has not written ${wanted}, only ${files.join(", ")}`);
  return wanted;
}

function writeProject(directory: string, all: readonly InstalledPackage[]): void {
  const files = Object.fromEntries(all.map(({ manifest, tarball }) => [manifest.name, `file:${tarball}`]));
  const project = {
    name: "consumer",
    private: true,
    type: "module",
    dependencies: { ...files, ...Object.fromEntries(OF_THE_USER.map((name) => [name, versionOf(name, all)])) },
    devDependencies: readJson<WorkspacePackage["manifest"]>(join(root, "package.json")).devDependencies,
  };
  const { typescript, "@types/node": types } = project.devDependencies as Record<string, string>;
  writeFileSync(
    join(directory, "package.json"),
    JSON.stringify({ ...project, devDependencies: { typescript, "@types/node": types } }, null, 2),
  );
  const settings = {
    // What a package imports and does not name must not be found by luck.
    hoist: false,
    // Their own dependencies on one another are not in any registry.
    overrides: files,
    strictDepBuilds: false,
  };
  writeFileSync(join(directory, "pnpm-workspace.yaml"), stringify(settings));
}

function versionOf(name: string, all: readonly WorkspacePackage[]): string {
  for (const { manifest } of all) {
    const version = manifest.devDependencies?.[name];
    if (version !== undefined) return version;
  }
  throw new Error(`no package has ${name} among its devDependencies`);
}

async function done(what: string, running: Promise<RunResult>): Promise<void> {
  const { code, output } = await running;
  if (code !== 0) throw new Error(`${what} failed:\n${output}`);
}
