import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { LONG_REST_MS, LONG_ROWS, LONGEST_MS, LONGEST_NEAR_MS, REST_MS } from "../src/ahead";
import type { State } from "../src/state";
import type { Mounted, Sent } from "./help";
import { button, click, lists, mount, press, settled, state, tab, texts, words } from "./help";

const ALL = state().options.passes.map(({ name }) => name);
const FRAME_MS = 20;
const SHOWN = { wrt: ["w", "b"], mode: "reverse", backend: "numpy", passes: ALL, tape: "" };

beforeEach(() => { vi.useFakeTimers(); });
afterEach(() => {
  vi.useRealTimers();
  document.body.replaceChildren();
});

function enter(target: Element): void {
  target.dispatchEvent(new PointerEvent("pointerenter"));
}

function prepared({ model }: Mounted): readonly Sent[] {
  return model.sent.filter(({ kind }) => kind === "prepare");
}

async function rest(): Promise<void> {
  vi.advanceTimersByTime(REST_MS + 1);
  await settled();
}

async function longRest(): Promise<void> {
  vi.advanceTimersByTime(LONG_REST_MS + 1);
  await settled();
}

/** What was drawn is painted. */
async function frame(): Promise<void> {
  vi.advanceTimersByTime(FRAME_MS);
  await settled();
}

async function answered({ model }: Mounted): Promise<void> {
  model.reply({ kind: "done", id: model.last.id });
  await settled();
}

test("what the pointer rests on is derived ahead, once", async () => {
  const mounted = mount(state());
  enter(button(mounted.el, "forward"));
  expect(prepared(mounted)).toEqual([]);
  await rest();
  expect(prepared(mounted)).toEqual([{ kind: "prepare", id: mounted.model.last.id, ...SHOWN, mode: "forward", whole: true }]);
  await answered(mounted);
  enter(button(mounted.el, "forward"));
  await rest();
  expect(prepared(mounted)).toHaveLength(1);
  mounted.model.reply({ kind: "forgotten" });
  await rest();
  expect(prepared(mounted)).toHaveLength(1);       // not before the pointer comes again
  enter(button(mounted.el, "forward"));
  await rest();
  expect(prepared(mounted)).toHaveLength(2);
});

test("a pointer that passes asks for nothing, nor one at what is on, or cannot be had", async () => {
  const mounted = mount(state());
  enter(button(mounted.el, "forward"));
  button(mounted.el, "forward").dispatchEvent(new PointerEvent("pointerleave"));
  await rest();
  enter(button(mounted.el, "reverse"));
  await rest();
  const { status } = state();
  mounted.model.set(state({ status: { ...status, ms: LONGEST_NEAR_MS + 1 } }));
  enter(button(mounted.el, "forward"));
  await longRest();
  expect(prepared(mounted)).toEqual([]);
  button(mounted.el, "forward").dispatchEvent(new PointerEvent("pointerleave"));
  mounted.model.set(state({ status: { ...status, ms: LONGEST_NEAR_MS + 1 } }));
  click(button(mounted.el, "passes"));
  await longRest();
  expect(prepared(mounted)).toEqual([]);           // what lies open only where it is quick
});

test("where deriving takes long the pointer has to stay longer; the first time, which finds what all share, is no measure", async () => {
  const mounted = mount(state());
  const { status } = state();
  mounted.model.set(state({ status: { ...status, ms: LONGEST_MS } }));
  click(button(mounted.el, "passes"));
  await rest();
  expect(prepared(mounted)).toEqual([]);
  await longRest();
  expect(prepared(mounted)).toHaveLength(1);
  vi.advanceTimersByTime(LONGEST_MS * 3);
  await answered(mounted);
  await longRest();
  expect(prepared(mounted)).toHaveLength(2);
  vi.advanceTimersByTime(LONGEST_MS * 3);
  await answered(mounted);
  await longRest();
  expect(prepared(mounted)).toHaveLength(2);       // it takes longer than it may
});

test("the passes that lie open are derived one after the other, those with a stage first, before all the one under the pointer", async () => {
  const mounted = mount(state());
  click(button(mounted.el, "passes"));
  await rest();
  const staged = state().stages.map(({ name }) => name);
  const order = [...ALL.filter((name) => staged.includes(name)), ...ALL.filter((name) => !staged.includes(name))];
  expect(order[0]).not.toBe(ALL[0]);
  const without = (name: string | undefined): object => ({ ...SHOWN, passes: ALL.filter((one) => one !== name) });
  expect(mounted.model.last).toMatchObject(without(order[0]));
  enter(mounted.el.querySelectorAll(".tnb-pass")[4]!);
  await rest();
  expect(prepared(mounted)).toHaveLength(1);
  await answered(mounted);
  await rest();
  expect(mounted.model.last).toMatchObject(without(ALL[4]));
  await answered(mounted);
  await rest();
  expect(mounted.model.last).toMatchObject(without(order[1]));
  click(button(mounted.el, "passes"));             // closed again
  await answered(mounted);
  mounted.el.querySelectorAll(".tnb-pass")[4]!.dispatchEvent(new PointerEvent("pointerleave"));
  await rest();
  expect(prepared(mounted)).toHaveLength(3);
});

