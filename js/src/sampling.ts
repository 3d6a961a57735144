/** The sampled tape: exact or sampled, a slider for the fraction, and beside it how far the gradient is spread. */
import type { Choice } from "./choice";
import { chosen, key } from "./choice";
import type { Tell } from "./controls";
import { Control, Segments } from "./controls";
import { element, fill, KEYS, set, write } from "./dom";
import { bar, curve, reach, strip } from "./figures";
import type { Host } from "./host";
import type { Model } from "./model";
import type { BothPies, Sizes } from "./samples";
import { legend, piesOf } from "./samples";
import { measured } from "./measured";
import type { Parameter, Point, Spread } from "./spread";
import { curveOf, percent, plusMinus, readSpread, relative, whole } from "./spread";
import type { State } from "./state";
import { textOf } from "./state";
import { bytes } from "./units";
import { plural } from "./words";

export const REST_MS = 250;                        // after which a slider that is moved by keys rests
export const SWEEP = [0.02, 0.05, 0.1, 0.2, 0.5, 1];
const STEPS = 40;                                  // of the slider, from a hundredth to all
const FIRST = 0.1;
const METHODS = [["with_replacement", "with replacement"], ["without_replacement", "without replacement"], ["rademacher", "random signs"], ["paths", "trips of loops"]] as const;
const SHARES = [["batch", "one sample for all rows"], ["none", "one for each row"]] as const;
const FORWARD = "forward mode keeps nothing for a backward sweep: choose reverse first";
const ELSEWHERE = "Numba draws no samples: choose NumPy or JAX first";

type Tape = "exact" | "sampled";

/** What is asked for of the samples. rest: as it is written, with a comma before it. */
interface Wish {
  readonly fraction: number | null;
  readonly k: number | null;
  readonly method: string;
  readonly share: string;
  readonly rest: string;
}

interface Actions {
  readonly tell: Tell;
  readonly derive: (choice: Choice) => void;
  readonly near: (choice: Choice | null) => void;
  readonly changed: () => void;
  /** The kernel is at an answer, and may be asked behind it. */
  readonly busy: () => boolean;
}

export class Sampling {
  readonly choose: Segments<Tape>;
  readonly element: HTMLElement;
  private readonly slider = set(element("input", "slider"), { ...KEYS, type: "range", "aria-label": "fraction that is kept" });
  private readonly number = set(element("input", "fraction"), { ...KEYS, type: "text", "aria-label": "fraction that is kept, as a number", title: "a number above 0 and at most 1" });
  private readonly method = select("how samples are drawn", METHODS);
  private readonly share = select("whose samples are the same", SHARES);
  private readonly spread: Control;
  private readonly sweep: Control;
  private readonly facts = element("span", "facts");
  private readonly legend = element("span", []);
  private readonly figures = element("div", "spread");
  private readonly none: ReadonlyMap<number, readonly [number, number]> = new Map();
  private model: Model | null = null;
  private wish: Wish = { fraction: FIRST, k: null, method: METHODS[0][0], share: SHARES[0][0], rest: "" };
  private wanted: string | null = null;            // a tape that is to be derived as soon as the kernel may be asked
  private timer: ReturnType<typeof setTimeout> | undefined;
  private moved = false;
  private following = false;                       // the spread is measured wherever the slider rests
  private sweeping = false;
  private asking = false;
  private failed = "";                             // the tape that could not be measured
  private found: Spread | null = null;
  private family = "";
  private era = 0;
  private made: readonly unknown[] = [];           // what the figures were drawn of
  private pies: { readonly of: readonly unknown[]; readonly both: BothPies | null } = { of: [], both: null };

