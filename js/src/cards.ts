/** What the kernel says of a line (tangent_nb/notebook/cards/card.py), read before it is drawn, as the state is. */
import type { Formula } from "./math";
import { tree } from "./math";
import { cell } from "./recording";
import type { Cell } from "./recording";
import { count, list, Malformed, orNull, record, text, tuple } from "./shapes";
import type { Read } from "./shapes";

/** at: when and where it is that, "" where that is plain. */
export interface Valued {
  readonly text: string;
  readonly shape: readonly number[];
  readonly cells: readonly Cell[];
  readonly at: string;
}

/** says: what it is for; kind: what is known of it without a call. */
export interface NameFacts {
  readonly name: string;
  readonly says: string;
  readonly kind: string;
  readonly activity: string;
  readonly value: Valued | null;
  readonly partner: string;
  readonly cotangent: Valued | null;
}

/** at: the key of the row, start and end of the expression in the user's text; where: what the names of the formulas are here. */
export interface UsedRule {
  readonly at: readonly number[];
  readonly code: string;
  readonly name: string;
  readonly formulas: readonly Formula[];
  readonly where: readonly (readonly [name: string, text: string])[];
  readonly note: string;
}

export interface CardData {
  readonly head: string;
  readonly from: string;
  readonly names: readonly NameFacts[];
  readonly rules: readonly UsedRule[];
  readonly saved: string;
  readonly helpers: readonly (readonly [name: string, says: string])[];
  readonly offer: string;
  readonly note: string;
}

const pair = tuple<readonly [string, string]>(text, text);
const loose = record<Valued>({ text, shape: list(count), cells: list(cell), at: text });
const valued: Read<Valued> = (value) => {
  const read = loose(value);
  if (read.cells.length > 0 && read.cells.length !== read.shape.reduce((a, b) => a * b, 1)) throw new Malformed("as many numbers as its shape says");
  return read;
};

const shape = record<CardData>({
  head: text,
  from: text,
  names: list(record<NameFacts>({ name: text, says: text, kind: text, activity: text, value: orNull(valued), partner: text,
    cotangent: orNull(valued) })),
  rules: list(record<UsedRule>({ at: list(count), code: text, name: text, formulas: list(record<Formula>({ math: tree, text })), where: list(pair),
    note: text })),
  saved: text,
  helpers: list(pair),
  offer: text,
  note: text,
});

/** What was said of a line; null where it cannot be shown. */
export function cardOf(value: unknown): CardData | null {
  try {
    return shape(value);
  } catch (error) {
    if (error instanceof Malformed) return null;
    throw error;
  }
}
