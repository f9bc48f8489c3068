export const MIB = 2 ** 20;
export const GIB = 2 ** 30;

export function gibToBytes(gib: number): number {
  return gib * GIB;
}

export function bytesToGib(bytes: number): number {
  return bytes / GIB;
}

export function ceilDiv(value: number, by: number): number {
  return Math.ceil(value / by);
}

export function roundUpTo(value: number, multiple: number): number {
  return ceilDiv(value, multiple) * multiple;
}

/** GiB for a sentence. */
export function gibText(gib: number): string {
  return `${Number(gib.toFixed(3))} GiB`;
}
