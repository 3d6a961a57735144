/** A column of figures beside the numbers of a text. */
import { element, set } from "./dom";

/** A figure of each row, beside its number. share: of the largest; text: what is seen of it; says: in words. */
export interface Column {
  readonly of: (at: number) => { readonly share: number; readonly text: string; readonly says: string } | null;
  /** Of the rows from one to another, in words; none where there is nothing to say. */
  readonly within: (start: number, end: number) => readonly string[];
}

/** The cell of a row; none where there is no column. */
export function figureOf(column: Column | null, at: number): HTMLElement[] {
  if (column === null) return [];
  const figure = column.of(at);
  if (figure === null) return [element("span", ["cost", "idle"])];
  const made = set(element("span", "cost", figure.text), { title: figure.says });
  made.style.setProperty("--tnb-share", figure.share.toFixed(3));
  return [made];
}
