"""The widget in real JupyterLab and Notebook: what a reader sees, does, and takes away."""
from __future__ import annotations

import linecache
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import tangent_nb as tnb
from tangent_nb.optimise import PASSES

from .browsing import IDLE, ROOT, brightness, launched, run_all, served, write_notebook
from .handmade import defined
from .hostile import TEXTS, program

LOSS = """%%grad -w w,b --at "x=X, w=W, b=B, y=Y" --check
def loss(x, w, b, y):  # <script>window.HIT=1</script>
    h = np.tanh(np.dot(x, w) + b)
    r = half(h - y)
    return np.mean(r * r)
"""
HALF = "def half(t):\n    return {} * t\n"
CELLS = [
    "%load_ext tangent_nb\nimport numpy as np\n"
    "X, W, B, Y = np.ones((4, 3)), np.eye(3) / 2, np.zeros(3), np.zeros((4, 3))",
    HALF.format(0.5), LOSS, "print('all', 'done')",
    HALF.format(0.25), "print(dloss_dw_db.__name__, dloss_dw_db.__code__.co_varnames[:4])", "vloss = tloss_dw_db",
]
KINDS = [(app, theme) for app in ("lab", "notebook") for theme in ("Light", "Dark")]
EACH = [pytest.param(kind, id="-".join(kind), marks=[                    # one worker opens it, once
    pytest.mark.xdist_group("-".join(kind)), pytest.mark.full if kind[1] == "Dark" else pytest.mark.sampled(2)])
        for kind in KINDS]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with launched() as browser:
        yield browser


@pytest.fixture(scope="module", params=EACH)
def seen(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory,
         browser: Any) -> Iterator[SimpleNamespace]:
    """The notebook in one of the applications, its first four cells run, and the widget in it."""
    app, theme = request.param
    work = tmp_path_factory.mktemp(app)
    write_notebook(work / "t.ipynb", CELLS[:4])
    with served(work, app, theme) as server:
        page = browser.new_page(viewport={"width": 1300, "height": 1000}, accept_downloads=True)
        page.on("pageerror", lambda error: None)
        run_all(page, server.address("t.ipynb"), "all done")
        widget = page.locator(".tnb-widget")
        widget.wait_for(timeout=60_000)
        yield SimpleNamespace(page=page, widget=widget, app=app, theme=theme, work=work, server=server)
        page.close()


def ran(seen: SimpleNamespace, code: str) -> str:
    """Run code in the notebook's kernel: what it prints."""
    return str(seen.page.evaluate("""async code => {
        const kernel = window.jupyterapp.shell.currentWidget.sessionContext.session.kernel; let text = '';
        const done = kernel.requestExecute({code}); done.onIOPub = m => { if (m.content.text) text += m.content.text; };
        await done.done; return text; }""", code))


def settled(seen: SimpleNamespace) -> None:
    seen.page.wait_for_function("document.querySelector('.tnb-widget').getAttribute('aria-busy') !== 'true'",
                                timeout=20_000)


def button(seen: SimpleNamespace, name: str) -> Any:
    return seen.widget.get_by_role("button", name=name, exact=True).first


def test_both_texts_stand_side_by_side_in_the_theme(seen: SimpleNamespace) -> None:
    left, right = seen.widget.locator(".tnb-list").all()
    assert "def loss(x, w, b, y):" in left.inner_text() and "def dloss_dw_db(x, w, b, y):" in right.inner_text()
    one, other = left.bounding_box(), right.bounding_box()
    whole = seen.widget.bounding_box()
    assert one["x"] + one["width"] <= other["x"] + 1 and other["x"] + other["width"] <= whole["x"] + whole["width"] + 1
    colour = seen.page.evaluate("getComputedStyle(document.querySelector('.tnb-widget')).backgroundColor")
    assert (brightness(colour) > 200) == (seen.theme == "Light") and (brightness(colour) < 80) == (seen.theme == "Dark")
    assert seen.page.evaluate("window.HIT") is None and seen.widget.locator("script, img").count() == 0
    assert "checked" in seen.widget.inner_text()
    seen.widget.screenshot(path=seen.work / "widget.png")
    assert (seen.work / "widget.png").stat().st_size > 10_000


