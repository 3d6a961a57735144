/** An item as an element; where another text has the same line, the element stays, and is told where it stands now. */
import type { Column } from "./column";
import { figureOf } from "./column";
import type { Attributes, Css } from "./dom";
import { element, set, write } from "./dom";
import type { Item } from "./items";
import type { Marked } from "./pieces";
import { marked, remark } from "./pieces";
import type { FoldedRows, Row, Text } from "./rows";
import type { Pies } from "./samples";
import { pieCell } from "./samples";
import type { State, Token } from "./state";
import { textOf } from "./state";
import { namesIn } from "./terms";
import { plural } from "./words";

export const INSET = 4;                            // of what is wrapped, behind the indentation

/** What elements are made of. known: the variables that light up; column, samples: what stands beside the rows; label: what
 * a row is called by a screen reader. */
export interface Look {
  readonly text: Text;
  readonly lines: State["lines"];
  readonly known: ReadonlySet<string>;
  readonly column: Column | null;
  readonly samples: Pies | null;
  readonly label: (at: number) => string;
}

/** key: two items with the same one look alike, but for where they stand and what they come from. */
export interface Plan {
  readonly key: string;
  readonly marks: readonly Marked[];
}

export function planned(item: Item, look: Look): Plan {
  if (item.kind === "title") return { key: `title ${item.text}`, marks: [] };
  if (item.kind === "note") return { key: `${item.note.css} ${JSON.stringify(item.note.tokens)}`, marks: [] };
  if (item.kind === "fold") return { key: `${item.open} ${says(item.fold, look)}`, marks: [] };
  const row = look.text.rows[item.at];
  if (row === undefined) return { key: "", marks: [] };
  const line = look.lines[row.line] ?? [];
  const all = marks(row, line, look.known);
  const stretches = all.map(({ start, end, css, data }) => [start, end, css ?? "", data?.[0] === TERMS ? "" : data?.[1] ?? ""]);
  return { key: JSON.stringify([row.group, row.sign, row.mark, row.changed !== null, line, stretches,
    look.column && [look.column.of(item.at)], look.samples && [look.samples(row, item.at)]]), marks: all };
}

/** An item as it stands, or would stand, in the page. */
export class Standing {
  readonly element: HTMLElement;
  private readonly gutter: Readonly<Record<"said" | "number" | "cue", HTMLElement>> | null;
  private terms = "";
  private lines = 1;

  constructor(item: Item, readonly plan: Plan, look: Look) {
    const row = item.kind === "row" ? look.text.rows[item.at] : undefined;
    if (item.kind !== "row" || row === undefined) {
      this.gutter = null;
      this.element = other(item, look);
      return;
    }
    this.gutter = { said: element("span", "sr"), number: element("span", "number"), cue: element("span", "cue") };
    this.element = this.row(row, item.at, look);
    this.terms = termsOf(row);
  }

  /** It stands there now; whether its stretches are of others than before. */
  place(id: string, position: number, count: number, item: Item, plan: Plan, look: Look): boolean {
    if (this.element.getAttribute("role") !== "option") return false;
    set(this.element, { id: `${id}-${position}`, "data-item": position, "aria-posinset": position + 1, "aria-setsize": count });
    const row = item.kind === "row" ? look.text.rows[item.at] : undefined;
    if (item.kind !== "row" || row === undefined || this.gutter === null) return false;
    const { said, number, cue } = this.gutter;
    write(said, [look.label(item.at), row.mark, look.column?.of(item.at)?.says ?? "", look.samples?.(row, item.at)?.says ?? ""].filter((one) => one !== "").join("; "));
    write(number, row.number);
    write(cue, row.cue);
    set(this.element, { "data-row": item.at });
    const terms = termsOf(row);
    if (terms === this.terms) return false;
    this.terms = terms;
    remark(this.element, look.lines[row.line] ?? [], plan.marks);
    return true;
  }

  /** It takes so many lines: what its height is while it is out of sight, and not laid out. */
  takes(lines: number): void {
    if (lines === this.lines) return;
    this.lines = lines;
    this.element.style.containIntrinsicBlockSize = `auto calc(${lines} * var(--tnb-height))`;
  }

