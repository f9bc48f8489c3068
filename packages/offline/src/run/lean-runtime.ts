import type { PulumiSdk } from "./sdk.ts";

type DebuggablePromise = (promise: Promise<unknown>, context: string) => Promise<unknown>;

/**
 * The SDK captures a stack trace for each of the thirty promises of a resource, to say later where a leaked one came
 * from. A recording finds unfinished work by other means and takes half the time without. Gives back the function that
 * puts things as they were.
 */
export function leanRuntime(sdk: PulumiSdk): () => void {
  const debuggable = sdk.load<{ debuggablePromise: DebuggablePromise }>("runtime/debuggable.js");
  const { Resource } = sdk.load<{ Resource: { stackTrace?: () => unknown[] } }>("resource.js");
  const { debuggablePromise } = debuggable;
  const { stackTrace } = Resource;

  debuggable.debuggablePromise = withContext;
  // Only newer SDKs have it.
  if (stackTrace !== undefined) Resource.stackTrace = () => [];
  return () => {
    debuggable.debuggablePromise = debuggablePromise;
    if (stackTrace !== undefined) Resource.stackTrace = stackTrace;
  };
}

/** Keeps the one thing that is read of a failed promise: which resource it belongs to. */
const withContext: DebuggablePromise = (promise, context) =>
  promise.catch((error: unknown) => {
    if (typeof error === "object" && error !== null && Object.isExtensible(error)) {
      (error as { promise?: object }).promise = { _debugCtx: context };
    }
    throw error;
  });
