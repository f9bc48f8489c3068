import { createRequire } from "node:module";
import { join } from "node:path";

/**
 * The Pulumi SDK loads the TypeScript compiler with itself, for programs that turn closures into functions of a cloud. It
 * is the largest file of all and nothing here uses it, so it is loaded when something of it is first asked for.
 */
export function loadTypeScriptLate(sdkDirectory: string): void {
  const load = createRequire(join(sdkDirectory, "package.json"));
  const shim = join(sdkDirectory, "typescript-shim.js");
  if (load.cache[shim] !== undefined) return;
  let compiler: object | undefined;
  const late = new Proxy(
    {},
    {
      get: (_, name) => {
        compiler ??= load("typescript") as object;
        return Reflect.get(compiler, name) as unknown;
      },
    },
  );
  const { Module } = load("node:module") as { Module: new (id: string) => NodeJS.Module };
  load.cache[shim] = Object.assign(new Module(shim), { filename: shim, loaded: true, exports: late });
}
