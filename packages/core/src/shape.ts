import { nearest } from "@capstan/catalog";
import * as z from "zod";
import type { Finding } from "./finding.ts";

/** Findings for what a schema refuses: wrong types, missing and unknown keys, each with its path and the way out. */
export function shapeFindings(schema: z.ZodType, value: unknown, at: string): Finding[] {
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return [];
  return parsed.error.issues.flatMap((issue) => issueFindings(issue, schema, value, at));
}

function issueFindings(issue: z.core.$ZodIssue, schema: z.ZodType, value: unknown, at: string): Finding[] {
  const path = [at, ...issue.path.map(String)].join(".");
  if (issue.code === "unrecognized_keys") {
    const known = keysAt(schema, issue.path);
    return issue.keys.map((key) => {
      const near = nearest(key, known);
      return shapeFinding(
        `${path}.${key}`,
        `"${key}" is not a property here${near ? `; did you mean "${near}"?` : ""}`,
        near ? `write "${near}"` : `remove it; known: ${known.join(", ")}`,
      );
    });
  }
  const got = valueAt(value, issue.path);
  if (issue.code === "invalid_union" && got !== undefined) return [unionFinding(issue, got, path)];
  if (issue.code === "invalid_value" && got !== undefined)
    return [choiceFinding(issue.values.map(String), [], got, path)];
  if (got === undefined)
    return [
      shapeFinding(
        path,
        "is required and missing",
        `give it: ${lower(issue.message.replace(/, received undefined$/, ""))}`,
      ),
    ];
  return [shapeFinding(path, `${show(got)} is not valid: ${lower(issue.message)}`, "write a value of that kind")];
}

/** What any of the alternatives would have taken. */
function unionFinding(issue: z.core.$ZodIssueInvalidUnion, got: unknown, path: string): Finding {
  const inner = issue.errors.flat();
  const values = inner.flatMap((i) => (i.code === "invalid_value" && i.path.length === 0 ? i.values.map(String) : []));
  const types = inner.flatMap((i) => (i.code === "invalid_type" && i.path.length === 0 ? [i.expected] : []));
  if (values.length + types.length > 0) return choiceFinding(values, [...new Set(types)], got, path);
  // An object that none of the alternatives takes: say what the nearest of them misses.
  const closest = issue.errors.toSorted((a, b) => a.length - b.length)[0]?.[0];
  const at = closest && closest.path.length > 0 ? ` at ${closest.path.join(".")}` : "";
  return shapeFinding(
    path,
    `${show(got)} is not valid${at}: ${lower(closest?.message ?? issue.message)}`,
    "write one of the forms that the property's type lists",
  );
}

function choiceFinding(values: readonly string[], types: readonly string[], got: unknown, path: string): Finding {
  const near = typeof got === "string" ? nearest(got, values) : undefined;
  const valid = [...values.map((v) => `"${v}"`), ...types.map((t) => `${/^[aeiou]/.test(t) ? "an" : "a"} ${t}`)].join(
    ", ",
  );
  return shapeFinding(
    path,
    `${show(got)} is not valid; valid are ${valid}${near ? `; did you mean "${near}"?` : ""}`,
    near ? `write "${near}"` : `write one of ${valid}`,
  );
}

function shapeFinding(path: string, message: string, remedy: string): Finding {
  return { id: "declaration.shape", severity: "error", path, message, remedy, reference: null, acknowledged: null };
}

function lower(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1);
}

/** A value in a message: short, and never a whole object. */
export function show(value: unknown): string {
  if (typeof value === "string") return `"${value.length > 80 ? `${value.slice(0, 77)}...` : value}"`;
  if (typeof value === "number" || typeof value === "boolean" || value === null || value === undefined)
    return String(value);
  const text = JSON.stringify(value) ?? typeof value;
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let current = value;
  for (const key of path) {
    if (typeof current !== "object" || current === null) return undefined;
    current = (current as Record<PropertyKey, unknown>)[key];
  }
  return current;
}

/** Keys of the object schema at a path, for "did you mean". */
function keysAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  let current: unknown = schema;
  for (const key of path) current = child(unwrap(current), key);
  const object = unwrap(current);
  return object instanceof z.ZodObject ? Object.keys(object.shape) : [];
}

function child(schema: unknown, key: PropertyKey): unknown {
  if (schema instanceof z.ZodObject) return schema.shape[String(key)];
  if (schema instanceof z.ZodArray) return schema.element;
  return undefined;
}

function unwrap(schema: unknown): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return unwrap(schema.unwrap());
  return schema;
}
