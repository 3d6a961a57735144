/** What was edited in a widget and applied is written into its cell: the kernel has run that text. */
import type { Whole } from "./jupyter";

export const CHANGE = "tangent_nb:cell";

export class Cells {
  /** Only the cell that the widget is an output of, and only if its text is still what was edited. */
  listen(panel: Whole): void {
    panel.node.addEventListener(CHANGE, (event) => {
      const change = read(event);
      if (change === null) return;
      const cell = panel.content.widgets.find(({ model }) => model.id === change.cell);
      if (cell?.model.sharedModel.getSource().trimEnd() !== change.before.trimEnd()) return;
      cell.model.sharedModel.setSource(change.after);
      event.preventDefault();
    });
  }
}

interface Change {
  readonly cell: string;
  readonly before: string;
  readonly after: string;
}

function read(event: Event): Change | null {
  const detail: unknown = event instanceof CustomEvent ? event.detail : null;
  if (typeof detail !== "object" || detail === null) return null;
  const { cell, before, after } = detail as Readonly<Record<string, unknown>>;
  return typeof cell === "string" && typeof before === "string" && typeof after === "string" ? { cell, before, after } : null;
}
