"""Stepping in a real JupyterLab: an MLP from the first line to the end of its backward pass, values as NumPy has them.

With KEEP_SCREENSHOTS the pictures of docs/stepping.md are made anew.
"""
from __future__ import annotations

import json
import os
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tangent_nb.notebook.wire import inflated

from .browsing import ROOT, brightness, launched, places, run_all, served, write_notebook

MLP = """%%grad -w w1,b1,w2 --step --at "x=X, w1=W1, b1=B1, w2=W2, y=Y"
def mlp(x, w1, b1, w2, y):
    h = np.tanh(x @ w1 + b1)
    out = h @ w2
    r = out - y
    return np.sum(r * r)
"""
CELLS = [
    "%load_ext tangent_nb\nimport numpy as np\n"
    "a = np.random.default_rng(0).normal\n"
    "X, W1, B1, W2, Y = a(size=(3, 4)), a(size=(4, 5)), a(size=5), a(size=(5, 2)), a(size=(3, 2))",
    MLP, "print('all', 'done')",
    "%%grad --at \"x=1.0, n=17_000\"\ndef settle(x, n):\n    for _ in range(n):\n        x = x - 0.5 * np.sin(x)\n"
    "    return x\n",
    "print('more', 'done')",
]


@pytest.fixture(scope="module", params=places("stepping"))
def seen(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SimpleNamespace]:
    work = tmp_path_factory.mktemp("stepping")
    write_notebook(work / "t.ipynb", CELLS)
    app, theme = request.param
    with launched() as browser, served(work, app, theme) as server:
        page = browser.new_page(viewport={"width": 1400, "height": 1150})
        run_all(page, server.address("t.ipynb"), "more done")
        widgets = page.locator(".tnb-widget")
        widgets.nth(1).wait_for(timeout=60_000)
        yield SimpleNamespace(page=page, widget=widgets.first, long=widgets.nth(1), app=app, theme=theme, work=work)
        page.close()


def by_hand() -> dict[str, Any]:
    """The backward pass of the network, written out."""
    a = np.random.default_rng(0).normal
    x, w1, b1, w2, y = a(size=(3, 4)), a(size=(4, 5)), a(size=5), a(size=(5, 2)), a(size=(3, 2))
    h = np.tanh(x @ w1 + b1)
    r = h @ w2 - y
    br = 2.0 * r
    bh = br @ w2.T
    bz = bh * (1.0 - h ** 2)
    return {"x": x, "w1": w1, "w2": w2, "h": h, "r": r, "br": br, "bh": bh, "bw2": h.T @ br, "bb1": bz.sum(axis=0),
            "bw1": x.T @ bz}


def cells(widget: Any, name: str) -> Any:
    """The numbers that the table has for a variable, or for a cotangent, as its cells say them."""
    return np.array(widget.evaluate("""(root, name) => {
        for (const row of root.querySelectorAll('.tnb-step tbody tr')) {
            const [, value, cotangent] = row.children;
            const own = row.querySelector('[data-name]').dataset.name;
            const partner = cotangent?.querySelector('.tnb-partner')?.textContent.trim();
            const cell = own === name ? value : partner === name ? cotangent : null;
            if (cell !== null && cell.querySelector('.tnb-cellbox') !== null)
                return [...cell.querySelectorAll('.tnb-cellbox')].map(one => Number(one.title));
        }
        return [] }""", name))


def place(widget: Any) -> str:
    return str(widget.locator(".tnb-at").inner_text())


