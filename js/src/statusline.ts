/** One line above the panes: where what is lit comes from, else what the stage does; and what has just happened. */
import { element, set, write } from "./dom";
import type { Sentence } from "./words";

export const HINT = "Point at code to see where it comes from; click to pin it.";
const SEEN_MS = 6_000;
const READ_MS = 60;                                // a character of what is longer

export class StatusLine {
  readonly element: HTMLElement;
  private readonly head = element("span", []);
  private readonly code = element("span", "code");
  private readonly tail = element("span", []);
  private readonly told = set(element("span", "told"), { role: "status" });
  private readonly progress = set(element("div", "progress"), { "aria-hidden": true });
  private timer: ReturnType<typeof setTimeout> | undefined;
  private usual: Sentence = { head: HINT, code: "" };
  private now: Sentence | null = null;

  /** more: what else stands there, at the end. */
  constructor(more: HTMLElement) {
    this.progress.hidden = true;
    this.element = element("div", "line", this.progress, element("span", "words", this.head, this.code, this.tail), this.told, more);
  }

  /** What stands there while nothing is lit. */
  stage(name: string, summary: string): void {
    this.usual = summary === "" ? { head: HINT, code: "" } : { head: "", code: name, tail: `: ${summary}. ${HINT}` };
    this.words(this.now);
  }

  words(sentence: Sentence | null): void {
    this.now = sentence;
    const { head, code, tail } = sentence ?? this.usual;
    write(this.head, head);
    write(this.code, code);
    write(this.tail, tail ?? "");
    this.element.classList.toggle("tnb-pointing", sentence !== null);
  }

  tell(text: string): void {
    clearTimeout(this.timer);
    write(this.told, text);
    if (text !== "") this.timer = setTimeout(() => { write(this.told, ""); }, Math.max(SEEN_MS, READ_MS * text.length));
  }

  busy(on: boolean): void {
    this.progress.hidden = !on;
  }
}
