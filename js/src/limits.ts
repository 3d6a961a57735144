/** What is drawn of a state that is too large to be drawn. What is copied stays whole. */
import type { Section, Stage, State, Table, Token } from "./state";

export const MOST_ROWS = 20_000;
export const MOST_CHARACTERS = 20_000;
const MOST_CELLS = 2_000;

export interface Limited {
  readonly state: State;
  readonly notes: readonly string[];
}

export function limited(state: State): Limited {
  const notes: string[] = [];
  const lines = state.lines.map(short);
  if (lines.some((line, at) => line !== state.lines[at])) {
    notes.push(`Lines of over ${MOST_CHARACTERS.toLocaleString("en")} characters are cut here.`);
  }
  const primal = cutSections(state.primal);
  const stages = state.stages.map(cutStage);
  if (rows(primal) < rows(state.primal) || stages.some((stage, at) => stage !== state.stages[at])) {
    notes.push(`Only the first ${MOST_ROWS.toLocaleString("en")} lines are shown; "copy" takes them all.`);
  }
  const tables = state.tables.map(cutTable);
  if (tables.some((table, at) => table !== state.tables[at])) notes.push("Long tables are cut here.");
  return { state: notes.length > 0 ? { ...state, lines, primal, stages, tables } : state, notes };
}

export function clipped(text: string): string {
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
}

function short(line: readonly Token[]): readonly Token[] {
  let left = MOST_CHARACTERS;
  for (let at = 0; at < line.length; at++) {
    const [cls, text] = line[at] ?? ["", ""];
    if (text.length > left) return [...line.slice(0, at), [cls, text.slice(0, left)], ["", "…"]];
    left -= text.length;
  }
  return line;
}

function rows(sections: readonly Section[]): number {
  return sections.reduce((sum, section) => sum + section.rows.length, 0);
}

function cutSections(sections: readonly Section[]): readonly Section[] {
  let left = MOST_ROWS;
  return sections.map((section) => {
    const shown = section.rows.slice(0, left);
    left -= shown.length;
    return { ...section, rows: shown };
  });
}

function cutStage(stage: Stage): Stage {
  if (stage.rows.length <= MOST_ROWS) return stage;
  const folds = stage.folds.filter(([start]) => start < MOST_ROWS)
    .map(([start, end, title, within]) => [start, Math.min(end, MOST_ROWS), title, within] as const);
  return { ...stage, rows: stage.rows.slice(0, MOST_ROWS), folds };
}

function cutTable(table: Table): Table {
  const most = Math.max(1, Math.floor(MOST_CELLS / Math.max(1, table.head.length)));
  return table.rows.length > most ? { ...table, rows: table.rows.slice(0, most) } : table;
}
