/** Refuses a state that is not as `state.ts` has it: what is drawn afterwards needs no second look. */
import type { Answer } from "./host";
import { consistentSamples, samplesShape } from "./samples";
import { amount, between, count, flag, list, Malformed, oneOf, orNull, record, text, tuple } from "./shapes";
import type { Arrow, Backend, Editable, Fold, Guilty, Helper, Mode, Options, PrimalRow, Section, Stage, StageRow, State, Status, Stepping, Table, Texts, Token, Tools } from "./state";
import { GROUPS } from "./state";

export type Validated = { readonly state: State } | { readonly malformed: string };

const MOST_TEXTS = 1_000;
const MOST_FOLDS = 1_000_000;
const MOST_LINES = 1_000_000_000;
const group = between(-1, GROUPS - 1);
const backend = oneOf<Backend>("numpy", "numba", "jax", "jit");

const options = record<Options>({
  wrt: list(record({ name: text, on: flag, reason: text })),
  mode: oneOf<Mode>("reverse", "forward"),
  backend,
  backends: list(record({ name: backend, reason: text })),
  passes: list(record({ name: text, summary: text, on: flag })),
});

const stepping = record<Stepping>({ reason: text, open: flag });

const shape = record<State>({
  version: oneOf<1>(1),
  name: text,
  title: text,
  lines: list(list(tuple<Token>(text, text))),
  primal: list(record<Section>({ title: text, name: text, rows: list(tuple<PrimalRow>(count, count, group)) })),
  stages: list(record<Stage>({
    name: text,
    part: text,
    count: between(-1, MOST_LINES),
    summary: text,
    rows: list(tuple<StageRow>(count, group, oneOf<Arrow>("→", "←", ""), list(count), list(count))),
    folds: list(tuple<Fold>(count, count, text, between(-1, MOST_FOLDS))),
  })),
  raw: count,
  final: count,
  options,
  samples: samplesShape,
  bound: text,
  status: record<Status>({ lines: count, passes: count, ms: orNull(amount), check: text, good: orNull(flag) }),
  stale: text,
  tables: list(record<Table>({ title: text, head: list(text), rows: list(list(text)), marks: list(orNull(flag)) })),
  notes: list(text),
  problem: text,
  refusal: text,
  guilty: record<Guilty>({ text, primal: list(count), rows: list(count) }),
  present: flag,
  spans: list(list(tuple<readonly [number, number, number]>(count, count, count))),
  parts: list(list(count)),
  partners: list(tuple<readonly [string, string]>(text, text)),
  step: stepping,
  edit: record<Editable>({ reason: text, open: flag, cell: text }),
  texts: record<Texts>({ names: list(text), ran: between(-1, MOST_TEXTS), here: flag, timed: text }),
  tools: record<Tools>({ costs: text, graph: text, spread: text }),
});

const helperShape = record<Helper>({ name: text, says: text, code: list(list(tuple<Token>(text, text))),
  example: list(list(tuple<Token>(text, text))) });

/** What was said of a helper; null where that is none. */
export function helperOf(value: unknown): Helper | null {
  return attempt(helperShape, value);
}

type Of<K extends Answer["kind"]> = Extract<Answer, { readonly kind: K }>;

const editorShape = record<Omit<Of<"editor">, "code">>({ kind: oneOf("editor"), text, first: count, head: list(text), cell: text });
const appliedShape = record<Of<"applied">>({ kind: oneOf("applied"), failed: flag, text, lines: list(count) });

/** The editor, whose code came beside the message; null where it is none. */
export function editorOf(value: unknown, buffers: unknown): Of<"editor"> | null {
  const code: unknown = Array.isArray(buffers) ? buffers[0] : undefined;
  const bytes = ArrayBuffer.isView(code) ? new Uint8Array(code.buffer, code.byteOffset, code.byteLength) : code instanceof ArrayBuffer ? new Uint8Array(code) : null;
  const read = attempt(editorShape, value);
  return read === null || bytes === null ? null : { ...read, code: bytes };
}

export function appliedOf(value: unknown): Of<"applied"> | null {
  return attempt(appliedShape, value);
}

function attempt<T>(read: (value: unknown) => T, value: unknown): T | null {
  try {
    return read(value);
  } catch (error) {
    if (error instanceof Malformed) return null;
    throw error;
  }
}

export function validate(value: unknown): Validated {
  try {
    const state = shape(value);
    consistent(state);
    return { state };
  } catch (error) {
    if (error instanceof Malformed) return { malformed: error.message };
    throw error;
  }
}

/** Every index refers to something. */
function consistent(state: State): void {
  const lines = state.lines.length;
  const keys = state.primal.reduce((sum, section) => sum + section.rows.length, 0);
  state.primal.forEach(({ rows }, s) => {
    rows.forEach(([, line], r) => { demand(line < lines, "the index of a line", () => `.primal[${s}].rows[${r}][1]`); });
  });
  state.spans.forEach((span, s) => { demand(span.every(([key]) => key < keys), "a list of stretches of primal rows", () => `.spans[${s}]`); });
  state.parts.forEach((part, p) => { demand(part.every((one) => one < state.spans.length), "a list of expressions", () => `.parts[${p}]`); });
  demand(state.raw < state.stages.length, "the index of a stage", () => ".raw");
  demand(state.final < state.stages.length, "the index of a stage", () => ".final");
  state.stages.forEach(({ rows, folds }, s) => {
    rows.forEach(([line, , , from, terms], r) => {
      demand(terms.length % 3 === 0 && terms.every((one, at) => at % 3 !== 2 || one < state.parts.length), "stretches with their parts",
        () => `.stages[${s}].rows[${r}][4]`);
      demand(line < lines, "the index of a line", () => `.stages[${s}].rows[${r}][0]`);
      demand(from.every((key) => key < keys), "a list of keys of primal rows", () => `.stages[${s}].rows[${r}][3]`);
    });
    let last = 0;
    folds.forEach(([start, end, , within], f) => {
      demand(within < f, "the place of a fold before", () => `.stages[${s}].folds[${f}][3]`);
      demand(last <= start && start < end && end <= rows.length, "a stretch of rows behind the one before", () => `.stages[${s}].folds[${f}]`);
      last = end;
    });
  });
  consistentSamples(state);
}

function demand(holds: boolean, wanted: string, path: () => string): void {
  if (!holds) throw new Malformed(wanted).under(path());
}