test("a view that waits for an answer asks for nothing else, and does not wait for what is derived ahead", async () => {
  const mounted = mount(state());
  enter(button(mounted.el, "forward"));
  await rest();
  click(button(mounted.el, "forward"));
  expect(mounted.model.last).toMatchObject({ kind: "derive", mode: "forward" });
  enter(button(mounted.el, "x"));
  await rest();
  expect(prepared(mounted)).toHaveLength(1);
});

test("what is there is drawn at the click, while the kernel is asked; what it says then is what holds", async () => {
  const mounted = mount(state());
  const title = (): string | null => mounted.el.querySelector(".tnb-widget")!.getAttribute("aria-label");
  const forward = (): State => ({ ...state(), title: "tangent", options: { ...state().options, mode: "forward" } });
  enter(button(mounted.el, "forward"));
  await rest();
  mounted.model.reply({ kind: "prepared", id: mounted.model.last.id, state: { ...forward(), bound: "never" } });
  await settled();
  expect(title()).not.toContain("tangent");
  click(button(mounted.el, "forward"));
  expect(title()).toContain("tangent");
  expect(mounted.el.querySelector("[aria-busy=true]")).not.toBeNull();
  expect(mounted.el.textContent).not.toContain("never");
  expect(mounted.model.last.kind).toBe("prepare");         // the frame first
  await frame();
  expect(mounted.model.last.kind).toBe("derive");
  mounted.model.set({ ...forward(), title: "tangent, said by the kernel" });
  await answered(mounted);
  expect(title()).toContain("said by the kernel");
  expect(mounted.el.querySelector("[aria-busy=true]")).toBeNull();
  click(button(mounted.el, "reverse"));            // shown before
  expect(title()).not.toContain("tangent");
  await frame();
  mounted.model.reply({ kind: "failed", id: mounted.model.last.id, text: "no" });
  await settled();
  expect(title()).toContain("said by the kernel");
  mounted.model.reply({ kind: "forgotten" });
  click(button(mounted.el, "reverse"));
  expect(title()).toContain("said by the kernel");
});

test("what is shown may be chosen again after another, though a cell has run since it came", async () => {
  const mounted = mount(state());
  const title = (): string | null => mounted.el.querySelector(".tnb-widget")!.getAttribute("aria-label");
  mounted.model.reply({ kind: "forgotten" });
  click(button(mounted.el, "forward"));
  expect(title()).not.toContain("tangent");
  mounted.model.set({ ...state(), title: "tangent", options: { ...state().options, mode: "forward" } });
  await answered(mounted);
  expect(title()).toContain("tangent");
  click(button(mounted.el, "reverse"));
  expect(title()).not.toContain("tangent");
  await frame();
  await answered(mounted);
  mounted.model.set({ ...state(), stale: "f has been defined anew" });
  click(button(mounted.el, "forward"));
  await frame();
  mounted.model.set({ ...state(), title: "tangent", options: { ...state().options, mode: "forward" } });
  await answered(mounted);
  mounted.model.reply({ kind: "forgotten" });
  click(button(mounted.el, "reverse"));            // it was stale when it was left
  expect(title()).toContain("tangent");
});

/** A state with a last text of many lines. */
function long(): State {
  const { stages, final } = state();
  const rows = Array.from({ length: LONG_ROWS + 1 }, (_, at) => stages[final]!.rows[at % stages[final]!.rows.length]!);
  return state({ stages: stages.map((one, at) => at === final ? { ...one, rows, folds: [] } : one) });
}

/** A state of which the texts of passes have not come. */
function glance(): State {
  const { options, stages } = state();
  return state({ title: "tangent", options: { ...options, mode: "forward" },
    stages: stages.map((one) => one.part === "passes" ? { ...one, count: -1, rows: [], folds: [] } : one) });
}

