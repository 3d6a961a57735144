/** What the kernel says of a quiz (tangent_nb/notebook/quiz_widget.py). No solution is in it that was not asked for. */
import { amount, count, flag, list, Malformed, oneOf, orNull, record, text } from "./shapes";
import type { Table } from "./state";

export type Verdict = "right" | "right after an error" | "wrong" | "empty" | "raised";

/** hints: those that were taken; spent: there are no more; solution: "" as long as it is not shown. */
export interface Blank {
  readonly name: string;
  readonly of: string;
  readonly line: number;
  readonly verdict: Verdict;
  readonly words: string;
  readonly says: string;
  readonly points: number;
  readonly possible: number;
  readonly tries: number;
  readonly right: boolean;
  readonly hints: readonly string[];
  readonly spent: boolean;
  readonly solution: string;
}

/** newer: that a newer answer counts, "" where this one does; cost: the part of a blank's points that a hint takes; solutions: they may be shown. */
export interface Quiz {
  readonly version: 1;
  readonly kind: "quiz";
  readonly newer: string;
  readonly name: string;
  readonly title: string;
  readonly points: number;
  readonly possible: number;
  readonly cost: number;
  readonly solutions: boolean;
  readonly places: number;
  readonly blanks: readonly Blank[];
  readonly tables: readonly Table[];
  readonly notes: readonly string[];
  readonly problem: string;
}

const shape = record<Quiz>({
  version: oneOf<1>(1),
  kind: oneOf<"quiz">("quiz"),
  newer: (value) => value === undefined ? "" : text(value),        // a stored one may be from before there was such a field
  name: text,
  title: text,
  points: amount,
  possible: amount,
  cost: amount,
  solutions: flag,
  places: count,
  blanks: list(record<Blank>({
    name: text,
    of: text,
    line: count,
    verdict: oneOf<Verdict>("right", "right after an error", "wrong", "empty", "raised"),
    words: text,
    says: text,
    points: amount,
    possible: amount,
    tries: count,
    right: flag,
    hints: list(text),
    spent: flag,
    solution: text,
  })),
  tables: list(record<Table>({ title: text, head: list(text), rows: list(list(text)), marks: list(orNull(flag)) })),
  notes: list(text),
  problem: text,
});

/** The state of a quiz, or what is wrong with it. */
export function quizOf(value: unknown): Quiz | string {
  try {
    return shape(value);
  } catch (error) {
    if (error instanceof Malformed) return error.message;
    throw error;
  }
}

export function isQuiz(value: unknown): boolean {
  return typeof value === "object" && value !== null && (value as Readonly<Record<string, unknown>>)["kind"] === "quiz";
}
