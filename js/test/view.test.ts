import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { PATIENCE_MS } from "../src/kernel";
import { stageText } from "../src/state";
import { SILENT } from "../src/view";
import type { Mounted } from "./help";
import { button, click, FakeModel, hover, lists, mount, row, settled, small, state, tab, texts, words } from "./help";

const ALL = state().options.passes.map(({ name }) => name);
const SHOWN = { wrt: ["w", "b"], mode: "reverse", backend: "numpy", passes: ALL, tape: "" };

beforeEach(() => { vi.useFakeTimers(); });
afterEach(() => {
  vi.useRealTimers();
  document.body.replaceChildren();
});

function pressed(el: Element, name: string): string | null {
  return button(el, name).getAttribute("aria-pressed");
}

function busy(el: Element): boolean {
  return el.querySelector(".tnb-widget")?.getAttribute("aria-busy") === "true";
}

async function answered({ model }: Mounted, content: object): Promise<void> {
  model.reply({ ...content, id: model.last.id });
  await settled();
}

describe("toggles send what the kernel understands", () => {
  test.each([
    ["a parameter on", "x", { ...SHOWN, wrt: ["x", "w", "b"] }],
    ["a parameter off", "w", { ...SHOWN, wrt: ["b"] }],
    ["mode", "forward", { ...SHOWN, mode: "forward" }],
  ])("%s", (_, name, choice) => {
    const { model, el } = mount(state());
    click(button(el, name));
    expect(model.sent).toEqual([{ kind: "derive", id: model.last.id, ...choice }]);
    expect(typeof model.last.id).toBe("number");
  });

  test("backend", () => {
    const options = { ...state().options, backends: [{ name: "numpy", reason: "" }, { name: "jax", reason: "" }] as const };
    const { model, el } = mount(state({ options }));
    click(button(el, "JAX"));
    expect(model.sent).toEqual([{ kind: "derive", id: model.last.id, ...SHOWN, backend: "jax" }]);
  });

  test("passes, in their order", async () => {
    const mounted = mount(state());
    const { model, el } = mounted;
    const panel = el.querySelector<HTMLElement>(".tnb-passes")!;
    expect(panel.hidden).toBe(true);
    click(button(el, "passes"));
    expect(panel.hidden).toBe(false);
    expect(button(el, "passes").getAttribute("aria-expanded")).toBe("true");
    expect(words(panel.querySelector("label"))).toContain("short callees");
    const box = panel.querySelectorAll("input")[2]!;
    box.click();
    expect(model.last).toEqual({ kind: "derive", id: model.last.id, ...SHOWN, passes: ALL.filter((name) => name !== ALL[2]) });
    await answered(mounted, { kind: "failed", text: "no" });
    expect(box.checked).toBe(true);
  });

  test("use, again and export", async () => {
    const mounted = mount(state({ stale: "loss has been defined anew" }));
    const { model, el } = mounted;
    for (const [name, kind] of [["use this", "use"], ["derive again", "again"], ["save…", "export"],
      ["save .py", "take"]] as const) {
      click(button(el, name));
      expect(model.last).toEqual({ kind, id: model.last.id });
      await answered(mounted, { kind: "done" });
    }
  });

  test("what is on already sends nothing", () => {
    const { model, el } = mount(state());
    for (const name of ["reverse", "NumPy", "raw", "optimized"]) click(button(el, name));
    expect(model.sent).toEqual([]);
  });
});

describe("what cannot be had says why", () => {
  test("a backend", () => {
    const { model, el } = mount(state());
    const jax = button(el, "JAX");
    expect(jax.getAttribute("aria-disabled")).toBe("true");
    expect(jax.disabled).toBe(false);
    expect(jax.title).toBe("pip install 'tangent_nb[jax]'");
    expect(words(jax)).toContain("pip install");
    click(jax);
    expect(model.sent).toEqual([]);
    expect(words(el.querySelector("[role=status].tnb-told"))).toBe("pip install 'tangent_nb[jax]'");
  });

  test("a parameter", () => {
    const wrt = state().options.wrt.map((one) => one.name === "y" ? { ...one, reason: "an integer" } : one);
    const { model, el } = mount(state({ options: { ...state().options, wrt } }));
    expect(button(el, "y").title).toBe("an integer");
    click(button(el, "y"));
    expect(model.sent).toEqual([]);
  });

  test("the last parameter that is on", () => {
    const wrt = state().options.wrt.map((one) => ({ ...one, on: one.name === "w" }));
    const { model, el } = mount(state({ options: { ...state().options, wrt } }));
    click(button(el, "w"));
    expect(model.sent).toEqual([]);
    expect(button(el, "w").title).toBe("one stays on");
  });
});

