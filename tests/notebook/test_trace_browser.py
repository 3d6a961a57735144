"""Trace tables and graphs in a real JupyterLab: their rows stay in line, they scroll, they follow the theme."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from .browsing import brightness, launched, run_all, served, write_notebook

pytestmark = pytest.mark.xdist_group("browser")            # one worker starts JupyterLab, once

CELLS = [
    "%load_ext tangent_nb\nimport numpy as np, tangent_nb as tnb",
    '%%grad -w x1,x2 --trace --at "x1=2.0, x2=5.0"\ndef f(x1, x2):\n'
    "    a, b, c = np.log(x1), x1 * x2, np.sin(x2)\n    return a + b - c",
    "tnb.trace_table(f, 2, 5, wrt=(0, 1))",
    "tnb.graph(f, 2, 5, wrt=(0, 1))",
    "print('all', 'done')",
]


@pytest.fixture(scope="module", params=["Light", "Dark"])
def page(request: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A notebook in a narrow window, in a theme that the browser does not ask for."""
    pytest.importorskip("igraph")
    work = tmp_path_factory.mktemp("lab")
    write_notebook(work / "t.ipynb", CELLS)
    with launched() as browser, served(work, theme=request.param) as server:
        page = browser.new_page(viewport={"width": 700, "height": 1000},
                                color_scheme="dark" if request.param == "Light" else "light")
        run_all(page, server.address("t.ipynb"), "all done")
        page.theme = request.param
        yield page


def test_the_widget_has_the_table_with_each_row_on_a_line(page: Any) -> None:
    table = page.locator(".tnb-widget .tnb-table").nth(1)
    table.wait_for()
    cells = [one.strip() for one in table.locator("tr", has_text="10.693 + 0.959").locator("td").all_inner_texts()]
    assert cells == ["v₅", "= v₄ - v₃", "= 10.693 + 0.959", "= 11.652", "v̄₃", "= v̄₅ ∂v₅/∂v₃", "= v̄₅ × (-1)", "= -1"]
    heights = {round(one.bounding_box()["height"]) for one in table.locator("tbody tr").all()}
    assert max(heights) < 30, "no cell is broken into lines"
    block = page.locator(".tnb-widget .tnb-block").nth(1)
    assert block.evaluate("e => { e.scrollLeft = 1e4; return e.scrollLeft }") > 100, "the other side is scrolled to"


def test_the_table_of_an_output(page: Any) -> None:
    region = page.get_by_role("region", name="trace table")
    assert region.locator("tbody tr").count() == 11
    assert region.evaluate("e => { e.scrollLeft = 1e4; return e.scrollLeft }") > 100


def test_the_graph_follows_the_theme_at_its_own_size(page: Any) -> None:
    drawing = page.get_by_role("region", name="computational graph").locator("svg")
    paper = drawing.locator(".paper").evaluate("e => getComputedStyle(e).fill")
    ink = drawing.locator(".how").first.evaluate("e => getComputedStyle(e).fill")
    assert (brightness(paper) > 200) == (page.theme == "Light")
    assert abs(brightness(paper) - brightness(ink)) > 120
    assert drawing.bounding_box()["width"] == pytest.approx(float(drawing.get_attribute("width")), abs=1)
    inside = drawing.evaluate("""e => [...e.querySelectorAll('g')].every(g => {
        const box = g.querySelector('rect').getBoundingClientRect();
        return [...g.querySelectorAll('.how, .what')].every(t => {
            const own = t.getBoundingClientRect(); return own.left >= box.left && own.right <= box.right }) })""")
    assert inside, "the text of a node stays in its box"


def test_pointing_at_a_node_says_its_line(page: Any) -> None:
    node = page.locator('.tnb-graph g.node[data-place="4"]')
    title = node.locator("title").text_content()
    assert "v₃ = sin v₀ = -0.959" in title and "line 3: a, b, c = np.log(x1), x1 * x2, np.sin(x2)" in title
    before = node.locator("rect").evaluate("e => getComputedStyle(e).stroke")
    node.scroll_into_view_if_needed()
    node.hover()
    assert node.locator("rect").evaluate("e => getComputedStyle(e).stroke") != before
