/** Going through a run: what the buttons, the slider and the keys do, and what is asked of the kernel. */
import { afterEach, expect, test, vi } from "vitest";
import { colour, columns, short } from "../src/heat";
import type { Overview, Piece } from "../src/recording";
import { again, out, over, readOverview, readPiece, rowOf } from "../src/recording";
import type { Mounted, Sent } from "./help";
import { button, mount, press, settled, small, words } from "./help";

const STEPS = 250;
const ROWS = [["def df(x):", "→", []], ["y = x * x", "→", [1]], ["by = 1.0", "←", [2]]] as const;

function overview(part: Partial<Overview> = {}): Overview {
  const all = (of: (at: number) => number): number[] => Array.from({ length: STEPS }, (_, at) => of(at));
  return { steps: STEPS, piece: 100, sites: [[1, [1], "y = x * x", false], [2, [2], "by = 1.0", false], [-1, [], "inner", false]],
    site: all((at) => at % 3), call: all((at) => at % 3 === 2 ? 1 : 0), kind: all(() => 1), sweep: all((at) => at < 100 ? 1 : 2),
    calls: [["df", 0, -1], ["half", 1, 1]], notes: [], flaw: null, ...part };
}

function piece(number: number): Piece {
  const length = Math.min(100, STEPS - number * 100);
  return { piece: number, values: [["(2,) float64", [2], [1, "NaN"]], ["1.5", [], []]],
    moments: Array.from({ length }, (_, at) => [[["h", "bh", 0, 1, at % 2, number * 100 + at + 7 < STEPS ? number * 100 + at + 7 : -1]],
      [["h_saved", 30, at % 2 === 0 ? 1 : -1, [1, 0], -1]]]) };
}

async function opened(part: Partial<Overview> = {}): Promise<Mounted> {
  const made = mount(small([ROWS]));
  button(made.el, "step").click();
  made.model.reply({ kind: "stepped", id: made.model.last.id, overview: overview(part) });
  await settled();
  await answer(made);
  return made;
}

async function answer({ model }: Mounted): Promise<Sent> {
  const asked = model.last;
  if (asked.kind === "moments") model.reply({ kind: "moments", id: asked.id, moments: piece(Number(asked.piece)) });
  await settled();
  return asked;
}

function slider(el: Element): HTMLInputElement {
  return el.querySelector<HTMLInputElement>(".tnb-step input[type=range]")!;
}

function named(el: Element, name: string): HTMLButtonElement {
  return el.querySelector<HTMLButtonElement>(`button[aria-label="${name}"]`)!;
}

function at(el: Element): string {
  return words(el.querySelector(".tnb-at"));
}

function now(el: Element): (string | null)[] {
  return [...el.querySelectorAll(".tnb-now")].map((one) => one.getAttribute("data-row"));
}

afterEach(() => {
  vi.useRealTimers();
  document.body.replaceChildren();
});

test("the run is asked for when the button is pressed, and no sooner", async () => {
  const { el, model } = mount(small([ROWS]));
  expect(model.sent).toEqual([]);
  expect(el.querySelector<HTMLElement>(".tnb-step")?.hidden).not.toBe(false);
  button(el, "step").click();
  expect(model.last.kind).toBe("step");
  model.reply({ kind: "failed", id: model.last.id, text: "no" });
  await settled();
  expect(words(el.querySelector(".tnb-told"))).toBe("no");
});

test("a state that says so opens it at once; one that gives a reason cannot", () => {
  expect(mount(small([ROWS], { step: { reason: "", open: true } })).model.last.kind).toBe("step");
  const { el, model } = mount(small([ROWS], { step: { reason: "needs --at", open: false } }));
  button(el, "step").click();
  expect(model.sent).toEqual([]);
  expect(words(el.querySelector(".tnb-told"))).toBe("needs --at");
});

