/** What each line takes, as a column beside the numbers of both texts: measured where the kernel is, drawn here. */
import type { Column } from "./column";
import type { Tell } from "./controls";
import { Control, Segments } from "./controls";
import { element, set, write } from "./dom";
import type { Host } from "./host";
import { measured } from "./measured";
import { amount, count, list, Malformed, record, tuple } from "./shapes";
import type { State } from "./state";
import { sameTexts, whole } from "./state";
import type { Tape } from "./tape";
import { readTape, tapeColumns, tapeFact, tapeFacts, tapeSaves } from "./tape";
import { bytes, time } from "./units";
import { plural } from "./words";

const LARGEST = 3;                                 // whose figures are seen without pointing at them
const SMALL = 0.005;                               // of the time: no number of per cents

export type Cost = readonly [row: number, seconds: number, runs: number, bytes: number];
type By = "time" | "memory" | "saved";

export interface Measured {
  readonly seconds: number;
  readonly repeats: number;
  readonly rows: readonly Cost[];
}

/** Of both panes; null: there is none. */
export interface Columns {
  readonly primal: Column;
  readonly derived: Column;
}

const shape = record<Measured>({ seconds: amount, repeats: count, rows: list(tuple<Cost>(count, amount, count, count)) });

/** rows: how many the text has. */
export function readCosts(value: unknown, rows: number): Measured {
  const read = shape(value);
  if (read.rows.some(([row]) => row >= rows)) throw new Malformed("the index of a row");
  return read;
}

interface Actions {
  readonly tell: Tell;
  /** The columns have come, gone, or changed. */
  readonly changed: () => void;
}

const TITLES: Readonly<Record<By, string>> = { time: "the time of each line", memory: "the most that each line allocates",
  saved: "what each line saves for the backward sweep" };

export class Costs {
  readonly button: Control;
  readonly element: HTMLElement;
  private readonly by: Segments<By>;
  private readonly facts = element("span", "facts");
  private readonly shut: Control;
  private state: State | null = null;
  private measured: Measured | null = null;
  private tape: Tape | null = null;
  private now: By = "time";
  private wanted: By = "time";
  private made: Columns | null = null;
  private asking = false;
  private era = 0;                                 // answers of before the text was another one are late

  constructor(private readonly host: Host, private readonly actions: Actions) {
    const { tell } = actions;
    this.button = new Control("button", "cost", tell, () => { if (this.measured === null) void this.measure(); else this.close(); });
    this.by = new Segments<By>("by", [["time", "time"], ["memory", "memory"], ["saved", "saved bytes"]], tell, (by) => { void this.pick(by); });
    this.shut = new Control("chip", "✕ hide", tell, () => { this.close(); });
    this.shut.draw({ reason: "", title: "without what lines take" });
    this.element = set(element("div", "costs", element("span", "label", "cost of each line"), this.by.element, this.facts, element("span", "grow"), this.shut.element),
      { role: "group", "aria-label": "cost of each line" });
    this.element.hidden = true;
  }

  /** null where nothing was measured. */
  get columns(): Columns | null {
    return this.made;
  }

  /** What is saved before and after the passes, once that was measured. */
  get fact(): HTMLElement[] {
    return tapeFact(this.tape);
  }

  draw(state: State, locked: string): void {
    if (this.state !== null && this.state !== state && !sameTexts(this.state, state)) this.forget();
    if (whole(state)) this.state = state;
    this.button.draw({ pressed: this.measured !== null, title: "measure the time and the memory of each line at these arguments",
      reason: state.tools.costs || (this.asking ? "the lines are being measured" : this.measured === null ? locked : "") });
    this.element.hidden = this.measured === null;
  }

  private async measure(): Promise<void> {
    if (this.asking || this.state === null) return;
    const { era, state } = this;
    this.asking = true;
    this.draw(state, "");
    const found = await measured(this.host, "costs", (data) => readCosts(data, state.stages[state.final]?.rows.length ?? 0), this.actions.tell);
    this.asking = false;
    if (era === this.era) this.measured = found;
    this.make();
    this.actions.changed();
  }

