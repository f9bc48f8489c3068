/** Numbers for people. */
export interface Range {
  readonly low: number;
  readonly expected: number;
  readonly high: number;
}

export function whole(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}

/** Three significant digits, and no more than whole numbers from a hundred on. */
export function three(value: number): string {
  if (value === 0) return "0";
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  return value.toLocaleString("en-US", {
    minimumFractionDigits: Math.min(digits, 4),
    maximumFractionDigits: Math.min(digits, 4),
  });
}

export function ranged({ low, high }: Range, show: (value: number) => string): string {
  return `${show(low)} to ${show(high)}`;
}

export function dollars(value: number | null): string {
  return value === null ? "no price" : `$${value < 100 ? value.toFixed(2) : whole(value)}`;
}

export function seconds(value: number): string {
  return value < 1 ? `${three(value * 1000)} ms` : `${three(value)} s`;
}