def test_raw_and_stages_need_no_kernel(seen: SimpleNamespace) -> None:
    right = seen.widget.locator(".tnb-list").nth(1)
    button(seen, "raw").click()
    assert "bw = np.zeros_like(w)" in right.inner_text() and seen.widget.get_attribute("aria-busy") != "true"
    button(seen, "optimized").click()
    assert "bw = np.zeros_like(w)" not in right.inner_text()
    tabs = seen.widget.get_by_role("tab")
    tabs.nth(1).click()
    assert "def loss(x, w, b, y):" in right.inner_text(), "the normal form"
    seen.page.keyboard.press("ArrowRight")
    assert "bw = np.zeros_like(w)" in right.inner_text(), "the stage after it, by keyboard"
    button(seen, "optimized").click()


def test_a_helper_is_asked_of_the_kernel(seen: SimpleNamespace) -> None:
    right = seen.widget.locator(".tnb-list").nth(1)
    button(seen, "raw").click()
    helper = right.locator("[data-helper]").first
    name = helper.get_attribute("data-helper")
    helper.click()
    right.locator(".tnb-says").wait_for(timeout=20_000)
    assert right.locator(".tnb-says").inner_text().startswith(f"rt.{name}: ")
    assert right.locator(".tnb-shown").first.inner_text().startswith(f"def {name}(")
    helper.click()
    assert right.locator(".tnb-says").count() == 0
    button(seen, "optimized").click()


def test_an_expression_is_linked_with_its_terms(seen: SimpleNamespace) -> None:
    left, right = seen.widget.locator(".tnb-list").all()
    left.locator("[data-row]", has_text="h = np.tanh").locator("[data-terms]", has_text="dot(").first.hover()
    lit = ["".join(row.locator("[data-terms].tnb-lit").all_inner_texts()) for row in right.locator(".tnb-hot").all()]
    assert lit == ["np.dot(x, w)", "bw = np.dot(x.T, btotal)"]


def test_presenting_and_back(seen: SimpleNamespace) -> None:
    right = seen.widget.locator(".tnb-list").nth(1)
    last = right.locator("[data-row]", has_text="bw = np.dot")
    cells = seen.page.locator(".jp-Notebook .jp-Cell").count()
    button(seen, "present").click()
    seen.page.wait_for_timeout(500)
    assert not last.is_visible() and not seen.widget.locator(".tnb-bar").is_visible()
    for _ in range(12):
        seen.page.keyboard.press("Space")
    assert last.is_visible()
    seen.page.keyboard.press("Escape")
    seen.page.wait_for_timeout(500)
    assert seen.widget.locator(".tnb-bar").is_visible()
    assert seen.page.locator(".jp-Notebook .jp-Cell").count() == cells, "keys do not reach the notebook"


def test_a_line_is_followed_by_hover_and_by_keyboard(seen: SimpleNamespace) -> None:
    left, right = seen.widget.locator(".tnb-list").all()
    row = left.locator("[data-row]", has_text="h = np.tanh").first
    row.hover()
    marked = right.locator(".tnb-linked, .tnb-hot")
    assert marked.count() >= 2 and any("np.tanh" in text for text in marked.all_inner_texts())
    row.click()
    seen.page.keyboard.press("ArrowDown")
    seen.page.keyboard.press("ArrowRight")
    words = seen.widget.locator(".tnb-words").inner_text()
    assert re.search(r"line \d+ comes from lines \d+, half:2: return 0.5 \* t", words), words
    cells = seen.page.locator(".jp-Notebook .jp-Cell").count()
    for key in ("d", "d", "a", "Escape"):
        seen.page.keyboard.press(key)
    assert seen.page.locator(".jp-Notebook .jp-Cell").count() == cells, "keys in a pane do not reach the notebook"


