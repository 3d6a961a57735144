/** The linearized computational graph of a run, below the texts: nodes that light up with the lines, partials on the edges. */
import type { Tell } from "./controls";
import { Control, Segments } from "./controls";
import { element, fill, KEYS, set, write } from "./dom";
import { download } from "./download";
import type { Host } from "./host";
import { measured, readAnswer } from "./measured";
import type { Level, Network } from "./network";
import { curve, readLevel, readNetwork, towards } from "./network";
import type { State } from "./state";
import { sameTexts, whole } from "./state";
import { shape, standalone } from "./svg";

const HIGH = 46;                                   // of a node
const [SMALLEST, LARGEST, READABLE] = [0.1, 4, 0.62];
const FACTOR = 1.2;
const PAN = 60;
const TALLEST = 440;
const HINT = "Point at a node; click one in a call to fold the call, and again to open it; drag, or Shift and the arrows, to move; + − 0, or the wheel once it is clicked, for the size.";
const CLICK = 4;                                   // pixels that a click may move

type Fold = "each operation" | "calls folded";

interface Actions {
  readonly tell: Tell;
  readonly changed: () => void;
  /** A row of the user's is meant; null: none. */
  readonly point: (at: number | null) => void;
}

export class GraphPane {
  readonly button: Control;
  readonly element: HTMLElement;
  private readonly fold: Segments<Fold>;
  private readonly said = element("div", "place");
  private readonly frame = element("div", "drawing");
  private readonly heading = element("span", "where");
  private readonly note = element("div", []);
  private readonly foldBar: HTMLElement;
  private state: State | null = null;
  private network: Network | null = null;
  private level: Level | null = null;
  private folds: ReadonlySet<number> = new Set();  // the calls that are one node each
  private drawing: SVGSVGElement | null = null;
  private moved: SVGGElement | null = null;
  private nodes: readonly SVGGElement[] = [];
  private edges: readonly (readonly SVGElement[])[] = [];
  private at = 0;                                  // the node that the keys are at
  private hovered: number | null = null;
  private rows: readonly number[] = [];
  private view = { x: 0, y: 0, scale: 1 };
  private touched = false;                         // by the reader, who has chosen what is seen
  private drag: { readonly x: number; readonly y: number; far: boolean } | null = null;
  private asking = false;
  private era = 0;

  constructor(private readonly id: string, private readonly host: Host, private readonly actions: Actions) {
    const { tell } = actions;
    this.button = new Control("button", "graph", tell, () => { if (this.network === null) void this.open(); else this.close(); });
    this.fold = new Segments<Fold>("level", [["each operation", "each operation"], ["calls folded", "calls folded"]], tell, (one) => { this.put(one === "calls folded"); });
    const control = (label: string, title: string, act: () => void): HTMLElement => {
      const made = new Control(label.startsWith("✕") ? "chip" : "button", label, tell, act);
      made.draw({ reason: "", title });
      return made.element;
    };
    const less = set(control("−", "smaller", () => { this.zoom(1 / FACTOR); }), { "aria-label": "smaller" });
    const more = set(control("+", "larger", () => { this.zoom(FACTOR); }), { "aria-label": "larger" });
    const size = set(element("span", "seg", less, more, control("fit", "all of it", () => { this.whole(SMALLEST); })), { role: "group", "aria-label": "size" });
    this.foldBar = this.fold.element;
    this.element = set(element("section", "graph", element("div", "graphbar", this.heading, this.foldBar, element("span", "grow"), size,
      control("save SVG", "keep the drawing as a file", () => { this.save(); }), control("✕ hide", "without the graph", () => { this.close(); })),
      this.note, this.frame, this.said), { "aria-label": "computational graph" });
    this.element.hidden = true;
  }

  draw(state: State, locked: string): void {
    if (this.state !== null && this.state !== state && !sameTexts(this.state, state)) this.forget();
    if (whole(state)) this.state = state;
    this.button.draw({ pressed: this.network !== null, title: "the computational graph of a run at these arguments",
      reason: state.tools.graph || (this.asking ? "the graph is being made" : this.network === null ? locked : "") });
    this.element.hidden = this.network === null;
  }

  /** Rows of the user's that are lit. */
  lit(rows: readonly number[]): void {
    this.rows = rows;
    this.paint();
  }

