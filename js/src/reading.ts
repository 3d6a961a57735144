/** What the kernel sends, read. */
import type { State } from "./state";
import { limited } from "./limits";
import { unpack } from "./unpack";
import { validate } from "./validate";

/** state: as the kernel sent it; shown: as it is drawn; notes: what is left out there. */
export interface Read {
  readonly state: State;
  readonly shown: State;
  readonly notes: readonly string[];
}

/** A state, or why it cannot be shown. */
export function readState(raw: unknown): Read | string {
  const read = validate(unpack(raw));
  if ("malformed" in read) return read.malformed;
  const { state: shown, notes } = limited(read.state);
  return { state: read.state, shown, notes };
}

function equal(one: unknown, two: unknown): boolean {
  if (one === two) return true;
  if (typeof one !== "object" || typeof two !== "object" || one === null || two === null) return false;
  if (Array.isArray(one)) {
    const [these, those] = [one as readonly unknown[], two as readonly unknown[]];
    if (!Array.isArray(two) || these.length !== those.length) return false;
    for (let at = 0; at < these.length; at++) if (!equal(these[at], those[at])) return false;
    return true;
  }
  const names = Object.keys(one);
  return !Array.isArray(two) && names.length === Object.keys(two).length && names.every((name) => Object.prototype.hasOwnProperty.call(two, name)
    && equal((one as Readonly<Record<string, unknown>>)[name], (two as Readonly<Record<string, unknown>>)[name]));
}

/** The panes show the same. */
export function alike(one: State, two: State): boolean {
  return (["name", "options", "lines", "primal", "stages", "guilty", "spans", "parts", "partners", "samples"] as const)
    .every((name) => equal(one[name], two[name]));
}
