import { EditorView } from "@codemirror/view";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { Cells, CHANGE } from "../src/cells";
import { BUSY_MS, Editing, NOT_LOADED, TYPED_MS } from "../src/editing";
import { write } from "../src/editor";
import type { Whole } from "../src/jupyter";
import { KernelHost } from "../src/kernel";
import type { State } from "../src/state";
import { BACK } from "../src/unapplied";
import { validate } from "../src/validate";
import { button, FakeModel, mount, settled, small, words } from "./help";

const TEXT = "def f(x):\n    y = x * x\n    return y\n";
const CODE = new TextEncoder().encode("export const write = 1;");

interface Opened {
  readonly editing: Editing;
  readonly model: FakeModel;
  readonly told: string[];
  readonly trouble: string[];
  readonly meant: (number | null)[];
  readonly host: HTMLElement;
  type(text: string): void;
  text(): string;
  answer(more: Readonly<Record<string, unknown>>): Promise<void>;
}

beforeEach(() => {
  vi.useFakeTimers();
  Range.prototype.getClientRects = () => [] as unknown as DOMRectList;           // jsdom lays nothing out
});
afterEach(() => {
  vi.useRealTimers();
  document.body.replaceChildren();
});

function made(load: () => Promise<typeof write> = () => Promise.resolve(write), part: Partial<State> = {}): Opened {
  const model = new FakeModel(small([[["df", "", []]]], part));
  const place = document.body.appendChild(document.createElement("div"));
  const kernel = new KernelHost(model, place);
  const [told, trouble, meant]: [string[], string[], (number | null)[]] = [[], [], []];
  const state = (): State => {
    const read = validate(model.get("state"));
    if ("malformed" in read) throw new Error(read.malformed);
    return read.state;
  };
  const editing = new Editing(kernel, { tell: (text) => told.push(text), mean: (row) => meant.push(row),
    trouble: (text) => {
      trouble.push(text);
      editing.draw(state(), "", false);
    },
    changed: () => { editing.draw(state(), "", false); } }, load);
  place.append(editing.bar, editing.lost.element, editing.element);
  editing.draw(state(), "", false);
  const content = (): HTMLElement => place.querySelector<HTMLElement>(".cm-content")!;
  return { editing, model, told, trouble, meant, host: place,
    type: (text) => {
      const view = EditorView.findFromDOM(content())!;
      view.dispatch({ changes: { from: 0, to: view.state.doc.line(1).to, insert: text } });
    },
    text: () => [...content().querySelectorAll(".cm-line")].map((line) => line.textContent).join("\n"),
    answer: async (more) => {
      model.trigger("msg:custom", { id: model.last.id, ...more }, [new DataView(CODE.buffer)]);
      await settled();
      await settled();
    } };
}

async function opened(more: Readonly<Record<string, unknown>> = {}): Promise<Opened> {
  const one = made();
  button(one.host, "edit").click();
  await one.answer({ kind: "editor", text: TEXT, first: 2, head: ["%%grad"], cell: "cell1", ...more });
  return one;
}

function last<T>(all: readonly T[]): T | undefined {
  return all[all.length - 1];
}

const DRAFT = { kind: "draft", draft: { state: small([[["df", "", []]]]), faults: [], lines: [1, 2, 3] } };

test("the editor is asked for once, and holds the text with the numbers of its cell", async () => {
  const one = await opened();
  expect(one.model.sent.map(({ kind }) => kind)).toEqual(["edit", "draft"]);
  expect(one.text()).toBe(TEXT);
  expect([...one.host.querySelectorAll(".cm-lineNumbers .cm-gutterElement")].map((each) => each.textContent).slice(1)).toEqual(["2", "3", "4", "5"]);
  expect(one.editing.on).toBe(true);
  expect(words(one.editing.bar)).toBe("applyclose");
});

test("what is typed is asked about once, 200 ms after the last key", async () => {
  const one = await opened();
  await one.answer(DRAFT);
  for (const text of ["def g", "def g(", "def g(x):"]) {
    one.type(text);
    vi.advanceTimersByTime(TYPED_MS - 50);
  }
  expect(one.model.sent).toHaveLength(2);
  vi.advanceTimersByTime(60);
  expect(one.model.last).toMatchObject({ kind: "draft", text: TEXT.replace("def f(x):", "def g(x):") });
  expect(one.model.sent).toHaveLength(3);
  expect(words(one.editing.bar)).toBe("not appliedapplydiscard");
});

test("only the answer to what is written now is shown", async () => {
  const one = await opened();
  const first = one.model.last.id;
  one.type("def g(x):");
  vi.advanceTimersByTime(TYPED_MS + 10);
  expect(one.model.sent).toHaveLength(2);
  one.model.reply({ ...DRAFT, id: first });
  await settled();
  expect(one.editing.drafted).toBe(null);
  expect(one.model.last).toMatchObject({ kind: "draft", text: TEXT.replace("def f(x):", "def g(x):") });
  await one.answer(DRAFT);
  expect(one.editing.drafted).toEqual(DRAFT.draft.state);
});

