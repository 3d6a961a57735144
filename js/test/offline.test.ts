import { afterEach, describe, expect, test } from "vitest";

import { chosen, key } from "../src/choice";
import { NEEDS_NOTEBOOK, OfflineHost } from "../src/offline";
import type { State } from "../src/state";
import { View } from "../src/view";
import { button, click, lists, settled, state, texts } from "./help";

afterEach(() => { document.body.replaceChildren(); });

function forward(): State {
  return state({ name: "tloss", options: { ...state().options, mode: "forward" } });
}

function opened(stored: unknown): HTMLElement {
  const el = document.body.appendChild(document.createElement("div"));
  new View(el, new OfflineHost(stored));
  return el;
}

test("the key of a variant is that of the exported page", () => {
  const passes = state().options.passes.map(({ name }) => name);
  expect(key(chosen(state()))).toBe(JSON.stringify(["reverse", "numpy", passes, ["w", "b"], ""]));
});

describe("an exported page", () => {
  const stored = { state: state(), variants: { [key(chosen(forward()))]: forward() } };

  test("switches to a variant, and back to the state it came with", async () => {
    const el = opened(stored);
    click(button(el, "forward"));
    await settled();
    expect(el.querySelector(".tnb-name")?.textContent).toBe("tloss");
    expect(button(el, "forward").getAttribute("aria-pressed")).toBe("true");
    click(button(el, "reverse"));
    await settled();
    expect(el.querySelector(".tnb-name")?.textContent).toBe("dloss_dw_db");
  });

  test("says of what it does not have that it needs the notebook", () => {
    const el = opened(stored);
    for (const name of ["x", "w"]) {
      expect([button(el, name).title, button(el, name).getAttribute("aria-disabled")]).toEqual([NEEDS_NOTEBOOK, "true"]);
    }
    expect(button(el, "JAX").title).toBe("pip install 'tangent_nb[jax]'");
    click(button(el, "passes"));
    const box = el.querySelector("input")!;
    box.click();
    expect([box.checked, box.closest("label")?.title]).toEqual([true, NEEDS_NOTEBOOK]);
  });

  test("neither binds nor saves nor derives, and shows stages all the same", () => {
    const el = opened({ ...stored, state: state({ stale: "it is", bound: "" }) });
    const names = [...el.querySelectorAll("button")].filter((one) => !one.hidden).map((one) => one.textContent);
    for (const name of ["use this", "save…", "derive again"]) expect(names).not.toContain(name);
    click(button(el, "raw"));
    expect(texts(lists(el)[1])).toHaveLength(29);
  });

  test.each([[null], [{}], [{ state: "unreadable" }], [{ state: state(), variants: [1] }], [{ state: state(), variants: "x" }]])(
    "stands what was stored badly: %#", (bad) => {
      expect(() => opened(bad)).not.toThrow();
    });

  test("asks its variants by their own keys alone", () => {
    const host = new OfflineHost({ state: state(), variants: {} });
    expect(host.can({ ...chosen(state()), wrt: ["constructor"] })).toBe(NEEDS_NOTEBOOK);
  });
});
