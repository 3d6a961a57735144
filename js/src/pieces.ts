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

/** The tokens as nodes; where marks lie over each other, a piece has those of all. */
export function marked(line: readonly Token[], marks: readonly Marked[]): Node[] {
  if (marks.length === 0) return line.flatMap(([cls, text]) => breaking(token(cls, text), text));
  const cuts = [...new Set(marks.flatMap(({ start, end }) => [start, end]))].sort((a, b) => a - b);
  const nodes: Node[] = [];
  let at = 0;
  for (const [cls, text] of line) {
    const end = at + text.length;
    for (let from = at; from < end;) {
      const to = Math.min(end, cuts.find((cut) => cut > from) ?? end);
      const over = marks.filter((mark) => mark.start <= from && to <= mark.end);
      const part = text.slice(from - at, to - at);
      nodes.push(...breaking(piece(cls, part, over), part));
      from = to;
    }
    at = end;
  }
  return nodes;
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
  for (const { data } of over) {
    if (data !== undefined) made.setAttribute(data[0], [made.getAttribute(data[0]) ?? [], data[1]].flat().join(" "));
  }
  return made;
}
