/** The options that are on, and what they would be after a toggle. */
import type { Backend, Mode, State } from "./state";

export interface Choice {
  readonly wrt: readonly string[];
  readonly mode: Mode;
  readonly backend: Backend;
  readonly passes: readonly string[];
  /** As `--tape` has it, "" for the exact one. */
  readonly tape: string;
}

type Switched = readonly { readonly name: string; readonly on: boolean }[];

export function chosen({ options, samples }: State): Choice {
  return { wrt: on(options.wrt), mode: options.mode, backend: options.backend, passes: on(options.passes), tape: samples.tape };
}

/** One name more or less, in the order of the options. */
export function toggled(all: Switched, now: readonly string[], name: string): readonly string[] {
  return all.map((one) => one.name).filter((one) => (one === name) !== now.includes(one));
}

/** The key of a variant in an exported page (tangent_nb/notebook/state.py). */
export function key({ mode, backend, passes, wrt, tape }: Choice): string {
  return JSON.stringify([mode, backend, passes, wrt, tape]);
}

function on(all: Switched): readonly string[] {
  return all.filter((one) => one.on).map((one) => one.name);
}
