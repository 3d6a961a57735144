/** The last line: where the row that is lit comes from, and what has just happened. */
import { element, set, write } from "./dom";
import type { Sentence } from "./words";

const HINT = "Point at a line to see where it comes from; click to pin it.";
const SEEN_MS = 6_000;

export class Foot {
  readonly element: HTMLElement;
  private readonly head = element("span", [], HINT);
  private readonly code = element("span", "code");
  private readonly told = set(element("span", "told"), { role: "status" });
  private readonly progress = set(element("div", "progress"), { "aria-hidden": true });
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    this.progress.hidden = true;
    this.element = element("div", "foot", this.progress, element("span", "words", this.head, this.code), this.told);
  }

  words(sentence: Sentence | null): void {
    write(this.head, sentence?.head ?? HINT);
    write(this.code, sentence?.code ?? "");
  }

  tell(text: string): void {
    clearTimeout(this.timer);
    write(this.told, text);
    if (text !== "") this.timer = setTimeout(() => { write(this.told, ""); }, SEEN_MS);
  }

  busy(on: boolean): void {
    this.progress.hidden = !on;
  }
}
