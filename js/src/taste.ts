/** How a reader likes the panes: kept in the browser, where it lets us, and the same for all views. */

export interface Taste {
  readonly wrap: boolean;
  /** The part of the width, in percent, that the source has. */
  readonly split: number;
}

export const LEAST = 20;
export const MOST = 80;
export const USUAL: Taste = { wrap: true, split: 44 };

const KEY = "tangent_nb:taste";

export function taste(): Taste {
  try {
    const { wrap, split } = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Readonly<Record<string, unknown>>;
    return { wrap: typeof wrap === "boolean" ? wrap : USUAL.wrap,
      split: typeof split === "number" && split >= LEAST && split <= MOST ? split : USUAL.split };
  } catch {
    return USUAL;                                  // no storage here, or something else in it
  }
}

export function keep(taste: Taste): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(taste));
  } catch {
    // it holds for this view alone
  }
}
