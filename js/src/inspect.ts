/** The card beside the code: opens where the pointer rests, or the keys ask for it; asks the kernel for what it says. */
import type { About } from "./card";
import { content } from "./card";
import type { CardData } from "./cards";
import { cardOf } from "./cards";
import { element, fill, KEYS, set } from "./dom";
import type { Host } from "./host";
import type { Side } from "./links";
import type { Panes } from "./panes";
import { place } from "./place";
import type { Text } from "./rows";
import type { State } from "./state";

export const REST_MS = 30;                         // that the pointer stays at a place before it is asked about
export const GRACE_MS = 200;                       // to get from the line to the card
const KEPT_MS = 20_000;                            // what is known of a call may become more
const MOST_KEPT = 300;
const SIDES: readonly Side[] = ["primal", "derived"];

/** node: the element of the row; piece: that of the name or expression, null where the row is meant. */
interface Spot extends About {
  readonly side: Side;
  readonly at: number;
  readonly node: HTMLElement;
  readonly piece: Element | null;
}

type How = "pointer" | "keys" | "dialog";

export class Inspector {
  readonly element: HTMLElement;
  private readonly known = new Map<string, { readonly card: CardData | null; readonly when: number }>();
  private state: State | null = null;
  private stage = 0;
  private texts: Readonly<Record<Side, Text>> | null = null;
  private spot: Spot | null = null;
  private shown: Spot | null = null;
  private how: How = "pointer";
  private dismissed: HTMLElement | null = null;    // a row whose card was sent away
  private asking = false;
  private running = false;
  private rest: ReturnType<typeof setTimeout> | undefined;
  private grace: ReturnType<typeof setTimeout> | undefined;
  private era = 0;                                 // answers of before the text was another one are late
  private mouse = "";

  constructor(id: string, private readonly root: HTMLElement, private readonly panes: Panes, private readonly host: Host) {
    this.element = set(element("div", "card"), { ...KEYS, id: `${id}-card`, tabindex: -1, role: "tooltip" });
    this.element.hidden = true;
    if ("popover" in this.element) this.element.popover = "manual";
    for (const side of SIDES) this.listen(side);
    this.element.addEventListener("pointerenter", () => {
      clearTimeout(this.grace);
      clearTimeout(this.rest);
      this.spot = this.shown;
    });
    this.element.addEventListener("pointerleave", () => { if (this.how === "pointer") this.leave(); });
    this.element.addEventListener("focusout", (event) => {
      if (this.how === "dialog" && !(event.relatedTarget instanceof Node && this.element.contains(event.relatedTarget))) this.close();
    });
    document.addEventListener("keydown", this.onKey, { capture: true });
    window.addEventListener("scroll", this.onScroll, { capture: true, passive: true });
    window.addEventListener("resize", this.onResize);
  }

  dispose(): void {
    clearTimeout(this.rest);
    clearTimeout(this.grace);
    this.era++;
    document.removeEventListener("keydown", this.onKey, { capture: true });
    window.removeEventListener("scroll", this.onScroll, { capture: true });
    window.removeEventListener("resize", this.onResize);
  }

  /** The texts that are pointed at are these now. */
  show(state: State, stage: number, primal: Text, derived: Text): void {
    this.close();
    [this.state, this.stage, this.texts] = [state, stage, { primal, derived }];
    this.known.clear();
    this.era++;
  }

  private listen(side: Side): void {
    const pane = this.panes.panes[side];
    pane.list.addEventListener("pointermove", (event) => {
      const place = `${event.clientX} ${event.clientY}`;
      if (place !== this.mouse && event.pointerType !== "touch" && event.buttons === 0) this.point(this.under(side, event.target));
      this.mouse = place;
    });
    pane.list.addEventListener("pointerleave", () => {
      [this.dismissed, this.mouse] = [null, ""];
      if (this.how === "pointer") this.leave();
    });
    pane.list.addEventListener("click", (event) => {
      if (event.pointerType === "touch") this.open(this.under(side, event.target), "pointer");
    });
    pane.list.addEventListener("keydown", (event) => { this.key(side, event); });
    pane.list.addEventListener("blur", () => { if (this.how === "keys") this.close(); });
  }

