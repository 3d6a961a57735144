/** Text in which nothing acts: controls, marks of direction and lone surrogates become escapes, as `visible` of
 * tangent_nb/notebook/tokens.py writes them. The kernel has done so; this holds whoever wrote the state. */

const PLAIN = /^[\x20-\x7e]*$/;
const ACTING = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r" };
const TAB = 8;

export function visible(text: string): string {
  return PLAIN.test(text) ? text : expanded(text).replace(ACTING, escaped);
}

/** Text of several lines, each one made visible. */
export function visibleLines(text: string): string {
  return text.split(/\r\n|\r|\n/).map(visible).join("\n");
}

function expanded(text: string): string {
  if (!text.includes("\t")) return text;
  let column = 0;
  let result = "";
  for (const character of text) {
    const shown = character === "\t" ? " ".repeat(TAB - column % TAB) : character;
    column = character === "\n" || character === "\r" ? 0 : column + shown.length;
    result += shown;
  }
  return result;
}

function escaped(character: string): string {
  const short = SHORT[character];
  if (short !== undefined) return short;
  const code = character.codePointAt(0) ?? 0;
  const [mark, digits] = code < 0x100 ? ["x", 2] as const : code < 0x10000 ? ["u", 4] as const : ["U", 8] as const;
  return `\\${mark}${code.toString(16).padStart(digits, "0")}`;
}
