"""The sampled tape, seen in a browser: marks beside the lines, the slider, and the gradient's spread beside it.

With KEEP_SCREENSHOTS the pictures of docs/sampled-tape.md are made anew.
"""
from __future__ import annotations

import os
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from .browsing import ROOT, launched, places, run_all, serious, served, write_notebook

CELLS = [
    "%load_ext tangent_nb\nimport numpy as np\nrng = np.random.default_rng(0)\n"
    "W1, W2 = rng.normal(size=(40, 30)) / 6, rng.normal(size=(30, 4)) / 5\n"
    "X, Y = rng.normal(size=(50, 40)), rng.normal(size=(50, 4))",
    "%%grad -w w1,w2 --at \"w1=W1, w2=W2, x=X, y=Y\" --tape sampled:0.1,seed=0\n"
    "def loss(w1, w2, x, y):\n    h = np.maximum(x @ w1, 0.0)\n    r = h @ w2 - y\n    return np.mean(r * r)\n",
    "%%grad -w w\ndef smooth(w, x):\n    t = np.exp(w) + x\n    return np.sum(t)\n",
    "print('all', 'done')",
]
SPREAD = 60_000


@pytest.fixture(scope="module", params=places("spread"))
def seen(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SimpleNamespace]:
    app, theme = request.param
    work = tmp_path_factory.mktemp("spread")
    write_notebook(work / "t.ipynb", CELLS)
    with launched() as browser, served(work, app, theme) as server:
        page = browser.new_page(viewport={"width": 1400, "height": 1500})
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        run_all(page, server.address("t.ipynb"), "all done")
        widgets = page.locator(".tnb-widget")
        widgets.nth(1).wait_for(timeout=60_000)
        yield SimpleNamespace(page=page, loss=widgets.first, smooth=widgets.nth(1), theme=theme, app=app, errors=errors)
        page.close()


def kept(seen: SimpleNamespace, what: Any, name: str) -> None:
    if os.environ.get("KEEP_SCREENSHOTS") and seen.app == "lab":
        what.screenshot(path=str(ROOT / "docs" / "images" / f"{name}-{seen.theme.lower()}.png"))


def press(widget: Any, name: str) -> None:
    widget.get_by_role("button", name=name, exact=True).click()


def slider(widget: Any) -> Any:
    return widget.get_by_label("fraction that is kept", exact=True)


def pies(widget: Any, pane: int) -> list[str]:
    """The texts of the rows of a pane that have a mark."""
    return [text.split("\n")[-1] for text in widget.locator(".tnb-pane").nth(pane).locator(
        "[data-row]:has(.tnb-pie) .tnb-text").all_inner_texts()]


def fits(widget: Any) -> Any:
    return widget.evaluate("""root => [...root.querySelectorAll(
        'button, select, input, .tnb-legend, .tnb-pane, .tnb-curve, .tnb-spread > *')].filter(
        one => one.getBoundingClientRect().right > root.getBoundingClientRect().right + 1).length""") == 0


def told(widget: Any) -> str:
    return str(widget.locator(".tnb-samplingbar .tnb-facts").inner_text())


def test_samples_are_marked_in_both_panes(seen: SimpleNamespace) -> None:
    derived = pies(seen.loss, 1)
    assert any("rt.sample(x" in text for text in derived) and any("rt.drawn(h_sampled)" in text for text in derived)
    assert any("rt.pack_bits(" in text for text in derived) and not any("# forward" in text for text in derived)
    assert [text.strip() for text in pies(seen.loss, 0)] == ["h = np.maximum(x @ w1, 0.0)", "r = h @ w2 - y"]
    row = seen.loss.locator("[data-row]", has_text="h_sampled = rt.sample").first
    assert "sample of h kept (0.1 of the last axis, places drawn with replacement" in row.text_content()
    box = row.locator(".tnb-pie").bounding_box()
    assert box is not None and 10 <= box["width"] == pytest.approx(box["height"], abs=0.5)
    press(seen.loss, "raw")
    assert pies(seen.loss, 1) == pies(seen.loss, 0) == []
    press(seen.loss, "optimized")
    assert seen.smooth.locator(".tnb-pie:visible").count() == 0


