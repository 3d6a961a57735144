"""How long from a click on a pass until the derivative without it is drawn, in a real JupyterLab.

    python -m benchmarks.toggles [lines …]

Each pass that has a stage is switched off once, in three notebooks of their own: by a pointer that comes to the switch,
rests on it for a fifth of a second, and clicks; and by a click out of nowhere, of which only the panel of passes told
that it might come. The clock starts at the click; it is read behind the first frame that has the stages of what was
chosen, and at the first in which the page is not busy any more, for then the kernel has said that it is so. Switching
on again, which the page has seen before, is timed too.
"""
from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from statistics import quantiles
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.editing import START, long
from tests.notebook.browsing import launched, run_all, served, write_notebook

REST_MS = 200
ROUNDS = 3                                         # eleven clicks alone have no 95th percentile
LISTEN = """() => document.addEventListener('change', (event) => {
  const root = document.querySelector('.tnb-widget'), start = performance.now(), box = event.target;
  const name = box.closest('.tnb-pass').querySelector('.tnb-passname').textContent;
  const tabs = () => [...root.querySelectorAll('[role=tab]')].map((tab) => tab.title + ' ').join().replaceAll(',', ' ');
  window.took = null;
  let drawn = null;
  let painting = false;
  const look = () => {
    if (tabs().includes(` ${name} `) === box.checked && !painting) {
      painting = true;
      setTimeout(() => { drawn = performance.now() - start; });            // a task behind the frame
    }
    if (drawn !== null && root.querySelector('[aria-busy=true]') === null && !root.matches('[aria-busy=true]'))
      window.took = [drawn, performance.now() - start];
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}, true)"""
TOOK = "() => window.took"
NO_STAGE = ("inlining", "recompute")               # what happens before the first text is made


def measured(page: Any, address: str, rests: bool) -> tuple[list[list[float]], list[list[float]]]:
    """Milliseconds until it is drawn, and until the kernel has said so, for each pass that is switched off, and on
    again. rests: the pointer rests on it first."""
    run_all(page, address, "all done")
    widget = page.locator(".tnb-widget").first
    widget.get_by_role("button", name="passes").click()
    page.evaluate(LISTEN)
    passes = widget.locator(".tnb-pass")
    off: list[list[float]] = []
    on: list[list[float]] = []
    page.wait_for_timeout(3_000)
    for place in range(passes.count()):
        switch = passes.nth(place).locator("input")
        if not switch.is_checked() or passes.nth(place).locator(".tnb-passname").inner_text() in NO_STAGE:
            continue                               # a pass that is off by itself
        for found in (off, on):
            page.evaluate("window.took = null")
            if rests:
                switch.scroll_into_view_if_needed()
                box = switch.bounding_box()
                page.mouse.move(box["x"] + 4, box["y"] + 4, steps=5)
                page.wait_for_timeout(REST_MS)
                page.mouse.down()
                page.mouse.up()
            else:
                switch.evaluate("one => one.click()")
            page.wait_for_function(TOOK)
            found.append(page.evaluate(TOOK))
            page.mouse.move(2, 2)
            page.wait_for_timeout(300)
    return off, on


def told(times: list[list[float]]) -> str:
    parts = [quantiles(one, n=20) for one in zip(*times)]
    return "; ".join(f"{what} median {cuts[9]:.0f} ms, 95 % below {cuts[18]:.0f} ms"
                     for what, cuts in zip(("drawn", "said"), parts))


def main() -> None:
    """Print the median and the 95th percentile for a function of 40 lines and one of 171, or of so many lines."""
    sizes = tuple(map(int, sys.argv[1:])) or (40, 171)
    with launched() as browser, tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        for lines in sizes:
            for way in ("pointer", "nowhere"):
                cell = f'%%grad -w w --at "x=X, w=W"\n{long(lines)}'
                write_notebook(work / f"{way}{lines}.ipynb", [START, cell, "print('all', 'done')"])
        with served(work) as server:
            for lines in sizes:
                for way in ("pointer", "nowhere"):
                    off: list[list[float]] = []
                    on: list[list[float]] = []
                    for _ in range(ROUNDS):
                        page = browser.new_page(viewport={"width": 1400, "height": 1400})
                        for times, more in zip((off, on), measured(page, server.address(f"{way}{lines}.ipynb"),
                                                                   way == "pointer")):
                            times.extend(more)
                        page.close()
                    print(f"{lines} lines, {way}: off: {told(off)}. On again: {told(on)}. {len(off)} clicks",
                          flush=True)


if __name__ == "__main__":
    main()
