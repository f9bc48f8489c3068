import { existsSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { UserError } from "../errors.ts";

/**
 * One installed copy of `@pulumi/pulumi`. All parts are loaded from the copy that the program itself uses, because two
 * copies share their state only within limits and because messages must be of the classes that the program's copy knows.
 */
export interface PulumiSdk {
  /** Folder of the package. */
  readonly directory: string;
  readonly version: string;
  /** Loads a module of the package: `runtime/settings.js`. */
  load<T>(file: string): T;
  /** Loads one of the package's own dependencies: `@grpc/grpc-js`. */
  dependency<T>(specifier: string): T;
  /** Where Node finds `specifier` from inside the package, undefined if nowhere. */
  find(specifier: string): string | undefined;
}

/** The copy that modules in `directory` get, undefined if none is installed. */
function findSdk(directory: string): PulumiSdk | undefined {
  const manifestFile = installedManifest(directory);
  if (manifestFile === undefined) return undefined;
  const load = createRequire(manifestFile);
  const { version } = load("./package.json") as { version: string };
  return {
    directory: dirname(manifestFile),
    version,
    load: <T>(file: string) => load(`./${file}`) as T,
    dependency: <T>(specifier: string) => load(specifier) as T,
    find: (specifier) => {
      try {
        return load.resolve(specifier);
      } catch {
        return undefined;
      }
    },
  };
}

/**
 * Looks as ES modules do, so not where NODE_PATH says: a launcher that sets it for its own sake would make up for what
 * the project lacks here, and the program would fail all the same.
 */
function installedManifest(directory: string): string | undefined {
  for (let folder = directory; ; folder = dirname(folder)) {
    const file = join(folder, "node_modules", "@pulumi", "pulumi", "package.json");
    if (existsSync(file)) return realpathSync(file);
    if (dirname(folder) === folder) return undefined;
  }
}

export function requireSdk(directory: string): PulumiSdk {
  const sdk = findSdk(directory);
  if (sdk === undefined) {
    throw new UserError(`@pulumi/pulumi is not installed in ${directory}: run "npm install" in ${directory}`);
  }
  return sdk;
}

let own: PulumiSdk | undefined;

/** The copy that this package has as a peer, loaded when first needed: it takes a quarter of a second. */
export function ownSdk(): PulumiSdk {
  own ??= requireSdk(import.meta.dirname);
  return own;
}