  constructor(private readonly host: Host, private readonly actions: Actions) {
    const { tell } = actions;
    this.choose = new Segments<Tape>("tape", [["exact", "exact tape"], ["sampled", "sampled"]], tell,
      (one) => { this.derive(one === "exact" ? "" : this.tape()); }, (one) => { this.near(one); });
    this.slider.max = String(STEPS);
    this.slider.addEventListener("input", () => { this.slid(); });
    this.slider.addEventListener("keydown", (event) => { event.stopPropagation(); });
    this.number.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Enter") this.typed();
    });
    this.number.addEventListener("change", () => { this.typed(); });
    for (const [one, field] of [[this.method, "method"], [this.share, "share"]] as const) {
      one.addEventListener("change", () => { this.want({ ...this.wish, [field]: one.value }); });
    }
    this.spread = new Control("button", "spread", tell, () => { this.follow(!this.following); });
    this.sweep = new Control("button", "sweep", tell, () => { if (this.sweeping) this.stop(); else void this.all(); });
    this.element = set(element("section", "sampling", element("div", "samplingbar", element("span", "label", "kept"), this.slider, this.number, this.method, this.share,
      this.spread.element, this.sweep.element, this.facts, element("span", "grow"), this.legend), this.figures), { "aria-label": "sampled tape" });
    this.element.hidden = true;
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.era++;
  }

  draw(model: Model): void {
    const { state, locked } = model;
    this.model = model;
    this.choose.draw(model.choice.tape === "" ? "exact" : "sampled",
      (one) => locked || (one === "sampled" ? unfit(model.choice) : "") || model.can({ ...model.choice, tape: one === "exact" ? "" : this.tape() }),
      (one) => one === "exact" ? "all that the backward sweep reads is kept as it is" : "of some arrays a part is kept, drawn at random: less memory, and the gradient is right on average");
    const { samples } = state;
    this.element.hidden = samples.tape === "";
    const family = familyOf(state);
    if (family !== this.family) this.forget(family);
    if (samples.tape === "") {
      this.sweeping = false;
      return;
    }
    if (this.rests(model)) this.wish = samples;
    if (this.wanted !== null && locked === "") this.send();
    this.drawRow(model);
    this.drawFigures();
    if (this.following && locked === "" && this.wanted === null && !this.moved && this.point === null && this.failed !== samples.tape) void this.measure(samples.tape);
  }

  /** The marks of the stage that is shown; the same as before where they have not changed. */
  marks(state: State, stage: number): BothPies | null {
    const sizes = stage === state.final ? this.sizes() : this.none;
    const of = [state, stage, this.found];
    if (!of.every((one, at) => one === this.pies.of[at])) this.pies = { of, both: piesOf(state, stage, sizes) };
    return this.pies.both;
  }

  private sizes(): Sizes {
    return new Map(this.point?.sites.map(([row, kept, exact]) => [row, [kept, exact] as const] as const) ?? []);
  }

  /** What was measured with the tape that is shown. */
  private get point(): Point | null {
    const tape = this.model?.state.samples.tape;
    return this.found?.points.find((one) => one.tape === tape) ?? null;
  }

  private tape(wish: Wish = this.wish): string {
    const much = wish.k === null ? `${wish.fraction ?? FIRST}` : `k=${wish.k}`;
    return `sampled:${much}${wish.method === METHODS[0][0] ? "" : `,method=${wish.method}`}${wish.share === SHARES[0][0] ? "" : `,share=${wish.share}`}${wish.rest}`;
  }

  private derive(tape: string): void {
    if (this.model !== null) this.actions.derive({ ...this.model.choice, tape });
  }

  private near(one: Tape | null): void {
    const choice = this.model?.choice;
    this.actions.near(one === null || choice === undefined ? null : { ...choice, tape: one === "exact" ? "" : this.tape() });
  }

  // ------------------------------------------------------------------ what is asked for
  private slid(): void {
    this.moved = true;
    const fraction = fractionAt(Number(this.slider.value));
    this.number.value = String(fraction);
    set(this.slider, { "aria-valuetext": `${fraction}` });
    clearTimeout(this.timer);
    this.timer = setTimeout(() => { this.want({ ...this.wish, fraction, k: null }); }, REST_MS);
  }

  private typed(): void {
    const text = this.number.value.trim();
    if (text === shownOf(this.wish)) return;
    const k = /^k\s*=\s*(\d+)$/.exec(text)?.[1];
    // What is no fraction the kernel refuses, and says why.
    this.want(k === undefined ? { ...this.wish, fraction: null, k: null } : { ...this.wish, fraction: null, k: Number(k) }, k === undefined ? text : "");
  }

  private want(wish: Wish, written = ""): void {
    clearTimeout(this.timer);
    this.moved = false;
    const tape = written === "" ? this.tape(wish) : this.tape({ ...wish, fraction: 0 }).replace(/^sampled:0/, `sampled:${written.replace(/[,=]/g, " ")}`);
    this.wanted = tape;
    if (written === "") this.wish = wish;
    const { model } = this;
    if (model === null || model.locked === "") this.send();
    else if (!this.actions.busy()) {
      this.wanted = null;
      this.actions.tell(model.locked);
      this.actions.changed();                      // what was wished for is taken back
    }
  }

  private send(): void {
    const tape = this.wanted;
    this.wanted = null;
    if (tape !== null && tape !== this.model?.state.samples.tape) this.derive(tape);
    else if (this.model !== null) this.drawRow(this.model);
  }

  // ------------------------------------------------------------------ what is measured
  private follow(on: boolean): void {
    this.following = on;
    this.failed = "";
    if (!on) this.stop();
    this.actions.changed();
  }

  private stopped(era: number): boolean {
    return !this.sweeping || era !== this.era;
  }

  private stop(): void {
    this.sweeping = false;
    this.actions.changed();
  }

  private async measure(tape: string): Promise<boolean> {
    if (this.asking) return false;
    const { era } = this;
    this.asking = true;
    if (this.model !== null) this.drawRow(this.model);
    const found = await measured(this.host, { kind: "spread", tape }, readSpread, this.actions.tell);
    this.asking = false;
    if (era !== this.era) {
      this.actions.changed();
      return false;
    }
    if (found === null || (this.host.offline && !found.points.some((one) => one.tape === tape))) this.failed = tape;
    if (found !== null) this.found = found;
    else if (this.found === null) this.following = false;              // asked again by the same button
    this.actions.changed();
    return found !== null;
  }

  /** The curve, from one fraction to the next. */
  private async all(): Promise<void> {
    const { era } = this;
    this.following = this.sweeping = true;
    this.actions.changed();
    for (const fraction of SWEEP) {
      while (this.asking && era === this.era) await pause();
      if (this.stopped(era)) break;
      const tape = this.tape({ ...this.wish, fraction, k: null });
      if (this.found?.points.some((one) => one.tape === tape) === true) continue;
      if (!await this.measure(tape)) break;
    }
    if (era === this.era) this.stop();
  }

  private forget(family: string): void {
    this.era++;
    this.family = family;
    this.found = null;
    this.failed = "";
    this.sweeping = this.following = false;
  }

  // ------------------------------------------------------------------ the row
  /** Nothing is asked for: what is shown is what is derived. */
  private rests({ choice, state }: Model): boolean {
    return !this.moved && this.wanted === null && choice.tape === state.samples.tape;
  }

  private drawRow(model: Model): void {
    const { state, locked, offline } = model;
    const { wish } = this;
    if (this.rests(model)) {
      this.slider.value = String(stepOf(wish.fraction ?? FIRST));
      set(this.slider, { "aria-valuetext": shownOf(wish) });
      if (this.number.value !== shownOf(wish)) this.number.value = shownOf(wish);
      [this.method.value, this.share.value] = [wish.method, wish.share];
    }
    for (const one of [this.slider, this.number, this.method, this.share]) one.disabled = offline;
    const why = state.tools.spread;
    this.spread.draw({ pressed: this.following, reason: this.following ? "" : why || (this.asking ? "gradients are being drawn" : locked),
      title: "draw gradients at these arguments, for two seconds or so, wherever the slider rests" });
    this.sweep.name(this.sweeping ? "stop" : "sweep");
    this.sweep.draw({ reason: offline ? "drawing needs the notebook" : this.sweeping ? "" : why || (this.asking ? "gradients are being drawn" : locked),
      title: this.sweeping ? "stop behind this fraction" : `draw at the fractions ${SWEEP.join(", ")} too, for the curve` });
    const { point } = this;
    const of = point?.bytes ?? null;
    const all = this.found?.bytes ?? null;
    write(this.facts, [...of === null || all === null ? [] : [`tape ${bytes(of)}, exact ${bytes(all)}`],
      ...point === null ? this.asking ? ["drawing…"] : [] : [`${plural(point.draws, "draw")} in ${Number(point.seconds.toPrecision(2))} s`]].join(" · "));
    fill(this.legend, [this.legend.firstChild !== null && this.legend.getAttribute("data-share") === String(wish.fraction) ? this.legend.firstChild : legend(wish.fraction ?? 0.25)]);
    set(this.legend, { "data-share": String(wish.fraction) });
  }

  // ------------------------------------------------------------------ the figures
  private drawFigures(): void {
    const { found, model, point } = this;
    const points = found === null || model === null ? [] : curveOf(found, model.state.samples.tape);
    this.figures.hidden = !this.following || (point === null && points.length === 0);
    if (this.figures.hidden || model === null) return;
    const drawn = [found, model.state.samples.tape];
    if (drawn.every((one, at) => one === this.made[at])) return;
    this.made = drawn;
    fill(this.figures, [...point === null ? [] : [parametersOf(point)], ...points.length === 0 ? [] : [curveTable(points, model.state.samples.tape)]]);
  }
}