  private async pick(by: By): Promise<void> {
    const { era, state } = this;
    this.wanted = by;
    if (by === "saved" && this.tape === null) {
      if (this.asking || state === null) return;
      this.asking = true;
      this.make();
      const rows = state.stages[state.final]?.rows.length ?? 0;
      const keys = state.primal.reduce((sum, one) => sum + one.rows.length, 0);
      const found = await measured(this.host, "tape", (data) => readTape(data, rows, keys), this.actions.tell);
      this.asking = false;
      if (era !== this.era || found === null) {
        this.make();
        this.actions.changed();
        return;
      }
      this.tape = found;
      this.actions.tell(tapeSaves(found));
    }
    this.now = this.wanted;                        // another one may have been chosen in the meantime
    this.make();
    this.actions.changed();
  }

  private close(): void {
    this.era++;
    this.measured = this.made = null;
    this.actions.changed();
  }

  private forget(): void {
    this.era++;
    this.measured = this.made = this.tape = null;
    if (this.now === "saved") this.now = "time";
  }

  private make(): void {
    const { measured, state, tape } = this;
    if (measured === null || state === null) return;
    this.by.draw(this.now, (by) => by !== "saved" ? "" : state.options.mode === "forward" ? "forward mode keeps nothing for a backward sweep" :
      this.asking ? "what is saved is being measured" : "", (by) => TITLES[by]);
    if (this.now === "saved" && tape !== null) {
      this.made = tapeColumns(tape, state);
      write(this.facts, tapeFacts(tape));
      return;
    }
    const rows = new Map(measured.rows.map(([row, ...cost]) => [row, cost] as const));
    const own = summed(measured, (row) => state.stages[state.final]?.rows[row]?.[3] ?? []);
    const folds = state.stages[state.final]?.folds ?? [];
    const hidden = (row: number): boolean => folds.some(([start, end]) => start <= row && row < end);
    this.made = { derived: column(rows, measured.seconds, this.now, hidden), primal: column(own, measured.seconds, this.now) };
    const most = measured.rows.reduce((found, [, , , size]) => Math.max(found, size), 0);
    write(this.facts, `a run takes ${time(measured.seconds)}, the median of ${measured.repeats}; the largest line allocates ${bytes(most)}`);
  }
}

type Figures = readonly [seconds: number, runs: number, bytes: number];

/** Of each of the user's rows: the time of the lines that come from it, and the most that one of them allocates. */
export function summed({ rows, seconds: whole }: Measured, from: (row: number) => readonly number[]): ReadonlyMap<number, Figures> {
  const found = new Map<number, Figures>();
  for (const [row, seconds, runs, size] of rows) {
    for (const key of new Set(from(row))) {
      const [before, often, most] = found.get(key) ?? [0, 0, 0];
      // A line that calls, and one that it calls, may come from the same: together they take no more than the run.
      found.set(key, [Math.min(before + seconds, whole), Math.max(often, runs), Math.max(most, size)]);
    }
  }
  return found;
}

/** hidden: the rows that are in folds. */
export function column(rows: ReadonlyMap<number, Figures>, whole: number, by: By, hidden: (row: number) => boolean = () => false): Column {
  const size = ([seconds, , most]: Figures): number => by === "time" ? seconds : most;
  const text = (amount: number): string => by === "time" ? percent(amount, whole) : bytes(amount);
  const all = [...rows];
  const most = all.reduce((found, [, one]) => Math.max(found, size(one)), 0);
  const seen = all.filter(([row]) => !hidden(row)).map(([, one]) => size(one)).sort((a, b) => b - a);
  const least = seen[Math.min(LARGEST, seen.length) - 1] ?? 0;
  return {
    of: (row) => {
      const one = rows.get(row);
      return one === undefined ? null : { share: size(one) / (most || 1), text: size(one) > 0 && size(one) >= least ? text(size(one)) : "", says: said(one, whole) };
    },
    within: (start, end) => {
      const inside = all.filter(([row]) => start <= row && row < end).map(([, one]) => size(one));
      if (by === "memory") return inside.length === 0 ? [] : [text(Math.max(...inside))];
      const sum = inside.reduce((a, b) => a + b, 0);
      return sum < SMALL * whole ? [] : [`${text(sum)} of the time`];
    },
  };
}

export function said([seconds, runs, size]: Figures, whole: number): string {
  return `${percent(seconds, whole)} of the time, ${seconds === 0 ? "too short to be timed" : time(seconds)}, ${plural(runs, "run")}; ${bytes(size)}`;
}

function percent(seconds: number, whole: number): string {
  const share = whole === 0 ? 0 : Math.min(1, seconds / whole);
  return share === 0 ? "0 %" : share < SMALL ? "< 1 %" : `${Math.round(100 * share)} %`;
}
