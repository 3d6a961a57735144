/** The stages in order, in parts: yours, the normal form, the derivative, the passes, the text. A part opens to its stages. */
import { element, fill, KEYS, set, write } from "./dom";
import type { Actions, Model } from "./model";
import type { Stage } from "./state";
import { sameText } from "./state";
import { plural } from "./words";

/** Consecutive stages of one part, the end exclusive. */
export interface Part {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

export function parts(stages: readonly Stage[]): readonly Part[] {
  const found: Part[] = [];
  stages.forEach(({ part }, at) => {
    const last = found[found.length - 1];
    if (last?.name === part) found[found.length - 1] = { ...last, end: at + 1 };
    else found.push({ name: part, start: at, end: at + 1 });
  });
  return found;
}

export class Stages {
  readonly element: HTMLElement;
  /** The stages of the part that is shown, where it has several. */
  readonly inside = set(element("div", "inside"), { role: "tablist", "aria-label": "stages of this part" });
  private readonly strip = set(element("div", "stages"), { role: "tablist", "aria-label": "stages" });
  private readonly heads: Tab[] = [];
  private readonly tabs: Tab[] = [];
  private all: readonly Stage[] = [];
  private stage = 0;
  private seen = new Map<string, number>();        // the stage of each part that was shown last

  constructor(private readonly panel: string, private readonly actions: Actions) {
    this.element = this.strip;
    for (const list of [this.strip, this.inside]) {
      list.addEventListener("keydown", (event) => {
        const to = this.target(event.key);
        if (to === null || event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        event.stopPropagation();
        this.actions.stage(to);
        this.tabOf(to)?.element.focus();
      });
    }
  }

  draw({ state, stage }: Model): void {
    const { stages } = state;
    const found = parts(stages);
    [this.stage, this.all] = [stage, stages];
    const now = found.find(({ start, end }) => start <= stage && stage < end);
    if (now !== undefined) this.seen.set(now.name, stage);
    while (this.heads.length < found.length) {
      const at = this.heads.length;
      this.heads.push(new Tab(this.panel, () => { this.open(at); }));
    }
    while (this.tabs.length < stages.length) {
      const at = this.tabs.length;
      this.tabs.push(new Tab(this.panel, () => { this.actions.stage(at); }));
    }
    found.forEach((part, at) => {
      const last = stages[part.end - 1];
      const several = part.end - part.start > 1;
      this.heads[at]?.draw(part.name, last, stages[part.start - 1], part === now,
        several ? `${plural(part.end - part.start, "stage")}: ${stages.slice(part.start, part.end).map(({ name }) => name).join(", ")}` : last?.summary ?? "");
    });
    fill(this.strip, this.heads.slice(0, found.length).map((tab) => tab.element));
    const opened = now !== undefined && now.end - now.start > 1 ? now : null;
    this.inside.hidden = opened === null;
    if (opened === null) return;
    set(this.inside, { "aria-label": opened.name });
    const shown = this.tabs.slice(opened.start, opened.end);
    shown.forEach((tab, place) => {
      const at = opened.start + place;
      tab.draw(stages[at]?.name ?? "", stages[at], stages[at - 1], at === stage, stages[at]?.summary ?? "");
    });
    fill(this.inside, shown.map((tab) => tab.element));
  }

  /** A part: at the stage that was shown last, else the first that changed something. */
  private open(at: number): void {
    const part = parts(this.all)[at];
    if (part === undefined) return;
    const known = this.seen.get(part.name);
    if (known !== undefined && part.start <= known && known < part.end) this.actions.stage(known);
    else {
      const changed = this.all.findIndex((stage, place) => place >= part.start && place < part.end && !sameText(stage, this.all[place - 1]));
      this.actions.stage(changed === -1 ? part.end - 1 : changed);
    }
  }

  private tabOf(stage: number): Tab | undefined {
    const found = parts(this.all);
    const at = found.findIndex(({ start, end }) => start <= stage && stage < end);
    const part = found[at];
    return part !== undefined && part.end - part.start > 1 ? this.tabs[stage] : this.heads[at];
  }

  private target(key: string): number | null {
    switch (key) {
      case "ArrowRight": return Math.min(this.stage + 1, this.all.length - 1);
      case "ArrowLeft": return Math.max(this.stage - 1, 0);
      case "Home": return 0;
      case "End": return this.all.length - 1;
      default: return null;
    }
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

  draw(name: string, stage: Stage | undefined, before: Stage | undefined, chosen: boolean, title: string): void {
    if (stage === undefined) return;
    write(this.name, name);
    write(this.count, stage.count < 0 ? "" : String(stage.count));
    const [text, css] = change(stage, before);
    write(this.change, text);
    this.change.className = `tnb-${css}`;
    this.element.classList.toggle("tnb-idle", text === "=");
    set(this.element, { "aria-selected": chosen, tabindex: chosen ? 0 : -1, title: title || null });
  }
}

function change(stage: Stage, before: Stage | undefined): readonly [string, "fewer" | "more" | "equal"] {
  if (before === undefined || stage.count < 0 || before.count < 0) return ["", "equal"];
  const by = stage.count - before.count;
  if (by !== 0) return [by < 0 ? `−${-by}` : `+${by}`, by < 0 ? "fewer" : "more"];
  return [sameText(stage, before) ? "=" : "±0", "equal"];
}
