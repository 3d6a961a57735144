/** The whole widget: draws what the host has, keeps what the reader has chosen to see, and asks for the rest. */
import { Ahead, LONG_ROWS } from "./ahead";
import { Beside } from "./beside";
import type { Choice } from "./choice";
import { chosen } from "./choice";
import { copyText } from "./clipboard";
import { Costs } from "./costs";
import { Editing, WRITING } from "./editing";
import { element, fill, set, uniqueId, write } from "./dom";
import { download } from "./download";
import { GraphPane } from "./graph";
import { Header } from "./header";
import type { Ask, Host } from "./host";
import { painted, whenIdle } from "./idle";
import type { Note } from "./items";
import { Inspector } from "./inspect";
import { Messages } from "./messages";
import type { Actions, Model } from "./model";
import { Panes } from "./panes";
import { Presenter } from "./present";
import type { Read } from "./reading";
import { alike, readState } from "./reading";
import { changedRows, primalText, stageRows } from "./rows";
import { Sampling } from "./sampling";
import { Stages } from "./stages";
import type { State } from "./state";
import { sameTexts, stageText, whole, written } from "./state";
import { facts } from "./status";
import { StatusLine } from "./statusline";
import type { Spot } from "./stepper";
import { Stepper } from "./stepper";
import { table } from "./tables";
import { plural } from "./words";

export const SILENT = "The kernel does not answer. What is shown here still works; run the cell again to change it.";
const GONE = "the kernel does not answer";
const BUSY = "the kernel is asked";

export class View {
  private readonly root = element("div", "widget");
  private readonly header: Header;
  private readonly stages: Stages;
  private readonly panes: Panes;
  private readonly messages: Messages;
  private readonly line: StatusLine;
  private readonly presenter: Presenter;
  private readonly strip: HTMLElement;
  private readonly helpers = new Map<string, readonly Note[]>();
  private readonly stepper: Stepper;
  private readonly beside: Beside;
  private readonly inspector: Inspector;
  private readonly ahead: Ahead;
  private readonly editing: Editing;
  private readonly costs: Costs;
  private readonly graph: GraphPane;
  private readonly sampling: Sampling;
  private spot: Spot | null = null;                // where the run is that is stepped through
  private readonly below = element("div", []);
  private readonly fitLater = whenIdle(() => { this.fit(); return false; });
  private readonly stop: () => void;
  private readonly sized: ResizeObserver | undefined;
  private raw: unknown;
  private state: State | null = null;              // as the kernel sent it: this is copied
  private shown: State | null = null;              // as it is drawn
  private notes: readonly string[] = [];
  private stage = 0;
  private diff = false;
  private drawn: readonly [State, number, boolean] | readonly [] = [];
  private told: readonly unknown[] = [];           // what is told below the panes
  private asked: { readonly choice: Choice | null } | null = null;
  private foretold = false;                        // what is shown was chosen, and the kernel has not said yet that it is so
  private trouble = "";
  private malformed = "";

