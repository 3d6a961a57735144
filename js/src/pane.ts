/** One text as a list box: rows in a window that follows the scrolling, marks on them, and a cursor. */
import type { Attributes, Css } from "./dom";
import { element, fill, KEYS, set, token } from "./dom";
import type { Item } from "./items";
import { foldOf, items } from "./items";
import type { Row, Text } from "./rows";
import type { State, Token } from "./state";
import { textOf } from "./state";
import { plural } from "./words";

export interface Marks {
  readonly hot: ReadonlySet<number>;               // lit: the row itself and those across
  readonly kin: ReadonlySet<number>;               // of the same source
  readonly pinned: number | null;
  readonly now: ReadonlySet<number>;               // where a run is
}

export const UNMARKED: Marks = { hot: new Set(), kin: new Set(), pinned: null, now: new Set() };

const ALL = 400;                                   // up to so many items no window is needed
const AROUND = 60;                                 // items drawn above and below what is seen
const HEIGHT = 21;                                 // of a row, where nothing is laid out

export class Pane {
  readonly head = element("span", "where");
  readonly facts = element("span", "facts");
  readonly list = element("div", "list");
  readonly element: HTMLElement;
  text: Text = { rows: [], titles: new Map(), folds: [] };
  items: readonly Item[] = [];
  cursor = 0;
  private readonly canvas = element("div", "canvas");
  private readonly open = new Set<number>();
  private readonly drawn = new Map<number, HTMLElement>();
  private lines: State["lines"] = [];
  private label: (at: number) => string = () => "";
  private marks = UNMARKED;
  private from = 0;
  private to = 0;

  constructor(private readonly id: string, name: string) {
    set(this.list, { ...KEYS, role: "listbox", tabindex: 0, "aria-label": name });
    set(this.canvas, { role: "presentation" });
    this.list.append(this.canvas);
    this.element = element("section", "pane", element("div", "head", this.head, this.facts), this.list);
    this.list.addEventListener("scroll", () => { this.window(); }, { passive: true });
  }

  show(text: Text, lines: State["lines"], label: (at: number) => string): void {
    const row = this.rowAt(this.cursor);
    this.text = text;
    this.lines = lines;
    this.label = label;
    this.open.clear();
    this.layOut();
    this.cursor = Math.max(0, this.positionOf(Math.min(row ?? 0, text.rows.length - 1)));
    this.measure();
    this.window();
  }

  mark(marks: Marks): void {
    this.marks = marks;
    for (const [position, node] of this.drawn) this.paint(position, node);
    const active = this.drawn.get(this.cursor);
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
    if (item?.kind !== "fold") return false;
    if (item.open) this.open.delete(item.fold.start);
    else this.open.add(item.fold.start);
    this.layOut();
    this.window();
    return true;
  }

  /** Open the fold that a row is in. */
  unfold(row: number): void {
    const fold = foldOf(this.text, row);
    if (fold === undefined || this.open.has(fold.start)) return;
    this.open.add(fold.start);
    this.layOut();
    this.window();
  }

  /** Scroll within the pane, and nothing around it, until an item is seen. */
  reveal(position: number): void {
    const height = this.rowHeight();
    const top = position * height;
    const seen = this.list.clientHeight;
    const margin = Math.min(2 * height, seen / 4);
    if (top < this.list.scrollTop + margin) this.list.scrollTop = Math.max(0, top - margin);
    else if (top + height > this.list.scrollTop + seen - margin) this.list.scrollTop = top + height - seen + margin;
    this.window();
  }

  page(): number {
    return Math.max(1, Math.floor(this.list.clientHeight / this.rowHeight()) - 1);
  }

  private startOf(position: number): number {
    const item = this.items[position];
    if (item === undefined) return Infinity;
    if (item.kind === "title") return this.startOf(position + 1);
    // The head of an open fold stands before its first row.
    return item.kind === "row" ? item.at : item.open ? item.fold.start - 0.5 : item.fold.start;
  }

  private layOut(): void {
    this.items = items(this.text, this.open);
    this.cursor = Math.min(this.cursor, Math.max(0, this.items.length - 1));
    this.drawn.clear();
    this.from = this.to = 0;
    this.canvas.replaceChildren();
  }

  /** Columns as wide as the widest row needs, drawn or not. */
  private measure(): void {
    const { rows } = this.text;
    const longest = (of: (row: Row) => string): number => rows.reduce((most, row) => Math.max(most, of(row).length), 1);
    const style = this.canvas.style;
    style.setProperty("--tnb-numbers", `${longest((row) => row.number)}ch`);
    style.setProperty("--tnb-cues", `${Math.min(7, longest((row) => row.cue))}ch`);
    style.setProperty("--tnb-signs", rows.some((row) => row.sign !== "") ? "2ch" : "0ch");
    style.setProperty("--tnb-columns", `${longest((row) => textOf(this.lines[row.line] ?? []) + (row.mark === "" ? "" : `  ◀ ${row.mark}`))}ch`);
  }

