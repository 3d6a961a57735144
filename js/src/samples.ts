/** Where samples are kept and read: marks beside the lines of both texts (tangent_nb/notebook/samples.py). */
import { element, set } from "./dom";
import type { Row } from "./rows";
import { amount, count, flag, list, Malformed, orNull, record, text, tuple } from "./shapes";
import type { State } from "./state";
import { bytes } from "./units";

/** kind: "sampled", or "signs" of which one bit is kept; fraction: 0 where it is not known; how: in words. */
export type Site = readonly [name: string, kind: string, fraction: number, how: string];
export type Mark = readonly [row: number, site: number, kept: boolean];
/** Bytes of the tape that a line keeps, and those that it would keep exactly. */
export type Sizes = ReadonlyMap<number, readonly [kept: number, exact: number]>;

/** tape: as it is written, "" for the exact one; rest: what it asks for besides; stages: the marks of those that have some. */
export interface Samples {
  readonly tape: string;
  readonly fraction: number | null;
  readonly k: number | null;
  readonly method: string;
  readonly share: string;
  readonly rest: string;
  readonly sites: readonly Site[];
  readonly stages: readonly (readonly [stage: number, marks: readonly Mark[]])[];
}

export const samplesShape = record<Samples>({ tape: text, fraction: orNull(amount), k: orNull(count), method: text, share: text, rest: text,
  sites: list(tuple<Site>(text, text, amount, text)),
  stages: list(tuple<readonly [number, readonly Mark[]]>(count, list(tuple<Mark>(count, count, flag)))) });

/** Every mark is of a row and a site that there is. */
export function consistentSamples({ samples, stages }: State): void {
  for (const [stage, marks] of samples.stages) {
    const rows = stages[stage]?.rows.length ?? 0;
    if (marks.some(([row, site]) => row >= rows || site >= samples.sites.length)) throw new Malformed("a mark of a row").under(".samples");
  }
}

/** kept: something is kept there, not only read; share: how much of it. */
export interface Pie {
  readonly kept: boolean;
  readonly signs: boolean;
  readonly share: number;
  readonly says: string;
}

/** What stands beside the rows of a text. */
export type Pies = (row: Row, at: number) => Pie | null;

export interface BothPies {
  readonly primal: Pies;
  readonly derived: Pies;
}

/** Of the stage that is shown; null where nothing is sampled in it. */
export function piesOf(state: State, stage: number, sizes: Sizes): BothPies | null {
  const marks = state.samples.stages.find(([at]) => at === stage)?.[1] ?? [];
  if (marks.length === 0) return null;
  const own = new Map<number, Mark[]>();
  const users = new Map<number, Mark[]>();
  for (const mark of marks) {
    own.set(mark[0], [...own.get(mark[0]) ?? [], mark]);
    for (const key of new Set(state.stages[stage]?.rows[mark[0]]?.[3] ?? [])) users.set(key, [...users.get(key) ?? [], mark]);
  }
  const made = (all: readonly Mark[] | undefined): Pie | null => all === undefined ? null : pie(all, state.samples.sites, marks, sizes);
  const derived = new Map([...own].map(([row, all]) => [row, made(all)] as const));
  const primal = new Map([...users].map(([key, all]) => [key, made(all)] as const));
  // A row of a diff stands elsewhere than in the text, and has its number.
  return { primal: (_, at) => primal.get(at) ?? null, derived: ({ number }) => number === "" ? null : derived.get(Number(number) - 1) ?? null };
}

function pie(all: readonly Mark[], sites: readonly Site[], every: readonly Mark[], sizes: Sizes): Pie {
  const sorted = [...all].sort((a, b) => rank(a, sites) - rank(b, sites));
  const [first] = sorted;
  const [, kind = "", fraction = 0] = sites[first?.[1] ?? -1] ?? [];
  return { kept: first?.[2] ?? false, signs: kind === "signs", share: fraction || 0.25,
    says: [...new Set(sorted.map((mark) => said(mark, sites, every, sizes)))].join("; ") };
}

/** What is seen of several: samples before signs, what is kept before what is read. */
function rank([, site, kept]: Mark, sites: readonly Site[]): number {
  return (sites[site]?.[1] === "signs" ? 2 : 0) + (kept ? 0 : 1);
}

function said([, site, kept]: Mark, sites: readonly Site[], every: readonly Mark[], sizes: Sizes): string {
  const [name, kind, , how] = sites[site] ?? ["", "", 0, ""];
  const what = kind === "signs" ? `signs of ${name.replace(/^rt\.\w+\((.*?)(, 0\.0)?\)$/, "$1")}` : `sample of ${name}`;
  const row = every.find(([, other, keeps]) => other === site && keeps)?.[0];
  const size = row === undefined ? undefined : sizes.get(row);
  const facts = [...how === "" ? [] : [how], ...size === undefined ? [] : [`${bytes(size[1])} exact, ${bytes(size[0])} kept`]].join("; ");
  return `${what} ${kept ? "kept" : "read"}${facts === "" ? "" : ` (${facts})`}`;
}

/** The cell of a row; none where the text has no marks. */
export function pieCell(pies: Pies | null, row: Row, at: number): HTMLElement[] {
  if (pies === null) return [];
  const found = pies(row, at);
  return [element("span", "piecell", ...found === null ? [] : [drawn(found)])];
}

export function drawn({ kept, signs, share, says }: Pie): HTMLElement {
  const made = set(element("span", ["pie", ...kept ? [] : ["reads"] as const, ...signs ? ["signs"] as const : []]), { title: says === "" ? null : says });
  made.style.setProperty("--tnb-share", share.toFixed(3));
  return made;
}

/** What the marks mean. */
export function legend(share: number): HTMLElement {
  const one = (kept: boolean, signs: boolean, words: string): HTMLElement =>
    element("span", [], set(drawn({ kept, signs, share, says: "" }), { "aria-hidden": true }), words);
  return element("span", "legend", one(true, false, "sample kept"), one(false, false, "read"), one(true, true, "signs kept as bits"), one(false, true, "read"));
}
