"""`%%grad --static` in a real JupyterLab, in a real browser: what a reader sees where there is no widget."""
from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from .browsing import brightness, launched, run_all, served, write_notebook

pytestmark = pytest.mark.xdist_group("browser")            # one worker starts JupyterLab, once

LOSS = """%%grad -w w,b --at "x=X, w=W, b=B, y=Y" --check --static
def loss(x, w, b, y):  # <script>window.HIT=1</script>
    h = np.tanh(np.dot(x, w) + b)
    r = h - y
    return np.mean(r * r)
"""
CELLS = [
    "%load_ext tangent_nb\nimport numpy as np\n"
    "X, W, B, Y = np.ones((4, 3)), np.eye(3) / 2, np.zeros(3), np.zeros((4, 3))",
    LOSS,
    '%%grad\ndef g(x):\n    s = "<img src=q onerror=window.HIT=1>"\n    return eval("x")\n',
    "print('all', 'done')",
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with launched() as browser:
        yield browser


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory, browser: Any) -> Iterator[SimpleNamespace]:
    work = tmp_path_factory.mktemp("lab")
    write_notebook(work / "t.ipynb", CELLS)
    with served(work) as server:
        yield server


@pytest.fixture(scope="module")
def page(lab: SimpleNamespace, browser: Any) -> Iterator[Any]:
    """The notebook in JupyterLab, all of its cells run."""
    page = browser.new_page(viewport={"width": 1300, "height": 1000})
    run_all(page, lab.address("t.ipynb"), "all done")
    yield page
    page.close()


def test_both_panes_are_seen_side_by_side(page: Any, lab: SimpleNamespace) -> None:
    left, right = page.locator(".tnb-view .tnb-pane").all()
    assert left.is_visible() and right.is_visible()
    assert "def loss(x, w, b, y):" in left.inner_text() and "def dloss_dw_db(x, w, b, y):" in right.inner_text()
    one, other = left.bounding_box(), right.bounding_box()
    assert one["y"] == other["y"] and one["x"] + one["width"] <= other["x"] + 1 and one["width"] > 300
    inside = page.locator(".tnb-view").first.bounding_box()
    assert other["x"] + other["width"] <= inside["x"] + inside["width"] + 1, "the right pane is not cut"
    assert page.evaluate("[...document.querySelectorAll('.tnb-view li')].every(e => e.scrollWidth "
                         "<= e.clientWidth + 1)")
    assert page.locator(".tnb-yes").count() == 2
    page.locator(".tnb-view").first.screenshot(path=lab.work / "light.png")
    assert (lab.work / "light.png").stat().st_size > 5_000


def test_linked_lines_have_one_colour(page: Any) -> None:
    colours = page.evaluate("""() => [...document.querySelectorAll('.tnb-view .a')].map(
        e => getComputedStyle(e).borderLeftColor)""")
    assert len(colours) > 2 and len(set(colours)) == 1


def test_a_refusal_is_a_box_of_text(page: Any) -> None:
    message = page.locator(".tnb-refused .tnb-message")
    assert "cannot differentiate g" in message.inner_text() and "line 4" in message.inner_text()


def test_nothing_of_the_users_text_acts(page: Any) -> None:
    assert page.evaluate("window.HIT") is None
    assert page.locator(".tnb-view script, .tnb-view img").count() == 0


def test_the_theme_is_followed(page: Any, lab: SimpleNamespace) -> None:
    def colours() -> list[str]:
        return page.evaluate("""() => { const s = getComputedStyle(document.querySelector('.tnb-view'));
            return [getComputedStyle(document.querySelector('.jp-Notebook')).backgroundColor, s.color] }""")

    light = colours()
    page.evaluate("window.jupyterapp.commands.execute('apputils:change-theme', {theme: 'JupyterLab Dark'})")
    page.wait_for_function("document.body.dataset.jpThemeLight === 'false'", timeout=30_000)
    page.wait_for_timeout(300)
    dark = colours()
    assert brightness(light[0]) > 200 > 80 > brightness(dark[0])
    assert brightness(light[1]) < 100 < 180 < brightness(dark[1])
    page.locator(".tnb-view").first.screenshot(path=lab.work / "dark.png")


def test_a_narrow_place_stacks_the_panes(page: Any) -> None:
    page.set_viewport_size({"width": 620, "height": 1000})
    page.wait_for_timeout(500)
    left, right = (pane.bounding_box() for pane in page.locator(".tnb-view .tnb-pane").all()[:2])
    page.set_viewport_size({"width": 1300, "height": 1000})
    assert right["y"] >= left["y"] + left["height"] - 1 and right["x"] == left["x"]


def test_a_saved_notebook_that_is_not_trusted_shows_both_panes(lab: SimpleNamespace, browser: Any) -> None:
    import nbformat

    from tangent_nb.notebook import show

    def area(x: Any, y: Any) -> Any:
        return x * y

    cell = nbformat.v4.new_code_cell("%grad area", id="saved")
    cell.outputs = [nbformat.v4.new_output("display_data", data=show(area)._repr_mimebundle_())]
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), lab.work / "saved.ipynb")
    page = browser.new_page(viewport={"width": 1300, "height": 800})
    page.goto(lab.address("saved.ipynb"))
    left, right = page.locator(".tnb-pane").first, page.locator(".tnb-pane").nth(1)
    right.wait_for(timeout=60_000)
    assert page.locator(".tnb-view style").count() == 0, "JupyterLab takes the style away"
    assert "def area(x: Any, y: Any)" in left.inner_text() and "def darea_dx(x, y):" in right.inner_text()
    one, other = left.bounding_box(), right.bounding_box()
    assert one["y"] == other["y"] and one["x"] + one["width"] <= other["x"] + 1
    page.close()
