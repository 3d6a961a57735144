/** The variables of a step, each beside its cotangent; the saved lists as stacks. */
import { Control } from "./controls";
import type { Tell } from "./controls";
import type { Css } from "./dom";
import { element, set } from "./dom";
import { grid, short } from "./heat";
import type { Stack, Value, Variable } from "./recording";

const VALUE = 1;
const COTANGENT = 2;

export function variables(rows: readonly Variable[], values: readonly Value[], other: string, tell: Tell, go: (step: number) => void): HTMLElement {
  const some = rows.some((row) => row[3] !== -1);
  const head = ["variable", "value", ...(some ? [other] : [])];
  const headRow = element("tr", [], ...head.map((one) => set(element("th", "cell", one), { scope: "col" })));
  const body = rows.map(([name, partner, value, cotangent, marks, next]) => {
    const button = new Control("chip", name, tell, () => { go(next); });
    button.draw({ reason: next === -1 ? `${name} does not change any more` : "", title: `to the next change of ${name}: step ${next + 1}` });
    set(button.element, { "data-name": name });
    const cells = [shown(values[value], "", (marks & VALUE) !== 0),
      ...(some ? [shown(values[cotangent], cotangent === -1 ? "" : partner, (marks & COTANGENT) !== 0)] : [])];
    return element("tr", [], set(element("th", "cell", button.element), { scope: "row" }), ...cells);
  });
  return element("table", "table", set(element("caption", "sr", "variables after this step"), {}), element("thead", [], headRow),
    element("tbody", [], ...body));
}

function shown(value: Value | undefined, name: string, changed: boolean): HTMLElement {
  const css: readonly Css[] = changed ? ["cell", "changed"] : ["cell"];
  const mark = changed ? [set(element("span", "dot", "●"), { "aria-hidden": true }), element("span", "sr", "changed: ")] : [];
  if (value === undefined) return element("td", css);
  const label = name === "" ? [] : [element("span", "partner", `${name} `)];
  return element("td", css, ...mark, ...label, ...drawn(value));
}

function drawn(value: Value): Node[] {
  const [text, , cells] = value;
  if (cells.length === 0) return [element("span", "code", text)];
  const facts = element("span", "label", cells.length <= 4 ? `[${cells.map(short).join(", ")}] ${text}` : text);
  return [element("span", "valued", grid(value), facts)];
}

export function stacks([name, length, grown, items]: Stack, values: readonly Value[]): HTMLElement {
  const hidden = length - items.length;
  const boxes = items.map((at, place) => {
    const top = place === items.length - 1;
    const value = values[at];
    const css: readonly Css[] = top && grown > 0 ? ["box", "changed"] : ["box"];
    return set(element("li", css, ...(value === undefined ? [] : small(value))), { title: value?.[0] ?? null });
  });
  const more = hidden > 0 ? [element("li", "label", `${hidden} more`)] : [];
  const gone = grown < 0 ? [set(element("li", ["box", "gone"], "taken"), {})] : [];
  const said = grown > 0 ? "one was put on" : grown < 0 ? "one was taken off" : "";
  return element("div", "stack", element("span", "code", name), element("span", "label", `${length}${said === "" ? "" : `, ${said}`}`),
    set(element("ol", "boxes", ...more, ...boxes, ...gone), { "aria-label": `${name}, ${length} items` }));
}

function small(value: Value): Node[] {
  const [text, , cells] = value;
  if (cells.length > 0) return [grid(value)];
  const number = Number(text);
  return [element("span", "code", Number.isFinite(number) && text !== "" ? short(number) : text.slice(0, 24))];
}
