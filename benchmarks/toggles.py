"""How long from a click on a pass until the derivative without it is drawn, in a real JupyterLab.

    python -m benchmarks.toggles

Each pass is switched off once, in a notebook of its own: by a pointer that comes to the switch, rests on it for a fifth
of a second, and clicks; and by a click out of nowhere, for which nothing could be derived ahead. The clock starts at
the click and stops at the first frame in which the page is not busy any more. Switching on again, which the page has
seen before, is timed too.
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
LISTEN = """() => document.addEventListener('change', () => {
  const root = document.querySelector('.tnb-widget'), start = performance.now();
  window.took = null;
  const look = () => root.querySelector('[aria-busy=true]') || root.matches('[aria-busy=true]')
    ? requestAnimationFrame(look) : window.took = performance.now() - start;
  requestAnimationFrame(look);
}, true)"""
TOOK = "() => window.took"


def measured(page: Any, address: str, rests: bool) -> tuple[list[float], list[float]]:
    """Milliseconds for each pass that is switched off, and on again. rests: the pointer rests on it first."""
    run_all(page, address, "all done")
    widget = page.locator(".tnb-widget").first
    widget.get_by_role("button", name="passes").click()
    page.evaluate(LISTEN)
    switches = widget.locator(".tnb-pass input")
    off: list[float] = []
    on: list[float] = []
    page.wait_for_timeout(3_000)
    for place in range(switches.count()):
        switch = switches.nth(place)
        if not switch.is_checked():
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


def told(times: list[float]) -> str:
    cuts = quantiles(times, n=20)
    return f"median {cuts[9]:.0f} ms, 95 % below {cuts[18]:.0f} ms"


def main() -> None:
    """Print the median and the 95th percentile for a function of 40 lines and one of 171."""
    with launched() as browser, tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        for lines in (40, 171):
            for way in ("pointer", "nowhere"):
                cell = f'%%grad -w w --at "x=X, w=W"\n{long(lines)}'
                write_notebook(work / f"{way}{lines}.ipynb", [START, cell, "print('all', 'done')"])
        with served(work) as server:
            for lines in (40, 171):
                for way in ("pointer", "nowhere"):
                    page = browser.new_page(viewport={"width": 1400, "height": 1400})
                    off, on = measured(page, server.address(f"{way}{lines}.ipynb"), way == "pointer")
                    print(f"{lines} lines, {way}: off {told(off)}; on again {told(on)}; {len(off)} passes", flush=True)
                    page.close()


if __name__ == "__main__":
    main()
