/** What stands above the panes: that they are stale, that something was refused, that something went wrong. */
import { Control } from "./controls";
import { element, fill, preformatted, set, write } from "./dom";
import { clipped } from "./limits";
import type { Actions } from "./model";
import type { State } from "./state";

export interface Said {
  readonly state: State | null;
  readonly trouble: string;
  readonly locked: string;
  readonly offline: boolean;
}

const HEADINGS = {
  trouble: "",
  refusal: "Refused. What is shown is the derivative of before.",
  problem: "The call at the example arguments failed.",
};

export class Messages {
  readonly element = element("div", []);
  private readonly again: Control;
  private readonly stale: HTMLElement;
  private readonly reason = element("span", []);
  private readonly boxes = new Map<string, readonly [text: string, box: HTMLElement]>();

  constructor(actions: Actions) {
    this.again = new Control("button", "derive again", actions.tell, () => { actions.again(); });
    this.stale = set(element("div", "banner", element("span", "grow", element("b", [], "stale: "), this.reason), this.again.element),
      { role: "status" });
  }

  draw({ state, trouble, locked, offline }: Said): void {
    const shown: HTMLElement[] = [];
    if (state !== null && state.stale !== "") {
      write(this.reason, state.stale);
      this.again.draw({ reason: locked });
      this.again.element.hidden = offline;
      shown.push(this.stale);
    }
    for (const [kind, text] of [["trouble", trouble], ["refusal", state?.refusal ?? ""], ["problem", state?.problem ?? ""]] as const) {
      if (text === "") this.boxes.delete(kind);
      else shown.push(this.box(kind, text));
    }
    fill(this.element, shown);
  }

  /** The same box for the same text: what is put in again is read out again. */
  private box(kind: keyof typeof HEADINGS, text: string): HTMLElement {
    const known = this.boxes.get(kind);
    if (known?.[0] === text) return known[1];
    const heading = HEADINGS[kind] === "" ? [] : [element("div", "heading", HEADINGS[kind])];
    const box = set(element("div", "alert", ...heading, preformatted("message", clipped(text))), { role: "alert" });
    this.boxes.set(kind, [text, box]);
    return box;
  }
}
