import { afterEach, describe, expect, test } from "vitest";

import type { State } from "../src/state";
import { button, click, hot, hover, leave, lists, mount, press, row, small, state, words } from "./help";

afterEach(() => { document.body.replaceChildren(); });

const VALUE = small([[["def df(x):", "", []], ["    y = x * x", "→", [1]], ["    # backward", "", []], ["    by = 1.0", "←", [2]],
  ["    bx = 2 * x * by", "←", [1]]]]);

function opened(value: State = VALUE): { el: HTMLElement; left: HTMLElement; right: HTMLElement } {
  const { el } = mount(value);
  const [left, right] = lists(el);
  return { el, left, right };
}

function active(list: Element): string {
  const id = list.getAttribute("aria-activedescendant");
  return words(id === null ? null : document.getElementById(id));
}

describe("the mouse", () => {
  test("lights a row and those that belong to it, and leaves them dark again", () => {
    const { el, left, right } = opened();
    hover(row(right, 4));
    expect([hot(left), hot(right)]).toEqual([[1], [4]]);
    expect(row(right, 1).classList.contains("tnb-kin")).toBe(true);
    expect(words(el.querySelector(".tnb-words"))).toBe("line 5 comes from line 2: y = x * x");
    hover(row(left, 2));
    expect([hot(left), hot(right)]).toEqual([[2], [3]]);
    leave(left);
    expect([hot(left), hot(right)]).toEqual([[], []]);
  });

  test("pins with a click, and unpins with another", () => {
    const { left, right } = opened();
    click(row(left, 1));
    leave(left);
    expect([hot(left), hot(right)]).toEqual([[1], [1, 4]]);
    expect(row(left, 1).getAttribute("aria-selected")).toBe("true");
    hover(row(right, 3));
    expect(hot(left)).toEqual([2]);
    leave(right);
    expect(hot(left)).toEqual([1]);
    click(row(left, 1));
    expect(hot(left)).toEqual([]);
  });

  test("opens and closes a fold", () => {
    const { right } = opened({ ...VALUE, stages: VALUE.stages.map((stage) => ({ ...stage, folds: [[2, 5, "for other arguments", -1]] as const })) });
    expect(right.querySelectorAll("[data-row]")).toHaveLength(2);
    expect(words(right.querySelector(".tnb-fold"))).toBe("▸ for other arguments · 3 lines");
    click(right.querySelector(".tnb-fold")!);
    expect(right.querySelectorAll("[data-row]")).toHaveLength(5);
    click(right.querySelector(".tnb-fold")!);
    expect(right.querySelectorAll("[data-row]")).toHaveLength(2);
  });
});