def test_an_mlp_to_the_end_of_its_backward_pass(seen: SimpleNamespace) -> None:
    widget = seen.widget
    widget.locator(".tnb-step tbody tr").first.wait_for(timeout=30_000)
    assert place(widget).startswith("step 1 of 12")
    lines = []
    while not place(widget).startswith("step 12 of 12"):
        widget.get_by_role("button", name="next step").click()
        now = widget.locator(".tnb-pane").nth(1).locator(".tnb-now")
        lines.append(now.inner_text().split("\n")[-1].strip())
        assert now.get_attribute("aria-current") == "step"
    assert any("bw1 = x.T @ " in line for line in lines) and "return bw1, bb1, bw2" in lines[-1]
    assert "backward sweep" in place(widget)
    expected = by_hand()
    assert len(expected) == 10
    for name, value in expected.items():
        found = cells(widget, name)
        assert found.size == value.size and np.allclose(found, value.ravel(), rtol=1e-12, atol=1e-14), name
    mark = widget.locator(".tnb-pane").nth(1).locator(".tnb-now .tnb-gutter")
    assert "▶" in mark.evaluate("one => getComputedStyle(one, '::after').content")


def test_the_slider_and_its_keys(seen: SimpleNamespace) -> None:
    widget, slider = seen.widget, seen.widget.get_by_role("slider", name="step")
    slider.focus()
    slider.press("Home")
    assert place(widget).startswith("step 1 of 12")
    slider.press("ArrowRight")
    slider.press("ArrowRight")
    assert place(widget).startswith("step 3 of 12")
    slider.press("End")
    assert place(widget).startswith("step 12 of 12")
    slider.press("ArrowLeft")
    changed = widget.locator(".tnb-step td.tnb-changed")
    assert "bw1" in changed.inner_text() and changed.locator(".tnb-dot").is_visible()


def test_it_fits_and_follows_the_theme(seen: SimpleNamespace) -> None:
    background = seen.widget.locator(".tnb-step").evaluate("one => getComputedStyle(one).backgroundColor")
    assert (brightness(background) > 200) == (seen.theme == "Light")
    for width in (700, 1400):
        seen.page.set_viewport_size({"width": width, "height": 1500})
        seen.page.wait_for_timeout(500)
        wide = seen.widget.evaluate("""root => [...root.querySelectorAll('.tnb-stepbar, .tnb-place, .tnb-stepbody')]
            .filter(one => one.scrollWidth > one.clientWidth + 1).map(one => one.className)""")
        assert wide == []
        path = seen.work / f"step-{seen.theme.lower()}-{width}.png"
        seen.widget.scroll_into_view_if_needed()
        seen.widget.screenshot(path=path)
        if width == 1400 and seen.app == "lab" and os.environ.get("KEEP_SCREENSHOTS"):
            (ROOT / "docs" / "images" / f"step-{seen.theme.lower()}.png").write_bytes(path.read_bytes())


def test_100_000_steps_are_gone_through(seen: SimpleNamespace) -> None:
    long = seen.long
    long.get_by_role("button", name="step", exact=True).click()
    long.locator(".tnb-step tbody tr").first.wait_for(timeout=120_000)
    steps = int(place(long).split(" of ")[1].split(" ")[0])
    assert steps >= 100_000 or long.locator(".tnb-note", has_text="more ran").count() == 1
    slider = long.get_by_role("slider", name="step")
    slider.press("End")
    long.locator(".tnb-stepbody[aria-busy=false]").wait_for(timeout=30_000)
    assert place(long).startswith(f"step {steps} of {steps}")
    slider.press("Home")
    for _ in range(4):
        long.get_by_role("button", name="next step").click()
    assert "x_saved.append(x)" in long.locator(".tnb-step .tnb-place").inner_text()
    assert "one was put on" in long.locator(".tnb-stack").inner_text()


def test_a_saved_notebook_does_not_hold_the_run(seen: SimpleNamespace) -> None:
    seen.page.evaluate("window.jupyterapp.commands.execute('docmanager:save')")
    seen.page.wait_for_timeout(1500)
    text = (seen.work / "t.ipynb").read_text(encoding="utf-8")
    kept = [output["data"]["application/vnd.tangent_nb+json"] for cell in json.loads(text)["cells"]
            for output in cell.get("outputs", ()) if "application/vnd.tangent_nb+json" in output.get("data", {})]
    assert kept and not any("moments" in inflated(one) for one in kept) and len(text) < 120_000
