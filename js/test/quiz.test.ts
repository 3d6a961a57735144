/** A quiz: points, hints and solutions that are asked for, and that nothing which comes from outside acts. */
import { beforeEach, expect, test } from "vitest";
import { KernelHost } from "../src/kernel";
import { QuizView, stillQuiz } from "../src/quiz";
import type { Blank, Quiz } from "../src/quiz_state";
import { isQuiz, quizOf } from "../src/quiz_state";
import { FakeModel } from "./help";

function blank(name: string, part: Partial<Blank> = {}): Blank {
  return { name, of: "h", line: 3, verdict: "wrong", words: "wrong", says: "", points: 0, possible: 1, tries: 1, right: false, hints: [],
    spent: false, solution: "", ...part };
}

function quiz(blanks: readonly Blank[], part: Partial<Quiz> = {}): Quiz {
  return { version: 1, kind: "quiz", newer: "", name: "d", title: "backward pass of f", points: 1, possible: 3, cost: 0.25, solutions: true, places: 4, blanks,
    tables: [], notes: [], problem: "", ...part };
}

let place: HTMLElement;
let model: FakeModel;

function open(state: unknown): QuizView {
  model = new FakeModel(state);
  return new QuizView(place, new KernelHost(model, place));
}

function button(label: string, at = 0): HTMLButtonElement {
  const found = [...place.querySelectorAll("button")].filter((one) => one.textContent.startsWith(label))[at];
  if (found === undefined) throw new Error(`no button ${label}`);
  return found;
}

beforeEach(() => {
  document.body.replaceChildren();
  place = document.body.appendChild(document.createElement("div"));
});

test("points, verdicts and what is wrong are shown", () => {
  open(quiz([blank("bh", { says: "line 3, bh: found 1" }), blank("bw", { verdict: "right after an error", words: "right after an error in line 3",
    points: 1, right: true, tries: 2 })]));
  expect(place.querySelector(".tnb-score")?.textContent).toBe("1 of 3 points");
  const meter = place.querySelector("[role=meter]");
  expect([meter?.getAttribute("aria-valuenow"), meter?.getAttribute("aria-valuetext")]).toEqual(["1", "1 of 3 points"]);
  const [first, second] = place.querySelectorAll(".tnb-blank");
  expect(first?.textContent).toContain("line 3, bh: found 1");
  expect(second?.querySelector(".tnb-verdict")?.textContent).toBe("right after an error in line 3 · 2 tries");
  expect(button("hint", 1).getAttribute("aria-disabled")).toBe("true");
});

test("a hint is asked for by its blank, and read out when it has come", async () => {
  open(quiz([blank("bh"), blank("bw", { possible: 2 })]));
  expect(button("hint", 1).textContent).toBe("hint −0.5");
  button("hint", 1).click();
  expect(model.sent).toMatchObject([{ kind: "hint", name: "bw" }]);
  button("hint", 0).click();
  expect(model.sent.length).toBe(1);
  model.set(quiz([blank("bh"), blank("bw", { hints: ["the sum rule\nbw = □"] })]));
  model.trigger("msg:custom", { kind: "done", id: model.sent[0]!.id });
  await Promise.resolve();
  await Promise.resolve();
  expect(place.querySelector(".tnb-hints li")?.textContent).toBe("the sum rulebw = □");
  expect(place.querySelector(".tnb-hints pre")?.textContent).toBe("bw = □");
  expect(place.querySelector("[role=status]")?.textContent).toBe("hint for bw: the sum rule bw = □");
});

test("a solution is asked for twice, and not where there are none", () => {
  const view = open(quiz([blank("bh")]));
  button("show").click();
  expect(model.sent).toEqual([]);
  expect(button("show").textContent).toBe("show, for all its points?");
  button("show").dispatchEvent(new Event("blur"));
  button("show").click();
  button("show").click();
  expect(model.sent).toMatchObject([{ kind: "show", name: "bh" }]);
  view.dispose();
  open(quiz([blank("bh")], { solutions: false }));
  expect(button("show").hidden).toBe(true);
});

test("the solution of what is right is asked for at once", () => {
  open(quiz([blank("bh", { right: true, verdict: "right" })]));
  button("show").click();
  expect(model.sent).toMatchObject([{ kind: "show", name: "bh" }]);
  expect(button("show").textContent).toMatch(/^show/);
});

test("a refusal and a kernel that is gone are told", async () => {
  open(quiz([blank("bh")]));
  button("hint").click();
  model.trigger("msg:custom", { kind: "failed", id: model.sent[0]!.id, text: "there are no more hints for bh" });
  await Promise.resolve();
  await Promise.resolve();
  const status = place.querySelector("[role=status]");
  expect([status?.textContent, status?.classList.contains("tnb-sr")]).toEqual(["there are no more hints for bh", false]);
  model.comm_live = false;
  model.set(quiz([blank("bh")]));
  button("hint").click();
  expect(model.sent.length).toBe(1);
  expect(status?.textContent).toContain("does not answer");
});

test("the focus stays on the button that was pressed, and the folded lines as they were", () => {
  const table = { title: "at x", head: ["line"], rows: [["3"]], marks: [false] };
  open(quiz([blank("bh")], { tables: [table] }));
  button("hint").focus();
  const details = place.querySelector("details")!;
  details.open = true;
  details.dispatchEvent(new Event("toggle"));
  model.set(quiz([blank("bh", { hints: ["a"] })], { tables: [table] }));
  expect(document.activeElement).toBe(button("hint"));
  expect(place.querySelector("details")?.open).toBe(true);
  expect(place.querySelector("tbody td")?.textContent).toBe("✗");
});

test("a stored quiz shows what it has, and asks nothing", () => {
  new QuizView(place, stillQuiz(quiz([blank("bh", { hints: ["a"] })])));
  expect(place.querySelector(".tnb-hints")?.textContent).toBe("a");
  button("hint").click();
  expect(place.querySelector("[role=status]")?.textContent).toBe("run the cell again to be asked");
});

test("what is no quiz is a sentence", () => {
  for (const wrong of [null, 3, {}, quiz([{ ...blank("b"), verdict: "good" as "right" }]), { ...quiz([]), blanks: "x" }]) {
    expect(typeof quizOf(wrong)).toBe("string");
    document.body.replaceChildren(place = document.createElement("div"));
    open(wrong);
    expect(place.querySelector("[role=alert]")?.textContent).toContain("cannot be shown");
  }
  expect([isQuiz(quiz([])), isQuiz({ version: 1 }), isQuiz(null)]).toEqual([true, false, false]);
});

test("texts stay texts", () => {
  const evil = "<img src=x onerror=window.HIT=1>\u202e";
  open(quiz([blank(evil, { of: evil, words: evil, says: evil, hints: [evil], solution: evil })],
    { name: evil, title: evil, notes: [evil], problem: evil, tables: [{ title: evil, head: [evil], rows: [[evil]], marks: [null] }] }));
  expect(place.querySelector("img")).toBeNull();
  expect(place.textContent).not.toContain("\u202e");
});

test("below an answer that does not count any more nothing can be asked", () => {
  const newer = "a newer answer, two, has been given: that one counts";
  open(quiz([blank("bh", { verdict: "right", words: "right", points: 1, right: true }), blank("bw")], { newer }));
  expect(place.querySelector(".tnb-note:not(.tnb-sr)")?.textContent).toBe(`${newer}.`);
  button("hint", 1).click();
  button("show", 1).click();
  expect(model.sent).toEqual([]);
  expect(quizOf({ ...quiz([blank("bh")]), newer: undefined })).toMatchObject({ newer: "" });
});