  /** What is under an event: a name or an expression; the whole line where its number is. */
  private under(side: Side, target: EventTarget | null): Spot | null {
    const node = target instanceof Element ? target.closest<HTMLElement>("[data-row]") : null;
    if (node === null || !(target instanceof Element)) return null;
    const base = { side, at: Number(node.getAttribute("data-row")), node };
    const piece = target.closest("[data-terms], [data-name]");
    if (piece === null) return target.closest(".tnb-gutter") === null ? { ...base, name: "", expression: [], piece: null } : { ...base, name: "", expression: null, piece: null };
    const of = piece.getAttribute("data-terms")?.split(" ").pop();
    return { ...base, name: piece.getAttribute("data-name") ?? "", expression: of === undefined ? [] : this.expression(side, Number(of)), piece };
  }

  /** Where in the user's text an expression stands that a stretch comes from. */
  private expression(side: Side, of: number): readonly number[] {
    const own = side === "primal" ? of : this.state?.parts[of]?.[0];
    return own === undefined ? [] : this.state?.spans[own]?.[0] ?? [];
  }

  private point(spot: Spot | null): void {
    if (this.how !== "pointer" && this.shown !== null) return;         // the keys have opened it
    if (spot === null || spot.node !== this.dismissed) this.dismissed = null;
    if (spot === null || spot.node === this.dismissed || this.root.classList.contains("tnb-presenting")) {
      this.leave();
      return;
    }
    if (alike(this.spot, spot)) return;
    this.spot = spot;
    clearTimeout(this.grace);
    clearTimeout(this.rest);
    if (this.shown !== null && this.shown.node !== spot.node) this.leaveLater();
    this.rest = setTimeout(() => { this.open(spot, "pointer"); }, this.shown?.node === spot.node ? 0 : REST_MS);
  }

  private leave(): void {
    clearTimeout(this.rest);
    this.spot = null;
    this.leaveLater();
  }

  private leaveLater(): void {
    clearTimeout(this.grace);
    this.grace = setTimeout(() => { if (this.how === "pointer") this.close(); }, GRACE_MS);
  }

