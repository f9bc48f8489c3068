import { Monitor } from "./engine/monitor.ts";
import { plainReplies } from "./engine/plain-replies.ts";
import { Recorder } from "./engine/recorder.ts";
import type { Recording, StackReferences } from "./recording.ts";
import type { PulumiSdk } from "./run/sdk.ts";
import { ownSdk } from "./run/sdk.ts";

export interface RecordingMonitorOptions {
  readonly project: string;
  readonly stack: string;
  /** @default "organization" */
  readonly organization?: string;
  /**
   * True: as `pulumi preview` does, ids and computed outputs are unknown. False: as after a deployment, with
   * `<name>-id` as id and no other outputs than the inputs.
   * @default true
   */
  readonly preview?: boolean;
  /** @default - outputs of other stacks are unknown */
  readonly stackReferences?: StackReferences;
}

/**
 * A resource monitor that records, for tests that cannot put their resources into a function: `attach` it, create the
 * resources, and ask for the `recording`. Where they can, `recordInProcess` is simpler and also catches failures.
 */
export class RecordingMonitor extends Monitor {
  readonly #recorder: Recorder;
  readonly #sdk: PulumiSdk;
  readonly #options: RecordingMonitorOptions;

  constructor(options: RecordingMonitorOptions) {
    const { project, stack, preview = true, stackReferences = {} } = options;
    const recorder = new Recorder({ project, stack, preview, stackReferences });
    const sdk = ownSdk();
    super(recorder, sdk, plainReplies);
    this.#recorder = recorder;
    this.#sdk = sdk;
    this.#options = options;
  }

  /** From here on the Pulumi runtime of this process talks to this monitor, until another one takes its place. */
  async attach(): Promise<void> {
    const { project, stack, organization = "organization", preview = true } = this.#options;
    const settings = this.#sdk.load<{
      setMockOptions(monitor: object, project: string, stack: string, preview: boolean, organization: string): void;
      awaitFeatureSupport(): Promise<void>;
    }>("runtime/settings.js");
    settings.setMockOptions(this, project, stack, preview, organization);
    // The line above has turned every feature off: secrets would arrive in clear and aliases not at all.
    await settings.awaitFeatureSupport();
  }

  /** Everything registered so far, after all that is under way. Throws what made the recording impossible. */
  async recording(): Promise<Recording> {
    await this.#sdk.load<{ waitForRPCs(): Promise<void> }>("runtime/settings.js").waitForRPCs();
    if (this.#recorder.failure !== undefined) throw this.#recorder.failure;
    return this.#recorder.recording();
  }
}
