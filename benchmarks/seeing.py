"""How long from a cell to its widget, with twenty of them in a notebook, and how smoothly a long derivative scrolls, in
a real JupyterLab.

    python -m benchmarks.seeing

Each cell is run alone, as a reader runs it; the clock starts when it is asked for and stops behind the first frame in
which its widget has rows. The long derivative is scrolled by a part of a pane in each frame, to its end; a frame is as
long as the time until the next one.
"""
from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from statistics import quantiles
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.editing import SHORT, START, long
from tests.notebook.browsing import IDLE, launched, served, write_notebook

WIDGETS = 20
STEP = 150                                         # pixels in each frame
RUN = """async at => {
  const notebook = window.jupyterapp.shell.currentWidget.content;
  notebook.activeCellIndex = at;
  const cell = notebook.widgets[at].node, start = performance.now();
  window.jupyterapp.commands.execute('notebook:run-cell');
  return await new Promise((done) => {
    const look = () => {
      if (cell.querySelector('.tnb-widget [role=tabpanel] [data-row]') !== null)
        setTimeout(() => { done(performance.now() - start); });
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
}"""
SCROLL = """async step => {
  const pane = document.querySelector('.tnb-widget [role=tabpanel]');
  const list = [pane, ...pane.querySelectorAll('*')].find((one) => one.scrollHeight > one.clientHeight + 1000
    && ['auto', 'scroll'].includes(getComputedStyle(one).overflowY));
  const frames = [];
  let last = await new Promise(requestAnimationFrame), rows = 0;
  while (list.scrollTop + list.clientHeight < list.scrollHeight - 2) {
    list.scrollTop += step;
    const now = await new Promise(requestAnimationFrame);
    frames.push(now - last);
    last = now;
    rows = Math.max(rows, list.querySelectorAll('[data-row]').length);
  }
  return [frames, rows];
}"""
HEAP = "() => Math.round(performance.memory.usedJSHeapSize / 1e6)"


def told(times: list[float]) -> str:
    cuts = quantiles(times, n=20)
    return f"median {cuts[9]:.0f} ms, 95 % below {cuts[18]:.0f} ms, at most {max(times):.0f} ms"


def opened(page: Any, address: str) -> None:
    """Open a notebook and run its first cell, alone."""
    page.goto(address)
    page.wait_for_function(IDLE, timeout=120_000)
    page.evaluate("window.jupyterapp.shell.currentWidget.content.activeCellIndex = 0")
    page.evaluate("window.jupyterapp.commands.execute('notebook:run-cell')")
    page.locator(".jp-OutputArea-output", has_text="all done").first.wait_for(timeout=120_000)


def widgets(page: Any, address: str) -> list[float]:
    """Milliseconds from running each cell to its widget, all in one notebook."""
    opened(page, address)
    return [page.evaluate(RUN, 1 + at) for at in range(WIDGETS)]


def scrolled(page: Any, address: str) -> tuple[list[float], int, int]:
    """Milliseconds of each frame; how many rows the text has, and the page at most."""
    opened(page, address)
    page.evaluate(RUN, 1)
    widget = page.locator(".tnb-widget").first
    widget.get_by_role("tab", name="derivative").click()
    page.wait_for_timeout(3_000)
    frames, most = page.evaluate(SCROLL, STEP)
    count = widget.get_by_role("tab", name="derivative").locator(".tnb-count").inner_text()
    return frames, int(count), most


def main() -> None:
    """Print the medians, and what 95 of 100 stay below."""
    with launched() as browser, tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        first = f"{START}\nprint('all', 'done')"
        cells = [f'%%grad -w w --at "x=X, w=W"\n{SHORT.replace("loss", f"loss{at}")}' for at in range(WIDGETS)]
        write_notebook(work / "many.ipynb", [first, *cells])
        write_notebook(work / "long.ipynb", [first, f'%%grad -w w --at "x=X, w=W"\n{long(171)}'])
        with served(work) as server:
            page = browser.new_page(viewport={"width": 1400, "height": 1000})
            times = widgets(page, server.address("many.ipynb"))
            print(f"from a cell of ten lines to its widget: {told(times)}; the page's heap {page.evaluate(HEAP)} MB",
                  flush=True)
            page.close()
            page = browser.new_page(viewport={"width": 1400, "height": 1000})
            frames, count, most = scrolled(page, server.address("long.ipynb"))
            print(f"a text of {count:,} lines, scrolled by {STEP} pixels in each frame: {told(frames)}, "
                  f"{len(frames)} frames; {most} rows in the page at most", flush=True)
            page.close()


if __name__ == "__main__":
    main()