test("a kernel that is busy is said, and waited for", async () => {
  const one = await opened();
  vi.advanceTimersByTime(BUSY_MS + 1);
  expect(last(one.told)).toContain("the kernel is busy: the derivative follows");
  vi.advanceTimersByTime(3_600_000);
  expect(one.trouble).toEqual([]);
  await one.answer(DRAFT);
  expect(last(one.told)).toBe("");
});

test("why there is no derivative stands under the line, and the last one stays", async () => {
  const one = await opened();
  await one.answer(DRAFT);
  one.type("def g(x:");
  vi.advanceTimersByTime(TYPED_MS + 10);
  const text = "<img src=x onerror=alert(1)>\ninstead: \u202eother";
  await one.answer({ kind: "draft", draft: { state: null, faults: [{ line: 2, column: 4, end: 7, text }], lines: [] } });
  expect(one.editing.behind).toBe(true);
  expect(one.editing.drafted).toEqual(DRAFT.draft.state);
  const fault = one.host.querySelector(".tnb-fault")!;
  expect(fault.previousElementSibling?.textContent).toBe("    y = x * x");
  expect([...fault.querySelectorAll(".tnb-why")].map((each) => each.textContent)).toEqual(["<img src=x onerror=alert(1)>", "instead: \\u202eother"]);
  expect(fault.querySelector("img")).toBe(null);
  expect(one.host.querySelector("[role=status]")?.textContent).toContain("line 2");
  await one.answer({ kind: "draft", draft: {} });
});

test.each([
  [{ state: null, faults: [{ line: "1", column: 0, end: 1, text: "" }], lines: [] }],
  [{ state: null, faults: [], lines: [-1] }], [null], ["draft"]])("an answer that is none is said: %j", async (draft) => {
  const one = await opened();
  await one.answer({ kind: "draft", draft });
  expect(last(one.trouble)).toContain("cannot be shown");
});

test("a place behind the text is in its last line", async () => {
  const one = await opened();
  await one.answer({ kind: "draft", draft: { state: null, faults: [{ line: 99, column: 99, end: 999, text: "far" }, { line: 0, column: 0, end: 0, text: "near" }], lines: [] } });
  expect(one.host.querySelectorAll(".tnb-fault")).toHaveLength(2);
});

test("apply runs the text, and says where it is now", async () => {
  const one = await opened();
  await one.answer(DRAFT);
  one.type("def g(x):");
  const heard: unknown[] = [];
  document.body.addEventListener(CHANGE, (event) => { heard.push((event as CustomEvent).detail); }, { once: true });
  button(one.host, "apply").click();
  const text = TEXT.replace("def f(x):", "def g(x):");
  expect(one.model.last).toMatchObject({ kind: "apply", text });
  await one.answer({ kind: "applied", failed: false, text: "printed", lines: [1, 2, 3] });
  expect(heard).toEqual([{ cell: "cell1", before: `%%grad\n${TEXT}`, after: `%%grad\n${text}` }]);
  expect(words(one.host.querySelector(".tnb-draft"))).toBe("It has put out:printed");
  expect(words(one.editing.element)).toContain("The cell has another text");
  expect(words(one.editing.bar)).toBe("applyclose");
  expect(one.editing.drafted).toBe(null);
});

test("what is written meanwhile is asked about after it has run", async () => {
  const one = await opened();
  await one.answer(DRAFT);
  button(one.host, "apply").click();
  one.type("def g(x):");
  vi.advanceTimersByTime(TYPED_MS + 10);
  expect(one.model.last.kind).toBe("apply");
  await one.answer({ kind: "applied", failed: false, text: "", lines: [] });
  expect(one.model.last).toMatchObject({ kind: "draft", text: TEXT.replace("def f(x):", "def g(x):") });
});

test("a text that fails stays, with what it has put out", async () => {
  const one = await opened();
  await one.answer(DRAFT);
  button(one.host, "apply").click();
  await one.answer({ kind: "applied", failed: true, text: "ZeroDivisionError: division by zero", lines: [] });
  expect(words(one.host.querySelector("[role=alert]"))).toBe("ZeroDivisionError: division by zero");
  expect(one.editing.on).toBe(true);
});

