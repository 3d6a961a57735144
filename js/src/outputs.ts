/** Outputs of a notebook that hold a derivative: the widget where it lives, else the state that was stored with the output. */
import type { Box, MimeModel, Panel, Renderer, Widgets } from "./jupyter";
import { OfflineHost } from "./offline";
import { QuizView, stillQuiz } from "./quiz";
import { isQuiz } from "./quiz_state";
import { inflated } from "./stored";
import { View } from "./view";

export const STORED = "application/vnd.tangent_nb+json";
export const WIDGET = "application/vnd.jupyter.widget-view+json";
export const NEEDS_KERNEL = "run the cell again to change it";

const RANK = -20;                                  // before the widget's own, which is -10
const ALIVE = ".tnb-widget";

export class Outputs {
  constructor(private readonly widgets: Widgets, private readonly panel: Panel) {}

  /** Safe: what is stored is data, checked and drawn as text; a widget is shown in trusted notebooks alone. */
  register(): void {
    this.panel.content.rendermime.addFactory({ safe: true, mimeTypes: [STORED], createRenderer: () => this.renderer() }, RANK);
  }

  private renderer(): Renderer {
    const box = new this.widgets.Panel();
    let shown: Shown | null = null;
    box.disposed.connect(() => { shown?.dispose(); });
    return Object.assign(box, {
      renderModel: (model: MimeModel): Promise<void> => {
        shown?.dispose();
        shown = new Shown(this.widgets, this.panel, box, model);
        return Promise.resolve();
      },
    });
  }
}

class Shown {
  private readonly still: InstanceType<Widgets["Widget"]>;
  private view: { dispose(): void } | null = null;
  private live: Renderer | null = null;
  private readonly watch = new MutationObserver(() => { this.choose(); });

  constructor(widgets: Widgets, private readonly panel: Panel, private readonly box: Box, private readonly model: MimeModel) {
    this.still = new widgets.Widget({ node: document.createElement("div") });
    this.box.addWidget(this.still);
    this.choose();
    if (model.trusted && WIDGET in model.data) void panel.context.sessionContext.ready.then(() => { this.ask(); }, () => undefined);
  }

  dispose(): void {
    this.watch.disconnect();
    this.view?.dispose();
    this.live?.dispose();
    this.still.dispose();
  }

  /** Let the notebook's widget manager draw the widget, out of sight until it has. */
  private ask(): void {
    const { rendermime } = this.panel.content;
    if (this.still.isDisposed || !rendermime.mimeTypes.includes(WIDGET)) return;
    this.live = rendermime.createRenderer(WIDGET);
    this.live.hide();
    this.box.addWidget(this.live);
    this.watch.observe(this.live.node, { childList: true, subtree: true });
    void this.live.renderModel(this.model).then(() => { this.choose(); }, () => undefined);
  }

  private choose(): void {
    if (this.live !== null && this.live.node.querySelector(ALIVE) !== null) {
      this.view?.dispose();
      this.view = null;
      this.live.show();
      return;
    }
    this.live?.hide();
    const state = inflated(this.model.data[STORED]);
    this.view ??= isQuiz(state) ? new QuizView(this.still.node, stillQuiz(state))
      : new View(this.still.node, new OfflineHost({ state }, NEEDS_KERNEL));
  }
}
