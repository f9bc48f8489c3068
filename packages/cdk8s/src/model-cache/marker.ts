import { inString, type ResolvedSource } from "@capstan/core";

/** At the top of a model's directory: what lies there, completely. Absent while anything is missing. */
export const COMPLETE_MARKER = ".capstan-complete";

/**
 * Content of the marker. The preloader writes it and the services wait for exactly it, so another source, revision or
 * size is another model: no pod starts on the files of the one before.
 */
export function markerOf(model: { readonly source: ResolvedSource; readonly bytes: number | null }): string {
  return model.bytes === null ? sourceUrl(model.source) : `${sourceUrl(model.source)} ${model.bytes} bytes`;
}

/** `s3://bucket/prefix`, or `hub://owner/name@revision`. A bucket that is known only at deployment is a token in it. */
export function sourceUrl(source: ResolvedSource): string {
  if (source.kind === "s3") return s3Url(source);
  return `hub://${source.repository}${source.revision === null ? "" : `@${source.revision}`}`;
}

export function s3Url(source: Extract<ResolvedSource, { readonly kind: "s3" }>): string {
  const bucket = `s3://${inString(source.bucket)}`;
  return source.prefix === "" ? bucket : `${bucket}/${source.prefix}`;
}
