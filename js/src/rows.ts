/** A text as rows to be drawn, whichever it is: the user's, a stage, or what changed between two stages. */
import type { Edit } from "./diff";
import { diff } from "./diff";
import { paired } from "./pairs";
import type { Stretch } from "./pieces";
import type { Arrow, Guilty, Stage, StageRow, State } from "./state";
import { textOf } from "./state";
import { ranges } from "./words";

/** number: as it is printed, "" for a removed line; owner: whose line it is, "" where that is the function differentiated; from: keys of the user's rows (of one of these, its own); cue: what is
 * printed beside the colour; mark: what went wrong in it; changed: the words that are others than in the line of before or after,
 * null where it has none. */
export interface Row {
  readonly number: string;
  readonly owner: string;
  readonly line: number;
  readonly group: number;
  readonly arrow: Arrow;
  readonly from: readonly number[];
  readonly sign: Edit["sign"];
  readonly cue: string;
  readonly mark: string;
  readonly changed: readonly Stretch[] | null;
  readonly terms: readonly Caused[];
}

/** A stretch, those around others first. of: the expression that it is, in the user's text; the part that it comes from, in another. */
export interface Caused extends Stretch {
  readonly of: number;
}

/** titles and folds: by the row that they stand before. */
export interface Text {
  readonly rows: readonly Row[];
  readonly titles: ReadonlyMap<number, string>;
  readonly folds: readonly FoldedRows[];
}

export interface FoldedRows {
  readonly start: number;
  readonly end: number;
  readonly title: string;
  /** Where the fold starts that has to be open before this one is seen, -1 where none has. */
  readonly within: number;
}

const CONTEXT = 3;
const LONG = 12;                                   // unchanged lines that a diff folds

export function primalText(state: State): Text {
  const rows: Row[] = [];
  const titles = new Map<number, string>();
  const found = expressions(state.spans);
  state.primal.forEach((section, at) => {
    if (state.primal.length > 1 && section.title !== "" && section.title !== state.primal[at - 1]?.title) titles.set(rows.length, section.title);
    for (const [number, line, group] of section.rows) {
      rows.push({ number: String(number), owner: section.name, line, group, arrow: "", from: [rows.length], sign: "", cue: "", changed: null, terms: found.get(rows.length) ?? [],
        mark: state.guilty.primal.includes(rows.length) ? state.guilty.text : "" });
    }
  });
  return { rows, titles, folds: [] };
}

/** Of each row the expressions in it, the longest first. */
function expressions(spans: State["spans"]): ReadonlyMap<number, readonly Caused[]> {
  const found = new Map<number, Caused[]>();
  spans.forEach((span, of) => {
    for (const [key, start, end] of span) found.set(key, [...found.get(key) ?? [], { start, end, of }]);
  });
  for (const one of found.values()) one.sort((a, b) => b.end - b.start - (a.end - a.start));
  return found;
}

function caused(terms: readonly number[]): readonly Caused[] {
  const found: Caused[] = [];
  for (let at = 0; at + 2 < terms.length; at += 3) found.push({ start: terms[at] ?? 0, end: terms[at + 1] ?? 0, of: terms[at + 2] ?? 0 });
  return found;
}

export function stageRows(stage: Stage, primal: Text, guilty?: Guilty): Text {
  const cues = new Map<string, string>();
  const rows = stage.rows.map((row, at) => ({ ...derived(row, String(at + 1), "", primal, cues),
    mark: guilty?.rows.includes(at) === true ? guilty.text : "" }));
  return { rows, titles: new Map(), folds: stage.folds.map(([start, end, title, within]) =>
    ({ start, end, title, within: stage.folds[within]?.[0] ?? -1 })) };
}

/** A stage, with the lines of the one before that it took away; a line that changed stands behind what it was. */
export function changedRows(before: Stage, stage: Stage, primal: Text, lines: State["lines"]): Text {
  const rows: Row[] = [];
  const cues = new Map<string, string>();
  const edits = diff(before.rows.map(([line]) => line), stage.rows.map(([line]) => line));
  const text = (row: StageRow | undefined): string => textOf(lines[row?.[0] ?? -1] ?? []);
  for (const { edit, words } of paired(edits, (at) => text(before.rows[at]), (at) => text(stage.rows[at]))) {
    const row = edit.after === null ? before.rows[edit.before] : stage.rows[edit.after];
    if (row !== undefined) rows.push({ ...derived(row, edit.after === null ? "" : String(edit.after + 1), edit.sign, primal, cues), changed: words });
  }
  return { rows, titles: new Map(), folds: unchanged(rows) };
}

/** cues: those of the rows before, as many rows come from the same lines. */
function derived([line, group, arrow, from, terms]: StageRow, number: string, sign: Edit["sign"], primal: Text, cues: Map<string, string>): Row {
  const key = from.join();
  const of = arrow === "" ? "" : cues.get(key) ?? owned(from.flatMap((one) => primal.rows[one] ?? []));
  if (arrow !== "") cues.set(key, of);
  return { number, owner: "", line, group, arrow, from, sign, cue: arrow + of, mark: "", changed: null, terms: caused(terms) };
}

/** Numbers of lines, with the name of the function where they are not of the one differentiated: 8, half:3. */
export function owned(rows: readonly Row[]): string {
  const owners = [...new Set(rows.map(({ owner }) => owner))].sort();
  return owners.map((owner) => (owner === "" ? "" : `${owner}:`)
    + ranges(rows.filter((row) => row.owner === owner).map(({ number }) => Number(number)))).join(", ");
}

function unchanged(rows: readonly Row[]): FoldedRows[] {
  const folds: FoldedRows[] = [];
  let start = 0;
  for (let at = 0; at <= rows.length; at++) {
    if (rows[at]?.sign === "") continue;
    const from = start === 0 ? 0 : start + CONTEXT;
    const to = at === rows.length ? at : at - CONTEXT;
    if (to - from >= LONG) folds.push({ start: from, end: to, title: "unchanged", within: -1 });
    start = at + 1;
  }
  return folds;
}
