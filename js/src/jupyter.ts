/** What is used of JupyterLab and of its widgets. */

export interface Widget {
  readonly node: HTMLElement;
  readonly isDisposed: boolean;
  addClass(name: string): void;
  show(): void;
  hide(): void;
  dispose(): void;
}

export interface MimeModel {
  readonly trusted: boolean;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface Renderer extends Widget {
  renderModel(model: MimeModel): Promise<void>;
}

/** A widget that holds others. */
export interface Box extends Widget {
  readonly disposed: Signal<unknown>;
  addWidget(widget: Widget): void;
}

/** The module `@lumino/widgets`. */
export interface Widgets {
  readonly Widget: new (options: { readonly node: HTMLElement }) => Widget;
  readonly Panel: new () => Box;
}

export interface Signal<T> {
  connect(slot: (sender: unknown, value: T) => void): unknown;
}

export interface Registry {
  readonly mimeTypes: readonly string[];
  addFactory(factory: {
    readonly safe: boolean;
    readonly mimeTypes: readonly string[];
    readonly createRenderer: () => Renderer;
  }, rank: number): void;
  createRenderer(type: string): Renderer;
}

/** A cell, with the text that all who edit the notebook share. */
export interface Cell {
  readonly model: { readonly id: string; readonly sharedModel: { getSource(): string; setSource(text: string): void } };
}

/** A notebook's panel. */
export interface Panel {
  readonly content: { readonly rendermime: Registry };
  readonly context: { readonly sessionContext: { readonly ready: Promise<void> } };
}

/** The same with its cells. */
export interface Whole extends Panel {
  readonly node: HTMLElement;
  readonly content: { readonly rendermime: Registry; readonly widgets: readonly Cell[] };
}

export interface Tracker {
  readonly widgetAdded: Signal<Whole>;
  forEach(call: (panel: Whole) => void): void;
}
