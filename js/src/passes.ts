/** The passes, each with what it does, to be left out one by one. */
import { approach } from "./ahead";
import { toggled } from "./choice";
import type { Choice } from "./choice";
import { Control } from "./controls";
import { element, fill, KEYS, set, write } from "./dom";
import type { Actions, Model } from "./model";

export class Passes {
  readonly button: Control;
  readonly panel = element("div", "passes");
  private readonly boxes = new Map<string, Box>();
  private open = false;
  private choices: readonly Choice[] = [];
  private offered: readonly Choice[] = [];         // those with a stage share most with what is shown; early ones take longest

  constructor(id: string, private readonly actions: Actions) {
    this.button = new Control("button", "", actions.tell, () => { this.toggle(!this.open); });
    set(this.panel, { id: `${id}-passes`, role: "group", "aria-label": "passes" });
    this.panel.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      this.toggle(false);
      this.button.element.focus();
    });
    this.toggle(false);
  }

  draw(model: Model): void {
    const { passes } = model.state.options;
    this.button.name(`passes ${model.choice.passes.length}/${passes.length} ▾`);
    this.button.draw({ reason: "", title: "what the derivative goes through" });
    this.choices = passes.map(({ name }) => ({ ...model.choice, passes: toggled(passes, model.choice.passes, name) }));
    const staged = new Set(model.state.stages.map(({ name }) => name));
    const shared = (at: number): boolean => staged.has(passes[at]?.name ?? "");
    this.offered = [...this.choices.filter((_, at) => shared(at)), ...this.choices.filter((_, at) => !shared(at))];
    this.actions.offer(this.open ? this.offered : []);
    fill(this.panel, passes.map(({ name, summary }, at) => {
      const choice = this.choices[at] ?? model.choice;
      const box = this.boxes.get(name) ?? new Box(name, this.actions);
      this.boxes.set(name, box);
      box.draw(summary, model.choice.passes.includes(name), model.locked || model.can(choice), choice);
      return box.element;
    }));
  }

  private toggle(open: boolean): void {
    this.open = open;
    this.panel.hidden = !open;
    this.actions.offer(open ? this.offered : []);
    set(this.button.element, { "aria-expanded": open, "aria-controls": this.panel.id });
  }
}

class Box {
  readonly element: HTMLElement;
  private readonly input = element("input", []);
  private readonly summary = element("span", "summary");
  private readonly why = element("span", "sr");
  private reason = "";
  private choice: Choice | null = null;

  constructor(name: string, actions: Actions) {
    set(this.input, { ...KEYS, type: "checkbox" });
    this.element = element("label", "pass", this.input, element("span", "passname", name), this.summary, this.why);
    this.input.addEventListener("click", (event) => {
      if (this.reason === "") return;
      event.preventDefault();
      actions.tell(this.reason);
    });
    this.input.addEventListener("change", () => {
      if (this.choice !== null) actions.derive(this.choice);
    });
    approach(this.element, (here) => { actions.near(here && this.reason === "" ? this.choice : null); });
  }

  draw(summary: string, on: boolean, reason: string, choice: Choice): void {
    this.reason = reason;
    this.choice = choice;
    this.input.checked = on;
    write(this.summary, summary);
    write(this.why, reason === "" ? "" : `: ${reason}`);
    set(this.input, { "aria-disabled": reason === "" ? null : true });
    set(this.element, { title: reason || null });
  }
}
