/** Another text beside the one that is shown: one that calls were served by, or another choice; and what each takes. */
import type { Choice } from "./choice";
import { chosen, key } from "./choice";
import type { Tell } from "./controls";
import { Control } from "./controls";
import { element, fill, KEYS, set, write } from "./dom";
import type { Answer, Ask, Host } from "./host";
import { limited } from "./limits";
import { Links } from "./links";
import { Pane, UNMARKED } from "./pane";
import type { Text } from "./rows";
import { piesOf } from "./samples";
import { primalText, stageRows } from "./rows";
import { amount, list, count, Malformed, orNull, record } from "./shapes";
import type { Backend, Figures, State } from "./state";
import { textOf } from "./state";
import { facts } from "./status";
import { bytes, time } from "./units";
import { unpack } from "./unpack";
import { validate } from "./validate";

const BACKENDS: Readonly<Record<Backend, string>> = { numpy: "on NumPy", numba: "compiled by Numba", jax: "on JAX", jit: "on JAX, compiled" };
const LONGEST = 60;
const figures = list(record<Figures>({ lines: count, seconds: amount, saved: orNull(count), peak: orNull(count) }));

export interface BesideActions {
  readonly tell: Tell;
  /** What was refused, "" where nothing is. */
  readonly trouble: (text: string) => void;
  /** The pane has come or gone. */
  readonly changed: () => void;
  /** A row of the user's is meant; null: none. */
  readonly point: (at: number | null) => void;
}

interface Offer {
  readonly label: string;
  readonly ask: Ask;
}

export class Beside {
  readonly pane: Pane;
  readonly choose = element("select", "select");
  readonly ran = element("div", "ran");
  readonly figures = element("div", "figures");
  private readonly show: Control;
  private readonly served = element("span", []);
  private readonly time: Control;
  private readonly shut: Control;
  private state: State | null = null;              // of the text that is shown
  private other: State | null = null;              // of the one beside it
  private text: Text = { rows: [], titles: new Map(), folds: [] };
  private links = new Links([], []);
  private own: readonly number[] = [];             // of each row of the other's source, the row of ours
  private offers: readonly Offer[] = [];
  private label = "";
  private measured: readonly Figures[] | null = null;
  private asking = false;
  private locked = "";

