/** What was written in editors of this page and not applied, for the view that takes the place of the one it was written in:
 * a cell that runs again makes a new one. */
import { copyText } from "./clipboard";
import { Control } from "./controls";
import type { Tell } from "./controls";
import { element, fill, preformatted } from "./dom";
import { clipped } from "./limits";

/** cell: that the view is an output of, as the front end names it; name: of the derivative; before: the text that was edited. */
export interface Unapplied {
  readonly cell: string;
  readonly name: string;
  readonly before: string;
  readonly text: string;
}

export const BACK = "What was written here and not applied is back: it has not run.";
const MOST = 32;
const OTHER = "What was written in the editor has not been applied, and the cell has another text now than the one it was made from.";

// Each widget loads a copy of this file of its own: what they share is the window's.
const KEY = Symbol.for("tangent_nb.unapplied");

function all(): Unapplied[] {
  const shared = globalThis as unknown as Record<symbol, Unapplied[] | undefined>;
  return shared[KEY] ??= [];
}

export function keep(one: Unapplied): void {
  const kept = all();
  kept.push(one);
  if (kept.length > MOST) kept.shift();
}

export function isKept(cell: string): boolean {
  return cell !== "" && all().some((one) => one.cell === cell);
}

/** Take what belongs to a view: made from the text that it edits, else of a derivative of its name; where the cell has one view
 * only, whatever there is of it. */
export function taken(cell: string, name: string, before: string, only: boolean): Unapplied | null {
  const kept = all();
  const found = kept.filter((one) => one.cell === cell).reverse();
  const one = found.find((each) => same(each.before, before)) ?? found.find((each) => each.name === name) ?? (only ? found[0] : undefined);
  if (one === undefined) return null;
  kept.splice(kept.indexOf(one), 1);
  return one;
}

/** IPython takes away what is blank at the end of a cell. */
export function same(one: string, two: string): boolean {
  return one.replace(/\r\n?/g, "\n").trimEnd() === two.replace(/\r\n?/g, "\n").trimEnd();
}

/** Says what there is, where it is not put into the editor by itself. */
export class Notice {
  readonly element = element("div", []);
  private one: Unapplied | null = null;
  private readonly go: Control;
  private readonly copy: Control;
  private readonly drop: Control;

  /** go: edit it. */
  constructor(private readonly tell: Tell, go: (one: Unapplied) => void) {
    const act = (what: (one: Unapplied) => void) => (): void => { if (this.one !== null) what(this.one); };
    this.go = new Control("button", "continue with it", tell, act((one) => {
      this.show(null);
      go(one);
    }));
    this.copy = new Control("button", "copy it", tell, act((one) => { void this.copied(one.text); }));
    this.drop = new Control("button", "discard it", tell, () => { this.show(null); });
  }

  show(one: Unapplied | null): void {
    this.one = one;
    fill(this.element, one === null ? [] : [element("div", ["draft", "lost"], element("p", "note", OTHER),
      preformatted("message", clipped(one.text.trimEnd())),
      element("p", "group", this.go.element, this.copy.element, this.drop.element))]);
  }

  /** reason: why it cannot be edited here. */
  draw(reason: string): void {
    this.go.draw({ reason, title: "into the editor; nothing runs before you apply it" });
    this.copy.draw({ reason: "" });
    this.drop.draw({ reason: "" });
  }

  /** What is not seen any more is kept for the next view. */
  dispose(): void {
    if (this.one !== null) keep(this.one);
    this.one = null;
  }

  private async copied(text: string): Promise<void> {
    const done = await copyText(text, this.element);
    this.tell(done ? "copied" : "the browser does not let the text be copied: select it");
  }
}
