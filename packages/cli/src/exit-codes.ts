/** What the command's exit code says. */
export const EXIT = {
  good: 0,
  /** An error finding, a gate that fails, a verdict that is not "serves". */
  failed: 1,
  /** Wrong usage or unreadable input. */
  usage: 2,
} as const;
