/** Which lines come and go between two texts, given as numbers of lines: a longest common subsequence, by Hunt and Szymanski.
 *
 * Source: J. W. Hunt and T. G. Szymanski, "A Fast Algorithm for Computing Longest Common Subsequences" (1977).
 */

/** before, after: the places in the two texts; the one that a line has no place in is null. */
export type Edit =
  | { readonly sign: ""; readonly before: number; readonly after: number }
  | { readonly sign: "+"; readonly before: null; readonly after: number }
  | { readonly sign: "−"; readonly before: number; readonly after: null };

/** Pairs of equal lines above which lines that occur often are not matched: the result is right still, but not shortest. */
const MOST_PAIRS = 2_000_000;

interface Match {
  readonly before: number;
  readonly after: number;
  readonly last: Match | null;
}

export function diff(before: readonly number[], after: readonly number[]): readonly Edit[] {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < before.length - head && tail < after.length - head
    && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;

  const edits: Edit[] = [];
  let b = 0;
  let a = 0;
  const upTo = (endBefore: number, endAfter: number): void => {
    for (; b < endBefore; b++) edits.push({ sign: "−", before: b, after: null });
    for (; a < endAfter; a++) edits.push({ sign: "+", before: null, after: a });
  };
  const same = (): void => { edits.push({ sign: "", before: b++, after: a++ }); };

  while (b < head) same();
  for (const match of matches(before, after, head, before.length - tail, after.length - tail)) {
    upTo(match.before, match.after);
    same();
  }
  upTo(before.length - tail, after.length - tail);
  while (b < before.length) same();
  return edits;
}

function matches(before: readonly number[], after: readonly number[], start: number, endBefore: number, endAfter: number): Match[] {
  const places = occurrences(before.slice(start, endBefore), after, start, endAfter);
  // chains[k]: the chain of k + 1 matches that ends first in `after`; ends[k]: where.
  const chains: Match[] = [];
  const ends: number[] = [];
  for (let b = start; b < endBefore; b++) {
    const found = places.get(before[b] ?? -1) ?? [];
    for (let at = found.length - 1; at >= 0; at--) {
      const a = found[at] ?? 0;
      const k = firstNotBelow(ends, a);
      if (ends[k] === a) continue;
      ends[k] = a;
      chains[k] = { before: b, after: a, last: chains[k - 1] ?? null };
    }
  }
  const result: Match[] = [];
  for (let match = chains[chains.length - 1] ?? null; match !== null; match = match.last) result.push(match);
  return result.reverse();
}

/** Where each line stands in `after`. */
function occurrences(wanted: readonly number[], after: readonly number[], start: number, end: number): Map<number, number[]> {
  const times = new Map<number, number>();
  for (const line of wanted) times.set(line, (times.get(line) ?? 0) + 1);
  const places = new Map<number, number[]>();
  for (let a = start; a < end; a++) {
    const line = after[a] ?? -1;
    if (!times.has(line)) continue;
    const found = places.get(line);
    if (found === undefined) places.set(line, [a]);
    else found.push(a);
  }
  let pairs = 0;
  const pairsOf = (line: number): number => (times.get(line) ?? 0) * (places.get(line)?.length ?? 0);
  for (const line of [...places.keys()].sort((x, y) => pairsOf(x) - pairsOf(y))) {
    pairs += pairsOf(line);
    if (pairs > MOST_PAIRS) places.delete(line);
  }
  return places;
}

function firstNotBelow(sorted: readonly number[], value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
