import { isRef, REF_TOKEN, type Ref } from "@capstan/core";
import * as pulumi from "@pulumi/pulumi";

/** What stands behind a token such as `${ref:models-bucket}` in a manifest; undefined: nothing that is known. */
export type TokenValues = (token: string) => pulumi.Output<unknown> | undefined;

/**
 * Puts values in the place of tokens and refs, field by field, and leaves everything else as it is. Nothing is combined
 * into one Output: an unknown or secret field stays alone in being so.
 */
export function fill(value: unknown, values: TokenValues, path: string): pulumi.Input<unknown> {
  if (typeof value === "string") return fillText(value, values, path);
  if (pulumi.Output.isInstance(value)) return value;
  if (isRef(value)) return outputOf(value, path);
  if (Array.isArray(value)) return value.map((child, index) => fill(child, values, `${path}[${index}]`));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, fill(child, values, `${path}.${key}`)]));
}

/** The identity as Pulumi has it. A ref that was read from JSON has a name and no value. */
export function outputOf(ref: Ref, path: string): pulumi.Output<unknown> {
  if (ref.value === undefined) {
    throw new Error(
      `${path}: the value of ref "${ref.name}" is not known to this program; make it with ref("${ref.name}", value), ` +
        "where value is a string or a Pulumi output",
    );
  }
  return pulumi.output(ref.value);
}

/** `${capstan-output:0}`: an Output that stood in a cdk8s object. */
const OUTPUT_TOKEN = /\$\{capstan-output:\d+\}/;
/** What an Output turns into when it is put into a string by hand. */
const OUTPUT_AS_TEXT = "Calling [toString] on an [Output<T>] is not supported";
const ANY_TOKEN = new RegExp(`${REF_TOKEN.source}|${OUTPUT_TOKEN.source}`, "g");

function fillText(text: string, values: TokenValues, path: string): pulumi.Input<unknown> {
  if (text.includes(OUTPUT_AS_TEXT)) {
    throw new Error(
      `${path}: an Output was put into a string as if it were one; write pulumi.interpolate\`...\` instead`,
    );
  }
  const tokens = text.match(ANY_TOKEN);
  if (tokens === null) return text;
  const [first] = tokens;
  // The whole field: the value keeps its own type, a number stays one.
  if (first === text) return tokenValue(first, values, path) ?? text;
  const parts: pulumi.Input<string>[] = [];
  let end = 0;
  for (const match of text.matchAll(ANY_TOKEN)) {
    parts.push(text.slice(end, match.index), (tokenValue(match[0], values, path) ?? match[0]) as pulumi.Input<string>);
    end = match.index + match[0].length;
  }
  return pulumi.concat(...parts, text.slice(end));
}

/** Undefined where the text only looks like one of our tokens for Outputs. */
function tokenValue(token: string, values: TokenValues, path: string): pulumi.Output<unknown> | undefined {
  const value = values(token);
  if (value === undefined && !OUTPUT_TOKEN.test(token)) {
    throw new Error(
      `${path}: ${token} names a value that nothing gives; the refs of the chart's constructs do not have it`,
    );
  }
  return value;
}
