/** What anywidget loads for a quiz. */
import type { Model } from "./kernel";
import { KernelHost } from "./kernel";
import { QuizView } from "./quiz";

function render({ model, el }: { readonly model: Model; readonly el: HTMLElement }): () => void {
  const host = new KernelHost(model, el);
  const view = new QuizView(el, host);
  return () => {
    view.dispose();
    host.dispose();
  };
}

export default { render };