  constructor(id: string, private readonly host: Host, private readonly actions: BesideActions) {
    this.pane = new Pane(`${id}-b`, "the text beside it, linked with the source");
    set(this.choose, { ...KEYS, "aria-label": "show another text beside this one" });
    this.choose.addEventListener("change", () => { void this.pick(this.offers[this.choose.selectedIndex - 1]); });
    this.show = new Control("button", "beside", actions.tell, () => { void this.pick(this.offers.find(({ ask }) => ask.kind === "text")); });
    this.ran.append(this.served, this.show.element);
    this.time = new Control("button", "time both", actions.tell, () => { void this.measure(); });
    this.shut = new Control("chip", "✕ close", actions.tell, () => { this.close(); });
    set(this.pane.element, { role: "region", "aria-label": "another text" });
    this.pane.element.classList.add("tnb-beside");
    const { list: rows } = this.pane;
    rows.addEventListener("pointermove", (event) => { this.hover(this.pane.itemOf(event.target)); });
    rows.addEventListener("pointerleave", () => { actions.point(null); });
    rows.addEventListener("click", (event) => {
      const item = this.pane.itemOf(event.target);
      if (item !== undefined && this.pane.toggle(item)) this.pane.refresh();
    });
    rows.addEventListener("keydown", (event) => {
      const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
      if (by === 0 || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      event.stopPropagation();
      this.pane.cursor = Math.min(Math.max(this.pane.cursor + by, 0), this.pane.items.length - 1);
      this.pane.reveal(this.pane.cursor);
      this.hover(this.pane.cursor);
    });
  }

  get isOpen(): boolean {
    return this.other !== null;
  }

  /** What is shown is this now: what was beside another text is gone. */
  draw(state: State, locked: string): void {
    if (this.state !== null && this.state !== state && key(chosen(this.state)) !== key(chosen(state))) this.forget();
    this.state = state;
    this.locked = locked;
    this.drawOffers(state);
    const { names, ran, here } = state.texts;
    this.ran.hidden = ran === -1;
    if (ran !== -1) {
      const text = names[ran] === "general" ? `general text${here ? ", which stands below" : ""}` : `text for ${names[ran] ?? ""}`;
      write(this.served, `the last call ran the ${text}`);
    }
    this.show.element.hidden = here || names[ran] === "general";
    this.show.draw({ reason: locked, title: "show it beside this one" });
    this.drawFigures();
  }

  /** Rows of the user's that are lit. */
  lit(rows: readonly number[]): void {
    if (this.other === null) return;
    const hot = new Set(rows.flatMap((row) => this.links.across("primal", this.own.indexOf(row))));
    this.pane.mark({ ...UNMARKED, hot });
  }

  private drawOffers(state: State): void {
    const now = chosen(state);
    const offers: Offer[] = [];
    const { names, ran, here } = state.texts;
    const places = here ? [] : [...names.keys()].sort((a, b) => Number(b === ran) - Number(a === ran));
    for (const place of places) {
      const name = names[place] ?? "";
      if (name === "general" && names.length === 1) continue;
      offers.push({ label: `${place === ran ? "ran last: " : "ran: "}${shortened(name)}`, ask: { kind: "text", place } });
    }
    const add = (label: string, part: Partial<Choice>): void => { offers.push({ label, ask: { kind: "other", ...now, ...part } }); };
    if (now.tape !== "") add("the exact tape", { tape: "" });
    if (now.passes.length > 0) add("no passes", { passes: [] });
    add(now.mode === "reverse" ? "forward mode" : "reverse mode", { mode: now.mode === "reverse" ? "forward" : "reverse", tape: "" });
    for (const { name, reason } of state.options.backends) if (name !== now.backend && reason === "") add(BACKENDS[name], { backend: name, tape: "" });
    this.offers = offers;
    const labels = ["beside: nothing", ...offers.map(({ label }) => `beside: ${label}`)];
    if (labels.some((label, at) => this.choose.options[at]?.textContent !== label) || labels.length !== this.choose.options.length) {
      fill(this.choose, labels.map((label) => element("option", [], label)));
    }
    const at = this.other === null ? 0 : 1 + offers.findIndex(({ label }) => label === this.label);
    this.choose.selectedIndex = Math.max(0, at);
    this.choose.disabled = this.locked !== "";
    this.choose.hidden = this.host.offline;
    set(this.choose, { title: this.locked || "another text of this derivative, beside it" });
  }

  private async pick(offer: Offer | undefined): Promise<void> {
    if (offer === undefined) {
      this.close();
      return;
    }
    const { state } = this;
    this.actions.trouble("");
    const answer = await this.host.ask(offer.ask);
    if (state !== this.state || state === null) return;
    const read = answer.kind === "beside" ? validate(unpack(answer.state)) : null;
    if (read === null || "malformed" in read) {
      this.actions.trouble(read === null ? failed(answer) : `What the kernel sent cannot be shown: ${read.malformed}.`);
      this.actions.changed();
      return;
    }
    this.label = offer.label;
    this.measured = null;
    this.put(state, limited(read.state).state);
    this.actions.changed();
  }

  private put(state: State, other: State): void {
    const primal = primalText(other);
    const stage = other.stages[other.final];
    if (stage === undefined) return;
    this.other = other;
    this.text = stageRows(stage, primal);
    this.links = new Links(primal.rows, this.text.rows);
    const places = new Map(rowsOf(state).map((one, at) => [one, at]));
    this.own = rowsOf(other).map((one) => places.get(one) ?? -1);
    const numbers = (at: number): string => (this.text.rows[at]?.cue ?? "").slice(1);
    this.pane.show(this.text, other.lines, new Set(), (at) => {
      const row = this.text.rows[at];
      const line = textOf(other.lines[row?.line ?? -1] ?? []).trim();
      return `${row?.number ?? ""}: ${line === "" ? "empty" : line}${numbers(at) === "" ? "" : `; from line ${numbers(at)}`}`;
    });
    this.pane.beside(null, piesOf(other, other.final, new Map())?.derived ?? null);
    write(this.pane.head, ["beside", this.label].join(" · "));
    fill(this.pane.facts, [...facts(other, other.final), this.shut.element]);
  }

  private close(): void {
    this.forget();
    this.actions.changed();
  }

  private forget(): void {
    this.other = this.measured = null;
    this.label = "";
  }

  private hover(item: number | undefined): void {
    const row = item === undefined ? undefined : this.pane.rowAt(item);
    const from = row === undefined ? [] : this.links.across("derived", row).map((key) => this.own[key] ?? -1).filter((key) => key >= 0);
    this.actions.point(from[0] ?? null);
    if (row !== undefined) this.pane.mark({ ...UNMARKED, hot: new Set([row]) });
  }

  private async measure(): Promise<void> {
    if (this.asking) return;
    this.asking = true;
    this.actions.trouble("");
    this.actions.tell("both are being timed");
    this.drawFigures();
    const answer = await this.host.ask({ kind: "measure" });
    this.asking = false;
    const read = answer.kind === "measured" ? attempt(() => figures(answer.figures)) : failed(answer);
    this.actions.tell("");
    if (typeof read === "string" || read.length !== 2) this.actions.trouble(typeof read === "string" ? read : "nothing was measured");
    else {
      this.measured = read;
      this.actions.tell("timed");
    }
    this.drawFigures();
  }

  private drawFigures(): void {
    const { other, state } = this;
    this.figures.hidden = other === null;
    if (other === null || state === null) return;
    this.shut.draw({ reason: "", title: "only one derivative" });
    this.time.draw({ reason: this.asking ? "both are being timed" : this.locked || state.texts.timed,
      title: "call both in turns at these arguments: the median time of each, and the memory" });
    const head = ["", "lines", "time", "", "saved for the backward sweep", "peak memory"];
    const [one = null, two = null] = this.measured ?? [];
    const row = (label: string, lines: number, now: Figures | null, to: Figures | null): HTMLElement => element("tr", [],
      set(element("th", "cell", label), { scope: "row" }),
      ...[String(lines), now === null ? "" : time(now.seconds), now === null || to === null ? "" : `${Number((now.seconds / to.seconds).toPrecision(2))} ×`,
        now === null ? "" : bytes(now.saved), now === null ? "" : bytes(now.peak)].map((cell) => element("td", "cell", cell)));
    const rows = [row("shown", state.status.lines, one, null), row(this.label, other.status.lines, two, one)];
    const table = element("table", "table", element("thead", [], element("tr", [], ...head.map((name) => name === "" ? element("td", [])
      : set(element("th", "cell", name), { scope: "col" })))), element("tbody", [], ...rows));
    fill(this.figures, [set(element("div", "block", table, this.time.element), { role: "region", tabindex: 0, "aria-label": "both beside one another" })]);
  }
}

function rowsOf(state: State): string[] {
  // Methods of two classes may have one name, and stand in the same lines of two cells.
  return state.primal.flatMap(({ name, rows }) => rows.map(([number, line]) => `${name}:${number}:${textOf(state.lines[line] ?? [])}`));
}

function shortened(name: string): string {
  return name.length > LONGEST ? `${name.slice(0, LONGEST)}…` : name;
}

function failed(answer: Answer): string {
  return answer.kind === "failed" ? answer.text : "the kernel does not answer";
}

function attempt<T>(read: () => T): T | string {
  try {
    return read();
  } catch (error) {
    if (error instanceof Malformed) return `What the kernel sent cannot be shown: ${error.message}.`;
    throw error;
  }
}
