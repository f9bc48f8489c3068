import { ProgramError } from "../errors.ts";
import type {
  JsonValue,
  LogSeverity,
  RecordedLog,
  RecordedResource,
  Recording,
  StackReferences,
} from "../recording.ts";
import { readOptions, registeredOptions } from "./options.ts";
import type { InvokeRequest, LogRequest, OutputsRequest, ReadRequest, RegisterRequest } from "./requests.ts";
import { isStackUrn, resourceUrn } from "./urn.ts";
import type { WireObject } from "./values.ts";
import { knownId, previewState, stackReferenceState, toJsonInputs, toJsonObject } from "./values.ts";

const STACK_REFERENCE = "pulumi:pulumi:StackReference";
const GET_RESOURCE = "pulumi:pulumi:getResource";
const SEVERITIES: readonly (LogSeverity | undefined)[] = [undefined, "info", "warning", "error"];

export interface RecorderSettings {
  readonly project: string;
  readonly stack: string;
  /** True: ids and outputs that are not inputs are unknown. False: resources count as created, with `<name>-id` as id. */
  readonly preview: boolean;
  readonly stackReferences: StackReferences;
}

/** What the program gets to know of a resource. */
export interface ResourceAnswer {
  readonly urn: string;
  /** Empty when it is not known. */
  readonly id: string;
  readonly state: WireObject;
}

/** The engine's part of Pulumi's protocol, whichever way the messages come: it answers as a preview does and keeps all. */
export class Recorder {
  readonly settings: RecorderSettings;
  readonly #resources = new Map<string, RecordedResource>();
  readonly #answers = new Map<string, ResourceAnswer>();
  readonly #logs: RecordedLog[] = [];
  readonly #onFailure: (failure: ProgramError) => void;
  #outputs: Readonly<Record<string, JsonValue>> | undefined;
  #failure: ProgramError | undefined;

  constructor(settings: RecorderSettings, onFailure: (failure: ProgramError) => void = () => {}) {
    this.settings = settings;
    this.#onFailure = onFailure;
  }

  /** What the program asked for that no plan can answer, if it did. */
  get failure(): ProgramError | undefined {
    return this.#failure;
  }

  /** The stack's outputs have come: the program has run to its end. */
  get finished(): boolean {
    return this.#outputs !== undefined;
  }

  recording(): Recording {
    const byUrn = [...this.#resources.values()].sort((a, b) => (a.urn < b.urn ? -1 : 1));
    const { project, stack } = this.settings;
    return { project, stack, resources: byUrn, outputs: this.#outputs ?? {}, logs: [...this.#logs] };
  }

  register(request: RegisterRequest): ResourceAnswer {
    const inputs = request.getObject()?.toJavaScript() ?? {};
    const options = registeredOptions(request);
    const custom = request.getCustom();
    const secrets = request.getAdditionalsecretoutputsList();
    const urn = this.#keep(request, { custom, inputs: toJsonInputs(inputs, secrets), options });
    // A component's outputs are its own affair, and a plugin's component is not built at all.
    const state = custom ? previewState(inputs, secrets) : {};
    const id = options.import ?? (custom && !this.settings.preview ? `${request.getName()}-id` : "");
    return this.#answer({ urn, id, state });
  }

  read(request: ReadRequest): ResourceAnswer {
    const id = knownId(request.getId()) ?? "";
    const inputs = request.getProperties()?.toJavaScript() ?? {};
    const urn = this.#keep(request, {
      custom: true,
      inputs: toJsonObject(inputs),
      options: readOptions(request, id === "" ? "[unknown]" : id),
    });
    const state = this.settings.preview ? {} : inputs;
    const isReference = request.getType() === STACK_REFERENCE;
    return this.#answer({
      urn,
      id,
      state: isReference ? stackReferenceState(id, this.settings.stackReferences[id]) : state,
    });
  }

  outputs(request: OutputsRequest): void {
    if (isStackUrn(request.getUrn())) this.#outputs = toJsonObject(request.getOutputs()?.toJavaScript() ?? {});
  }

  /** Throws for all functions but Pulumi's own look-up of a resource that the program has registered. */
  invoke(request: InvokeRequest): ResourceAnswer {
    const token = request.getTok();
    if (token !== GET_RESOURCE) {
      throw this.fail(
        `the program calls the provider function ${token}, which a plan cannot answer because it asks no cloud. ` +
          "Give the value as stack configuration or as a constant instead",
      );
    }
    const urn = String(request.getArgs()?.toJavaScript().urn);
    const answer = this.#answers.get(urn);
    if (answer === undefined) throw this.fail(`the program looks up ${urn}, which it has not registered`);
    return answer;
  }

  /** Throws: only a provider can answer a method. */
  call(request: InvokeRequest): never {
    throw this.fail(
      `the program calls ${request.getTok()}, a method of a provider's resource, which a plan cannot answer because it ` +
        "runs no provider. Give the value as stack configuration or as a constant instead",
    );
  }

  log(request: LogRequest): void {
    const severity = SEVERITIES[request.getSeverity()];
    if (severity === undefined || request.getEphemeral()) return;
    this.#logs.push({ severity, message: request.getMessage(), urn: request.getUrn() });
  }

  /** Keeps the first thing that makes a recording impossible; later ones are mostly its consequences. */
  fail(message: string): ProgramError {
    const failure = new ProgramError(message);
    if (this.#failure === undefined) {
      this.#failure = failure;
      this.#onFailure(failure);
    }
    return failure;
  }

  #keep(
    request: { getParent(): string; getType(): string; getName(): string },
    facts: Pick<RecordedResource, "custom" | "inputs" | "options">,
  ): string {
    const parent = request.getParent();
    const type = request.getType();
    const name = request.getName();
    const urn = resourceUrn(this.settings, parent, type, name);
    if (this.#resources.has(urn)) {
      throw this.fail(`two resources of type ${type} are named "${name}" (${urn}): give one of them another name`);
    }
    const { custom, inputs, options } = facts;
    this.#resources.set(urn, { urn, type, name, custom, parent, inputs, options });
    if (options.remote === true) {
      const message = `${type} "${name}" is built by a provider plugin: the resources inside it are not part of this plan`;
      this.#logs.push({ severity: "warning", message, urn });
    }
    return urn;
  }

  #answer(answer: ResourceAnswer): ResourceAnswer {
    this.#answers.set(answer.urn, answer);
    return answer;
  }
}
