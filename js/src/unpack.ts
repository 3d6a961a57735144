/** A state as it travels (tangent_nb/notebook/wire.py) in the form that `validate` reads; what is malformed is left for it to name. */

type Fields = Readonly<Record<string, unknown>>;

export function unpack(value: unknown): unknown {
  if (!isFields(value) || !Array.isArray(value.rows)) return value;
  const { rows, lines, stages, ...rest } = value;
  const read = (rows as readonly unknown[]).map(row);
  return {
    ...rest,
    lines: Array.isArray(lines) ? (lines as readonly unknown[]).map(tokens) : lines,
    stages: Array.isArray(stages) ? (stages as readonly unknown[]).map((one) => stage(one, read)) : stages,
  };
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `[line, group, arrow, from, ...terms]` → `[line, group, arrow, from, terms]` */
function row(value: unknown): unknown {
  return Array.isArray(value) ? [...(value as readonly unknown[]).slice(0, 4), (value as readonly unknown[]).slice(4)] : value;
}

function stage(value: unknown, rows: readonly unknown[]): unknown {
  if (!isFields(value) || !Array.isArray(value.rows)) return value;
  return { ...value, rows: (value.rows as readonly unknown[]).map((at) => typeof at === "number" ? rows[at] : undefined) };
}

/** `[text, start, length, class, …]` → tokens, those between the spans without a class */
function tokens(value: unknown): unknown {
  if (!Array.isArray(value) || typeof value[0] !== "string") return value;
  const [text, ...spans] = value as unknown as readonly [string, ...unknown[]];
  const found: [unknown, string][] = [];
  let end = 0;
  for (let at = 0; at < spans.length; at += 3) {
    const [start, length, cls] = spans.slice(at, at + 3);
    if (typeof start !== "number" || typeof length !== "number" || start < end) return undefined;
    if (start > end) found.push(["", text.slice(end, start)]);
    found.push([cls, text.slice(start, start + length)]);
    end = start + length;
  }
  if (end < text.length) found.push(["", text.slice(end)]);
  return found;
}