  constructor(place: HTMLElement, private readonly host: Host) {
    const id = uniqueId();
    const actions: Actions = {
      derive: (choice) => { void this.ask({ kind: "derive", ...choice }, choice); },
      near: (choice) => { this.ahead.near(choice); },
      offer: (choices) => { this.ahead.offer(choices); },
      use: () => { void this.ask({ kind: "use" }); },
      again: () => { void this.ask({ kind: "again" }); },
      save: () => { void this.ask({ kind: "export" }); },
      take: () => { void this.ask({ kind: "take" }); },
      copy: () => { void this.copy(); },
      stage: (at) => { this.stage = at; this.draw(); },
      diff: (on) => { this.diff = on; this.draw(); },
      wrap: (on) => { this.panes.wrap = on; this.draw(); },
      present: () => { this.diff = false; this.stage = this.presentable(); this.draw(); this.presenter.enter(true); this.fit(); },
      tell: (text) => { this.line.tell(text); },
    };
    this.ahead = new Ahead(host, () => this.asked === null && host.reach() === "live" && !this.editing.on,
      () => this.state?.status.ms ?? Infinity, () => this.glances(), readState, () => { this.come(); });
    this.panes = new Panes(id, (sentence) => { this.line.words(sentence); }, (name) => this.explained(name));
    this.presenter = new Presenter(this.root, this.panes, actions.tell, () => { this.fit(); });
    this.line = new StatusLine(this.presenter.controls);
    const derived = this.panes.panes.derived;
    set(derived.element, { role: "tabpanel", id: `${id}-panel`, "aria-label": "derivative" });
    set(this.panes.panes.primal.element, { "aria-label": "source" });
    this.header = new Header(id, actions);
    this.stages = new Stages(derived.element.id, actions);
    this.strip = element("div", "strip", this.stages.element, this.header.tools);
    this.messages = new Messages(actions);
    this.stepper = new Stepper(host, { tell: actions.tell, spot: (spot) => { this.at(spot); },
      flaw: (flaw, spot) => { this.fault(flaw?.title ?? "", spot); } });
    const trouble = (text: string): void => { this.trouble = text; this.draw(); };
    this.beside = new Beside(id, host, { tell: actions.tell, trouble, changed: () => { this.draw(); }, point: (at) => { this.panes.mean(at); } });
    this.panes.lights.push((rows) => { this.beside.lit(rows); }, (rows) => { this.editing.light(rows); }, (rows) => { this.graph.lit(rows); });
    this.costs = new Costs(host, { tell: actions.tell, changed: () => { this.draw(); } });
    this.graph = new GraphPane(id, host, { tell: actions.tell, changed: () => { this.draw(); }, point: (at) => { this.panes.mean(at); } });
    this.sampling = new Sampling(host, { tell: actions.tell, derive: actions.derive, near: actions.near, changed: () => { this.draw(); },
      busy: () => this.asked !== null });
    this.header.tools.prepend(this.sampling.choose.element);
    this.header.tools.append(this.stepper.button.element, this.costs.button.element, this.graph.button.element, this.beside.choose);
    this.inspector = new Inspector(id, this.root, this.panes, host);
    this.editing = new Editing(host, { tell: actions.tell, changed: () => { this.take(); }, mean: (row) => { this.panes.mean(row); },
      trouble });
    this.panes.panes.primal.element.append(this.editing.element);
    fill(this.panes.panes.primal.facts, [this.editing.bar]);
    // MathJax of the page around leaves code alone that is marked so.
    this.root.classList.add("mathjax_ignore", "tex2jax_ignore");
    place.append(this.root);
    this.stop = host.onState(() => { this.take(); });
    this.take();
    // A notebook may draw the widget before it puts it in the page.
    if (typeof ResizeObserver !== "undefined") {
      this.sized = new ResizeObserver(() => { this.fit(); });
      this.sized.observe(this.root);
    }
  }

  dispose(): void {
    this.stop();
    this.ahead.dispose();
    this.stepper.dispose();
    this.inspector.dispose();
    this.editing.dispose();
    this.sampling.dispose();
    this.sized?.disconnect();
    this.presenter.dispose();
    this.root.remove();
  }

  /** The stage that is shown, if it has a backward sweep. */
  private presentable(): number {
    const state = this.shown;
    return state === null || this.stage >= state.raw ? this.stage : state.final;
  }

  private take(): void {
    const raw = this.editing.drafted ?? this.host.state();
    if (raw !== this.raw || raw === undefined) {
      this.raw = raw;
      const read = empty(raw) ? null : readState(raw);
      if (read === null || typeof read === "string") this.malformed = read === null ? "" : `What the kernel sent cannot be shown: ${read}.`;
      else {
        const again = this.foretold && this.shown !== null && alike(this.shown, read.shown);
        this.accept(read);
        if (again && this.drawn.length === 3) this.drawn = [read.shown, this.drawn[1], this.drawn[2]];      // it stands there
        if (raw === this.host.state() && read.state.stale === "") this.ahead.keep(chosen(read.state), read);
      }
      this.foretold = false;
      this.trouble = "";
    }
    this.draw();
  }

  private accept({ state, shown, notes }: Read): void {
    this.malformed = "";
    const first = this.state === null;
    this.stage = this.state === null ? shown.final : sameStage(this.state, this.stage, shown);
    [this.state, this.shown, this.notes] = [state, shown, notes];
    if (first && shown.present) this.presenter.enter(false);
  }

  private async ask(message: Ask, choice: Choice | null = null): Promise<void> {
    if (this.asked !== null) return;
    this.asked = { choice };
    this.trouble = "";
    this.line.tell("");
    if (choice !== null) this.leave();
    if (choice !== null && !this.foretell(choice)) this.ahead.now(choice);
    this.draw();
    if (this.foretold) await painted();            // what the kernel does would take time from the frame
    const answer = await this.host.ask(message);
    this.asked = null;
    if (this.foretold) {                           // the kernel has said nothing of it
      this.raw = undefined;
      this.take();
    }
    if (answer.kind === "silent") this.trouble = SILENT;
    else if (answer.kind === "failed") this.trouble = answer.text;
    else if (answer.kind === "taken") download(this.state?.name ?? "", answer.text, "py");
    else if (answer.kind === "exported") download(this.state?.name ?? "", answer.html);
    else if (message.kind === "use") this.line.tell(`${this.state?.bound || this.state?.name || ""} is defined in the notebook`);
    this.draw();
  }

