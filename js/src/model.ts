/** What is to be drawn, and what a reader may do. */
import type { Choice } from "./choice";
import type { State } from "./state";
import { sameText } from "./state";

/** state: as it is drawn; choice: the options that are on, or asked for; locked: why the kernel cannot be asked now, ""
 * if it can; can: why a choice cannot be had, "" if it can. */
export interface Model {
  readonly state: State;
  readonly choice: Choice;
  readonly stage: number;
  readonly diff: boolean;
  readonly wrap: boolean;
  readonly offline: boolean;
  readonly locked: string;
  readonly can: (choice: Choice) => string;
}

export interface Actions {
  readonly derive: (choice: Choice) => void;
  /** The pointer is at what would derive this; null when it has left. */
  readonly near: (choice: Choice | null) => void;
  /** These lie open to be derived. */
  readonly offer: (choices: readonly Choice[]) => void;
  readonly use: () => void;
  readonly again: () => void;
  readonly save: () => void;
  readonly take: () => void;
  readonly copy: () => void;
  readonly stage: (at: number) => void;
  readonly diff: (on: boolean) => void;
  readonly wrap: (on: boolean) => void;
  readonly present: () => void;
  readonly tell: (text: string) => void;
}

/** Whether "use this" has something to do: nothing is bound, or the text that is shown is not the one that is. */
export function offersUse({ state, stage, offline }: Model): boolean {
  return !offline && (state.bound === "" || !sameText(state.stages[stage], state.stages[state.final]));
}
