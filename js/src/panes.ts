/** The two texts side by side: what is lit, what is pinned, and how the keys move between them. */
import { element, fill } from "./dom";
import type { Side } from "./links";
import { Links, other } from "./links";
import type { Marks } from "./pane";
import type { Note } from "./items";
import { Pane } from "./pane";
import { Split } from "./split";
import { helpersOf } from "./standing";
import type { Text } from "./rows";
import type { State } from "./state";
import { textOf } from "./state";
import type { Taste } from "./taste";
import { keep, taste } from "./taste";
import { kin, NONE, rowsWith, Terms, variables } from "./terms";
import type { Sentence } from "./words";
import { label, ofExpression, sentence } from "./words";

/** of: the expression, or the part, that is meant, null where the whole row is; name: the variable. */
interface Spot {
  readonly side: Side;
  readonly at: number;
  readonly of: number | null;
  readonly name: string;
}

const SIDES: readonly Side[] = ["primal", "derived"];
const SIDEWAYS = 80;
const [HIGHEST, HEAD, LINE] = [670, 40, 21];       // what the panes take in pixels, about, where they were not in sight yet
const NO_NAMES: ReadonlySet<string> = new Set();

export class Panes {
  readonly panes: Readonly<Record<Side, Pane>>;
  readonly element: HTMLElement;
  private readonly split: Split;
  private taste = taste();
  private texts: Readonly<Record<Side, Text>>;
  private links = new Links([], []);
  private terms = new Terms([]);
  private state: State | null = null;
  private hover: Spot | null = null;
  private pinned: Spot | null = null;
  private expression: number | null = null;       // of the row with the cursor, that the keys have chosen
  private keyed: Side | null = null;               // the pane whose cursor the keys have moved, while it has the focus
  private presented: Spot | null = null;
  private run: Readonly<Record<Side, readonly number[]>> | null = null;
  private pressed = false;
  private beside: Pane | null = null;
  /** What a click does while presenting, null where it pins. */
  advance: (() => void) | null = null;
  private mouse = "";

  /** Told the rows of the user's that are lit. */
  readonly lights: ((rows: readonly number[]) => void)[] = [];

  /** words: told what the row that is lit comes from; null where none is; explain: gives what there is to say of a helper. */
  constructor(id: string, private readonly words: (sentence: Sentence | null) => void,
    private readonly explain: (name: string) => Promise<readonly Note[]>) {
    this.panes = { primal: new Pane(`${id}-p`, "source, linked with the derivative"),
      derived: new Pane(`${id}-d`, "derivative, linked with the source") };
    this.texts = { primal: this.panes.primal.text, derived: this.panes.derived.text };
    this.panes.primal.element.id = `${id}-source`;
    this.split = new Split(`${id}-source`, (split, done) => { this.like({ ...this.taste, split }, done); });
    this.element = element("div", "panes", this.panes.primal.element, this.split.element, this.panes.derived.element);
    this.like(this.taste, false);
    for (const side of SIDES) this.listen(side);
  }

  show(state: State, primal: Text, derived: Text): void {
    const pinned = this.pinned === null ? null : this.found(this.pinned, state, { primal, derived });
    this.state = state;
    this.texts = { primal, derived };
    this.links = new Links(primal.rows, derived.rows);
    this.terms = new Terms(state.parts);
    this.hover = null;
    this.expression = null;
    this.pinned = pinned;
    const known = variables(state);
    for (const side of SIDES) {
      this.panes[side].show(this.texts[side], state.lines, known, (at) => label(state, this.links, this.texts, side, at));
    }
    this.element.style.setProperty("--tnb-about", `${Math.min(HIGHEST, HEAD + LINE * Math.max(...SIDES.map((side) => this.panes[side].items.length)))}px`);
    this.light();
    const change = derived.rows.findIndex((row) => row.sign !== "");
    if (change !== -1) this.panes.derived.reveal(this.panes.derived.positionOf(change));
  }

