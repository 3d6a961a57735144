/** Editing the source: what is written goes to the kernel, which derives it and runs nothing of it until it is applied. */
import { CHANGE } from "./cells";
import { copyText } from "./clipboard";
import { Control } from "./controls";
import { element, fill, preformatted, set, write } from "./dom";
import type { Answer, Host } from "./host";
import { clipped } from "./limits";
import { count, list, Malformed, record, text } from "./shapes";
import type { State } from "./state";
import type { Unapplied } from "./unapplied";
import { BACK, isKept, keep, Notice, same, taken } from "./unapplied";
import { plural } from "./words";
import type { Fault, Write, Written } from "./writing";

export const TYPED_MS = 200;
export const BUSY_MS = 500;
export const WRITING = "apply or discard what is written first";
export const NOT_LOADED = "This page does not let the editor be loaded: edit the cell, and run it.";
const SILENT = "The kernel does not answer. What is written here stays: copy it, and run the cell again.";
const BUSY = "the kernel is busy: the derivative follows";
const LATER = "the kernel is busy: it is applied after that";

const INDENTING = "Ctrl+Enter applies, Escape leaves, Ctrl+] indents";

/** What the kernel says of a text. lines: for each row of the source, the line of the text that it is, from 1; 0 where it is another text's. */
interface Draft {
  readonly state: unknown;
  readonly faults: readonly Fault[];
  readonly lines: readonly number[];
}

type Drafted = { readonly notes?: readonly unknown[] };

const draftOf = record<Omit<Draft, "state">>({ faults: list(record<Fault>({ line: count, column: count, end: count, text })), lines: list(count) });

type Begun = Extract<Answer, { readonly kind: "editor" }> & { readonly make: Write };

export interface EditActions {
  readonly tell: (text: string) => void;
  /** What is to be shown is another: the draft, or what is applied. */
  readonly changed: () => void;
  readonly trouble: (text: string) => void;
  /** A row of the source is meant, null where none is. */
  readonly mean: (row: number | null) => void;
}

export class Editing {
  readonly button: Control;
  readonly element = element("div", "editing");
  readonly bar = element("span", "group");
  private readonly apply: Control;
  private readonly leave: Control;
  private readonly copy: Control;
  readonly lost: Notice;
  private readonly unsaved = element("span", "unsaved");
  private readonly place = element("div", "editor");
  private readonly said = element("div", []);
  private readonly failing = element("div", "heading");
  private readonly below = set(element("div", "sr"), { role: "status" });
  private editor: Written | null = null;
  private opening = false;
  private opened = false;
  private recalled = false;
  private applied = "";                            // the text that was run last
  private head: readonly string[] = [];
  private cell = "";
  private home = { cell: "", name: "" };           // of what was applied
  private old = "";                                // the whole cell as the notebook has it
  private draft: Drafted | null = null;
  private faults: readonly Fault[] = [];
  private lines: readonly number[] = [];
  private hot: readonly number[] = [];
  private state: State | null = null;
  private asking = false;
  private late = false;                            // what is asked about is not what is written any more
  private running = false;
  private wrapped = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private waiting: ReturnType<typeof setTimeout> | undefined;
  private era = 0;

  constructor(private readonly host: Host, private readonly actions: EditActions, private readonly load = imported) {
    const { tell } = actions;
    this.button = new Control("button", "edit", tell, () => { void this.open(true); });
    this.apply = new Control("primary", "apply", tell, () => { void this.run(); });
    this.leave = new Control("button", "close", tell, () => { this.end(); });
    this.copy = new Control("button", "copy text", tell, () => { void this.copied(); });
    this.lost = new Notice(tell, (one) => { void this.open(true, one); });
    this.element.append(this.place, this.said, this.below);
    this.element.hidden = true;
  }

  /** The editor is there. */
  get on(): boolean {
    return this.editor !== null;
  }

