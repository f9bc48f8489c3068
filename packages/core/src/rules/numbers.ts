/** GiB for a sentence: no more digits than somebody reads. */
export function gib(value: number): string {
  return `${Number(value.toFixed(Math.abs(value) < 10 ? 2 : 1))} GiB`;
}

export function gibOfMib(mib: number): string {
  return gib(mib / 1024);
}

/** `1 node`, `3 nodes` */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
