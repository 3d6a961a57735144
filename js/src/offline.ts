/** A view in an exported page, or of a stored output: the states that were stored with it, and no others. */
import type { Choice } from "./choice";
import { chosen, key } from "./choice";
import type { Answer, Ask, Host, Reach } from "./host";
import { unpack } from "./unpack";
import { helperOf, validate } from "./validate";

const EXACT_FIRST = "a sampled tape is for reverse mode on NumPy or JAX: choose the exact tape first";
export const NEEDS_NOTEBOOK = "needs the notebook";

export class OfflineHost implements Host {
  readonly offline = true;
  private readonly variants = new Map<string, unknown>();
  private readonly listeners = new Set<() => void>();
  private readonly helpers = new Map<string, unknown>();
  private current: unknown;
  private readonly recording: { readonly overview?: unknown; readonly pieces?: unknown } | null = null;
  private readonly measured: Readonly<Partial<Record<"costs" | "graph" | "tape" | "spread", unknown>>> = {};

  /** stored: `{state, variants, helpers}` (tangent_nb/notebook/state.py); reason: why others cannot be had. */
  constructor(stored: unknown, private readonly reason = NEEDS_NOTEBOOK) {
    const { state, variants, helpers, recording, measured } = (typeof stored === "object" && stored !== null ? stored : {}) as Readonly<Record<string, unknown>>;
    this.current = state;
    if (typeof recording === "object" && recording !== null) this.recording = recording;
    if (typeof measured === "object" && measured !== null) this.measured = measured;
    if (typeof variants === "object" && variants !== null) {
      for (const [name, variant] of Object.entries(variants)) this.variants.set(name, variant);
    }
    if (typeof helpers === "object" && helpers !== null) {
      for (const [name, helper] of Object.entries(helpers)) this.helpers.set(name, helper);
    }
    const first = validate(unpack(state));
    if ("state" in first) this.variants.set(key(chosen(first.state)), state);
  }

  state(): unknown {
    return this.current;
  }

  onState(changed: () => void): () => void {
    this.listeners.add(changed);
    return () => { this.listeners.delete(changed); };
  }

  onForgotten(): () => void {
    return () => undefined;                        // what is stored stays
  }

  can(choice: Choice): string {
    if (this.variants.has(key(choice))) return "";
    return choice.tape !== "" && this.variants.has(key({ ...choice, tape: "" })) ? EXACT_FIRST : this.reason;
  }

  reach(): Reach {
    return "live";
  }

  ask(message: Ask): Promise<Answer> {
    if (message.kind === "helper") {
      const helper = helperOf(this.helpers.get(message.name));
      return Promise.resolve(helper === null ? { kind: "failed", text: this.reason } : { kind: "explained", helper });
    }
    if (message.kind === "step" && this.recording !== null) return Promise.resolve({ kind: "stepped", overview: this.recording.overview });
    if ((message.kind === "costs" || message.kind === "graph" || message.kind === "tape" || message.kind === "spread") && this.measured[message.kind] !== undefined) {
      return Promise.resolve({ kind: message.kind, found: this.measured[message.kind] });
    }
    if (message.kind === "moments" && Array.isArray(this.recording?.pieces)) {
      return Promise.resolve({ kind: "moments", moments: this.recording.pieces[message.piece] as unknown });
    }
    if (message.kind !== "derive" || this.can(message) !== "") return Promise.resolve({ kind: "failed", text: this.reason });
    this.current = this.variants.get(key(message));
    for (const one of this.listeners) one();
    return Promise.resolve({ kind: "done" });
  }
}
