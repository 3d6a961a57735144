/** How far gradients of sampled tapes are spread (tangent_nb/notebook/spread.py), as figures and in words. */
import { amount, count, list, Malformed, orNull, record, text, tuple } from "./shapes";

/** size: how many numbers; length: of the exact gradient; deviation: standard; off: the mean's distance from the exact one;
 * mean: of the draws along the exact one, in its length; error: the standard error of that. null: not finite. */
export type Parameter = readonly [name: string, size: number, length: number | null, deviation: number | null, off: number | null,
  mean: number | null, error: number | null, along: readonly number[]];

export interface Point {
  readonly tape: string;
  readonly fraction: number | null;
  readonly draws: number;
  readonly seconds: number;
  readonly bytes: number | null;
  readonly parameters: readonly Parameter[];
  readonly sites: readonly (readonly [row: number, kept: number, exact: number])[];
}

/** bytes: of the exact tape. */
export interface Spread {
  readonly bytes: number | null;
  readonly points: readonly Point[];
}

const shape = record<Spread>({ bytes: orNull(count), points: list(record<Point>({ tape: text, fraction: orNull(amount), draws: count,
  seconds: amount, bytes: orNull(count), sites: list(tuple<readonly [number, number, number]>(count, count, count)),
  parameters: list(tuple<Parameter>(text, count, orNull(amount), orNull(amount), orNull(amount), orNull(amount), orNull(amount), list(amount))) })) });

export function readSpread(value: unknown): Spread {
  const read = shape(value);
  if (read.points.some(({ fraction }) => fraction !== null && !(fraction > 0 && fraction <= 1))) throw new Malformed("a fraction");
  return read;
}

/** The standard deviation over the length of the exact gradient; null where it has none. */
export function relative([, , length, deviation]: Parameter): number | null {
  return length === null || deviation === null || length === 0 ? null : deviation / length;
}

/** Of all parameters together. */
export function whole({ parameters }: Point): number | null {
  let [far, long] = [0, 0];
  for (const [, size, length, deviation] of parameters) {
    if (size === 0) continue;
    if (length === null || deviation === null) return null;
    [far, long] = [far + deviation ** 2, long + length ** 2];
  }
  return long === 0 ? null : Math.sqrt(far / long);
}

/** What a tape asks for besides the fraction: only points that agree in it stand on one curve. */
export function besides(tape: string): string {
  return tape.replace(/^sampled:[^,=]*(?=,|$)/, "sampled:*");
}

/** The points of the curve that a tape is on, from the smallest fraction on. */
export function curveOf({ points }: Spread, tape: string): readonly (Point & { readonly fraction: number })[] {
  return points.filter((one): one is Point & { readonly fraction: number } => one.fraction !== null && besides(one.tape) === besides(tape))
    .sort((a, b) => a.fraction - b.fraction);
}

export function percent(share: number | null): string {
  if (share === null) return "–";
  const size = 100 * share;
  return size === 0 ? "0 %" : size >= 1e6 || size < 1e-3 ? `${size.toExponential(1)} %` : `${Number(size.toPrecision(size >= 100 ? 3 : 2))} %`;
}

/** 0.987 ± 0.013. */
export function plusMinus(mean: number | null, error: number | null): string {
  if (mean === null) return "–";
  if (error === null) return mean.toPrecision(3);
  const digits = error === 0 ? 3 : Math.min(6, Math.max(0, 1 - Math.floor(Math.log10(error))));
  return `${mean.toFixed(digits)} ± ${error.toFixed(digits)}`;
}
