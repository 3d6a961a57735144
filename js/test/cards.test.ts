/** The card beside the code: when it opens, what is asked for it, what it shows, where it stands. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { cardOf } from "../src/cards";
import { GRACE_MS, REST_MS } from "../src/inspect";
import { formula, tree } from "../src/math";
import { GAP, MARGIN, place } from "../src/place";
import type { Mounted, Sent } from "./help";
import { hover, lists, mount, press, row, settled, small, words } from "./help";

const ROWS = [["def df(x):", "→", []], ["y = x * x", "→", [1]], ["bx = 2.0 * y", "←", [1]]] as const;
const MATH = ["mrow", ["mover", ["mi", "x"], ["mo", "¯"]], ["mo", " += "], ["msup", ["mi", "y"], ["mn", "2"]]];

function facts(name: string, more: object = {}): object {
  return { name, says: "", kind: "f8[n]", activity: "has a derivative", value: null, partner: "", cotangent: null, ...more };
}

function data(more: object = {}): object {
  return { head: "line 2 · forward sweep", from: "line 2: y = x * x", saved: "", offer: "", note: "", helpers: [],
    names: [facts("y", { value: { text: "(2,) float64, 1 to 4", shape: [2], cells: [1, "NaN"], at: "the last of 3 times" } }), facts("x")],
    rules: [{ at: [], code: "x * x", name: "operator.mul", formulas: [{ math: MATH, text: "x̄ += y²" }], where: [["x", "a"]], note: "" }], ...more };
}

function card(el: Element): HTMLElement {
  return el.querySelector<HTMLElement>(".tnb-card")!;
}

function name(list: Element, at: number, wanted: string): Element {
  return row(list, at).querySelector(`[data-name="${wanted}"]`)!;
}

async function answered({ model }: Mounted, more: object = {}): Promise<Sent> {
  const asked = model.last;
  model.reply({ kind: "card", id: asked.id, card: data(more) });
  await settled();
  return asked;
}

async function opened(more: object = {}): Promise<Mounted> {
  const made = mount(small([ROWS]));
  hover(name(lists(made.el)[1], 1, "y"));
  vi.advanceTimersByTime(REST_MS);
  await answered(made, more);
  return made;
}

beforeEach(() => { vi.useFakeTimers(); });
afterEach(() => { vi.useRealTimers(); });

test("opens where the pointer rests, and says what the name is", async () => {
  const { el, model } = await opened();
  expect(model.last).toMatchObject({ kind: "card", side: "derived", stage: 0, row: 1, run: false });
  expect(card(el).hidden).toBe(false);
  expect(words(card(el))).toContain("y f8[n]");
  expect(words(card(el))).toContain("the last of 3 times");
  expect(card(el).querySelectorAll(".tnb-cellbox")).toHaveLength(2);
  expect(card(el).getAttribute("role")).toBe("tooltip");
});

test("a pointer that moves on asks nothing", () => {
  const { el, model } = mount(small([ROWS]));
  hover(name(lists(el)[1], 1, "y"));
  vi.advanceTimersByTime(REST_MS - 1);
  hover(row(lists(el)[1], 0));
  hover(name(lists(el)[1], 2, "y"));
  vi.advanceTimersByTime(REST_MS - 1);
  expect(model.sent).toHaveLength(0);
});

test("along a line it stays, and asks nothing more", async () => {
  const made = await opened();
  const asked = made.model.sent.length;
  hover(name(lists(made.el)[1], 1, "x"));
  vi.advanceTimersByTime(0);
  expect(card(made.el).hidden).toBe(false);
  expect(words(card(made.el).querySelector(".tnb-cardhead"))).toBe("x f8[n]");
  expect(made.model.sent).toHaveLength(asked);
});

test("goes when the pointer has left, and stays while that is on the card", async () => {
  const { el } = await opened();
  const [, list] = lists(el);
  list.dispatchEvent(new MouseEvent("pointerleave"));
  card(el).dispatchEvent(new MouseEvent("pointerenter"));
  vi.advanceTimersByTime(2 * GRACE_MS);
  expect(card(el).hidden).toBe(false);
  card(el).dispatchEvent(new MouseEvent("pointerleave"));
  vi.advanceTimersByTime(GRACE_MS);
  expect(card(el).hidden).toBe(true);
});

test("Escape sends it away, and it does not come back on that line", async () => {
  const { el } = await opened();
  press(document.body, "Escape");
  expect(card(el).hidden).toBe(true);
  hover(name(lists(el)[1], 1, "x"));
  vi.advanceTimersByTime(REST_MS);
  expect(card(el).hidden).toBe(true);
  hover(name(lists(el)[1], 2, "y"));
  vi.advanceTimersByTime(REST_MS);
  await settled();
});

test("the line's number gives the rules, with their formulas", async () => {
  const made = mount(small([ROWS]));
  hover(row(lists(made.el)[1], 1).querySelector(".tnb-number")!);
  vi.advanceTimersByTime(REST_MS);
  await answered(made, { saved: "y is kept in y_saved" });
  expect(words(card(made.el))).toContain("line 2 · forward sweep");
  expect(words(card(made.el))).toContain("y is kept in y_saved.");
  expect(words(card(made.el).querySelector(".tnb-formulas"))).toBe("x̄ += y²");
});

test("by the keys: Enter pins and opens, Escape closes and leaves the pin, ? takes the focus there and back", async () => {
  const made = mount(small([ROWS]));
  const [, list] = lists(made.el);
  list.focus();
  press(list, "ArrowDown");
  press(list, "Enter");
  await answered(made);
  expect(card(made.el).hidden).toBe(false);
  expect(list.getAttribute("aria-describedby")).toBe(card(made.el).id);
  const escape = press(list, "Escape");
  expect(escape.defaultPrevented).toBe(true);
  expect(card(made.el).hidden).toBe(true);
  expect(row(list, 1).getAttribute("aria-selected")).toBe("true");
  expect(list.getAttribute("aria-describedby")).toBeNull();
  press(list, "?");
  expect(card(made.el).getAttribute("role")).toBe("dialog");
  expect(document.activeElement).toBe(card(made.el));
  press(card(made.el), "Escape");
  expect(document.activeElement).toBe(list);
});

test("a run is asked for by its button alone", async () => {
  const made = await opened({ offer: "the derivative runs once more" });
  const button = card(made.el).querySelector("button")!;
  expect(words(button)).toBe("run for the values");
  button.click();
  expect(made.model.last).toMatchObject({ kind: "card", run: true });
  expect(words(card(made.el))).toContain("it runs …");
  await answered(made);
  expect(card(made.el).querySelector("button")).toBeNull();
});

test("what says nothing, fails, or is malformed shows no card", async () => {
  for (const reply of [{ kind: "card", card: data({ names: [], rules: [], from: "" }) }, { kind: "failed", text: "no" }, { kind: "card", card: { head: 1 } }]) {
    const made = mount(small([ROWS]));
    hover(row(lists(made.el)[1], 1).querySelector(".tnb-number")!);
    vi.advanceTimersByTime(REST_MS);
    made.model.reply({ ...reply, id: made.model.last.id });
    await settled();
    expect(card(made.el).hidden).toBe(true);
  }
});

test("one question at a time: what is pointed at when the answer comes is asked next", async () => {
  const made = mount(small([ROWS]));
  const [, list] = lists(made.el);
  hover(name(list, 1, "y"));
  vi.advanceTimersByTime(REST_MS);
  hover(name(list, 2, "y"));
  vi.advanceTimersByTime(REST_MS);
  expect(made.model.sent).toHaveLength(1);
  await answered(made);
  expect(made.model.last).toMatchObject({ row: 2 });
});

test("a text that is another one closes it, and forgets what was said", async () => {
  const made = await opened();
  made.model.set(small([ROWS], { bound: "df" }));
  expect(card(made.el).hidden).toBe(true);
  hover(name(lists(made.el)[1], 1, "y"));
  vi.advanceTimersByTime(REST_MS);
  expect(made.model.sent).toHaveLength(2);
});

test("markup stays text, and what is no card is refused", () => {
  expect(cardOf(data())).not.toBeNull();
  expect(cardOf(data({ names: [facts("y", { value: { text: "", shape: [3], cells: [1], at: "" } })] }))).toBeNull();
  expect(cardOf(data({ rules: [{ at: [], code: "", name: "", formulas: [{ math: ["script", "x"], text: "" }], where: [], note: "" }] }))).toBeNull();
  expect(cardOf(null)).toBeNull();
});

test("formulas are MathML of the tags that are known", () => {
  const made = formula({ math: tree(MATH), text: "x̄ += y²" }, true);
  expect(made.namespaceURI).toBe("http://www.w3.org/1998/Math/MathML");
  expect([...made.querySelectorAll("*")].map((one) => one.tagName)).toEqual(["mrow", "mover", "mi", "mo", "mo", "msup", "mi", "mn"]);
  expect(made.getAttribute("aria-label")).toBe("x̄ += y²");
  const hostile = formula({ math: tree(["mi", "<img src=x onerror=alert(1)>"]), text: "" }, true);
  expect(hostile.children[0]!.children).toHaveLength(0);
  expect(hostile.textContent).toBe("<img src=x onerror=alert(1)>");
});

test("a formula is text where there is no MathML", () => {
  const made = formula({ math: tree(MATH), text: "x̄ += y²" }, false);
  expect([made.tagName, made.className, made.textContent]).toEqual(["SPAN", "tnb-code", "x̄ += y²"]);
});

test("trees that are none are refused", () => {
  let deep: unknown = ["mi", "x"];
  for (let at = 0; at < 100; at++) deep = ["mrow", deep];
  for (const one of [[], ["mi"], ["mi", 1], ["mfrac", ["mi", "x"]], ["annotation-xml", ["mi", "x"]], ["mrow", "x"], "x", deep]) {
    expect(() => tree(one)).toThrow();
  }
});

test("a card stands above its line, below where there is no room, and inside the window", () => {
  const window = { width: 700, height: 600 };
  expect(place({ left: 100, top: 300, bottom: 321 }, { width: 300, height: 200 }, window)).toMatchObject({ left: 100, bottom: 300 + GAP, top: null });
  expect(place({ left: 100, top: 60, bottom: 81 }, { width: 300, height: 200 }, window)).toMatchObject({ top: 81 + GAP, bottom: null });
  expect(place({ left: 600, top: 300, bottom: 321 }, { width: 300, height: 200 }, window).left).toBe(700 - MARGIN - 300);
  expect(place({ left: 5, top: 300, bottom: 321 }, { width: 690, height: 200 }, window).left).toBe(MARGIN);
});

test("a card that is too tall for both sides has the larger, and scrolls: it never covers the line", () => {
  const placed = place({ left: 0, top: 400, bottom: 421 }, { width: 300, height: 2000 }, { width: 700, height: 600 });
  expect(placed.bottom).toBe(600 - 400 + GAP);
  expect(placed.height).toBe(400 - GAP - MARGIN);
});