test("what failed says whose derivative is shown", async () => {
  const one = await opened();
  await one.answer({ kind: "draft", draft: { state: null, faults: [{ line: 1, column: 0, end: 1, text: "why" }], lines: [] } });
  button(one.host, "apply").click();
  await one.answer({ kind: "applied", failed: true, text: "NameError", lines: [] });
  const heading = (): string => words(one.host.querySelector(".tnb-alert .tnb-heading"));
  expect(heading()).toBe("It has failed. What is shown is the derivative of before.");
  one.type("def g(x):");
  vi.advanceTimersByTime(TYPED_MS + 10);
  await one.answer(DRAFT);
  expect(heading()).toBe("It has failed. What is shown is the derivative of what is written, which is not defined.");
});

test("where the derivative is refused nothing says that it is defined, and it is dimmed", async () => {
  const one = await opened();
  await one.answer(DRAFT);
  one.type("def renamed(x):");
  button(one.host, "apply").click();
  one.model.set({ ...(one.model.get("state") as object), refusal: "renamed is defined, its derivative is not: …" });
  await one.answer({ kind: "applied", failed: false, text: "", lines: [] });
  expect(last(one.told)).toBe("applied: the function is defined, its derivative is not");
  expect(one.editing.behind).toBe(true);
  one.type("def f(x):");
  vi.advanceTimersByTime(TYPED_MS + 10);
  await one.answer(DRAFT);
  expect(one.editing.behind).toBe(false);
});

test("notes of a text that is gone are gone", async () => {
  const one = await opened();
  const noted = { ...small([[["df", "", []]]]), notes: ["line 9: @deco has not run"] };
  await one.answer({ kind: "draft", draft: { ...DRAFT.draft, state: noted } });
  expect(one.editing.drafted).toMatchObject({ notes: noted.notes });
  one.type("");
  vi.advanceTimersByTime(TYPED_MS + 10);
  await one.answer({ kind: "draft", draft: { state: null, faults: [{ line: 1, column: 0, end: 1, text: "no function" }], lines: [] } });
  expect(one.editing.drafted).toMatchObject({ notes: [] });
});

test("Escape leaves a text that has run, and throws nothing away", async () => {
  const one = await opened();
  const content = one.host.querySelector(".cm-content")!;
  const escape = (): boolean => content.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", keyCode: 27, bubbles: true, cancelable: true }));
  one.type("def g(x):");
  escape();
  expect(one.editing.on).toBe(true);
  expect(document.activeElement).toBe(button(one.host, "apply"));
  button(one.host, "discard").click();
  expect(one.editing.on).toBe(false);
  expect(document.activeElement).toBe(button(one.host, "edit"));
  button(one.host, "edit").click();
  await one.answer({ kind: "editor", text: TEXT, first: 2, head: [], cell: "" });
  one.host.querySelector(".cm-content")!.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", keyCode: 27, bubbles: true, cancelable: true }));
  expect(one.editing.on).toBe(false);
});

const OF_CELL: Partial<State> = { edit: { reason: "", open: false, cell: "cell1" } };

/** Views of one cell: the second is made when the first, in which something was written, goes. */
async function again(text: string, part: Partial<State> = {}): Promise<Opened> {
  const one = made(undefined, OF_CELL);
  button(one.host, "edit").click();
  await one.answer({ kind: "editor", text: TEXT, first: 2, head: ["%%grad"], cell: "cell1" });
  one.type("def g(x):");
  one.editing.dispose();
  document.body.replaceChildren();
  const two = made(undefined, { ...OF_CELL, ...part });
  expect(two.model.last.kind).toBe("edit");
  await two.answer({ kind: "editor", text, first: 2, head: ["%%grad"], cell: "cell1" });
  return two;
}

test("what was not applied comes back in the view that the same text makes", async () => {
  const two = await again(TEXT.trimEnd());
  const text = TEXT.replace("def f(x):", "def g(x):");
  expect(two.text()).toBe(text);
  expect(words(two.editing.element)).toContain(BACK);
  expect(words(two.editing.bar)).toBe("not appliedapplydiscard");
  expect(two.model.last).toMatchObject({ kind: "draft", text });
  button(two.host, "discard").click();
  expect(two.editing.on).toBe(false);
  expect(made(undefined, OF_CELL).model.sent).toEqual([]);
});

test("it is said, and kept, where the cell has another text", async () => {
  const two = await again(TEXT.replace("x * x", "2 * x"));
  expect(two.editing.on).toBe(false);
  expect(words(two.editing.lost.element)).toContain("the cell has another text now");
  expect(words(two.editing.lost.element)).toContain("def g(x):");
  two.editing.dispose();
  document.body.replaceChildren();
  const three = made(undefined, OF_CELL);
  await three.answer({ kind: "editor", text: "def other(x): pass", first: 2, head: ["%%grad"], cell: "cell1" });
  button(three.host, "continue with it").click();
  await three.answer({ kind: "editor", text: "def other(x): pass", first: 2, head: ["%%grad"], cell: "cell1" });
  expect(three.text()).toBe(TEXT.replace("def f(x):", "def g(x):"));
  expect(words(three.editing.bar)).toBe("not appliedapplydiscard");
  expect(words(three.editing.lost.element)).toBe("");
  button(three.host, "discard").click();
});

