/** Tags that move to another image while the manifest stays as it is. */
const FLOATING =
  /(^|[-_.])(latest|main|master|head|nightly|edge|stable|dev|develop|canary|rolling|snapshot|unstable|experimental)($|[-_.])/i;
/** `nightly-4ff865c38eac`: the commit says which. */
const COMMIT = /(^|[-_.])(?=[0-9a-f]*\d)[0-9a-f]{7,40}($|[-_.])/i;

export function isFloatingTag(tag: string): boolean {
  return FLOATING.test(tag) && !COMMIT.test(tag);
}

const DIGEST = /^sha256:[0-9a-f]{64}$/;
const TAG = /^\w[\w.-]{0,127}$/;
const REPOSITORY = /^([a-z0-9]+([.-][a-z0-9]+)*(:\d+)?\/)?[a-z0-9]+([._-]+[a-z0-9]+)*(\/[a-z0-9]+([._-]+[a-z0-9]+)*)*$/;

export const isDigest = (digest: string): boolean => DIGEST.test(digest);
export const isTag = (tag: string): boolean => TAG.test(tag);
/** Without tag and digest, as a registry takes it. */
export const isRepository = (repository: string): boolean => REPOSITORY.test(repository);

export interface ImageParts {
  readonly repository: string;
  readonly tag: string | null;
  readonly digest: string | null;
}

/** `registry:5000/team/name:tag@sha256:...` in its parts; the port of a registry is no tag. */
export function imageParts(reference: string): ImageParts {
  const [named = "", digest] = reference.split("@");
  const colon = named.indexOf(":", named.lastIndexOf("/") + 1);
  return {
    repository: colon < 0 ? named : named.slice(0, colon),
    tag: colon < 0 ? null : named.slice(colon + 1),
    digest: digest ?? null,
  };
}
