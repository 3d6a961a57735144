import { describe, expect, test } from "vitest";

import { diff } from "../src/diff";
import { items } from "../src/items";
import { limited, MOST_CHARACTERS, MOST_ROWS } from "../src/limits";
import { Links } from "../src/links";
import { changedRows, primalText, stageRows } from "../src/rows";
import { ends, sameTexts, stageText, whole } from "../src/state";
import type { State } from "../src/state";
import { visible, visibleLines } from "../src/visible";
import { ofExpression, ranges, sentence } from "../src/words";
import { mount, small, state } from "./help";

describe("a text that is the same", () => {
  const text = (...lines: readonly string[]): State => small([lines.map((line) => [line, "", []] as const), lines.map((line) => [line, "", []] as const)]);
  const glance = (...lines: readonly string[]): State => {
    const { stages, ...rest } = text(...lines);
    return { ...rest, stages: stages.map((one, at) => at === 0 ? { ...one, count: -1, rows: [] } : one) };
  };

  test.each([
    ["all of it", text("a", "b", "c"), text("a", "b", "c"), true], ["other lines", text("a", "b", "c"), text("a", "d", "c"), false],
    ["fewer", text("a", "b", "c"), text("a", "c"), false], ["more", text("a", "c"), text("a", "b", "c"), false],
    ["a glance without a piece", text("a", "b", "b", "c"), glance("a", "c"), true], ["a glance at all", text("a", "c"), glance("a", "c"), true],
    ["a glance without two pieces", text("a", "b", "c", "d", "e"), glance("a", "c", "e"), false], ["a glance with more", text("a", "c"), glance("a", "b", "c"), false],
  ])("%s", (_, one, two, same) => {
    expect(sameTexts(one, two)).toBe(same);
    expect([whole(one), whole(two)]).toEqual([true, two.stages[0]!.count >= 0]);
  });

  test("is so from both ends, and no line twice", () => {
    const both = (one: string, two: string): readonly number[] => ends(one.length, two.length, (at, to) => one[at] === two[to]);
    expect([both("abc", "abc"), both("aaa", "aa"), both("abxc", "abc"), both("x", ""), both("ax", "bx")]).toEqual([[3, 0], [2, 0], [2, 1], [0, 0], [0, 1]]);
  });
});

describe("visible", () => {
  // What tangent_nb.notebook.tokens.visible makes of the same texts.
  test.each([
    ["plain", "plain"],
    ["red: \x1b[31m, hidden: \u202e", "red: \\x1b[31m, hidden: \\u202e"],
    ["\0\x08\x7f\x85", "\\x00\\x08\\x7f\\x85"],
    ["a\nb\rc", "a\\nb\\rc"],
    ["a\tb", "a       b"],
    ["\u2028\u2029\u2066\ufeff", "\\u2028\\u2029\\u2066\\ufeff"],
    ["\ud800", "\\ud800"],
    ["\u{e0041}", "\\U000e0041"],
    ["ﬀ é 漢 👩‍💻", "ﬀ é 漢 👩‍💻"],
  ])("%j", (text, shown) => {
    expect(visible(text)).toBe(shown);
  });

  test("lines stay lines", () => {
    expect(visibleLines("a\r\nb\rc\n\u202e")).toBe("a\nb\nc\n\\u202e");
  });
});

