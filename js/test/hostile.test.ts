import { afterEach, expect, test } from "vitest";

import type { State } from "../src/state";
import { lists, mount, small, state, texts } from "./help";

afterEach(() => { document.body.replaceChildren(); });

const TEXTS = [
  "x = 1  # </span><script>window.P=1</script>",
  "s = '<img src=x onerror=window.P=1>'",
  "</pre></style></script><svg onload=window.P=1>",
  "s = '\"><b onmouseover=window.P=1 style=position:fixed;inset:0>'",
  "s = '&lt;script&gt;window.P=1&lt;/script&gt; &#60;img&#62;'",
  "{{constructor.constructor(\"window.P=1\")()}} ${window.P=1}",
  "__proto__ = constructor = toString = 1",
  "javascript:window.P=1",
];
const ELEMENTS = new Set(["WBR", "SELECT", "OPTION", "DIV", "SPAN", "SECTION", "BUTTON", "LABEL", "INPUT", "B", "P", "PRE", "TABLE", "CAPTION", "THEAD", "TBODY", "TR", "TH", "TD"]);

/** Every text of a state is the hostile one. */
function hostile(text: string): State {
  const value = state();
  const all = (one: unknown): unknown => typeof one === "string" ? text : Array.isArray(one) ? one.map(all)
    : typeof one === "object" && one !== null ? Object.fromEntries(Object.entries(one).map(([name, of]) => [name, all(of)])) : one;
  const { stages, options, ...rest } = all(value) as State;
  return { ...rest, options: { ...options, mode: "reverse", backend: "numpy", backends: [{ name: "numpy", reason: text }, { name: "jax", reason: text }] },
    stages: stages.map((stage) => ({ ...stage, rows: stage.rows.map(([line, group, , from, terms]) => [line, group, "→", from, terms] as const) })) };
}

test.each(TEXTS)("a text stays a text: %s", (text) => {
  const { el } = mount(hostile(text));
  expect(lists(el)[0].textContent).toContain(text);
  expect(el.querySelector(".tnb-name")?.textContent).toBe(text);
  for (const one of el.querySelectorAll("*")) {
    expect(ELEMENTS, one.tagName).toContain(one.tagName);
    for (const { name } of one.attributes) expect(name).toMatch(/^(class|id|role|title|type|tabindex|scope|hidden|style|max|value|aria-[a-z]+|data-[a-z-]+)$/);
    for (const css of one.classList) expect(css).toMatch(/^(tnb-[a-z0-9]+|mathjax_ignore|tex2jax_ignore)$/);
  }
  expect("P" in window).toBe(false);
});

test.each(["k onclick", "hot", "widget", "__proto__", "constructor", "toString", "\"><img>", "K", " k"])("a class that is none of ours is dropped: %s", (cls) => {
  const { el } = mount(small([[["x", "", []]]], { lines: [[[cls, "a"]], [["k", "b"]], [["", "c"]], [["", "x"]]] }));
  const [a, b] = lists(el)[0].querySelectorAll(".tnb-text");
  expect(a?.childElementCount).toBe(0);
  expect(a?.textContent).toBe("a");
  expect(b?.querySelector("span")?.className).toBe("tnb-k");
});

test("what acts is made visible", () => {
  const { el } = mount(small([[["x = '\u202eevil\u2066' # \x1b[31m \0", "", []]]], { title: "\u202etitle", notes: ["note\u2028"], refusal: "a\n\u202eb" }));
  expect(texts(lists(el)[1])[0]).toBe("x = '\\u202eevil\\u2066' # \\x1b[31m \\x00");
  expect(el.querySelector(".tnb-note")?.textContent).toBe("note\\u2028");
  expect(el.querySelector("pre")?.textContent).toBe("a\n\\u202eb");
  expect(el.querySelector(".tnb-widget")?.getAttribute("aria-label")).toContain("\\u202etitle");
  expect(el.querySelector("[role=option]")?.querySelector(".tnb-sr")?.textContent).not.toMatch(/[\u202e\u2066]/);
});

test("a line of 200,000 characters is cut, with a note", () => {
  const { el } = mount(small([[[`s = '${"A".repeat(200_000)}'`, "", []]]]));
  expect(texts(lists(el)[1])[0]).toHaveLength(20_001);
  expect(el.querySelector(".tnb-note")?.textContent).toBe("Lines of over 20,000 characters are cut here.");
});
