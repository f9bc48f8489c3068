import type { RecordedAlias, RecordedOptions, RecordedTimeouts } from "../recording.ts";
import type { AliasMessage, ReadRequest, RegisterRequest, TimeoutsMessage } from "./requests.ts";
import { entriesOf } from "./requests.ts";
import { urnOfProviderReference } from "./urn.ts";

/** The options of a registration that are set. */
export function registeredOptions(request: RegisterRequest): RecordedOptions {
  return {
    ...ifSet("protect", request.getProtect() === true),
    ...ifSet("dependsOn", request.getDependenciesList().toSorted()),
    ...ifSet("propertyDependencies", propertyDependencies(request)),
    ...ifSet("ignoreChanges", request.getIgnorechangesList()),
    ...ifSet("replaceOnChanges", request.getReplaceonchangesList()),
    ...ifSet("hideDiffs", request.getHidediffsList?.()),
    ...ifSet("additionalSecretOutputs", request.getAdditionalsecretoutputsList()),
    ...ifSet("provider", urnOfProviderReference(request.getProvider())),
    ...ifSet("providers", providers(request)),
    ...ifSet("customTimeouts", timeouts(request.getCustomtimeouts())),
    ...ifSet("aliases", [...request.getAliasurnsList(), ...request.getAliasesList().map(alias)]),
    ...ifSet("version", request.getVersion()),
    ...ifSet("pluginDownloadURL", request.getPlugindownloadurl()),
    // An explicit false counts: it overrides what the provider would do by itself.
    ...(request.getDeletebeforereplacedefined() ? { deleteBeforeReplace: request.getDeletebeforereplace() } : {}),
    ...ifSet("retainOnDelete", request.getRetainondelete() === true),
    ...ifSet("deletedWith", request.getDeletedwith()),
    ...ifSet("replaceWith", request.getReplaceWithList?.().toSorted()),
    ...ifSet("import", request.getImportid()),
    ...ifSet("remote", request.getRemote()),
  };
}

/** The options of a read that are set. */
export function readOptions(request: ReadRequest, id: string): RecordedOptions {
  return {
    ...ifSet("dependsOn", request.getDependenciesList().toSorted()),
    ...ifSet("additionalSecretOutputs", request.getAdditionalsecretoutputsList()),
    ...ifSet("provider", urnOfProviderReference(request.getProvider())),
    ...ifSet("version", request.getVersion()),
    ...ifSet("pluginDownloadURL", request.getPlugindownloadurl()),
    ...ifSet("read", id),
  };
}

function propertyDependencies(request: RegisterRequest): Record<string, readonly string[]> {
  const all = entriesOf(request.getPropertydependenciesMap());
  return Object.fromEntries(
    all
      .map(([name, dependencies]) => [name, dependencies.getUrnsList().toSorted()] as const)
      .filter(([, urns]) => urns.length > 0),
  );
}

function providers(request: RegisterRequest): Record<string, string> {
  const all = entriesOf(request.getProvidersMap());
  return Object.fromEntries(all.map(([name, reference]) => [name, urnOfProviderReference(reference)]));
}

function timeouts(message: TimeoutsMessage | undefined): RecordedTimeouts {
  if (message === undefined) return {};
  return {
    ...ifSet("create", message.getCreate()),
    ...ifSet("update", message.getUpdate()),
    ...ifSet("delete", message.getDelete()),
    ...ifSet("read", message.getRead?.()),
  };
}

function alias(message: AliasMessage): RecordedAlias {
  const spec = message.getSpec();
  if (message.hasUrn() || spec === undefined) return message.getUrn();
  return {
    ...ifSet("name", spec.getName()),
    ...ifSet("type", spec.getType()),
    ...ifSet("stack", spec.getStack()),
    ...ifSet("project", spec.getProject()),
    ...(spec.getNoparent() ? { parent: "" } : ifSet("parent", spec.getParenturn())),
  };
}

/** `{ [name]: value }`, or nothing where the protocol's default (false, "", no entries) says "not set". */
function ifSet<K extends string, V>(name: K, value: V): { [key in K]?: V extends boolean ? true : NonNullable<V> } {
  const empty = typeof value === "object" && value !== null ? Object.keys(value).length === 0 : !value;
  return (empty ? {} : { [name]: value }) as { [key in K]?: V extends boolean ? true : NonNullable<V> };
}
