/** One text as a list box: rows in a window that follows the scrolling, marks on them, and a cursor. */
import type { Column } from "./column";
import { element, KEYS, set } from "./dom";
import { Heights, wrapped } from "./heights";
import type { Item, Note } from "./items";
import { foldOf, items } from "./items";
import type { Piece } from "./pieces";
import { piecesIn } from "./pieces";
import { Rolled } from "./rolled";
import type { Row, Text } from "./rows";
import type { Pies } from "./samples";
import { indentation, INSET, shownText } from "./standing";
import type { State } from "./state";
import { ends, textOf } from "./state";

export interface Marks {
  readonly hot: ReadonlySet<number>;               // lit: the row itself and those across
  readonly kin: ReadonlySet<number>;               // of the same source
  readonly pinned: number | null;
  readonly terms: ReadonlySet<number>;             // the stretches of these
  readonly names: ReadonlySet<string>;
  readonly now: ReadonlySet<number>;               // where a run is
}

export const UNMARKED: Marks = { hot: new Set(), kin: new Set(), pinned: null, terms: new Set(), names: new Set(), now: new Set() };

const HEIGHT = 21;                                 // of a line, where nothing is laid out
const PROBE = 50;
const SEEN_NOTES = 8;                              // that are scrolled to when they unfold

export class Pane {
  readonly head = element("span", "where");
  readonly facts = element("span", "facts");
  readonly list = element("div", "list");
  readonly element: HTMLElement;
  text: Text = { rows: [], titles: new Map(), folds: [] };
  items: readonly Item[] = [];
  cursor = 0;
  limit = Infinity;                                // rows behind it are not seen
  private readonly probe = set(element("span", "probe", "0".repeat(PROBE)), { "aria-hidden": true });
  private readonly rolled: Rolled;
  private readonly open = new Set<number>();
  private readonly notes = new Map<number, readonly Note[]>();
  private lines: State["lines"] = [];
  private wrap = false;
  private columns = 0;                             // of a wrapped line; 0 where none is wrapped
  private heights = new Heights([]);
  private label: (at: number) => string = () => "";
  private marks = UNMARKED;
  private readonly pieces = new WeakMap<HTMLElement, readonly Piece[]>();
  private readonly painted = new WeakSet<HTMLElement>();
  private known: ReadonlySet<string> = new Set();
  private column: Column | null = null;
  private samples: Pies | null = null;

  constructor(id: string, name: string) {
    set(this.list, { ...KEYS, role: "listbox", tabindex: 0, "aria-label": name });
    this.rolled = new Rolled(id, this.list, () => this.probe.getBoundingClientRect().height, (other) => {
      if (other === null) this.mark(this.marks);
      else this.pieces.delete(other);
    });
    this.list.append(this.canvas, this.probe);
    this.element = element("section", "pane", element("div", "head", this.head, this.facts), this.list);
    this.list.addEventListener("scroll", () => { this.seen(); }, { passive: true });
  }

  private get canvas(): HTMLElement {
    return this.rolled.canvas;
  }

  /** What is in sight now may be something else. */
  private seen(): void {
    this.rolled.measure();
    this.rolled.draw();
  }

  /** Break long lines, or let them scroll. */
  wraps(wrap: boolean): void {
    this.wrap = wrap;
    this.list.classList.toggle("tnb-wrapped", wrap);
    this.refresh();
  }

  /** The pane stands in the page, and may have another width. */
  refresh(): void {
    const columns = this.wrap ? this.fitting() : 0;
    if (columns !== this.columns) {
      this.columns = columns;
      this.stack();
      this.rolled.stack(this.heights);
    }
    this.seen();
  }

  /** How many characters of a row's text fit beside its gutter. */
  private fitting(): number {
    const character = this.probe.getBoundingClientRect().width / PROBE;
    const text = this.canvas.querySelector<HTMLElement>(".tnb-text");
    if (character === 0 || text === null) return 0;
    const style = getComputedStyle(text);
    return Math.max(INSET, Math.floor((text.clientWidth - parseFloat(style.paddingRight)) / character));
  }

