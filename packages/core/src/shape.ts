import { nearest } from "@capstan/catalog";
import * as z from "zod";
import type { Finding } from "./finding.ts";
import { ref } from "./ref.ts";

/** Findings for what a schema refuses: wrong types, missing and unknown keys, each with its path and the way out. */
export function shapeFindings(schema: z.ZodType, value: unknown, at: string): Finding[] {
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return [];
  const findings = parsed.error.issues.flatMap((issue) => issueFindings(issue, schema, value, at));
  // One Output is refused once for each property that was looked for in it.
  return findings.filter((f, i) => findings.findIndex((g) => g.path === f.path && g.message === f.message) === i);
}

function issueFindings(issue: z.core.$ZodIssue, schema: z.ZodType, value: unknown, at: string): Finding[] {
  const path = pathOf(at, issue.path);
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
  const outputs = outputsAt(value, issue.path);
  if (outputs.length > 0) return outputs.map((output) => outputFinding(schema, value, output, at));
  const got = valueAt(value, issue.path);
  if (issue.code === "invalid_union" && got !== undefined) {
    const meant = meantAlternative(issue);
    if (meant === undefined) return [unionFinding(issue, got, path)];
    return meant.flatMap((inner) =>
      issueFindings({ ...inner, path: [...issue.path, ...inner.path] }, schema, value, at),
    );
  }
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

function pathOf(at: string, path: readonly PropertyKey[]): string {
  return [at, ...path.map(String)].join(".");
}

/** Problems of the one alternative whose kind was given: only properties of it are wrong. */
function meantAlternative(issue: z.core.$ZodIssueInvalidUnion): readonly z.core.$ZodIssue[] | undefined {
  return issue.errors.find(
    (inner) => inner.length > 0 && inner.every(({ path: [key] }) => key !== undefined && key !== "kind"),
  );
}

/** A value of Pulumi's, told by the mark that Pulumi itself goes by: core does not depend on Pulumi. */
function isOutput(value: unknown): boolean {
  return typeof value === "object" && value !== null && (value as { __pulumiOutput?: unknown }).__pulumiOutput === true;
}

/** Paths of the Outputs on the way to a place and below it. An Output answers to every property with another Output. */
function outputsAt(value: unknown, path: readonly PropertyKey[]): (readonly PropertyKey[])[] {
  let current = value;
  for (const [depth, key] of path.entries()) {
    if (isOutput(current)) return [path.slice(0, depth)];
    if (typeof current !== "object" || current === null) return [];
    current = (current as Record<PropertyKey, unknown>)[key];
  }
  return outputsIn(current).map((below) => [...path, ...below]);
}

function outputsIn(value: unknown): (readonly PropertyKey[])[] {
  if (isOutput(value)) return [[]];
  if (typeof value !== "object" || value === null || className(value) !== null) return [];
  return Object.entries(value).flatMap(([key, child]) => outputsIn(child).map((below) => [key, ...below]));
}

function outputFinding(schema: z.ZodType, value: unknown, path: readonly PropertyKey[], at: string): Finding {
  const last = path.findLast((key) => typeof key === "string" && !/^\d+$/.test(key));
  return shapeFinding(
    pathOf(at, path),
    "is a Pulumi Output, which has no value before the deployment",
    takesRef(schema, value, path)
      ? `use ref(${JSON.stringify(last === undefined ? "name" : String(last))}, output)`
      : "give a plain value: the plan depends on it, so that ref(name, output) does not do here",
  );
}

/** True where a ref in the place of the Output is not refused. */
function takesRef(schema: z.ZodType, value: unknown, path: readonly PropertyKey[]): boolean {
  const parsed = schema.safeParse(replaceAt(value, path, ref("probe", null)));
  if (parsed.success) return true;
  return !parsed.error.issues.some((issue) =>
    path.slice(0, issue.path.length).every((key, i) => String(key) === String(issue.path[i])),
  );
}

function replaceAt(value: unknown, path: readonly PropertyKey[], by: unknown): unknown {
  const [key, ...below] = path;
  if (key === undefined) return by;
  const child = replaceAt((value as Record<PropertyKey, unknown>)[key], below, by);
  if (Array.isArray(value)) return value.with(Number(key), child);
  return { ...(value as object), [key]: child };
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
  if (typeof value === "string") return JSON.stringify(value.length > 80 ? `${value.slice(0, 77)}...` : value);
  if (typeof value === "number" || typeof value === "boolean" || value === null || value === undefined)
    return String(value);
  if (isOutput(value)) return "a Pulumi Output";
  const name = typeof value === "object" ? className(value) : null;
  if (name !== null) return `an object of class ${name}`;
  const text = JSON.stringify(value, showInside) ?? typeof value;
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

/** Null for plain objects and lists. Others, such as a resource of Pulumi, may refer to themselves. */
function className(value: object): string | null {
  const prototype = Object.getPrototypeOf(value);
  if (Array.isArray(value) || prototype === Object.prototype || prototype === null) return null;
  return value.constructor?.name || "unknown";
}

/** What JSON has no word for, or an Output's own `toJSON`, which is a page of advice. */
function showInside(this: unknown, key: string, value: unknown): unknown {
  if (isOutput((this as Record<string, unknown>)[key])) return "a Pulumi Output";
  return typeof value === "number" && !Number.isFinite(value) ? String(value) : value;
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
