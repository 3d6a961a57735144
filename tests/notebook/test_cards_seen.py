"""Cards in a real JupyterLab and Notebook 7: by the pointer, by the keys, in both themes, in wide and narrow windows.

With KEEP_SCREENSHOTS the pictures of docs/cards.md are made anew.
"""
from __future__ import annotations

import os
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from .browsing import ROOT, brightness, launched, places, run_all, served, write_notebook

CELLS = [
    "%load_ext tangent_nb\nimport numpy as np\na = np.random.default_rng(0).normal\n"
    "X, W, B, Y = a(size=(16, 6)), a(size=(6, 10)), a(size=10), a(size=(16, 10))",
    '%%grad -w w,b --at "x=X, w=W, b=B, y=Y"\ndef loss(x, w, b, y):\n    unused = w * 2.0\n'
    "    h = np.tanh(np.dot(x, w) + b)\n    r = h - y\n    return np.mean(r * r)",
    '%%grad -w x\ndef settle(x, n):\n    for i in range(n):\n        x = x - 0.5 * np.sin(x)\n    return np.sum(x * x)',
    "P = np.array([0.3, 0.7, 1.1])\ng = dsettle_dx(P, 5)",
    "print('all', 'done')",
]
AXE = ROOT / "js" / "node_modules" / "axe-core" / "axe.min.js"
CARD = ".tnb-card:popover-open"


@pytest.fixture(scope="module", params=places("cards"))
def seen(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SimpleNamespace]:
    work = tmp_path_factory.mktemp("cards")
    write_notebook(work / "t.ipynb", CELLS)
    app, theme = request.param
    with launched() as browser, served(work, app, theme) as server:
        page = browser.new_page(viewport={"width": 1400, "height": 1000})
        run_all(page, server.address("t.ipynb"), "all done")
        widgets = page.locator(".tnb-widget")
        widgets.nth(1).wait_for(timeout=60_000)
        yield SimpleNamespace(page=page, widget=widgets.first, loop=widgets.nth(1), app=app, theme=theme,
                              work=work)
        page.close()


def point(seen: SimpleNamespace, widget: Any, pane: int, line: str, at: str) -> Any:
    """Let the pointer rest at a part of a line; the card that comes."""
    seen.page.mouse.move(2, 2)
    seen.page.locator(CARD).wait_for(state="hidden")
    row = widget.locator(".tnb-pane").nth(pane).locator(".tnb-row", has_text=line).first
    part = row.locator(at).first
    part.scroll_into_view_if_needed()
    seen.page.wait_for_timeout(400)                # a window that scrolls sends cards away
    part.hover(force=True)
    card = seen.page.locator(CARD)
    card.wait_for(timeout=10_000)
    inside(seen, card, row)
    return card


def inside(seen: SimpleNamespace, card: Any, row: Any) -> None:
    """The card is in the window, and not over the line that it is about."""
    box, line, size = card.bounding_box(), row.bounding_box(), seen.page.viewport_size
    assert box["x"] >= 0 and box["y"] >= 0
    assert box["x"] + box["width"] <= size["width"] and box["y"] + box["height"] <= size["height"]
    assert box["y"] + box["height"] <= line["y"] or line["y"] + line["height"] <= box["y"]
    assert card.evaluate("one => one.scrollWidth <= one.clientWidth")


def test_a_name_shows_its_shape_and_its_values(seen: SimpleNamespace) -> None:
    card = point(seen, seen.widget, 0, "h = np.tanh", "[data-name=h]")
    text = card.inner_text()
    assert "f8[n, m]" in text and "(16, 10) float64, " in text and "after line " in text
    assert card.locator(".tnb-cellbox").count() == 160
    assert card.get_attribute("role") == "tooltip"
    background = brightness(card.evaluate("one => getComputedStyle(one).backgroundColor"))
    assert (background > 200) == (seen.theme == "Light")
    assert seen.widget.locator(".tnb-same").count() > 1              # what lights up does so still