test("both panes mark where the run is, with a word for those who do not see it", async () => {
  const { el } = await opened();
  expect(at(el)).toBe("step 1 of 250 · forward sweep");
  expect(now(el)).toEqual(["1", "1"]);
  expect(el.querySelector(".tnb-now")?.getAttribute("aria-current")).toBe("step");
  named(el, "next step").click();
  expect(now(el)).toEqual(["2", "2"]);
  named(el, "next step").click();
  expect(now(el)).toEqual(["2"]);                  // in a function that is not shown: the line that calls it
  expect(at(el)).toContain("half, 1 call deep");
});

test("first, previous, next, last, over, out, this line again", async () => {
  const made = await opened();
  const { el } = made;
  named(el, "next step").click();
  named(el, "over the call").click();
  expect(at(el)).toContain("step 4 of");
  named(el, "this line again, the next time").click();
  expect(at(el)).toContain("step 7 of");
  named(el, "previous step").click();
  expect(at(el)).toContain("step 6 of");
  named(el, "out of the call").click();
  expect(at(el)).toContain("step 7 of");
  named(el, "last step").click();
  expect(at(el)).toContain("step 250 of 250 · backward sweep");
  expect(named(el, "next step").getAttribute("aria-disabled")).toBe("true");
  named(el, "first step").click();
  expect(at(el)).toContain("step 1 of");
  expect(named(el, "previous step").getAttribute("aria-disabled")).toBe("true");
});

test("pieces are asked for one at a time, the one that is wanted last", async () => {
  const made = await opened();
  const { el, model } = made;
  const before = model.sent.length;
  for (const to of [110, 180, 230]) {
    slider(el).value = String(to);
    slider(el).dispatchEvent(new Event("input"));
  }
  expect(model.sent.length).toBe(before + 1);
  expect(model.last).toMatchObject({ kind: "moments", piece: 1 });
  expect(el.querySelector(".tnb-stepbody")?.getAttribute("aria-busy")).toBe("true");
  await answer(made);
  expect(model.last).toMatchObject({ kind: "moments", piece: 2 });
  await answer(made);
  expect(el.querySelector(".tnb-stepbody")?.getAttribute("aria-busy")).toBe("false");
  expect(at(el)).toContain("step 231 of 250");
  expect(slider(el).getAttribute("aria-valuetext")).toContain("step 231 of 250");
});

test("keys of the slider stay with it", async () => {
  const { el } = await opened();
  const heard = vi.fn();
  document.addEventListener("keydown", heard);
  press(slider(el), "ArrowRight");
  document.removeEventListener("keydown", heard);
  expect(heard).not.toHaveBeenCalled();
  expect(slider(el).max).toBe("249");
});

test("a variable stands beside its cotangent; its name leads to its next change, and keeps the focus", async () => {
  const { el } = await opened();
  const row = el.querySelector(".tnb-step tbody tr")!;
  expect([...row.children].map(words)).toEqual(["h", "![1, NaN] (2,) float64", "bh 1.5"]);
  const name = row.querySelector<HTMLButtonElement>("[data-name=h]")!;
  expect(name.title).toBe("to the next change of h: step 8");
  name.focus();
  name.click();
  expect(at(el)).toContain("step 8 of");
  expect(document.activeElement?.getAttribute("data-name")).toBe("h");
  expect(words(el.querySelector(".tnb-step tbody .tnb-changed"))).toContain("changed:");
});

test("a saved list is a stack: what was put on, what was taken off, what is not drawn", async () => {
  const { el } = await opened();
  const stack = (): string => words(el.querySelector(".tnb-stack"));
  expect(stack()).toContain("h_saved30, one was put on28 more");
  expect(el.querySelectorAll(".tnb-box.tnb-changed").length).toBe(1);
  named(el, "next step").click();
  expect(stack()).toContain("one was taken off");
  expect(el.querySelectorAll(".tnb-box.tnb-gone").length).toBe(1);
});

