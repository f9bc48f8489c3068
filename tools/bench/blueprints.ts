import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { run } from "../lib/run.ts";
import { root } from "../lib/workspace.ts";
import { type Line, note } from "./line.ts";
import { inTurn, seconds, start } from "./start.ts";

const VERSIONS = { "@aws-quickstart/eks-blueprints": "1.19.0", "aws-cdk-lib": "2.261.0", constructs: "10.8.1" };

/** `npm start` against a synth of a cluster with four node groups and four add-ons. */
export async function compareWithBlueprints(): Promise<Line[]> {
  const directory = await installed();
  note("npm start against a cdk-eks-blueprints synth");
  const synth = () => run(process.execPath, [join(root, "tools/bench/blueprints-synth.mjs")], { directory });
  const [started, synthesised] = await inTurn([start, synth]);
  if (started === undefined || synthesised === undefined) throw new Error("two commands were timed");
  return [
    { what: "cdk-eks-blueprints synth", measured: seconds(synthesised) },
    {
      what: "npm start in the same turns",
      measured: seconds(started),
      limit: `< ${seconds(synthesised)}`,
      good: started < synthesised,
    },
  ];
}

/** Outside of the checkout: half a gigabyte that nothing else needs. */
async function installed(): Promise<string> {
  const cache = process.env.CAPSTAN_CACHE ?? join(homedir(), ".cache", "capstan");
  const directory = join(cache, `eks-blueprints-${VERSIONS["@aws-quickstart/eks-blueprints"]}`);
  const whole = join(directory, "whole");
  if (existsSync(whole)) return directory;
  note(`Installing cdk-eks-blueprints into ${directory} (0.5 GB, a minute) ...`);
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, "package.json"), JSON.stringify({ private: true, dependencies: VERSIONS }));
  const { code, output } = await run("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error"], { directory });
  if (code !== 0) throw new Error(`npm install failed:\n${output}`);
  writeFileSync(whole, "");
  return directory;
}
