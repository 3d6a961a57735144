/** How many lines each item takes where long ones are wrapped, and where it therefore stands. */

const BREAK = /[ ([{,]/;                           // as dom.ts has it, and blanks

/** The lines of a text that is broken behind blanks, brackets and commas, else anywhere; those after the first are set in by
 * `inset`. */
export function wrapped(text: string, columns: number, inset: number): number {
  if (columns <= 0 || text.length <= columns) return 1;
  const further = Math.max(1, columns - inset);
  let lines = 1;
  let at = 0;
  for (let room = columns; text.length - at > room; room = further, lines++) {
    let end = at + room;
    while (end > at && !BREAK.test(text.charAt(end - 1)) && text.charAt(end) !== " ") end--;
    at = text.slice(at, end).trim() === "" ? at + room : end;
  }
  return lines;
}

export class Heights {
  private readonly tops: Float64Array;

  constructor(lines: readonly number[]) {
    this.tops = new Float64Array(lines.length + 1);
    lines.forEach((one, at) => { this.tops[at + 1] = (this.tops[at] ?? 0) + one; });
  }

  /** The lines above an item. */
  top(at: number): number {
    return this.tops[Math.min(Math.max(at, 0), this.tops.length - 1)] ?? 0;
  }

  /** The lines of an item. */
  of(at: number): number {
    return this.top(at + 1) - this.top(at);
  }

  get all(): number {
    return this.top(this.tops.length - 1);
  }

  /** The item that a line is of. */
  at(line: number): number {
    let low = 0;
    let high = Math.max(0, this.tops.length - 2);
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.tops[middle] ?? 0) <= line) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
