/** Formulas as MathML, from trees that the kernel sends (tangent_nb/notebook/cards/typeset.py): `["mrow", ["mi", "y"], …]`. */
import { element, set } from "./dom";
import { list, Malformed, text } from "./shapes";
import type { Read } from "./shapes";
import { visible } from "./visible";

export type Tree = { readonly tag: string; readonly text: string } | { readonly tag: string; readonly parts: readonly Tree[] };

export interface Formula {
  readonly math: Tree;
  readonly text: string;
}

const NAMESPACE = "http://www.w3.org/1998/Math/MathML";
const LEAVES: ReadonlySet<string> = new Set(["mi", "mn", "mo", "mtext"]);
const INNER: ReadonlyMap<string, number> = new Map([["mrow", -1], ["msqrt", 1], ["mfrac", 2], ["msup", 2], ["msub", 2], ["mover", 2]]);
const DEEPEST = 80;
const SPACE = "\u2009";                            // between factors
const APPLIED = "\u2061";                          // between a function and its arguments: nothing is seen of it

/** A tree of the tags that are known, each with as many parts as it has; anything else is refused. */
export const tree: Read<Tree> = (value) => read(value, 0);

function read(value: unknown, depth: number): Tree {
  const [tag, ...rest] = list((one) => one)(value);
  if (typeof tag !== "string" || depth > DEEPEST) throw new Malformed("a formula");
  if (LEAVES.has(tag) && rest.length === 1) return { tag, text: text(rest[0]) };
  const parts = INNER.get(tag);
  if (parts === undefined || (parts !== -1 && rest.length !== parts)) throw new Malformed("a formula");
  return { tag, parts: rest.map((one) => read(one, depth + 1)) };
}

/** The formula as an element: MathML where the browser draws it, else its text. */
export function formula({ math, text: plain }: Formula, drawn = typeof MathMLElement !== "undefined"): Element {
  if (!drawn) return element("span", "code", plain);
  const made = document.createElementNS(NAMESPACE, "math");
  made.append(...nodes(math));
  return set(made, { "aria-label": plain });
}

function nodes(one: Tree): readonly Element[] {
  if ("text" in one) {
    if (one.text === APPLIED) return [];
    if (one.text === SPACE) {
      const space = document.createElementNS(NAMESPACE, "mspace");
      space.setAttribute("width", "0.2em");
      return [space];
    }
    const leaf = document.createElementNS(NAMESPACE, one.tag);
    leaf.textContent = visible(one.tag === "mtext" ? one.text.replace(/^ | $/g, "\u00a0") : one.text);
    return [leaf];
  }
  const made = document.createElementNS(NAMESPACE, one.tag);
  if (one.tag === "mover") made.setAttribute("accent", "true");
  const inside = one.parts.map(nodes);
  made.append(...inside.flatMap((several) => one.tag === "mrow" || several.length === 1 ? several : [document.createElementNS(NAMESPACE, "mrow")]));
  return [made];
}