  /** Another choice is made: what is shown may be chosen again. The kernel keeps it too. */
  private leave(): void {
    const { state, shown, notes } = this;
    if (state === null || shown === null || state.stale !== "" || shown.guilty.text !== state.guilty.text || this.editing.on) return;
    this.ahead.keep(chosen(state), { state, shown, notes });
  }

  /** A glance is enough: at the last text of many. */
  private glances(): boolean {
    return this.stage === this.shown?.final && !this.diff && (this.shown.stages[this.stage]?.rows.length ?? 0) > LONG_ROWS;
  }

  /** Something is there that may have been chosen. */
  private come(): void {
    const choice = this.asked?.choice ?? null;
    if (choice !== null && !this.foretold && this.foretell(choice)) this.draw();
  }

  /** Draw what was derived ahead, or shown before, while the kernel is asked; what its calls give is that of now. */
  private foretell(choice: Choice): boolean {
    const [now, known] = [this.state, this.ahead.state(choice)];
    if (now === null || known === undefined) return false;
    const at = sameStage(now, this.stage, known.shown);
    if (!written(known.shown, at) || (this.diff && !written(known.shown, at - 1))) return false;
    const same = now.options.mode === choice.mode && now.options.wrt.every(({ name, on }) => on === choice.wrt.includes(name));
    const live = { bound: "", refusal: "", stale: now.stale, problem: same ? now.problem : "", tables: same ? now.tables : [] };
    this.accept({ ...known, state: { ...known.state, ...live }, shown: { ...known.shown, ...live } });
    this.foretold = true;
    return true;
  }

  /** What a helper is, asked for once. */
  private async explained(name: string): Promise<readonly Note[]> {
    const known = this.helpers.get(name);
    if (known !== undefined) return known;
    const answer = await this.host.ask({ kind: "helper", name });
    if (answer.kind !== "explained") {
      this.line.tell(answer.kind === "failed" ? answer.text : GONE);
      return [];
    }
    const { helper } = answer;
    const notes: readonly Note[] = [{ css: "says", tokens: [["", `rt.${helper.name}: ${helper.says}`]] },
      ...[...helper.code, ...helper.example].map((tokens) => ({ css: "shown", tokens }) as const)];
    this.helpers.set(name, notes);
    return notes;
  }

  private async copy(): Promise<void> {
    if (this.state === null) return;
    const copied = await this.copied(this.state);
    this.line.tell(copied ? `copied ${plural(this.state.stages[this.stage]?.rows.length ?? 0, "line")}`
      : "the browser does not let the text be copied: select it");
  }

  private copied(state: State): Promise<boolean> {
    try {
      return copyText(stageText(state, this.stage), this.root);
    } catch {
      return Promise.resolve(false);               // a text longer than any that the browser has
    }
  }

  private draw(): void {
    const { shown, state } = this;
    set(this.root, { role: "group", "aria-label": shown === null ? "derivative" : `${shown.name}: ${shown.title}`,
      "aria-busy": this.asked !== null });
    const reach = this.host.reach();
    const locked = this.asked !== null ? BUSY : reach === "gone" ? GONE : this.editing.on ? WRITING : "";
    const silent = reach !== "live" && this.asked === null ? SILENT : "";
    this.messages.draw({ state: shown, trouble: this.malformed || this.trouble || silent, locked, offline: this.host.offline });
    this.line.busy(this.asked !== null);
    if (shown === null || state === null) {
      fill(this.root, [this.messages.element, this.line.element]);
      return;
    }
    const model: Model = { state: shown, stage: this.stage, diff: this.diff && this.stage > 0, wrap: this.panes.wrap, offline: this.host.offline,
      choice: this.asked?.choice ?? chosen(shown), locked,
      can: (choice) => this.host.can(choice) };
    this.header.draw(model);
    this.sampling.draw(model);
    this.stages.draw(model);
    this.drawTexts(model);
    this.stepper.draw(state, locked || (reach === "live" ? "" : GONE));
    this.beside.draw(state, locked || (reach === "live" ? "" : GONE));
    this.costs.draw(state, locked || (reach === "live" ? "" : GONE));
    this.graph.draw(state, locked || (reach === "live" ? "" : GONE));
    const measured = this.stage === shown.final && !model.diff ? this.costs.columns : null;
    const columns = whole(shown) ? measured : null;
    this.costs.element.hidden ||= measured === null;
    fill(this.panes.panes.derived.facts, [...facts(shown, this.stage, reach === "live"), ...this.stage === shown.final ? this.costs.fact : []]);
    const pies = this.sampling.marks(shown, this.stage);
    for (const side of ["primal", "derived"] as const) this.panes.panes[side].beside(columns?.[side] ?? null, pies?.[side] ?? null);
    this.panes.third(this.beside.isOpen && !this.editing.on ? this.beside.pane : null);      // it is of what was applied
    this.beside.figures.hidden ||= this.editing.on;
    this.editing.draw(shown, this.asked !== null ? BUSY : reach === "live" ? "" : GONE, this.panes.wrap);
    this.panes.panes.primal.list.hidden = this.editing.on;
    this.panes.panes.derived.element.classList.toggle("tnb-dimmed", this.editing.behind);
    const stage = shown.stages[this.stage];
    this.line.stage(stage?.name ?? "", stage?.summary ?? "");
    fill(this.root, [this.header.element, this.messages.element, this.editing.lost.element, this.strip, this.stages.inside, this.header.panel,
      this.sampling.element, this.beside.ran, this.line.element, this.stepper.element, this.costs.element, this.panes.element, this.beside.figures, this.graph.element,
      this.below, this.inspector.element]);
    this.fitLater();
  }

