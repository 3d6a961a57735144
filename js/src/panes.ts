/** The two texts side by side: what is lit, what is pinned, and how the keys move between them. */
import { element } from "./dom";
import type { Side } from "./links";
import { Links, other } from "./links";
import type { Marks } from "./pane";
import { Pane } from "./pane";
import type { Text } from "./rows";
import type { State } from "./state";
import { textOf } from "./state";
import type { Sentence } from "./words";
import { label, sentence } from "./words";

interface Spot {
  readonly side: Side;
  readonly at: number;
}

const SIDES: readonly Side[] = ["primal", "derived"];
const SIDEWAYS = 80;

export class Panes {
  readonly panes: Readonly<Record<Side, Pane>>;
  readonly element: HTMLElement;
  private texts: Readonly<Record<Side, Text>>;
  private links = new Links([], []);
  private state: State | null = null;
  private hover: Spot | null = null;
  private pinned: Spot | null = null;
  private keyed: Side | null = null;               // the pane whose cursor the keys have moved, while it has the focus
  private run: Readonly<Record<Side, readonly number[]>> | null = null;
  private pressed = false;
  private mouse = "";

  /** words: told what the row that is lit comes from; null where none is. */
  constructor(id: string, private readonly words: (sentence: Sentence | null) => void) {
    this.panes = { primal: new Pane(`${id}-p`, "source, linked with the derivative"),
      derived: new Pane(`${id}-d`, "derivative, linked with the source") };
    this.texts = { primal: this.panes.primal.text, derived: this.panes.derived.text };
    this.element = element("div", "panes", this.panes.primal.element, this.panes.derived.element);
    for (const side of SIDES) this.listen(side);
  }

  show(state: State, primal: Text, derived: Text): void {
    const pinned = this.pinned === null ? null : this.found(this.pinned, state, { primal, derived });
    this.state = state;
    this.texts = { primal, derived };
    this.links = new Links(primal.rows, derived.rows);
    this.hover = null;
    this.pinned = pinned;
    for (const side of SIDES) {
      this.panes[side].show(this.texts[side], state.lines, (at) => label(state, this.links, this.texts, side, at));
    }
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

  /** The panes stand in the page, and may have got a size. */
  refresh(): void {
    for (const side of SIDES) this.panes[side].window();
  }

  /** A row of before in new texts: the nearest one with the same text. */
  private found({ side, at }: Spot, state: State, texts: Readonly<Record<Side, Text>>): Spot | null {
    const before = this.texts[side].rows[at];
    if (before === undefined || this.state === null) return null;
    const text = textOf(this.state.lines[before.line] ?? []);
    const same = texts[side].rows.flatMap((row, place) => textOf(state.lines[row.line] ?? []) === text ? [place] : []);
    const nearest = same.sort((a, b) => Math.abs(a - at) - Math.abs(b - at))[0];
    return nearest === undefined ? null : { side, at: nearest };
  }

  private listen(side: Side): void {
    const pane = this.panes[side];
    pane.list.addEventListener("pointermove", (event) => {
      // Scrolling under a mouse that rests sends this too; the keys go before it.
      const place = `${event.clientX} ${event.clientY}`;
      if (place !== this.mouse) this.point(side, pane.itemOf(event.target));
      this.mouse = place;
    });
    pane.list.addEventListener("pointerleave", () => { this.point(side, undefined); });
    pane.list.addEventListener("pointerdown", () => { this.pressed = true; });
    pane.list.addEventListener("click", (event) => {
      this.pressed = false;
      this.keyed = null;
      const item = pane.itemOf(event.target);
      if (item !== undefined && !selecting(pane.list)) this.pick(side, item);
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

  private point(side: Side, item: number | undefined): void {
    const at = item === undefined ? undefined : this.panes[side].rowAt(item);
    if (this.hover?.side === side && this.hover.at === at) return;
    if (at === undefined && this.hover === null) return;
    this.hover = at === undefined ? null : { side, at };
    this.light();
  }

  private pick(side: Side, item: number): void {
    const pane = this.panes[side];
    pane.cursor = item;
    if (!pane.toggle(item)) {
      const at = pane.rowAt(item);
      if (at === undefined) return;
      const again = this.pinned?.side === side && this.pinned.at === at;
      this.pinned = again ? null : { side, at };
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
        this.pick(side, pane.cursor);
        return true;
      case "ArrowRight":
      case "ArrowLeft":
        return this.sideways(side, event);
      case "Escape":
        if (this.pinned === null) return false;
        this.pinned = null;
        this.light();
        return true;
      default: return false;
    }
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
    const at = this.keyed === null ? undefined : this.panes[this.keyed].rowAt(this.panes[this.keyed].cursor);
    return this.keyed !== null && at !== undefined ? { side: this.keyed, at } : this.pinned;
  }

  private light(): void {
    const lit = this.lit();
    for (const side of SIDES) {
      const marks: Marks = {
        hot: new Set(lit === null ? [] : lit.side === side ? [lit.at] : this.links.across(lit.side, lit.at)),
        kin: new Set(lit?.side === side ? this.links.beside(side, lit.at) : []),
        pinned: this.pinned?.side === side ? this.pinned.at : null,
        now: new Set(this.run?.[side] ?? []),
      };
      this.panes[side].mark(marks);
    }
    this.words(lit === null || this.state === null ? null : sentence(this.state, this.links, this.texts, lit.side, lit.at));
  }
}

/** Whether text is being selected: then a click is the end of that. */
function selecting(list: HTMLElement): boolean {
  const selection = document.getSelection();
  return selection !== null && !selection.isCollapsed && list.contains(selection.anchorNode);
}
