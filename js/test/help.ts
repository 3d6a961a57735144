/** A model as anywidget gives it, states, and ways to use a view as a reader does. */
import type { Model } from "../src/kernel";
import { KernelHost } from "../src/kernel";
import type { State } from "../src/state";
import { View } from "../src/view";
import example from "./example.json";

type Callback = (...values: unknown[]) => void;
export type Sent = Readonly<Record<string, unknown>> & { readonly id: number };

export function state(part: Partial<State> = {}): State {
  return { ...structuredClone(example) as unknown as State, ...part };
}

/** A state of a few rows: three lines of the user's, and the rows of one stage after another, each `[text, arrow, from]`. */
export function small(stages: readonly (readonly (readonly [string, "→" | "←" | "", readonly number[]])[])[],
  part: Partial<State> = {}): State {
  const texts = ["def f(x):", "    y = x * x", "    return y"];
  const lines = [...texts];
  const index = (text: string): number => lines.includes(text) ? lines.indexOf(text) : lines.push(text) - 1;
  const made = stages.map((rows, at) => ({ name: `stage ${at}`, part: `part ${at}`, count: rows.length, summary: "", folds: [],
    rows: rows.map(([text, arrow, from]) => [index(text), from.length > 0 ? from[0]! - 1 : -1, arrow, from, []] as const) }));
  return { ...state(), primal: [{ title: "In[1]", name: "", rows: texts.map((_, at) => [at + 1, at, at - 1] as const) }],
    lines: lines.map((text) => [["", text] as const]), stages: made, raw: 0, final: made.length - 1, tables: [], notes: [], ...part };
}

export class FakeModel implements Model {
  readonly sent: Sent[] = [];
  comm_live?: boolean;
  throws = false;
  private readonly callbacks = new Map<string, Set<Callback>>();

  constructor(private value: unknown) {}

  get(name: string): unknown {
    return name === "state" ? this.value : undefined;
  }

  send(content: unknown): void {
    if (this.throws) throw new Error("comm is closed");
    this.sent.push(content as Sent);
  }

  on(name: string, callback: Callback): void {
    const all = this.callbacks.get(name) ?? new Set();
    this.callbacks.set(name, all.add(callback));
  }

  off(name: string, callback: Callback): void {
    this.callbacks.get(name)?.delete(callback);
  }

  trigger(name: string, ...values: unknown[]): void {
    for (const one of [...this.callbacks.get(name) ?? []]) one(...values);
  }

  set(value: unknown): void {
    this.value = value;
    this.trigger("change:state");
  }

  reply(content: unknown): void {
    this.trigger("msg:custom", content, []);
  }

  listeners(): number {
    return [...this.callbacks.values()].reduce((sum, all) => sum + all.size, 0);
  }

  get last(): Sent {
    return this.sent[this.sent.length - 1]!;
  }
}

export interface Mounted {
  readonly model: FakeModel;
  readonly el: HTMLElement;
  readonly host: KernelHost;
  readonly view: View;
}

export function mount(value: unknown, model = new FakeModel(value)): Mounted {
  const el = document.body.appendChild(document.createElement("div"));
  const host = new KernelHost(model, el);
  return { model, el, host, view: new View(el, host) };
}

/** Until what was answered has been drawn. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await Promise.resolve();
}

export function button(el: Element, name: string): HTMLButtonElement {
  const found = [...el.querySelectorAll<HTMLButtonElement>("button:not([role=tab])")].find((one) => !one.hidden && words(one).startsWith(name));
  if (found === undefined) throw new Error(`no button ${name}`);
  return found;
}

export function words(one: Element | null): string {
  return (one?.textContent ?? "").replace(/\s+/g, " ").trim();
}

export function lists(el: Element): readonly [HTMLElement, HTMLElement] {
  const [left, right] = el.querySelectorAll<HTMLElement>("[role=listbox]");
  return [left!, right!];
}

export function row(list: Element, at: number): HTMLElement {
  const found = list.querySelector<HTMLElement>(`[data-row="${at}"]`);
  if (found === null) throw new Error(`no row ${at}`);
  return found;
}

export function hot(list: Element): number[] {
  return [...list.querySelectorAll(".tnb-hot")].map((one) => Number(one.getAttribute("data-row")));
}

export function press(target: Element, key: string, more: KeyboardEventInit = {}): KeyboardEvent {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more });
  target.dispatchEvent(event);
  return event;
}

let mouse = 0;

export function hover(target: Element): void {
  target.dispatchEvent(new MouseEvent("pointermove", { bubbles: true, clientX: ++mouse }));
}

export function leave(list: Element): void {
  list.dispatchEvent(new MouseEvent("pointerleave"));
}

export function click(target: Element): void {
  target.dispatchEvent(new MouseEvent("pointerdown", { bubbles: true }));
  if (target instanceof HTMLElement) target.click();
}

export function texts(list: Element): string[] {
  return [...list.querySelectorAll("[data-row] .tnb-text")].map((one) => one.textContent);
}

export function tab(el: Element, name: string): HTMLElement {
  const found = [...el.querySelectorAll<HTMLElement>("[role=tab]")].find((one) => words(one).startsWith(name));
  if (found === undefined) throw new Error(`no tab ${name}`);
  return found;
}
