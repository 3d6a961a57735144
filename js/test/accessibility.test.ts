import axe from "axe-core";
import { afterEach, expect, test } from "vitest";

import { button, click, lists, mount, row, state } from "./help";

afterEach(() => { document.body.replaceChildren(); });

/** What axe finds; of colours it can say nothing where nothing is laid out. */
async function violations(el: Element): Promise<string[]> {
  const found = await axe.run(el, { runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"],
    rules: { "color-contrast": { enabled: false }, "target-size": { enabled: false }, region: { enabled: false } } });
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

test("axe finds nothing wrong, whatever is open", async () => {
  const wrt = state().options.wrt.map((one) => one.name === "y" ? { ...one, reason: "an integer" } : one);
  const { el } = mount(state({ stale: "it is", refusal: "refused", problem: "failed", options: { ...state().options, wrt } }));
  expect(await violations(el)).toEqual([]);
  click(button(el, "passes"));
  click(button(el, "diff"));
  click(row(lists(el)[0], 1));
  expect(await violations(el)).toEqual([]);
}, 30_000);
