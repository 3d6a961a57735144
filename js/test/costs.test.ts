/** What lines take, beside their numbers. */
import { afterEach, describe, expect, test } from "vitest";
import { column, readCosts, said, summed } from "../src/costs";
import { Malformed } from "../src/shapes";
import type { Mounted } from "./help";
import { button, lists, mount, row, settled, small, tab, words } from "./help";

const RAW = [["def df(x):", "→", [0]], ["t = x", "→", [1]], ["y = t * x", "→", [1]]] as const;
const ROWS = [["def df(x):", "→", [0]], ["y = x * x", "→", [1]], ["by = 1.0", "←", [2]], ["bx = by * x", "←", [1]], ["return bx", "←", []]] as const;
const COSTS = { seconds: 1e-3, repeats: 5, rows: [[1, 4e-4, 400, 80_000], [2, 1e-6, 1, 128], [3, 5.5e-4, 1, 160_000], [4, 4.9e-5, 1, 0]] };

async function asked(part: object = {}): Promise<Mounted> {
  const made = mount(small([RAW, ROWS], part));
  button(made.el, "cost").click();
  await settled();
  return made;
}

async function opened(found: unknown = COSTS): Promise<Mounted> {
  const made = await asked();
  made.model.reply({ kind: "costs", id: made.model.last.id, found });
  await settled();
  return made;
}

function figure(list: Element, at: number): HTMLElement {
  return row(list, at).querySelector<HTMLElement>(".tnb-cost")!;
}

afterEach(() => { document.body.replaceChildren(); });

describe("the column", () => {
  test("is asked for once, and then beside both texts", async () => {
    const { el, model } = await opened();
    expect(model.sent.map(({ kind }) => kind)).toEqual(["costs"]);
    const [source, derived] = lists(el);
    expect([0, 1, 2, 3, 4].map((at) => words(figure(derived, at)))).toEqual(["", "40 %", "", "55 %", "5 %"]);
    expect(figure(derived, 1).title).toBe("40 % of the time, 400 µs, 400 runs; 80 kB");
    expect(words(row(derived, 1).querySelector(".tnb-sr"))).toContain("; 40 % of the time, 400 µs, 400 runs; 80 kB");
    expect(figure(derived, 3).style.getPropertyValue("--tnb-share")).toBe("1.000");
    expect([0, 1, 2].map((at) => words(figure(source, at)))).toEqual(["", "95 %", "< 1 %"]);
    expect(words(el.querySelector(".tnb-costs"))).toContain("a run takes 1 ms, the median of 5; the largest line allocates 160 kB");
    expect(button(el, "cost").getAttribute("aria-pressed")).toBe("true");
  });

  test("has the memory in place of the time", async () => {
    const { el } = await opened();
    button(el, "memory").click();
    const [source, derived] = lists(el);
    expect([1, 2, 3, 4].map((at) => words(figure(derived, at)))).toEqual(["80 kB", "128 B", "160 kB", ""]);
    expect(words(figure(source, 1))).toBe("160 kB");
  });

  test("goes with the text that it is of, and comes back with it", async () => {
    const { el, model } = await opened();
    tab(el, "part 0").click();
    expect(el.querySelector(".tnb-cost")).toBeNull();
    expect(el.querySelector<HTMLElement>(".tnb-costs")!.hidden).toBe(true);
    tab(el, "part 1").click();
    expect(el.querySelectorAll(".tnb-cost").length).toBe(8);
    model.set({ ...small([RAW, RAW]), name: "other" });
    expect(el.querySelector(".tnb-cost")).toBeNull();
    expect(button(el, "cost").getAttribute("aria-pressed")).toBe("false");
  });

  test("goes when it is closed", async () => {
    const { el } = await opened();
    button(el, "✕ hide").click();
    expect(el.querySelector(".tnb-cost")).toBeNull();
  });

  test("says in the head of a fold what is in it", async () => {
    const state = small([RAW, ROWS]);
    const stages = state.stages.map((one, at) => at === 1 ? { ...one, folds: [[2, 4, "guards", -1] as const] } : one);
    const made = mount({ ...state, stages });
    button(made.el, "cost").click();
    made.model.reply({ kind: "costs", id: made.model.last.id, found: COSTS });
    await settled();
    const fold = made.el.querySelector(".tnb-fold")!;
    expect(words(fold)).toBe("▸ guards · 2 lines · 55 % of the time");
    expect(fold.getAttribute("aria-label")).toContain("55 % of the time");
    expect(words(figure(lists(made.el)[1], 4))).toBe("5 %");
  });
});

describe("where there is none", () => {
  test("it says why, and does not ask", async () => {
    const { el, model } = await asked({ tools: { costs: "measured at arguments", graph: "", spread: "" } });
    expect(model.sent).toEqual([]);
    expect(words(el.querySelector(".tnb-told"))).toBe("measured at arguments");
  });

  test("what the kernel refuses is told, and it can be asked again", async () => {
    const { el, model } = await asked();
    button(el, "cost").click();
    expect(model.sent.length).toBe(1);             // it is at work
    model.reply({ kind: "failed", id: model.last.id, text: "division by zero" });
    await settled();
    expect(words(el.querySelector(".tnb-told"))).toBe("division by zero");
    button(el, "cost").click();
    expect(model.sent.length).toBe(2);
  });

  test("an answer about a text that is gone is not shown", async () => {
    const { el, model } = await asked();
    const { id } = model.last;
    model.set({ ...small([RAW, RAW]), name: "other" });
    model.reply({ kind: "costs", id, found: COSTS });
    await settled();
    expect(el.querySelector(".tnb-cost")).toBeNull();
  });

  test("what is malformed is not shown", async () => {
    for (const found of [null, { ...COSTS, rows: [[99, 1, 1, 1]] }, { ...COSTS, seconds: "<b>" }, { ...COSTS, rows: [[1, Infinity, 1, 1]] }]) {
      const { el } = await opened(found);
      expect(el.querySelector(".tnb-cost")).toBeNull();
      expect(words(el.querySelector(".tnb-told"))).toContain("cannot be shown");
      document.body.replaceChildren();
    }
  });
});

test("the lines of a source line add up, to no more than the run, and their memory is that of the largest", () => {
  const found = summed({ seconds: 1, repeats: 1, rows: [[0, 0.25, 2, 10], [1, 0.5, 3, 30], [2, 0.75, 1, 20]] }, (row) => [[7], [7, 7, 8], [8]][row]!);
  expect([...found]).toEqual([[7, [0.75, 3, 30]], [8, [1, 3, 30]]]);
});

test("a run of nothing has no shares", () => {
  const one = column(new Map([[0, [0, 1, 0]]]), 0, "time").of(0)!;
  expect([one.share, one.text]).toEqual([0, ""]);
  expect(said([0, 1, 0], 0)).toBe("0 % of the time, too short to be timed, 1 run; 0 B");
});

test("rows are looked at before they are used", () => {
  expect(readCosts(COSTS, 5).rows.length).toBe(4);
  expect(() => readCosts(COSTS, 4)).toThrow(Malformed);
});
