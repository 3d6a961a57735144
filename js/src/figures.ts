/** Drawings of how far gradients are spread: a bar, the draws of one parameter, the curve over the fractions. */
import { set } from "./dom";
import type { Parameter, Point } from "./spread";
import { percent, plusMinus, whole } from "./spread";
import { shape } from "./svg";
import { bytes } from "./units";

const [BAR, HIGH] = [70, 14];
const [STRIP, TALL] = [180, 26];
const [WIDE, DEEP] = [340, 196];
const [LEFT, RIGHT, TOP, BOTTOM] = [48, 46, 26, 36];
const FRACTIONS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1];
const NEAR = 38;                                   // pixels between two labels

type Fixed = Point & { readonly fraction: number };

function drawing(width: number, height: number, label: string, ...content: readonly SVGElement[]): SVGSVGElement {
  const made = set(shape("svg", "figure", { viewBox: `0 0 ${width} ${height}`, width, height }, ...content), label === "" ? { "aria-hidden": true } : { role: "img", "aria-label": label });
  return made;
}

function disc(x: number, y: number, r: number): string {
  return `M${(x - r).toFixed(1)} ${y.toFixed(1)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
}

/** share: of the largest. */
export function bar(share: number): SVGSVGElement {
  return drawing(BAR, HIGH, "", shape("rect", "track", { x: 0, y: 2, width: BAR, height: HIGH - 4, rx: 2 }),
    shape("rect", "filling", { x: 0, y: 2, width: Math.max(share > 0 ? 2 : 0, BAR * Math.min(1, share)), height: HIGH - 4, rx: 2 }));
}

/** How far from 1 the draws of some parameters are. */
export function reach(parameters: readonly Parameter[]): number {
  const far = parameters.flatMap(([, , , , , mean, error, along]) => [...along, ...mean === null ? [] : [mean - (error ?? 0), mean + (error ?? 0)]])
    .map((one) => Math.abs(one - 1));
  return Math.max(0.02, ...far) * 1.08;
}

/** The exact gradient as a line, the draws along it as dots, their mean with its standard error. */
export function strip([name, , , , , mean, error, along]: Parameter, far: number): SVGSVGElement {
  const at = (one: number): number => 6 + (STRIP - 12) * (0.5 + (one - 1) / (2 * far));
  const middle = TALL / 2;
  // The same height for the same draw: a pattern that does not repeat itself.
  const dots = along.map((one, i) => disc(at(one), middle + (TALL / 2 - 4) * (2 * (((i + 1) * 0.618034) % 1) - 1), 1.7)).join("");
  const parts: SVGElement[] = [shape("path", "axis", { d: `M6 ${middle}H${STRIP - 6}` }), shape("path", "dots", { d: dots }),
    shape("path", "exact", { d: `M${at(1)} 1V${TALL - 1}` })];
  if (mean !== null) {
    const [x, from, to] = [at(mean), at(mean - (error ?? 0)), at(mean + (error ?? 0))];
    parts.push(shape("path", "whisker", { d: `M${from} ${middle}H${to}M${from} ${middle - 4}v8M${to} ${middle - 4}v8` }),
      shape("path", "mean", { d: `M${x} ${middle - 5}l4 5l-4 5l-4 -5z` }));
  }
  return drawing(STRIP, TALL, `${name}: draws along the exact gradient, which is 1; their mean is ${plusMinus(mean, error)}`, ...parts);
}

/** The spread over the fractions, both in powers: as one over the square root it is a straight line. */
export function curve(points: readonly Fixed[], now: string): SVGSVGElement {
  const found = points.flatMap((one) => {
    const spread = whole(one);
    return spread === null ? [] : [{ one, spread }];
  });
  const some = found.map(({ spread }) => spread).filter((one) => one > 0);
  const most = some.length === 0 ? 1 : Math.max(...some) * 1.4;
  const low = some.length === 0 ? 0.1 : Math.max(Math.min(...some) / 1.4, most / 1e4);
  const first = Math.min(0.01, ...points.map(({ fraction }) => fraction));
  const x = (fraction: number): number => LEFT + (WIDE - LEFT - RIGHT) * (1 - Math.log(fraction) / Math.log(first));
  const floor = DEEP - BOTTOM;
  const y = (spread: number): number => spread <= low ? floor : floor - (floor - TOP) * Math.log(spread / low) / Math.log(most / low);
  const marks = ticks(low, most);
  const parts: SVGElement[] = [];
  for (const tick of marks) {
    parts.push(shape("path", "grid", { d: `M${LEFT} ${y(tick)}H${WIDE - RIGHT}` }), shape("text", "axis", { x: LEFT - 6, y: y(tick) + 4, "text-anchor": "end" }, percent(tick)));
  }
  for (const tick of FRACTIONS) {
    parts.push(shape("path", "grid", { d: `M${x(tick)} ${floor}v4` }), shape("text", "axis", { x: x(tick), y: floor + 16, "text-anchor": "middle" }, String(tick)));
  }
  parts.push(shape("path", "axis", { d: `M${LEFT} ${TOP}V${floor}H${WIDE - RIGHT}` }),
    shape("text", "axis", { x: (LEFT + WIDE - RIGHT) / 2, y: DEEP - 4, "text-anchor": "middle" }, "fraction that is kept"),
    shape("text", "axis", { x: 4, y: 11 }, "standard deviation, of the gradient's length"));
  parts.push(shape("path", "curve", { d: found.map(({ one, spread }, at) => `${at === 0 ? "M" : "L"}${x(one.fraction)} ${y(spread)}`).join("") || "M0 0" }));
  const labelled: number[] = [];
  for (const { one, spread } of [...found].sort((a, b) => Number(b.one.tape === now) - Number(a.one.tape === now))) {
    const here = one.tape === now;
    const [px, py] = [x(one.fraction), y(spread)];
    parts.push(shape("path", here ? ["point", "here"] : "point", { d: disc(px, py, here ? 5 : 3.5) },
      shape("title", [], {}, `${one.fraction}: ${percent(spread)}${one.bytes === null ? "" : `, ${bytes(one.bytes)}`}`)));
    if (labelled.some((other) => Math.abs(px - other) < (here ? 0 : NEAR))) continue;
    labelled.push(px);
    // Above and to the right no line is, as the curve falls.
    parts.push(shape("text", here ? ["label", "here"] : "label", { x: px + 4, y: py - (here ? 9 : 7) }, here || one.bytes === null ? percent(spread) : bytes(one.bytes)));
  }
  const says = found.map(({ one, spread }) => `${one.fraction}: ${percent(spread)}`).join(", ");
  return drawing(WIDE, DEEP, `spread of the gradient for each fraction: ${says === "" ? "nothing measured" : says}`, ...parts);
}

/** 1, 2 and 5 in each power of ten; of many the powers alone. */
export function ticks(low: number, high: number): readonly number[] {
  const found: number[] = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++) {
    for (const digit of [1, 2, 5]) found.push(Number(`${digit}e${power}`));
  }
  const inside = found.filter((one) => low <= one && one <= high);
  return inside.length > 6 ? inside.filter((one) => /^1|^0\.0*1$/.test(String(one))) : inside;
}
