import { type RecordedResource, type Recording, recordInProcess } from "@capstan/offline";
import { Provider } from "@pulumi/kubernetes/provider.js";

export type { RecordedResource, Recording };

/** Runs a program offline, as `pulumi preview` would. */
export function record(program: () => unknown, { preview = true } = {}): Promise<Recording> {
  return recordInProcess({ project: "test", stack: "dev", preview }, program);
}

export function clusterProvider(name = "cluster"): Provider {
  return new Provider(name, { kubeconfig: "{}", clusterIdentifier: name });
}

/** The one resource of that kind and name. */
export function find(recording: Recording, kind: string, name: string): RecordedResource {
  const found = recording.resources.filter((r) => r.type.endsWith(`:${kind}`) && r.name === name);
  if (found.length !== 1) {
    const names = recording.resources.map((r) => `${r.type} ${r.name}`).join("\n");
    throw new Error(`${found.length} resources ${kind} ${name} in:\n${names}`);
  }
  return found[0]!;
}

/** `Kind name` of everything that a resource waits for. */
export function waitsFor(recording: Recording, resource: RecordedResource): string[] {
  const byUrn = new Map(recording.resources.map((r) => [r.urn, `${r.type.split(":").at(-1)} ${r.name}`]));
  return (resource.options.dependsOn ?? []).map((urn) => byUrn.get(urn) ?? urn).sort();
}
