/** What the widget needs of the editor, which is a bundle of its own (editor.ts) and comes when it is first asked for. */

/** Something that is said below a line. line: from 1; column, end: in the line, in units of UTF-16, the end exclusive. */
export interface Fault {
  readonly line: number;
  readonly column: number;
  readonly end: number;
  readonly text: string;
}

/** What is drawn beside and below the lines, by their numbers from 1. groups: the colour of a line; hot: what is lit. */
export interface Marks {
  readonly faults: readonly Fault[];
  readonly groups: ReadonlyMap<number, number>;
  readonly hot: ReadonlySet<number>;
}

export interface Writing {
  readonly parent: HTMLElement;
  readonly text: string;
  /** The number of the first line. */
  readonly first: number;
  readonly label: string;
  /** Names that Python has. */
  readonly builtins: ReadonlySet<string>;
  readonly changed: () => void;
  /** The line with the cursor, or the one that is pointed at; null: none. */
  readonly line: (line: number | null) => void;
  readonly apply: () => void;
  readonly leave: () => void;
}

export interface Written {
  text(): string;
  mark(marks: Marks): void;
  wrap(on: boolean): void;
  /** first: the line from 1 that the cursor is put on. */
  focus(first?: number): void;
  destroy(): void;
}

export type Write = (writing: Writing) => Written;