  private row(row: Row, at: number, { lines, column, samples }: Look): HTMLElement {
    const css: Css[] = ["row"];
    if (row.group >= 0) css.push(`g${row.group}`);
    if (row.sign !== "") css.push(row.sign === "+" ? "added" : "removed");
    if (row.changed !== null) css.push("paired");
    const line = lines[row.line] ?? [];
    const text = element("span", "text", ...row.sign === "−" && row.changed === null ? setOff(line) : marked(line, this.plan.marks));
    const { said, number, cue } = this.gutter ?? {};
    const gutter = set(element("span", "gutter", element("span", "sign", row.sign), number ?? "", ...figureOf(column, at),
      ...pieCell(samples, row, at), element("span", "link"), cue ?? ""), { "aria-hidden": true });            // said by the first
    if (row.mark !== "") text.append(element("span", "no", `  ◀ ${row.mark}`));
    set(text, { "aria-hidden": true });
    text.style.setProperty("--tnb-inset", `${indentation(textOf(line)) + INSET}ch`);
    return set(element("div", css, said ?? "", gutter, text), { role: "option" });
  }
}

function other(item: Item, look: Look): HTMLElement {
  if (item.kind === "row") return element("div", "row");
  if (item.kind === "title") return set(element("div", "title", item.text), { role: "presentation" });
  if (item.kind === "note") {
    const said = set(element("div", item.note.css, element("span", "text", ...marked(item.note.tokens, []))), { role: "option", "aria-selected": false });
    said.style.setProperty("--tnb-inset", `${indentation(textOf(item.note.tokens))}ch`);
    return said;
  }
  const text = says(item.fold, look);
  const label: Attributes = { role: "option", "aria-selected": false,
    "aria-label": `${text}, ${item.open ? "unfolded" : "folded"}; Enter to ${item.open ? "fold" : "unfold"}` };
  return set(element("div", "fold", `${item.open ? "▾" : "▸"} ${text}`), label);
}

function says(fold: FoldedRows, { text, column }: Look): string {
  // Another fold is seen when this one is open: how many lines it has itself says little.
  const leads = text.folds.some(({ within }) => within === fold.start);
  return [fold.title, ...leads ? [] : [plural(fold.end - fold.start, "line")], ...column?.within(fold.start, fold.end) ?? []].join(" · ");
}

/** The text of a row with what is said behind it. */
export function shownText(lines: State["lines"], row: Row): string {
  return textOf(lines[row.line] ?? []) + (row.mark === "" ? "" : `  ◀ ${row.mark}`);
}

export function indentation(text: string): number {
  return text.length - text.trimStart().length;
}

const HELPER = /\brt\.(\w+)/g;
const TERMS = "data-terms";

function termsOf({ terms }: Row): string {
  return terms.map(({ of }) => of).join(" ");
}

function marks({ changed, terms }: Row, line: readonly Token[], known: ReadonlySet<string>): Marked[] {
  const text = textOf(line);
  const found: Marked[] = (changed ?? []).map((stretch) => ({ ...stretch, css: "changed" }));
  for (const { start, end, of } of terms) found.push({ start, end, data: [TERMS, String(of)] });
  for (const { start, end, name } of namesIn(line, known)) found.push({ start, end, data: ["data-name", name] });
  for (const one of text.matchAll(HELPER)) {
    found.push({ start: one.index, end: one.index + one[0].length, css: "helper", data: ["data-helper", one[1] ?? ""] });
  }
  return found;
}

/** The helpers that a text names, each once. */
export function helpersOf(text: string): readonly string[] {
  return [...new Set([...text.matchAll(HELPER)].map(([, name]) => name ?? ""))];
}

/** The indentation apart, so that it is not struck through. */
function setOff(line: readonly Token[]): Node[] {
  const [first, ...rest] = line;
  if (first === undefined) return [];
  const indent = /^ */.exec(first[1])?.[0] ?? "";
  return [element("span", "indent", indent), ...marked([[first[0], first[1].slice(indent.length)], ...rest], [])];
}