describe("while the kernel is asked", () => {
  test("the choice is shown, and other toggles wait; the text does not", async () => {
    const mounted = mount(state());
    const { model, el } = mounted;
    click(button(el, "forward"));
    expect([busy(el), pressed(el, "forward"), pressed(el, "reverse")]).toEqual([true, "true", "false"]);
    expect(el.querySelector<HTMLElement>(".tnb-progress")?.hidden).toBe(false);
    click(button(el, "x"));
    click(button(el, "save…"));
    expect(model.sent).toHaveLength(1);
    click(button(el, "raw"));
    expect(texts(lists(el)[1])).toHaveLength(29);
    model.set(state({ options: { ...state().options, mode: "forward" } }));
    await answered(mounted, { kind: "done" });
    expect([busy(el), pressed(el, "forward")]).toEqual([false, "true"]);
    expect(pressed(el, "raw")).toBe("true");
  });

  test("a failure is shown, and the controls are as they were", async () => {
    const mounted = mount(state());
    click(button(mounted.el, "forward"));
    await answered(mounted, { kind: "failed", text: "it\nbroke" });
    expect(mounted.el.querySelector("[role=alert] pre")?.textContent).toBe("it\nbroke");
    expect([busy(mounted.el), pressed(mounted.el, "forward")]).toEqual([false, "false"]);
    click(button(mounted.el, "forward"));
    expect(mounted.el.querySelector("[role=alert]")).toBeNull();
  });

  test("silence is told, the controls are as they were; a state that comes after all is taken", async () => {
    const { model, el } = mount(state());
    click(button(el, "forward"));
    vi.advanceTimersByTime(PATIENCE_MS);
    await settled();
    expect(words(el.querySelector("[role=alert]"))).toBe(SILENT);
    expect([busy(el), pressed(el, "reverse")]).toEqual([false, "true"]);
    model.set(state({ options: { ...state().options, mode: "forward" } }));
    expect(el.querySelector("[role=alert]")).toBeNull();
    expect(pressed(el, "forward")).toBe("true");
  });

  test("a kernel that goes locks what needs it, and nothing else", async () => {
    const { model, el } = mount(state());
    click(button(el, "forward"));
    model.comm_live = false;
    model.trigger("comm_live_update");
    vi.advanceTimersByTime(1);
    await settled();
    expect(words(el.querySelector("[role=alert]"))).toBe(SILENT);
    expect(button(el, "forward").title).toBe("the kernel does not answer");
    expect(button(el, "copy").hasAttribute("aria-disabled")).toBe(false);
    click(button(el, "raw"));
    expect(texts(lists(el)[1])).toHaveLength(29);
    model.comm_live = true;
    model.trigger("comm_live_update");
    vi.advanceTimersByTime(1);
    expect(button(el, "forward").hasAttribute("aria-disabled")).toBe(false);
  });

  test("what the kernel had is not said to be in use when it has gone", async () => {
    const { model, el } = mount(state({ bound: "dloss" }));
    const said = (): string => words(el.querySelector("[role=tabpanel] .tnb-facts"));
    expect(said()).toContain("in use as dloss");
    model.comm_live = false;
    model.trigger("comm_live_update");
    vi.advanceTimersByTime(1);
    await settled();
    expect(said()).toContain("was in use as dloss");
    model.comm_live = true;
    model.trigger("comm_live_update");
    vi.advanceTimersByTime(1);
    expect(said()).not.toContain("was in use");
  });

  test("the control that was used keeps the focus", async () => {
    const mounted = mount(state());
    const forward = button(mounted.el, "forward");
    forward.focus();
    forward.click();
    mounted.model.set(state({ options: { ...state().options, mode: "forward" } }));
    await answered(mounted, { kind: "done" });
    expect(document.activeElement).toBe(forward);
  });
});

