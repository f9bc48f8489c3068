import type { PulumiSdk } from "../run/sdk.ts";
import { supportedFeatures, supportsFeature } from "./features.ts";
import { GRPC_UNIMPLEMENTED, GRPC_UNKNOWN } from "./protocol.ts";
import type { Recorder, ResourceAnswer } from "./recorder.ts";
import type { CallbackMessage, InvokeRequest, OutputsRequest, ReadRequest, RegisterRequest } from "./requests.ts";
import { Transforms } from "./transforms.ts";

export type Reply = (error: object | null, response?: object) => void;

/** How an answer becomes what the SDK expects: plain objects inside the process, real messages over the network. */
export interface Replies {
  empty(): object;
  feature(supported: boolean): object;
  features(supported: readonly number[]): object;
  registered(answer: ResourceAnswer): object;
  read(answer: ResourceAnswer): object;
  found(answer: ResourceAnswer): object;
  /** Whether a resource exists outside of the program, only the cloud knows. */
  existsUnknown(): object;
  package(reference: string): object;
}

/** Pulumi's resource monitor, method by method, on top of a recorder. */
export class Monitor {
  readonly #recorder: Recorder;
  readonly #transforms: Transforms;
  readonly #replies: Replies;
  readonly #sdk: PulumiSdk;

  constructor(recorder: Recorder, sdk: PulumiSdk, replies: Replies) {
    this.#recorder = recorder;
    this.#transforms = new Transforms(sdk);
    this.#replies = replies;
    this.#sdk = sdk;
  }

  registerResource(request: RegisterRequest, reply: Reply): void {
    const register = () => {
      const answer = this.#recorder.register(request);
      this.#transforms.remember(answer.urn, request);
      return this.#replies.registered(answer);
    };
    const transforming = this.#transforms.apply(request);
    if (transforming === undefined) answerWith(reply, register);
    else
      transforming.then(
        () => answerWith(reply, register),
        (error: unknown) => reply(failure(error)),
      );
  }

  readResource(request: ReadRequest, reply: Reply): void {
    answerWith(reply, () => this.#replies.read(this.#recorder.read(request)));
  }

  registerResourceOutputs(request: OutputsRequest, reply: Reply): void {
    answerWith(reply, () => {
      this.#recorder.outputs(request);
      return this.#replies.empty();
    });
  }

  invoke(request: InvokeRequest, reply: Reply): void {
    answerWith(reply, () => this.#replies.found(this.#recorder.invoke(request)));
  }

  call(request: InvokeRequest, reply: Reply): void {
    answerWith(reply, () => this.#recorder.call(request));
  }

  existsResource(_request: unknown, reply: Reply): void {
    reply(null, this.#replies.existsUnknown());
  }

  registerStackTransform(callback: CallbackMessage, reply: Reply): void {
    this.#transforms.addToStack(callback);
    reply(null, this.#replies.empty());
  }

  /** Never run: no invoke is answered. */
  registerStackInvokeTransform(_callback: CallbackMessage, reply: Reply): void {
    reply(null, this.#replies.empty());
  }

  /** Never run: hooks belong to a deployment. */
  registerResourceHook(_request: unknown, reply: Reply): void {
    reply(null, this.#replies.empty());
  }

  registerErrorHook(_request: unknown, reply: Reply): void {
    reply(null, this.#replies.empty());
  }

  registerPackage(request: { getName(): string; getVersion(): string }, reply: Reply): void {
    reply(null, this.#replies.package(`${request.getName()}@${request.getVersion()}`));
  }

  supportsFeature(request: { getId(): string }, reply: Reply): void {
    reply(null, this.#replies.feature(supportsFeature(request.getId())));
  }

  getDeploymentInfo(_request: unknown, reply: Reply): void {
    const messages = this.#sdk.load<{ ResourceMonitorFeature?: Record<string, number> }>("proto/resource_pb.js");
    if (messages.ResourceMonitorFeature === undefined) reply({ code: GRPC_UNIMPLEMENTED, message: "unimplemented" });
    else reply(null, this.#replies.features(supportedFeatures(messages.ResourceMonitorFeature)));
  }

  signalAndWaitForShutdown(_request: unknown, reply: Reply): void {
    reply(null, this.#replies.empty());
  }

  close(): void {}
}

function answerWith(reply: Reply, answer: () => object): void {
  let response: object;
  try {
    response = answer();
  } catch (error) {
    reply(failure(error));
    return;
  }
  // Outside of the try: what the SDK does with an answer is not a failure of the answer.
  reply(null, response);
}

/** An error as gRPC delivers it. The SDK shows `details` for some requests and `message` for others. */
function failure(error: unknown): object {
  const details = error instanceof Error ? error.message : String(error);
  return Object.assign(new Error(details), { code: GRPC_UNKNOWN, details });
}