describe("diff", () => {
  const signs = (before: number[], after: number[]): string => diff(before, after).map(({ sign }) => sign || "=").join("");

  test.each([
    [[], [], ""], [[1], [], "−"], [[], [1], "+"], [[1, 2, 3], [1, 2, 3], "==="], [[1, 2, 3], [1, 3], "=−="],
    [[1, 2, 3], [1, 9, 3], "=−+="], [[1, 1, 2], [1, 2, 2], "=−+="], [[1, 2], [2, 1], "−=+"],
  ])("%j to %j", (before, after, wanted) => {
    expect(signs(before, after)).toBe(wanted);
    expect(applied(before, after)).toBe(true);
  });

  /** Each text is what its side of the edits says, in order. */
  function applied(before: readonly number[], after: readonly number[]): boolean {
    const edits = diff(before, after);
    const left = edits.flatMap((one) => one.before ?? []);
    const right = edits.flatMap((one) => one.after ?? []);
    return left.every((at, place) => at === place) && left.length === before.length
      && right.every((at, place) => at === place) && right.length === after.length
      && edits.every((one) => one.sign !== "" || before[one.before] === after[one.after]);
  }

  test("is a longest common subsequence, as the textbook finds it", () => {
    let seed = 1;
    const random = (below: number): number => (seed = seed * 48271 % 2147483647) % below;
    for (let round = 0; round < 300; round++) {
      const [before, after] = [0, 1].map(() => Array.from({ length: random(14) }, () => random(5))) as [number[], number[]];
      const table = Array.from({ length: before.length + 1 }, () => new Array<number>(after.length + 1).fill(0));
      before.forEach((b, i) => { after.forEach((a, j) => {
        table[i + 1]![j + 1] = b === a ? table[i]![j]! + 1 : Math.max(table[i]![j + 1]!, table[i + 1]![j]!);
      }); });
      expect(applied(before, after)).toBe(true);
      expect(diff(before, after).filter(({ sign }) => sign === "").length).toBe(table[before.length]![after.length]);
    }
  });

  test("of texts that repeat one line is right, and soon there", () => {
    const before = Array.from({ length: 20_000 }, (_, at) => at % 2);
    const after = Array.from({ length: 20_000 }, (_, at) => at % 3 === 0 ? 1 : 0);
    const start = performance.now();
    expect(applied(before, after)).toBe(true);
    expect(performance.now() - start).toBeLessThan(2000);
  });
});

const STAGE = [["def df(x):", "", []], ["    y = x * x", "→", [1]], ["    by = 1.0", "←", [2]], ["    bx = 2 * x * by", "←", [1]],
  ["    both = 1", "←", [1, 2]]] as const;

describe("links", () => {
  const primal = primalText(small([STAGE]));
  const derived = stageRows(small([STAGE]).stages[0]!, primal);
  const links = new Links(primal.rows, derived.rows);

  test("across and beside", () => {
    expect(links.across("primal", 0)).toEqual([]);
    expect(links.across("primal", 1)).toEqual([1, 3, 4]);
    expect(links.across("derived", 4)).toEqual([1, 2]);
    expect(links.beside("derived", 1)).toEqual([3, 4]);
    expect(links.beside("derived", 4)).toEqual([1, 2, 3]);
    expect(links.beside("primal", 1)).toEqual([]);
    expect(links.across("derived", 99)).toEqual([]);
  });

  test("in words", () => {
    const say = (side: "primal" | "derived", at: number): string => {
      const { head, code } = sentence(small([STAGE]), links, { primal, derived }, side, at);
      return head + code;
    };
    expect(say("derived", 3)).toBe("line 4 comes from line 2: y = x * x");
    expect(say("derived", 4)).toBe("line 5 comes from lines 2–3: y = x * x");
    expect(say("derived", 0)).toBe("line 1 comes from no line of yours");
    expect(say("primal", 1)).toBe("line 2 became lines 2, 4–5 of dloss_dw_db");
    expect(say("primal", 0)).toBe("line 1 has no line of its own in the derivative");
  });

  test("in words, of a comment", () => {
    const commented = stageRows(small([STAGE]).stages[0]!, primal);
    const texts = { primal, derived: { ...commented, rows: commented.rows.map((row, at) => at === 0 ? { ...row, group: 1 } : row) } };
    expect(sentence(small([STAGE]), links, texts, "derived", 0)).toEqual({ head: "line 1 stands above what comes from line 3: ", code: "return y" });
  });

  test("in words, of what only the text for other arguments has", () => {
    const value = state({ ...small([STAGE]), spans: [[[1, 8, 13]]], parts: [[0]] });
    const folded = { ...derived, folds: [{ start: 0, end: 2, title: "for x: f8", within: -1 }, { start: 3, end: 5, title: "for others", within: 0 }] };
    const texts = { primal, derived: folded };
    const apart = new Links(primal.rows, folded.rows.map((row, at) => at < 3 ? { ...row, from: [] } : row));
    expect(sentence(value, apart, texts, "primal", 1).head)
      .toBe("line 2 became lines 4–5 of dloss_dw_db, in the text for other arguments: nothing of it is left in the one for these");
    expect(ofExpression(value, texts, "primal", 0, [3, 4]).tail)
      .toBe("; nothing in the text for these arguments comes from it alone, in that for others what is lit in lines 4–5");
    expect(ofExpression(value, texts, "primal", 0, [1, 4]).tail).toBe("; it caused what is lit in line 2");
    expect(ofExpression(value, texts, "primal", 0, []).tail).toBe("; nothing in this text comes from it alone");
  });

  test("the line number is in the row, beside the arrow", () => {
    expect(derived.rows.map(({ cue }) => cue)).toEqual(["", "→2", "←3", "←2", "←2–3"]);
    expect(ranges([3, 5, 4, 9, 9])).toBe("3–5,9");
  });
});

