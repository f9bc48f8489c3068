import type { ChartFacts } from "@capstan/catalog";

/** Pod Security Standard that the namespace of an add-on enforces. */
export type PodSecurity = "privileged" | "baseline" | "restricted";

export interface AddonNamespace {
  readonly name: string;
  readonly podSecurity: PodSecurity;
}

/**
 * Where the custom resource definitions come from: `in-chart` brings them with the release itself, `own-release` says
 * that another add-on of `dependsOn` has them and the release must not install its own copy.
 */
export type CrdSource = "own-release" | "in-chart" | "none";

/**
 * One Helm release of the platform, as plain data. Values may hold a `Ref` where an identity is not known yet; what
 * deploys the release puts the value in.
 */
export interface Addon<Values extends object = object> {
  readonly name: string;
  /** Pinned: never a range, never `latest`. */
  readonly chart: ChartFacts;
  readonly releaseName: string;
  readonly namespace: AddonNamespace;
  /** Deeply frozen; keys exist in the chart's own values. */
  readonly values: Values;
  readonly crds: CrdSource;
  /** Custom resources that can be created once the release is there, as `group/version Kind`. */
  readonly providesKinds: readonly string[];
  /** Names of add-ons that have to be there first. */
  readonly dependsOn: readonly string[];
  /** What Helm waits for the release's own objects; nodes that the autoscaler has yet to start are no part of it. */
  readonly timeoutSeconds: number;
}

/** The platform asks for add-ons that cannot run together, or for one whose dependency is missing. */
export class AddonError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "AddonError";
    // The frames are ours, the mistake is in the declaration that the message names.
    this.stack = `${this.name}: ${this.message}`;
  }
}
