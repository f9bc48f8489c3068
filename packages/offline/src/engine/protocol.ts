import type { PulumiSdk } from "../run/sdk.ts";
import type { StructMessage } from "./requests.ts";
import type { WireObject } from "./values.ts";

/** A protobuf message as the generated JavaScript has it: getters, setters and a binary form. */
export interface Message {
  serializeBinary(): Uint8Array;
  [accessor: string]: unknown;
}

export interface MessageClass {
  new (): Message;
  deserializeBinary(bytes: Uint8Array): Message;
}

export type MessageClasses = Readonly<Record<string, MessageClass>>;

/** Calls `set<Field>`; the generated classes have one such method per field. */
export function setField(message: Message, field: string, value: unknown): void {
  (message[`set${field}`] as (value: unknown) => void).call(message, value);
}

export function getField(message: Message, field: string): unknown {
  return (message[`get${field}`] as () => unknown).call(message);
}

export function hasField(message: Message, field: string): boolean {
  return typeof message[`get${field}`] === "function";
}

export function structOf(sdk: PulumiSdk, value: WireObject): StructMessage {
  const { Struct } = sdk.dependency<{ Struct: { fromJavaScript(value: WireObject): StructMessage } }>(
    "google-protobuf/google/protobuf/struct_pb.js",
  );
  return Struct.fromJavaScript(value);
}

/** The parts of `@grpc/grpc-js` that are used, of the program's own copy. */
export interface Grpc {
  readonly Server: new (options: Record<string, unknown>) => GrpcServer;
  readonly ServerCredentials: { createInsecure(): unknown };
  readonly credentials: { createInsecure(): unknown };
}

export interface GrpcServer {
  addService(service: unknown, handlers: Record<string, unknown>): void;
  bindAsync(address: string, credentials: unknown, done: (error: Error | null, port: number) => void): void;
  forceShutdown(): void;
}

export function grpcOf(sdk: PulumiSdk): Grpc {
  return sdk.dependency<Grpc>("@grpc/grpc-js");
}

/** Status code of a failed request whose cause no code describes. */
export const GRPC_UNKNOWN = 2;
/** Status code with which the SDK takes a method as one that an older engine does not have. */
export const GRPC_UNIMPLEMENTED = 12;
