import type { PulumiSdk } from "../run/sdk.ts";
import type { Grpc, Message, MessageClass, MessageClasses } from "./protocol.ts";
import { getField, grpcOf, hasField, setField } from "./protocol.ts";
import type { CallbackMessage, RegisterRequest } from "./requests.ts";

/** Options that a transform sees: their field names in its options message, and in the registration. */
const OPTIONS: readonly (readonly [option: string, registration: string])[] = [
  ["DependsOnList", "DependenciesList"],
  ["Protect", "Protect"],
  ["IgnoreChangesList", "IgnorechangesList"],
  ["ReplaceOnChangesList", "ReplaceonchangesList"],
  ["Version", "Version"],
  ["AliasesList", "AliasesList"],
  ["Provider", "Provider"],
  ["CustomTimeouts", "Customtimeouts"],
  ["PluginDownloadUrl", "Plugindownloadurl"],
  ["RetainOnDelete", "Retainondelete"],
  ["DeletedWith", "Deletedwith"],
  ["AdditionalSecretOutputsList", "AdditionalsecretoutputsList"],
  ["Import", "Importid"],
  ["HideDiffList", "HidediffsList"],
  ["ReplaceWithList", "ReplaceWithList"],
];

interface CallbacksClient {
  invoke(request: Message, done: (error: (Error & { details?: string }) | null, response: Message) => void): void;
}

/**
 * Runs the program's `transforms` as the engine does: a resource's own, then those of its parent and of that one's
 * parent and so on, then the stack's. The functions live in the program; the SDK serves them to the engine.
 */
export class Transforms {
  readonly #sdk: PulumiSdk;
  readonly #ofStack: CallbackMessage[] = [];
  readonly #ofResource = new Map<string, readonly CallbackMessage[]>();
  readonly #parents = new Map<string, string>();
  readonly #clients = new Map<string, CallbacksClient>();

  constructor(sdk: PulumiSdk) {
    this.#sdk = sdk;
  }

  addToStack(callback: CallbackMessage): void {
    this.#ofStack.push(callback);
  }

  /** To be called for every resource before its children can come. */
  remember(urn: string, request: RegisterRequest): void {
    this.#parents.set(urn, request.getParent());
    const own = request.getTransformsList();
    if (own.length > 0) this.#ofResource.set(urn, own);
  }

  /** Changes the request as the transforms want it; undefined when there are none, which spares a turn of the event loop. */
  apply(request: RegisterRequest): Promise<void> | undefined {
    const callbacks = [...request.getTransformsList()];
    for (let urn: string | undefined = request.getParent(); urn; urn = this.#parents.get(urn)) {
      callbacks.push(...(this.#ofResource.get(urn) ?? []));
    }
    callbacks.push(...this.#ofStack);
    return callbacks.length === 0 ? undefined : this.#run(callbacks, request as unknown as Message);
  }

  async #run(callbacks: readonly CallbackMessage[], registration: Message): Promise<void> {
    for (const callback of callbacks) await this.#transform(callback, registration);
  }

  async #transform(callback: CallbackMessage, registration: Message): Promise<void> {
    const messages = this.#sdk.load<MessageClasses>("proto/resource_pb.js");
    const request = new messages.TransformRequest!();
    for (const field of ["Type", "Name", "Custom", "Parent"]) setField(request, field, getField(registration, field));
    setField(request, "Properties", getField(registration, "Object"));
    setField(request, "Options", optionsOf(registration, messages.TransformResourceOptions!));

    const answer = await this.#call(callback, request.serializeBinary());
    const response = messages.TransformResponse!.deserializeBinary(answer);
    const properties = getField(response, "Properties");
    if (properties !== undefined) setField(registration, "Object", properties);
    const options = getField(response, "Options") as Message | undefined;
    if (options !== undefined) putOptions(options, registration);
  }

  #call(callback: CallbackMessage, bytes: Uint8Array): Promise<Uint8Array> {
    const { CallbackInvokeRequest } = this.#sdk.load<MessageClasses>("proto/callback_pb.js");
    const request = new CallbackInvokeRequest!();
    setField(request, "Token", callback.getToken());
    setField(request, "Request", bytes);
    return new Promise((resolve, reject) => {
      this.#client(callback.getTarget()).invoke(request, (error, response) => {
        if (error) reject(new Error(error.details || error.message));
        else resolve(getField(response, "Response_asU8") as Uint8Array);
      });
    });
  }

  #client(target: string): CallbacksClient {
    const existing = this.#clients.get(target);
    if (existing !== undefined) return existing;
    type ClientClass = new (target: string, credentials: unknown, options: object) => CallbacksClient;
    const { CallbacksClient } = this.#sdk.load<{ CallbacksClient: ClientClass }>("proto/callback_grpc_pb.js");
    const grpc: Grpc = grpcOf(this.#sdk);
    const client = new CallbacksClient(target, grpc.credentials.createInsecure(), {
      "grpc.max_receive_message_length": -1,
      "grpc.enable_http_proxy": 0,
    });
    this.#clients.set(target, client);
    return client;
  }
}

function optionsOf(registration: Message, Options: MessageClass): Message {
  const options = new Options();
  for (const [option, field] of OPTIONS) {
    if (!hasField(registration, field) || !hasField(options, option)) continue;
    const value = getField(registration, field);
    if (value !== undefined) setField(options, option, value);
  }
  if (getField(registration, "Deletebeforereplacedefined")) {
    setField(options, "DeleteBeforeReplace", getField(registration, "Deletebeforereplace"));
  }
  copyMap(registration, options);
  return options;
}

function putOptions(options: Message, registration: Message): void {
  for (const [option, field] of OPTIONS) {
    if (hasField(registration, field) && hasField(options, option))
      setField(registration, field, getField(options, option));
  }
  const has = options.hasDeleteBeforeReplace as () => boolean;
  setField(registration, "Deletebeforereplacedefined", has.call(options));
  setField(registration, "Deletebeforereplace", getField(options, "DeleteBeforeReplace"));
  copyMap(options, registration);
}

function copyMap(from: Message, to: Message): void {
  type ProviderMap = {
    clear(): void;
    set(key: string, value: string): void;
    forEach(each: (value: string, key: string) => void): void;
  };
  const target = getField(to, "ProvidersMap") as ProviderMap;
  target.clear();
  (getField(from, "ProvidersMap") as ProviderMap).forEach((value, key) => {
    target.set(key, value);
  });
}