  /** The frame may have got another width. */
  fit(): void {
    if (this.network !== null && !this.touched) this.whole(READABLE);
  }

  private async open(): Promise<void> {
    if (this.asking || this.state === null) return;
    const { era, state } = this;
    this.asking = true;
    this.draw(state, "");
    const keys = state.primal.reduce((sum, section) => sum + section.rows.length, 0);
    const found = await measured(this.host, "graph", (data) => readNetwork(data, keys), this.actions.tell);
    this.asking = false;
    if (era === this.era && found !== null) {
      this.network = found;
      this.put(found.opened === null);
    }
    this.actions.changed();
  }

  private close(): void {
    this.forget();
    this.actions.point(null);
    this.actions.changed();
  }

  private forget(): void {
    this.era++;
    this.network = this.level = this.drawing = this.moved = null;
    this.nodes = this.edges = [];
    this.hovered = this.drag = null;
    this.frame.replaceChildren();
  }

  /** Draw all, or each call as one. */
  private put(folded: boolean): void {
    const { network } = this;
    if (network !== null) this.show(folded ? network.folded : network.opened, new Set(folded ? Array.from({ length: network.calls }, (_, call) => call) : []));
  }

  /** Fold a call, or open it: the kernel draws it, an exported page has only all of them or none. */
  private async turn(call: number, fold: boolean): Promise<void> {
    const { host, network, state, era } = this;
    if (network === null || state === null || this.asking) return;
    const folds = new Set(this.folds);
    if (fold) folds.add(call);
    else folds.delete(call);
    const known = folds.size === 0 ? network.opened : folds.size === network.calls ? network.folded : null;
    if (known !== null || host.offline || host.reach() === "gone") {
      if (known !== null || network.opened !== null) this.put(known === null ? fold : folds.size > 0);
      return;
    }
    this.asking = true;
    const keys = state.primal.reduce((sum, section) => sum + section.rows.length, 0);
    const level = readAnswer(await host.ask({ kind: "fold", calls: [...folds] }), "graph", (found) => readLevel(found, keys), this.actions.tell);
    this.asking = false;
    if (level === null || era !== this.era) return;
    this.show(level, folds);
    const at = level.nodes.findIndex((node) => node[11] === call);
    if (at !== -1) this.go(at);
  }

  private show(level: Level | null, folds: ReadonlySet<number>): void {
    const { network } = this;
    if (network === null || level === null) return;
    this.hover(null);
    this.level = level;
    this.folds = folds;
    this.at = 0;
    this.touched = false;
    write(this.heading, network.title);
    fill(this.note, network.note === "" ? [] : [element("p", "note", network.note)]);
    this.foldBar.hidden = network.folded === null || network.opened === null;
    this.fold.draw(folds.size === 0 ? "each operation" : folds.size === network.calls ? "calls folded" : null, () => "");
    write(this.said, HINT);
    this.build(level);
    this.fit();
    this.paint();
  }

