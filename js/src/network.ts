/** The graph of a run as the kernel sends it (tangent_nb/notebook/graphs.py): where nodes and edges are, and what stands there. */
import { amount, between, count, flag, list, Malformed, oneOf, orNull, record, text, tuple } from "./shapes";

const FAR = 1_000_000;                             // pixels
const MOST = 400;                                  // nodes
const TINTS = 4;

export type Kind = "input" | "value" | "result";
export type Point = readonly [x: number, y: number];

/** how, what: the two lines; tint: of the call, -1 outside of all; said: all of it in words; keys: rows of the user's; opens: it is
 * a call that is folded; number: of the call that it is, or runs in. */
export type Node = readonly [x: number, y: number, width: number, how: string, what: string, kind: Kind, tint: number, call: string,
  said: string, keys: readonly number[], opens: boolean, number: number];
/** way: where it begins and ends, and between where it bends. */
export type Edge = readonly [source: number, target: number, way: readonly Point[], partial: string, said: string];

export interface Level {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly Node[];
  readonly edges: readonly Edge[];
}

/** opened: each operation; folded: each call as one; calls: how many there are, of which some may be folded. */
export interface Network {
  readonly title: string;
  readonly note: string;
  readonly opened: Level | null;
  readonly folded: Level | null;
  readonly calls: number;
}

const levelShape = record<Level>({
  width: amount,
  height: amount,
  nodes: list(tuple<Node>(amount, amount, amount, text, text, oneOf<Kind>("input", "value", "result"), between(-1, TINTS - 1), text, text, list(count), flag, between(-1, FAR))),
  edges: list(tuple<Edge>(count, count, list(tuple<Point>(amount, amount)), text, text)),
});
const networkShape = record<Network>({ title: text, note: text, opened: orNull(levelShape), folded: orNull(levelShape), calls: count });

/** keys: how many rows the user's text has. */
export function readNetwork(value: unknown, keys: number): Network {
  const read = networkShape(value);
  const levels = [read.opened, read.folded].filter((level) => level !== null);
  if (levels.length === 0 || !levels.every((level) => drawable(level, keys))) throw new Malformed("one that can be drawn");
  return read;
}

/** A level with some of the calls folded. */
export function readLevel(value: unknown, keys: number): Level {
  const read = levelShape(value);
  if (!drawable(read, keys)) throw new Malformed("one that can be drawn");
  return read;
}

function drawable({ width, height, nodes, edges }: Level, keys: number): boolean {
  const near = (...all: readonly number[]): boolean => all.every((one) => Math.abs(one) <= FAR);
  return near(width, height) && width > 0 && height > 0 && nodes.length > 0 && nodes.length <= MOST && edges.length <= MOST * MOST
    && nodes.every(([x, y, wide, , , , , , , own]) => near(x, y, wide) && own.every((key) => key < keys))
    && edges.every(([source, target, way]) => source < nodes.length && target < nodes.length && way.length >= 2 && way.length % 2 === 0
      && way.every((point) => near(...point)));
}

/** The way of an edge as a path, and where its figure stands: on its last stretch, which no other edge shares. */
export function curve(way: readonly Point[]): { readonly path: string; readonly at: Point } {
  let path = "";
  let at: Point = [0, 0];
  for (let place = 0; place + 1 < way.length; place += 2) {
    const [[a, b], [c, d]] = [way[place] ?? [0, 0], way[place + 1] ?? [0, 0]];
    const bend = (c - a) / 2.4;
    path += `${place === 0 ? "M" : "L"}${a} ${b} C${a + bend} ${b} ${c - bend} ${d} ${c} ${d} `;
    at = [a + (c - a) * 0.44, b + (d - b) * 0.4 + 4];
  }
  return { path: path.trimEnd(), at };
}

/** The node nearest in a direction, -1 where there is none. */
export function towards({ nodes }: Level, from: number, across: number, down: number): number {
  const [x, y] = nodes[from] ?? [0, 0];
  let [best, found] = [Infinity, -1];
  nodes.forEach(([a, b], at) => {
    const ahead = (a - x) * across + (b - y) * down;
    const aside = Math.abs((a - x) * down) + Math.abs((b - y) * across);
    if (at !== from && ahead > 1 && ahead + 3 * aside < best) [best, found] = [ahead + 3 * aside, at];
  });
  return found;
}
