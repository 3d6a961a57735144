/** Values and checks below the panes. */
import { element, preformatted, set } from "./dom";
import { clipped } from "./limits";
import type { Table } from "./state";

export function table({ title, head, rows, marks }: Table): HTMLElement {
  const marked = marks.some((mark) => mark !== null);
  const heads = head.map((one) => one === "" ? element("td", []) : set(element("th", [], one), { scope: "col" }));
  if (marked && head.length > 0) heads.push(set(element("th", [], element("span", "sr", "result")), { scope: "col" }));
  const body = rows.map((row, at) => {
    const cells = row.map((cell) => element("td", [], preformatted("cell", clipped(cell))));
    if (marked) cells.push(element("td", [], ...mark(marks[at] ?? null)));
    return element("tr", [], ...cells);
  });
  const thead = head.some((one) => one !== "") ? [element("thead", [], element("tr", [], ...heads))] : [];
  const caption = title === "" ? [] : [element("caption", "caption", title)];
  // A table that scrolls sideways must be reachable by the keyboard.
  return set(element("div", "block", element("table", "table", ...caption, ...thead, element("tbody", [], ...body))),
    { role: "region", tabindex: 0, "aria-label": title || "values" });
}

function mark(good: boolean | null): Node[] {
  return good === null ? [] : [element("span", good ? "yes" : "no", good ? "✓ agrees" : "✗ differs")];
}
