"""How long from a key in the widget's editor until the derivative that follows is drawn, in a real JupyterLab.

    python -m benchmarks.editing [KEYS]

Each key changes a literal. The clock starts at the key and stops at the first frame in which the derivative on the
other side is another: the 200 ms that are waited for another key, the way to the kernel and back, deriving, and
drawing.
"""
from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import quantiles
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.notebook.browsing import launched, run_all, served, write_notebook

SHORT = """def loss(x, w):
    h = np.tanh(x @ w)
    a = np.exp(-h * h)
    b = np.sin(a) + h
    c = b / (1.0 + a)
    d = np.sqrt(c * c + 1.0)
    e = d - np.mean(d, axis=0)
    r = e * 0.25 + c
    s = r * r
    return np.mean(s) * 3.1
"""
START = "%load_ext tangent_nb\nimport numpy as np\nX, W = np.ones((4, 3)), np.eye(3) / 2"
TEXT = "() => document.querySelector('.tnb-widget [role=tabpanel] .tnb-canvas').textContent"
WAITED = """before => new Promise((done, fail) => {
  const text = %s, start = window.pressed;
  const look = () => text() !== before ? done(performance.now() - start)
    : performance.now() - start > 60000 ? fail('no derivative') : requestAnimationFrame(look);
  look();
})""".replace("%s", TEXT)


def long(lines: int) -> str:
    """A function of so many lines, each of them used."""
    steps = ("a = np.exp(-h * h)", "h = h + a * 0.5", "s = np.sum(h, axis=0)", "h = h - s / 10.0",
             "h = np.sqrt(h * h + 1.0)", "h = h * 0.75 + np.sin(h)")
    body = [f"    {steps[place % len(steps)]}" for place in range(lines - 3)]
    return "\n".join(["def loss(x, w):", "    h = np.tanh(x @ w)", *body, "    return np.mean(h * h) * 3.1\n"])


def measured(page: Any, address: str, keys: int) -> list[float]:
    """Milliseconds from each key to the derivative."""
    run_all(page, address, "all done")
    widget = page.locator(".tnb-widget").first
    widget.get_by_role("button", name="edit", exact=True).click()
    page.locator(".tnb-editor .cm-line").first.wait_for(timeout=60_000)
    page.evaluate("document.addEventListener('keydown', () => { window.pressed = performance.now() }, true)")
    page.wait_for_timeout(8_000)
    page.locator(".tnb-editor .cm-content").focus()
    page.keyboard.press("Control+End")
    page.keyboard.press("ArrowLeft")
    found = []
    for key in range(keys):
        before = page.evaluate(TEXT)
        page.keyboard.press("Shift+ArrowLeft")
        page.keyboard.press(str(2 + key % 8))
        found.append(page.evaluate(WAITED, before))
        page.wait_for_timeout(300)
    return found


def main(arguments: Sequence[str]) -> None:
    """Print the median and the 95th percentile for a short function and a long one."""
    keys = int(arguments[0]) if arguments else 40
    with launched() as browser, tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        for text in (SHORT, long(171)):
            cell = f'%%grad -w w --at "x=X, w=W"\n{text}'
            write_notebook(work / f"{len(text)}.ipynb", [START, cell, "print('all', 'done')"])
        with served(work) as server:
            for name, text in (("ten lines", SHORT), ("171 lines", long(171))):
                page = browser.new_page(viewport={"width": 1400, "height": 1000})
                times = sorted(measured(page, server.address(f"{len(text)}.ipynb"), keys))
                cuts = quantiles(times, n=20)
                print(f"{name}: median {cuts[9]:.0f} ms, 95 % below {cuts[18]:.0f} ms, {len(times)} keys", flush=True)
                page.close()


if __name__ == "__main__":
    main(sys.argv[1:])
