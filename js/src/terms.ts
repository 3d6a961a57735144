/** Which stretches of two texts an expression of the user's caused, and where names stand. */
import type { Side } from "./links";
import type { Text } from "./rows";
import type { State } from "./state";
import { textOf } from "./state";

/** What belongs together: numbers of expressions in the user's text, of parts in the derivative. */
export type Lit = Readonly<Record<Side, ReadonlySet<number>>>;

export const NONE: Lit = { primal: new Set(), derived: new Set() };

export class Terms {
  private readonly causes = new Map<number, number[]>();

  constructor(private readonly parts: State["parts"]) {
    parts.forEach((part, at) => {
      for (const one of part) this.causes.set(one, [...this.causes.get(one) ?? [], at]);
    });
  }

  /** of: an expression, or a part: then what that expression caused besides is lit too. */
  lit(side: Side, of: number): Lit {
    const own = side === "primal" ? of : this.parts[of]?.[0];
    const derived = new Set(own === undefined ? [] : this.causes.get(own) ?? []);
    return { primal: new Set(side === "primal" ? [of] : this.parts[of] ?? []), derived };
  }
}

/** The rows that have a stretch of these. */
export function rowsWith(text: Text, of: ReadonlySet<number>): number[] {
  if (of.size === 0) return [];
  return text.rows.flatMap((row, at) => row.terms.some((one) => of.has(one.of)) ? [at] : []);
}

const WORD = /(?<![\w.])[A-Za-z_]\w*/g;
const BOUND = /^\s*(?:for\s+)?([\w\s,()]+?)\s*(?:[-+*/@%&|^]{0,2}=(?!=)|\sin\s)/;
const DEF = /^\s*(?:async\s+)?def\s/;
const DEFINED = /^\s*(?:async\s+)?def\s+\w+\((.*)\)/;

const bound = new WeakMap<State["lines"], ReadonlySet<string>>();         // a state is shown again

/** The variables of texts: what is assigned, counted through, or a parameter; and what has a partner. */
export function variables({ lines, partners }: State): ReadonlySet<string> {
  const known = bound.get(lines) ?? boundIn(lines);
  bound.set(lines, known);
  return new Set([...known, ...partners.flat()]);
}

function boundIn(lines: State["lines"]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const line of lines) {
    const text = textOf(line);
    const names = DEFINED.exec(text)?.[1]?.replace(/[=:][^,]*/g, "") ?? (DEF.test(text) ? "" : BOUND.exec(text)?.[1] ?? "");
    for (const [name] of names.matchAll(/[A-Za-z_]\w*/g)) found.add(name);
  }
  return found;
}

export interface Name {
  readonly start: number;
  readonly end: number;
  readonly name: string;
}

/** Where variables stand in a line of code. */
export function namesIn(line: State["lines"][number], known: ReadonlySet<string>): readonly Name[] {
  const found: Name[] = [];
  let at = 0;
  let before = "";
  for (const [cls, text] of line) {
    if (cls === "" || cls === "f" || cls === "b") {
      for (const one of text.matchAll(WORD)) {
        const start = at + one.index;
        const dotted = one.index === 0 && before.endsWith(".");
        if (known.has(one[0]) && !dotted) found.push({ start, end: start + one[0].length, name: one[0] });
      }
    }
    at += text.length;
    before = text;
  }
  return found;
}

/** A name with what holds its cotangent, or whose cotangent it holds. */
export function kin(name: string, partners: State["partners"]): ReadonlySet<string> {
  return new Set([name, ...partners.flatMap(([one, other]) => one === name ? [other] : other === name ? [one] : [])]);
}
