/** A view in a notebook: the state is a traitlet, messages go over its comm. */
import { appliedOf, editorOf, helperOf } from "./validate";
import type { Answer, Ask, Host, Reach } from "./host";

/** What anywidget gives of a model. Only some front ends let `comm_live` through. */
export interface Model {
  get(name: string): unknown;
  send(content: unknown): void;
  on(name: string, callback: (...values: unknown[]) => void): void;
  off(name: string, callback: (...values: unknown[]) => void): void;
  readonly comm_live?: boolean;
}

export const PATIENCE_MS = 10_000;
export const DOUBT_MS = 3_000;                     // after which one that does not say that it is there is gone
export const RUN_MS = 120_000;                     // what is recorded runs much longer than it does by itself
const WHENEVER_MS = 2 ** 31 - 1;                   // what is written waits for the kernel as long as that is busy

const LONG: ReadonlySet<string> = new Set(["step", "measure", "other", "text", "export", "edit", "costs", "graph", "tape", "fold", "spread"]);

const PROBE = "seed";                              // a helper: what explains one is answered while a cell runs, too

// The mark that Jupyter's widget manager puts on widgets without a kernel.
const DISCONNECTED = ".jupyter-widgets-disconnected";

// Views of one model hear each other's answers, and so do those in other windows: no two count from the same number.
let lastId = Date.now();

interface Waiting {
  readonly answer: (answer: Answer) => void;
  readonly patience: number;
  timer: ReturnType<typeof setTimeout>;
}

export class KernelHost implements Host {
  readonly offline = false;
  private readonly waiting = new Map<number, Waiting>();
  private readonly listeners = new Set<() => void>();
  private readonly forgetful = new Set<() => void>();

  private doubtful = false;
  private mute = false;                            // it was asked whether it is there
  private probe: ReturnType<typeof setTimeout> | undefined;

  private readonly onChange = (): void => {
    this.doubtful = this.mute = false;
    this.changed();
  };
  private readonly onMessage = (content: unknown, buffers?: unknown): void => { this.answered(content, buffers); };
  // The mark is set by a listener of the same event: look when all have run.
  private readonly onLive = (): void => { setTimeout(() => { this.lived(); }, 0); };

  constructor(private readonly model: Model, private readonly element: Element) {
    model.on("change:state", this.onChange);
    model.on("msg:custom", this.onMessage);
    model.on("comm_live_update", this.onLive);
  }

  dispose(): void {
    this.model.off("change:state", this.onChange);
    this.model.off("msg:custom", this.onMessage);
    this.model.off("comm_live_update", this.onLive);
    this.listeners.clear();
    this.forgetful.clear();
    clearTimeout(this.probe);
    for (const id of [...this.waiting.keys()]) this.settle(id, { kind: "silent" });
  }

  state(): unknown {
    return this.model.get("state");
  }

  onState(changed: () => void): () => void {
    this.listeners.add(changed);
    return () => { this.listeners.delete(changed); };
  }

  onForgotten(told: () => void): () => void {
    this.forgetful.add(told);
    return () => { this.forgetful.delete(told); };
  }

  can(): string {
    return "";
  }

  reach(): Reach {
    if (this.mute || this.model.comm_live === false || this.element.closest(DISCONNECTED) !== null) return "gone";
    return this.doubtful ? "doubtful" : "live";
  }

  ask(message: Ask): Promise<Answer> {
    return new Promise((answer) => {
      const id = ++lastId;
      if (this.reach() === "gone") {
        answer({ kind: "silent" });
        return;
      }
      this.waiting.set(id, { answer, patience: patience(message), timer: this.until(id, patience(message)) });
      try {
        this.model.send({ ...message, id });
      } catch {
        this.settle(id, { kind: "silent" });       // a comm that is closed may throw
      }
    });
  }

  private until(id: number, ms: number): ReturnType<typeof setTimeout> {
    return setTimeout(() => { this.settle(id, { kind: "silent" }); }, ms);
  }

  private lived(): void {
    // anywidget hands the event on and not `comm_live`. Mostly it means the end; a state or an answer shows that it did not.
    this.doubtful = this.model.comm_live === undefined;
    this.mute = false;
    if (this.reach() !== "live") for (const id of [...this.waiting.keys()]) this.settle(id, { kind: "silent" });
    this.changed();
    clearTimeout(this.probe);
    if (this.reach() !== "doubtful") return;
    void this.ask({ kind: "helper", name: PROBE });
    this.probe = setTimeout(() => {
      this.mute = this.doubtful;
      if (this.mute) this.changed();
    }, DOUBT_MS);
  }

  private changed(): void {
    for (const one of this.listeners) one();
  }

  private answered(content: unknown, buffers: unknown): void {
    if (typeof content !== "object" || content === null) return;
    const { kind, id, text, html, helper, overview, moments, state, figures, card, found } = content as Readonly<Record<string, unknown>>;
    if (kind === "forgotten") for (const one of this.forgetful) one();
    if (typeof id !== "number") return;
    const unsure = this.doubtful;
    this.doubtful = this.mute = false;
    if (unsure) this.changed();
    for (const [one, waits] of this.waiting) {      // the kernel is there, and takes one after the other
      clearTimeout(waits.timer);
      waits.timer = this.until(one, waits.patience);
    }
    if (kind === "done") this.settle(id, { kind });
    else if (kind === "failed" && typeof text === "string") this.settle(id, { kind, text });
    else if (kind === "beside" || kind === "prepared") this.settle(id, { kind, state });
    else if (kind === "measured") this.settle(id, { kind, figures });
    else if (kind === "costs" || kind === "graph" || kind === "tape" || kind === "spread") this.settle(id, { kind, found });
    else if (kind === "stepped") this.settle(id, { kind, overview });
    else if (kind === "moments") this.settle(id, { kind, moments });
    else if (kind === "card") this.settle(id, { kind, card });
    else if (kind === "taken" && typeof text === "string") this.settle(id, { kind, text });
    else if (kind === "draft") this.settle(id, { kind, draft: (content as { readonly draft?: unknown }).draft });
    else if (kind === "editor" || kind === "applied") {
      this.settle(id, (kind === "editor" ? editorOf(content, buffers) : appliedOf(content)) ?? { kind: "failed", text: "what the kernel said cannot be shown" });
    } else if (kind === "helper") {
      const found = helperOf(helper);
      this.settle(id, found === null ? { kind: "failed", text: "what the kernel said of it cannot be shown" } : { kind: "explained", helper: found });
    } else if (kind === "exported" && typeof html === "string") this.settle(id, { kind, html });
  }

  private settle(id: number, answer: Answer): void {
    const one = this.waiting.get(id);
    if (one === undefined) return;                 // late, or another view's
    this.waiting.delete(id);
    clearTimeout(one.timer);
    one.answer(answer);
  }
}

function patience(message: Ask): number {
  const { kind } = message;
  if (kind === "draft" || kind === "apply") return WHENEVER_MS;
  return LONG.has(kind) || (kind === "card" && message.run) ? RUN_MS : PATIENCE_MS;
}
