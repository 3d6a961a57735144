/** The graph of a run, below the texts. */
import { afterEach, describe, expect, test, vi } from "vitest";
import type { Edge, Network, Node } from "../src/network";
import { curve, readNetwork, towards } from "../src/network";
import { standalone } from "../src/svg";
import type { Mounted } from "./help";
import { button, hot, lists, mount, press, row, settled, small, words } from "./help";

const ROWS = [["def df(x):", "→", [0]], ["y = x * x", "→", [1]], ["bx = 2 * x", "←", [1]]] as const;
const EVIL = "<img src=x onerror=alert(1)>";

function node(x: number, y: number, part: { how?: string; call?: string; keys?: number[]; opens?: boolean; number?: number; kind?: "input" | "value" | "result" } = {}): Node {
  return [x, y, 80, part.how ?? "v", "1", part.kind ?? "value", part.call === undefined ? -1 : 1, part.call ?? "", `${part.how ?? "v"}, value 1, adjoint 2`, part.keys ?? [], part.opens ?? false, part.number ?? -1];
}

const EDGES: readonly Edge[] = [[0, 1, [[90, 40], [160, 40]], "0.1235", "∂v₁/∂v₀ = 0.1235"], [1, 2, [[240, 40], [310, 40]], "−4", "∂v₂/∂v₁ = -4"]];
const NETWORK: Network = { title: "f at x = 1", note: "", calls: 1,
  opened: { width: 500, height: 120, edges: EDGES,
    nodes: [node(50, 40, { how: "v₀ = x", kind: "input" }), node(200, 40, { how: "v₁ = sin v₀", call: "half", keys: [1], number: 0 }), node(350, 40, { how: "v₂ = v₁ × 2", kind: "result", keys: [2] })] },
  folded: { width: 400, height: 120, edges: [[0, 1, [[90, 40], [160, 40]], "3", "three"]],
    nodes: [node(50, 40, { how: "v₀ = x", kind: "input" }), node(200, 40, { how: "half(v₀)", keys: [1], opens: true, number: 0, kind: "result" })] } };

async function opened(found: unknown = NETWORK): Promise<Mounted> {
  const made = mount(small([ROWS]));
  button(made.el, "graph").click();
  made.model.reply({ kind: "graph", id: made.model.last.id, found });
  await settled();
  return made;
}

function nodes(el: Element): Element[] {
  return [...el.querySelectorAll("[data-node]")];
}

function drawing(el: Element): SVGSVGElement {
  return el.querySelector<SVGSVGElement>("svg.tnb-drawn")!;
}

function point(target: Element, kind = "pointermove", more: MouseEventInit = {}): void {
  target.dispatchEvent(new MouseEvent(kind, { bubbles: true, ...more }));
}

function click(target: Element): void {
  point(target, "pointerdown");
  point(target, "pointerup");
}

afterEach(() => { document.body.replaceChildren(); });

