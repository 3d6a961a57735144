/** Going through a recorded run: a bar with a slider, the variables with their cotangents, the saved lists. */
import { Control } from "./controls";
import { element, fill, KEYS, set, write } from "./dom";
import type { Host } from "./host";
import type { Flaw, Overview, Piece } from "./recording";
import { again, CALLED, keysOf, out, over, RAISED, readOverview, readPiece, rowOf, SWEEPS } from "./recording";
import { Malformed } from "./shapes";
import type { State } from "./state";
import { sameTexts, whole } from "./state";
import { stacks, variables } from "./variables";

const PLAY_MS = 700;
const KEPT = 40;                                   // pieces that are kept
const EDGE = 4;
const NEAR = 25;                                   // steps before the end of a piece at which the next is asked for

/** Rows of the two panes that a step is at. */
export interface Spot {
  readonly primal: readonly number[];
  readonly derived: readonly number[];
}

export interface StepActions {
  readonly tell: (text: string) => void;
  readonly spot: (spot: Spot | null) => void;
  readonly flaw: (flaw: Flaw | null, spot: Spot | null) => void;
}

export class Stepper {
  readonly element = set(element("section", "step"), { "aria-label": "steps" });
  readonly button: Control;
  private readonly slider = element("input", "slider");
  private readonly where = element("span", "at");
  private readonly line = element("span", "code");
  private readonly bad: Control;
  private readonly badText = element("pre", "message");
  private readonly alert: HTMLElement;
  private readonly notes = element("div", []);
  private readonly table = element("div", "variables");
  private readonly lists = element("div", "lists");
  private readonly body: HTMLElement;
  private readonly controls: Readonly<Record<"first" | "back" | "play" | "next" | "last" | "over" | "out" | "again", Control>>;
  private readonly pieces = new Map<number, Piece>();
  private overview: Overview | null = null;
  private state: State | null = null;
  private step = 0;
  private drawn = -1;
  private fetching = false;
  private opening = false;
  private opened = false;
  private timer: ReturnType<typeof setInterval> | undefined;
  private era = 0;                                 // answers of before the text was another one are late

  constructor(private readonly host: Host, private readonly actions: StepActions) {
    const { tell } = actions;
    const control = (label: string, name: string, act: () => void): Control => {
      const made = new Control("button", label, tell, act);
      set(made.element, { "aria-label": name });
      return made;
    };
    this.button = new Control("button", "step", tell, () => { if (this.overview === null) void this.open(); else this.close(); });
    this.controls = {
      first: control("⇤", "first step", () => { this.go(0); }),
      back: control("←", "previous step", () => { this.go(this.step - 1); }),
      play: control("▶", "play", () => { this.play(this.timer === undefined); }),
      next: control("→", "next step", () => { this.go(this.step + 1); }),
      last: control("⇥", "last step", () => { this.go(Infinity); }),
      over: control("over", "over the call", () => { this.jump(over); }),
      out: control("out", "out of the call", () => { this.jump(out); }),
      again: control("this line again", "this line again, the next time", () => { this.jump(again); }),
    };
    this.bad = new Control("button", "go there", tell, () => { this.go(this.overview?.flaw?.step ?? 0); });
    const heading = element("div", "heading", "");
    this.alert = set(element("div", "alert", heading, this.badText, this.bad.element), { role: "note" });
    set(this.slider, { ...KEYS, type: "range", "aria-label": "step" });        // from 0 on, by 1
    this.slider.addEventListener("input", () => { this.go(Number(this.slider.value)); });
    this.slider.addEventListener("keydown", (event) => { event.stopPropagation(); });
    const { first, back, play, next, last } = this.controls;
    const buttons = set(element("span", "seg", first.element, back.element, play.element, next.element, last.element),
      { role: "group", "aria-label": "go" });
    const calls = element("span", "group", this.controls.over.element, this.controls.out.element, this.controls.again.element);
    this.body = element("div", "stepbody", this.table, this.lists);
    this.element.append(element("div", "stepbar", buttons, this.slider, calls), element("div", "place", this.where, this.line),
      this.alert, this.notes, this.body);
    this.element.hidden = true;
    this.alert.hidden = true;
  }

  dispose(): void {
    this.play(false);
  }