  private stack(): void {
    this.heights = new Heights(this.items.map((item) => {
      if (this.columns === 0) return 1;
      if (item.kind === "note") return wrapped(textOf(item.note.tokens), this.columns, 0);
      const row = item.kind === "row" ? this.text.rows[item.at] : undefined;
      if (row === undefined) return 1;
      const text = shownText(this.lines, row);
      return wrapped(text, this.columns, indentation(text) + INSET);
    }));
  }

  /** known: the variables that light up. */
  show(text: Text, lines: State["lines"], known: ReadonlySet<string>, label: (at: number) => string): void {
    const row = this.rowAt(this.cursor);
    const to = this.kept(text, lines);
    const open = [...this.open].map(to), notes = [...this.notes].map(([of, said]) => [to(of), said] as const);
    this.text = text;
    this.lines = lines;
    this.known = known;
    this.label = label;
    this.open.clear();
    this.notes.clear();
    for (const start of open) if (start !== null && text.folds.some((fold) => fold.start === start)) this.open.add(start);
    for (const [of, said] of notes) if (of !== null) this.notes.set(of, said);
    this.layOut();
    const now = row === undefined ? 0 : to(row) ?? Math.min(row, text.rows.length - 1);
    this.cursor = Math.max(0, this.positionOf(now));
    this.measure();
    this.rolled.draw();
  }

  /** Where a row stands in another text, before or behind all that is another there; null where it does not. */
  private kept(text: Text, lines: State["lines"]): (row: number) => number | null {
    const [before, after] = [this.text.rows, text.rows];
    const textAt = (rows: readonly Row[], of: State["lines"], at: number): string => `${rows[at]?.sign ?? ""} ${textOf(of[rows[at]?.line ?? -1] ?? [])}`;
    const [first, last] = ends(before.length, after.length, (at, to) => textAt(before, this.lines, at) === textAt(after, lines, to));
    const end = before.length - last;
    return (row) => row < first ? row : row >= end ? row - before.length + after.length : null;
  }

  /** A figure of each row, and marks of samples; null: none. */
  beside(column: Column | null, samples: Pies | null): void {
    if (column === this.column && samples === this.samples) return;
    [this.column, this.samples] = [column, samples];
    this.canvas.classList.toggle("tnb-warm", column !== null);
    this.canvas.classList.toggle("tnb-pied", samples !== null);
    this.layOut();
    this.rolled.draw();
  }

  mark(marks: Marks): void {
    this.marks = marks;
    const { elements } = this.rolled;
    for (const [position, node] of elements) this.paint(position, node);
    const active = elements.get(this.cursor);
    set(this.list, { "aria-activedescendant": active?.id ?? null });
  }

  /** The row that an item is; undefined for others. */
  rowAt(position: number): number | undefined {
    const item = this.items[position];
    return item?.kind === "row" ? item.at : undefined;
  }

  /** Where a row stands, or the head of the closed fold that it is in. */
  positionOf(row: number): number {
    let low = 0;
    let high = this.items.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.startOf(middle) <= row) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** The item under an event. */
  itemOf(target: EventTarget | null): number | undefined {
    const node = target instanceof Element ? target.closest("[data-item]") : null;
    return node !== null && this.canvas.contains(node) ? Number(node.getAttribute("data-item")) : undefined;
  }

  toggle(position: number): boolean {
    const item = this.items[position];
    if (item?.kind === "note") {
      this.explain(item.of, null);
      return true;
    }
    if (item?.kind !== "fold") return false;
    if (item.open) this.open.delete(item.fold.start);
    else this.open.add(item.fold.start);
    this.layOut();
    this.rolled.draw();
    return true;
  }

  /** Say something below a row; null: no more. */
  explain(row: number, notes: readonly Note[] | null): void {
    const now = this.rowAt(this.cursor) ?? row;
    if (notes === null) this.notes.delete(row);
    else this.notes.set(row, notes);
    this.layOut();
    this.cursor = this.positionOf(now);
    this.rolled.draw();
    if (notes === null) return;
    this.reveal(this.positionOf(row) + Math.min(notes.length, SEEN_NOTES));
    this.reveal(this.positionOf(row));
  }

  explains(row: number): boolean {
    return this.notes.has(row);
  }