def test_mode_and_passes_ask_the_kernel_and_use_this_binds(seen: SimpleNamespace) -> None:
    button(seen, "forward").click()
    settled(seen)
    assert "def tloss_dw_db(x, w, b, y, dw, db):" in seen.widget.locator(".tnb-list").nth(1).inner_text()
    assert ran(seen, "print('tloss_dw_db' in globals(), 'dloss_dw_db' in globals())") == "False True\n"
    button(seen, "use this").click()
    settled(seen)
    assert ran(seen, "print(tloss_dw_db.__name__)") == "tloss_dw_db\n"
    button(seen, "reverse").click()
    settled(seen)
    passes = seen.widget.locator("button:not([role=tab])", has_text="passes")
    passes.click()
    seen.widget.get_by_role("checkbox", name=re.compile("dead")).click()
    settled(seen)
    assert f"{len(tnb.PASSES) - 1}/{len(PASSES)}" in passes.inner_text()
    seen.widget.get_by_role("checkbox", name=re.compile("dead")).click()
    settled(seen)
    seen.page.keyboard.press("Escape")
    assert seen.widget.get_by_role("alert").count() == 0


def test_a_helper_defined_anew_makes_it_stale_and_one_click_derives_again(seen: SimpleNamespace) -> None:
    ran(seen, HALF.format(0.25))
    banner = seen.widget.get_by_text("half has been defined anew")
    banner.wait_for(timeout=10_000)
    button(seen, "derive again").click()
    banner.wait_for(state="hidden", timeout=10_000)
    assert "0.25" in seen.widget.locator(".tnb-list").first.inner_text()


