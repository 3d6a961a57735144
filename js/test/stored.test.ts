/** What is stored with an output. */
import { zlibSync } from "fflate";
import { expect, test } from "vitest";
import { inflated } from "../src/stored";
import { state } from "./help";

function deflated(value: Uint8Array | string): { deflated: string } {
  const bytes = zlibSync(typeof value === "string" ? new TextEncoder().encode(value) : value);
  return { deflated: btoa([...bytes].map((one) => String.fromCharCode(one)).join("")) };
}

test("is the state again, with every character", () => {
  const wanted = state({ title: "∂f/∂x — 𝒙 <b>" });
  expect(inflated(deflated(JSON.stringify(wanted)))).toEqual(wanted);
});

// What wire.py makes of the state below.
const BY_STEPS = "c=`O6eq*afS+t0nLy*#!5j4sT;2zdRaIh{N{4jUYOeNI0XXGhugp`qvu5oN_Y%KsA0Vyc";

test("numbers that are stored by steps are whole again", () => {
  expect(inflated({ deflated: BY_STEPS, often: 1 })).toEqual({ version: 1,
    rows: [[0, -1, "→", [2], 4, 6, 7], [1, 0, "", []], [0, 0, "", []]],
    stages: [{ name: "𝒙", rows: [0, 1, 2] }, { name: "", rows: [2, 0] }] });
  for (const one of ["", "\"", BY_STEPS.slice(0, 40), `${BY_STEPS.slice(0, 20)}~~~~~`]) expect(inflated({ deflated: one, often: 1 })).toBeUndefined();
  expect(inflated({ deflated: BY_STEPS, often: 2 })).toBeUndefined();
});

test("what is not deflated stays as it is", () => {
  for (const one of [null, 3, "x", [1], { version: 1 }]) expect(inflated(one)).toBe(one);
});

test("what cannot be read is nothing", () => {
  const whole = deflated(JSON.stringify(state()));
  for (const one of [7, "", "no base64 <", btoa("no zlib"), whole.deflated.slice(0, 200)]) expect(inflated({ deflated: one })).toBeUndefined();
  expect(inflated(deflated("{"))).toBeUndefined();
  expect(inflated(deflated(new Uint8Array([0x22, 0xff, 0x22])))).toBeUndefined();
});

test("what would fill the memory is nothing", () => {
  const bomb = deflated(`"${" ".repeat(40_000_000)}"`);
  expect(bomb.deflated.length).toBeLessThan(80_000);
  expect(inflated(bomb)).toBeUndefined();
});
