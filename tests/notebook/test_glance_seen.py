"""A pass of a long function is switched in a real JupyterLab: the text that runs is drawn before the kernel has made
the stages of the passes and the text for other arguments, and is what it has then."""
from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tangent_nb as tnb

from .browsing import launched, run_all, served, write_notebook
from .handmade import defined

pytestmark = pytest.mark.xdist_group("browser")
LINES = [f"    a{i} = np.tanh(x @ w) * {i + 2.0} + np.sum(w * w)" for i in range(24)]
TEXT = "\n".join(["def loss(x, w):", *LINES, f"    return np.sum({' * '.join(f'a{i}' for i in range(24))})", ""])
CELLS = ["%load_ext tangent_nb\nimport numpy as np\nX, W = np.ones((4, 3)) / 8, np.eye(3)",
         f'%%grad -w w --at "x=X, w=W"\n{TEXT}', "print('all', 'done')"]
ROWS = "[...document.querySelectorAll('.tnb-widget .tnb-pane')[1].querySelectorAll('.tnb-text')].map(" \
       "one => one.textContent)"
DRAWN = f"""() => document.addEventListener('change', () => {{
  const root = document.querySelector('.tnb-widget');
  const look = () => {{
    const names = [...root.querySelectorAll('[role=tab]')].map((tab) => tab.title).join();
    if (names.includes('common_terms')) {{ requestAnimationFrame(look); return; }}
    const copy = [...root.querySelectorAll('button')].find((one) => one.textContent.startsWith('copy'));
    window.drawn = {{ busy: root.matches('[aria-busy=true]'), rows: {ROWS},
                     copy: copy.textContent }};
  }};
  requestAnimationFrame(look);
}}, {{ capture: true, once: true }})"""


def test_the_text_comes_first_and_stays(tmp_path: Path) -> None:
    write_notebook(tmp_path / "t.ipynb", CELLS)
    with launched() as browser, served(tmp_path) as server:
        page = browser.new_page(viewport={"width": 1400, "height": 1400})
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        run_all(page, server.address("t.ipynb"), "all done")
        widget = page.locator(".tnb-widget").first
        widget.get_by_role("button", name="passes").click()
        fold = widget.locator(".tnb-pane").nth(1).locator(".tnb-fold").first
        fold.click()
        page.evaluate(DRAWN)
        widget.locator(".tnb-pass", has_text="common_terms").locator("input").evaluate("one => one.click()")
        page.wait_for_function("window.drawn")
        drawn: dict[str, Any] = page.evaluate("window.drawn")
        page.wait_for_function("document.querySelector('.tnb-widget[aria-busy=true]') === null")
        page.wait_for_timeout(500)                         # the rest of the rows is drawn
        whole: list[str] = page.evaluate(ROWS)
        assert fold.inner_text().startswith("▾"), "what was opened stays open"
        assert drawn["busy"] and drawn["copy"] != "copy" and errors == []
        assert drawn["rows"] == whole[:len(drawn["rows"])] and len(drawn["rows"]) > 20
        kept = tuple(one for one in tnb.optimise.USUAL if one != "common_terms")
        df = tnb.grad(defined(TEXT, "loss"), "w", optimized=kept, like=(np.ones((4, 3)), np.eye(3)))
        lines = set(tnb.source(df).splitlines())
        assert len(whole) > 100 and all(row in lines for row in whole if " = " in row)
        widget.get_by_role("tab", name="passes").click()
        page.wait_for_function("document.querySelectorAll('.tnb-inside [role=tab]').length > 5")
        counts = widget.locator(".tnb-inside .tnb-count").all_inner_texts()
        assert all(one.isdigit() for one in counts)
        page.close()
