/** Expressions and what they caused; variables and their cotangents. */
import { afterEach, describe, expect, test } from "vitest";

import type { State } from "../src/state";
import { kin, namesIn, Terms, variables } from "../src/terms";
import { hot, hover, leave, lists, mount, press, row, small, words } from "./help";

afterEach(() => { document.body.replaceChildren(); });

/** `y = x * x` with `x * x` as expression 0, `return y` as 1; a term of each in one backward line. */
const BASE = small([[["def df(x):", "", []], ["    y = x * x", "→", [1]], ["    bx = 2 * x * by", "←", [1, 2]], ["    return bx", "", []]]],
  { partners: [["x", "bx"], ["y", "by"]], spans: [[[1, 8, 13]], [[2, 4, 12]]], parts: [[0], [1, 0]] });
const TERMS: readonly (readonly number[])[] = [[], [4, 13, 0], [4, 19, 0, 17, 19, 1], []];
const VALUE: State = { ...BASE, stages: BASE.stages.map((stage) => ({ ...stage,
  rows: stage.rows.map(([line, group, arrow, from], at) => [line, group, arrow, from, TERMS[at] ?? []] as const) })) };

function lit(list: Element): string[] {
  return [...list.querySelectorAll("[data-terms].tnb-lit")].map((one) => one.textContent);
}

function same(list: Element): string[] {
  return [...list.querySelectorAll(".tnb-same")].map((one) => one.textContent);
}

describe("an expression under the mouse", () => {
  test("lights what it caused, and nothing else of those lines", () => {
    const { el } = mount(VALUE);
    const [left, right] = lists(el);
    hover(row(left, 1).querySelector("[data-terms='0']")!);
    expect(lit(left).join("")).toBe("x * x");
    expect(lit(right).join("")).toBe("y = x * xbx = 2 * x * by");
    expect([hot(left), hot(right)]).toEqual([[1], [1, 2]]);
    expect(words(el.querySelector(".tnb-words"))).toBe("line 2: x * x; it caused what is lit in lines 2–3");
    hover(row(left, 2).querySelector("[data-terms='1']")!);
    expect(lit(right).join("")).toBe("by");
    leave(left);
    expect([lit(left), lit(right)]).toEqual([[], []]);
  });

  test("is found from what it caused, with the call that it was put in the place of", () => {
    const { el } = mount(VALUE);
    const [left, right] = lists(el);
    hover(row(right, 2).querySelector("[data-terms='0 1']")!);
    expect(lit(left).join("")).toBe("x * xreturn y");
    expect(words(el.querySelector(".tnb-words"))).toBe("line 3: return y, called by x * x in line 2; it caused what is lit in line 3");
    hover(row(right, 2).querySelector("[data-terms='0']")!);
    expect(lit(left).join("")).toBe("x * x");
  });

  test("is reached by keys: [ and ] go through those of the row", () => {
    const { el } = mount(VALUE);
    const [left, right] = lists(el);
    right.focus();
    press(right, "ArrowDown");
    press(right, "ArrowDown");
    expect(hot(left)).toEqual([1, 2]);
    expect(press(right, "]").defaultPrevented).toBe(true);
    expect(lit(left).join("")).toBe("x * x");
    press(right, "]");
    expect(lit(left).join("")).toBe("x * xreturn y");
    press(right, "[");
    expect(lit(left).join("")).toBe("x * x");
    press(right, "ArrowUp");
    expect(lit(right)).toEqual([]);
  });

  test("a row without any is lit as a whole", () => {
    const { el } = mount(VALUE);
    const [, right] = lists(el);
    hover(row(right, 3));
    expect([hot(right), lit(right)]).toEqual([[3], []]);
  });
});

describe("a variable under the mouse", () => {
  test("lights its places, and those of its cotangent, in both texts", () => {
    const { el } = mount(VALUE);
    const [left, right] = lists(el);
    hover(row(right, 3).querySelector("[data-name=bx]")!);
    expect(same(left)).toEqual(["x", "x", "x"]);
    expect(same(right)).toEqual(["x", "x", "x", "bx", "x", "bx"]);
    leave(right);
    expect([same(left), same(right)]).toEqual([[], []]);
  });

  test("is what is bound, a parameter, or has a cotangent; no attribute, function or keyword", () => {
    const lines = ["def f(x, n=3):", "    for i, (a, b) in enumerate(x):", "    total += x.size", "    h = np.sum(x, axis=0)", "    c == d"]
      .map((text) => [["", text]] as const);
    expect([...variables({ ...VALUE, lines, partners: [["h", "bh"]] })].sort()).toEqual(["a", "b", "bh", "h", "i", "n", "total", "x"]);
    const known = new Set(["x", "size", "h"]);
    expect(namesIn([["", "h = x.size + "], ["f", "x"], ["s", "'x'"], ["c", "# x"]], known).map(({ start, name }) => [start, name]))
      .toEqual([[0, "h"], [4, "x"], [13, "x"]]);
    expect([...kin("bh", [["h", "bh"]])].sort()).toEqual(["bh", "h"]);
    expect([...kin("q", [["h", "bh"]])]).toEqual(["q"]);
  });
});

test("what belongs together", () => {
  const terms = new Terms([[0], [1, 0], [1]]);
  expect([...terms.lit("primal", 0).derived]).toEqual([0, 1]);
  expect([...terms.lit("primal", 1).derived]).toEqual([1, 2]);
  expect([[...terms.lit("derived", 1).primal], [...terms.lit("derived", 1).derived]]).toEqual([[1, 0], [1, 2]]);
  expect([...terms.lit("derived", 9).primal]).toEqual([]);
});
