const EVENTS = ["unhandledRejection", "uncaughtException"] as const;

/**
 * Takes over errors that nobody handles: that is all the SDK lets out of a rejected input. Other listeners, a test
 * runner's for instance, would take them for their own. Gives back the function that puts things as they were.
 */
export function takeStrayErrors(onError: (error: unknown) => void): () => void {
  const before = EVENTS.map((event) => ({ event, listeners: process.rawListeners(event) }));
  for (const event of EVENTS) {
    process.removeAllListeners(event);
    process.on(event, onError);
  }
  return () => {
    for (const { event, listeners } of before) {
      process.removeListener(event, onError);
      for (const listener of listeners) process.on(event, listener as (error: unknown) => void);
    }
  };
}
