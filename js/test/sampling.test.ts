/** The sampled tape: marks beside the lines, the slider, and how far the gradient is spread. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ticks } from "../src/figures";
import { KernelHost } from "../src/kernel";
import { OfflineHost } from "../src/offline";
import { fractionAt, REST_MS, stepOf, SWEEP } from "../src/sampling";
import { Malformed } from "../src/shapes";
import { besides, curveOf, percent, plusMinus, readSpread, relative, whole } from "../src/spread";
import { validate } from "../src/validate";
import { View } from "../src/view";
import type { Mounted } from "./help";
import { button, FakeModel, lists, mount, row, settled, small, state, tab, words } from "./help";

const RAW = [["def df(x):", "→", [0]], ["bx = rt.matmul_dy(by, x)", "←", [1]]] as const;
const ROWS = [["def df(x):", "→", [0]], ["x_sampled = rt.sample(x, stream, fraction=0.25)", "→", [1]], ["g_bits = rt.pack_bits(g)", "→", [1]],
  ["by = 2.0 * y", "←", [2]], ["bx = rt.unsample(x_sampled) @ rt.unpack_bits(g_bits)", "←", [1]], ["return bx", "←", []]] as const;
const HOW = "0.25 of the last axis, places drawn with replacement, the same for all rows";
const SAMPLES = { tape: "sampled:0.25,seed=3", fraction: 0.25, k: null, method: "with_replacement", share: "batch", rest: ",seed=3",
  sites: [["x", "sampled", 0.25, HOW], ["rt.greater(g, 0.0)", "signs", 1, "one bit of each number, exact"]] as const,
  stages: [[1, [[1, 0, true], [2, 1, true], [4, 0, false], [4, 1, false]] as const]] as const };
const POINT = { tape: "sampled:0.25,seed=3", fraction: 0.25, draws: 100, seconds: 0.5, bytes: 2500, sites: [[1, 8000, 32_000], [2, 250, 16_000]],
  parameters: [["w", 12, 2, 1, 0.11, 1.02, 0.03, [0.9, 1.1, 1.2]], ["b", 3, 0, 0.5, 0.01, null, null, []], ["c", 3, null, null, null, null, null, []], ["d", 0, 0, 0, 0, null, null, []]] };
const EXACT = state().samples;

function sampled(part: object = {}): Mounted {
  return mount(small([RAW, ROWS], { samples: SAMPLES, ...part }));
}

function slider(el: Element): HTMLInputElement {
  return el.querySelector<HTMLInputElement>(".tnb-samplingbar input[type=range]")!;
}

function pie(list: Element, at: number): HTMLElement | null {
  return row(list, at).querySelector<HTMLElement>(".tnb-pie");
}

function point(tape: string, fraction: number, deviation: number): object {
  return { ...POINT, tape, fraction, parameters: [["w", 12, 2, deviation, 0.11, 1.02, 0.03, [0.9]]] };
}

async function slide(el: Element, step: number): Promise<void> {
  slider(el).value = String(step);
  slider(el).dispatchEvent(new Event("input"));
  await vi.advanceTimersByTimeAsync(REST_MS);
}

async function answered({ model }: Mounted, points: readonly object[] = [POINT], id = model.last.id): Promise<void> {
  model.reply({ kind: "spread", id, found: { bytes: 10_000, points } });
  await settled();
}

beforeEach(() => { vi.useFakeTimers(); });
afterEach(() => {
  vi.useRealTimers();
  document.body.replaceChildren();
});

describe("marks", () => {
  test("stand beside what is kept and what reads it, in both texts, and are said", () => {
    const [source, derived] = lists(sampled().el);
    expect([1, 2, 3, 4].map((at) => pie(derived, at)?.className ?? "")).toEqual(["tnb-pie", "tnb-pie tnb-signs", "", "tnb-pie tnb-reads"]);
    expect(pie(derived, 1)?.title).toBe(`sample of x kept (${HOW})`);
    expect(pie(derived, 1)?.style.getPropertyValue("--tnb-share")).toBe("0.250");
    expect(words(row(derived, 4))).toContain(`sample of x read (${HOW}); signs of g read (one bit of each number, exact)`);
    expect(pie(source, 1)?.title.startsWith("sample of x kept")).toBe(true);
    expect([pie(source, 0), pie(source, 2)]).toEqual([null, null]);
    expect(derived.querySelector(".tnb-canvas")?.classList.contains("tnb-pied")).toBe(true);
  });

  test("are of the stage that is shown", () => {
    const { el } = sampled();
    tab(el, "part 0").click();
    expect(el.querySelectorAll(".tnb-list .tnb-pie")).toHaveLength(0);
    expect(el.querySelector(".tnb-pied")).toBeNull();
    tab(el, "part 1").click();
    button(el, "diff").click();
    const text = [...el.querySelectorAll(".tnb-list:last-of-type [data-row]")].filter((one) => one.querySelector(".tnb-pie") !== null).map((one) => words(one.querySelector(".tnb-text")));
    expect(text).toContain("x_sampled = rt.sample(x, stream, fraction=0.25)");
  });

  test("an exact tape has none, and no row of its own", () => {
    const { el } = mount(small([RAW, ROWS]));
    expect(el.querySelector(".tnb-list .tnb-pie")).toBeNull();
    expect(el.querySelector<HTMLElement>(".tnb-sampling")!.hidden).toBe(true);
  });

  test.each([[[[1, [[9, 0, true]]]]], [[[1, [[1, 7, true]]]]], [[[5, [[0, 0, true]]]]], [[[1, [[1, 0, 1]]]]]])("of what is not there are refused: %j", (stages) => {
    expect(validate(small([RAW, ROWS], { samples: { ...SAMPLES, stages } as never }))).toHaveProperty("malformed");
  });
});

describe("the slider", () => {
  test("shows the fraction, and asks when it rests, once", async () => {
    const { el, model } = sampled();
    expect(slider(el).getAttribute("aria-valuetext")).toBe("0.25");
    slider(el).value = "35";
    slider(el).dispatchEvent(new Event("input"));
    await slide(el, 20);
    expect(model.sent.map(({ kind, tape }) => [kind, tape])).toEqual([["derive", "sampled:0.1,seed=3"]]);
    expect(el.querySelector<HTMLInputElement>(".tnb-fraction")!.value).toBe("0.1");
  });

  test("waits while the kernel is asked, and the last wish holds", async () => {
    const { el, model } = sampled();
    await slide(el, 20);
    await slide(el, 30);
    await slide(el, 40);
    expect(model.sent).toHaveLength(1);
    model.set(small([RAW, ROWS], { samples: { ...SAMPLES, tape: "sampled:0.1,seed=3", fraction: 0.1 } }));
    model.reply({ kind: "done", id: model.last.id });
    await settled();
    expect(model.sent.map(({ tape }) => tape)).toEqual(["sampled:0.1,seed=3", "sampled:1,seed=3"]);
    expect(slider(el).value).toBe("40");
  });

  test("what is typed is sent as it is, and what is refused is taken back", async () => {
    const { el, model } = sampled();
    const number = el.querySelector<HTMLInputElement>(".tnb-fraction")!;
    const type = (text: string): void => {
      number.value = text;
      number.dispatchEvent(new Event("change"));
    };
    type("7");
    expect(model.last.tape).toBe("sampled:7,seed=3");
    model.set(small([RAW, ROWS], { samples: SAMPLES, refusal: "fraction is a number above 0 and at most 1, not 7" }));
    model.reply({ kind: "done", id: model.last.id });
    await settled();
    expect([number.value, words(el.querySelector(".tnb-alert"))]).toEqual(["0.25",
      "Refused. What is shown is the derivative of before.fraction is a number above 0 and at most 1, not 7"]);
    type("k=30");
    expect(model.last.tape).toBe("sampled:k=30,seed=3");
    model.reply({ kind: "done", id: model.last.id });
    await settled();
    type("0.1,seed=9");
    expect(model.last.tape).toBe("sampled:0.1 seed 9,seed=3");
  });

  test("of a kernel that is gone says so, and goes back", async () => {
    const { el, model } = sampled();
    model.comm_live = false;
    model.trigger("comm_live_update");
    await vi.advanceTimersByTimeAsync(1);
    await slide(el, 5);
    expect(model.sent).toEqual([]);
    expect([words(el.querySelector(".tnb-told")), slider(el).getAttribute("aria-valuetext")]).toEqual(["the kernel does not answer", "0.25"]);
  });

  test("methods and shares are asked for at once", () => {
    const { el, model } = sampled();
    const [method] = el.querySelectorAll<HTMLSelectElement>(".tnb-samplingbar select");
    method!.value = "rademacher";
    method!.dispatchEvent(new Event("change"));
    expect(model.last.tape).toBe("sampled:0.25,method=rademacher,seed=3");
  });

  test("has steps that are as long in powers", () => {
    expect([0, 20, 40].map(fractionAt)).toEqual([0.01, 0.1, 1]);
    for (let step = 0; step <= 40; step++) expect(stepOf(fractionAt(step))).toBe(step);
    expect([stepOf(1e-9), stepOf(1)]).toEqual([0, 40]);
  });
});

describe("exact or sampled", () => {
  test("is chosen in the toolbar, and remembers what was asked for", async () => {
    const { el, model } = sampled();
    button(el, "exact tape").click();
    expect(model.last).toMatchObject({ kind: "derive", tape: "" });
    model.set(small([RAW, RAW]));
    model.reply({ kind: "done", id: model.last.id });
    await settled();
    button(el, "sampled").click();
    vi.advanceTimersByTime(REST_MS);               // shown before: it is drawn first
    await settled();
    expect(model.last.tape).toBe("sampled:0.25,seed=3");
  });

  test.each([[{ mode: "forward" }, "forward mode keeps nothing"], [{ backend: "numba" }, "choose NumPy or JAX first"]] as const)("says why it cannot be: %j", (part, says) => {
    const { el, model } = mount(small([RAW, ROWS], { options: { ...state().options, ...part } }));
    button(el, "sampled").click();
    expect(model.sent).toEqual([]);
    expect(words(el.querySelector(".tnb-told"))).toContain(says);
  });
});

describe("the spread", () => {
  test("is drawn when asked for, in figures and in words", async () => {
    const one = sampled();
    button(one.el, "spread").click();
    expect(one.model.last).toMatchObject({ kind: "spread", tape: "sampled:0.25,seed=3" });
    await answered(one);
    const { el } = one;
    expect(words(el.querySelector(".tnb-samplingbar .tnb-facts"))).toBe("tape 2.5 kB, exact 10 kB · 100 draws in 0.5 s");
    const rows = [...el.querySelectorAll(".tnb-spread tbody tr")].slice(0, 4).map((each) => [...each.querySelectorAll("th, td")].map(words));
    expect(rows).toEqual([["w12 numbers", "50 %", "", "1.020 ± 0.030", "5.5 %expected 5 %"], ["b3 numbers", "0.500; the exact gradient is 0", "", "", "0.010"],
      ["c3 numbers", "not finite here", "", "", ""], ["d0 numbers", "no numbers", "", "", ""]]);
    expect([...el.querySelectorAll(".tnb-spread svg[role=img]")].map((svg) => svg.getAttribute("aria-label"))).toEqual([
      "w: draws along the exact gradient, which is 1; their mean is 1.020 ± 0.030", "spread of the gradient for each fraction: nothing measured"]);
    expect(el.querySelector(".tnb-spread table.tnb-sr")).not.toBeNull();
    const [, derived] = lists(el);
    expect(pie(derived, 1)?.title).toBe(`sample of x kept (${HOW}; 32 kB exact, 8 kB kept)`);
    expect(words(row(derived, 4))).toContain("16 kB exact, 250 B kept");
  });

  test("follows the slider once it was asked for, and only then", async () => {
    const one = sampled();
    await slide(one.el, 20);
    const derive = one.model.last.id;
    const next = { ...SAMPLES, tape: "sampled:0.1,seed=3", fraction: 0.1 };
    one.model.set(small([RAW, ROWS], { samples: next }));
    one.model.reply({ kind: "done", id: derive });
    await settled();
    expect(one.model.sent.map(({ kind }) => kind)).toEqual(["derive"]);
    button(one.el, "spread").click();
    await answered(one, [point("sampled:0.1,seed=3", 0.1, 2)]);
    await slide(one.el, 40);
    one.model.set(small([RAW, ROWS], { samples: { ...SAMPLES, tape: "sampled:1,seed=3", fraction: 1 } }));
    one.model.reply({ kind: "done", id: one.model.last.id });
    await settled();
    expect(one.model.last).toMatchObject({ kind: "spread", tape: "sampled:1,seed=3" });
    await answered(one, [point("sampled:0.1,seed=3", 0.1, 2), point("sampled:1,seed=3", 1, 0.5)]);
    expect(one.el.querySelector(".tnb-spread > .tnb-curve svg")?.getAttribute("aria-label")).toBe("spread of the gradient for each fraction: 0.1: 100 %, 1: 25 %");
    button(one.el, "spread").click();
    expect(one.el.querySelector<HTMLElement>(".tnb-spread")!.hidden).toBe(true);
  });

  test("that failed is said, and not asked for again and again", async () => {
    const one = sampled();
    button(one.el, "spread").click();
    one.model.reply({ kind: "failed", id: one.model.last.id, text: "ValueError: no" });
    await settled();
    expect(words(one.el.querySelector(".tnb-told"))).toBe("ValueError: no");
    await vi.advanceTimersByTimeAsync(5000);
    expect(one.model.sent).toHaveLength(1);
    expect(button(one.el, "spread").getAttribute("aria-pressed")).toBe("false");
    button(one.el, "spread").click();
    expect(one.model.sent).toHaveLength(2);
    await answered(one);
    expect(one.el.querySelector(".tnb-spread tbody tr")).not.toBeNull();
  });

  test("of many fractions is asked for one after another, until it is stopped", async () => {
    const one = sampled();
    button(one.el, "sweep").click();
    const points: object[] = [];
    for (const fraction of SWEEP.slice(0, 2)) {
      await vi.advanceTimersByTimeAsync(100);
      const { tape } = one.model.last;
      points.push(point(String(tape), tape === POINT.tape ? 0.25 : fraction, 1 / fraction));
      await answered(one, points);
    }
    button(one.el, "stop").click();
    await answered(one, points);
    const sent = one.model.sent.length;
    await vi.advanceTimersByTimeAsync(2000);
    expect(one.model.sent).toHaveLength(sent);
    expect(one.model.sent.every(({ kind }) => kind === "spread")).toBe(true);
    expect(button(one.el, "sweep")).toBeDefined();
  });

  test("is forgotten with another choice of parameters", async () => {
    const one = sampled();
    button(one.el, "spread").click();
    await answered(one);
    const { options } = state();
    one.model.set(small([RAW, ROWS], { samples: SAMPLES, options: { ...options, wrt: options.wrt.map((each) => ({ ...each, on: each.name === "x" })) } }));
    expect(one.el.querySelector<HTMLElement>(".tnb-spread")!.hidden).toBe(true);
    expect(button(one.el, "spread").getAttribute("aria-pressed")).toBe("false");
  });

  test("says why it cannot be measured", () => {
    const { el, model } = sampled({ tools: { costs: "", graph: "", spread: "measured at arguments: %%grad --at" } });
    button(el, "spread").click();
    expect(model.sent).toEqual([]);
    expect(words(el.querySelector(".tnb-told"))).toContain("--at");
  });

  test.each([null, {}, { bytes: -1, points: [] }, { bytes: 1, points: [{ ...POINT, fraction: 3 }] }, { bytes: 1, points: [{ ...POINT, draws: "9" }] },
    { bytes: 1, points: [{ ...POINT, parameters: [["w", 1, Number.NaN, 1, 1, 1, 1, []]] }] }])("that is malformed is refused: %j", (found) => {
    expect(() => readSpread(found)).toThrow(Malformed);
  });

  test("is read, summed and written", () => {
    const read = readSpread({ bytes: null, points: [point("sampled:0.5,method=rademacher", 0.5, 1), point("sampled:0.1", 0.1, 4), point("sampled:0.02", 0.02, 8), { ...POINT, fraction: null, tape: "sampled:k=3" }] });
    expect(curveOf(read, "sampled:0.3").map(({ fraction }) => fraction)).toEqual([0.02, 0.1]);
    expect([besides("sampled:0.1,seed=3"), besides("sampled:k=3")]).toEqual(["sampled:*,seed=3", "sampled:k=3"]);
    expect([whole(read.points[1]!), relative(read.points[1]!.parameters[0]!)]).toEqual([2, 2]);
    expect([percent(null), percent(0), percent(0.123), percent(12.34), percent(1e-9)]).toEqual(["–", "0 %", "12 %", "1230 %", "1.0e-7 %"]);
    expect([plusMinus(null, 1), plusMinus(1, 0), plusMinus(0.98765, 0.0123), plusMinus(120, 30)]).toEqual(["–", "1.000 ± 0.000", "0.988 ± 0.012", "120 ± 30"]);
    expect(ticks(0.15, 3)).toEqual([0.2, 0.5, 1, 2]);
    expect(ticks(1e-4, 10)).toEqual([0.0001, 0.001, 0.01, 0.1, 1, 10]);
  });
});

describe("an exported page", () => {
  function page(measured: object): HTMLElement {
    const el = document.body.appendChild(document.createElement("div"));
    const exact = small([RAW, ROWS], { samples: EXACT });
    const passes = exact.options.passes.map(({ name }) => name);
    const host = new OfflineHost({ state: small([RAW, ROWS], { samples: SAMPLES }), variants: { [JSON.stringify(["reverse", "numpy", passes, ["w", "b"], ""])]: exact }, measured });
    new View(el, host);
    return el;
  }

  test("has the marks, what was measured, and the exact tape, but no slider that moves", async () => {
    const el = page({ spread: { bytes: 10_000, points: [POINT] } });
    expect(slider(el).disabled).toBe(true);
    button(el, "spread").click();
    await settled();
    expect(words(el.querySelector(".tnb-samplingbar .tnb-facts"))).toContain("2.5 kB, exact 10 kB");
    button(el, "forward").click();
    expect(words(el.querySelector(".tnb-told"))).toContain("needs the notebook");
    button(el, "exact tape").click();
    await settled();
    expect(el.querySelector(".tnb-list .tnb-pie")).toBeNull();
  });

  test("says where nothing was measured", async () => {
    const el = page({});
    button(el, "spread").click();
    await settled();
    expect(words(el.querySelector(".tnb-told"))).toContain("needs the notebook");
    expect(new KernelHost(new FakeModel({}), el).offline).toBe(false);
  });
});
