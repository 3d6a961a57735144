/** What makes the view fit its place: wrapping, the split, folds behind folds. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { token } from "../src/dom";
import { Heights, wrapped } from "../src/heights";
import { items } from "../src/items";
import { keep, taste, USUAL } from "../src/taste";
import type { State } from "../src/state";
import { button, click, lists, mount, press, small, state, words } from "./help";

beforeEach(() => { localStorage.clear(); });
afterEach(() => { document.body.replaceChildren(); });

function bar(el: Element): HTMLElement {
  return el.querySelector<HTMLElement>("[role=separator]")!;
}

describe("the split", () => {
  test("moves by the keys, within its ends, and says where it is", () => {
    const { el } = mount(state());
    const split = bar(el);
    expect(split.getAttribute("aria-valuenow")).toBe("44");
    expect(document.getElementById(split.getAttribute("aria-controls")!)).toBe(lists(el)[0].parentElement);
    expect(press(split, "ArrowRight").defaultPrevented).toBe(true);
    expect(split.getAttribute("aria-valuenow")).toBe("46");
    expect(el.querySelector<HTMLElement>(".tnb-panes")!.style.getPropertyValue("--tnb-split")).toBe("46%");
    press(split, "End");
    press(split, "ArrowRight");
    expect(split.getAttribute("aria-valuenow")).toBe("80");
    press(split, "Home");
    expect(split.getAttribute("aria-valuenow")).toBe("20");
    press(split, "Enter");
    expect(split.getAttribute("aria-valuenow")).toBe("44");
    expect(press(split, "ArrowRight", { ctrlKey: true }).defaultPrevented).toBe(false);
  });

  test("is kept for the next view", () => {
    press(bar(mount(state()).el), "ArrowLeft");
    expect(bar(mount(state()).el).getAttribute("aria-valuenow")).toBe("42");
  });
});

describe("what the reader likes", () => {
  test("is kept, and what is kept is checked", () => {
    expect(taste()).toEqual(USUAL);
    keep({ wrap: false, split: 30 });
    expect(taste()).toEqual({ wrap: false, split: 30 });
    for (const kept of ["{", "null", "[]", '{"wrap": 1, "split": "<b>"}', '{"split": 1e9}', '{"split": null}']) {
      localStorage.setItem("tangent_nb:taste", kept);
      expect(taste(), kept).toEqual(USUAL);
    }
  });

  test("is a toggle for long lines", () => {
    const { el } = mount(state());
    const wrap = (): boolean[] => lists(el).map((list) => list.classList.contains("tnb-wrapped"));
    expect([wrap(), button(el, "wrap").getAttribute("aria-pressed")]).toEqual([[true, true], "true"]);
    click(button(el, "wrap"));
    expect([wrap(), button(el, "wrap").getAttribute("aria-pressed")]).toEqual([[false, false], "false"]);
    expect(lists(mount(state()).el)[0].classList.contains("tnb-wrapped")).toBe(false);
  });
});

describe("lines that are wrapped", () => {
  test.each([
    ["", 10, 4, 1], ["0123456789", 10, 4, 1], ["0123456789a", 10, 4, 2], ["a = bbbbbb + c", 10, 2, 2], ["aaaaaaaa,bbbbbbbb", 10, 4, 3],
    ["    " + "x".repeat(40), 10, 8, 18], ["anything", 0, 4, 1], ["anything at all", 1, 4, 15],
  ])("%j in %i columns, set in by %i: %i", (text, columns, inset, lines) => {
    expect(wrapped(text, columns, inset)).toBe(lines);
  });

  test("stand where those above leave off", () => {
    const heights = new Heights([1, 3, 1, 2]);
    expect([0, 1, 2, 3, 4, 9].map((at) => heights.top(at))).toEqual([0, 1, 4, 5, 7, 7]);
    expect([0, 1, 3, 4, 5, 6, 99].map((line) => heights.at(line))).toEqual([0, 1, 1, 2, 3, 3, 3]);
    expect([new Heights([]).all, new Heights([]).at(3)]).toEqual([0, 0]);
  });

  test("may be broken behind brackets that open, and commas; the text is the same", () => {
    for (const text of ["np.dot(f(x),y[1:,0])", "f()", "(", "a, b", "", "(((", "<wbr>(<b>"]) {
      const made = document.createElement("div");
      made.append(token("", text));
      expect(made.textContent).toBe(text);
    }
    const made = document.createElement("div");
    made.append(token("", "f(x,y)()"), token("f", "g(z)"));
    expect([...made.querySelectorAll("wbr")].map((one) => one.nextSibling?.textContent)).toEqual(["x,", "y)()", "z)"]);
  });
});

describe("a fold behind another", () => {
  const value: State = { ...small([[["def df(x):", "", []], ["    guard", "", []], ["    y = x * x", "→", [1]], ["def _df_general(x):", "", []],
    ["    y = 1", "→", [1]]]]) };
  const folded = { ...value, stages: value.stages.map((one) => ({ ...one, folds: [[1, 2, "for x: f8[n]; otherwise general", -1], [3, 5, "for other arguments", 0]] as const })) };

  test("is seen when that is open", () => {
    const { el } = mount(folded);
    const right = lists(el)[1];
    const folds = (): string[] => [...right.querySelectorAll(".tnb-fold")].map(words);
    expect(folds()).toEqual(["▸ for x: f8[n]; otherwise general"]);
    expect(right.querySelectorAll("[data-row]")).toHaveLength(2);
    click(right.querySelector(".tnb-fold")!);
    expect(folds()).toEqual(["▾ for x: f8[n]; otherwise general", "▸ for other arguments · 2 lines"]);
    click(right.querySelectorAll(".tnb-fold")[1]!);
    expect(right.querySelectorAll("[data-row]")).toHaveLength(5);
    click(right.querySelector(".tnb-fold")!);
    expect(right.querySelectorAll("[data-row]")).toHaveLength(2);
  });

  test("is not counted where it is not seen", () => {
    const text = { rows: [], titles: new Map<number, string>(), folds: [{ start: 0, end: 2, title: "", within: 4 }] };
    expect(items(text, new Set([0]))).toEqual([]);
  });
});