describe("rows", () => {
  test("of several sections have keys that count on, and titles", () => {
    const primal = primalText(state({ primal: [{ title: "In[1]", name: "", rows: [[1, 0, 0]] }, { title: "helpers.py", name: "half", rows: [[40, 1, 1], [41, 2, -1]] }] }));
    expect(primal.rows.map(({ from, number }) => [from[0], number])).toEqual([[0, "1"], [1, "40"], [2, "41"]]);
    expect([...primal.titles]).toEqual([[0, "In[1]"], [1, "helpers.py"]]);
    expect(items(primal, new Set()).map(({ kind }) => kind)).toEqual(["title", "row", "title", "row", "row"]);
  });

  test("in a fold are one item until it is opened", () => {
    const stage = { ...small([STAGE]).stages[0]!, folds: [[1, 4, "for other arguments", -1]] as const };
    const text = stageRows(stage, primalText(small([STAGE])));
    expect(items(text, new Set()).map((one) => one.kind === "row" ? one.at : one.kind)).toEqual([0, "fold", 4]);
    expect(items(text, new Set([1])).map((one) => one.kind === "row" ? one.at : one.kind)).toEqual([0, "fold", 1, 2, 3, 4]);
  });

  test("of a change have signs; removed ones no number; what is unchanged for long is folded", () => {
    const many = Array.from({ length: 40 }, (_, at) => [`    v${at} = x`, "→", [1]] as const);
    const value = small([[...STAGE, ...many], [...STAGE.slice(0, 3), ["    new = 1", "←", [2]], ...many]]);
    const text = changedRows(value.stages[0]!, value.stages[1]!, primalText(value), value.lines);
    expect(text.rows.slice(0, 7).map(({ sign, number }) => sign + number)).toEqual(["1", "2", "3", "−", "−", "+4", "5"]);
    expect(text.folds).toEqual([{ start: 9, end: 46, title: "unchanged", within: -1 }]);
  });
});

describe("limits", () => {
  test("nothing is done to what is small", () => {
    const value = state();
    expect(limited(value).state).toBe(value);
  });

  test("long texts and lines are cut, with a note, and are copied whole", () => {
    const long = "A".repeat(200_000);
    const lines = [...state().lines, [["s", "'"], ["", long], ["", "tail"]] as const];
    const rows = Array.from({ length: MOST_ROWS + 5 }, () => [lines.length - 1, -1, "", [], []] as const);
    const value = state({ lines, stages: [{ name: "", part: "", count: 0, summary: "", rows, folds: [[19_999, 20_004, "end", -1]] }], raw: 0, final: 0 });
    const { state: shown, notes } = limited(value);
    expect(notes).toHaveLength(2);
    expect(shown.stages[0]!.rows).toHaveLength(MOST_ROWS);
    expect(shown.stages[0]!.folds).toEqual([[19_999, MOST_ROWS, "end", -1]]);
    expect(stageText(shown, 0).split("\n")[0]).toBe(`'${"A".repeat(MOST_CHARACTERS - 1)}…`);
    const first = { ...value, stages: value.stages.map((stage) => ({ ...stage, rows: stage.rows.slice(0, 2) })) };
    expect(stageText(first, 0)).toBe(`'${long}tail\n'${long}tail\n`);
  });
});

test("the rows that made a NaN are marked", () => {
  const marked = small([STAGE], { guilty: { text: "bx became Inf", primal: [1], rows: [2] } });
  const primal = primalText(marked);
  expect(primal.rows.map(({ mark }) => mark)).toEqual(["", "bx became Inf", ""]);
  expect(stageRows(marked.stages[0]!, primal, marked.guilty).rows.map(({ mark }) => mark !== "").indexOf(true)).toBe(2);
  const { el } = mount(marked);
  expect([...el.querySelectorAll(".tnb-text .tnb-no")].map((one) => one.textContent)).toEqual(["  ◀ bx became Inf", "  ◀ bx became Inf"]);
});
