/** A line of tokens cut where marks begin and end: what is changed, what can be asked about, what an expression caused. */
import type { Css } from "./dom";
import { element, token } from "./dom";
import type { Token } from "./state";

/** A stretch of a line's text, the end exclusive. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

export interface Marked extends Stretch {
  readonly css?: Css;
  /** What an element of it is found by; where several of a name lie over each other, with a blank between them. */
  readonly data?: readonly [name: `data-${string}`, value: string];
}

/** A part of a token, and the marks that lie over it. */
interface Cut {
  readonly cls: string;
  readonly text: string;
  readonly over: readonly Marked[];
}

/** The tokens as nodes; where marks lie over each other, a piece has those of all. */
export function marked(line: readonly Token[], marks: readonly Marked[]): Node[] {
  return cut(line, marks).flatMap(({ cls, text, over }) => breaking(piece(cls, text, over), text));
}

function cut(line: readonly Token[], marks: readonly Marked[]): Cut[] {
  if (marks.length === 0) return line.map(([cls, text]) => ({ cls, text, over: [] }));
  const cuts = [...new Set(marks.flatMap(({ start, end }) => [start, end]))].sort((a, b) => a - b);
  const found: Cut[] = [];
  let at = 0;
  for (const [cls, text] of line) {
    const end = at + text.length;
    for (let from = at; from < end;) {
      const to = Math.min(end, cuts.find((one) => one > from) ?? end);
      found.push({ cls, text: text.slice(from - at, to - at), over: marks.filter((mark) => mark.start <= from && to <= mark.end) });
      from = to;
    }
    at = end;
  }
  return found;
}

/** The same stretches of the same line are of others now. */
export function remark(row: Element, line: readonly Token[], marks: readonly Marked[]): void {
  const over = cut(line, marks).map((one) => data(one.over)).filter((one) => one.has("data-terms") || one.has("data-name"));
  row.querySelectorAll("[data-terms], [data-name]").forEach((one, at) => {
    for (const [name, value] of over[at] ?? []) if (one.getAttribute(name) !== value) one.setAttribute(name, value);
  });
}

/** An element that lights up, with what it is of. */
export interface Piece {
  readonly element: Element;
  readonly terms: readonly number[];
  readonly name: string;
}

export function piecesIn(row: Element): readonly Piece[] {
  return [...row.querySelectorAll("[data-terms], [data-name]")].map((element) => ({ element, name: element.getAttribute("data-name") ?? "",
    terms: (element.getAttribute("data-terms") ?? "").split(" ").filter((one) => one !== "").map(Number) }));
}

/** A line may be broken between two pieces where it may be within one. */
function breaking(node: Node, text: string): Node[] {
  return /[([{,]$/.test(text) ? [node, document.createElement("wbr")] : [node];
}

function piece(cls: string, text: string, over: readonly Marked[]): Node {
  const node = token(cls, text);
  if (over.length === 0) return node;
  const made = element("span", [...new Set(over.flatMap(({ css }) => css ?? []))], node);
  for (const [name, value] of data(over)) made.setAttribute(name, value);
  return made;
}

function data(over: readonly Marked[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { data: one } of over) {
    if (one !== undefined) found.set(one[0], [found.get(one[0]) ?? [], one[1]].flat().join(" "));
  }
  return found;
}
