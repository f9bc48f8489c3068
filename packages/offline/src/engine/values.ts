import type { JsonValue } from "../recording.ts";
import { SECRET_TEXT, UNKNOWN_TEXT } from "../recording.ts";

/*
 * How Pulumi writes what JSON has no word for. The constants are part of its wire protocol
 * (sdk/nodejs/runtime/rpc.ts) and the same in every SDK since 3.0.
 */
const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const SIGNATURE_KEY = "4dabf18193072939515e22adb298388d";
const SECRET = "1b47061264138c4ac30d75fd1eb44270";
const ASSET = "c44067f5952c0a294b673a41bacd8c17";
const ARCHIVE = "0def7320c3a5731c473e5ecbe6d01bc7";
const RESOURCE = "5cf8f73096256a8f31e491e813e4eb8e";
const OUTPUT = "d0e6a833031e9bbcd3f4e8bde6ca49a4";

/** A value as it travels between program and engine. */
export type WireValue = unknown;
export type WireObject = Record<string, WireValue>;

function isObject(value: WireValue): value is WireObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isSecret(value: WireValue): boolean {
  return isObject(value) && value[SIGNATURE_KEY] === SECRET;
}

function secret(value: WireValue): WireObject {
  return { [SIGNATURE_KEY]: SECRET, value };
}

/** What is declared secret is secret wherever it stands, also where the program wrote it as an input in clear. */
export function toJsonInputs(
  inputs: WireObject,
  additionalSecretOutputs: readonly string[],
): Record<string, JsonValue> {
  const json = toJsonObject(inputs);
  for (const key of additionalSecretOutputs) if (key in json) json[key] = SECRET_TEXT;
  return json;
}

/** Plain JSON of a wire value: no secret in clear, keys sorted, since only one of the two transports keeps their order. */
export function toJson(value: WireValue): JsonValue {
  if (value === UNKNOWN) return UNKNOWN_TEXT;
  if (Array.isArray(value)) return value.map(toJson);
  if (!isObject(value)) return (value ?? null) as JsonValue;
  switch (value[SIGNATURE_KEY]) {
    case undefined:
      return toJsonObject(value);
    case SECRET:
      return SECRET_TEXT;
    case RESOURCE:
      return toJson(value.urn);
    case ASSET:
      return { asset: toJsonObject(withoutMarks(value)) };
    case ARCHIVE:
      return { archive: toJsonObject(withoutMarks(value)) };
    case OUTPUT:
      if (value.secret === true) return SECRET_TEXT;
      return "value" in value ? toJson(value.value) : UNKNOWN_TEXT;
    default:
      return toJsonObject(withoutMarks(value));
  }
}

export function toJsonObject(value: WireObject): Record<string, JsonValue> {
  const sorted: Record<string, JsonValue> = {};
  for (const key of Object.keys(value).sort()) sorted[key] = toJson(value[key]);
  return sorted;
}

/** Without what tells the SDK's own classes apart. */
function withoutMarks(value: WireObject): WireObject {
  return Object.fromEntries(
    Object.entries(value).filter(([key]) => key !== SIGNATURE_KEY && !key.startsWith("__pulumi")),
  );
}

/** The way back, for values that a user supplies: `[secret]` and `[unknown]` become what they stand for. */
export function toWire(value: JsonValue): WireValue {
  if (value === UNKNOWN_TEXT) return UNKNOWN;
  if (value === SECRET_TEXT) return secret(SECRET_TEXT);
  if (Array.isArray(value)) return value.map(toWire);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value as Record<string, JsonValue>).map(([key, v]) => [key, toWire(v)]));
}

/** What the program gets to see of a reference to another stack. Without outputs given, all of them are unknown. */
export function stackReferenceState(
  name: string,
  outputs: Readonly<Record<string, JsonValue>> | undefined,
): WireObject {
  if (outputs === undefined) return { name, outputs: UNKNOWN, secretOutputNames: UNKNOWN };
  const wire = Object.fromEntries(Object.entries(outputs).map(([key, value]) => [key, toWire(value)]));
  const secretOutputNames = Object.keys(wire).filter((key) => holdsSecret(wire[key]));
  return { name, outputs: wire, secretOutputNames };
}

function holdsSecret(value: WireValue): boolean {
  if (isSecret(value)) return true;
  if (Array.isArray(value)) return value.some(holdsSecret);
  return isObject(value) && Object.values(value).some(holdsSecret);
}

/**
 * What a preview answers for a new resource: its inputs, and `additionalSecretOutputs` as secrets even before they
 * have a value, so that no consumer shows them. All other outputs are unknown because they are missing here.
 */
export function previewState(inputs: WireObject, additionalSecretOutputs: readonly string[]): WireObject {
  if (additionalSecretOutputs.length === 0) return inputs;
  const state = { ...inputs };
  for (const key of additionalSecretOutputs) {
    if (!isSecret(state[key])) state[key] = secret(key in state ? state[key] : UNKNOWN);
  }
  return state;
}

/** An id as the engine writes it into references; undefined when it is not known. */
export function knownId(id: string): string | undefined {
  return id === "" || id === UNKNOWN ? undefined : id;
}