test("what is written in the cell by now needs no words", async () => {
  const two = await again(TEXT.replace("def f(x):", "def g(x):"));
  expect([two.editing.on, words(two.editing.lost.element)]).toEqual([false, ""]);
});

test("of two views of a cell each has its own back, and is asked for it once", async () => {
  const one = made(undefined, { ...OF_CELL, name: "dg" });
  button(one.host, "edit").click();
  await one.answer({ kind: "editor", text: TEXT, first: 2, head: [], cell: "" });
  one.type("def g(x):");
  one.editing.dispose();
  document.body.replaceChildren();
  const other = made(undefined, { ...OF_CELL, name: "df" });
  await other.answer({ kind: "editor", text: "def other(x): pass", first: 2, head: [], cell: "" });
  expect([other.editing.on, words(other.editing.lost.element), other.model.sent.length]).toEqual([false, "", 1]);
  document.body.replaceChildren();
  const two = made(undefined, { ...OF_CELL, name: "dg" });
  await two.answer({ kind: "editor", text: "def changed(x): pass", first: 2, head: [], cell: "" });
  expect(words(two.editing.lost.element)).toContain("def g(x):");
  button(two.host, "discard it").click();
  expect(words(two.editing.lost.element)).toBe("");
});

test("Tab is not taken: the keyboard gets out", async () => {
  const one = await opened();
  const event = new KeyboardEvent("keydown", { key: "Tab", keyCode: 9, bubbles: true, cancelable: true });
  one.host.querySelector(".cm-content")!.dispatchEvent(event);
  expect(event.defaultPrevented).toBe(false);
});

test("keys of the editor do not reach the notebook", async () => {
  const one = await opened();
  const heard: string[] = [];
  const listen = (event: Event): void => { heard.push(event.type); };
  for (const kind of ["keydown", "paste"]) document.body.addEventListener(kind, listen);
  const content = one.host.querySelector(".cm-content")!;
  content.dispatchEvent(new KeyboardEvent("keydown", { key: "d", bubbles: true }));
  content.dispatchEvent(new Event("paste", { bubbles: true, cancelable: true }));
  for (const kind of ["keydown", "paste"]) document.body.removeEventListener(kind, listen);
  expect(heard).toEqual([]);
  expect(content.getAttribute("data-lm-suppress-shortcuts")).toBe("true");
});

test("a page that lets no script be loaded says so", async () => {
  const one = made(() => Promise.reject(new Error("CSP")));
  button(one.host, "edit").click();
  await one.answer({ kind: "editor", text: TEXT, first: 2, head: [], cell: "" });
  expect(one.trouble).toEqual([NOT_LOADED]);
  expect(one.editing.on).toBe(false);
});

test("why something cannot be edited is what the kernel says", async () => {
  const one = made();
  button(one.host, "edit").click();
  await one.answer({ kind: "failed", text: "f is not of a cell of this notebook" });
  expect(one.trouble).toEqual(["f is not of a cell of this notebook"]);
  button(one.host, "edit").click();
  await one.answer({ kind: "editor", text: 1, first: 2, head: [], cell: "" });
  expect(last(one.trouble)).toBe("what the kernel said cannot be shown");
});

test("the view locks what asks the kernel while something is written", async () => {
  vi.useRealTimers();
  const { el, model } = mount(small([[["df", "", []]]], { edit: { reason: "", open: true, cell: "" } }));
  expect(model.last.kind).toBe("edit");
  model.trigger("msg:custom", { kind: "editor", id: model.last.id, text: TEXT, first: 2, head: [], cell: "" }, [new DataView(CODE.buffer)]);
  await vi.waitFor(() => { expect(words(el)).toContain(NOT_LOADED); });       // jsdom imports no blob
});

test("a cell that has another text by now is left alone", () => {
  const node = document.body.appendChild(document.createElement("div"));
  const texts: Record<string, string> = { a: "old", b: "changed" };
  const widgets = Object.keys(texts).map((id) => ({ model: { id, sharedModel: { getSource: () => texts[id] ?? "", setSource: (text: string) => { texts[id] = text; } } } }));
  new Cells().listen({ node, content: { widgets } } as unknown as Whole);
  const change = (detail: unknown): boolean => !node.dispatchEvent(new CustomEvent(CHANGE, { detail, cancelable: true }));
  expect(change({ cell: "a", before: "old\n", after: "new" })).toBe(true);
  expect(change({ cell: "b", before: "old", after: "new" })).toBe(false);
  expect([change({ cell: "c", before: "", after: "" }), change(null), change({ cell: 1, before: "", after: "" })]).toEqual([false, false, false]);
  expect(texts).toEqual({ a: "new", b: "changed" });
});
