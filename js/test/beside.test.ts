/** Another text beside the one that is shown. */
import { afterEach, describe, expect, test } from "vitest";
import { bytes, time } from "../src/units";
import type { Mounted } from "./help";
import { button, lists, mount, row, settled, small, words } from "./help";

const SHOWN = [["def df(x):", "→", [0]], ["y = x * x", "→", [1]], ["by = 1.0", "←", [2]]] as const;
const OTHER = [["def df(x):", "→", [0]], ["by = 1.0", "←", [2]], ["bx = 2 * x", "←", [1]]] as const;
const TEXTS = { names: ["x: f8[n]", "x: float", "general"], ran: 1, here: false, timed: "" };

function choose(el: Element): HTMLSelectElement {
  return el.querySelector<HTMLSelectElement>("select")!;
}

function offers(el: Element): string[] {
  return [...choose(el).options].map((one) => words(one));
}

async function pick({ el }: Mounted, label: string): Promise<void> {
  choose(el).selectedIndex = offers(el).indexOf(label);
  choose(el).dispatchEvent(new Event("change"));
  await settled();
}

async function opened(part: object = { texts: TEXTS }): Promise<Mounted> {
  const made = mount(small([SHOWN], part));
  await pick(made, offers(made.el)[1]!);
  made.model.reply({ kind: "beside", id: made.model.last.id, state: small([OTHER]) });
  await settled();
  return made;
}

afterEach(() => { document.body.replaceChildren(); });

describe("what ran", () => {
  test("is said, and offered first", () => {
    const { el } = mount(small([SHOWN], { texts: TEXTS }));
    expect(words(el.querySelector(".tnb-ran"))).toContain("the last call ran the text for x: float");
    expect(offers(el).slice(0, 4)).toEqual(["beside: nothing", "beside: ran last: x: float", "beside: ran: x: f8[n]", "beside: ran: general"]);
  });

  test("is said of two texts that stand below each other, and none of them is offered", () => {
    const texts = { names: ["x: f8[n]", "general"], ran: 1, here: true, timed: "" };
    const { el, model } = mount(small([SHOWN], { texts }));
    const ran = el.querySelector<HTMLElement>(".tnb-ran")!;
    expect(words(ran)).toContain("the last call ran the general text, which stands below");
    expect(ran.querySelector<HTMLElement>("button")!.hidden).toBe(true);
    expect(offers(el).some((one) => one.includes("ran"))).toBe(false);
    model.set({ ...small([SHOWN]), texts: { ...texts, ran: 0 } });
    expect(words(ran)).toContain("the last call ran the text for x: f8[n]");
  });

  test("is not spoken of before a call", () => {
    const { el } = mount(small([SHOWN]));
    expect(el.querySelector<HTMLElement>(".tnb-ran")!.hidden).toBe(true);
    expect(offers(el).some((one) => one.includes("ran"))).toBe(false);
  });

  test("is asked for by its place", async () => {
    const made = mount(small([SHOWN], { texts: TEXTS }));
    button(made.el, "beside").click();
    expect(made.model.last).toMatchObject({ kind: "text", place: 1 });
    await pick(made, "beside: forward mode");
    expect(made.model.last).toMatchObject({ kind: "other", mode: "forward" });
  });
});

describe("beside", () => {
  test("stands the other text, and rows of one source light up in all three", async () => {
    const { el } = await opened();
    for (const row of el.querySelectorAll(".tnb-beside [role=option] .tnb-sr")) expect(words(row)).toMatch(/^\d+: \S/);
    const third = el.querySelector(".tnb-beside [role=listbox]")!;
    expect(words(third)).toContain("bx = 2 * x");
    const [source, derived] = lists(el);
    row(source, 1).dispatchEvent(new MouseEvent("pointermove", { bubbles: true, clientX: 1 }));
    expect(row(derived, 1).classList.contains("tnb-hot")).toBe(true);
    expect([0, 1, 2].map((at) => row(third, at).classList.contains("tnb-hot"))).toEqual([false, false, true]);
    row(third, 1).dispatchEvent(new MouseEvent("pointermove", { bubbles: true, clientX: 2 }));
    expect(row(source, 2).classList.contains("tnb-hot")).toBe(true);
    expect(row(derived, 2).classList.contains("tnb-hot")).toBe(true);
  });

  test("both are timed when that is asked for", async () => {
    const { el, model } = await opened();
    button(el, "time both").click();
    expect(model.last.kind).toBe("measure");
    model.reply({ kind: "measured", id: model.last.id, figures: [
      { lines: 3, seconds: 2e-6, saved: 80, peak: 1234 }, { lines: 9, seconds: 1e-3, saved: null, peak: null }] });
    await settled();
    const cells = [...el.querySelectorAll(".tnb-figures tbody tr")].map((one) => [...one.children].map((cell) => words(cell)));
    expect(cells[0]!.slice(2)).toEqual(["2 µs", "", "80 B", "1.23 kB"]);
    expect(cells[1]!.slice(2)).toEqual(["1 ms", "500 ×", "–", "–"]);
  });

  test("is not timed without arguments, and says why", async () => {
    const { el, model } = await opened({ texts: { ...TEXTS, timed: "timing needs arguments" } });
    const asked = model.sent.length;
    button(el, "time both").click();
    expect(model.sent.length).toBe(asked);
    expect(words(el.querySelector(".tnb-told"))).toBe("timing needs arguments");
  });

  test("goes when it is closed, and when what is shown is another choice", async () => {
    const { el } = await opened();
    button(el, "✕ close").click();
    expect(el.querySelector(".tnb-beside")).toBeNull();
    const again = await opened();
    const now = small([SHOWN], { texts: TEXTS });
    again.model.set({ ...now, options: { ...now.options, mode: "forward" } });
    expect(again.el.querySelector(".tnb-beside")).toBeNull();
  });

  test("what the kernel refuses is told, and nothing opens", async () => {
    const made = mount(small([SHOWN], { texts: TEXTS }));
    await pick(made, "beside: forward mode");
    made.model.reply({ kind: "failed", id: made.model.last.id, text: "x is an integer" });
    await settled();
    expect(words(made.el.querySelector(".tnb-alert"))).toContain("x is an integer");
    expect(choose(made.el).selectedIndex).toBe(0);
  });

  test("what is malformed is not shown", async () => {
    const made = mount(small([SHOWN], { texts: TEXTS }));
    await pick(made, "beside: forward mode");
    made.model.reply({ kind: "beside", id: made.model.last.id, state: { version: 1, lines: "<b>" } });
    await settled();
    expect(made.el.querySelector(".tnb-beside")).toBeNull();
    expect(words(made.el.querySelector(".tnb-alert"))).toContain("cannot be shown");
  });
});

test("figures read as people write them", () => {
  expect([2.34567e-7, 1.5e-3, 2].map(time)).toEqual(["0.235 µs", "1.5 ms", "2 s"]);
  expect([0, 999, 20_480, 3.2e6, null].map(bytes)).toEqual(["0 B", "999 B", "20.5 kB", "3.2 MB", "–"]);
});