  /** The state of what is written; null where that is what was applied, or cannot be derived. */
  get drafted(): unknown {
    return this.draft;
  }

  /** What is shown on the other side is of another text. */
  get behind(): boolean {
    return this.editor !== null && !this.shown;
  }

  private shown = true;

  private get dirty(): boolean {
    return this.editor !== null && this.editor.text() !== this.applied;
  }

  dispose(): void {
    if (this.editor !== null && this.dirty && this.home.cell !== "") keep({ ...this.home, before: this.applied, text: this.editor.text() });
    this.lost.dispose();
    this.era++;
    clearTimeout(this.timer);
    clearTimeout(this.waiting);
    this.editor?.destroy();
    this.editor = null;
  }

  draw(state: State, locked: string, wrap: boolean): void {
    this.state = state;
    if (this.draft === null) this.home = { cell: state.edit.cell, name: state.name };
    this.lost.draw(state.edit.reason || locked);
    this.button.draw({ reason: state.edit.reason || (this.opening ? "the editor is being loaded" : locked),
      title: "edit the source; the derivative follows, nothing runs before you apply it" });
    this.button.element.hidden = this.host.offline;
    this.place.setAttribute("aria-busy", String(this.running));
    this.apply.draw({ reason: this.running ? "it runs" : locked, title: "run the cell with this text: it defines function and derivative (Ctrl+Enter)" });
    this.leave.name(this.dirty ? "discard" : "close");
    this.leave.draw({ reason: "", title: this.dirty ? "back to the text that was run" : "back to the linked source" });
    write(this.unsaved, this.running ? "it runs…" : this.dirty ? "not applied" : "");
    write(this.failing, this.draft === null || !this.shown ? "It has failed. What is shown is the derivative of before."
      : "It has failed. What is shown is the derivative of what is written, which is not defined.");
    fill(this.bar, this.on ? [this.unsaved, this.apply.element, this.leave.element] : [this.button.element]);
    this.element.hidden = !this.on;
    if (wrap !== this.wrapped) {
      this.wrapped = wrap;
      this.editor?.wrap(wrap);
    }
    this.mark();
    if (locked !== "" || this.host.offline || this.on || this.opening) return;
    if (!this.recalled && isKept(state.edit.cell) && state.edit.reason === "") void this.recall();
    else if (state.edit.open && !this.opened) void this.open(false);
  }

  /** Rows of the source that are lit. */
  light(rows: readonly number[]): void {
    if (this.hot.length === rows.length && rows.every((row, at) => row === this.hot[at])) return;
    this.hot = rows;
    this.mark();
  }

  private mark(): void {
    if (this.editor === null) return;
    const groups = new Map<number, number>();
    let key = 0;
    for (const { rows } of this.state?.primal ?? []) {
      for (const [, , group] of rows) {
        const line = this.lines[key++] ?? 0;
        if (line > 0 && group >= 0) groups.set(line, group);
      }
    }
    this.editor.mark({ faults: this.faults, groups, hot: new Set(this.hot.map((row) => this.lines[row] ?? 0).filter((line) => line > 0)) });
  }

  /** What was written in the view before, and not applied: it comes back where the text is the one that it was made from. */
  private async recall(): Promise<void> {
    const { era } = this;
    this.recalled = true;
    const answer = await this.asked();
    if (era !== this.era || answer === null) return;
    const { cell, name } = this.home;
    const one = taken(cell, name, answer.text, answer.cell !== "");
    if (one !== null && same(one.before, answer.text) && !same(one.text, answer.text)) this.begin(answer, false, one.text);
    else {
      if (one !== null && !same(one.text, answer.text)) this.lost.show(one);
      if (this.state?.edit.open === true && !this.opened) this.begin(answer, false);
      this.actions.changed();
    }
  }

  private async open(focus: boolean, one: Unapplied | null = null): Promise<void> {
    if (this.opening || this.editor !== null) return;
    const { era } = this;
    const answer = await this.asked();
    if (era === this.era && answer !== null) this.begin(answer, focus, one?.text);
  }

