import { partitionOf } from "../partition.ts";
import { allow, type PolicyDocument, policyDocument } from "./policy.ts";

/** A place that models are read from. */
export interface ModelLocation {
  readonly bucket: string;
  /** Without leading or trailing slash; empty: the whole bucket. */
  readonly prefix: string;
}

/** Reads the models under the prefixes, and nothing else of the buckets. */
export function modelReaderPolicy(region: string, locations: readonly ModelLocation[]): PolicyDocument {
  const s3 = `arn:${partitionOf(region)}:s3:::`;
  const buckets = [...new Set(locations.map(({ bucket }) => bucket))];
  return policyDocument([
    // A listing is limited by condition, and each bucket has prefixes of its own: one statement a bucket.
    ...buckets.map((bucket, index) =>
      allow(`ListModels${index}`, ["s3:ListBucket"], [`${s3}${bucket}`], {
        StringLike: {
          "s3:prefix": locations.filter((l) => l.bucket === bucket).flatMap(({ prefix }) => listing(prefix)),
        },
      }),
    ),
    allow(
      "ReadModels",
      ["s3:GetObject"],
      locations.map(({ bucket, prefix }) => `${s3}${bucket}/${prefix === "" ? "" : `${prefix}/`}*`),
    ),
  ]);
}

function listing(prefix: string): string[] {
  return prefix === "" ? ["*"] : [prefix, `${prefix}/*`];
}
