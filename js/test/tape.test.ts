/** What is saved for the backward sweep, beside the lines. */
import { afterEach, describe, expect, test } from "vitest";
import { Malformed } from "../src/shapes";
import { readTape, said, tapeFacts } from "../src/tape";
import type { Mounted } from "./help";
import { button, lists, mount, row, settled, small, tab, words } from "./help";

const RAW = [["def df(x):", "→", [0]], ["t = x", "→", [1]], ["y = t * x", "→", [1]]] as const;
const ROWS = [["def df(x):", "→", [0]], ["y = x * x", "→", [1]], ["by = 1.0", "←", [2]], ["bx = by * x", "←", [1]], ["return bx", "←", []]] as const;
const COSTS = { seconds: 1e-3, repeats: 5, rows: [[1, 4e-4, 400, 80_000]] };
const TAPE = { bytes: 88_000, alive: 90_000, peak: 120_000, kept: 88_000, times: 12, before: [160_000, 200_000], rows: [
  [1, [1], "y", "exact", 10, 80_000, "float64 (1000,)", ""], [1, [1], "x", "exact", 1, 0, "float64 (1000,)", "argument x"],
  [2, [2], "t", "exact", 2, 8000, "float64", ""], [3, [1], "sin", "recomputed", 10, 80_000, "float64 (1000,)", ""],
  [-1, [1], "z", "exact", 1, 0, "float64", "in the memory of y"]] };

async function opened(part: object = {}): Promise<Mounted> {
  const made = mount(small([RAW, ROWS], part));
  button(made.el, "cost").click();
  await settled();
  made.model.reply({ kind: "costs", id: made.model.last.id, found: COSTS });
  await settled();
  return made;
}

async function asked(found: unknown = TAPE): Promise<Mounted> {
  const made = await opened();
  button(made.el, "saved bytes").click();
  await settled();
  made.model.reply({ kind: "tape", id: made.model.last.id, found });
  await settled();
  return made;
}

function figure(list: Element, at: number): HTMLElement {
  return row(list, at).querySelector<HTMLElement>(".tnb-cost")!;
}

afterEach(() => { document.body.replaceChildren(); });

