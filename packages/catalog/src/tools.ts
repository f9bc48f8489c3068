import { lazy } from "./load.ts";

const document = lazy<{ readonly downloadImages: Readonly<Record<"s3" | "hub", string>> }>("tools");

/** Image that downloads from a kind of source, with its tag. */
export function downloadImage(source: "s3" | "hub"): string {
  return document().downloadImages[source];
}