@pytest.mark.sampled(4)
def test_an_exported_page_works_offline_and_axe_finds_nothing(seen: SimpleNamespace, browser: Any,
                                                              tmp_path: Path) -> None:
    with seen.page.expect_download(timeout=180_000) as download:
        seen.widget.get_by_role("button", name="save…").click()
    path = tmp_path / "saved.html"
    download.value.save_as(path)
    axe = (ROOT / "js" / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
    for scheme in ("light", "dark"):
        page = browser.new_page(viewport={"width": 1100, "height": 900}, color_scheme=scheme, bypass_csp=False)
        heard: list[str] = []
        page.on("console", lambda message, heard=heard: heard.append(message.text))
        page.on("request", lambda request, heard=heard: None if request.url.startswith(("file:", "data:"))
                else heard.append(request.url))
        page.goto(path.as_uri())
        widget = page.locator(".tnb-widget")
        widget.get_by_role("button", name="forward", exact=True).click()
        assert "def tloss_dw_db(" in widget.locator(".tnb-list").nth(1).inner_text()
        widget.get_by_role("button", name="raw", exact=True).click()
        assert heard == [] and page.evaluate("window.HIT") is None
        page.evaluate(axe)
        found = page.evaluate("axe.run(document, {resultTypes: ['violations', 'passes']})")
        serious = [one["id"] for one in found["violations"] if one["impact"] in ("serious", "critical")]
        assert serious == [] and "color-contrast" in [one["id"] for one in found["passes"]]
        page.close()


@pytest.mark.sampled(4)
def test_the_derivative_is_saved_as_a_file_that_runs_where_tangent_nb_is_not(seen: SimpleNamespace,
                                                                              tmp_path: Path) -> None:
    with seen.page.expect_download(timeout=60_000) as download:
        button(seen, "save .py").click()
    assert download.value.suggested_filename == "dloss_dw_db.py"
    download.value.save_as(tmp_path / "dloss_dw_db.py")
    program = "import sys; sys.modules['tangent_nb'] = None; import numpy as np; from dloss_dw_db import *; " \
              "X, W, B, Y = np.ones((4, 3)), np.eye(3) / 2, np.zeros(3), np.zeros((4, 3)); " \
              "print(*[one.tobytes().hex() for one in dloss_dw_db(X, W, B, Y)])"
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout == ran(seen, "print(*[one.tobytes().hex() for one in dloss_dw_db(X, W, B, Y)])")


DONE = """() => { const w = window.jupyterapp?.shell?.currentWidget; const k = w?.sessionContext?.session?.kernel;
  return k?.status === 'idle' && w.content.widgets.every(c => c.model.type !== 'code' || c.model.executionCount) }"""
FAILED = """() => window.jupyterapp.shell.currentWidget.content.widgets.flatMap(c => c.model.type === 'code' ?
  Array.from({length: c.model.outputs.length}, (_, i) => c.model.outputs.get(i).toJSON()).filter(o => o.output_type \
=== 'error') : [])"""


@pytest.mark.sampled(8)
def test_the_quickstart_runs(seen: SimpleNamespace, browser: Any) -> None:
    if seen.theme == "Dark":
        pytest.skip("once in each application")
    shutil.copy(ROOT / "examples" / "quickstart.ipynb", seen.work / "quickstart.ipynb")
    page = browser.new_page(viewport={"width": 1300, "height": 1000})
    page.goto(seen.server.address("quickstart.ipynb"))
    page.locator(".jp-Notebook .jp-Cell").first.wait_for(timeout=120_000)
    page.wait_for_function(IDLE, timeout=120_000)
    page.evaluate("window.jupyterapp.commands.execute('notebook:run-all-cells')")
    page.wait_for_function(DONE, timeout=180_000)
    assert page.evaluate(FAILED) == []
    page.locator(".tnb-widget").first.wait_for(timeout=30_000)
    page.close()


def test_a_kernel_that_is_gone_is_said(seen: SimpleNamespace) -> None:
    """Last: nothing asks the kernel after this."""
    seen.page.evaluate("window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.shutdown()")
    seen.page.wait_for_timeout(500)
    if button(seen, "forward").is_enabled():
        button(seen, "forward").click()
    seen.widget.get_by_text("The kernel does not answer").wait_for(timeout=15_000)
    button(seen, "raw").click()
    assert "bw = np.zeros_like(w)" in seen.widget.locator(".tnb-list").nth(1).inner_text()


HOSTILE_FILE = '/x/"><img src=q onerror=window.HIT=1>.py'


def from_a_hostile_file() -> Any:
    text = "def f(x):\n    return x * x\n"
    linecache.cache[HOSTILE_FILE] = (len(text), None, text.splitlines(keepends=True), HOSTILE_FILE)
    scope: dict[str, Any] = {}
    exec(compile(text, HOSTILE_FILE, "exec", dont_inherit=True), scope)
    return scope["f"]


@pytest.mark.sampled(32)
@pytest.mark.parametrize("name", [*TEXTS, "file name", "very long line"])
def test_hostile_texts_are_harmless_live_static_and_exported(name: str, browser: Any, tmp_path: Path) -> None:
    """A function that holds one, or comes from a file with such a name: the widget's page with its state,
    and the static view."""
    from tangent_nb.notebook import show
    f = from_a_hostile_file() if name == "file name" else defined(program(TEXTS.get(name, "A" * 200_000)), "f")
    shown = show(f)
    (tmp_path / "static.html").write_text(f"<!doctype html><meta charset=utf-8><body>{shown._repr_html_()}",
                                          encoding="utf-8", errors="replace")
    shown.export_html(tmp_path / "live.html")
    for place, inside in (("live", ".tnb-widget"), ("static", ".tnb-view")):
        page = browser.new_page()
        page.goto((tmp_path / f"{place}.html").as_uri())
        assert page.locator(inside).count() == 1, place
        assert page.evaluate("window.HIT") is None, place
        assert page.locator(f"{inside} :is(script, img, svg, form, a, iframe, [onmouseover])").count() == 0, place
        assert page.evaluate("getComputedStyle(document.body).display") != "none", place
        page.close()
