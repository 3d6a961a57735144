/** What a reader may choose next is derived before it is chosen, so that a click finds it there: what the pointer or the
 * focus rests on, then what lies open to be chosen. What was shown before is there too. */
import type { Choice } from "./choice";
import { key } from "./choice";
import type { Host } from "./host";
import type { Read } from "./reading";

export const REST_MS = 50;
export const LONG_REST_MS = 120;                   // where it takes long: a pointer that passes does not stay so long
export const LONG_MS = 400;
export const LONGEST_MS = 2_500;                   // a kernel that is kept busy unasked for longer is a nuisance
export const LONGEST_NEAR_MS = 6_000;              // of what the pointer is at, or before it is known what the text alone takes
export const LONG_ROWS = 150;                      // of a text: those of all stages together take long
const MOST = 64;                                   // states that are kept

export class Ahead {
  private readonly known = new Set<string>();
  private readonly states = new Map<string, Read>();
  private readonly stop: () => void;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private first: Choice | null = null;
  private open: readonly Choice[] = [];
  private pending = false;
  private took: number | null = null;              // milliseconds, the last time but the first: that finds what all share
  private begun = false;

  /** free: whether the kernel may be asked now; ms: what deriving took that is shown; glance: whether the last text is all that
   * is looked at, and all of them would take long; read: a text instead says why not; come: what is called when something is there. */
  constructor(private readonly host: Host, private readonly free: () => boolean, private readonly ms: () => number,
    private readonly glance: () => boolean, private readonly read: (raw: unknown) => Read | string, private readonly come: () => void) {
    this.stop = host.onForgotten(() => { this.forget(); });
  }

  /** The state of a choice, where it is there. */
  state(choice: Choice): Read | undefined {
    return this.states.get(key(choice));
  }

  keep(choice: Choice, state: Read): void {
    this.states.delete(key(choice));
    this.states.set(key(choice), state);
    const [oldest] = this.states.keys();
    if (this.states.size <= MOST || oldest === undefined) return;
    this.states.delete(oldest);
    this.known.delete(oldest);
  }

  /** The pointer is at what would choose this; null when it leaves. */
  near(choice: Choice | null): void {
    this.first = choice;
    this.soon();
  }

  /** This is chosen, and about to be asked for: where it takes long its text alone comes first. */
  now(choice: Choice): void {
    if (this.glance() && !this.host.offline && !this.known.has(key(choice))) void this.send(choice);
  }

  /** These lie open. */
  offer(choices: readonly Choice[]): void {
    this.open = choices;
    this.soon();
  }

  dispose(): void {
    this.stop();
    this.forget();
    [this.first, this.open] = [null, []];
    clearTimeout(this.timer);
  }

  /** A cell has run: it may be that all this is not so any more. It is derived again when the pointer comes, not now. */
  private forget(): void {
    this.known.clear();
    this.states.clear();
    [this.took, this.begun] = [null, false];
  }

  private expected(): number {
    return this.took ?? this.ms();
  }

  private soon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => { void this.prepare(); }, this.expected() > LONG_MS ? LONG_REST_MS : REST_MS);
  }

  private async prepare(): Promise<void> {
    const choice = [this.first, ...this.open].find((one) => one !== null && !this.known.has(key(one)) && !this.states.has(key(one)));
    if (choice === undefined || choice === null || this.pending || this.host.offline || !this.free()) return;
    if (this.expected() > (choice === this.first || this.took === null ? LONGEST_NEAR_MS : LONGEST_MS)) return;
    this.pending = true;
    const start = performance.now();
    await this.send(choice);
    this.pending = false;
    if (this.begun) this.took = performance.now() - start;
    this.begun = true;
    this.soon();
  }

  private async send(choice: Choice): Promise<void> {
    this.known.add(key(choice));
    const answer = await this.host.ask({ kind: "prepare", ...choice, whole: !this.glance() });
    const read = answer.kind === "prepared" && this.known.has(key(choice)) && !this.states.has(key(choice)) ? this.read(answer.state) : "";
    if (typeof read === "string") return;
    this.keep(choice, read);
    this.come();
  }
}

/** Tells when the pointer or the focus comes to an element, and when it goes. */
export function approach(place: HTMLElement, near: (here: boolean) => void): void {
  for (const event of ["pointerenter", "focusin"]) place.addEventListener(event, () => { near(true); });
  for (const event of ["pointerleave", "focusout"]) place.addEventListener(event, () => { near(false); });
}