describe("the graph", () => {
  test("has a node for each value, and the partials on its edges", async () => {
    const { el, model } = await opened();
    expect(model.sent.map(({ kind }) => kind)).toEqual(["graph"]);
    expect(nodes(el).map((one) => words(one.querySelector(".tnb-how")))).toEqual(["v₀ = x", "v₁ = sin v₀", "v₂ = v₁ × 2"]);
    expect(nodes(el)[1]!.querySelector("title")!.textContent).toBe("v₁ = sin v₀, value 1, adjoint 2");
    expect([...el.querySelectorAll(".tnb-partial")].map((one) => one.firstChild!.textContent)).toEqual(["0.1235", "−4"]);
    expect(drawing(el).namespaceURI).toBe("http://www.w3.org/2000/svg");
    expect(words(el.querySelector(".tnb-graphbar"))).toContain("f at x = 1");
  });

  test("lights the lines of a node, and the nodes of a line", async () => {
    const { el } = await opened();
    const [source, derived] = lists(el);
    point(nodes(el)[1]!.querySelector("rect")!);
    expect([hot(source), hot(derived)]).toEqual([[1], [1, 2]]);
    expect(words(el.querySelector(".tnb-graph .tnb-place"))).toBe("v₁ = sin v₀, value 1, adjoint 2");
    expect([...el.querySelectorAll(".tnb-way.tnb-hot")].length).toBe(2);
    point(drawing(el), "pointerleave");
    expect(hot(source)).toEqual([]);
    point(row(derived, 2), "pointermove", { clientX: 7 });
    expect(nodes(el).map((one) => one.classList.contains("tnb-hot"))).toEqual([false, true, false]);
  });

  test("takes keys: from node to node, the size, and where it stands", async () => {
    const { el } = await opened();
    const svg = drawing(el);
    svg.focus();
    press(svg, "ArrowRight");
    expect(nodes(el).map((one) => one.getAttribute("aria-selected"))).toEqual(["false", "true", "false"]);
    expect(svg.getAttribute("aria-activedescendant")).toBe(nodes(el)[1]!.id);
    expect(hot(lists(el)[0])).toEqual([1]);
    press(svg, "End");
    expect(nodes(el)[2]!.classList.contains("tnb-hot")).toBe(true);
    const moved = svg.querySelector("[transform]")!;
    const scale = (): number => Number(/scale\((.*)\)/.exec(moved.getAttribute("transform")!)![1]);
    const before = scale();
    press(svg, "+");
    expect(scale()).toBeCloseTo(1.2 * before, 3);
    press(svg, "0");
    expect(scale()).toBe(before);
    const place = moved.getAttribute("transform");
    press(svg, "ArrowRight", { shiftKey: true });
    expect(moved.getAttribute("transform")).not.toBe(place);
    expect(press(svg, "x").defaultPrevented).toBe(false);
  });

  test("folds calls on a click, and opens them again", async () => {
    const { el } = await opened();
    click(nodes(el)[1]!);
    expect(nodes(el).map((one) => words(one.querySelector(".tnb-how")))).toEqual(["v₀ = x", "half(v₀)"]);
    click(nodes(el)[0]!);
    expect(nodes(el).length).toBe(2);
    click(nodes(el)[1]!);
    expect(nodes(el).length).toBe(3);
    button(el, "calls folded").click();
    expect(nodes(el).length).toBe(2);
  });

  test("that is too large comes folded, and says so", async () => {
    const { el } = await opened({ ...NETWORK, opened: null, note: "900 values are too many" });
    expect(nodes(el).length).toBe(2);
    expect(words(el.querySelector(".tnb-graph .tnb-note"))).toBe("900 values are too many");
    expect(el.querySelector<HTMLElement>(".tnb-graphbar .tnb-seg")!.hidden).toBe(true);
  });

  test("folds and opens one call of several, as the kernel draws it", async () => {
    const { el, model } = await opened({ ...NETWORK, calls: 3 });
    click(nodes(el)[1]!);
    expect(model.last).toEqual({ kind: "fold", calls: [0], id: model.last.id });
    model.reply({ kind: "graph", id: model.last.id, found: NETWORK.folded });
    await settled();
    expect(nodes(el).map((one) => words(one.querySelector(".tnb-how")))).toEqual(["v₀ = x", "half(v₀)"]);
    expect(nodes(el)[1]!.getAttribute("aria-selected")).toBe("true");
    expect([...el.querySelectorAll(".tnb-graphbar [aria-pressed=true]")]).toEqual([]);
    click(nodes(el)[1]!);
    expect(nodes(el).length).toBe(3);
    expect(model.sent.length).toBe(2);
    button(el, "calls folded").click();
    click(nodes(el)[1]!);
    expect(model.last).toEqual({ kind: "fold", calls: [1, 2], id: model.last.id });
    model.reply({ kind: "graph", id: model.last.id, found: { ...NETWORK.opened, nodes: [] } });
    await settled();
    expect(nodes(el).length).toBe(2);
    expect(words(el)).toContain("What the kernel sent cannot be shown");
  });

  test("changes its size by the wheel once it has the focus, and lets the page scroll before", async () => {
    const { el } = await opened();
    const svg = drawing(el);
    const wheel = (): WheelEvent => {
      const event = new WheelEvent("wheel", { deltaY: -1, bubbles: true, cancelable: true });
      svg.dispatchEvent(event);
      return event;
    };
    expect(wheel().defaultPrevented).toBe(false);
    svg.focus();
    expect(wheel().defaultPrevented).toBe(true);
  });

  test("goes when it is closed, and when the text is another one", async () => {
    const { el } = await opened();
    button(el.querySelector(".tnb-graph")!, "✕ hide").click();
    expect(drawing(el)).toBeNull();
    const again = await opened();
    again.model.set({ ...small([ROWS.slice(0, 2)]) });
    expect(drawing(again.el)).toBeNull();
    expect(again.el.querySelector<HTMLElement>(".tnb-graph")!.hidden).toBe(true);
  });

  test("is kept as a file that needs no style", async () => {
    const { el } = await opened();
    const blobs: Blob[] = [];
    vi.stubGlobal("URL", Object.assign(URL, { createObjectURL: (blob: Blob) => { blobs.push(blob); return "blob:x"; }, revokeObjectURL: () => undefined }));
    button(el, "save SVG").click();
    vi.unstubAllGlobals();
    expect(blobs[0]!.type).toBe("image/svg+xml");
    const text = standalone(drawing(el), 500, 120);
    expect(text).toContain('viewBox="0 0 500 120"');
    expect(text).not.toMatch(/class=|data-|tabindex|<script|<style/);
    expect([...text.matchAll(/<rect /g)].length).toBe(4);
    expect([...text.matchAll(/xmlns=/g)].length).toBe(1);
  });
});