  private rowHeight(): number {
    const first = this.canvas.firstElementChild;
    return (first?.getBoundingClientRect().height ?? 0) || HEIGHT;
  }

  /** Draw what is seen now, and some around it. */
  window(): void {
    const count = this.items.length;
    let [from, to] = [0, count];
    if (count > ALL) {
      const height = this.rowHeight();
      const first = Math.floor(this.list.scrollTop / height);
      const last = Math.ceil((this.list.scrollTop + (this.list.clientHeight || HEIGHT * AROUND)) / height);
      if (this.to > 0 && this.from <= Math.max(0, first - AROUND / 3) && Math.min(count, last + AROUND / 3) <= this.to) return;
      from = Math.min(Math.max(0, first - AROUND), Math.max(0, count - ALL));
      to = Math.min(count, last + AROUND);
      this.canvas.style.paddingTop = `${from * height}px`;
      this.canvas.style.paddingBottom = `${(count - to) * height}px`;
    } else {
      this.canvas.style.paddingTop = this.canvas.style.paddingBottom = "0";
      if (this.to === count && this.drawn.size === count) return;
    }
    [this.from, this.to] = [from, to];
    for (const position of [...this.drawn.keys()]) if (position < from || position >= to) this.drawn.delete(position);
    const nodes: HTMLElement[] = [];
    for (let position = from; position < to; position++) nodes.push(this.drawn.get(position) ?? this.draw(position, count));
    fill(this.canvas, nodes);
    this.mark(this.marks);
  }

  private draw(position: number, count: number): HTMLElement {
    const node = this.node(this.items[position]);
    if (node.getAttribute("role") === "option") {
      set(node, { id: `${this.id}-${position}`, "data-item": position, "aria-posinset": position + 1, "aria-setsize": count });
    }
    this.drawn.set(position, node);
    return node;
  }

  private node(item: Item | undefined): HTMLElement {
    if (item === undefined) return element("div", "row");
    if (item.kind === "title") return set(element("div", "title", item.text), { role: "presentation" });
    if (item.kind === "fold") {
      const size = plural(item.fold.end - item.fold.start, "line");
      const label: Attributes = { role: "option", "aria-selected": false,
        "aria-label": `${item.fold.title}, ${size}, ${item.open ? "unfolded" : "folded"}; Enter to ${item.open ? "fold" : "unfold"}` };
      return set(element("div", "fold", `${item.open ? "▾" : "▸"} ${item.fold.title} · ${size}`), label);
    }
    const row = this.text.rows[item.at];
    return row === undefined ? element("div", "row") : this.row(row, item.at);
  }

  private row(row: Row, at: number): HTMLElement {
    const css: Css[] = ["row"];
    if (row.group >= 0) css.push(`g${row.group}` as Css);
    if (row.sign !== "") css.push(row.sign === "+" ? "added" : "removed");
    const text = element("span", "text", ...(row.sign === "−" ? setOff : coloured)(this.lines[row.line] ?? []));
    const gutter = set(element("span", "gutter", element("span", "sign", row.sign), element("span", "number", row.number),
      element("span", "link"), element("span", "cue", row.cue)), { "aria-hidden": true });      // said by the first
    if (row.mark !== "") text.append(element("span", "no", `  ◀ ${row.mark}`));
    set(text, { "aria-hidden": true });
    return set(element("div", css, element("span", "sr", row.mark === "" ? this.label(at) : `${this.label(at)}; ${row.mark}`), gutter, text), { role: "option", "data-row": at });
  }

  private paint(position: number, node: HTMLElement): void {
    const item = this.items[position];
    if (item === undefined || item.kind === "title") return;
    const inside = (rows: ReadonlySet<number>): boolean => item.kind === "row" ? rows.has(item.at)
      : !item.open && [...rows].some((row) => item.fold.start <= row && row < item.fold.end);
    const pinned = item.kind === "row" && this.marks.pinned === item.at;
    node.classList.toggle("tnb-hot", inside(this.marks.hot));
    node.classList.toggle("tnb-kin", inside(this.marks.kin));
    node.classList.toggle("tnb-pinned", pinned);
    node.classList.toggle("tnb-now", inside(this.marks.now));
    node.classList.toggle("tnb-cursor", position === this.cursor);
    set(node, { "aria-selected": pinned, "aria-current": inside(this.marks.now) ? "step" : null });
  }
}

function coloured(line: readonly Token[]): Node[] {
  return line.map(([cls, part]) => token(cls, part));
}

/** The indentation apart, so that it is not struck through. */
function setOff(line: readonly Token[]): Node[] {
  const [first, ...rest] = line;
  if (first === undefined) return [];
  const indent = /^ */.exec(first[1])?.[0] ?? "";
  return [element("span", "indent", indent), ...coloured([[first[0], first[1].slice(indent.length)], ...rest])];
}