function parametersOf(point: Point): HTMLElement {
  const { parameters } = point;
  const most = Math.max(0, ...parameters.map((one) => relative(one) ?? 0));
  const far = reach(parameters);
  const heads = ["gradient of", "standard deviation", "draws along the exact gradient", "their mean", "mean off by"];
  const says = ["", "of all draws, of the length of the exact gradient", `the line is the exact gradient; from ${(1 - far).toPrecision(2)} to ${(1 + far).toPrecision(2)} of it`,
    "along the exact gradient, of which 1 is all, with its standard error", "the distance of the mean of all draws from the exact gradient, of its length, and what is expected of so many draws"];
  const head = element("thead", [], element("tr", [], ...heads.map((name, at) => set(element("th", "cell", name), { scope: "col", title: says[at] === "" ? null : says[at] ?? null }))));
  const rows = parameters.map((one) => element("tr", [], ...parameterCells(one, most, far, point.draws)));
  return set(element("div", "block", element("table", "table", head, element("tbody", [], ...rows))), { role: "region", tabindex: 0, "aria-label": "spread of each gradient" });
}

function parameterCells(one: Parameter, most: number, far: number, draws: number): HTMLElement[] {
  const [name, size, length, deviation, off, mean, error] = one;
  const head = set(element("th", "cell", element("span", "code", name), element("span", "label", plural(size, "number"))), { scope: "row" });
  if (size === 0 || length === null || deviation === null) {
    const why = size === 0 ? "no numbers" : "not finite here";
    return [head, element("td", "cell", why), element("td", []), element("td", []), element("td", [])];
  }
  const share = relative(one);
  if (share === null) return [head, element("td", "cell", `${deviation.toPrecision(3)}; the exact gradient is 0`), element("td", []), element("td", []), element("td", "cell", off === null ? "–" : off.toPrecision(2))];
  return [head, element("td", ["cell", "valued"], bar(most === 0 ? 0 : share / most), percent(share)), element("td", "cell", strip(one, far)),
    element("td", "cell", plusMinus(mean, error)),
    element("td", "cell", off === null ? "–" : percent(off / length), element("span", "label", `expected ${percent(share / Math.sqrt(draws))}`))];
}

