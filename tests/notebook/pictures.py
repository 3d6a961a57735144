"""The pictures of the docs that no test keeps: editing, presenting, an exported page, a compiled derivative.

    python -m tests.notebook.pictures editing present export numba

Look at each: clipped text, overlaps, words that stand alone in a line.
"""
from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .browsing import ROOT, launched, run_all, served, write_notebook

IMAGES = ROOT / "docs" / "images"
LOSS = "def loss(x, w, b, y):\n    h = np.tanh(np.dot(x, w) + b)\n    r = h - y\n    return np.mean(r * r)\n"
CELLS = [
    "%load_ext tangent_nb\nimport numpy as np\nimport tangent_nb as tnb\n"
    "x0, w0 = np.array([[0.5, -1.0], [1.5, 0.25]]), np.array([0.3, -0.2])\ny0 = np.array([0.1, 0.7])",
    "%%grad -w w,b --at x=x0,w=w0,b=0.1,y=y0 --check\n" + LOSS,
    "%%grad --at \"x=w0, n=3\" --compile numba\ndef relaxed(x, n):\n    for i in range(n):\n"
    "        x = x - 0.5 * np.sin(x)\n    return np.sum(x * x)\n",
    "_ = tnb.show(loss, wrt=('w', 'b'), at=dict(x=x0, w=w0, b=0.1, y=y0)).export_html('page.html')\n"
    "print('all', 'done')",
]


def main(wanted: list[str]) -> None:
    """Take those that are asked for, of all by default, in both themes."""
    for theme in ("Light", "Dark"):
        work = Path(tempfile.mkdtemp())
        write_notebook(work / "t.ipynb", CELLS)
        with launched() as browser, served(work, "lab", theme) as server:
            page = browser.new_page(viewport={"width": 1400, "height": 1500})
            run_all(page, server.address("t.ipynb"), "all done")
            page.locator(".tnb-widget").nth(1).wait_for(timeout=60_000)
            for name, take in PICTURES.items():
                if not wanted or name in wanted:
                    take(page, work, theme.lower())
            page.close()


def _editing(page: Any, work: Path, theme: str) -> None:
    widget = page.locator(".tnb-widget").first
    _press(widget, "edit")
    widget.locator(".cm-content").click()
    page.keyboard.press("Control+End")
    page.keyboard.press("Backspace")               # behind the last line
    page.keyboard.type(" + 0.1 * np.sum(w * w)")
    page.wait_for_timeout(2000)
    _both(page, widget, "editing", theme)
    _press(widget, "discard")


def _present(page: Any, work: Path, theme: str) -> None:
    widget = page.locator(".tnb-widget").first
    page.evaluate("window.jupyterapp.shell.collapseLeft()")
    _press(widget, "present")
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    page.wait_for_timeout(800)
    page.set_viewport_size({"width": 1400, "height": 620})
    widget.screenshot(path=IMAGES / f"widget-present-{theme}.png")
    page.keyboard.press("Escape")
    page.set_viewport_size({"width": 1400, "height": 1500})


def _numba(page: Any, work: Path, theme: str) -> None:
    if theme == "light":
        page.locator(".tnb-widget").nth(1).screenshot(path=IMAGES / "widget-numba-light.png")


def _export(page: Any, work: Path, theme: str) -> None:
    own = page.context.browser.new_page(color_scheme=theme, viewport={"width": 1400, "height": 900})
    own.goto((work / "page.html").as_uri())
    for width, end in ((1400, theme), (700, f"700-{theme}")):
        own.set_viewport_size({"width": width, "height": 900})
        own.wait_for_timeout(500)
        own.locator(".tnb-widget").screenshot(path=IMAGES / f"widget-export-{end}.png")
    own.close()


def _both(page: Any, what: Any, name: str, theme: str) -> None:
    for width, end in ((1400, theme), (700, f"700-{theme}")):
        page.set_viewport_size({"width": width, "height": 1500})
        page.wait_for_timeout(600)
        what.screenshot(path=IMAGES / f"{name}-{end}.png")
    page.set_viewport_size({"width": 1400, "height": 1500})


def _press(widget: Any, name: str) -> None:
    widget.get_by_role("button", name=name, exact=True).first.click()
    widget.page.wait_for_timeout(500)


PICTURES: dict[str, Callable[[Any, Path, str], None]] = {
    "editing": _editing, "present": _present, "export": _export, "numba": _numba}

if __name__ == "__main__":
    main(sys.argv[1:])