describe("the keys", () => {
  test("reach nothing of JupyterLab's", () => {
    const { el } = opened();
    click(button(el, "passes"));
    const reached = [...el.querySelectorAll("button, input, [role=listbox]")];
    expect(reached.length).toBeGreaterThan(10);
    for (const one of reached) expect(one.getAttribute("data-lm-suppress-shortcuts"), words(one)).toBe("true");
  });

  test("move a cursor that lights", () => {
    const { left, right } = opened();
    left.focus();
    expect(active(left)).toContain("def f(x)");
    expect(press(left, "ArrowDown").defaultPrevented).toBe(true);
    expect(active(left)).toContain("y = x * x");
    expect(hot(right)).toEqual([1, 4]);
    press(left, "End");
    expect(active(left)).toContain("return y");
    press(left, "ArrowDown");
    expect(active(left)).toContain("return y");
    press(left, "Home");
    press(left, "ArrowUp");
    expect(active(left)).toContain("def f(x)");
    left.blur();
    expect(hot(right)).toEqual([]);
  });

  test("jump to the row that belongs here, and back", () => {
    const { left, right } = opened();
    left.focus();
    press(left, "ArrowDown");
    press(left, "ArrowRight");
    expect(document.activeElement).toBe(right);
    expect(active(right)).toContain("y = x * x");
    press(right, "End");
    press(right, "ArrowLeft");
    expect(document.activeElement).toBe(left);
    expect(active(left)).toContain("y = x * x");
    press(left, "ArrowRight");
    expect(active(right)).toContain("bx = 2 * x * by");
  });

  test("do not jump from a row that belongs nowhere", () => {
    const { left } = opened();
    left.focus();
    press(left, "ArrowRight");
    expect(document.activeElement).toBe(left);
  });

  test("Tab, which the browser follows, finds the row that belongs here", () => {
    const { left, right } = opened();
    left.focus();
    press(left, "End");
    expect(press(left, "Tab").defaultPrevented).toBe(false);
    right.focus();
    expect(active(right)).toContain("by = 1.0");
  });

  test("open the fold that they jump into", () => {
    const { left, right } = opened({ ...VALUE, stages: VALUE.stages.map((stage) => ({ ...stage, folds: [[2, 5, "more", -1]] as const })) });
    left.focus();
    press(left, "End");
    press(left, "ArrowRight");
    expect(active(right)).toContain("by = 1.0");
    press(right, "ArrowUp");
    press(right, "ArrowUp");
    expect(active(right)).toContain("▾ more");
    press(right, "Enter");
    expect(active(right)).toContain("▸ more");
  });

  test("pin with Enter and Space, unpin with Escape", () => {
    const { left, right } = opened();
    left.focus();
    press(left, "ArrowDown");
    press(left, "Enter");
    press(left, "ArrowDown");
    expect(hot(right)).toEqual([3]);
    left.blur();
    expect(hot(right)).toEqual([1, 4]);
    left.focus();
    expect(press(left, "Escape").defaultPrevented).toBe(true);
    expect(press(left, "Escape").defaultPrevented).toBe(false);
    press(left, " ");
    expect(left.querySelector(".tnb-pinned")).not.toBeNull();
  });

  test("with a modifier are the browser's", () => {
    const { left } = opened();
    left.focus();
    expect(press(left, "ArrowDown", { ctrlKey: true }).defaultPrevented).toBe(false);
    expect(press(left, "a").defaultPrevented).toBe(false);
  });

  test("choose a stage", () => {
    const { el } = mount(state());
    const [strip, inside] = el.querySelectorAll<HTMLElement>("[role=tablist]");
    const chosen = (): HTMLElement => (inside!.hidden ? strip! : inside!).querySelector<HTMLElement>("[aria-selected=true]")!;
    chosen().focus();
    press(chosen(), "ArrowLeft");
    expect(words(chosen())).toContain("dead code");
    expect(document.activeElement).toBe(chosen());
    press(chosen(), "Home");
    press(chosen(), "ArrowLeft");
    expect(words(chosen())).toContain("yours");
    expect(strip!.querySelectorAll("[tabindex='0']")).toHaveLength(1);
    press(chosen(), "End");
    expect(words(chosen())).toContain("text");
  });

  test("close the passes with Escape", () => {
    const { el } = mount(state());
    click(button(el, "passes"));
    const panel = el.querySelector<HTMLElement>(".tnb-passes")!;
    press(panel.querySelector("input")!, "Escape");
    expect(panel.hidden).toBe(true);
    expect(document.activeElement).toBe(button(el, "passes"));
  });
});

test("a row is read out with its line and where it comes from", () => {
  const { right } = opened();
  expect(row(right, 4).querySelector(".tnb-sr")?.textContent).toBe("line 5: bx = 2 * x * by; from line 2");
  expect(row(right, 0).querySelector(".tnb-sr")?.textContent).toBe("line 1: def df(x):");
  expect([row(right, 4).getAttribute("aria-posinset"), row(right, 4).getAttribute("aria-setsize")]).toEqual(["5", "5"]);
});

test("of a long text a window is drawn", () => {
  const rows = Array.from({ length: 5000 }, (_, at) => [`    v${at} = x`, "→", [1]] as const);
  const { left, right } = opened(small([rows]));
  expect(right.querySelectorAll("[data-row]").length).toBeLessThan(500);
  left.focus();
  press(left, "ArrowDown");
  press(left, "ArrowRight");
  press(right, "End");
  expect(active(right)).toContain("v4999 = x");
  expect(hot(left)).toEqual([1]);
});
