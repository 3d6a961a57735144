/** Elements, made by createElement and textContent alone. Classes and attributes are those that the types allow; the class
 * of a token, which comes from outside, is looked up. */
import { visible, visibleLines } from "./visible";

export type Css =
  | "widget" | "bar" | "name" | "group" | "label" | "chip" | "seg" | "button" | "primary" | "grow" | "tick" | "sr"
  | "passes" | "pass" | "passname" | "summary"
  | "strip" | "stages" | "inside" | "stage" | "idle" | "tools" | "count" | "fewer" | "more" | "equal" | "toggle"
  | "panes" | "split" | "wrapped" | "probe" | "changed" | "paired" | "helper" | "lit" | "same" | "says" | "shown" | "pane" | "head" | "where" | "facts" | "fact" | "list" | "canvas" | "title" | "fold"
  | "row" | "gutter" | "number" | "link" | "cue" | "sign" | "text" | "indent" | "added" | "removed"
  | `g${number}` | "k" | "f" | "b" | "m" | "s" | "c"
  | "block" | "table" | "caption" | "cell" | "yes" | "no" | "note" | "heading" | "message" | "banner" | "alert"
  | "line" | "presenting" | "presenter" | "unseen" | "pointing"
  | "step" | "stepbar" | "stepbody" | "slider" | "place" | "at" | "variables" | "lists" | "dot" | "partner" | "valued"
  | "grid" | "cellbox" | "odd" | "stack" | "boxes" | "box" | "gone"
  | "ran" | "figures" | "select" | "beside"
  | "card" | "cardhead" | "why" | "fact-line" | "facts-of" | "valuetext" | "formulas" | "formula"
  | "words" | "code" | "told" | "progress"
  | "quiz" | "score" | "meter" | "filled" | "blanks" | "blank" | "what" | "verdict" | "amount" | "hints" | "answer" | "folded" | "subject"
  | "editing" | "editor" | "draft" | "carets" | "fault" | "dimmed" | "unsaved" | "lost"
  | "costs" | "cost" | "graph" | "graphbar" | "drawing" | "drawn" | "node" | "input" | "value" | "result" | "hull" | "how" | "call" | "way"
  | "partial" | "tip" | "paper" | `t${number}`
  | "pie" | "piecell" | "reads" | "signs" | "legend" | "sampling" | "samplingbar" | "fraction" | "spread" | "curve" | "figure" | "track" | "filling"
  | "axis" | "dots" | "exact" | "whisker" | "mean" | "point" | "here";

type Attribute = "role" | "title" | "id" | "tabindex" | "type" | "scope" | `aria-${string}` | `data-${string}`;
export type Attributes = Readonly<Partial<Record<Attribute, string | number | boolean | null>>>;

const TOKENS: ReadonlyMap<string, Css> = new Map((["k", "f", "b", "m", "s", "c"] as const).map((one) => [one, one]));

export function element<K extends keyof HTMLElementTagNameMap>(
  name: K, css: Css | readonly Css[], ...content: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  const classes = typeof css === "string" ? [css] : css;
  if (classes.length > 0) made.className = classes.map((one) => `tnb-${one}`).join(" ");
  made.append(...content.map((one) => typeof one === "string" ? visible(one) : one));
  return made;
}

const BREAKS = /(?:[^([{,]|[([{,](?=[\s)\]}]))*[([{,]?/g;

/** Text of several lines. */
export function preformatted(css: Css, text: string): HTMLPreElement {
  return element("pre", css, document.createTextNode(visibleLines(text)));
}

/** Coloured text; of a class that is none of ours, plain. It may be broken behind brackets that open, and commas. */
export function token(cls: string, text: string): Node {
  const css = TOKENS.get(cls);
  const shown = visible(text);
  const pieces = shown.match(BREAKS)?.filter((one) => one !== "") ?? [];
  if (pieces.length <= 1) return css === undefined ? document.createTextNode(shown) : element("span", css, text);
  const made = element("span", css ?? []);
  pieces.forEach((piece, at) => { made.append(...(at > 0 ? [document.createElement("wbr")] : []), piece); });
  return made;
}

/** Set attributes; null takes one away. */
export function set<T extends Element>(target: T, attributes: Attributes): T {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined) target.removeAttribute(name);
    else if (target.getAttribute(name) !== String(value)) target.setAttribute(name, visible(String(value)));
  }
  return target;
}

/** JupyterLab leaves keys alone that reach an element with this mark. */
export const KEYS: Attributes = { "data-lm-suppress-shortcuts": true };

/** Put children in place. What stands there already is not moved: an element that is moved loses the focus. */
export function fill(parent: Element, children: readonly Node[]): void {
  const there = parent.childNodes;
  if (there.length === children.length && children.every((child, at) => there[at] === child)) return;
  const focused = document.activeElement;
  parent.replaceChildren(...children);
  if (focused instanceof HTMLElement && focused !== document.activeElement && parent.contains(focused)) {
    focused.focus({ preventScroll: true });
  }
}

/** Put children in place, those that stay in the same order as before. None of these is touched. */
export function arrange(parent: Element, children: readonly Node[]): void {
  const wanted = new Set(children);
  if (![...parent.childNodes].some((one) => wanted.has(one))) {
    parent.replaceChildren(...children);
    return;
  }
  for (const one of [...parent.childNodes]) if (!wanted.has(one)) one.remove();
  let next = parent.firstChild;
  for (const one of children) {
    if (one === next) next = next.nextSibling;
    else parent.insertBefore(one, next);
  }
}

export function write(target: Element, text: string): void {
  const shown = visible(text);
  if (target.textContent !== shown) target.textContent = shown;
}

/** An id that no other view has: every widget loads a copy of this file of its own. */
export function uniqueId(): string {
  return `tnb-${Math.random().toString(36).slice(2, 10)}`;
}
