/** Where a card stands: above the line that it is about, else below; beside no edge of the window, and never over the line. */

export interface Anchor {
  readonly left: number;
  readonly top: number;
  readonly bottom: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** One of top and bottom is the distance from that edge of the window, the other null. */
export interface Placed {
  readonly left: number;
  readonly top: number | null;
  readonly bottom: number | null;
  readonly height: number;
}

export const MARGIN = 8;                           // to the edges of the window
export const GAP = 4;                              // to the line

export function place(anchor: Anchor, card: Size, window: Size): Placed {
  const above = anchor.top - GAP - MARGIN;
  const below = window.height - anchor.bottom - GAP - MARGIN;
  const over = card.height <= above || (card.height > below && above >= below);
  const left = Math.max(MARGIN, Math.min(anchor.left, window.width - MARGIN - card.width));
  return { left, top: over ? null : anchor.bottom + GAP, bottom: over ? window.height - anchor.top + GAP : null,
    height: Math.max(0, Math.floor(over ? above : below)) };
}
