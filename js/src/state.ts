/** What the kernel sends (tangent_nb/notebook/state.py), as types. `validate` sees to it that a value has them. */
import type { Samples } from "./samples";

export type Token = readonly [cls: string, text: string];
export type Mode = "reverse" | "forward";
export type Backend = "numpy" | "numba" | "jax" | "jit";
export type Arrow = "→" | "←" | "";

export type PrimalRow = readonly [number: number, line: number, group: number];
/** terms: the start, the end and the part of each stretch that an expression of the user's caused, those around others first. */
export type StageRow = readonly [line: number, group: number, arrow: Arrow, from: readonly number[], terms: readonly number[]];
/** within: the place of the fold that has to be open before this one is seen, -1 where none has. */
export type Fold = readonly [start: number, end: number, title: string, within: number];

/** name: of a function that the one differentiated calls; "" of that itself. */
export interface Section {
  readonly title: string;
  readonly name: string;
  readonly rows: readonly PrimalRow[];
}

/** part: of the way from the user's text to the one that runs; count: the lines of the derivative itself, -1 where the text has not
 * come: what is derived for a glance has that of the last stage. */
export interface Stage {
  readonly name: string;
  readonly part: string;
  readonly count: number;
  readonly summary: string;
  readonly rows: readonly StageRow[];
  readonly folds: readonly Fold[];
}

export interface Options {
  readonly wrt: readonly { readonly name: string; readonly on: boolean; readonly reason: string }[];
  readonly mode: Mode;
  readonly backend: Backend;
  readonly backends: readonly { readonly name: Backend; readonly reason: string }[];
  readonly passes: readonly { readonly name: string; readonly summary: string; readonly on: boolean }[];
}

export interface Status {
  readonly lines: number;
  readonly passes: number;
  readonly ms: number | null;
  readonly check: string;
  readonly good: boolean | null;
}

export interface Table {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly marks: readonly (boolean | null)[];
}

export interface State {
  readonly version: 1;
  readonly name: string;
  readonly title: string;
  readonly lines: readonly (readonly Token[])[];
  readonly primal: readonly Section[];
  readonly stages: readonly Stage[];
  readonly raw: number;
  readonly final: number;
  readonly options: Options;
  readonly samples: Samples;
  readonly bound: string;
  readonly status: Status;
  readonly stale: string;
  readonly tables: readonly Table[];
  readonly notes: readonly string[];
  readonly problem: string;
  readonly refusal: string;
  readonly guilty: Guilty;
  /** It is to be shown as it is presented, first. */
  readonly present: boolean;
  /** Of each expression of the user's, by lines: the key of the row, the start and the end. */
  readonly spans: readonly (readonly (readonly [key: number, start: number, end: number])[])[];
  /** What stretches come from: an expression, and the calls that it was put in the place of, innermost first. */
  readonly parts: readonly (readonly number[])[];
  /** The variables, and what holds their cotangents. */
  readonly partners: readonly (readonly [name: string, cotangent: string])[];
  readonly step: Stepping;
  readonly texts: Texts;
  readonly edit: Editable;
  readonly tools: Tools;
}

/** Why lines cannot be measured, the graph not be drawn, and the spread not be measured; "" where they can. */
export interface Tools {
  readonly costs: string;
  readonly graph: string;
  readonly spread: string;
}

/** The texts that calls have made, by what they are for. ran: the place of the one that served the last call, -1 before
 * the first; here: they stand below each other in the text that is shown; timed: why they cannot be timed, "" where they can. */
export interface Texts {
  readonly names: readonly string[];
  readonly ran: number;
  readonly here: boolean;
  readonly timed: string;
}

/** What a derivative takes. seconds: of a call, the median; saved: bytes that the forward sweep leaves for the backward
 * one; peak: the most that a call allocates; null where that is not known. */
export interface Figures {
  readonly lines: number;
  readonly seconds: number;
  readonly saved: number | null;
  readonly peak: number | null;
}

/** cell: that the view is an output of, as the front end names it; "" where that is not known. */
export interface Editable extends Stepping {
  readonly cell: string;
}

/** reason: why the derivative cannot be stepped through (or its source edited), "" where it can; open: it is at once. */
export interface Stepping {
  readonly reason: string;
  readonly open: boolean;
}

/** The rows of the user's text, and of the last stage, that made a NaN or an Inf; text: which, "" where none was made. */
export interface Guilty {
  readonly text: string;
  readonly primal: readonly number[];
  readonly rows: readonly number[];
}

/** What a helper of the derivative is: a sentence, its text in NumPy, an example. */
export interface Helper {
  readonly name: string;
  readonly says: string;
  readonly code: readonly (readonly Token[])[];
  readonly example: readonly (readonly Token[])[];
}

export const GROUPS = 24;                          // six colours, in four patterns

export function textOf(line: readonly Token[]): string {
  return line.map(([, text]) => text).join("");
}

/** Whether two stages have the same lines; the table of lines has each of them once. */
export function sameText(one: Stage | undefined, two: Stage | undefined): boolean {
  return one?.rows.length === two?.rows.length && (one?.rows.every(([line], at) => line === two?.rows[at]?.[0]) ?? false);
}

/** How many lines at the start of two texts, and of the others how many at the end, are the same. */
export function ends(one: number, two: number, same: (at: number, to: number) => boolean): readonly [first: number, last: number] {
  const most = Math.min(one, two);
  let [first, last] = [0, 0];
  while (first < most && same(first, first)) first++;
  while (last < most - first && same(one - 1 - last, two - 1 - last)) last++;
  return [first, last];
}

/** Whether two states are of the same run: the text that runs is the same; where the second is for a glance, as far as one sees:
 * what it leaves out stands in one piece. */
export function sameTexts(one: State, two: State): boolean {
  const [these, those] = [one.stages[one.final]?.rows ?? [], two.stages[two.final]?.rows ?? []];
  if (one.name !== two.name || (whole(two) && these.length !== those.length)) return false;
  if (these === those && one.lines === two.lines) return true;
  const [first, last] = ends(these.length, those.length,
    (at, to) => textOf(one.lines[these[at]?.[0] ?? -1] ?? []) === textOf(two.lines[those[to]?.[0] ?? -1] ?? []));
  return first + last === those.length;
}

/** The text of a stage has come. */
export function written(state: State, stage: number): boolean {
  return (state.stages[stage]?.count ?? 0) >= 0;
}

/** All texts have come: it is not for a glance. */
export function whole({ stages }: State): boolean {
  return stages.every(({ count }) => count >= 0);
}

/** The text of a stage, as it is copied. */
export function stageText(state: State, stage: number): string {
  const rows = state.stages[stage]?.rows ?? [];
  return rows.map(([line]) => `${textOf(state.lines[line] ?? [])}\n`).join("");
}
