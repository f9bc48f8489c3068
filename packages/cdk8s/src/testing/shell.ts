import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A directory with tools of our own first on the PATH, for running the emitted scripts as a container would. */
export class Sandbox {
  readonly root = mkdtempSync(join(tmpdir(), "capstan shell "));
  readonly #running = new Set<ChildProcess>();

  constructor() {
    mkdirSync(this.path("bin"));
  }

  path(...parts: string[]): string {
    return join(this.root, ...parts);
  }

  write(path: string, content: string): void {
    mkdirSync(join(this.path(path), ".."), { recursive: true });
    writeFileSync(this.path(path), content);
  }

  read(path: string): string {
    return existsSync(this.path(path)) ? readFileSync(this.path(path), "utf8") : "";
  }

  exists(path: string): boolean {
    return existsSync(this.path(path));
  }

  /** A command for the script to find: a shell script that sees `$LOG` (a file) and the sandbox's `$ROOT`. */
  tool(name: string, body: string): void {
    this.write(`bin/${name}`, `#!/bin/sh\nROOT='${this.root}'\nLOG='${this.path("calls.log")}'\n${body}\n`);
    chmodSync(this.path("bin", name), 0o755);
  }

  /** Lines that the tools wrote to `$LOG`. */
  calls(): string[] {
    return this.read("calls.log").split("\n").filter(Boolean);
  }

  /** Starts a script in a process group of its own, so that a test can kill all of it as a container is killed. */
  start(script: string, environment: Record<string, string>): Run {
    const child = spawn("sh", ["-c", script], {
      detached: true,
      env: { PATH: `${this.path("bin")}:${process.env.PATH}`, TMPDIR: this.root, ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#running.add(child);
    let output = "";
    child.stdout.on("data", (data) => (output += data));
    child.stderr.on("data", (data) => (output += data));
    const exit = new Promise<number>((resolve) =>
      child.on("exit", (code, signal) => {
        this.#running.delete(child);
        resolve(code ?? (signal === "SIGKILL" ? 137 : 143));
      }),
    );
    return {
      exit,
      output: () => output,
      signal: (name, group = false) => process.kill(group ? -(child.pid as number) : (child.pid as number), name),
    };
  }

  dispose(): void {
    for (const child of this.#running) {
      try {
        process.kill(-(child.pid as number), "SIGKILL");
      } catch {
        // It ended by itself meanwhile.
      }
    }
    rmSync(this.root, { recursive: true, force: true });
  }
}

export interface Run {
  readonly exit: Promise<number>;
  output(): string;
  /** To the shell alone, or to all of its group. */
  signal(name: NodeJS.Signals, group?: boolean): void;
}

export async function until(condition: () => boolean, what: string, seconds = 20): Promise<void> {
  const end = Date.now() + seconds * 1000;
  while (!condition()) {
    if (Date.now() > end) throw new Error(`not within ${seconds} s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
