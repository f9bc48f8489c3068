import type { ChildProcess } from "node:child_process";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

const children = new Set<ChildProcess>();

/** Ends the child when this process ends or is told to. Gives back the function that ends the child now. */
export function endsWithUs(child: ChildProcess): () => void {
  if (children.size === 0) {
    for (const signal of SIGNALS) process.on(signal, onSignal);
    process.on("exit", killAll);
  }
  children.add(child);
  return () => {
    child.kill("SIGKILL");
    if (children.delete(child) && children.size === 0) forget();
  };
}

function onSignal(signal: NodeJS.Signals): void {
  killAll();
  // Who else listens decides what the signal means; with us alone, this process dies of it as it would have without us.
  const others = process.listenerCount(signal) > 1;
  if (others) return;
  children.clear();
  forget();
  process.kill(process.pid, signal);
}

function killAll(): void {
  for (const child of children) child.kill("SIGKILL");
}

function forget(): void {
  for (const signal of SIGNALS) process.removeListener(signal, onSignal);
  process.removeListener("exit", killAll);
}
