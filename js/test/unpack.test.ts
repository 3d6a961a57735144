import { describe, expect, it } from "vitest";
import { unpack } from "../src/unpack";
import { validate } from "../src/validate";
import example from "./example.json";

const state = example as unknown as Record<string, unknown> & { lines: [string, string][][]; stages: { rows: [number, number, string, number[], number[]][] }[] };

/** What wire.py does. */
function pack(): unknown {
  const table = new Map<string, number>();
  const stages = state.stages.map((stage) => ({ ...stage, rows: stage.rows.map(([line, group, arrow, from, terms]) => {
    const key = JSON.stringify([line, group, arrow, from, ...terms]);
    if (!table.has(key)) table.set(key, table.size);
    return table.get(key);
  }) }));
  const lines = state.lines.map((tokens) => {
    const spans: unknown[] = [];
    let start = 0;
    for (const [cls, text] of tokens) {
      if (cls !== "") spans.push(start, text.length, cls);
      start += text.length;
    }
    return [tokens.map(([, text]) => text).join(""), ...spans];
  });
  return { ...state, lines, rows: [...table.keys()].map((key) => JSON.parse(key) as unknown), stages };
}

/** Neighbours without a class are one. */
function joined(tokens: readonly (readonly [string, string])[]): unknown {
  const found: [string, string][] = [];
  for (const [cls, text] of tokens) {
    const last = found[found.length - 1];
    if (last !== undefined && last[0] === "" && cls === "") last[1] += text;
    else if (text !== "") found.push([cls, text]);
  }
  return found;
}

describe("unpack", () => {
  it("makes the state again that was packed", () => {
    expect(unpack(pack())).toEqual({ ...state, lines: state.lines.map(joined) });
    expect("state" in validate(unpack(pack()))).toBe(true);
  });

  it("leaves everything else for validate to refuse", () => {
    for (const bad of [null, 7, "x", [], {}, { rows: 3 }, { rows: [] }, { rows: [1], stages: [{ rows: [0] }], lines: [] },
      { rows: [], stages: [{ rows: ["x"] }], lines: [["a", 0]] }, { rows: [], stages: 3, lines: [["a", 5, -2, "k"], [3], null] }]) {
      expect("malformed" in validate(unpack(bad))).toBe(true);
    }
  });
});
