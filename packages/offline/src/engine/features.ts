/**
 * What the recorder tells the SDK that it can do, by the ids of `SupportsFeature`. Missing on purpose: `outputValues`
 * and its relatives (values would arrive wrapped) and `invokeDependsOn` (the SDK then does not even ask when an
 * invoke's input is unknown).
 */
const SUPPORTED = [
  "secrets",
  "resourceReferences",
  "aliasSpecs",
  "replacementTrigger",
  "deletedWith",
  "replaceWith",
  "transforms",
  "invokeTransforms",
  "parameterization",
  "resourceHooks",
  "errorHooks",
  "stateMigrations",
];

/** For SDKs that ask feature by feature. */
export function supportsFeature(id: string): boolean {
  return SUPPORTED.includes(id);
}

/** For SDKs that ask once: the numbers of the features that this SDK knows. */
export function supportedFeatures(enumeration: Readonly<Record<string, number>>): number[] {
  const names = SUPPORTED.map((id) => `RESOURCE_MONITOR_FEATURE_${id.replace(/[A-Z]/g, "_$&").toUpperCase()}`);
  return names.map((name) => enumeration[name]).filter((value) => value !== undefined);
}
