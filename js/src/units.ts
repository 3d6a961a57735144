/** Seconds and bytes in a few characters. */
export function time(seconds: number): string {
  const [unit, factor] = seconds < 1e-3 ? ["µs", 1e6] as const : seconds < 1 ? ["ms", 1e3] as const : ["s", 1] as const;
  return `${Number((seconds * factor).toPrecision(3))} ${unit}`;
}

export function bytes(count: number | null): string {
  if (count === null) return "–";
  const [unit, factor] = count < 1e3 ? ["B", 1] as const : count < 1e6 ? ["kB", 1e3] as const : ["MB", 1e6] as const;
  return `${Number((count / factor).toPrecision(3))} ${unit}`;
}