def test_an_expression_shows_its_rule(seen: SimpleNamespace) -> None:
    card = point(seen, seen.widget, 1, "btotal = ", "[data-terms]:has-text('(')")
    assert "rule of np.tanh" in card.inner_text()
    assert card.locator("math[aria-label='x̄ += ȳ (1 − y²)']").bounding_box()["height"] > 8


def test_activity_is_said(seen: SimpleNamespace) -> None:
    card = point(seen, seen.widget, 0, "unused = ", "[data-name=unused]")
    assert "Does not reach the result: no derivative." in card.inner_text()


def test_a_number_shows_the_line_and_why_it_saves(seen: SimpleNamespace) -> None:
    card = point(seen, seen.loop, 1, "x_saved.append", ".tnb-number")
    assert "x is kept in x_saved, because line " in card.inner_text()


def test_the_last_call_is_run_when_asked_for(seen: SimpleNamespace) -> None:
    card = point(seen, seen.loop, 1, "x = x - 0.5", "[data-name=x]")
    assert "as in dsettle_dx(P, 5)" in card.inner_text() and "float64" not in card.inner_text()
    card.get_by_role("button", name="run for the values").click()
    card.locator(".tnb-cellbox").first.wait_for(timeout=10_000)
    assert "the last of 5 times" in card.inner_text() and "values of dsettle_dx(P, 5)" in card.inner_text()


def test_the_keys_open_and_close_it(seen: SimpleNamespace) -> None:
    page, card = seen.page, seen.page.locator(CARD)
    page.mouse.move(2, 2)
    card.wait_for(state="hidden")
    source = seen.widget.get_by_role("listbox").first
    source.focus()
    source.press("Home")
    for _ in range(2):
        source.press("ArrowDown")
    source.press("Enter")
    card.wait_for(timeout=10_000)
    assert "np.tanh(np.dot(x, w) + b)" in card.inner_text()
    assert source.get_attribute("aria-describedby") == card.get_attribute("id")
    source.press("]")
    page.wait_for_timeout(200)
    assert card.locator(".tnb-cardhead").first.inner_text().startswith("np.tanh")
    source.press("Escape")
    card.wait_for(state="hidden")
    assert seen.widget.locator("[aria-selected=true]").count() >= 1
    source.press("?")
    card.wait_for(timeout=10_000)
    assert card.get_attribute("role") == "dialog" and card.evaluate("one => one === document.activeElement")
    page.keyboard.press("Escape")
    card.wait_for(state="hidden")
    assert source.evaluate("one => one === document.activeElement")
    source.press("Escape")


def test_in_a_narrow_window_it_is_inside_still(seen: SimpleNamespace) -> None:
    pictures = [("name", seen.widget, 0, "h = np.tanh", "[data-name=h]"),
                ("rule", seen.widget, 1, "btotal = ", ".tnb-number"),
                ("saved", seen.loop, 1, "x_saved.append", ".tnb-number")]
    for width in (700, 1400):
        seen.page.set_viewport_size({"width": width, "height": 1000})
        seen.page.wait_for_timeout(600)
        for name, *where in pictures:
            point(seen, *where)
            seen.page.wait_for_timeout(250)
            path = seen.work / f"card-{name}-{width}-{seen.theme.lower()}.png"
            seen.page.screenshot(path=path)
            if os.environ.get("KEEP_SCREENSHOTS") and seen.app == "lab":
                (ROOT / "docs" / "images" / path.name).write_bytes(path.read_bytes())


@pytest.mark.skipif(not AXE.exists(), reason="axe is not installed")
def test_axe_finds_nothing(seen: SimpleNamespace) -> None:
    seen.page.evaluate(AXE.read_text(encoding="utf-8"))
    for widget, pane, line, at in ((seen.widget, 0, "h = np.tanh", "[data-name=h]"),
                                   (seen.widget, 1, "btotal = ", ".tnb-number"),
                                   (seen.loop, 1, "x_saved.append", ".tnb-number")):
        point(seen, widget, pane, line, at)
        found = seen.page.evaluate("""async () => (await axe.run('.tnb-card:popover-open')).violations
            .map(one => one.id + ': ' + one.nodes.map(node => node.html).join(' '))""")
        assert found == []
