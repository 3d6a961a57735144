/** A state as it is stored with an output (tangent_nb/notebook/wire.py): deflated, so that a notebook stays small. */
import { Unzlib } from "fflate";
import often from "../../tangent_nb/static/often.json";

const MOST = 20_000_000;                           // bytes that are made of it
const AT_ONCE = 1_024;                             // bytes that are read before the next look at how many were made

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";

type Row = readonly unknown[];

/** What is stored, as it was sent; what is not deflated is left as it is, and undefined stands for what cannot be read. */
export function inflated(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("deflated" in value)) return value;
  const { deflated, often: known } = value as { readonly deflated: unknown; readonly often?: unknown };
  if (typeof deflated !== "string") return undefined;
  try {
    const bytes = known === 1 ? joined(of85(deflated), new TextEncoder().encode(often)) : joined(of64(deflated));
    const read = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) as unknown;
    return known === 1 ? whole(read) : read;
  } catch {
    return undefined;
  }
}

function of64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

/** Of five digits to the base 85 four bytes; of fewer, one byte less than there are. */
function of85(text: string): Uint8Array {
  const found: number[] = [];
  for (let at = 0; at < text.length; at += 5) {
    const part = text.slice(at, at + 5);
    let number = 0;
    for (const one of part.padEnd(5, "~")) {
      if (!DIGITS.includes(one)) throw new RangeError("no digit");
      number = number * 85 + DIGITS.indexOf(one);
    }
    for (let byte = 0; byte < part.length - 1; byte++) found.push(Math.floor(number / 256 ** (3 - byte)) % 256);
  }
  return Uint8Array.from(found);
}

/** Numbers again, of what they are more than the one before (wire.py, `_by_steps`). What is malformed is left for `validate`. */
function whole(value: unknown): unknown {
  const { rows, stages, ...rest } = value as { readonly rows?: readonly Row[]; readonly stages?: readonly { readonly rows: readonly number[] }[] };
  if (rows === undefined || stages === undefined) return value;
  let line = -1;
  return { ...rest,
    rows: rows.map(([step, group, arrow, from, ...terms]) => [line += Number(step), group, arrow, from,
      ...terms.map((one, at) => at % 3 === 1 ? Number(one) + Number(terms[at - 1]) : one)]),
    stages: stages.map((stage) => {
      let row = -1;
      return { ...stage, rows: stage.rows.map((step) => row += step + 1) };
    }) };
}

function joined(deflated: Uint8Array, dictionary?: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  let size = 0;
  const reader = new Unzlib(dictionary === undefined ? {} : { dictionary }, (part) => {
    size += part.length;
    if (size > MOST) throw new Error("more than any state");
    parts.push(part);
  });
  for (let at = 0; at < deflated.length; at += AT_ONCE) reader.push(deflated.subarray(at, at + AT_ONCE), at + AT_ONCE >= deflated.length);
  const whole = new Uint8Array(size);
  let end = 0;
  for (const part of parts) {
    whole.set(part, end);
    end += part.length;
  }
  return whole;
}
