import { afterEach, expect, test } from "vitest";

import type { Box, MimeModel, Renderer, Widget } from "../src/jupyter";
import { NEEDS_KERNEL, Outputs, STORED, WIDGET } from "../src/outputs";
import { button, click, lists, settled, state, texts } from "./help";

afterEach(() => { document.body.replaceChildren(); });

class FakeWidget implements Widget {
  readonly node: HTMLElement;
  isDisposed = false;

  constructor({ node }: { readonly node: HTMLElement } = { node: document.createElement("div") }) {
    this.node = node;
  }

  addClass(name: string): void { this.node.classList.add(name); }
  show(): void { this.node.hidden = false; }
  hide(): void { this.node.hidden = true; }
  dispose(): void {
    this.isDisposed = true;
    this.node.remove();
  }
}

class FakePanel extends FakeWidget implements Box {
  private readonly slots: (() => void)[] = [];
  readonly disposed = { connect: (slot: (sender: unknown, value: unknown) => void): void => { this.slots.push(() => { slot(this, null); }); } };

  addWidget(widget: Widget): void { this.node.append(widget.node); }
  override dispose(): void {
    super.dispose();
    for (const slot of this.slots) slot();
  }
}

class FakeRenderer extends FakePanel implements Renderer {
  renderModel(): Promise<void> {
    this.node.append("Loading widget…");
    return Promise.resolve();
  }
}

interface Opened {
  readonly output: Renderer;
  readonly safe: boolean;
  readonly rank: number;
  readonly asked: FakeRenderer[];
}

function notebook(types: readonly string[] = [STORED, WIDGET]): Opened {
  const asked: FakeRenderer[] = [];
  const found: { create: () => Renderer; safe: boolean; rank: number }[] = [];
  const rendermime = {
    mimeTypes: types,
    addFactory: (factory: { readonly safe: boolean; readonly createRenderer: () => Renderer }, rank: number): void => {
      found.push({ create: factory.createRenderer, safe: factory.safe, rank });
    },
    createRenderer: (): Renderer => {
      const made = new FakeRenderer();
      asked.push(made);
      return made;
    },
  };
  new Outputs({ Widget: FakeWidget, Panel: FakePanel },
    { content: { rendermime }, context: { sessionContext: { ready: Promise.resolve() } } }).register();
  const [{ create, safe, rank } = { create: (): Renderer => new FakeRenderer(), safe: false, rank: 0 }] = found;
  const output = create();
  document.body.append(output.node);
  return { output, safe, rank, asked };
}

function saved(trusted: boolean, data: Readonly<Record<string, unknown>> = { [WIDGET]: { model_id: "1" } }): MimeModel {
  return { trusted, data: { ...data, [STORED]: state({ bound: "" }) } };
}

function drawn(opened: Opened): number {
  return opened.output.node.querySelectorAll(".tnb-widget").length;
}

test("comes before the widget, and is safe", () => {
  const { rank, safe } = notebook();
  expect([rank < -10, safe]).toEqual([true, true]);
});

test("what was stored is shown at once, and says what needs the kernel", async () => {
  const opened = notebook();
  await opened.output.renderModel(saved(true));
  expect(texts(lists(opened.output.node)[0]).length).toBeGreaterThan(2);
  click(button(opened.output.node, "raw"));
  expect(texts(lists(opened.output.node)[1])).toHaveLength(29);
  expect(button(opened.output.node, "forward").title).toBe(NEEDS_KERNEL);
});

test("an output that is not trusted never asks for the widget", async () => {
  const opened = notebook();
  await opened.output.renderModel(saved(false));
  await settled();
  expect([opened.asked.length, drawn(opened)]).toEqual([0, 1]);
});

test.each([[[STORED], { [WIDGET]: { model_id: "1" } }], [[STORED, WIDGET], {}]] as const)(
  "without a widget, or what draws one, the stored one stays: %#", async (types, data) => {
    const opened = notebook(types);
    await opened.output.renderModel(saved(true, data));
    await settled();
    expect([opened.asked.length, drawn(opened)]).toEqual([0, 1]);
  });

test("the widget takes its place while it lives", async () => {
  const opened = notebook();
  await opened.output.renderModel(saved(true));
  await settled();
  const [live] = opened.asked;
  expect([live!.node.hidden, drawn(opened)]).toEqual([true, 1]);
  const widget = document.createElement("div");
  widget.className = "tnb-widget";
  live!.node.replaceChildren(widget);
  await settled();
  expect([live!.node.hidden, drawn(opened)]).toEqual([false, 1]);
  live!.node.replaceChildren("Error displaying widget");
  await settled();
  expect([live!.node.hidden, drawn(opened)]).toEqual([true, 1]);
});

test("a second state takes the place of the first, and nothing is left in the end", async () => {
  const opened = notebook();
  await opened.output.renderModel(saved(true));
  await settled();
  await opened.output.renderModel(saved(true));
  await settled();
  expect([drawn(opened), opened.asked.map((one) => one.isDisposed)]).toEqual([1, [true, false]]);
  opened.output.dispose();
  expect([drawn(opened), opened.asked.map((one) => one.isDisposed)]).toEqual([0, [true, true]]);
});

test("what was stored badly is said", async () => {
  const opened = notebook();
  await opened.output.renderModel({ trusted: false, data: { [STORED]: { version: 1, lines: "<img onerror=alert(1)>" } } });
  expect(opened.output.node.textContent).toContain("cannot be shown");
  expect(opened.output.node.querySelector("img")).toBeNull();
});
