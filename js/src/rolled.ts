/** The items of a text as elements: what is in sight at once, what is around it afterwards, and what stood there before stays. */
import { diff } from "./diff";
import { arrange, element, set } from "./dom";
import { Heights } from "./heights";
import { whenIdle } from "./idle";
import type { Item } from "./items";
import type { Look, Plan } from "./standing";
import { planned, Standing } from "./standing";

const ALL = 400;                                   // up to so many items all are drawn
const AROUND = 60;                                 // items drawn above and below what is in sight
const SLACK = 20;                                  // of these that may be missing
const NEAR = 4;                                    // of these that are drawn at once
const FEW = 6;                                     // of these that are new
const AT_ONCE = 30;                                // items drawn before the next look at whether there is something else to do
const SEEN = 31;                                   // items in sight of a pane that is not laid out, or may grow
const HEIGHT = 21;                                 // of a line, where nothing is laid out

type Range = readonly [from: number, to: number];

export class Rolled {
  readonly canvas = set(element("div", "canvas"), { role: "presentation" });
  private items: readonly Item[] = [];
  private look: Look | null = null;
  private heights = new Heights([]);
  private from = 0;
  private to = 0;
  private readonly drawn = new Map<number, Standing>();         // those from `from` to `to` stand in the page
  private readonly placed = new Set<Standing>();   // and know where
  private readonly plans = new Map<number, Plan>();
  private before: readonly Standing[] = [];        // what stood there when the items were others
  private laidOut = { top: 0, height: 0, line: HEIGHT };
  private readonly later = whenIdle(() => this.further());

  /** line: measures a line; drew: told the element whose stretches are others, null where elements came or went. */
  constructor(private readonly id: string, private readonly list: HTMLElement, private readonly line: () => number,
    private readonly drew: (other: HTMLElement | null) => void) {}

  /** Other items, or items that look otherwise. */
  show(items: readonly Item[], look: Look, heights: Heights): void {
    if (this.before.length === 0) this.before = this.standing();
    [this.items, this.look, this.heights] = [items, look, heights];
    this.plans.clear();
    this.drawn.clear();
    this.placed.clear();
    this.from = this.to = 0;
  }

  /** Items of other heights. */
  stack(heights: Heights): void {
    this.heights = heights;
    for (const [at, one] of this.drawn) one.takes(heights.of(at));
    this.pad();
  }

  /** The elements in the page, by their items. */
  get elements(): ReadonlyMap<number, HTMLElement> {
    return new Map(this.standing().map((one, at) => [this.from + at, one.element]));
  }

  /** Read where the list is scrolled to, and how large it is. */
  measure(): void {
    const { line } = this.laidOut;
    this.laidOut = { top: this.list.scrollTop, height: this.list.clientHeight, line: this.line() || HEIGHT };
    if (line !== this.laidOut.line) this.pad();
  }

  /** Draw what is in sight, where that was last measured. */
  draw(): void {
    const fresh = this.to === 0;
    const [first, last] = this.sight();
    const [low, high] = this.wanted(first, last);
    if (fresh) this.match(low, high);
    else if (this.from <= first && last <= this.to) {
      if (this.missing(low, high)) this.later();
      return;
    }
    let [from, to] = [Math.max(low, first - NEAR), Math.min(high, last + NEAR)];
    if (fresh) [from, to] = this.cheap([from, to], [low, high]);
    else if (this.from <= to && from <= this.to) [from, to] = [Math.max(low, Math.min(from, this.from)), Math.min(high, Math.max(to, this.to))];
    this.put([from, to], [low, high]);
    if (this.missing(low, high)) this.later();
  }

  private standing(): readonly Standing[] {
    return [...this.drawn].filter(([at]) => this.from <= at && at < this.to).sort(([one], [two]) => one - two).map(([, one]) => one);
  }

  private sight(): Range {
    const { top, height, line } = this.laidOut;
    const seen = Math.max(height, SEEN * line);
    const start = Math.max(0, Math.min(top, this.heights.all * line - height));
    return [this.heights.at(Math.floor(start / line)), Math.min(this.items.length, 1 + this.heights.at(Math.ceil((start + seen) / line)))];
  }

  private wanted(first: number, last: number): Range {
    const count = this.items.length;
    return count <= ALL ? [0, count] : [Math.max(0, first - AROUND), Math.min(count, last + AROUND)];
  }

  private missing(low: number, high: number): boolean {
    const slack = this.items.length <= ALL ? 0 : SLACK;
    return this.from - low > slack || high - this.to > slack;
  }

  /** What is around a range, as far as most of it is there. */
  private cheap([first, last]: Range, [low, high]: Range): Range {
    let [from, to, few] = [first, last, FEW];
    while (to < high && (this.drawn.has(to) || few-- > 0)) to++;
    while (from > low && (this.drawn.has(from - 1) || few-- > 0)) from--;
    return [from, to];
  }

  /** Some more of what is around. */
  private further(): boolean {
    if (!this.list.isConnected) return false;
    const [low, high] = this.wanted(...this.sight());
    if (!this.missing(low, high)) return false;
    const to = Math.min(high, Math.max(low, this.to) + AT_ONCE);
    const from = Math.max(low, Math.min(high, this.from) - Math.max(0, AT_ONCE - Math.max(0, to - this.to)));
    this.put([from, to], [low, high]);
    return this.missing(low, high);
  }

  private planOf(position: number, item: Item, look: Look): Plan {
    const known = this.plans.get(position) ?? planned(item, look);
    this.plans.set(position, known);
    return known;
  }

  /** The elements of before whose items are there again. */
  private match(low: number, high: number): void {
    const { before, items, look } = this;
    this.before = [];
    if (look === null) return;
    const numbers = new Map<string, number>();
    const number = ({ key }: Plan): number => {
      const found = numbers.get(key) ?? numbers.size;
      numbers.set(key, found);
      return found;
    };
    const now = items.slice(low, high).map((item, at) => number(this.planOf(low + at, item, look)));
    for (const edit of diff(before.map(({ plan }) => number(plan)), now)) {
      const kept = edit.sign === "" ? before[edit.before] : undefined;
      if (kept !== undefined && edit.after !== null) this.drawn.set(low + edit.after, kept);
    }
  }

  private put([from, to]: Range, [low, high]: Range): void {
    const { look, items } = this;
    if (look === null) return;
    for (const at of [...this.drawn.keys()]) {
      if (at >= low && at < high) continue;
      this.drawn.delete(at);
      this.plans.delete(at);
    }
    [this.from, this.to] = [from, to];
    const nodes: HTMLElement[] = [];
    for (let at = from; at < to; at++) {
      const item = items[at];
      if (item === undefined) continue;
      const plan = this.planOf(at, item, look);
      const one: Standing = this.drawn.get(at) ?? new Standing(item, plan, look);
      this.drawn.set(at, one);
      if (!this.placed.has(one) && one.place(this.id, at, items.length, item, plan, look)) this.drew(one.element);
      this.placed.add(one);
      one.takes(this.heights.of(at));
      nodes.push(one.element);
    }
    arrange(this.canvas, nodes);
    this.pad();
    this.drew(null);
  }

  private pad(): void {
    const { style } = this.canvas;
    const { line } = this.laidOut;
    const above = `${this.heights.top(this.from) * line}px`;
    const below = `${(this.heights.all - this.heights.top(this.to)) * line}px`;
    if (style.paddingTop !== above) style.paddingTop = above;
    if (style.paddingBottom !== below) style.paddingBottom = below;
  }
}