function curveTable(points: readonly (Point & { readonly fraction: number })[], tape: string): HTMLElement {
  const heads = ["fraction", "standard deviation", "tape", "draws"];
  const rows = points.map((one) => element("tr", [], set(element("th", [], String(one.fraction)), { scope: "row" }),
    ...[percent(whole(one)), one.bytes === null ? "–" : bytes(one.bytes), String(one.draws)].map((cell) => element("td", [], cell))));
  const table = element("table", "sr", element("caption", [], "spread for each fraction"), element("thead", [], element("tr", [], ...heads.map((name) => set(element("th", [], name), { scope: "col" })))),
    element("tbody", [], ...rows));
  return element("div", "curve", curve(points, tape), table);
}

function select(name: string, options: readonly (readonly [string, string])[]): HTMLSelectElement {
  const made = set(element("select", "select"), { ...KEYS, "aria-label": name, title: name });
  for (const [value, label] of options) made.append(Object.assign(element("option", [], label), { value }));
  made.addEventListener("keydown", (event) => { event.stopPropagation(); });
  return made;
}

/** Why a choice has no sampled tape, "" where it may have one. */
function unfit({ mode, backend }: Choice): string {
  return mode === "forward" ? FORWARD : backend === "numba" ? ELSEWHERE : "";
}

/** What has another spread, or is of another function. */
function familyOf(state: State): string {
  const own = state.primal.map(({ rows }) => rows.map(([, line]) => textOf(state.lines[line] ?? [])));
  return JSON.stringify([state.name, key({ ...chosen(state), tape: "" }), own]);
}

function shownOf({ fraction, k }: Wish): string {
  return k === null ? String(fraction ?? FIRST) : `k=${k}`;
}

/** Two digits are enough, and steps that are as long in powers. */
export function fractionAt(step: number): number {
  return Number((10 ** (2 * (step / STEPS - 1))).toPrecision(2));
}

export function stepOf(fraction: number): number {
  return Math.min(STEPS, Math.max(0, Math.round(STEPS * (1 + Math.log10(fraction) / 2))));
}

function pause(): Promise<void> {
  return new Promise((done) => { setTimeout(done, 50); });
}