  private build(level: Level): void {
    const arrow = `${this.id}-arrow`;
    const tip = shape("marker", [], { id: arrow, viewBox: "0 0 8 8", refX: 7.5, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" },
      shape("path", "tip", { d: "M0 0.6 L8 4 L0 7.4 z" }));
    const ways: SVGElement[] = [];
    const figures: SVGElement[] = [];
    this.edges = level.edges.map(([, , way, partial, said]) => {
      const { path, at: [x, y] } = curve(way);
      const line = shape("path", "way", { d: path, "marker-end": `url(#${arrow})` });
      const figure = shape("text", "partial", { x, y, "text-anchor": "middle" }, partial, shape("title", [], {}, said));
      ways.push(line);
      figures.push(figure);
      return [line, figure];
    });
    this.nodes = level.nodes.map((_, at) => this.node(level, at));
    const hidden = (...all: readonly SVGElement[]): SVGGElement => set(shape("g", [], {}, ...all), { "aria-hidden": true });
    this.moved = shape("g", [], {}, hidden(...ways), set(shape("g", [], {}, ...this.nodes), { role: "presentation" }), hidden(...figures));
    this.drawing = set(shape("svg", "drawn", {}, hidden(tip, shape("rect", "paper", { width: level.width, height: level.height })), set(this.moved, { role: "presentation" })), { ...KEYS, role: "listbox", tabindex: 0,
      "aria-label": "computational graph; arrows go from node to node" });
    const focused = this.frame.contains(document.activeElement);
    fill(this.frame, [this.drawing]);
    if (focused) this.drawing.focus({ preventScroll: true });
    this.listen(this.drawing);
  }

  private node({ nodes }: Level, at: number): SVGGElement {
    const [x, y, width, how, what, kind, tint, call, said] = nodes[at] ?? [0, 0, 0, "", "", "value", -1, "", "", [], false, -1] as const;
    const parts: SVGElement[] = [shape("title", [], {}, said),
      shape("rect", "hull", { x: x - width / 2, y: y - HIGH / 2, width, height: HIGH, rx: 9 }),
      shape("text", "how", { x, y: y - 4, "text-anchor": "middle" }, how), shape("text", "what", { x, y: y + 14, "text-anchor": "middle" }, what)];
    if (call !== "") parts.push(shape("text", "call", { x: x - width / 2 + 6, y: y - HIGH / 2 - 5 }, `in ${call}`));
    return set(shape("g", tint < 0 ? ["node", kind] : ["node", kind, `t${tint}`], {}, ...parts), { role: "option", id: `${this.id}-n${at}`, "data-node": at });         // named by its title
  }

  private listen(drawing: SVGSVGElement): void {
    drawing.addEventListener("pointermove", (event) => {
      if (this.drag === null) this.hover(nodeOf(event.target));
      else this.pull(event);
    });
    drawing.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      this.drag = { x: event.clientX - this.view.x, y: event.clientY - this.view.y, far: false };
    });
    const end = (): void => {
      this.drag = null;
      this.hover(null);
    };
    drawing.addEventListener("pointerup", (event) => {
      if (this.drag?.far === false) this.pick(nodeOf(event.target));
      this.drag = null;
    });
    drawing.addEventListener("pointercancel", end);
    drawing.addEventListener("pointerleave", () => { if (this.drag === null) end(); });
    // A page that is scrolled over the graph goes on scrolling, until the graph has the focus.
    drawing.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey && document.activeElement !== drawing) return;
      event.preventDefault();
      const box = drawing.getBoundingClientRect();
      this.zoom(event.deltaY < 0 ? FACTOR : 1 / FACTOR, event.clientX - box.left, event.clientY - box.top);
    }, { passive: false });
    drawing.addEventListener("keydown", (event) => {
      if (!this.key(event)) return;
      event.preventDefault();
      event.stopPropagation();
    });
    drawing.addEventListener("focus", () => { this.paint(); });
    drawing.addEventListener("blur", () => { this.hover(null); });
  }

  private pull(event: PointerEvent): void {
    const { drag, drawing } = this;
    if (drag === null || drawing === null) return;
    const [x, y] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.far && Math.hypot(x - this.view.x, y - this.view.y) < CLICK) return;
    if (!drag.far) drawing.setPointerCapture(event.pointerId);
    drag.far = this.touched = true;
    this.move({ ...this.view, x, y });
  }

  private key(event: KeyboardEvent): boolean {
    const { level } = this;
    if (level === null || event.ctrlKey || event.metaKey || event.altKey) return false;
    const [across, down] = ARROWS[event.key] ?? [0, 0];
    if (event.shiftKey && (across !== 0 || down !== 0)) {
      this.touched = true;
      this.move({ ...this.view, x: this.view.x - PAN * across, y: this.view.y - PAN * down });
      return true;
    }
    switch (event.key) {
      case "+":
      case "=": this.zoom(FACTOR); return true;
      case "-": this.zoom(1 / FACTOR); return true;
      case "0": this.whole(SMALLEST); return true;
      case "Home": this.go(0); return true;
      case "End": this.go(level.nodes.length - 1); return true;
      case "Enter":
      case " ": this.pick(this.at); return true;
      case "Escape":
        if (this.hovered === null) return false;
        this.hover(null);
        return true;
      default:
    }
    if (across === 0 && down === 0) return false;
    const found = towards(level, this.at, across, down);
    if (found !== -1 || this.hovered === null) this.go(found === -1 ? this.at : found);
    return true;
  }

  private go(at: number): void {
    this.at = at;
    this.hover(at);
    const [x = 0, y = 0, width = 0] = this.level?.nodes[at] ?? [];
    const { scale } = this.view;
    const [wide, high] = [this.frame.clientWidth, this.frame.clientHeight];
    const inside = (now: number, from: number, to: number, size: number): number => from < 0 ? now - from : to > size ? Math.max(now - (to - size), now - from) : now;
    const [left, top] = [this.view.x + (x - width / 2 - 12) * scale, this.view.y + (y - HIGH - 4) * scale];
    this.move({ scale, x: inside(this.view.x, left, left + (width + 24) * scale, wide), y: inside(this.view.y, top, top + (2 * HIGH) * scale, high) });
  }

  /** A node is clicked: one in a call is folded with it, one that is folded is opened. */
  private pick(at: number | null): void {
    const node = at === null ? undefined : this.level?.nodes[at];
    if (at === null || node === undefined || this.network === null) return;
    this.at = at;
    if (node[11] === -1 || this.network.folded === null) this.go(at);
    else void this.turn(node[11], !node[10]);
  }

  private hover(at: number | null): void {
    if (at === this.hovered) return;
    this.hovered = at;
    const node = at === null ? undefined : this.level?.nodes[at];
    write(this.said, node?.[8] ?? HINT);
    this.actions.point(node?.[9][0] ?? null);
    this.paint();
  }

  private paint(): void {
    const { level, hovered } = this;
    if (level === null) return;
    const rows = new Set(this.rows);
    level.nodes.forEach(([, , , , , , , , , keys], at) => {
      const node = this.nodes[at];
      node?.classList.toggle("tnb-hot", hovered === at || (hovered === null && keys.some((key) => rows.has(key))));
      node?.classList.toggle("tnb-kin", hovered !== null && hovered !== at && keys.some((key) => rows.has(key)));
      node?.classList.toggle("tnb-cursor", at === this.at);
      if (node !== undefined) set(node, { "aria-selected": hovered === at });
    });
    level.edges.forEach(([source, target], at) => {
      for (const one of this.edges[at] ?? []) one.classList.toggle("tnb-hot", hovered !== null && (source === hovered || target === hovered));
    });
    if (this.drawing !== null) set(this.drawing, { "aria-activedescendant": this.nodes[this.at]?.id ?? null });
  }

  private zoom(by: number, x = this.frame.clientWidth / 2, y = this.frame.clientHeight / 2): void {
    const scale = Math.min(LARGEST, Math.max(SMALLEST, this.view.scale * by));
    const ratio = scale / this.view.scale;
    this.touched = true;
    this.move({ scale, x: x - (x - this.view.x) * ratio, y: y - (y - this.view.y) * ratio });
  }

  /** All of it, but not smaller than that: then from its beginning. */
  private whole(least: number): void {
    const { level } = this;
    if (level === null) return;
    const wide = this.frame.clientWidth || level.width;
    const scale = Math.max(least, Math.min(1, wide / level.width, TALLEST / level.height));
    const high = Math.min(TALLEST, level.height * scale);
    this.frame.style.height = `${Math.ceil(high)}px`;
    this.touched = least !== READABLE;
    this.move({ scale, x: Math.max(0, (wide - level.width * scale) / 2), y: Math.max(0, (high - level.height * scale) / 2) });
  }

  private move(view: { x: number; y: number; scale: number }): void {
    this.view = view;
    this.moved?.setAttribute("transform", `translate(${view.x.toFixed(1)} ${view.y.toFixed(1)}) scale(${view.scale.toFixed(4)})`);
  }

  private save(): void {
    const { drawing, level, state, view } = this;
    if (drawing === null || level === null) return;
    this.hover(null);
    this.move({ x: 0, y: 0, scale: 1 });
    const text = standalone(drawing, level.width, level.height);
    this.move(view);
    download(`${state?.name ?? ""}_graph`, text, "svg");
    this.actions.tell("the drawing is saved");
  }
}

function nodeOf(target: EventTarget | null): number | null {
  const found = target instanceof Element ? target.closest("[data-node]")?.getAttribute("data-node") ?? null : null;
  return found === null ? null : Number(found);
}

const ARROWS: Readonly<Record<string, readonly [number, number]>> = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
