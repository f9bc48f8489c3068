import type { Reply } from "./monitor.ts";
import type { Recorder } from "./recorder.ts";
import type { LogRequest } from "./requests.ts";

/** Its answers have no fields but one; over the network each needs its own class all the same. */
export interface EngineReplies {
  empty(): object;
  rootSet(): object;
  root(urn: string): object;
  versionAccepted(): object;
}

export const plainEngineReplies: EngineReplies = {
  empty: () => ({}),
  rootSet: () => ({}),
  root: (urn) => ({ getUrn: () => urn }),
  versionAccepted: () => ({}),
};

/** Pulumi's engine as far as a program talks to it: logs, and where the URN of the stack is kept. */
export class Engine {
  readonly #recorder: Recorder;
  readonly #replies: EngineReplies;
  #root = "";

  constructor(recorder: Recorder, replies: EngineReplies) {
    this.#recorder = recorder;
    this.#replies = replies;
  }

  log(request: LogRequest, reply: Reply): void {
    this.#recorder.log(request);
    reply(null, this.#replies.empty());
  }

  setRootResource(request: { getUrn(): string }, reply: Reply): void {
    this.#root = request.getUrn();
    reply(null, this.#replies.rootSet());
  }

  getRootResource(_request: unknown, reply: Reply): void {
    reply(null, this.#replies.root(this.#root));
  }

  startDebugging(_request: unknown, reply: Reply): void {
    reply(null, this.#replies.empty());
  }

  /** There is no command line whose version could be too old. */
  requirePulumiVersion(_request: unknown, reply: Reply): void {
    reply(null, this.#replies.versionAccepted());
  }

  close(): void {}
}