describe("saved bytes", () => {
  test("are asked for once, when they are chosen, and stand beside both texts", async () => {
    const { el, model } = await asked();
    expect(model.sent.map(({ kind }) => kind)).toEqual(["costs", "tape"]);
    const [source, derived] = lists(el);
    expect([0, 1, 2, 3, 4].map((at) => words(figure(derived, at)))).toEqual(["", "80 kB", "8 kB", "", ""]);
    expect(figure(derived, 1).title).toBe("y: 10 × float64 (1000,), 80 kB saved; x: float64 (1000,), not counted: argument x");
    expect(figure(derived, 3).title).toBe("sin: 10 × float64 (1000,), made again and not saved: 80 kB less");
    expect(figure(derived, 1).style.getPropertyValue("--tnb-share")).toBe("1.000");
    expect([0, 1, 2].map((at) => words(figure(source, at)))).toEqual(["", "80 kB", "8 kB"]);
    button(el, "time").click();
    expect(words(figure(derived, 1))).toBe("40 %");
    button(el, "saved bytes").click();
    expect(words(figure(derived, 1))).toBe("80 kB");
    expect(model.sent.length).toBe(2);
  });

  test("are said before and after the passes, also when the column is closed", async () => {
    const { el } = await asked();
    expect(words(el.querySelector(".tnb-told"))).toBe("saved: 88 kB, without passes 160 kB");
    expect(words(el.querySelector(".tnb-costs"))).toContain("peak 120 kB, 88 kB of it saved");
    const fact = (): string => words(lists(el)[1].closest(".tnb-pane")!.querySelector(".tnb-facts"));
    expect(fact()).toContain("tape 160 kB → 88 kB");
    button(el, "✕ hide").click();
    expect(fact()).toContain("tape 160 kB → 88 kB");
    tab(el, "part 0").click();
    expect(fact()).not.toContain("tape");
  });

  test("go with the text that they are of", async () => {
    const { el, model } = await asked();
    model.set({ ...small([RAW, RAW]), name: "other" });
    expect(el.querySelector(".tnb-cost")).toBeNull();
    expect(el.textContent).not.toContain("tape 160 kB");
  });

  test("are not there in forward mode, and say why", async () => {
    const state = small([RAW, ROWS]);
    const { el, model } = await opened({ options: { ...state.options, mode: "forward" } });
    button(el, "saved bytes").click();
    await settled();
    expect(model.sent.map(({ kind }) => kind)).toEqual(["costs"]);
    expect(words(el.querySelector(".tnb-told"))).toContain("forward mode keeps nothing");
  });

  test("that the kernel refuses leave what was there, and can be asked for again", async () => {
    const { el, model } = await opened();
    button(el, "saved bytes").click();
    button(el, "saved bytes").click();
    await settled();
    expect(model.sent.length).toBe(2);             // it is at work
    model.reply({ kind: "failed", id: model.last.id, text: "division by zero" });
    await settled();
    expect(words(el.querySelector(".tnb-told"))).toBe("division by zero");
    expect(words(figure(lists(el)[1], 1))).toBe("40 %");
    button(el, "saved bytes").click();
    expect(model.sent.length).toBe(3);
  });

  test("do not take the place of what was chosen in the meantime", async () => {
    const { el, model } = await opened();
    button(el, "saved bytes").click();
    await settled();
    button(el, "memory").click();
    model.reply({ kind: "tape", id: model.last.id, found: TAPE });
    await settled();
    expect(button(el, "memory").getAttribute("aria-pressed")).toBe("true");
    expect(words(el.querySelector(".tnb-costs"))).toContain("the largest line allocates");
    button(el, "saved bytes").click();
    expect(words(figure(lists(el)[1], 1))).toBe("80 kB");
    expect(model.sent.length).toBe(2);
  });

  test("that come when the text is another are not shown", async () => {
    const { el, model } = await opened();
    button(el, "saved bytes").click();
    await settled();
    const { id } = model.last;
    model.set({ ...small([RAW, RAW]), name: "other" });
    model.reply({ kind: "tape", id, found: TAPE });
    await settled();
    expect(el.querySelector(".tnb-cost")).toBeNull();
  });

  test("that are malformed are not shown", async () => {
    for (const found of [null, { ...TAPE, bytes: -1 }, { ...TAPE, before: [1] }, { ...TAPE, rows: [[9, [], "", "", 1, 1, "", ""]] },
      { ...TAPE, rows: [[0.5, [], "", "", 1, 1, "", ""]] }, { ...TAPE, rows: [[0, [77], "", "", 1, 1, "", ""]] }]) {
      const { el } = await asked(found);
      expect(words(el.querySelector(".tnb-told"))).toContain("cannot be shown");
      expect(words(figure(lists(el)[1], 1))).toBe("40 %");
      document.body.replaceChildren();
    }
  });

  test("say in the head of a fold what is in it", async () => {
    const state = small([RAW, ROWS]);
    const stages = state.stages.map((one, at) => at === 1 ? { ...one, folds: [[2, 4, "guards", -1] as const] } : one);
    const made = await opened({ stages });
    button(made.el, "saved bytes").click();
    await settled();
    made.model.reply({ kind: "tape", id: made.model.last.id, found: TAPE });
    await settled();
    expect(words(made.el.querySelector(".tnb-fold"))).toBe("▸ guards · 2 lines · 8 kB saved");
  });
});

test("other kinds are named, and texts are text", () => {
  expect(said([0, [0], "<b>", "sampled", 1, 80, "float64", ""])).toBe("<b>: float64, 80 B saved, sampled");
  expect(tapeFacts({ ...TAPE, before: [], times: 1 } as never)).toBe("saved for the backward sweep: 88 kB in 1 value; peak 120 kB, 88 kB of it saved");
  expect(() => readTape(TAPE, 3, 3)).toThrow(Malformed);
});