describe("a state", () => {
  test("that is not there yet shows nothing; one that is malformed is not shown", () => {
    const { model, el } = mount({});
    expect(el.querySelector("[role=listbox], [role=alert]")).toBeNull();
    model.set(state());
    expect(texts(lists(el)[0])).toHaveLength(4);
    model.set({ ...state(), lines: 3 });
    expect(words(el.querySelector("[role=alert]"))).toBe("What the kernel sent cannot be shown: state.lines is not a list.");
    expect(texts(lists(el)[0])).toHaveLength(4);
    model.set(state());
    expect(el.querySelector("[role=alert]")).toBeNull();
  });

  test("with a refusal keeps the panes", () => {
    const { el } = mount(state({ refusal: "loss: 1 place\n  In[3]:3" }));
    expect(el.querySelector("[role=alert] pre")?.textContent).toBe("loss: 1 place\n  In[3]:3");
    expect(texts(lists(el)[1])).toHaveLength(20);
  });

  test("that is stale says so", () => {
    const { model, el } = mount(state({ stale: "loss has been defined anew" }));
    expect(words(el.querySelector(".tnb-banner"))).toContain("stale: loss has been defined anew");
    model.set(state());
    expect(el.querySelector(".tnb-banner")).toBeNull();
  });

  test("has facts, tables and notes", () => {
    const { el } = mount(state({ bound: "dloss", status: { lines: 20, passes: 1, ms: 1.84, check: "differs", good: false } }));
    expect(words(el.querySelector("[role=tabpanel] .tnb-facts"))).toBe("20 lines3 passes changed itderived in 1.8 msin use as dloss✗ differs");
    expect(words(el.querySelector("tbody tr"))).toContain("✓ agrees");
    expect(words(el.querySelector(".tnb-note"))).toContain("Specialized");
  });

  test("leaves what the reader chose to see", () => {
    const { model, el } = mount(state());
    click(tab(el, "passes"));
    click(tab(el, "first write"));
    click(button(el, "diff"));
    click(row(lists(el)[0], 1));
    model.set(state({ status: { ...state().status, ms: 3 } }));
    expect(words(el.querySelector(".tnb-inside [aria-selected=true]"))).toContain("first write");
    expect(pressed(el, "diff")).toBe("true");
    expect(row(lists(el)[0], 1).classList.contains("tnb-pinned")).toBe(true);
  });

  test("whose lines have moved takes the pin along; it goes with its line", () => {
    const first = ["def df(x):", "", []] as const;
    const { model, el } = mount(small([[first, ["    y = 1", "→", [1]]]]));
    click(row(lists(el)[1], 1));
    model.set(small([[first, ["    z = 2", "→", [2]], ["    y = 1", "→", [1]]]]));
    expect(row(lists(el)[1], 2).classList.contains("tnb-pinned")).toBe(true);
    model.set(small([[first]]));
    expect(el.querySelector(".tnb-pinned")).toBeNull();
  });
});

describe("stages", () => {
  test("have their lines, and how many more or fewer", () => {
    const { el } = mount(state());
    expect([...el.querySelectorAll("[role=tab]")].slice(0, 5).map(words)).toEqual(["yours 4 lines", "normal form 8 lines +4",
      "derivative 23 lines +15", "passes 14 lines −9", "text 14 lines ±0"]);
  });

  test("of one part are seen where it is open; what changed nothing is told apart", () => {
    const { el } = mount(state());
    const inside = el.querySelector<HTMLElement>(".tnb-inside")!;
    expect(inside.hidden).toBe(true);
    click(tab(el, "passes"));
    expect(inside.hidden).toBe(false);
    expect([...inside.children].map(words)).toEqual(["unbroadcast 23 lines ±0", "first write 16 lines −7", "constant folding 16 lines =",
      "copy propagation 14 lines −2", "common terms 14 lines =", "dead code 14 lines ="]);
    expect(words(inside.querySelector("[aria-selected=true]"))).toContain("unbroadcast");
    click(tab(el, "first write"));
    expect(inside.querySelectorAll(".tnb-idle")).toHaveLength(3);
    click(tab(el, "text"));
    expect(inside.hidden).toBe(true);
    click(tab(el, "passes"));
    expect(words(inside.querySelector("[aria-selected=true]"))).toContain("first write");
  });

  test("say what they do, until something is pointed at", () => {
    const { el } = mount(state());
    click(tab(el, "passes"));
    click(tab(el, "first write"));
    expect(words(el.querySelector(".tnb-words"))).toContain("first write: the first contribution to a cotangent is its value");
    hover(row(lists(el)[1], 6));
    expect(words(el.querySelector(".tnb-words"))).toContain("line 7");
  });

  test("as a diff have signs, and removed lines", () => {
    const { el } = mount(state());
    click(tab(el, "passes"));
    click(tab(el, "first write"));
    click(button(el, "diff"));
    const right = lists(el)[1];
    const removed = [...right.querySelectorAll(".tnb-removed")];
    expect(removed.length - right.querySelectorAll(".tnb-added").length).toBe(7);
    expect(words(removed[0]!.querySelector(".tnb-sign"))).toBe("−");
    expect(removed[0]!.querySelector(".tnb-sr")?.textContent).toMatch(/^removed line: /);
    expect(right.querySelector(".tnb-added .tnb-sr")?.textContent).toMatch(/^added line \d+: /);
  });

  test("raw and optimized need no kernel", () => {
    const { model, el } = mount(state());
    click(button(el, "raw"));
    expect([pressed(el, "raw"), pressed(el, "optimized")]).toEqual(["true", "false"]);
    expect(texts(lists(el)[1]).join("\n")).toBe(stageText(state(), state().raw).trimEnd());
    expect(model.sent).toEqual([]);
  });

  test("the first has no diff", () => {
    const { el } = mount(state());
    click(el.querySelector("[role=tab]")!);
    expect(button(el, "diff").getAttribute("aria-disabled")).toBe("true");
  });
});