test("play goes on until the end, and waits for what is not there", async () => {
  const made = await opened({});
  vi.useFakeTimers();
  const { el } = made;
  named(el, "play").click();
  vi.advanceTimersByTime(1500);
  expect(at(el)).toContain("step 3 of");
  named(el, "pause").click();
  vi.advanceTimersByTime(5000);
  expect(at(el)).toContain("step 3 of");
  slider(el).value = "150";
  slider(el).dispatchEvent(new Event("input"));
  named(el, "play").click();
  vi.advanceTimersByTime(5000);
  expect(at(el)).toContain("step 151 of");         // the kernel has not answered
});

test("the first bad line is marked in both panes, and can be gone to", async () => {
  const { el } = await opened({ flaw: { step: 4, title: "by: NaN", text: "by: NaN\n  found: nan" } });
  expect([...el.querySelectorAll(".tnb-row .tnb-no")].map(words)).toEqual(["◀ by: NaN", "◀ by: NaN"]);
  expect(words(el.querySelector(".tnb-step .tnb-alert"))).toContain("by: NaN, step 5 found: nan");
  button(el, "go there").click();
  expect(at(el)).toContain("step 5 of");
});

test("another text ends it; late answers are left alone", async () => {
  const made = await opened();
  const { el, model } = made;
  slider(el).value = "150";
  slider(el).dispatchEvent(new Event("input"));
  model.set(small([[["def dg(x):", "→", []]]], { name: "dg" }));
  expect(el.querySelector<HTMLElement>(".tnb-step")?.hidden ?? true).toBe(true);
  await answer(made);
  expect(now(el)).toEqual([]);
  expect(button(el, "step").getAttribute("aria-pressed")).toBe("false");
});

test("the last stage is shown while a run is gone through", async () => {
  const made = mount(small([ROWS, ROWS]));
  const { el, model } = made;
  el.querySelectorAll<HTMLElement>("[role=tab]")[0]!.click();
  button(el, "step").click();
  model.reply({ kind: "stepped", id: model.last.id, overview: overview() });
  await settled();
  expect(el.querySelectorAll("[role=tab]")[1]!.getAttribute("aria-selected")).toBe("true");
});

test.each([
  { steps: -1 }, { site: [99] }, { sites: [[99, [], "", false]] as never }, { sites: [[0, [99], "", false]] as never },
  { kind: [7] }, { call: [] }, { flaw: { step: 999, title: "", text: "" } }, { piece: 0 }, { calls: [["f", 0, 99]] as never },
])("an overview that is none is refused: %j", (part) => {
  expect(() => readOverview(overview(part as Partial<Overview>), 3, 3)).toThrow();
});

test("pieces that are none are refused", () => {
  const good = piece(0);
  const whole = overview();
  expect(readPiece(good, whole)).toEqual(good);
  const bad: unknown[] = [null, {}, { ...good, moments: [] }, { ...good, values: [] }, { ...good, values: [["", [3], [1]], ["", [], []]] },
    { ...good, values: [["", [], ["<b>"]], ["", [], []]] }, piece(2)];
  for (const one of bad.slice(0, 6)) expect(() => readPiece(one, whole)).toThrow();
});

test("steps over and out of calls, and rows of those that are not shown", () => {
  const whole = overview();
  expect([over(whole, 1), out(whole, 2), again(whole, 0), again(whole, STEPS - 1), out(whole, 0)]).toEqual([3, 3, 3, -1, -1]);
  expect([rowOf(whole, 0), rowOf(whole, 2)]).toEqual([1, 2]);
});

test("cells: blue below zero, red above, none at zero; short numbers", () => {
  expect(colour(-2, 2)).toContain("--tnb-cold) 100%");
  expect(colour(0.5, 2)).toContain("--tnb-warm) 50%");
  expect([colour("NaN", 1), colour(1, 0)]).toEqual(["", ""]);
  expect([short(3), short(0.123456), short(1e-9), short("Inf"), short(1.5e20)]).toEqual(["3", "0.1235", "1.00e-9", "Inf", "1.50e+20"]);
  expect([columns([2, 3]), columns([]), columns([4])]).toEqual([3, 1, 4]);
});
