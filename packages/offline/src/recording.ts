/** What JSON can hold. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** Stands for a value that Pulumi marks as secret, whether it is known or not. */
export const SECRET_TEXT = "[secret]";

/** Stands for a value that only a deployment can know. */
export const UNKNOWN_TEXT = "[unknown]";

/** One way in which a resource was called before: its old URN, or what of it has changed. */
export type RecordedAlias =
  | string
  | {
      readonly name?: string;
      readonly type?: string;
      readonly stack?: string;
      readonly project?: string;
      /** URN of the former parent; empty when it had none. */
      readonly parent?: string;
    };

/** Durations as the program writes them: `40m`, `1h30m`. */
export interface RecordedTimeouts {
  readonly create?: string;
  readonly update?: string;
  readonly delete?: string;
  readonly read?: string;
}

/** Resource options that are set, in the spelling of `pulumi.CustomResourceOptions`; nothing is there that is not set. */
export interface RecordedOptions {
  readonly protect?: true;
  /** URNs of everything that the resource waits for, sorted: `dependsOn` and what its inputs come from. */
  readonly dependsOn?: readonly string[];
  /** Input name to the URNs that its value comes from, sorted. */
  readonly propertyDependencies?: Readonly<Record<string, readonly string[]>>;
  readonly ignoreChanges?: readonly string[];
  readonly replaceOnChanges?: readonly string[];
  readonly hideDiffs?: readonly string[];
  readonly additionalSecretOutputs?: readonly string[];
  /** URN of an explicit provider. */
  readonly provider?: string;
  /** Package name to provider URN, what a component hands to its children. */
  readonly providers?: Readonly<Record<string, string>>;
  readonly customTimeouts?: RecordedTimeouts;
  readonly aliases?: readonly RecordedAlias[];
  readonly version?: string;
  readonly pluginDownloadURL?: string;
  readonly deleteBeforeReplace?: boolean;
  readonly retainOnDelete?: true;
  /** URN. */
  readonly deletedWith?: string;
  /** URNs, sorted. */
  readonly replaceWith?: readonly string[];
  /** Id of the existing object that the resource adopts. */
  readonly import?: string;
  /** The resource is only read (`X.get`, a stack reference): the id that it is read by. */
  readonly read?: string;
  /** A component that a provider plugin builds: its children are not in the recording. */
  readonly remote?: true;
}

/** One resource as the program registers it. */
export interface RecordedResource {
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  /** False for components and the stack itself. */
  readonly custom: boolean;
  /** URN of the parent; empty for the stack. */
  readonly parent: string;
  /** Keys sorted at every depth; secrets show as `[secret]`, values not known before deployment as `[unknown]`. */
  readonly inputs: Readonly<Record<string, JsonValue>>;
  readonly options: RecordedOptions;
}

export type LogSeverity = "info" | "warning" | "error";

/** One message that the program or its components logged with `pulumi.log`. */
export interface RecordedLog {
  readonly severity: LogSeverity;
  readonly message: string;
  /** URN of the resource that the message is about; empty when it is about none. */
  readonly urn: string;
}

/** All that a program registers. Two runs of the same program give the same JSON, byte by byte. */
export interface Recording {
  readonly project: string;
  readonly stack: string;
  /** Sorted by URN. */
  readonly resources: readonly RecordedResource[];
  /** Outputs of the stack. They may serve as `stackReferences` of another recording. */
  readonly outputs: Readonly<Record<string, JsonValue>>;
  readonly logs: readonly RecordedLog[];
}

/**
 * Full name of another stack (as the program's `StackReference` names it) to its outputs. `[secret]` and `[unknown]` mean
 * what they say; one unknown output makes all others of that stack unknown, since Pulumi computes nothing from them.
 */
export type StackReferences = Readonly<Record<string, Readonly<Record<string, JsonValue>>>>;
