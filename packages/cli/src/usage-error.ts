/** A mistake in what was typed or in a file that was named. Shown without a stack, exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
