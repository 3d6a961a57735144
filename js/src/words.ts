/** Sentences about rows. */
import { foldOf } from "./items";
import type { Links, Side } from "./links";
import type { Row, Text } from "./rows";
import { owned } from "./rows";
import type { State } from "./state";
import { textOf } from "./state";

const LONGEST = 160;

export interface Sentence {
  readonly head: string;
  readonly code: string;
  readonly tail?: string;
}

/** Numbers, runs of them as their ends: 3–5, 9. */
export function ranges(numbers: readonly number[], between = ","): string {
  const runs: [number, number][] = [];
  for (const number of [...new Set(numbers)].sort((a, b) => a - b)) {
    const last = runs[runs.length - 1];
    if (last !== undefined && number === last[1] + 1) last[1] = number;
    else runs.push([number, number]);
  }
  return runs.map(([from, to]) => from === to ? String(from) : `${from}–${to}`).join(between);
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Where a row comes from, or what came of it. */
export function sentence(state: State, links: Links, texts: Readonly<Record<Side, Text>>, side: Side, at: number): Sentence {
  const row = texts[side].rows[at];
  if (row === undefined) return { head: "", code: "" };
  const across = links.across(side, at);
  const name = row.number === "" ? "the removed line" : `line ${row.number}`;
  if (side === "primal") {
    const seen = across.filter((one) => !isGeneral(texts.derived, one));
    const numbers = (seen.length > 0 ? seen : across).map((one) => Number(texts.derived.rows[one]?.number)).filter((one) => one > 0);
    if (numbers.length === 0) return { head: `${name} has no line of its own in the derivative`, code: "" };
    const apart = seen.length > 0 ? "" : ", in the text for other arguments: nothing of it is left in the one for these";
    return { head: `${name} became ${lines(numbers)} of ${state.name}${apart}`, code: "" };
  }
  const sources = across.map((one) => texts.primal.rows[one]).filter((one) => one !== undefined);
  const first = sources.find(({ group }) => group === row.group) ?? sources[0];
  if (first === undefined) {
    const below = headed(texts, row, at);
    return below === undefined ? { head: `${name} comes from no line of yours`, code: "" }
      : { head: `${name} stands above what comes from line ${owned([below])}: `, code: code(state, below) };
  }
  return { head: `${name} comes from ${sources.length === 1 ? "line" : "lines"} ${owned(sources)}: `, code: code(state, first) };
}

/** Of a comment, the user's row that what stands below it comes from. */
function headed({ primal, derived }: Readonly<Record<Side, Text>>, { group }: Row, at: number): Row | undefined {
  return group === -1 ? undefined : derived.rows.slice(at + 1).flatMap(({ from }) => from.flatMap((key) => primal.rows[key] ?? [])).find((one) => one.group === group);
}

/** What an expression caused; of: an expression, or a part that comes from one. */
export function ofExpression(state: State, texts: Readonly<Record<Side, Text>>, side: Side, of: number, rows: readonly number[]): Sentence {
  const [own, ...calls] = side === "primal" ? [of] : state.parts[of] ?? [];
  const text = (one: number | undefined): string => (state.spans[one ?? -1] ?? []).map(([key, start, end]) =>
    textOf(state.lines[texts.primal.rows[key]?.line ?? -1] ?? []).slice(start, end)).join(" ");
  const at = state.spans[own ?? -1]?.[0]?.[0] ?? 0;
  const seen = rows.filter((one) => !isGeneral(texts.derived, one));
  const numbers = (seen.length > 0 ? seen : rows).map((one) => Number(texts.derived.rows[one]?.number)).filter((one) => one > 0);
  const by = calls.map((one) => `, called by ${text(one)} in line ${texts.primal.rows[state.spans[one]?.[0]?.[0] ?? -1]?.number ?? ""}`).join("");
  return { head: `line ${texts.primal.rows[at]?.number ?? ""}${place(texts.primal, at)}: `, code: clipped(text(own)),
    tail: `${by}${numbers.length === 0 ? "; nothing in this text comes from it alone"
      : seen.length > 0 ? `; it caused what is lit in ${lines(numbers)}`
      : `; nothing in the text for these arguments comes from it alone, in that for others what is lit in ${lines(numbers)}`}` };
}

/** Of the text for other arguments, which says the same again. */
function isGeneral(text: Text, at: number): boolean {
  const fold = foldOf(text, at);
  return fold !== undefined && fold.within !== -1;
}

/** What a row is called by a screen reader. */
export function label(state: State, links: Links, texts: Readonly<Record<Side, Text>>, side: Side, at: number): string {
  const row = texts[side].rows[at];
  if (row === undefined) return "";
  const sign = row.sign === "+" ? "added " : row.sign === "−" ? "removed " : "";
  const text = code(state, row) || "empty";
  const from = side === "derived" ? sentenceTail(links, texts, at) + (/\brt\.\w/.test(text) ? "; ? explains its helpers" : "") : "";
  return `${sign}line ${row.number}: ${text}${from}`.replace("line : ", "line: ");
}

function sentenceTail(links: Links, texts: Readonly<Record<Side, Text>>, at: number): string {
  const sources = links.across("derived", at).flatMap((key) => texts.primal.rows[key] ?? []);
  return sources.length > 0 ? `; from ${sources.length === 1 ? "line" : "lines"} ${owned(sources)}` : "";
}

function lines(numbers: readonly number[]): string {
  return `${new Set(numbers).size === 1 ? "line" : "lines"} ${ranges(numbers, ", ")}`;
}

/** Of a row of a function that is called: of which. */
function place(primal: Text, at: number): string {
  const owner = primal.rows[at]?.owner ?? "";
  return owner === "" ? "" : ` of ${owner}`;
}

function code(state: State, row: Row): string {
  return clipped(textOf(state.lines[row.line] ?? []).trim());
}

function clipped(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
