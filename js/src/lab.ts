/** What JupyterLab and Notebook load when they start: an extension, in the form of a module federation's container. */
import type { Tracker, Whole, Widgets } from "./jupyter";
import { Cells } from "./cells";
import { Outputs } from "./outputs";

interface Version {
  readonly get: () => Promise<() => unknown>;
  readonly loaded?: unknown;
}

/** Modules of the page, by name and version. */
type Shared = Readonly<Record<string, Readonly<Record<string, Version>> | undefined>>;

const NAME = "tangent_nb";
const SCRIPT = document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : "";

let shared: Shared = {};

/** The page's own copy of a module: the one in use, else the newest. */
async function imported(name: string): Promise<unknown> {
  const versions = Object.entries(shared[name] ?? {}).sort(([a], [b]) => a.localeCompare(b, "en", { numeric: true }));
  const [, found] = versions.find(([, one]) => one.loaded !== undefined && one.loaded !== 0) ?? versions.pop() ?? [];
  if (found === undefined) throw new Error(`${NAME}: there is no ${name} here`);
  return (await found.get())();
}

async function extension(): Promise<() => unknown> {
  const { INotebookTracker } = await imported("@jupyterlab/notebook") as { readonly INotebookTracker: unknown };
  const widgets = await imported("@lumino/widgets") as Widgets;
  const plugin = {
    id: `${NAME}:output`,
    description: "Shows derivatives where their widget is not.",
    autoStart: true,
    requires: [INotebookTracker],
    activate: (_: unknown, tracker: Tracker): void => {
      style();
      const cells = new Cells();
      const add = (panel: Whole): void => {
        new Outputs(widgets, panel).register();
        cells.listen(panel);
      };
      tracker.forEach(add);
      tracker.widgetAdded.connect((_, panel) => { add(panel); });
    },
  };
  return () => ({ __esModule: true, default: plugin });
}

/** The style lies beside this file. */
function style(): void {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = new URL("widget.css", SCRIPT).href;
  document.head.append(link);
}

const place = window as unknown as { _JUPYTERLAB?: Record<string, unknown> };
place._JUPYTERLAB ??= {};
place._JUPYTERLAB[NAME] = {
  init: (scope: Shared): void => { shared = scope; },
  get: (module: string): Promise<() => unknown> =>
    module === "./extension" ? extension() : Promise.reject(new Error(`${NAME} has no ${module}`)),
};
