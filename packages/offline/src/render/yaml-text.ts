import { Document, isScalar, Scalar, visit } from "yaml";

/** Plain in YAML 1.1 or its common readers, another type than a string: booleans, null, merge key, default value. */
const WORDS = /^(y|n|yes|no|on|off|true|false|null|~|<<|=|[-+]?\.?(inf|infinity|nan))$/i;

/** Numbers of any base, with underscores or commas, times in base 60, dates and moments. */
const NUMBERS = /^[-+.]*[0-9_][0-9a-f_.,:+\-xot\sz]*$/i;

/** What plain and block scalars cannot hold, or what one of the two versions reads as a line break. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const UNPRINTABLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/;

/** Those that JSON leaves as they are. */
const NOT_ESCAPED_BY_JSON = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

/**
 * Readers of Kubernetes YAML keep to version 1.1, others to 1.2: what one of them would take for another type than a
 * string is quoted, and text that loses white space in a block is written on one line.
 */
export function yamlText(value: unknown): string {
  const document = new Document(value, { compat: "yaml-1.1", aliasDuplicateObjects: false });
  visit(document, (_, node) => {
    if (isScalar(node) && typeof node.value === "string" && needsQuotes(node.value)) node.type = Scalar.QUOTE_DOUBLE;
  });
  // Each of them stands between double quotes, where the escape means the same character.
  return document
    .toString({ lineWidth: 0, doubleQuotedAsJSON: true })
    .replace(NOT_ESCAPED_BY_JSON, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function needsQuotes(text: string): boolean {
  if (WORDS.test(text) || NUMBERS.test(text) || UNPRINTABLE.test(text)) return true;
  return text.includes("\n") ? !fitsBlock(text) : text.includes("\t");
}

/** A block takes its indentation from the first line, and readers differ on lines of white space alone. */
function fitsBlock(text: string): boolean {
  return !/^\s/.test(text) && !/[^\S\n]+(\n|$)/.test(text);
}
