/** The bar between two panes, moved by the mouse and by the keys. */
import { element, KEYS, set } from "./dom";
import { LEAST, MOST, USUAL } from "./taste";

const STEP = 2;

export class Split {
  readonly element = set(element("div", "split"), { ...KEYS, role: "separator", tabindex: 0, "aria-orientation": "vertical",
    "aria-label": "width of the source", "aria-valuemin": LEAST, "aria-valuemax": MOST, title: "drag, or use the arrow keys; double click for the usual width" });
  private now = USUAL.split;

  /** moved: told the part of the width, in percent, that the left pane is to have; done: and that it stays so. */
  constructor(controls: string, private readonly moved: (split: number, done: boolean) => void) {
    set(this.element, { "aria-controls": controls });
    this.element.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      event.preventDefault();
      this.element.focus({ preventScroll: true });
      this.element.setPointerCapture(event.pointerId);
    });
    this.element.addEventListener("pointermove", (event) => {
      if (this.element.hasPointerCapture(event.pointerId)) this.to(this.under(event.clientX), false);
    });
    this.element.addEventListener("lostpointercapture", () => { this.to(this.now, true); });
    this.element.addEventListener("dblclick", () => { this.to(USUAL.split, true); });
    this.element.addEventListener("keydown", (event) => {
      const to = event.ctrlKey || event.metaKey || event.altKey ? null : this.target(event.key);
      if (to === null) return;
      event.preventDefault();
      event.stopPropagation();
      this.to(to, true);
    });
  }

  draw(split: number): void {
    this.now = split;
    set(this.element, { "aria-valuenow": Math.round(split), "aria-valuetext": `source ${Math.round(split)} %` });
  }

  private under(x: number): number {
    const { left, width } = (this.element.parentElement ?? this.element).getBoundingClientRect();
    return width > 0 ? 100 * (x - left) / width : this.now;
  }

  private to(split: number, done: boolean): void {
    const within = Math.min(Math.max(split, LEAST), MOST);
    if (within !== this.now || done) this.moved(within, done);
  }

  private target(key: string): number | null {
    switch (key) {
      case "ArrowLeft": return this.now - STEP;
      case "ArrowRight": return this.now + STEP;
      case "Home": return LEAST;
      case "End": return MOST;
      case "Enter": return USUAL.split;
      default: return null;
    }
  }
}