describe("use this", () => {
  test.each([["nothing is bound", "", "optimized", true], ["it is bound", "dloss", "optimized", false],
    ["another text is shown", "dloss", "raw", true]])("%s", (_, bound, text, offered) => {
    const { el } = mount(state({ bound }));
    click(button(el, text));
    expect(el.querySelector<HTMLElement>(".tnb-primary")?.hidden).toBe(!offered);
  });
});

describe("copy", () => {
  test("takes the whole text of the stage that is shown", async () => {
    const writeText = vi.fn(() => Promise.resolve());
    vi.stubGlobal("navigator", { clipboard: { writeText } });
    const { el } = mount(state());
    click(button(el, "raw"));
    click(button(el, "copy"));
    await settled();
    expect(writeText).toHaveBeenCalledExactlyOnceWith(stageText(state(), state().raw));
    expect(words(el.querySelector(".tnb-told"))).toBe("copied 29 lines");
    vi.unstubAllGlobals();
  });

  test.each([["has no clipboard", {}], ["forbids it", { clipboard: { writeText: () => Promise.reject(new Error("no")) } }]])(
    "another way where the browser %s", async (_, navigator) => {
      vi.stubGlobal("navigator", navigator);
      let copied = "";
      Object.assign(document, { execCommand: () => {
        copied = (document.activeElement as HTMLTextAreaElement).value;
        return true;
      } });
      const { el } = mount(state());
      button(el, "copy").focus();
      click(button(el, "copy"));
      await settled();
      expect(copied).toBe(stageText(state(), state().final));
      expect(el.querySelector("textarea")).toBeNull();
      expect(document.activeElement).toBe(button(el, "copy"));
      vi.unstubAllGlobals();
    });
});

test("a text longer than any is not copied, and that is said", async () => {
  const lines = [...state().lines, [["", "A".repeat(200_000)]] as const];
  const rows = Array.from({ length: 20_000 }, () => [lines.length - 1, -1, "", [], []] as const);
  const { el } = mount(state({ lines, stages: [{ name: "", part: "", count: 0, summary: "", rows, folds: [] }], raw: 0, final: 0 }));
  click(button(el, "copy"));
  await settled();
  expect(words(el.querySelector(".tnb-told"))).toContain("does not let the text be copied");
});

test("a page is saved under a name that is no path", async () => {
  const saved: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) { saved.push(this.download); });
  Object.assign(URL, { createObjectURL: () => "blob:x", revokeObjectURL: () => undefined });
  const mounted = mount(state({ name: "../../etc/d<loss>" }));
  click(button(mounted.el, "save…"));
  await answered(mounted, { kind: "exported", html: "<!doctype html>" });
  click(button(mounted.el, "save .py"));
  await answered(mounted, { kind: "taken", text: "import os" });
  expect(saved).toEqual(["_etc_d_loss_.html", "_etc_d_loss_.py"]);
});

describe("several views of one model", () => {
  test("each hears its own answers", async () => {
    const model = new FakeModel(state());
    const one = mount(null, model);
    const two = mount(null, model);
    click(button(one.el, "forward"));
    click(button(two.el, "x"));
    expect([busy(one.el), busy(two.el)]).toEqual([true, true]);
    model.reply({ kind: "done", id: model.sent[0]!.id });
    await settled();
    expect([busy(one.el), busy(two.el)]).toEqual([false, true]);
    click(button(one.el, "raw"));
    expect([pressed(one.el, "raw"), pressed(two.el, "raw")]).toEqual(["true", "false"]);
  });

  test("have ids of their own, and one can go", () => {
    const model = new FakeModel(state());
    const one = mount(null, model);
    const two = mount(null, model);
    const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    one.view.dispose();
    one.host.dispose();
    model.set(state({ stale: "it is" }));
    expect(one.el.childElementCount).toBe(0);
    expect(two.el.querySelector(".tnb-banner")).not.toBeNull();
  });
});
