/** A state as it is stored with an output (tangent_nb/notebook/wire.py): deflated, so that a notebook stays small. */
import { Unzlib } from "fflate";

const MOST = 20_000_000;                           // bytes that are made of it
const AT_ONCE = 1_024;                             // bytes that are read before the next look at how many were made

/** What is stored, as it was sent; what is not deflated is left as it is, and undefined stands for what cannot be read. */
export function inflated(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("deflated" in value)) return value;
  const { deflated } = value as { readonly deflated: unknown };
  if (typeof deflated !== "string") return undefined;
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(joined(bytesOf(deflated)))) as unknown;
  } catch {
    return undefined;
  }
}

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

function joined(deflated: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  let size = 0;
  const reader = new Unzlib((part) => {
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