  /** The run is at a step: its rows are those of the last stage. */
  private at(spot: Spot | null): void {
    this.spot = spot;
    const final = this.shown?.final ?? this.stage;
    if (spot === null || (this.stage === final && !this.diff)) {
      this.panes.now(this.shown !== null && whole(this.shown) ? spot : null);
      return;
    }
    [this.stage, this.diff] = [final, false];
    this.draw();
  }

  /** The run went wrong there: marked as what `--nan` finds is. */
  private fault(text: string, spot: Spot | null): void {
    if (this.state === null || this.shown === null || this.state.guilty.text !== "") return;
    if (text === "" && this.shown.guilty.text === "") return;
    this.shown = { ...this.shown, guilty: { text, primal: spot?.primal ?? [], rows: spot?.derived ?? [] } };
    this.draw();
  }

  private fit(): void {
    if (!this.root.isConnected) return;
    this.panes.refresh();
    this.graph.fit();
  }

  /** It is the text that is drawn already, of which there may be more now. */
  private goesOn({ state, stage, diff }: Model): boolean {
    const [last, at, how] = this.drawn;
    return last !== undefined && stage === state.final && at === last.final && !diff && how === false
      && (whole(last) ? sameTexts(last, state) : sameTexts(state, last));
  }

  /** The panes are drawn again only where what they show is another. */
  private drawTexts(model: Model): void {
    const { state, stage, diff } = model;
    const below = [state.tables, state.notes];
    if (below.some((one, at) => one !== this.told[at])) {
      this.told = below;
      fill(this.below, [...state.tables.map(table), ...[...state.notes, ...this.notes].map((note) => element("p", "note", note))]);
    }
    const drawn = [state, stage, diff] as const;
    if (drawn.every((one, at) => one === this.drawn[at])) return;
    const now = state.stages[stage];
    if (now === undefined || !written(state, stage) || (diff && !written(state, stage - 1))) return;
    const same = this.goesOn(model);
    this.drawn = drawn;
    const before = state.stages[stage - 1];
    const primal = primalText(state);
    const derived = diff && before !== undefined ? changedRows(before, now, primal, state.lines)
      : stageRows(now, primal, stage === state.final ? state.guilty : undefined);
    this.panes.show(state, primal, derived);
    this.presenter.show(derived, same);
    this.inspector.show(state, stage, primal, derived);
    this.panes.now(stage === state.final && !diff && whole(state) ? this.spot : null);
    const { primal: left, derived: right } = this.panes.panes;
    write(left.head, ["source", state.primal.length > 1 ? "" : state.primal[0]?.title ?? ""].filter((one) => one !== "").join(" · "));
    write(right.head, ["derivative", state.options.mode, diff ? `changed by ${now.name}` : stageWords(state, stage)].join(" · "));
  }
}

function stageWords(state: State, stage: number): string {
  return stage === state.final ? "optimized" : stage === state.raw ? "raw" : `after ${state.stages[stage]?.name ?? ""}`;
}

/** The stage of another state that is what this one was in its own. */
function sameStage(before: State, stage: number, state: State): number {
  if (stage === before.final) return state.final;
  if (stage === before.raw) return state.raw;
  const found = state.stages.findIndex(({ name }) => name === before.stages[stage]?.name);
  return found === -1 ? state.final : found;
}

/** The traitlet before the kernel has set it. */
function empty(raw: unknown): boolean {
  return raw === null || raw === undefined || (typeof raw === "object" && Object.keys(raw).length === 0);
}
