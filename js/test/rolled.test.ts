/** Rows stay where another text has the same line, and those out of sight come afterwards. */
import { afterEach, expect, test, vi } from "vitest";

import { button, click, lists, mount, row, small } from "./help";

afterEach(() => {
  vi.useRealTimers();
  document.body.replaceChildren();
});

test("a line that the next text has too stays the same element, and says where it stands now", () => {
  const { el } = mount(small([[["def df(x):", "", []], ["    bx = 2 * x", "←", [1]]],
    [["def df(x):", "", []], ["    y = x * x", "→", [1]], ["    bx = 2 * x", "←", [1]]]], { raw: 0, final: 1 }));
  const [left, right] = lists(el);
  const source = [...left.querySelectorAll("[data-row]")];
  const last = row(right, 2);
  const gone = row(right, 1);
  expect(last.querySelector(".tnb-number")?.textContent).toBe("3");
  click(button(el, "raw"));
  expect(row(right, 1)).toBe(last);
  expect(gone.isConnected).toBe(false);
  expect([last.getAttribute("data-item"), last.getAttribute("aria-posinset"), last.getAttribute("aria-setsize")]).toEqual(["1", "2", "2"]);
  expect(last.querySelector(".tnb-number")?.textContent).toBe("2");
  expect(last.querySelector(".tnb-cue")?.textContent).toBe("←2");
  expect(last.querySelector(".tnb-sr")?.textContent).toBe("line 2: bx = 2 * x; from line 2");
  expect([...left.querySelectorAll("[data-row]")]).toEqual(source);
  expect([...left.querySelectorAll("[data-row]")].every((one, at) => one === source[at])).toBe(true);
});

test("of a text that is longer than the pane the rest is drawn when there is time", async () => {
  vi.useFakeTimers();
  const rows = Array.from({ length: 200 }, (_, at) => [`    v${at} = x`, "→", [1]] as const);
  const { el } = mount(small([rows]));
  const [, right] = lists(el);
  const drawn = (): number => right.querySelectorAll("[data-row]").length;
  expect(drawn()).toBeGreaterThan(30);
  expect(drawn()).toBeLessThan(60);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(drawn()).toBe(200);
  expect([...right.querySelectorAll("[data-row]")].map((one) => Number(one.getAttribute("data-row")))).toEqual(rows.map((_, at) => at));
});
