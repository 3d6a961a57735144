/** Small arrays as grids of coloured cells: blue below zero, red above, the paper at zero. */
import { element, set } from "./dom";
import type { Cell, Value } from "./recording";

const WIDEST = 16;

/** Columns of a grid: the last axis; a vector is one row. */
export function columns(shape: readonly number[]): number {
  return Math.max(1, shape[shape.length - 1] ?? 1);
}

/** The colour of a cell, where `most` is the largest size of a number beside it. */
export function colour(cell: Cell, most: number): string {
  if (typeof cell !== "number" || most === 0) return "";
  const share = Math.round(100 * Math.sqrt(Math.abs(cell) / most));
  return `color-mix(in srgb, var(--tnb-${cell < 0 ? "cold" : "warm"}) ${share}%, var(--tnb-paper))`;
}

/** A number in a few characters. */
export function short(cell: Cell): string {
  if (typeof cell !== "number") return cell;
  if (Number.isInteger(cell) && Math.abs(cell) < 1e6) return String(cell);
  const size = Math.abs(cell);
  return size >= 1e-3 && size < 1e6 ? String(Number(cell.toPrecision(4))) : cell.toExponential(2);
}

/** The same with small cells where there are many rows or columns. */
export function fine(value: Value): HTMLElement {
  const [, shape, cells] = value;
  const wide = columns(shape);
  const made = grid(value);
  if (wide > WIDEST || cells.length / wide > WIDEST / 2) made.classList.add("tnb-fine");
  made.style.gridTemplateColumns = `repeat(${wide}, ${made.classList.contains("tnb-fine") ? 6 : 12}px)`;
  return made;
}

export function grid([text, shape, cells]: Value): HTMLElement {
  const wide = columns(shape);
  const most = cells.reduce<number>((found, cell) => typeof cell === "number" ? Math.max(found, Math.abs(cell)) : found, 0);
  const made = cells.map((cell) => {
    const one = set(element("span", typeof cell === "number" ? "cellbox" : ["cellbox", "odd"], typeof cell === "number" ? "" : "!"),
      { title: String(cell) });
    one.style.backgroundColor = colour(cell, most);
    return one;
  });
  const box = set(element("span", "grid", ...made), { role: "img", "aria-label": `${text}: ${cells.map(short).join(", ")}` });
  box.style.gridTemplateColumns = `repeat(${Math.min(wide, WIDEST * 4)}, ${wide > WIDEST ? 6 : 12}px)`;
  return box;
}
