/** A quiz: points and verdicts, hints and solutions that are asked for, and below them the lines of the last attempt. */
import { Control } from "./controls";
import { element, fill, preformatted, set, uniqueId, write } from "./dom";
import type { Answer, Host } from "./host";
import { clipped } from "./limits";
import type { Blank, Quiz, Verdict } from "./quiz_state";
import { quizOf } from "./quiz_state";
import type { Table } from "./state";
import { table } from "./tables";
import { plural } from "./words";

const SIGNS: Readonly<Record<Verdict, string>> = { right: "✓", "right after an error": "✓", wrong: "✗", empty: "○", raised: "!" };
const GONE = "the kernel does not answer: run the cell again";
const BUSY = "the kernel is asked";
const DOUBLE_MS = 400;                             // the second click of two: a hint costs
const KEPT = "run the cell again to be asked";

export class QuizView {
  private readonly root = set(element("div", ["widget", "quiz"]), { role: "group" });
  private readonly name = element("span", "name");
  private readonly title = element("span", "subject");
  private readonly score = element("span", "score");
  private readonly filled = element("span", "filled");
  private readonly meter = set(element("span", "meter", this.filled), { role: "meter", "aria-label": "points", "aria-valuemin": 0 });
  private readonly bar = element("div", "bar", this.name, this.title, element("span", "grow"), this.meter, this.score);
  private readonly list = set(element("ul", "blanks"), { "aria-label": "what is to be answered" });
  private readonly status = set(element("div", "note"), { role: "status" });
  private readonly trouble = element("div", []);
  private readonly below = element("div", []);
  private readonly id = uniqueId();
  private readonly cards = new Map<string, Card>();
  private readonly stop: () => void;
  private opened = false;
  private busy = false;
  private calm = 0;
  private raw: unknown;

  constructor(place: HTMLElement, private readonly host: Host) {
    this.root.classList.add("mathjax_ignore", "tex2jax_ignore");
    this.tell("");
    place.append(this.root);
    this.stop = host.onState(() => { this.draw(); });
    this.draw();
  }

  dispose(): void {
    this.stop();
    this.root.remove();
  }

  private async ask(kind: "hint" | "show", name: string): Promise<void> {
    if (this.busy || Date.now() < this.calm) return;
    this.busy = true;
    this.tell("");
    this.draw();
    const answer: Answer = await this.host.ask({ kind, name });
    this.busy = false;
    this.calm = Date.now() + DOUBLE_MS;
    if (answer.kind === "failed") this.tell(answer.text);
    else if (answer.kind === "silent") this.tell(`${GONE}.`);
    this.draw();
    if (answer.kind === "done") {
      const last = this.cards.get(name)?.last(kind) ?? "";
      this.tell(kind === "hint" ? `hint for ${name}: ${last}` : `solution of ${name}: ${last}`, true);
    }
  }

  /** spoken: it stands where the eye is, and is only read out. */
  private tell(text: string, spoken = false): void {
    this.status.classList.toggle("tnb-sr", spoken || text === "");
    write(this.status, text.replace(/\n/g, " "));
  }

  private draw(): void {
    const raw = this.host.state();
    const quiz = quizOf(raw);
    if (typeof quiz === "string") {
      fill(this.root, [set(element("div", "alert", preformatted("message", `What the kernel sent cannot be shown: ${quiz}.`)), { role: "alert" })]);
      return;
    }
    set(this.root, { "aria-label": `quiz: ${quiz.name}, ${quiz.title}`, "aria-busy": this.busy });
    write(this.name, quiz.name);
    write(this.title, quiz.title);
    write(this.score, `${number(quiz.points)} of ${number(quiz.possible)} ${quiz.possible === 1 ? "point" : "points"}`);
    set(this.meter, { "aria-valuemax": quiz.possible, "aria-valuenow": quiz.points, "aria-valuetext": this.score.textContent });
    this.filled.style.width = `${quiz.possible > 0 ? Math.min(100, 100 * quiz.points / quiz.possible) : 0}%`;
    const locked = this.host.offline ? KEPT : this.busy ? BUSY : this.host.reach() === "live" ? quiz.newer : GONE;
    fill(this.list, quiz.blanks.map((blank) => this.card(blank.name).draw(blank, quiz, locked)));
    if (raw !== this.raw) {
      this.raw = raw;
      fill(this.below, [...this.lines(quiz), ...quiz.notes.map((note) => element("p", "note", note))]);
      fill(this.trouble, quiz.problem === "" ? [] : [set(element("div", "alert", preformatted("message", clipped(quiz.problem))), { role: "alert" })]);
    }
    const empty = quiz.blanks.length > 0 ? [this.list]
      : [element("p", "note", "Nothing has points by itself: what the cell answers counts.")];
    const newer = quiz.newer === "" ? [] : [element("p", "note", `${quiz.newer}.`)];
    fill(this.root, [this.bar, ...newer, ...empty, this.status, this.trouble, this.below]);
  }

  private card(name: string): Card {
    const known = this.cards.get(name);
    if (known !== undefined) return known;
    const made = new Card(`${this.id}-${this.cards.size}`, name, (text) => { this.tell(text); }, (kind) => { void this.ask(kind, name); });
    this.cards.set(name, made);
    return made;
  }

