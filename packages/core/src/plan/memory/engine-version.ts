export interface EngineVersion {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
}

/**
 * A released version, `0.33.0`; null for anything else. A bare minor (`0.20`) is refused because behaviour changes
 * inside a minor: 0.20.0 and 0.20.2 count tokens differently.
 */
export function parseEngineVersion(text: string): EngineVersion | null {
  const match = /^v?(\d+)\.(\d+)\.(\d+)(?:\.post\d+)?$/.exec(text);
  if (match === null) return null;
  return { major: Number(match[1]), minor: Number(match[2]), patch: Number(match[3]) };
}

/** For versions that were checked before, and for those written in code. */
export function exactVersion(text: string): EngineVersion {
  const version = parseEngineVersion(text);
  if (version === null) throw new Error(`not an exact version such as 0.33.0: "${text}"`);
  return version;
}

function compareVersions(a: EngineVersion, b: EngineVersion): number {
  return a.major - b.major || a.minor - b.minor || a.patch - b.patch;
}

/** `from` is an exact version of ours, such as `0.20.2`. */
export function atLeast(version: EngineVersion, from: string): boolean {
  return compareVersions(version, exactVersion(from)) >= 0;
}
