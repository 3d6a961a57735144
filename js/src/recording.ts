/** A recorded run as the kernel sends it (tangent_nb/notebook/stepping.py): where each step is, and piece by piece what is so
 * after it. Read before it is used, as the state is. */
import { between, count, flag, list, Malformed, oneOf, orNull, record, text, tuple } from "./shapes";
import type { Read } from "./shapes";

/** row: in the last stage, -1 where it is in no text that is shown; keys: rows of the user's. */
export type Site = readonly [row: number, keys: readonly number[], text: string, guard: boolean];
export type CallRow = readonly [name: string, depth: number, at: number];

export interface Flaw {
  readonly step: number;
  readonly title: string;
  readonly text: string;
}

export interface Overview {
  readonly steps: number;
  readonly piece: number;
  readonly sites: readonly Site[];
  readonly site: readonly number[];
  readonly call: readonly number[];
  readonly kind: readonly number[];
  readonly sweep: readonly number[];
  readonly calls: readonly CallRow[];
  readonly notes: readonly string[];
  readonly flaw: Flaw | null;
}

export type Cell = number | "NaN" | "Inf" | "-Inf";
export type Value = readonly [text: string, shape: readonly number[], cells: readonly Cell[]];

/** value, cotangent: places in the values of the piece, -1 where there is none; marks: 1 where the value has changed, 2 where
 * the cotangent has; next: the step at which one of them changes next. */
export type Variable = readonly [name: string, partner: string, value: number, cotangent: number, marks: number, next: number];
export type Stack = readonly [name: string, length: number, grown: number, items: readonly number[], next: number];
export type Moment = readonly [rows: readonly Variable[], stacks: readonly Stack[]];

export interface Piece {
  readonly piece: number;
  readonly moments: readonly Moment[];
  readonly values: readonly Value[];
}

export const SWEEPS = ["", "forward", "backward"] as const;
export const RAISED = 2;
export const CALLED = 0;

const index = between(-1, Number.MAX_SAFE_INTEGER);
const word = oneOf<"NaN" | "Inf" | "-Inf">("NaN", "Inf", "-Inf");
export const cell: Read<Cell> = (value) => typeof value === "number" && Number.isFinite(value) ? value : word(value);

const overviewShape = record<Overview>({
  steps: count,
  piece: between(1, 100_000),
  sites: list(tuple<Site>(index, list(count), text, flag)),
  site: list(count),
  call: list(count),
  kind: list(between(0, 2)),
  sweep: list(between(0, 2)),
  calls: list(tuple<CallRow>(text, count, index)),
  notes: list(text),
  flaw: orNull(record<Flaw>({ step: count, title: text, text })),
});

const pieceShape = record<Piece>({
  piece: count,
  moments: list(tuple<Moment>(list(tuple<Variable>(text, text, index, index, between(0, 3), index)),
    list(tuple<Stack>(text, count, between(-1, 1), list(index), index)))),
  values: list(tuple<Value>(text, list(count), list(cell))),
});

/** rows, keys: how many rows the two panes have. */
export function readOverview(value: unknown, rows: number, keys: number): Overview {
  const read = overviewShape(value);
  const { steps, site, call, kind, sweep, sites, calls, flaw } = read;
  demand([site, call, kind, sweep].every((one) => one.length === steps), "a list of all steps");
  demand(site.every((one) => one < sites.length) && call.every((one) => one < calls.length), "the index of a place");
  demand(sites.every((one) => one[0] < rows && one[1].every((key) => key < keys)), "the index of a row");
  demand(calls.every((one) => one[2] < sites.length), "the index of a place");
  demand(flaw === null || flaw.step < steps, "a step");
  return read;
}

export function readPiece(value: unknown, overview: Overview): Piece {
  const read = pieceShape(value);
  const { values, moments, piece } = read;
  const inside = (one: number): boolean => one < values.length;
  demand(moments.length === Math.max(0, Math.min(overview.piece, overview.steps - piece * overview.piece)), "as many steps as it should be");
  for (const [rows, stacks] of moments) {
    demand(rows.every((row) => inside(row[2]) && inside(row[3]) && row[5] < overview.steps), "the index of a value");
    demand(stacks.every((stack) => stack[3].every(inside) && stack[4] < overview.steps), "the index of a value");
  }
  demand(values.every(([, shape, cells]) => cells.length === 0 || cells.length === shape.reduce((a, b) => a * b, 1)), "as many numbers as its shape says");
  return read;
}

function demand(holds: boolean, wanted: string): void {
  if (!holds) throw new Malformed(wanted);
}

/** The next step in the same call or one around it: `over` what a line calls. */
export function over({ call, calls, steps }: Overview, step: number): number {
  return onwards(step, steps, (at) => depth(at) <= depth(step));
  function depth(at: number): number { return calls[call[at] ?? 0]?.[1] ?? 0; }
}

/** The next step after the call has ended. */
export function out({ call, calls, steps }: Overview, step: number): number {
  return onwards(step, steps, (at) => depth(at) < depth(step));
  function depth(at: number): number { return calls[call[at] ?? 0]?.[1] ?? 0; }
}

/** The next step at the same line: the next trip of a loop. */
export function again({ site, steps }: Overview, step: number): number {
  return onwards(step, steps, (at) => site[at] === site[step]);
}

function onwards(step: number, steps: number, found: (at: number) => boolean): number {
  for (let at = step + 1; at < steps; at++) if (found(at)) return at;
  return -1;
}

/** The row of the derivative that a step is at; of one in a function that is not shown, the row that calls it. */
export function rowOf({ site, sites, call, calls }: Overview, step: number): number {
  const own = sites[site[step] ?? -1]?.[0] ?? -1;
  if (own >= 0) return own;
  const at = calls[call[step] ?? -1]?.[2] ?? -1;
  return sites[at]?.[0] ?? -1;
}

/** The user's rows that a step belongs to. */
export function keysOf({ site, sites }: Overview, step: number): readonly number[] {
  return sites[site[step] ?? -1]?.[1] ?? [];
}
