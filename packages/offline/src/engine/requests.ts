import type { WireObject } from "./values.ts";

/*
 * What is read of the messages of Pulumi's resource protocol. The classes come from the program's own copy of the SDK,
 * so a getter that a newer version brought may be missing: those are optional.
 */

export interface StructMessage {
  toJavaScript(): WireObject;
}

export interface TimeoutsMessage {
  getCreate(): string;
  getUpdate(): string;
  getDelete(): string;
  getRead?(): string;
}

export interface AliasMessage {
  hasUrn(): boolean;
  getUrn(): string;
  getSpec():
    | {
        getName(): string;
        getType(): string;
        getStack(): string;
        getProject(): string;
        getParenturn(): string;
        getNoparent(): boolean;
      }
    | undefined;
}

/** A function of the program that the engine may call back. */
export interface CallbackMessage {
  getToken(): string;
  getTarget(): string;
}

export interface MapMessage<V> {
  entries(): { next(): { done?: boolean; value?: [string, V] } };
}

export interface RegisterRequest {
  getType(): string;
  getName(): string;
  getParent(): string;
  getCustom(): boolean;
  getRemote(): boolean;
  getObject(): StructMessage | undefined;
  getProtect(): boolean | undefined;
  getDependenciesList(): string[];
  getPropertydependenciesMap(): MapMessage<{ getUrnsList(): string[] }>;
  getProvider(): string;
  getProvidersMap(): MapMessage<string>;
  getDeletebeforereplacedefined(): boolean;
  getDeletebeforereplace(): boolean;
  getVersion(): string;
  getPlugindownloadurl(): string;
  getIgnorechangesList(): string[];
  getReplaceonchangesList(): string[];
  getAdditionalsecretoutputsList(): string[];
  getAliasurnsList(): string[];
  getAliasesList(): AliasMessage[];
  getImportid(): string;
  getCustomtimeouts(): TimeoutsMessage | undefined;
  getRetainondelete(): boolean | undefined;
  getDeletedwith(): string;
  getReplaceWithList?(): string[];
  getHidediffsList?(): string[];
  getTransformsList(): CallbackMessage[];
}

export interface ReadRequest {
  getId(): string;
  getType(): string;
  getName(): string;
  getParent(): string;
  getProperties(): StructMessage | undefined;
  getDependenciesList(): string[];
  getProvider(): string;
  getVersion(): string;
  getPlugindownloadurl(): string;
  getAdditionalsecretoutputsList(): string[];
}

export interface OutputsRequest {
  getUrn(): string;
  getOutputs(): StructMessage | undefined;
}

export interface InvokeRequest {
  getTok(): string;
  getArgs(): StructMessage | undefined;
}

export interface LogRequest {
  getSeverity(): number;
  getMessage(): string;
  getUrn(): string;
  getEphemeral(): boolean;
}

export function entriesOf<V>(map: MapMessage<V>): [string, V][] {
  const iterator = map.entries();
  const found: [string, V][] = [];
  for (let step = iterator.next(); step.done !== true && step.value !== undefined; step = iterator.next()) {
    found.push(step.value);
  }
  return found.sort(([a], [b]) => (a < b ? -1 : 1));
}
