/** A card as elements: of a name, of an expression, or of a line. */
import type { CardData, NameFacts, UsedRule, Valued } from "./cards";
import { Control } from "./controls";
import { element } from "./dom";
import { fine } from "./heat";
import { formula } from "./math";

export const UNKNOWN = "not known before a call";
const MOST_NAMES = 6;                              // in the card of a line

/** What a card is about: name, or expression (in the user's text), or the line. */
export interface About {
  readonly name: string;
  readonly expression: readonly number[] | null;
}

/** run: what the button does that asks for the values of a run; null where there is none to press. The content; empty where there is
 * nothing to say. */
export function content(card: CardData, about: About, run: (() => void) | null): readonly HTMLElement[] {
  const name = card.names.find((one) => one.name === about.name);
  const rules = about.expression === null ? [] : card.rules.filter((rule) => same(rule.at, about.expression ?? []));
  const saved = card.saved === "" ? [] : [element("p", "why", `${capital(card.saved)}.`)];
  const asked = run === null || card.offer === "" || card.names.length === 0 ? [] : [offered(card.offer, run)];
  const note = card.note === "" ? [] : [element("p", "label", card.note)];
  if (name !== undefined) return [...ofName(name, card.offer !== ""), ...saved, ...asked, ...note];
  if (rules.length > 0) return [...rules.flatMap((rule) => ofRule(rule)), ...saved];
  return about.expression !== null ? saved : ofLine(card, saved, asked);
}

function ofLine(card: CardData, saved: readonly HTMLElement[], asked: readonly HTMLElement[]): readonly HTMLElement[] {
  const names = card.names.slice(0, MOST_NAMES);
  const body = [...saved, ...card.rules.flatMap((rule) => ofRule(rule)),
    ...card.helpers.map(([name, says]) => element("p", "fact-line", element("b", "code", name), ` ${says}`)),
    ...names.length > 0 ? [element("div", "facts-of", ...spaced(...names.flatMap(brief)))] : [], ...asked];
  if (body.length === 0) return [];
  const from = card.from === "" ? [] : [element("span", "label", "from ", element("span", "code", card.from))];
  return [element("p", "cardhead", ...spaced(element("b", [], card.head), ...from)), ...body,
    ...card.note === "" ? [] : [element("p", "label", card.note)]];
}

function ofName({ name, says, kind, activity, value, partner, cotangent }: NameFacts, offered: boolean): readonly HTMLElement[] {
  const unknown = kind === "" && value === null && !offered;
  const head = element("p", "cardhead", ...spaced(element("b", "code", name), ...says === "" ? [] : [element("span", "label", says)],
    unknown ? element("span", "label", UNKNOWN) : element("span", ["code", "label"], kind)));
  const values = [...value === null ? [] : drawn(cotangent === null ? "" : name, value), ...cotangent === null ? [] : drawn(partner, cotangent)];
  return [head, ...values.length > 0 ? [element("div", "facts-of", ...spaced(...values))] : [],
    ...activity === "" ? [] : [element("p", "fact-line", capital(activity), ".")]];
}

/** A value with its picture: two cells of the grid. */
function drawn(name: string, { text, shape, cells, at }: Valued): readonly HTMLElement[] {
  const picture = cells.length > 1 ? [fine([text, shape, cells])] : [];
  const words = element("span", "valuetext", ...spaced(element("span", "code", text), ...at === "" ? [] : [element("span", "label", at)]));
  return [element("span", ["code", "partner"], name), element("span", "valued", ...picture, words)];
}

function brief({ name, kind, value, says, activity }: NameFacts): readonly HTMLElement[] {
  const what = value?.text ?? (kind || says || activity || UNKNOWN);
  return [element("span", ["code", "partner"], name), element("span", "code", what)];
}

function ofRule({ code, name, formulas, where, note }: UsedRule): readonly HTMLElement[] {
  const lines = formulas.map((one) => element("div", "formula", formula(one)));
  const names = where.flatMap(([one, text], at) => [at > 0 ? ", " : "where ", element("span", "code", one), " is ", element("span", "code", text)]);
  const rest = [...names, ...note === "" ? [] : [names.length > 0 ? "; " : "", note]];
  return [element("p", "cardhead", ...spaced(element("b", "code", code), element("span", "label", "rule of ", element("span", "code", name)))),
    ...lines.length > 0 ? [element("div", "formulas", ...lines)] : [], ...rest.length > 0 ? [element("p", "label", ...rest)] : []];
}

/** With blanks between, for those who hear it: no box is drawn for them. */
function spaced(...parts: readonly HTMLElement[]): readonly (HTMLElement | string)[] {
  return parts.flatMap((part, at) => at > 0 ? [" ", part] : [part]);
}

function offered(offer: string, run: () => void): HTMLElement {
  const button = new Control("button", "run for the values", () => undefined, run);
  button.draw({ reason: "" });
  return element("p", "fact-line", button.element, element("span", "label", ` ${offer}`));
}

function same(one: readonly number[], other: readonly number[]): boolean {
  return one.length > 0 && one.length === other.length && one.every((number, at) => number === other[at]);
}

function capital(text: string): string {
  return /^[a-z]+ /.test(text) && !/^\w+ is kept/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}
