/** What stands in a pane, from top to bottom: rows, titles, and the heads of folds. All are of one height. */
import type { FoldedRows, Text } from "./rows";
import type { Token } from "./state";

export type Item =
  | { readonly kind: "row"; readonly at: number }
  | { readonly kind: "title"; readonly text: string }
  | { readonly kind: "note"; readonly of: number; readonly note: Note }
  | { readonly kind: "fold"; readonly fold: FoldedRows; readonly open: boolean };

/** A line that says something about the row above it. */
export interface Note {
  readonly css: "says" | "shown";
  readonly tokens: readonly Token[];
}

/** notes: below the row that they are about. */
export function items(text: Text, open: ReadonlySet<number>, notes: ReadonlyMap<number, readonly Note[]> = new Map()): readonly Item[] {
  const folds = new Map(text.folds.map((fold) => [fold.start, fold]));
  const result: Item[] = [];
  for (let at = 0; at < text.rows.length; at++) {
    const title = text.titles.get(at);
    if (title !== undefined) result.push({ kind: "title", text: title });
    const fold = folds.get(at);
    if (fold !== undefined) {
      const shown = open.has(fold.start);
      if (fold.within !== -1 && !open.has(fold.within)) {
        at = fold.end - 1;
        continue;
      }
      result.push({ kind: "fold", fold, open: shown });
      if (!shown) {
        at = fold.end - 1;
        continue;
      }
    }
    result.push({ kind: "row", at });
    for (const note of notes.get(at) ?? []) result.push({ kind: "note", of: at, note });
  }
  return result;
}

export function foldOf(text: Text, at: number): FoldedRows | undefined {
  return text.folds.find(({ start, end }) => start <= at && at < end);
}
