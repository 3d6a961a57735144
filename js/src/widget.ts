/** What anywidget loads. */
import type { Model } from "./kernel";
import { KernelHost } from "./kernel";
import { View } from "./view";

function render({ model, el }: { readonly model: Model; readonly el: HTMLElement }): () => void {
  const host = new KernelHost(model, el);
  const view = new View(el, host);
  return () => {
    view.dispose();
    host.dispose();
  };
}

export default { render };
