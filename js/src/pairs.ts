/** Which lines that went and which that came are one line, changed; and which of its words changed. */
import type { Edit } from "./diff";
import { diff } from "./diff";
import type { Stretch } from "./pieces";

const ALIKE = 0.4;                                 // the part of their words that two lines have in common, to be one
const MOST_PAIRS = 40_000;                         // of a stretch of changes; of a longer one none are paired
const WORDS = /\w+|\s+|[^\w\s]/g;

export interface Changed {
  readonly edit: Edit;
  /** What changed within the line; null where the whole line came or went. */
  readonly words: readonly Stretch[] | null;
}

/** The edits with changed lines together, the old one first. */
export function paired(edits: readonly Edit[], before: (at: number) => string, after: (at: number) => string): readonly Changed[] {
  const result: Changed[] = [];
  for (let at = 0; at < edits.length;) {
    const edit = edits[at];
    if (edit === undefined) break;
    if (edit.sign === "") {
      result.push({ edit, words: null });
      at++;
      continue;
    }
    const gone: Edit[] = [];
    const come: Edit[] = [];
    for (let one = edits[at]; one !== undefined && one.sign !== ""; one = edits[++at]) (one.sign === "−" ? gone : come).push(one);
    result.push(...together(gone, come, before, after));
  }
  return result;
}

function together(gone: readonly Edit[], come: readonly Edit[], before: (at: number) => string, after: (at: number) => string): Changed[] {
  const old = gone.map((one) => wordsOf(before(one.before ?? 0)));
  const now = come.map((one) => wordsOf(after(one.after ?? 0)));
  const result: Changed[] = [];
  const whole = (edit: Edit | undefined): void => { if (edit !== undefined) result.push({ edit, words: null }); };
  let [g, c] = [0, 0];
  for (const [i, j] of alike(old, now)) {
    while (g < i) whole(gone[g++]);
    while (c < j) whole(come[c++]);
    const [left, right] = changes(old[i] ?? [], now[j] ?? []);
    const [was, is] = [gone[g++], come[c++]];
    if (was !== undefined) result.push({ edit: was, words: left });
    if (is !== undefined) result.push({ edit: is, words: right });
  }
  while (g < gone.length) whole(gone[g++]);
  while (c < come.length) whole(come[c++]);
  return result;
}

/** Pairs of lines, in order in both texts, that are most alike together. */
function alike(old: readonly (readonly string[])[], now: readonly (readonly string[])[]): readonly (readonly [number, number])[] {
  if (old.length * now.length > MOST_PAIRS) return [];
  const best = Array.from({ length: old.length + 1 }, () => new Float64Array(now.length + 1));
  const score = old.map((one) => now.map((two) => likeness(one, two)));
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      const both = score[i]?.[j] ?? 0;
      const here = best[i];
      if (here === undefined) continue;
      here[j] = Math.max(best[i + 1]?.[j] ?? 0, here[j + 1] ?? 0, both >= ALIKE ? both + (best[i + 1]?.[j + 1] ?? 0) : 0);
    }
  }
  const pairs: (readonly [number, number])[] = [];
  for (let i = 0, j = 0; i < old.length && j < now.length;) {
    const here = best[i]?.[j] ?? 0;
    if (here === 0) break;
    if (here === (best[i + 1]?.[j] ?? 0)) i++;
    else if (here === (best[i]?.[j + 1] ?? 0)) j++;
    else pairs.push([i++, j++]);
  }
  return pairs;
}

export function wordsOf(text: string): readonly string[] {
  return text.match(WORDS) ?? [];
}

/** Twice what is common, over what there is: of words that say something. */
function likeness(one: readonly string[], two: readonly string[]): number {
  const [a, b] = [one, two].map((words) => words.filter((word) => /\w/.test(word)));
  const all = (a?.length ?? 0) + (b?.length ?? 0);
  return all === 0 ? 0 : 2 * numbered(a ?? [], b ?? []).filter(({ sign }) => sign === "").length / all;
}

function numbered(one: readonly string[], two: readonly string[]): readonly Edit[] {
  const numbers = new Map<string, number>();
  const number = (word: string): number => numbers.get(word) ?? (numbers.set(word, numbers.size), numbers.size - 1);
  return diff(one.map(number), two.map(number));
}

/** What changed in each of two lines; blanks between two changes belong to them. */
export function changes(one: readonly string[], two: readonly string[]): readonly [readonly Stretch[], readonly Stretch[]] {
  const edits = numbered(one, two);
  const gone = new Set(edits.flatMap(({ sign, before }) => sign === "−" ? [before] : []));
  const come = new Set(edits.flatMap(({ sign, after }) => sign === "+" ? [after] : []));
  return [stretches(one, gone), stretches(two, come)];
}

function stretches(words: readonly string[], changed: ReadonlySet<number>): readonly Stretch[] {
  const found: Stretch[] = [];
  let start = 0;
  words.forEach((word, at) => {
    const end = start + word.length;
    const last = found[found.length - 1];
    if (changed.has(at)) {
      if (last?.end === start) found[found.length - 1] = { ...last, end };
      else found.push({ start, end });
    } else if (last?.end === start && word.trim() === "" && changed.has(at + 1)) {
      found[found.length - 1] = { ...last, end };
    }
    start = end;
  });
  return found;
}