  /** What is edited, and what makes the editor. */
  private async asked(): Promise<Begun | null> {
    const { era } = this;
    this.opening = true;
    this.actions.changed();
    const answer = await this.host.ask({ kind: "edit" });
    const make = answer.kind === "editor" ? await this.load(answer.code).catch(() => null) : null;
    this.opening = false;
    if (era !== this.era) return null;
    if (answer.kind === "editor" && make !== null) return { ...answer, make };
    this.opened = true;
    this.actions.trouble(answer.kind === "editor" ? NOT_LOADED : answer.kind === "failed" ? answer.text : SILENT);
    return null;
  }

  /** written: what is in the editor first, where that is another text than the one that was run. */
  private begin({ make, text, first, head, cell }: Begun, focus: boolean, written?: string): void {
    this.opened = true;
    [this.applied, this.head, this.cell, this.faults, this.lines] = [text.replace(/\r\n?/g, "\n"), head, cell, [], []];
    this.old = this.whole(text);
    this.place.replaceChildren();
    this.element.hidden = false;
    this.editor = make({ parent: this.place, text: written ?? text, first, label: `source, being edited. ${INDENTING}`, builtins: builtins(this.state),
      changed: () => { this.typed(); }, apply: () => { this.apply.element.click(); }, leave: () => { this.close(); },
      line: (line) => { this.actions.mean(line === null ? null : this.rowOf(line)); } });
    if (written === undefined) this.applied = this.editor.text();
    this.wrapped = false;
    fill(this.said, written === undefined ? [] : [element("div", "draft", element("p", "note", BACK))]);
    this.actions.changed();
    if (focus) {
      this.editor.focus();
      this.actions.tell(INDENTING);
    }
    void this.send();
  }

  private whole(text: string): string {
    return [...this.head, text].join("\n");
  }

  private rowOf(line: number): number | null {
    const at = this.lines.indexOf(line);
    return at === -1 ? null : at;
  }