describe("what is not drawn", () => {
  test("says why, and does not ask", () => {
    const { el, model } = mount(small([ROWS], { tools: { costs: "", graph: "pip install 'tangent_nb[graph]'", spread: "" } }));
    button(el, "graph").click();
    expect(model.sent).toEqual([]);
    expect(words(el.querySelector(".tnb-told"))).toBe("pip install 'tangent_nb[graph]'");
  });

  const level = NETWORK.opened!;
  test.each([["nothing", null], ["no level", { ...NETWORK, opened: null, folded: null }],
    ["an edge to nowhere", { ...NETWORK, opened: { ...level, edges: [[0, 9, [[0, 0], [1, 1]], "", ""]] } }],
    ["half of a way", { ...NETWORK, opened: { ...level, edges: [[0, 1, [[0, 0], [1, 1], [2, 2]], "", ""]] } }],
    ["a row that is not there", { ...NETWORK, opened: { ...level, nodes: [node(0, 0, { keys: [99] })], edges: [] } }],
    ["a node far away", { ...NETWORK, opened: { ...level, nodes: [node(1e9, 0)], edges: [] } }],
    ["very many", { ...NETWORK, opened: { ...level, nodes: Array.from({ length: 401 }, () => node(0, 0)), edges: [] } }],
    ["a kind that is none", { ...NETWORK, opened: { ...level, nodes: [node(0, 0, { kind: "x onload=1" as "value" })], edges: [] } }]])(
    "%s", async (_, found) => {
      const { el } = await opened(found);
      expect(drawing(el)).toBeNull();
      expect(words(el.querySelector(".tnb-told"))).toContain("cannot be shown");
    });

  test("text is text", async () => {
    const { el } = await opened({ ...NETWORK, title: EVIL, opened: { ...level, nodes: [node(0, 0, { how: EVIL, call: EVIL })], edges: [] } });
    expect(el.querySelector("img")).toBeNull();
    expect(words(nodes(el)[0]!.querySelector(".tnb-how"))).toBe(EVIL);
  });
});

test("a way bends between layers, and its figure stands on the last stretch", () => {
  expect(curve([[0, 0], [24, 10]])).toEqual({ path: "M0 0 C10 0 14 10 24 10", at: [10.56, 8] });
  expect(curve([[0, 0], [24, 0], [48, 0], [72, 0]]).path).toBe("M0 0 C10 0 14 0 24 0 L48 0 C58 0 62 0 72 0");
});

test("the nearest node in a direction", () => {
  const read = readNetwork(NETWORK, 3).opened!;
  expect([towards(read, 0, 1, 0), towards(read, 1, -1, 0), towards(read, 2, 1, 0), towards(read, 0, 0, 1)]).toEqual([1, 0, -1, -1]);
});