def test_marks_and_what_they_mean_are_presented_as_large_as_the_type_is(seen: SimpleNamespace) -> None:
    legend, moves = seen.loss.locator(".tnb-legend"), slider(seen.loss)
    small = seen.loss.locator(".tnb-list .tnb-pie").first.bounding_box()
    press(seen.loss, "present")
    seen.loss.locator(".tnb-presenter").wait_for()
    large = seen.loss.locator(".tnb-list .tnb-pie").first.bounding_box()
    assert small is not None and large is not None and large["width"] > 1.2 * small["width"]
    assert legend.is_visible() and not moves.is_visible()
    seen.page.keyboard.press("Escape")
    moves.wait_for()


def test_the_spread_stands_beside_the_slider_and_follows_it(seen: SimpleNamespace) -> None:
    assert seen.loss.locator(".tnb-spread svg").count() == 0               # nothing runs unasked
    press(seen.loss, "spread")
    seen.loss.locator(".tnb-spread tbody tr").first.wait_for(timeout=SPREAD)
    assert "draws in" in told(seen.loss) and ", exact " in told(seen.loss)
    assert seen.loss.get_by_role("img", name="w1: draws along the exact gradient").count() == 1
    row = seen.loss.locator("[data-row]", has_text="h_sampled = rt.sample").first
    assert "12 kB exact, 1.2 kB kept" in row.text_content()
    press(seen.loss, "sweep")
    seen.loss.get_by_role("button", name="sweep", exact=True).wait_for(timeout=2 * SPREAD)
    curve = seen.loss.get_by_role("img", name="spread of the gradient for each fraction")
    assert curve.get_attribute("aria-label").count("%") == 6
    spread = [float(part.split(": ")[1].split(" %")[0]) for part in curve.get_attribute("aria-label").split(", ")
              if "%" in part and part.count(": ") == 1]
    assert spread == sorted(spread, reverse=True)
    slider(seen.loss).focus()
    for _ in range(6):
        seen.page.keyboard.press("ArrowRight")
    seen.loss.locator("[data-row]", has_text="fraction=0.2)").first.wait_for(timeout=SPREAD)
    assert slider(seen.loss).get_attribute("aria-valuetext") == "0.2"
    seen.page.wait_for_function(
        "() => !document.querySelector('.tnb-samplingbar .tnb-facts').textContent.includes('…')")
    assert seen.page.evaluate("document.activeElement.type") == "range"    # where the reader was
    kept(seen, seen.loss, "sampled")
    assert fits(seen.loss)
    seen.page.set_viewport_size({"width": 700, "height": 2200})
    assert fits(seen.loss)
    kept(seen, seen.loss, "sampled-700")
    seen.page.set_viewport_size({"width": 1400, "height": 1500})


def test_what_is_refused_is_shown_and_the_slider_goes_back(seen: SimpleNamespace) -> None:
    number = seen.loss.get_by_label("fraction that is kept, as a number")
    before = number.input_value()
    number.fill("7")
    number.press("Enter")
    seen.loss.locator(".tnb-alert", has_text="at most 1, not 7").wait_for(timeout=SPREAD)
    assert number.input_value() == before
    press(seen.loss, "forward")
    seen.loss.locator(".tnb-alert", has_text="choose the exact tape first").wait_for(timeout=SPREAD)
    press(seen.smooth, "sampled")
    alert = seen.smooth.locator(".tnb-alert[role=alert]")
    alert.wait_for(timeout=SPREAD)
    assert "samples nothing here" in alert.inner_text() and seen.smooth.locator(".tnb-sampling:visible").count() == 0


def test_exact_and_back(seen: SimpleNamespace) -> None:
    fraction = slider(seen.loss).get_attribute("aria-valuetext")
    press(seen.loss, "exact tape")
    seen.loss.locator(".tnb-sampling").wait_for(state="hidden", timeout=SPREAD)
    assert pies(seen.loss, 0) == pies(seen.loss, 1) == []
    press(seen.loss, "sampled")
    seen.loss.locator(".tnb-sampling").wait_for(timeout=SPREAD)
    assert slider(seen.loss).get_attribute("aria-valuetext") == fraction and pies(seen.loss, 1) != []


def test_axe_finds_nothing_serious(seen: SimpleNamespace) -> None:
    if seen.loss.get_by_role("button", name="spread", exact=True).get_attribute("aria-pressed") != "true":
        press(seen.loss, "spread")
    seen.loss.locator(".tnb-spread tbody tr").first.wait_for(timeout=SPREAD)
    assert serious(seen.page, ".tnb-widget") == []
    assert [one for one in seen.errors if "schema" not in one] == []       # Notebook has one of its own
