"""What ran, and two texts beside one another, in a real JupyterLab.

With KEEP_SCREENSHOTS the pictures of docs/versions.md are made anew.
"""
from __future__ import annotations

import os
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from .browsing import ROOT, launched, places, run_all, serious, served, write_notebook

LAYER = """def loss(x, w, b, y):
    h = np.tanh(x @ w + b)
    r = h - y
    return np.mean(r * r)
"""
CELLS = [
    "%load_ext tangent_nb\nimport numpy as np\n"
    "X, W, B, Y = np.ones((40, 30)), np.ones((30, 20)), np.ones(20), np.ones((40, 20))",
    "%%grad -w w,b\n" + LAYER,
    "dloss_dw_db(X, W, B, Y); print('called')",
    "%%grad -w w,b --at \"x=X, w=W, b=B, y=Y\"\n" + LAYER.replace("loss", "cost"),
    "dloss_dw_db(X[0], W, B, Y[0]); dcost_dw_db(X[0], W, B, Y[0]); print('all', 'done')",
]


@pytest.fixture(scope="module", params=places("beside"))
def seen(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SimpleNamespace]:
    work = tmp_path_factory.mktemp("beside")
    write_notebook(work / "t.ipynb", CELLS)
    app, theme = request.param
    with launched() as browser, served(work, app, theme) as server:
        page = browser.new_page(viewport={"width": 1400, "height": 1500})
        run_all(page, server.address("t.ipynb"), "all done")
        widgets = page.locator(".tnb-widget")
        widgets.nth(1).wait_for(timeout=60_000)
        yield SimpleNamespace(page=page, plain=widgets.first, at=widgets.nth(1), app=app, theme=theme)
        page.close()


def choose(widget: Any, text: str) -> None:
    box = widget.locator(".tnb-tools select")
    label = next(one for one in box.locator("option").all_inner_texts() if text in one)
    box.select_option(label=label)


def kept(seen: SimpleNamespace, widget: Any, name: str) -> None:
    if os.environ.get("KEEP_SCREENSHOTS") and seen.app == "lab":
        widget.screenshot(path=str(ROOT / "docs" / "images" / f"{name}-{seen.theme.lower()}.png"))


def test_of_two_texts_in_one_it_is_said_which_ran(seen: SimpleNamespace) -> None:
    ran = seen.at.locator(".tnb-ran")
    ran.wait_for(timeout=20_000)
    assert ran.inner_text() == "the last call ran the general text, which stands below"


def test_what_ran_is_said_and_shown(seen: SimpleNamespace) -> None:
    ran = seen.plain.locator(".tnb-ran")
    ran.wait_for(timeout=20_000)
    assert "the last call ran the text for x: f8[n], w: f8[n, k], b: f8[k], y: f8[k]" in ran.inner_text()
    choose(seen.plain, "x: f8[n, k], w: f8[k, m], b: f8[m], y: f8[n, m]")
    beside = seen.plain.locator(".tnb-beside")
    beside.wait_for(timeout=20_000)
    text = beside.inner_text()
    assert "x.T @ " in text and "rt." not in text
    row = beside.locator("[data-row]", has_text="x.T @ ")
    row.hover()
    assert "h = np.tanh(x @ w + b)" in seen.plain.locator(".tnb-pane").first.locator(".tnb-hot").first.inner_text()
    kept(seen, seen.plain, "beside-ran")
    seen.plain.get_by_role("button", name="time both").click(force=True)
    assert "timing needs arguments" in seen.plain.locator(".tnb-told").inner_text()


def test_both_are_timed(seen: SimpleNamespace) -> None:
    choose(seen.at, "no passes")
    seen.at.locator(".tnb-beside").wait_for(timeout=20_000)
    seen.at.get_by_role("button", name="time both").click()
    seen.at.locator(".tnb-figures td", has_text="×").wait_for(timeout=30_000)
    shown, other = ([one.inner_text() for one in row.locator("td").all()]
                    for row in seen.at.locator(".tnb-figures tbody tr").all())
    assert int(shown[0]) < int(other[0])                                   # lines
    assert other[2].endswith("×") and float(other[2].split()[0]) > 1.0
    assert shown[3].endswith("B") and other[4].endswith("B")
    kept(seen, seen.at, "beside-raw")
    assert serious(seen.page, ".tnb-widget") == []
    seen.page.set_viewport_size({"width": 700, "height": 1900})
    kept(seen, seen.at, "beside-raw-700")
    assert seen.at.evaluate("""root => [...root.querySelectorAll('button, select, .tnb-pane, .tnb-figures')]
        .every(one => one.getBoundingClientRect().right <= root.getBoundingClientRect().right)""")
    kept(seen, seen.at, "beside-raw-700")
    seen.page.set_viewport_size({"width": 1400, "height": 1500})
    seen.at.get_by_role("button", name="✕ close").click()
    assert seen.at.locator(".tnb-beside").count() == 0
