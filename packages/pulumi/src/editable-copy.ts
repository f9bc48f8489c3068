import { isRef } from "@capstan/core";

/** A copy that may be edited. Refs stay the objects they are: their value is not one that can be copied. */
export function editableCopy<T>(value: T): T {
  return copy(value) as T;
}

function copy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copy);
  if (typeof value !== "object" || value === null || isRef(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, copy(child)]));
}
