/** The name of the derivative, the options, and what can be done with the text; and, beside the stages, how the text is shown. */
import type { Choice } from "./choice";
import { toggled } from "./choice";
import { Control, Segments } from "./controls";
import { element, fill, set, write } from "./dom";
import type { Actions, Model } from "./model";
import { offersUse } from "./model";
import { Passes } from "./passes";
import type { Backend, Mode } from "./state";
import { whole } from "./state";

const BACKENDS: Readonly<Record<Backend, string>> = { numpy: "NumPy", numba: "Numba", jax: "JAX", jit: "JAX jit" };
const KEEP_ONE = "one stays on";

export class Header {
  readonly element: HTMLElement;
  readonly tools: HTMLElement;
  readonly panel: HTMLElement;
  private readonly name = element("span", "name");
  private readonly chips = set(element("span", "group"), { role: "group", "aria-label": "with respect to" });
  private readonly byName = new Map<string, Chip>();
  private readonly mode: Segments<Mode>;
  private readonly backend: Segments<Backend>;
  private readonly text: Segments<"raw" | "optimized">;
  private readonly passes: Passes;
  private readonly diff: Control;
  private readonly wrap: Control;
  private readonly present: Control;
  private readonly copy: Control;
  private readonly use: Control;
  private readonly save: Control;
  private readonly take: Control;
  private choice: Choice | null = null;
  private stages = { raw: 0, final: 0 };
  private on = { diff: false, wrap: false };

  constructor(id: string, private readonly actions: Actions) {
    const { tell } = actions;
    this.mode = new Segments<Mode>("mode", [["reverse", "reverse"], ["forward", "forward"]], tell, (mode) => { this.derive({ mode }); },
      (mode) => { this.near(mode && { mode }); });
    this.backend = new Segments<Backend>("backend", [["numpy", BACKENDS.numpy], ["numba", BACKENDS.numba],
      ["jax", BACKENDS.jax], ["jit", BACKENDS.jit]], tell, (backend) => { this.derive({ backend }); });
    this.text = new Segments("text", [["raw", "raw"], ["optimized", "optimized"]], tell,
      (one) => { actions.stage(one === "raw" ? this.stages.raw : this.stages.final); });
    this.passes = new Passes(id, actions);
    this.diff = new Control("toggle", "diff", tell, () => { actions.diff(!this.on.diff); });
    this.wrap = new Control("toggle", "wrap", tell, () => { actions.wrap(!this.on.wrap); });
    this.present = new Control("button", "present", tell, () => { actions.present(); });
    this.copy = new Control("button", "copy", tell, () => { actions.copy(); });
    this.use = new Control("primary", "use this", tell, () => { actions.use(); });
    this.save = new Control("button", "save…", tell, () => { actions.save(); });
    this.take = new Control("button", "save .py", tell, () => { actions.take(); });
    const buttons = element("span", "group", this.copy.element, this.use.element, this.save.element, this.take.element);
    this.element = element("div", "bar", this.name, this.chips, this.mode.element, this.backend.element, element("span", "grow"), buttons);
    this.tools = element("div", "tools", this.text.element, this.passes.button.element, this.diff.element, this.wrap.element, this.present.element);
    this.panel = this.passes.panel;
  }

  draw(model: Model): void {
    const { state, choice, locked } = model;
    const can = (part: Partial<Choice>): string => locked || model.can({ ...choice, ...part });
    this.choice = choice;
    this.stages = { raw: state.raw, final: state.final };
    write(this.name, state.name);
    set(this.name, { title: state.title });
    this.drawChips(model);
    this.mode.draw(choice.mode, (mode) => can({ mode }));
    this.backend.draw(choice.backend, (backend) => missing(model, backend) || can({ backend }));
    this.text.draw(model.stage === state.final ? "optimized" : model.stage === state.raw ? "raw" : null,
      () => state.raw === state.final ? "no pass is on" : "");
    this.passes.draw(model);
    this.on = { diff: model.diff, wrap: model.wrap };
    this.diff.draw({ pressed: model.diff, reason: model.stage === 0 ? "the first stage has none before it" : "",
      title: "show what this stage changed" });
    this.present.draw({ reason: "", title: "large type, and the backward lines one at a time; Escape leaves" });
    this.wrap.draw({ pressed: model.wrap, reason: "", title: model.wrap ? "let long lines scroll" : "break long lines" });
    this.copy.draw({ reason: whole(state) ? "" : locked, title: "copy the text of the stage that is shown" });
    this.use.draw({ reason: locked, title: `define ${state.name}, optimized, in the notebook` });
    this.save.draw({ reason: locked, title: "keep this as a page of its own" });
    this.take.draw({ reason: locked, title: "keep it as a file that needs NumPy alone" });
    this.use.element.hidden = !offersUse(model);
    this.save.element.hidden = this.take.element.hidden = model.offline;
  }

  private drawChips({ state, choice, locked, can }: Model): void {
    const label = element("span", "label", "with respect to");
    const [first] = this.chips.childNodes;
    const chips = state.options.wrt.map(({ name, reason }) => {
      const chip = this.byName.get(name) ?? new Chip(name, this.actions.tell, () => { this.toggle(name); },
        (here) => { this.near(here ? { wrt: this.toggles.get(name) ?? [] } : null); });
      this.byName.set(name, chip);
      const wrt = toggled(state.options.wrt, choice.wrt, name);
      const on = choice.wrt.includes(name);
      this.toggles.set(name, wrt);
      chip.draw(on, reason || (wrt.length === 0 ? KEEP_ONE : "") || locked || can({ ...choice, wrt }));
      return chip.element;
    });
    fill(this.chips, [first ?? label, ...chips]);
  }

  private readonly toggles = new Map<string, readonly string[]>();

  private toggle(name: string): void {
    this.derive({ wrt: this.toggles.get(name) ?? [] });
  }

  private derive(part: Partial<Choice>): void {
    const choice = this.other(part);
    if (choice !== null) this.actions.derive(choice);
  }

  private near(part: Partial<Choice> | null): void {
    this.actions.near(part && this.other(part));
  }

  /** A choice that is not the one that is on. */
  private other(part: Partial<Choice>): Choice | null {
    const choice = this.choice && { ...this.choice, ...part };
    return JSON.stringify(choice) === JSON.stringify(this.choice) ? null : choice;
  }
}

class Chip {
  readonly element: HTMLElement;
  private readonly control: Control;

  constructor(private readonly name: string, tell: (text: string) => void, act: () => void, near: (here: boolean) => void) {
    this.control = new Control("chip", name, tell, act, near);
    this.element = this.control.element;
  }

  draw(on: boolean, reason: string): void {
    this.control.name(on ? `${this.name} ✓` : this.name);
    this.control.draw({ pressed: on, reason });
  }
}

function missing({ state }: Model, backend: Backend): string {
  const one = state.options.backends.find(({ name }) => name === backend);
  return one === undefined ? "not available" : one.reason;
}