  /** The lines of the attempt, folded. */
  private lines(quiz: Quiz): readonly Node[] {
    if (quiz.tables.length === 0) return [];
    const tried = quiz.places > 1 ? `, and tried at ${plural(quiz.places - 1, "other place")}` : "";
    const folded = element("details", "folded", element("summary", [], `line by line${tried}`), ...quiz.tables.map((one) => table(signed(one))));
    folded.open = this.opened;
    folded.addEventListener("toggle", () => { this.opened = folded.open; });
    return [folded];
  }
}

class Card {
  private readonly element: HTMLElement;
  private readonly sign = set(element("span", "sign"), { "aria-hidden": true });
  private readonly of = element("span", "label");
  private readonly words = element("span", "verdict");
  private readonly points = element("span", "amount");
  private readonly says = element("div", []);
  private readonly hint: Control;
  private readonly show: Control;
  private readonly buttons: HTMLElement;
  private armed = false;
  private blank: Blank | null = null;

  constructor(id: string, name: string, tell: (text: string) => void, ask: (kind: "hint" | "show") => void) {
    this.hint = new Control("button", "hint", tell, () => { ask("hint"); });
    this.show = new Control("button", "show", tell, () => {
      const asks = this.armed || this.blank?.right === true;
      if (asks) ask("show");
      this.arm(!asks);
    });
    this.show.element.addEventListener("blur", () => { this.arm(false); });
    this.show.element.addEventListener("keydown", (event) => { if (event.key === "Escape") this.arm(false); });
    this.buttons = set(element("span", "group", this.hint.element, this.show.element), { role: "group", "aria-label": `help with ${name}` });
    const head = set(element("span", "name", name), { id });
    this.element = set(element("li", "blank", this.sign, element("span", "what", head, this.of), this.words, this.points, this.buttons, this.says),
      { "aria-labelledby": id });
  }

  draw(blank: Blank, quiz: Quiz, locked: string): HTMLElement {
    this.blank = blank;
    this.element.dataset["verdict"] = blank.verdict;
    write(this.sign, SIGNS[blank.verdict]);
    write(this.of, [blank.of === "" ? "" : `of ${blank.of}`, blank.line > 0 ? `line ${blank.line}` : ""].filter((one) => one !== "").join(" · "));
    write(this.words, [blank.words, blank.tries > 1 ? plural(blank.tries, "try", "tries") : ""].filter((one) => one !== "").join(" · "));
    write(this.points, `${number(blank.points)} of ${number(blank.possible)}`);
    const cost = quiz.cost * blank.possible;
    this.hint.name(cost > 0 ? `hint −${number(cost)}` : "hint");
    this.hint.draw({ reason: blank.right ? "it is right" : blank.spent ? "there are no more hints" : locked,
      title: cost > 0 ? `each hint costs ${number(cost)} of its ${number(blank.possible)}` : "hints are free" });
    this.show.draw({ reason: blank.solution === "" ? locked : "it is shown", title: blank.right ? "the solution, to compare" : "the solution: it costs all points of this one" });
    this.show.element.hidden = !quiz.solutions;
    const notes: Node[] = [];
    if (blank.says !== "") notes.push(preformatted("told", clipped(blank.says)));
    if (blank.hints.length > 0) {
      notes.push(set(element("ol", "hints", ...blank.hints.map(hint)), { "aria-label": `hints for ${blank.name}` }));
    }
    if (blank.solution !== "") notes.push(set(element("div", "answer", preformatted("told", clipped(blank.solution))), { role: "group", "aria-label": `solution of ${blank.name}` }));
    this.says.replaceChildren(...notes);
    return this.element;
  }

  /** What was said last. */
  last(kind: "hint" | "show"): string {
    return (kind === "hint" ? this.blank?.hints[this.blank.hints.length - 1] : this.blank?.solution) ?? "";
  }

  private arm(on: boolean): void {
    this.armed = on;
    this.show.name(on ? "show, for all its points?" : "show");
  }
}

function number(value: number): string {
  return String(Math.round(value * 1000) / 1000);
}

/** The first line is a sentence, the others are code. */
function hint(text: string): HTMLElement {
  const [first = "", ...rest] = clipped(text).split("\n");
  return element("li", [], first, ...(rest.length > 0 ? [preformatted("told", rest.join("\n"))] : []));
}

/** The verdicts in front, where no scrolling is needed to see them. */
function signed({ title, head, rows, marks }: Table): Table {
  const sign = (mark: boolean | null | undefined): string => mark === true ? SIGNS.right : mark === false ? SIGNS.wrong : "";
  return { title, head: ["", ...head], rows: rows.map((row, at) => [sign(marks[at]), ...row]), marks: [] };
}

/** A quiz that was stored with an output: nothing can be asked. */
export function stillQuiz(state: unknown): Host {
  return { offline: true, state: () => state, onState: () => () => undefined, onForgotten: () => () => undefined, can: () => KEPT, reach: () => "live",
    ask: () => Promise.resolve({ kind: "failed", text: KEPT }) };
}