  /** A run is at these rows. */
  now(run: Readonly<Record<Side, readonly number[]>> | null): void {
    this.run = run;
    for (const side of SIDES) {
      const at = run?.[side][0];
      if (at !== undefined) {
        this.panes[side].unfold(at);
        this.panes[side].reveal(this.panes[side].positionOf(at));
      }
    }
    this.light();
  }

  /** One more text beside these two; null: none. */
  third(pane: Pane | null): void {
    this.beside = pane;
    this.element.classList.toggle("tnb-three", pane !== null);
    fill(this.element, [this.panes.primal.element, this.split.element, this.panes.derived.element, ...pane === null ? [] : [pane.element]]);
    pane?.wraps(this.taste.wrap);
  }

  /** The panes stand in the page, and may have got a size. */
  refresh(): void {
    for (const side of SIDES) this.panes[side].refresh();
    this.beside?.refresh();
  }

  /** The expression that the keys have chosen in the row with the cursor. */
  get chosen(): number | null {
    return this.expression;
  }

  get wrap(): boolean {
    return this.taste.wrap;
  }

  set wrap(wrap: boolean) {
    this.like({ ...this.taste, wrap }, true);
  }

  /** limit: the last row of the derivative that is seen; lit: the one that is meant; null: all, and none. */
  present(limit: number | null, lit: number | null): void {
    this.presented = lit === null ? null : { side: "derived", at: lit, of: null, name: "" };
    this.hover = null;
    if (limit !== null) [this.pinned, this.expression] = [null, null];
    const { derived } = this.panes;
    derived.limit = limit ?? Infinity;
    if (lit !== null) {
      derived.reveal(derived.positionOf(lit));
      this.revealAcross("derived", lit);
    }
    this.light();
  }

  /** A row of the source that is meant, elsewhere than in its pane; null where none is. */
  mean(at: number | null): void {
    if (at !== null && at >= this.texts.primal.rows.length) return;
    this.hover = at === null ? null : { side: "primal", at, of: null, name: "" };
    if (at !== null) this.revealAcross("primal", at);
    this.light();
  }

  private like(taste: Taste, keeping: boolean): void {
    this.taste = taste;
    this.element.style.setProperty("--tnb-split", `${taste.split}%`);
    this.split.draw(taste.split);
    for (const side of SIDES) this.panes[side].wraps(taste.wrap);
    if (keeping) keep(taste);
  }

  /** A row of before in new texts: the nearest one with the same text. */
  private found({ side, at }: Spot, state: State, texts: Readonly<Record<Side, Text>>): Spot | null {
    const before = this.texts[side].rows[at];
    if (before === undefined || this.state === null) return null;
    const text = textOf(this.state.lines[before.line] ?? []);
    const same = texts[side].rows.flatMap((row, place) => textOf(state.lines[row.line] ?? []) === text ? [place] : []);
    const nearest = same.sort((a, b) => Math.abs(a - at) - Math.abs(b - at))[0];
    return nearest === undefined ? null : { side, at: nearest, of: null, name: "" };
  }

  private listen(side: Side): void {
    const pane = this.panes[side];
    pane.list.addEventListener("pointermove", (event) => {
      // Scrolling under a mouse that rests sends this too; the keys go before it.
      const place = `${event.clientX} ${event.clientY}`;
      if (place !== this.mouse) this.point(side, pane.itemOf(event.target), event.target);
      this.mouse = place;
    });
    pane.list.addEventListener("pointerleave", () => { this.point(side, undefined, null); });
    pane.list.addEventListener("pointerdown", () => { this.pressed = true; });
    pane.list.addEventListener("click", (event) => {
      this.pressed = false;
      this.keyed = null;
      const item = pane.itemOf(event.target);
      if (this.advance !== null && !selecting(pane.list)) {
        this.advance();
        return;
      }
      if (item === undefined || selecting(pane.list)) return;
      const helper = event.target instanceof Element ? event.target.closest("[data-helper]")?.getAttribute("data-helper") ?? null : null;
      const at = pane.rowAt(item);
      if (helper !== null && at !== undefined) void this.unfold(pane, at, [helper]);
      else this.pick(side, item, pointed(event.target).of);
    });
    pane.list.addEventListener("keydown", (event) => {
      if (!this.key(side, event)) return;
      event.preventDefault();
      event.stopPropagation();
    });
    pane.list.addEventListener("focus", (event) => {
      if (this.pressed) return;
      if (event.relatedTarget === this.panes[other(side)].list) this.follow(other(side));
      this.keyed = side;
      this.light();
    });
    pane.list.addEventListener("blur", () => {
      this.pressed = false;
      this.keyed = null;
      this.light();
    });
  }

