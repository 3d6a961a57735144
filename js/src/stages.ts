/** The stages in order, each with its number of lines and how many more or fewer they are; one is chosen. */
import { Control } from "./controls";
import { element, fill, KEYS, set, write } from "./dom";
import type { Actions, Model } from "./model";
import type { Stage } from "./state";
import { sameText } from "./state";

const EDGE = 16;

export class Stages {
  readonly element: HTMLElement;
  private readonly strip = set(element("div", "stages"), { role: "tablist", "aria-label": "stages" });
  private readonly tabs: Tab[] = [];
  private readonly diff: Control;
  private diffing = false;
  private stage = 0;
  private count = 0;

  constructor(private readonly panel: string, private readonly actions: Actions) {
    this.diff = new Control("toggle", "diff", actions.tell, () => { actions.diff(!this.diffing); });
    this.element = element("div", "strip", this.strip, this.diff.element);
    this.strip.addEventListener("keydown", (event) => {
      const to = this.target(event.key);
      if (to === null || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      event.stopPropagation();
      this.actions.stage(to);
      this.tabs[to]?.element.focus();
    });
  }

  draw({ state, stage, diff }: Model): void {
    const { stages } = state;
    [this.stage, this.count, this.diffing] = [stage, stages.length, diff];
    while (this.tabs.length < stages.length) {
      const at = this.tabs.length;
      this.tabs.push(new Tab(this.panel, () => { this.actions.stage(at); }));
    }
    const shown = this.tabs.slice(0, stages.length);
    shown.forEach((tab, at) => { tab.draw(stages[at], stages[at - 1], at === stage); });
    fill(this.strip, shown.map((tab) => tab.element));
    this.diff.draw({ pressed: diff, reason: stage === 0 ? "the first stage has none before it" : "",
      title: "show what this stage changed" });
  }

  private target(key: string): number | null {
    switch (key) {
      case "ArrowRight": return Math.min(this.stage + 1, this.count - 1);
      case "ArrowLeft": return Math.max(this.stage - 1, 0);
      case "Home": return 0;
      case "End": return this.count - 1;
      default: return null;
    }
  }

  /** Scroll the strip, and nothing around it, until the chosen stage is seen. */
  reveal(): void {
    const tab = this.tabs[this.stage]?.element;
    if (tab === undefined) return;
    const left = tab.offsetLeft - EDGE;
    const width = tab.offsetWidth + 2 * EDGE;
    if (left < this.strip.scrollLeft) this.strip.scrollLeft = left;
    else if (left + width > this.strip.scrollLeft + this.strip.clientWidth) this.strip.scrollLeft = left + width - this.strip.clientWidth;
  }
}

class Tab {
  readonly element: HTMLButtonElement;
  private readonly name = element("span", []);
  private readonly count = element("b", "count");
  private readonly change = element("span", []);

  constructor(panel: string, act: () => void) {
    this.element = set(element("button", "stage", this.name, " ", this.count, element("span", "sr", " lines "), this.change),
      { ...KEYS, type: "button", role: "tab", "aria-controls": panel });
    this.element.addEventListener("click", act);
  }

  draw(stage: Stage | undefined, before: Stage | undefined, chosen: boolean): void {
    if (stage === undefined) return;
    write(this.name, stage.name);
    write(this.count, String(stage.rows.length));
    const [text, css] = change(stage, before);
    write(this.change, text);
    this.change.className = `tnb-${css}`;
    set(this.element, { "aria-selected": chosen, tabindex: chosen ? 0 : -1, title: stage.summary || null });
  }
}

function change(stage: Stage, before: Stage | undefined): readonly [string, "fewer" | "more" | "equal"] {
  if (before === undefined) return ["", "equal"];
  const by = stage.rows.length - before.rows.length;
  if (by !== 0) return [by < 0 ? `−${-by}` : `+${by}`, by < 0 ? "fewer" : "more"];
  return [sameText(stage, before) ? "=" : "±0", "equal"];
}