  /** What is shown is this now; where the text is another one, what was recorded is of another run. */
  draw(state: State, locked: string): void {
    const before = this.state;
    if (whole(state)) this.state = state;
    if (before !== null && !sameTexts(before, state)) this.close();
    this.button.draw({ pressed: this.overview !== null, reason: state.step.reason || (this.opening ? "the run is being recorded" : this.overview === null ? locked : ""),
      title: "go through a run at these arguments, line by line" });
    if (state.step.open && !this.opened && locked === "") void this.open();
  }

  private async open(): Promise<void> {
    if (this.opening) return;
    this.opened = this.opening = true;
    const era = this.era;
    const answer = await this.host.ask({ kind: "step" });
    this.opening = false;
    if (era !== this.era || this.state === null) return;
    if (answer.kind !== "stepped") {
      this.actions.tell(answer.kind === "failed" ? answer.text : "the kernel does not answer");
      return;
    }
    const state = this.state;
    const keys = state.primal.reduce((sum, section) => sum + section.rows.length, 0);
    const read = attempt(() => readOverview(answer.overview, state.stages[state.final]?.rows.length ?? 0, keys));
    if (typeof read === "string" || read.steps === 0) {
      this.actions.tell(typeof read === "string" ? `What the kernel sent cannot be shown: ${read}.` : "nothing was recorded");
      return;
    }
    this.overview = read;
    this.element.hidden = false;
    this.slider.max = String(read.steps - 1);
    fill(this.notes, read.notes.map((note) => element("p", "note", note)));
    this.alert.hidden = read.flaw === null;
    if (read.flaw !== null) {
      write(this.alert.firstElementChild ?? this.alert, `${read.flaw.title}, step ${read.flaw.step + 1}`);
      write(this.badText, read.flaw.text.split("\n").slice(1).join("\n"));
      this.badText.textContent = read.flaw.text.split("\n").slice(1).join("\n");
      this.bad.draw({ reason: "" });
    }
    this.actions.flaw(read.flaw, read.flaw === null ? null : this.spotOf(read.flaw.step));
    this.draw(state, "");
    this.go(0);
  }

  private close(): void {
    this.era++;
    this.play(false);
    this.overview = null;
    this.pieces.clear();
    this.fetching = false;
    this.drawn = -1;
    this.element.hidden = true;
    this.actions.flaw(null, null);
    this.actions.spot(null);
    if (this.state !== null) this.button.draw({ pressed: false, reason: this.state.step.reason });
  }

  private go(step: number): void {
    if (this.overview === null) return;
    this.step = Math.min(Math.max(0, step), this.overview.steps - 1);
    this.show();
  }

  private jump(to: (overview: Overview, step: number) => number): void {
    const found = this.overview === null ? -1 : to(this.overview, this.step);
    if (found === -1) this.actions.tell("there is none further on");
    else this.go(found);
  }

  private play(on: boolean): void {
    clearInterval(this.timer);
    this.timer = on ? setInterval(() => { this.tick(); }, PLAY_MS) : undefined;
    if (on && this.overview !== null && this.step === this.overview.steps - 1) this.go(0);
    this.controls.play.name(on ? "❚❚" : "▶");
    set(this.controls.play.element, { "aria-label": on ? "pause" : "play" });
  }

  private tick(): void {
    if (this.overview === null || this.step >= this.overview.steps - 1) this.play(false);
    else if (this.drawn === this.step) this.go(this.step + 1);
  }

  private spotOf(step: number): Spot {
    const row = this.overview === null ? -1 : rowOf(this.overview, step);
    return { primal: this.overview === null ? [] : keysOf(this.overview, step), derived: row < 0 ? [] : [row] };
  }

  private show(): void {
    const { overview, step } = this;
    if (overview === null) return;
    this.slider.value = String(step);
    const [, , text] = overview.sites[overview.site[step] ?? 0] ?? [0, [], ""];
    const [name, depth] = overview.calls[overview.call[step] ?? 0] ?? ["", 0];
    const sweep = SWEEPS[overview.sweep[step] ?? 0] ?? "";
    const kind = overview.kind[step] === CALLED ? "called" : overview.kind[step] === RAISED ? "raised an error" : "";
    const words = [`step ${step + 1} of ${overview.steps}`, sweep === "" ? "" : `${sweep} sweep`,
      depth > 0 || kind === "called" ? `${name}${depth > 0 ? `, ${depth} ${depth === 1 ? "call" : "calls"} deep` : ""}` : "", kind];
    write(this.where, words.filter((one) => one !== "").join(" · "));
    write(this.line, text);
    set(this.slider, { "aria-valuetext": `${words.slice(0, 2).join(", ")}: ${text}` });
    this.limits(overview, depth);
    this.actions.spot(this.spotOf(step));
    const at = Math.floor(step / overview.piece);
    const piece = this.pieces.get(at);
    set(this.body, { "aria-busy": piece === undefined });
    if (piece !== undefined) this.drawMoment(piece, step - at * overview.piece);
    void this.fetch(piece === undefined ? at : this.ahead(overview, at));
  }

