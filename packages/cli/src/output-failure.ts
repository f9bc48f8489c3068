import type { Writable } from "node:stream";

/**
 * Watches a stream that is written to. The function that it returns waits until all is written and gives the error that
 * stopped it, undefined when there was none or when the reader has had enough (`| head -1`).
 */
export function watchOutput(stream: Writable): () => Promise<Error | undefined> {
  let first: NodeJS.ErrnoException | undefined;
  stream.on("error", (error) => {
    first ??= error;
  });
  return async () => {
    const last = await new Promise<Error | null | undefined>((done) => stream.write("", done));
    const failure = first ?? (last as NodeJS.ErrnoException | null | undefined) ?? undefined;
    return failure?.code === "EPIPE" ? undefined : failure;
  };
}
