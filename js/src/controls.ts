/** Buttons that say why they cannot be used, instead of only being grey. */
import { approach } from "./ahead";
import type { Css } from "./dom";
import { element, KEYS, set, write } from "./dom";

export interface Look {
  readonly pressed?: boolean;
  readonly title?: string;
  /** Why it cannot be used, "" if it can. */
  readonly reason: string;
}

/** Tells a sentence to the reader. */
export type Tell = (text: string) => void;

export class Control {
  readonly element: HTMLButtonElement;
  private readonly label = element("span", []);
  private readonly why = element("span", "sr");
  private reason = "";

  /** near: the pointer or the focus is at it, and it can be used; false when it leaves. */
  constructor(css: Css, label: string, tell: Tell, act: () => void, near?: (here: boolean) => void) {
    this.element = set(element("button", css, this.label, this.why), { ...KEYS, type: "button" });
    this.name(label);
    // It stays focusable: a reason that the keyboard cannot reach is none.
    this.element.addEventListener("focus", () => {
      if (this.reason !== "" && this.element.matches(":focus-visible")) tell(this.reason);
    });
    this.element.addEventListener("click", () => {
      if (this.reason === "") act();
      else tell(this.reason);
    });
    if (near !== undefined) approach(this.element, (here) => { near(here && this.reason === ""); });
  }

  name(label: string): void {
    write(this.label, label);
  }

  draw({ pressed, title, reason }: Look): void {
    this.reason = reason;
    write(this.why, reason === "" ? "" : `: ${reason}`);
    set(this.element, { "aria-pressed": pressed ?? null, "aria-disabled": reason === "" ? null : true,
      title: reason || (title ?? null) });
  }
}

/** Buttons of which one is on. */
export class Segments<T extends string> {
  readonly element: HTMLElement;
  private readonly buttons: ReadonlyMap<T, Control>;

  constructor(name: string, choices: readonly (readonly [T, string])[], tell: Tell, pick: (one: T) => void,
    near?: (one: T | null) => void) {
    this.buttons = new Map(choices.map(([one, label]) => [one, new Control("button", label, tell, () => { pick(one); },
      near && ((here) => { near(here ? one : null); }))]));
    this.element = set(element("span", "seg", ...[...this.buttons.values()].map((button) => button.element)),
      { role: "group", "aria-label": name });
  }

  draw(now: T | null, reason: (one: T) => string, title: (one: T) => string = () => ""): void {
    for (const [one, button] of this.buttons) {
      button.draw({ pressed: one === now, title: title(one), reason: one === now ? "" : reason(one) });
    }
  }
}
