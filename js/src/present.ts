/** Presenting: large type, no toolbar, and the backward lines one at a time. */
import { Control } from "./controls";
import type { Tell } from "./controls";
import { element, KEYS, set, write } from "./dom";
import { foldOf } from "./items";
import type { Panes } from "./panes";
import type { Text } from "./rows";

/** The rows that are revealed one by one: those of the backward sweep, or where there is none all that come from the user's. */
export function steps({ rows, folds }: Text): readonly number[] {
  const seen = rows.flatMap((row, at) => foldOf({ rows, folds, titles: new Map() }, at) === undefined && row.arrow !== "" ? [at] : []);
  const back = seen.filter((at) => rows[at]?.arrow === "←");
  return back.length > 0 ? back : seen;
}

/** The last row that is seen after so many steps: what stands before the next one that is to be revealed, its comment left out. */
export function seenUpTo(text: Text, all: readonly number[], step: number): number {
  const next = all[step];
  if (next === undefined) return Infinity;
  let at = next - 1;
  const last = all[step - 1] ?? -1;
  while (at > last && text.rows[at]?.arrow === "") at--;
  return at;
}

export class Presenter {
  readonly controls = set(element("span", "presenter"), { role: "group", "aria-label": "presenting" });
  private readonly back: Control;
  private readonly next: Control;
  private readonly count = element("span", "count");
  private text: Text = { rows: [], titles: new Map(), folds: [] };
  private all: readonly number[] = [];
  private step = 0;
  private on = false;

  constructor(private readonly root: HTMLElement, private readonly panes: Panes, private readonly tell: Tell, private readonly ended: () => void) {
    this.back = new Control("button", "◀", tell, () => { this.to(this.step - 1); });
    this.next = new Control("button", "▶", tell, () => { this.to(this.step + 1); });
    const leave = new Control("button", "leave", tell, () => { this.leave(); });
    this.controls.append(this.back.element, this.count, this.next.element, leave.element);
    this.controls.hidden = true;
    root.addEventListener("keydown", (event) => {
      if (!this.on || event.ctrlKey || event.metaKey || event.altKey) return;
      const onButton = event.target instanceof HTMLButtonElement && (event.key === " " || event.key === "Enter");
      if (!onButton && !this.key(event.key)) return;
      if (!onButton) event.preventDefault();
      event.stopPropagation();
    }, { capture: true });
    document.addEventListener("fullscreenchange", this.onFullscreen);
  }

  dispose(): void {
    document.removeEventListener("fullscreenchange", this.onFullscreen);
  }

  get presenting(): boolean {
    return this.on;
  }

  /** full: take the whole screen, where the browser lets us: only where the reader has asked for it just now. */
  enter(full: boolean): void {
    this.on = true;
    this.step = 0;
    this.root.classList.add("tnb-presenting");
    set(this.root, { ...KEYS, tabindex: -1 });
    this.controls.hidden = false;
    if (full) {
      this.root.focus({ preventScroll: true });
      // Where it is forbidden the view presents in its place.
      if (typeof this.root.requestFullscreen === "function") void this.root.requestFullscreen().catch(() => undefined);
    }
    this.panes.advance = () => {
      this.root.focus({ preventScroll: true });
      this.to(this.step + 1);
    };
    this.draw();
  }

  leave(): void {
    if (!this.on) return;
    this.on = false;
    this.root.classList.remove("tnb-presenting");
    set(this.root, { tabindex: null, "data-lm-suppress-shortcuts": null });
    this.controls.hidden = true;
    this.panes.advance = null;
    this.panes.present(null, null);
    if (document.fullscreenElement === this.root) void document.exitFullscreen().catch(() => undefined);
    this.ended();
  }

  /** The panes show another text; same: it is the one of before, of which there may be more now. */
  show(text: Text, same: boolean): void {
    this.text = text;
    this.all = steps(text);
    this.step = same ? Math.min(this.step, this.all.length) : 0;
    if (this.on) this.draw();
  }

  private readonly onFullscreen = (): void => {
    if (this.on && this.wasFull && document.fullscreenElement !== this.root) this.leave();
    this.wasFull = document.fullscreenElement === this.root;
  };
  private wasFull = false;

  private key(key: string): boolean {
    switch (key) {
      case " ": case "ArrowRight": case "ArrowDown": case "PageDown": case "Enter": this.to(this.step + 1); return true;
      case "ArrowLeft": case "ArrowUp": case "PageUp": case "Backspace": this.to(this.step - 1); return true;
      case "Home": this.to(0); return true;
      case "End": this.to(this.all.length); return true;
      case "Escape": this.leave(); return true;
      default: return false;
    }
  }

  private to(step: number): void {
    const within = Math.min(Math.max(step, 0), this.all.length);
    if (within === this.step) return;
    this.step = within;
    this.draw();
  }

  private draw(): void {
    const { step, all } = this;
    const lit = all[step - 1] ?? null;
    this.panes.present(seenUpTo(this.text, all, step), lit);
    write(this.count, `${step} / ${all.length}`);
    this.back.draw({ reason: step === 0 ? "this is the first" : "", title: "back (left arrow)" });
    this.next.draw({ reason: step === all.length ? "this is the last" : "", title: "reveal the next line (space, right arrow, or a click)" });
    if (lit !== null) this.tell(`line ${step} of ${all.length}`);
  }
}
