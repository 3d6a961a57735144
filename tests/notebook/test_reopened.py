"""A saved notebook, opened again: in JupyterLab and Notebook, trusted or not, as a page of nbconvert, and where
scripts, styles and classes are taken away."""
from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from html import escape
from html.parser import HTMLParser
from types import SimpleNamespace
from typing import Any

import pytest

from tangent_nb.notebook.wire import inflated

from .browsing import IDLE, ROOT, launched, run_all, served, write_notebook

CELLS = [
    "%load_ext tangent_nb\nimport numpy as np",
    ('%%grad --at "x=np.array([-1.0, 2.0])"\ndef area(x):  # <script>window.HIT=1</script>\n'
     '    return np.sum(abs(x) * max(x[0], 2.0))\n'),
    "print('all', 'done')",
]
UNTRUSTED = ("() => window.jupyterapp.shell.currentWidget.content.widgets.every(c => c.model.type !== 'code' "
             "|| !c.model.trusted)")
STORED = "application/vnd.tangent_nb+json"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with launched() as browser:
        yield browser


BY_TURNS = [pytest.param(app, marks=[pytest.mark.xdist_group(app), pytest.mark.sampled(4)])
            for app in ("lab", "notebook")]


@pytest.fixture(scope="module", params=BY_TURNS)
def saved(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory,
          browser: Any) -> Iterator[SimpleNamespace]:
    """A notebook that was run and saved in a browser, and whose kernel has ended."""
    work = tmp_path_factory.mktemp(request.param)
    write_notebook(work / "t.ipynb", CELLS)
    with served(work, request.param) as server:
        page = browser.new_page(viewport={"width": 1300, "height": 1000})
        run_all(page, server.address("t.ipynb"), "all done")
        live = page.locator(".tnb-widget:visible")
        live.wait_for(timeout=60_000)
        alive(live)
        page.screenshot(path=work / "live.png")
        page.evaluate("window.jupyterapp.commands.execute('docmanager:save')")
        page.wait_for_function("!window.jupyterapp.shell.currentWidget.context.model.dirty", timeout=30_000)
        page.evaluate("window.jupyterapp.shell.currentWidget.sessionContext.shutdown()")
        page.close()
        yield SimpleNamespace(work=work, app=request.param, server=server, browser=browser, path=work / "t.ipynb")


def alive(widget: Any) -> None:
    widget.get_by_role("button", name="forward", exact=True).click()
    widget.locator(".tnb-list").nth(1).get_by_text("def tarea_dx").first.wait_for(timeout=20_000)
    widget.get_by_role("button", name="reverse", exact=True).click()
    widget.locator(".tnb-list").nth(1).get_by_text("def darea_dx").first.wait_for(timeout=20_000)


def opened(saved: SimpleNamespace, name: str) -> Any:
    page = saved.browser.new_page(viewport={"width": 1300, "height": 1000})
    page.goto(saved.server.address(name))
    page.locator(".jp-Notebook .jp-Cell").first.wait_for(timeout=120_000)
    page.wait_for_function(IDLE, timeout=120_000)
    page.locator(".tnb-widget:visible").wait_for(timeout=30_000)
    page.wait_for_timeout(1_000)                    # for what the widget manager may still put there
    return page


def reads_without_a_kernel(page: Any) -> None:
    widget = page.locator(".tnb-widget:visible")
    assert widget.count() == 1
    left, right = widget.locator(".tnb-list").all()
    assert "def area(x):" in left.inner_text() and "def darea_dx(x):" in right.inner_text()
    one, other = left.bounding_box(), right.bounding_box()
    assert one["x"] + one["width"] <= other["x"] + 1 and one["y"] < other["y"] + other["height"], "the style holds"
    assert "in use as" not in widget.inner_text()
    assert not page.get_by_text("model not found").is_visible() and not page.get_by_text("Loading widget").is_visible()
    widget.get_by_role("button", name="raw", exact=True).click()
    assert "rt.unbroadcast" in right.inner_text()
    forward = widget.get_by_role("button", name="forward")
    assert forward.get_attribute("aria-disabled") == "true" \
        and forward.get_attribute("title") == "run the cell again to change it"
    assert page.evaluate("window.HIT") is None


