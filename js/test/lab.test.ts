import { expect, test } from "vitest";

import type { Panel } from "../src/jupyter";

interface Container {
  init(scope: unknown): void;
  get(module: string): Promise<() => { readonly __esModule: boolean; readonly default: Plugin }>;
}

interface Plugin {
  readonly id: string;
  readonly requires: readonly unknown[];
  activate(app: unknown, tracker: unknown): void;
}

test("the extension is a container that takes the page's own modules", async () => {
  const script = document.createElement("script");
  script.src = "http://127.0.0.1/lab/extensions/tangent_nb/static/lab.js";
  Object.defineProperty(document, "currentScript", { value: script, configurable: true });
  await import("../src/lab");
  const { tangent_nb: container } = (window as unknown as { readonly _JUPYTERLAB: { readonly tangent_nb: Container } })._JUPYTERLAB;
  const token = {};
  const module = (value: unknown, loaded?: number): unknown => ({ get: () => Promise.resolve(() => value), loaded });
  container.init({
    "@jupyterlab/notebook": { "4.10.0": module({ INotebookTracker: token }), "4.9.0": module({ INotebookTracker: null }) },
    "@lumino/widgets": { "2.0.0": module({}, 1), "3.0.0": module({}) },
  });
  const { __esModule, default: plugin } = (await container.get("./extension"))();
  expect([__esModule, plugin.id, plugin.requires[0] === token]).toEqual([true, "tangent_nb:output", true]);
  const added: unknown[] = [];
  const panel = { node: document.createElement("div"), content: { widgets: [], rendermime: { mimeTypes: [],
    addFactory: (one: unknown) => added.push(one) } } } as unknown as Panel;
  plugin.activate(null, { forEach: (call: (one: Panel) => void) => { call(panel); },
    widgetAdded: { connect: (slot: (sender: unknown, one: Panel) => void) => { slot(null, panel); } } });
  expect(added).toHaveLength(2);
  expect(document.querySelector("link")?.href).toBe("http://127.0.0.1/lab/extensions/tangent_nb/static/widget.css");
  await expect(container.get("./other")).rejects.toThrow("./other");
});
