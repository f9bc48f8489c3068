// Plain JavaScript, run by whatever Node (20 or newer) started npm: installs what is missing, then hands over to
// Node 24 or newer, which runs the TypeScript sources without a build step.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const PNPM = "12.21.0";
const OLDEST_NODE_FOR_TYPESCRIPT = 24;

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const stampFile = join(root, "node_modules", ".capstan-installed");
const npmNode = join(root, "node_modules", "node", "bin", process.platform === "win32" ? "node.exe" : "node");
const ownNodeIsNewEnough = Number(process.versions.node.split(".")[0]) >= OLDEST_NODE_FOR_TYPESCRIPT;

function wantedStamp() {
  const hash = createHash("sha256").update(`${process.platform} ${process.arch} ${PNPM}`);
  for (const file of ["pnpm-lock.yaml", "pnpm-workspace.yaml", "package.json"])
    hash.update(readFileSync(join(root, file)));
  return hash.digest("hex");
}

function isInstalled(stamp) {
  return (
    existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp && (ownNodeIsNewEnough || existsSync(npmNode))
  );
}

function install(stamp) {
  process.stderr.write("First run: installing dependencies (about half a minute) ...\n");
  rmSync(stampFile, { force: true });
  const pnpmArgs = ["install", "--frozen-lockfile", "--reporter=silent"];
  const args = ["exec", "--yes", "--loglevel=error", `--package=pnpm@${PNPM}`, "--", "pnpm", ...pnpmArgs];
  const npm = process.env.npm_execpath;
  const options = { cwd: root, stdio: ["ignore", 2, 2] };
  const windows = process.platform === "win32";
  const result = npm?.endsWith(".js")
    ? spawnSync(process.execPath, [npm, ...args], options)
    : spawnSync(windows ? "npm.cmd" : "npm", args, { ...options, shell: windows });
  if (result.status !== 0) {
    process.stderr.write(
      "Installing dependencies failed (see above). Mend the cause and run the same command again; it continues where it stopped.\n",
    );
    process.exit(result.status ?? 1);
  }
  if (!ownNodeIsNewEnough && !existsSync(npmNode)) {
    process.stderr.write(
      `Node ${process.versions.node} cannot run TypeScript sources and the npm package "node" has no binary for ${process.platform} ${process.arch}: install Node ${OLDEST_NODE_FOR_TYPESCRIPT} or newer.\n`,
    );
    process.exit(1);
  }
  mkdirSync(dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, stamp);
}

const stamp = wantedStamp();
if (!isInstalled(stamp)) install(stamp);

const [script, ...args] = process.argv.slice(2);
const node = ownNodeIsNewEnough ? process.execPath : npmNode;
const child = spawn(node, [join(root, script), ...args], {
  stdio: "inherit",
  // npm changes into the workspace root; relative paths on the command line are the caller's.
  cwd: process.env.INIT_CWD ?? process.cwd(),
  env: {
    ...process.env,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(root, "node_modules", ".cache", "node-compile"),
    PATH: [dirname(node), join(root, "node_modules", ".bin"), process.env.PATH].join(delimiter),
  },
});
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code, signal) => process.exit(signal ? 128 + (constants.signals[signal] ?? 1) : (code ?? 1)));