def test_a_fresh_kernel_shows_what_was_stored_until_the_cell_runs_again(saved: SimpleNamespace) -> None:
    page = opened(saved, "t.ipynb")
    page.screenshot(path=saved.work / "reopened.png")
    reads_without_a_kernel(page)
    page.evaluate("window.jupyterapp.commands.execute('notebook:run-all-cells')")
    widget = page.locator(".tnb-widget:visible")
    widget.get_by_role("button", name="save…").wait_for(timeout=60_000)
    assert widget.count() == 1
    alive(widget)
    page.close()


def test_an_untrusted_notebook_shows_it_too(saved: SimpleNamespace) -> None:
    text = json.loads(saved.path.read_text(encoding="utf-8"))
    text["cells"][0]["source"] += "  # of somebody else"
    (saved.work / "other.ipynb").write_text(json.dumps(text), encoding="utf-8")
    page = opened(saved, "other.ipynb")
    assert page.evaluate(UNTRUSTED)
    page.screenshot(path=saved.work / "untrusted.png")
    reads_without_a_kernel(page)
    page.close()


def side_by_side(page: Any) -> None:
    left = page.locator("td", has_text="def area(x):").first
    right = page.locator("td", has_text="def darea_dx(x):").first
    one, other = left.bounding_box(), right.bounding_box()
    assert one["y"] == other["y"] and one["x"] + one["width"] <= other["x"] + 1
    assert left.locator("pre").count() >= 1 and right.locator("pre").count() >= 1, "lines stay lines"
    assert page.evaluate("window.HIT") is None


def test_nbconvert_shows_the_panes(saved: SimpleNamespace) -> None:
    """Of the notebook as it was saved; and where it runs it, with the flag that README names."""
    if saved.app != "lab":
        pytest.skip("of one of them: the files are alike")
    for flags in ([], ["--execute", "--ExecutePreprocessor.store_widget_state=False"]):
        done = subprocess.run(
            [sys.executable, "-m", "nbconvert", "--to", "html", *flags, "--output", "page.html", str(saved.path)],
            capture_output=True, text=True, cwd=saved.work, env={**os.environ, "PYTHONPATH": str(ROOT)})
        assert done.returncode == 0, done.stderr
        page = saved.browser.new_page(viewport={"width": 1300, "height": 1000})
        page.goto((saved.work / "page.html").as_uri(), wait_until="domcontentloaded")
        side_by_side(page)
        page.screenshot(path=saved.work / f"nbconvert{len(flags)}.png")
        page.close()


class Sanitised(HTMLParser):
    """HTML as sites that show notebooks leave it: without scripts and styles, and with few attributes."""

    KEPT = ("align", "valign", "colspan", "rowspan", "open", "role")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.left: list[str] = []
        self.inside = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.inside += tag in ("script", "style")
        if not self.inside:
            self.left.append("".join(
                [f"<{tag}", *(f' {name}="{escape(value or "")}"' for name, value in attrs if name in self.KEPT), ">"]))

    def handle_endtag(self, tag: str) -> None:
        if not self.inside:
            self.left.append(f"</{tag}>")
        self.inside -= tag in ("script", "style")

    def handle_data(self, data: str) -> None:
        if not self.inside:
            self.left.append(escape(data))


def test_a_site_that_takes_scripts_styles_and_classes_away(saved: SimpleNamespace) -> None:
    if saved.app != "lab":
        pytest.skip("of one of them: the files are alike")
    [output] = json.loads(saved.path.read_text(encoding="utf-8"))["cells"][1]["outputs"]
    assert list(output["data"]).count(STORED) == 1 and inflated(output["data"][STORED])["bound"] == ""
    left = "".join(Sanitised("".join(output["data"]["text/html"])).left)
    assert "class=" not in left and "style" not in left and "script>window" not in left
    (saved.work / "left.html").write_text(f"<!doctype html><meta charset=utf-8><body>{left}", encoding="utf-8")
    page = saved.browser.new_page(viewport={"width": 1300, "height": 1000})
    page.goto((saved.work / "left.html").as_uri())
    side_by_side(page)
    page.screenshot(path=saved.work / "left.png")
    page.close()