test("where all of it takes long the text alone comes first, and is drawn until the kernel has said all", async () => {
  const mounted = mount(long());
  const title = (): string | null => mounted.el.querySelector(".tnb-widget")!.getAttribute("aria-label");
  const sent = (): unknown[] => mounted.model.sent.map(({ kind }) => kind);
  click(button(mounted.el, "forward"));
  expect(sent()).toEqual(["prepare", "derive"]);
  expect(mounted.model.sent[0]).toMatchObject({ mode: "forward", whole: false });
  expect(title()).not.toContain("tangent");
  mounted.model.reply({ kind: "prepared", id: mounted.model.sent[0]!.id, state: glance() });
  await settled();
  expect(title()).toContain("tangent");
  expect(words(mounted.el.querySelector(".tnb-stages"))).toContain("passes lines");        // how many, nobody knows yet
  const rows = texts(lists(mounted.el)[1]);
  expect(rows.length).toBeGreaterThan(3);
  click(tab(mounted.el, "passes"));
  expect(texts(lists(mounted.el)[1])).toEqual(rows);                                       // until it is there
  mounted.model.set({ ...glance(), stages: state().stages });
  await answered(mounted);
  expect(words(mounted.el.querySelector(".tnb-stages"))).not.toContain("passes lines");
  expect(texts(lists(mounted.el)[1])).not.toEqual(rows);
});

test("who looks at what a pass does waits for all of it", async () => {
  const mounted = mount(long());
  enter(button(mounted.el, "forward"));
  await rest();
  expect(mounted.model.last).toMatchObject({ kind: "prepare", whole: false });
  mounted.model.reply({ kind: "prepared", id: mounted.model.last.id, state: glance() });
  await settled();
  click(tab(mounted.el, "passes"));
  const rows = texts(lists(mounted.el)[1]);
  click(button(mounted.el, "forward"));
  expect(texts(lists(mounted.el)[1])).toEqual(rows);
  await answered(mounted);
  enter(button(mounted.el, "x"));
  await rest();
  expect(mounted.model.last).toMatchObject({ kind: "prepare", whole: true });
});

/** The last text of `glance`, a text for other arguments behind its first rows, and all others. */
function come(): State {
  const { final } = state();
  const rows = long().stages[final]!.rows;
  const stages = state().stages.map((one, at) => at === final ? { ...one, rows: [...rows.slice(0, 9), ...rows.slice(20, 29), ...rows.slice(9)],
    folds: [[1, 3, "guards", -1], [9, 18, "for other arguments", -1], [29, 31, "helper", -1]] as const } : one);
  return { ...glance(), stages };
}

function glanceLong(): State {
  const { final } = state();
  const rows = long().stages[final]!.rows;
  return { ...glance(), stages: glance().stages.map((one, at) => at === final ? { ...one, rows, folds: [[1, 3, "guards", -1], [20, 22, "helper", -1]] as const }
    : { ...one, count: -1, rows: [], folds: [] }) };
}

test("what the reader does at a glance stays when the rest has come", async () => {
  const mounted = mount({ ...long(), lines: long().lines.map((one, at) => at === long().stages[long().final]!.rows[6]![0] ? [["", "another"] as const] : one) });
  const folds = (): readonly string[] => [...lists(mounted.el)[1].querySelectorAll(".tnb-fold")].map((one) => words(one));
  const seen = (): string => words(mounted.el.querySelector(".tnb-presenter .tnb-count"));
  click(button(mounted.el, "forward"));
  mounted.model.reply({ kind: "prepared", id: mounted.model.sent[0]!.id, state: glanceLong() });
  await settled();
  expect(folds()).toEqual(["▸ guards · 2 lines", "▸ helper · 2 lines"]);
  for (const fold of lists(mounted.el)[1].querySelectorAll(".tnb-fold")) click(fold);
  click(tab(mounted.el, "derivative"));
  expect(mounted.el.querySelector("[role=tabpanel] .tnb-facts")?.textContent).toBe("this text is being made");
  click(button(mounted.el, "optimized"));
  click(button(mounted.el, "present"));
  for (const key of ["ArrowRight", "ArrowRight"]) press(mounted.el.querySelector(".tnb-widget")!, key);
  expect(seen()).toMatch(/^2 \//);
  mounted.model.set(come());
  await answered(mounted);
  expect(seen()).toMatch(/^2 \//);
  expect(folds()).toEqual(["▾ guards · 2 lines", "▸ for other arguments · 9 lines", "▾ helper · 2 lines"]);
});

test("a state that is not of the functions of now any more is not drawn again before the kernel has said so", async () => {
  const mounted = mount(state());
  const title = (): string | null => mounted.el.querySelector(".tnb-widget")!.getAttribute("aria-label");
  mounted.model.reply({ kind: "forgotten" });
  mounted.model.set({ ...state(), title: "of before", stale: "half has been defined anew" });
  click(button(mounted.el, "forward"));
  mounted.model.set({ ...state(), title: "of now", options: { ...state().options, mode: "forward" } });
  await answered(mounted);
  click(button(mounted.el, "reverse"));
  expect(title()).toContain("of now");
});