  private point(side: Side, item: number | undefined, target: EventTarget | null): void {
    const at = item === undefined ? undefined : this.panes[side].rowAt(item);
    const { of, name } = pointed(target);
    if (this.hover?.side === side && this.hover.at === at && this.hover.of === of && this.hover.name === name) return;
    if (at === undefined && this.hover === null) return;
    this.hover = at === undefined ? null : { side, at, of, name };
    this.light();
  }

  private pick(side: Side, item: number, of: number | null): void {
    const pane = this.panes[side];
    pane.cursor = item;
    if (!pane.toggle(item)) {
      const at = pane.rowAt(item);
      if (at === undefined) return;
      const again = this.pinned?.side === side && this.pinned.at === at && this.pinned.of === of;
      this.pinned = again ? null : { side, at, of, name: "" };
      if (!again) this.revealAcross(side, at);
    }
    this.light();
  }

  private key(side: Side, event: KeyboardEvent): boolean {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const pane = this.panes[side];
    switch (event.key) {
      case "ArrowDown": return this.move(side, pane.cursor + 1, 1);
      case "ArrowUp": return this.move(side, pane.cursor - 1, -1);
      case "PageDown": return this.move(side, pane.cursor + pane.page(), 1);
      case "PageUp": return this.move(side, pane.cursor - pane.page(), -1);
      case "Home": return this.move(side, 0, 1);
      case "End": return this.move(side, pane.items.length - 1, -1);
      case "Enter":
      case " ":
        this.keyed = side;
        this.hover = null;
        this.pick(side, pane.cursor, this.expression);
        return true;
      case "]": return this.step(side, 1);
      case "[": return this.step(side, -1);
      case "ArrowRight":
      case "ArrowLeft":
        return this.sideways(side, event);
      case "?": {
        const at = pane.rowAt(pane.cursor);
        if (at !== undefined) void this.unfold(pane, at, helpersOf(this.textAt(side, at)));
        return true;
      }
      case "Escape":
        if (this.pinned === null) return false;
        this.pinned = null;
        this.light();
        return true;
      default: return false;
    }
  }

  /** The next expression of the row with the cursor, or the one before; behind the last the row itself. */
  private step(side: Side, by: 1 | -1): boolean {
    const at = this.panes[side].rowAt(this.panes[side].cursor);
    const all = [null, ...new Set((at === undefined ? [] : this.texts[side].rows[at]?.terms ?? []).map(({ of }) => of))];
    const now = Math.max(0, all.indexOf(this.expression));
    this.expression = all[(now + by + all.length) % all.length] ?? null;
    this.keyed = side;
    this.hover = null;
    this.light();
    return true;
  }

  private textAt(side: Side, at: number): string {
    return textOf(this.state?.lines[this.texts[side].rows[at]?.line ?? -1] ?? []);
  }

  /** What helpers are, below the row that calls them; there already: no more. */
  private async unfold(pane: Pane, at: number, names: readonly string[]): Promise<void> {
    if (pane.explains(at) || names.length === 0) {
      pane.explain(at, null);
      return;
    }
    const { text } = pane;
    const notes = (await Promise.all(names.map((name) => this.explain(name)))).flat();
    if (pane.text === text && notes.length > 0) pane.explain(at, notes);
  }

