/** Which rows of two texts belong together: those that come from the same rows of the user's. */
import type { Row } from "./rows";

export type Side = "primal" | "derived";

export function other(side: Side): Side {
  return side === "primal" ? "derived" : "primal";
}

export class Links {
  private readonly derivedBy = new Map<number, number[]>();

  constructor(private readonly primal: readonly Row[], private readonly derived: readonly Row[]) {
    derived.forEach((row, at) => {
      for (const key of new Set(row.from)) {
        const found = this.derivedBy.get(key);
        if (found === undefined) this.derivedBy.set(key, [at]);
        else found.push(at);
      }
    });
  }

  /** The rows of the other text that a row belongs to, in order. */
  across(side: Side, at: number): readonly number[] {
    if (side === "primal") return this.derivedBy.get(at) ?? [];
    const from = this.derived[at]?.from ?? [];
    return [...new Set(from)].filter((key) => key < this.primal.length).sort((a, b) => a - b);
  }

  /** The rows of its own text that share a source with a row of the derivative; those of the user's text stand for themselves. */
  beside(side: Side, at: number): readonly number[] {
    if (side === "primal") return [];
    const found = new Set(this.across(side, at).flatMap((key) => this.derivedBy.get(key) ?? []));
    found.delete(at);
    return [...found].sort((a, b) => a - b);
  }
}
