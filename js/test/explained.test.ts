/** Helpers that unfold, and changes within a line. */
import { afterEach, describe, expect, test } from "vitest";

import { diff } from "../src/diff";
import { changes, paired, wordsOf } from "../src/pairs";
import { marked } from "../src/pieces";
import type { State } from "../src/state";
import { button, click, lists, mount, press, row, settled, small, tab, texts, words } from "./help";

afterEach(() => { document.body.replaceChildren(); });

const VALUE = small([[["def df(x):", "", []], ["    bx = rt.cut(rt.share(x, y), y)", "←", [1]], ["    return bx", "", []]]]);
const HELPER = { name: "cut", says: "`v`, and 0 where g is.", code: [[["k", "def"], ["", " cut(v, g):"]], [["", "    return v"]]],
  example: [[["", ">>> cut(1.0, 0.0)"]], [["", "0.0"]]] };

function notes(list: Element): string[] {
  return [...list.querySelectorAll(".tnb-says, .tnb-shown")].map((one) => one.textContent);
}

describe("a helper", () => {
  const opened = (): ReturnType<typeof mount> & { right: HTMLElement } => {
    const mounted = mount(VALUE);
    return { ...mounted, right: lists(mounted.el)[1] };
  };

  test("unfolds where it is clicked, is asked for once, and folds again", async () => {
    const { model, right } = opened();
    click(right.querySelector("[data-helper=cut]")!);
    expect(model.sent).toEqual([{ kind: "helper", name: "cut", id: model.last.id }]);
    model.reply({ kind: "helper", id: model.last.id, helper: HELPER });
    await settled();
    await settled();
    expect(notes(right)).toEqual(["rt.cut: `v`, and 0 where g is.", "def cut(v, g):", "    return v", ">>> cut(1.0, 0.0)", "0.0"]);
    expect(texts(right)).toEqual(["def df(x):", "    bx = rt.cut(rt.share(x, y), y)", "    return bx"]);
    click(right.querySelector("[data-helper=cut]")!);
    expect(notes(right)).toEqual([]);
    click(right.querySelector("[data-helper=cut]")!);
    await settled();
    expect(notes(right)).toHaveLength(5);
    expect(model.sent).toHaveLength(1);
    click(right.querySelector(".tnb-shown")!);
    expect(notes(right)).toEqual([]);
  });

  test("all of a line by the key ?", async () => {
    const { model, right } = opened();
    right.focus();
    press(right, "ArrowDown");
    press(right, "?");
    expect(model.sent.map(({ name }) => name)).toEqual(["cut", "share"]);
    model.reply({ kind: "helper", id: model.sent[0]!.id, helper: HELPER });
    model.reply({ kind: "failed", id: model.sent[1]!.id, text: "no such helper" });
    await settled();
    await settled();
    expect(notes(right)).toHaveLength(5);
    expect(row(right, 1).querySelector(".tnb-sr")?.textContent).toContain("? explains its helpers");
    press(right, "ArrowDown");
    press(right, "Enter");
    expect(notes(right)).toEqual([]);
  });

  test("of which the kernel says what cannot be shown is told of", async () => {
    const { el, model, right } = opened();
    for (const helper of [null, 3, { ...HELPER, code: ["<b>"] }, { ...HELPER, says: undefined }]) {
      click(right.querySelector("[data-helper=cut]")!);
      model.reply({ kind: "helper", id: model.last.id, helper });
      await settled();
      await settled();
      expect(notes(right)).toEqual([]);
      expect(words(el.querySelector(".tnb-told"))).toBe("what the kernel said of it cannot be shown");
    }
  });
});

describe("a diff", () => {
  const signs = (before: string[], after: string[]): string[] => {
    const all = [...new Set([...before, ...after])];
    const edits = diff(before.map((one) => all.indexOf(one)), after.map((one) => all.indexOf(one)));
    return paired(edits, (at) => before[at]!, (at) => after[at]!).map(({ edit, words: found }) =>
      `${edit.sign || "="}${edit.before ?? edit.after}${found === null ? "" : "*"}`);
  };

  test("has an old line before what it became; what has no pair stays whole", () => {
    expect(signs(["a = f(x)", "b = g(y)"], ["a = f(x + 1)", "b = g(y, 2)"])).toEqual(["−0*", "+0*", "−1*", "+1*"]);
    expect(signs(["total = dot + b1", "h = np.maximum(total, 0.0)", "z = 1"], ["h = np.maximum(dot + b1, 0.0)", "z = 1"]))
      .toEqual(["−0", "−1*", "+0*", "=2"]);
    expect(signs(["one = two"], ["three(four)"])).toEqual(["−0", "+0"]);
    expect(signs([], ["a"])).toEqual(["+0"]);
  });

  test("of a long stretch is soon there", () => {
    const many = (name: string): string[] => Array.from({ length: 3000 }, (_, at) => `${name}${at} = ${at}`);
    expect(signs(many("a"), many("b"))).toHaveLength(6000);
  });

  test("marks the words that changed", () => {
    const cut = (text: string, [start, end]: readonly [number, number]): string => text.slice(start, end);
    const [one, two] = ["h = np.maximum(total, 0.0)", "h = np.maximum(dot + b1, 0.0)"];
    const [left, right] = changes(wordsOf(one), wordsOf(two));
    expect(left.map(({ start, end }) => cut(one, [start, end]))).toEqual(["total"]);
    expect(right.map(({ start, end }) => cut(two, [start, end]))).toEqual(["dot + b1"]);
  });

  test("shows them in the page", () => {
    const value: State = small([[["    bx_1 = by * x", "←", [1]]], [["    bx = by * x", "←", [1]]]]);
    const { el } = mount(value);
    click(tab(el, "part 1"));
    click(button(el, "diff"));
    const right = lists(el)[1];
    expect([...right.querySelectorAll(".tnb-changed")].map((one) => one.textContent)).toEqual(["bx_1", "bx"]);
    expect(texts(right)).toEqual(["    bx_1 = by * x", "    bx = by * x"]);
    expect(right.querySelectorAll(".tnb-paired")).toHaveLength(2);
  });
});

test("marks that lie over each other keep the text", () => {
  const line = [["k", "return"], ["", " f(x) + y"]] as const;
  for (const marks of [[], [[0, 6]], [[2, 9]], [[7, 11], [9, 10]], [[0, 15], [0, 15], [14, 15]]]) {
    const made = document.createElement("div");
    made.append(...marked(line, marks.map(([start, end]) => ({ start: start!, end: end!, css: "changed" }))));
    expect(made.textContent).toBe("return f(x) + y");
  }
});