  private key(side: Side, event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || this.root.classList.contains("tnb-presenting")) return;
    const spot = this.atCursor(side);
    const isOpen = this.shown !== null && this.how === "keys";
    if (event.key === "Enter" && spot?.node.getAttribute("aria-selected") === "true") this.open(spot, "keys");
    else if (event.key === "?" && spot?.node.querySelector("[data-helper]") === null) this.open(spot, "dialog");
    else if (event.key === "Tab" && isOpen && !event.shiftKey && this.element.querySelector("button") !== null) {
      event.preventDefault();
      this.open(spot, "dialog");
      this.element.querySelector("button")?.focus();
    } else if (isOpen && (event.key.startsWith("Arrow") || event.key === "[" || event.key === "]")) this.open(spot, "keys");
    else if (isOpen) this.close();
  }

  private atCursor(side: Side): Spot | null {
    const pane = this.panes.panes[side];
    const id = pane.list.getAttribute("aria-activedescendant");
    const node = id === null ? null : pane.list.querySelector<HTMLElement>(`[id="${id}"][data-row]`);
    if (node === null) return null;
    const of = this.panes.chosen;
    const pieces = [...node.querySelectorAll("[data-terms]")];
    const piece = of === null ? null : pieces.find((one) => (one.getAttribute("data-terms") ?? "").split(" ").includes(String(of))) ?? null;
    return { side, at: Number(node.getAttribute("data-row")), node, name: "", expression: of === null ? null : this.expression(side, of), piece };
  }

  private open(spot: Spot | null, how: How): void {
    if (spot === null) {
      this.close();
      return;
    }
    [this.spot, this.how] = [spot, how];
    clearTimeout(this.grace);
    const found = this.found(spot);
    if (found === undefined) void this.ask(spot, false);
    else this.draw(spot, found);
  }

  /** The row of the stage; -1 where it is one that a pass took away. */
  private rowOf({ side, at }: Spot): number {
    return side === "primal" ? at : Number(this.texts?.derived.rows[at]?.number || 0) - 1;
  }

  private keyOf(spot: Spot): string {
    return `${spot.side} ${spot.side === "primal" ? 0 : this.stage} ${this.rowOf(spot)}`;
  }

  private found(spot: Spot): CardData | null | undefined {
    if (this.rowOf(spot) < 0) return null;
    const found = this.known.get(this.keyOf(spot));
    return found !== undefined && performance.now() - found.when < KEPT_MS ? found.card : undefined;
  }

  /** One question at a time: what is pointed at when the answer comes is asked about next. */
  private async ask(spot: Spot, run: boolean): Promise<void> {
    if (this.asking || this.host.offline || this.host.reach() === "gone") return;
    this.asking = true;
    const era = this.era;
    const answer = await this.host.ask({ kind: "card", side: spot.side, stage: spot.side === "primal" ? 0 : this.stage, row: this.rowOf(spot), run });
    this.asking = this.running = false;
    if (era !== this.era) return;
    if (run) this.known.clear();
    if (this.known.size > MOST_KEPT) this.known.clear();
    this.known.set(this.keyOf(spot), { card: answer.kind === "card" ? cardOf(answer.card) : null, when: performance.now() });
    if (this.spot === null) return;
    const found = this.found(this.spot);
    if (found === undefined) void this.ask(this.spot, false);
    else this.draw(this.spot, found);
  }

  private run(spot: Spot): void {
    if (this.asking) return;
    this.running = true;
    const found = this.found(spot);
    void this.ask(spot, true);
    if (found !== undefined) this.draw(spot, found);
  }

  private draw(spot: Spot, card: CardData | null): void {
    const inside = card === null ? [] : content(this.running ? { ...card, offer: "" } : card, spot, () => { this.run(spot); });
    fill(this.element, this.running ? [...inside, element("p", "label", "it runs …")] : inside);
    if (inside.length === 0 || !spot.node.isConnected) {
      this.close();
      return;
    }
    this.shown = spot;
    const dialog = this.how === "dialog";
    set(this.element, { role: dialog ? "dialog" : "tooltip", "aria-label": dialog ? "about this line" : null });
    const { list } = this.panes.panes[spot.side];
    set(list, { "aria-describedby": this.how === "keys" ? this.element.id : null });
    this.put(spot);
    if (dialog && !this.element.contains(document.activeElement)) this.element.focus({ preventScroll: true });
  }

  private put(spot: Spot): void {
    const { style } = this.element;
    this.element.hidden = false;
    style.maxHeight = style.top = style.bottom = "";
    if (typeof this.element.showPopover === "function" && !this.element.matches(":popover-open")) this.element.showPopover();
    const row = spot.node.getBoundingClientRect();
    const piece = (spot.piece ?? spot.node.querySelector(".tnb-text") ?? spot.node).getBoundingClientRect();
    const { width, height } = this.element.getBoundingClientRect();
    const size = { width: document.documentElement.clientWidth, height: window.innerHeight };
    const own = this.panes.panes[spot.side].list.getBoundingClientRect();
    const left = Math.max(own.left, Math.min(piece.left, own.right - width));      // over its own pane: the terms are in the other
    const placed = place({ left, top: row.top, bottom: row.bottom }, { width, height }, size);
    style.left = `${placed.left}px`;
    style.top = placed.top === null ? "auto" : `${placed.top}px`;
    style.bottom = placed.bottom === null ? "auto" : `${placed.bottom}px`;
    style.maxHeight = `${placed.height}px`;
  }

  private close(): void {
    clearTimeout(this.rest);
    clearTimeout(this.grace);
    const was = this.shown;
    [this.shown, this.spot] = [null, null];
    if (was === null) return;
    const { list } = this.panes.panes[was.side];
    set(list, { "aria-describedby": null });
    const focused = this.element.contains(document.activeElement);
    this.how = "pointer";
    if (typeof this.element.hidePopover === "function" && this.element.matches(":popover-open")) this.element.hidePopover();
    this.element.hidden = true;
    if (focused) list.focus({ preventScroll: true });
  }

  private readonly onKey = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || this.shown === null) return;
    this.dismissed = this.how === "pointer" ? this.shown.node : null;
    const ours = event.target instanceof Node && this.root.contains(event.target);
    this.close();
    if (!ours) return;
    event.preventDefault();
    event.stopPropagation();
  };

  private readonly onScroll = (event: Event): void => {
    if (this.shown !== null && !(event.target instanceof Node && this.element.contains(event.target))) this.close();
  };

  private readonly onResize = (): void => { this.close(); };
}

function alike(one: Spot | null, other: Spot): boolean {
  return one !== null && one.node === other.node && one.name === other.name && String(one.expression) === String(other.expression)
    && (one.expression === null) === (other.expression === null);
}
