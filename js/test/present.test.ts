/** Large type, and the backward lines one at a time. */
import { afterEach, describe, expect, test, vi } from "vitest";

import { seenUpTo, steps } from "../src/present";
import { primalText, stageRows } from "../src/rows";
import type { State } from "../src/state";
import { button, click, hot, lists, mount, press, row, small, words } from "./help";

afterEach(() => {
  vi.restoreAllMocks();
  document.body.replaceChildren();
});

const ROWS = [["def df(x):", "", []], ["    y = x * x", "→", [1]], ["    # backward", "", []], ["    # Grad of: return y", "", [2]],
  ["    by = 1.0", "←", [2]], ["    # Grad of: y", "", [1]], ["    bx = 2 * x * by", "←", [1]], ["    return bx", "", []]] as const;
const VALUE = small([ROWS]);

function seen(list: Element): number[] {
  return [...list.querySelectorAll("[data-row]")].filter((one) => !one.classList.contains("tnb-unseen")).map((one) => Number(one.getAttribute("data-row")));
}

function opened(value: State = VALUE): { el: HTMLElement; root: HTMLElement; left: HTMLElement; right: HTMLElement } {
  const { el } = mount(value);
  const [left, right] = lists(el);
  return { el, root: el.querySelector<HTMLElement>(".tnb-widget")!, left, right };
}

describe("the lines to reveal", () => {
  test("are those of the backward sweep, each with the comment above it", () => {
    const text = stageRows(VALUE.stages[0]!, primalText(VALUE));
    const all = steps(text);
    expect(all).toEqual([4, 6]);
    expect([0, 1, 2].map((step) => seenUpTo(text, all, step))).toEqual([1, 4, Infinity]);
  });

  test("are all linked ones where there is none, and none of a fold", () => {
    const forward = small([[["def tf(x, dx):", "", []], ["    y = x", "→", [1]], ["    dy = dx", "→", [1]], ["def g():", "", []], ["    y = x", "→", [1]]]]);
    const folded = { ...forward.stages[0]!, folds: [[3, 5, "for other arguments", -1]] as const };
    expect(steps(stageRows(folded, primalText(forward)))).toEqual([1, 2]);
    expect(steps({ rows: [], titles: new Map(), folds: [] })).toEqual([]);
  });
});

describe("presenting", () => {
  test("reveals with space, arrows and clicks, and lights both panes", () => {
    const { el, root, left, right } = opened();
    click(button(el, "present"));
    expect(root.classList.contains("tnb-presenting")).toBe(true);
    expect(document.activeElement).toBe(root);
    expect(seen(right)).toEqual([0, 1]);
    expect(press(root, " ").defaultPrevented).toBe(true);
    expect([seen(right), hot(right), hot(left)]).toEqual([[0, 1, 2, 3, 4], [4], [2]]);
    expect(words(el.querySelector(".tnb-words"))).toBe("line 5 comes from line 3: return y");
    press(root, "ArrowRight");
    expect([seen(right), hot(left)]).toEqual([[0, 1, 2, 3, 4, 5, 6, 7], [1]]);
    press(root, "ArrowRight");
    expect(words(el.querySelector(".tnb-presenter .tnb-count"))).toBe("2 / 2");
    press(root, "ArrowLeft");
    expect(seen(right)).toEqual([0, 1, 2, 3, 4]);
    press(root, "Home");
    expect(seen(right)).toEqual([0, 1]);
    click(row(right, 1));
    expect(hot(right)).toEqual([4]);
    expect(right.querySelector(".tnb-pinned")).toBeNull();
  });

  test("is left with Escape, and all is seen again", () => {
    const { el, root, right } = opened();
    click(button(el, "present"));
    press(root, "Escape");
    expect(root.classList.contains("tnb-presenting")).toBe(false);
    expect(seen(right)).toHaveLength(8);
    expect(el.querySelector<HTMLElement>(".tnb-presenter")!.hidden).toBe(true);
    expect(press(right, " ").defaultPrevented).toBe(true);
    expect(seen(right)).toHaveLength(8);
  });

  test("works by its buttons alone", () => {
    const { el, right } = opened();
    click(button(el, "present"));
    click(button(el, "▶"));
    expect(hot(right)).toEqual([4]);
    click(button(el, "◀"));
    expect(seen(right)).toEqual([0, 1]);
    expect(button(el, "◀").getAttribute("aria-disabled")).toBe("true");
    click(button(el, "leave"));
    expect(seen(right)).toHaveLength(8);
  });

  test("begins so where the kernel says it, once; it takes no focus then", () => {
    const { model, el } = mount({ ...VALUE, present: true });
    const root = el.querySelector<HTMLElement>(".tnb-widget")!;
    expect(root.classList.contains("tnb-presenting")).toBe(true);
    expect(document.activeElement).toBe(document.body);
    expect(seen(lists(el)[1])).toEqual([0, 1]);
    press(root, "Escape");
    model.set({ ...VALUE, present: true, stale: "it is" });
    expect(root.classList.contains("tnb-presenting")).toBe(false);
  });

  test("takes the whole screen where it may, and ends with that", () => {
    const { el, root } = opened();
    let full: Element | null = null;
    Object.defineProperty(document, "fullscreenElement", { configurable: true, get: () => full });
    root.requestFullscreen = () => { full = root; document.dispatchEvent(new Event("fullscreenchange")); return Promise.resolve(); };
    click(button(el, "present"));
    expect(root.classList.contains("tnb-presenting")).toBe(true);
    full = null;
    document.dispatchEvent(new Event("fullscreenchange"));
    expect(root.classList.contains("tnb-presenting")).toBe(false);
  });

  test("leaves other keys, and those with modifiers, alone", () => {
    const { el, root } = opened();
    click(button(el, "present"));
    expect(press(root, "a").defaultPrevented).toBe(false);
    expect(press(root, " ", { ctrlKey: true }).defaultPrevented).toBe(false);
  });
});
