/** Freezes plain objects and arrays all the way down; leaves refs and instances of classes alone. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== Array.prototype && prototype !== null) return value;
  Object.freeze(value);
  for (const child of Object.values(value)) deepFreeze(child);
  return value;
}

/** A copy of what the caller passed, frozen: later changes to the caller's object change nothing here. */
export function frozenCopy<T>(value: T): T {
  return deepFreeze(copy(value)) as T;
}

function copy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copy);
  if (typeof value !== "object" || value === null) return value;
  if (isKnownByIdentity(value)) return value;
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  const result: Record<string, unknown> = {};
  for (const [key, child] of Object.entries(value)) if (child !== undefined) result[key] = copy(child);
  return result;
}

/** Declarations and refs: a service refers to its pool object, and a ref holds a value that is not plain. */
function isKnownByIdentity(value: object): boolean {
  return Object.isFrozen(value) && "kind" in value && ("props" in value || value.kind === "ref");
}
