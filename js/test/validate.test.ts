import { expect, test } from "vitest";

import { validate } from "../src/validate";
import { state } from "./help";

function malformed(value: unknown): string {
  const read = validate(value);
  return "malformed" in read ? read.malformed : "";
}

test("the example is a state", () => {
  expect(validate(state())).toEqual({ state: state() });
});

test.each([
  ["no object", null, "state is not an object"],
  ["a list", [], "state is not an object"],
  ["a text", "state", "state is not an object"],
  ["another version", state({ version: 2 as never }), "state.version is not one of 1"],
  ["a name that is none", state({ name: 3 as never }), "state.name is not a text"],
  ["a token of three", state({ lines: [[["k", "def", "x"] as never]] }), "state.lines[0][0] is not a list of 2"],
  ["a token of an object", state({ lines: [[["", { toString: () => "x" }] as never]] }), "state.lines[0][0][1] is not a text"],
  ["a primal row without its line", state({ primal: [{ title: "", name: "", rows: [[1, 999, 0]] }] }), "state.primal[0].rows[0][1] is not the index of a line"],
  ["a colour too many", state({ primal: [{ title: "", name: "", rows: [[1, 0, 24]] }] }), "state.primal[0].rows[0][2] is not a number from -1 to 23"],
  ["half a line", state({ primal: [{ title: "", name: "", rows: [[1, 0.5, 0]] }] }), "state.primal[0].rows[0][1] is not a number from 0 on"],
  ["no stage", state({ stages: [] }), "state.raw is not the index of a stage"],
  ["a final stage that is not there", state({ final: 99 }), "state.final is not the index of a stage"],
  ["an arrow up", state({ stages: [{ name: "", part: "", count: 0, summary: "", folds: [], rows: [[0, 0, "↑" as never, [], []]] }] }),
    'state.stages[0].rows[0][2] is not one of "→", "←", ""'],
  ["a key that no row has", state({ stages: [{ name: "", part: "", count: 0, summary: "", folds: [], rows: [[0, 0, "", [99], []]] }], raw: 0, final: 0 }),
    "state.stages[0].rows[0][3] is not a list of keys of primal rows"],
  ["a fold that ends before it starts", state({ stages: [{ name: "", part: "", count: 0, summary: "", rows: [[0, 0, "", [], []]], folds: [[1, 0, "", -1]] }], raw: 0, final: 0 }),
    "state.stages[0].folds[0] is not a stretch of rows behind the one before"],
  ["an endless time", state({ status: { ...state().status, ms: Infinity } }), "state.status.ms is not a number"],
  ["a mark that is a number", state({ tables: [{ title: "", head: [], rows: [], marks: [1 as never] }] }), "state.tables[0].marks[0] is not true or false"],
  ["another mode", state({ options: { ...state().options, mode: "sideways" as never } }), 'state.options.mode is not one of "reverse", "forward"'],
])("refused: %s", (_, value, message) => {
  expect(malformed(value)).toBe(message);
});

test("each field must be there, and must be the state's own", () => {
  for (const name of Object.keys(state())) {
    const { [name]: value, ...rest } = state() as unknown as Record<string, unknown>;
    expect(malformed(rest)).toContain(`state.${name}`);
    const inherited = Object.assign(Object.create({ [name]: value }) as object, rest);
    expect(malformed(inherited)).toContain(`state.${name}`);
  }
});

test("what no field asks for is left behind", () => {
  const read = validate(JSON.parse(JSON.stringify({ ...state(), more: 1 }).replace("{", '{"__proto__":{"polluted":1},')));
  expect("state" in read && !("more" in read.state) && !("polluted" in read.state)).toBe(true);
});
