/** What a derivative keeps for its backward sweep: beside the lines that keep it, and those of the source that make it. */
import type { Column } from "./column";
import { element, set } from "./dom";
import { amount, count, list, Malformed, record, text, tuple } from "./shapes";
import type { State } from "./state";
import { bytes } from "./units";
import { plural } from "./words";

const LARGEST = 3;                                 // whose figures are seen without pointing at them
const RECOMPUTED = "recomputed";

/** keys: the rows of the source that make it; held: who holds the memory anyway, "" where it counts. */
export type Saved = readonly [row: number, keys: readonly number[], name: string, kind: string, times: number, bytes: number, what: string, held: string];

export interface Tape {
  readonly bytes: number;
  readonly alive: number;
  readonly peak: number;
  readonly kept: number;
  readonly times: number;
  /** Bytes and peak without passes; none where there is no such text. */
  readonly before: readonly number[];
  readonly rows: readonly Saved[];
}

const shape = record<Tape>({ bytes: count, alive: amount, peak: amount, kept: amount, times: count, before: list(count),
  rows: list(tuple<Saved>(amount, list(count), text, text, count, count, text, text)) });

/** rows, keys: how many rows the two texts have. */
export function readTape(value: unknown, rows: number, keys: number): Tape {
  const read = shape(value);
  if (read.rows.some(([row]) => !Number.isInteger(row) || row < -1 || row >= rows)) throw new Malformed("the index of a row");
  if (read.rows.some(([, own]) => own.some((key) => key >= keys))) throw new Malformed("the index of a line");
  if (read.before.length !== 0 && read.before.length !== 2) throw new Malformed("bytes and a peak");
  return read;
}

/** The columns of both panes. */
export function tapeColumns(tape: Tape, state: State): { readonly primal: Column; readonly derived: Column } {
  const folds = state.stages[state.final]?.folds ?? [];
  const derived = grouped(tape, ([row]) => row < 0 ? [] : [row]);
  return { derived: column(derived, (row) => folds.some(([start, end]) => start <= row && row < end)),
    primal: column(grouped(tape, ([, keys]) => keys.slice(0, 1))) };
}

function grouped({ rows }: Tape, at: (one: Saved) => readonly number[]): ReadonlyMap<number, readonly Saved[]> {
  const found = new Map<number, Saved[]>();
  for (const one of rows) for (const place of at(one)) found.set(place, [...found.get(place) ?? [], one]);
  return found;
}

/** The bytes that are on the tape. */
function onTape(all: readonly Saved[]): number {
  return all.reduce((sum, [, , , kind, , size, , held]) => sum + (kind === RECOMPUTED || held !== "" ? 0 : size), 0);
}

function column(rows: ReadonlyMap<number, readonly Saved[]>, hidden: (row: number) => boolean = () => false): Column {
  const sizes = new Map([...rows].map(([row, all]) => [row, onTape(all)] as const));
  const most = Math.max(0, ...sizes.values());
  const seen = [...sizes].filter(([row]) => !hidden(row)).map(([, size]) => size).sort((a, b) => b - a);
  const least = seen[Math.min(LARGEST, seen.length) - 1] ?? 0;
  return {
    of: (row) => {
      const all = rows.get(row), size = sizes.get(row) ?? 0;
      return all === undefined ? null : { share: size / (most || 1), text: size > 0 && size >= least ? bytes(size) : "", says: all.map(said).join("; ") };
    },
    within: (start, end) => {
      const sum = [...sizes].reduce((found, [row, size]) => start <= row && row < end ? found + size : found, 0);
      return sum === 0 ? [] : [`${bytes(sum)} saved`];
    },
  };
}

/** A saved value in words. */
export function said([, , name, kind, times, size, what, held]: Saved): string {
  const values = `${name}: ${times === 1 ? "" : `${times} × `}${what}`;
  if (held !== "") return `${values}, not counted: ${held}`;
  if (kind === RECOMPUTED) return `${values}, made again and not saved: ${bytes(size)} less`;
  return `${values}, ${bytes(size)} saved${kind === "exact" ? "" : `, ${kind}`}`;
}

export function tapeFacts({ bytes: size, times, before, peak, kept }: Tape): string {
  const without = before[0] === undefined ? "" : `, ${bytes(before[0])} without passes`;
  return `saved for the backward sweep: ${bytes(size)} in ${plural(times, "value")}${without}; peak ${bytes(peak)}, ${bytes(kept)} of it saved`;
}

/** For the line above the panes. */
export function tapeSaves({ bytes: size, before }: Tape): string {
  return `saved: ${bytes(size)}${before[0] === undefined ? "" : `, without passes ${bytes(before[0])}`}`;
}

/** For the facts about the derivative: the bytes without passes, and with them. */
export function tapeFact(tape: Tape | null): HTMLElement[] {
  if (tape === null) return [];
  const [before] = tape.before;
  return [set(element("span", "fact", before === undefined ? `tape ${bytes(tape.bytes)}` : `tape ${bytes(before)} → ${bytes(tape.bytes)}`),
    { title: tapeFacts(tape) })];
}