  private typed(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => { void this.send(); }, TYPED_MS);
    if (this.leave.element.textContent !== "discard") this.actions.changed();
  }

  /** Ask about what is written now. While an answer is awaited the next question waits: the last text is the one that counts. */
  private async send(): Promise<void> {
    clearTimeout(this.timer);
    if (this.editor === null || this.running) return;
    if (this.asking) {
      this.late = true;
      return;
    }
    const { era } = this;
    this.asking = true;
    this.late = false;
    const asked = this.editor.text();
    this.wait(BUSY);
    const answer = await this.host.ask({ kind: "draft", text: asked });
    this.asking = false;
    if (era !== this.era) return;
    this.waited();
    if (answer.kind === "draft" && this.editor.text() === asked) this.show(answer.draft);
    else if (answer.kind === "failed" || answer.kind === "silent") {
      this.actions.trouble(answer.kind === "failed" ? answer.text : SILENT);
      return;
    }
    this.catchUp();
  }

  private catchUp(): void {
    if (this.late) void this.send();
  }

  private wait(words: string): void {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => { this.actions.tell(words); }, BUSY_MS);
  }

  private waited(): void {
    clearTimeout(this.waiting);
    this.actions.tell("");
  }

  private show(value: unknown): void {
    let read: Omit<Draft, "state">;
    try {
      read = draftOf(value);
    } catch (error) {
      if (!(error instanceof Malformed)) throw error;
      this.actions.trouble(`What the kernel sent cannot be shown: ${error.message}.`);
      return;
    }
    const state = (value as { readonly state?: Drafted | null }).state ?? null;
    this.faults = read.faults;
    this.shown = state !== null;
    if (state !== null) [this.draft, this.lines] = [state, read.lines];
    else if (this.draft?.notes?.length) this.draft = { ...this.draft, notes: [] };   // they are of lines that may be gone
    const [fault] = read.faults;
    write(this.below, fault === undefined ? "derived" : `${plural(read.faults.length, "place")}. line ${fault.line}: ${fault.text}`);
    this.actions.trouble("");
    this.actions.changed();
  }

  private async run(): Promise<void> {
    if (this.editor === null || this.running) return;
    const { era } = this;
    clearTimeout(this.timer);
    const asked = this.editor.text();
    this.running = true;
    this.actions.changed();
    this.wait(LATER);
    const answer = await this.host.ask({ kind: "apply", text: asked });
    this.running = false;
    if (era !== this.era) return;
    this.waited();
    if (answer.kind !== "applied") {
      this.actions.trouble(answer.kind === "failed" ? answer.text : SILENT);
      this.actions.changed();
      return;
    }
    const put = answer.text === "" ? [] : [answer.failed ? this.failing : element("div", "heading", "It has put out:"),
      set(preformatted("message", clipped(answer.text)), { role: answer.failed ? "alert" : null })];
    if (answer.failed) {
      fill(this.said, [element("div", "alert", ...put)]);
      this.actions.changed();
      return;
    }
    this.applied = asked;
    [this.draft, this.lines, this.shown, this.faults] = [null, answer.lines, true, []];
    this.actions.changed();
    const { bound = "", name = "it", refusal = "" } = this.state ?? {};
    this.shown = refusal === "";
    fill(this.said, [...put.length === 0 ? [] : [element("div", "draft", ...put)], ...this.inCell(asked)]);
    this.actions.trouble("");
    this.actions.changed();
    this.actions.tell(refusal === "" ? `applied: ${bound || name} is defined in the notebook` : "applied: the function is defined, its derivative is not");
    if (this.dirty) void this.send();
  }

  /** Write the text into the cell, where the page can; else say that it is not there. */
  private inCell(text: string): Node[] {
    const after = this.whole(text);
    if (after === this.old) return [];
    const change = new CustomEvent(CHANGE, { bubbles: true, cancelable: true, detail: { cell: this.cell, before: this.old, after } });
    if (this.cell !== "" && !this.element.dispatchEvent(change)) {
      this.old = after;
      return [];
    }
    this.copy.draw({ reason: "", title: "copy what is written" });
    return [element("div", "draft", element("p", "note", "It is defined. The cell has another text: ", this.copy.element))];
  }

  private async copied(): Promise<void> {
    const done = this.editor !== null && await copyText(this.whole(this.editor.text()), this.element);
    this.actions.tell(done ? "copied: paste it into the cell" : "the browser does not let the text be copied: select it");
  }

  /** Escape: what is not applied is not thrown away by it. */
  private close(): void {
    if (!this.dirty) {
      this.end();
      return;
    }
    this.apply.element.focus();
    this.actions.tell("apply what is written, or discard it");
  }

  private end(): void {
    if (this.editor === null) return;
    clearTimeout(this.timer);
    this.editor.destroy();
    this.era++;
    this.asking = this.running = this.late = false;
    this.waited();
    [this.editor, this.draft, this.faults, this.lines, this.shown, this.hot] = [null, null, [], [], true, []];
    this.actions.trouble("");
    this.actions.mean(null);
    this.actions.changed();
    this.button.element.focus({ preventScroll: true });
  }
}

/** The names that Python has, of those that the texts have. */
function builtins(state: State | null): ReadonlySet<string> {
  return new Set((state?.lines ?? []).flatMap((line) => line.flatMap(([cls, one]) => cls === "b" ? [one] : [])));
}

/** The editor's module, as anywidget imports the widget's. */
async function imported(code: Uint8Array): Promise<Write> {
  const url = URL.createObjectURL(new Blob([code.slice()], { type: "text/javascript" }));
  try {
    const { write } = await import(/* webpackIgnore: true */ /* @vite-ignore */ url) as { readonly write: Write };
    return write;
  } finally {
    URL.revokeObjectURL(url);
  }
}
