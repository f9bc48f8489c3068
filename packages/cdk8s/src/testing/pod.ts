import type { Rendered } from "./fixtures.ts";

// biome-ignore lint/suspicious/noExplicitAny: tests read any field of the parsed YAML.
type Anything = any;

/** Pod spec of a Deployment or DaemonSet. */
export function podOf(workload: Rendered): Anything {
  return workload.spec.template.spec;
}

/** The only serving container. */
export function serverOf(workload: Rendered): Anything {
  return podOf(workload).containers.find((c: Anything) => c.name === "server");
}

export function initOf(workload: Rendered, name: string): Anything {
  return (podOf(workload).initContainers ?? []).find((c: Anything) => c.name === name);
}

export function variable(container: Anything, name: string): string | undefined {
  return container.env?.find((v: Anything) => v.name === name)?.value;
}