  private limits({ steps, calls }: Overview, depth: number): void {
    const { first, back, next, last, over: across, out: up, again: same, play } = this.controls;
    const atFirst = this.step === 0 ? "this is the first step" : "";
    const atLast = this.step === steps - 1 ? "this is the last step" : "";
    for (const one of [first, back]) one.draw({ reason: atFirst });
    for (const one of [next, last]) one.draw({ reason: atLast });
    play.draw({ reason: "", title: "one step after the other" });
    const deep = calls.length > 1;
    across.element.hidden = up.element.hidden = !deep;
    across.draw({ reason: atLast, title: "to the next line here, over what this one calls" });
    up.draw({ reason: depth === 0 ? "no call is around it" : atLast, title: "to where this call has ended" });
    same.draw({ reason: atLast, title: "to the next trip of a loop" });
  }

  /** The piece that is needed soon, if it is not there. */
  private ahead(overview: Overview, at: number): number {
    const inside = this.step - at * overview.piece;
    const next = inside > overview.piece - NEAR ? at + 1 : inside < NEAR ? at - 1 : at;
    return next < 0 || next * overview.piece >= overview.steps ? at : next;
  }

  private async fetch(at: number): Promise<void> {
    const { overview, era } = this;
    if (overview === null || this.fetching || this.pieces.has(at)) return;
    this.fetching = true;
    const answer = await this.host.ask({ kind: "moments", piece: at });
    if (era !== this.era) return;
    this.fetching = false;
    const read = answer.kind === "moments" ? attempt(() => readPiece(answer.moments, overview)) : "";
    if (typeof read === "string") {
      this.play(false);
      this.actions.tell(answer.kind === "failed" ? answer.text : read === "" ? "the kernel does not answer" : `What the kernel sent cannot be shown: ${read}.`);
      return;
    }
    this.pieces.set(at, read);
    for (const key of this.pieces.keys()) if (this.pieces.size > KEPT && key !== at) this.pieces.delete(key);
    if (this.drawn !== this.step) this.show();
  }

  /** Scroll what has changed into sight, and nothing around the table. */
  private reveal(): void {
    const row = this.table.querySelector(".tnb-changed")?.closest("tr");
    if (row === null || row === undefined) return;
    const top = row.offsetTop;
    const head = this.table.querySelector("thead")?.clientHeight ?? 0;
    const { scrollTop, clientHeight } = this.body;
    if (top < scrollTop + head) this.body.scrollTop = Math.max(0, top - head);
    else if (top + row.offsetHeight > scrollTop + clientHeight) this.body.scrollTop = top + row.offsetHeight - clientHeight + EDGE;
  }

  private drawMoment(piece: Piece, inside: number): void {
    const moment = piece.moments[inside];
    if (moment === undefined) return;
    this.drawn = this.step;
    const go = (step: number): void => { this.go(step); };
    const focused = this.table.contains(document.activeElement) ? document.activeElement?.getAttribute("data-name") : null;
    const partner = this.state?.options.mode === "forward" ? "tangent" : "cotangent";
    fill(this.table, [variables(moment[0], piece.values, partner, this.actions.tell, go)]);
    if (typeof focused === "string") {
      [...this.table.querySelectorAll<HTMLElement>("[data-name]")].find((one) => one.getAttribute("data-name") === focused)?.focus({ preventScroll: true });
    }
    this.reveal();
    fill(this.lists, moment[1].map((stack) => stacks(stack, piece.values)));
    this.lists.hidden = moment[1].length === 0;
  }
}

function attempt<T>(read: () => T): T | string {
  try {
    return read();
  } catch (error) {
    if (error instanceof Malformed) return error.message.replace(/^state/, "the recording");
    throw error;
  }
}
