/** Readers of unknown values: each gives back a value of its type, made afresh, or throws `Malformed`. */

export type Read<T> = (value: unknown) => T;

/** Where a value is not what it must be. The path is put together on the way up, so that reading costs nothing for it. */
export class Malformed extends Error {
  private path = "";

  constructor(private readonly wanted: string) {
    super(`state is not ${wanted}`);
  }

  under(step: string): this {
    this.path = step + this.path;
    this.message = `state${this.path} is not ${this.wanted}`;
    return this;
  }
}

function at<T>(step: () => string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof Malformed ? error.under(step()) : error;
  }
}

function checked<T>(wanted: string, holds: (value: unknown) => value is T): Read<T> {
  return (value) => {
    if (!holds(value)) throw new Malformed(wanted);
    return value;
  };
}

export const text = checked("a text", (value): value is string => typeof value === "string");
export const flag = checked("true or false", (value): value is boolean => typeof value === "boolean");
export const count = checked("a number from 0 on", (value): value is number => Number.isSafeInteger(value) && (value as number) >= 0);
export const amount = checked("a number", (value): value is number => typeof value === "number" && Number.isFinite(value));

export function between(low: number, high: number): Read<number> {
  return checked(`a number from ${low} to ${high}`, (value): value is number =>
    Number.isInteger(value) && (value as number) >= low && (value as number) <= high);
}

export function oneOf<T extends string | number>(...allowed: readonly T[]): Read<T> {
  return checked(`one of ${allowed.map((one) => JSON.stringify(one)).join(", ")}`, (value): value is T =>
    (allowed as readonly unknown[]).includes(value));
}

export function orNull<T>(read: Read<T>): Read<T | null> {
  return (value) => value === null ? null : read(value);
}

export function list<T>(read: Read<T>): Read<readonly T[]> {
  return (value) => {
    if (!Array.isArray(value)) throw new Malformed("a list");
    const result: T[] = [];
    return at(() => `[${result.length}]`, () => {
      for (const one of value as readonly unknown[]) result.push(read(one));
      return result;
    });
  };
}

export function tuple<T extends readonly unknown[]>(...items: { readonly [K in keyof T]: Read<T[K]> }): Read<T> {
  return (value) => {
    if (!Array.isArray(value) || value.length !== items.length) throw new Malformed(`a list of ${items.length}`);
    const result: unknown[] = [];
    return at(() => `[${result.length}]`, () => {
      for (const read of items) result.push(read(value[result.length]));
      return result as unknown as T;
    });
  };
}

export function record<T extends object>(fields: { readonly [K in keyof T]: Read<T[K]> }): Read<T> {
  const readers = Object.entries<Read<unknown>>(fields);
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Malformed("an object");
    const result: Record<string, unknown> = {};
    let field = "";
    return at(() => `.${field}`, () => {
      for (const [name, read] of readers) {
        field = name;
        result[name] = read(Object.prototype.hasOwnProperty.call(value, name) ? (value as Record<string, unknown>)[name] : undefined);
      }
      return result as T;
    });
  };
}
