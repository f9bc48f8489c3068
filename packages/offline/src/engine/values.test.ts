import { expect, test } from "vitest";
import { previewState, stackReferenceState, toJson, toJsonInputs, toWire } from "./values.ts";

// Written out from Pulumi's protocol (sdk/nodejs/runtime/rpc.ts), not taken from the module under test.
const KEY = "4dabf18193072939515e22adb298388d";
const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const secret = (value: unknown) => ({ [KEY]: "1b47061264138c4ac30d75fd1eb44270", value });

test("shows secrets and unknowns by name, at any depth, and never the secret itself", () => {
  const shown = toJson({ a: secret("hunter2"), b: [UNKNOWN, { c: secret({ d: "hunter3" }) }], e: secret(UNKNOWN) });
  expect(shown).toEqual({ a: "[secret]", b: ["[unknown]", { c: "[secret]" }], e: "[secret]" });
});

test("sorts keys at every depth and keeps the order of lists", () => {
  expect(JSON.stringify(toJson({ b: { d: 1, c: 2 }, a: [3, 1, 2] }))).toBe('{"a":[3,1,2],"b":{"c":2,"d":1}}');
});

test("shows a resource as its URN, assets and archives without the SDK's marks", () => {
  const resource = { [KEY]: "5cf8f73096256a8f31e491e813e4eb8e", urn: "urn:x", id: UNKNOWN };
  const asset = { [KEY]: "c44067f5952c0a294b673a41bacd8c17", __pulumiAsset: true, text: "echo" };
  const archive = { [KEY]: "0def7320c3a5731c473e5ecbe6d01bc7", __pulumiArchive: true, assets: { script: asset } };
  expect(toJson([resource, asset, archive])).toEqual([
    "urn:x",
    { asset: { text: "echo" } },
    { archive: { assets: { script: { asset: { text: "echo" } } } } },
  ]);
});

test("shows an output value as secret, unknown or what it is", () => {
  const output = (rest: object) => ({ [KEY]: "d0e6a833031e9bbcd3f4e8bde6ca49a4", ...rest });
  const values = [output({ value: "v" }), output({ value: "v", secret: true }), output({ secret: true }), output({})];
  expect(toJson(values)).toEqual(["v", "[secret]", "[secret]", "[unknown]"]);
});

test("hides inputs that are declared secret outputs, and only those", () => {
  expect(toJsonInputs({ data: { key: "clear" }, type: "Opaque" }, ["data", "absent"])).toEqual({
    data: "[secret]",
    type: "Opaque",
  });
});

test("answers a preview with the inputs, secret where declared, without changing them", () => {
  const inputs = { size: 2, password: "typed in" };
  const state = previewState(inputs, ["password", "token"]);
  expect(state).toEqual({ size: 2, password: secret("typed in"), token: secret(UNKNOWN) });
  expect(inputs).toEqual({ size: 2, password: "typed in" });
});

test("outputs of another stack become known, secret or unknown values", () => {
  const outputs = { vpcId: "vpc-1", token: "[secret]", nested: { key: ["[secret]"] }, later: "[unknown]" };
  expect(stackReferenceState("acme/network/dev", outputs)).toEqual({
    name: "acme/network/dev",
    outputs: { vpcId: "vpc-1", token: secret("[secret]"), nested: { key: [secret("[secret]")] }, later: UNKNOWN },
    secretOutputNames: ["token", "nested"],
  });
  expect(stackReferenceState("acme/network/dev", undefined).outputs).toBe(UNKNOWN);
});

test("what is shown can be supplied again", () => {
  const shown = { a: "[secret]", b: ["[unknown]", 1, null, true] };
  expect(toJson(toWire(shown))).toEqual(shown);
});