  /** Open the fold that a row is in. */
  unfold(row: number): void {
    const fold = foldOf(this.text, row);
    if (fold === undefined || this.open.has(fold.start)) return;
    this.open.add(fold.start);
    if (fold.within !== -1) this.open.add(fold.within);
    this.layOut();
    this.rolled.draw();
  }

  /** Scroll within the pane, and nothing around it, until an item is seen. */
  reveal(position: number): void {
    const height = this.lineHeight();
    const top = this.heights.top(position) * height;
    const seen = this.list.clientHeight;
    const margin = Math.min(2 * height, seen / 4);
    if (top < this.list.scrollTop + margin) this.list.scrollTop = Math.max(0, top - margin);
    else if (top + height > this.list.scrollTop + seen - margin) this.list.scrollTop = top + height - seen + margin;
    this.seen();
  }

  page(): number {
    return Math.max(1, Math.floor(this.list.clientHeight / this.lineHeight()) - 1);
  }

  private startOf(position: number): number {
    const item = this.items[position];
    if (item === undefined) return Infinity;
    if (item.kind === "title") return this.startOf(position + 1);
    if (item.kind === "note") return item.of + 0.5;
    // The head of an open fold stands before its first row.
    return item.kind === "row" ? item.at : item.open ? item.fold.start - 0.5 : item.fold.start;
  }

  private layOut(): void {
    const { text, lines, known, label, column, samples } = this;
    this.items = items(this.text, this.open, this.notes);
    this.cursor = Math.min(this.cursor, Math.max(0, this.items.length - 1));
    this.stack();
    this.rolled.show(this.items, { text, lines, known, label, column, samples }, this.heights);
  }

  /** Columns as wide as the widest row needs, drawn or not. */
  private measure(): void {
    const { rows } = this.text;
    const longest = (of: (row: Row) => string): number => rows.reduce((most, row) => Math.max(most, of(row).length), 1);
    const style = this.canvas.style;
    style.setProperty("--tnb-numbers", `${longest((row) => row.number)}ch`);
    style.setProperty("--tnb-cues", `${Math.min(14, longest((row) => row.cue))}ch`);
    style.setProperty("--tnb-signs", rows.some((row) => row.sign !== "") ? "2ch" : "0ch");
    style.setProperty("--tnb-columns", `${longest((row) => shownText(this.lines, row))}ch`);
  }

  private lineHeight(): number {
    return this.probe.getBoundingClientRect().height || HEIGHT;
  }

  private paint(position: number, node: HTMLElement): void {
    const item = this.items[position];
    node.classList.toggle("tnb-unseen", this.startOf(position) > this.limit);
    if (item === undefined || item.kind === "title") return;
    if (item.kind === "note") {
      node.classList.toggle("tnb-cursor", position === this.cursor);
      return;
    }
    const inside = (rows: ReadonlySet<number>): boolean => item.kind === "row" ? rows.has(item.at)
      : !item.open && [...rows].some((row) => item.fold.start <= row && row < item.fold.end);
    const pinned = item.kind === "row" && this.marks.pinned === item.at;
    node.classList.toggle("tnb-hot", inside(this.marks.hot));
    node.classList.toggle("tnb-kin", inside(this.marks.kin));
    node.classList.toggle("tnb-pinned", pinned);
    node.classList.toggle("tnb-now", inside(this.marks.now));
    node.classList.toggle("tnb-cursor", position === this.cursor);
    set(node, { "aria-selected": pinned, "aria-current": inside(this.marks.now) ? "step" : null });
    this.paintPieces(node);
  }

  private paintPieces(node: HTMLElement): void {
    const { terms, names } = this.marks;
    if (terms.size === 0 && names.size === 0 && !this.painted.has(node)) return;
    let some = false;
    const pieces = this.pieces.get(node) ?? piecesIn(node);
    this.pieces.set(node, pieces);
    for (const { element: piece, terms: of, name } of pieces) {
      const lit = of.some((one) => terms.has(one));
      const same = names.has(name);
      piece.classList.toggle("tnb-lit", lit);
      piece.classList.toggle("tnb-same", same);
      some ||= lit || same;
    }
    if (some) this.painted.add(node);
    else this.painted.delete(node);
  }
}