  private sideways(side: Side, event: KeyboardEvent): boolean {
    const right = event.key === "ArrowRight";
    if (event.shiftKey) {
      this.panes[side].list.scrollLeft += right ? SIDEWAYS : -SIDEWAYS;
      return true;
    }
    if (right !== (side === "primal")) return false;
    if (this.follow(side)) this.panes[other(side)].list.focus({ preventScroll: true });
    return true;
  }

  /** Put the other pane's cursor on the row that belongs to this one's. */
  private follow(side: Side): boolean {
    const at = this.panes[side].rowAt(this.panes[side].cursor);
    const across = at === undefined ? [] : this.links.across(side, at);
    const there = this.panes[other(side)];
    const now = there.rowAt(there.cursor);
    const target = now !== undefined && across.includes(now) ? now : across[0];
    if (target === undefined) return false;
    there.unfold(target);
    there.cursor = there.positionOf(target);
    there.reveal(there.cursor);
    return true;
  }

  private move(side: Side, to: number, step: 1 | -1): boolean {
    const pane = this.panes[side];
    const last = pane.items.length - 1;
    let cursor = Math.min(Math.max(to, 0), last);
    while (pane.items[cursor]?.kind === "title" && cursor + step >= 0 && cursor + step <= last) cursor += step;
    if (pane.items[cursor]?.kind !== "title") pane.cursor = Math.max(0, cursor);
    this.keyed = side;
    this.expression = null;
    this.hover = null;
    pane.reveal(pane.cursor);
    const at = pane.rowAt(pane.cursor);
    if (at !== undefined) this.revealAcross(side, at);
    this.light();
    return true;
  }

  private revealAcross(side: Side, at: number): void {
    const first = this.links.across(side, at)[0];
    const there = this.panes[other(side)];
    if (first !== undefined) there.reveal(there.positionOf(first));
  }

  private lit(): Spot | null {
    if (this.hover !== null) return this.hover;
    if (this.presented !== null) return this.presented;
    const at = this.keyed === null ? undefined : this.panes[this.keyed].rowAt(this.panes[this.keyed].cursor);
    return this.keyed !== null && at !== undefined ? { side: this.keyed, at, of: this.expression, name: "" } : this.pinned;
  }

  private light(): void {
    const lit = this.lit();
    const of = lit?.of ?? null;
    const terms = lit === null || of === null ? NONE : this.terms.lit(lit.side, of);
    const names = lit === null || lit.name === "" ? NO_NAMES : kin(lit.name, this.state?.partners ?? []);
    for (const side of SIDES) {
      const own = lit?.side === side;
      const hot = lit === null ? [] : of === null ? own ? [lit.at] : this.links.across(lit.side, lit.at)
        : [...rowsWith(this.texts[side], terms[side]), ...own ? [lit.at] : []];
      const marks: Marks = { hot: new Set(hot), kin: new Set(own && of === null ? this.links.beside(side, lit.at) : []),
        pinned: this.pinned?.side === side ? this.pinned.at : null, terms: terms[side], names,
        now: new Set(this.run?.[side] ?? []) };
      this.panes[side].mark(marks);
    }
    const rows = lit === null ? [] : lit.side === "primal" ? [lit.at] : this.links.across("derived", lit.at);
    for (const told of this.lights) told(rows);
    this.words(lit === null || this.state === null ? null : of === null ? sentence(this.state, this.links, this.texts, lit.side, lit.at)
      : ofExpression(this.state, this.texts, lit.side, of, rowsWith(this.texts.derived, terms.derived)));
  }
}

/** The innermost expression, and the variable, under the mouse. */
function pointed(target: EventTarget | null): { readonly of: number | null; readonly name: string } {
  const piece = target instanceof Element ? target.closest("[data-terms], [data-name]") : null;
  const of = piece?.getAttribute("data-terms")?.split(" ").pop();
  return { of: of === undefined ? null : Number(of), name: piece?.getAttribute("data-name") ?? "" };
}

/** Whether text is being selected: then a click is the end of that. */
function selecting(list: HTMLElement): boolean {
  const selection = document.getSelection();
  return selection !== null && !selection.isCollapsed && list.contains(selection.anchorNode);
}
