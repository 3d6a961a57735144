/** What a reader may choose next is derived before it is chosen, so that a click finds it there: what the pointer or the
 * focus rests on, then what lies open to be chosen. */
import type { Choice } from "./choice";
import { key } from "./choice";
import type { Host } from "./host";

export const REST_MS = 50;
export const LONGEST_MS = 500;                     // of deriving: a kernel that is kept busy unasked is a nuisance

export class Ahead {
  private readonly known = new Set<string>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private first: Choice | null = null;
  private open: readonly Choice[] = [];
  private pending = false;

  /** free: whether the kernel may be asked now. */
  constructor(private readonly host: Host, private readonly free: () => boolean) {}

  /** The pointer is at what would choose this; null when it leaves. */
  near(choice: Choice | null): void {
    this.first = choice;
    this.soon();
  }

  /** These lie open. */
  offer(choices: readonly Choice[]): void {
    this.open = choices;
    this.soon();
  }

  /** The kernel may have forgotten what it derived: it says so by another state. */
  forget(): void {
    this.known.clear();
    this.soon();
  }

  dispose(): void {
    [this.first, this.open] = [null, []];
    clearTimeout(this.timer);
  }

  private soon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => { void this.prepare(); }, REST_MS);
  }

  private async prepare(): Promise<void> {
    const choice = [this.first, ...this.open].find((one) => one !== null && !this.known.has(key(one)));
    if (choice === undefined || choice === null || this.pending || this.host.offline || !this.free()) return;
    this.known.add(key(choice));
    this.pending = true;
    await this.host.ask({ kind: "prepare", ...choice });
    this.pending = false;
    this.soon();
  }
}

/** Tells when the pointer or the focus comes to an element, and when it goes. */
export function approach(place: HTMLElement, near: (here: boolean) => void): void {
  for (const event of ["pointerenter", "focusin"]) place.addEventListener(event, () => { near(true); });
  for (const event of ["pointerleave", "focusout"]) place.addEventListener(event, () => { near(false); });
}
