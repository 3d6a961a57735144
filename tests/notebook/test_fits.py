"""The widget's page fits its window: wide and narrow, light and dark, and what it can be told about that."""
from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tangent_nb.notebook import show

from .browsing import ROOT, launched

pytestmark = [pytest.mark.xdist_group("fits"), pytest.mark.sampled(2)]

X, W, B, Y = np.ones((4, 3)), np.eye(3) / 2, np.zeros(3), np.zeros((4, 3))
SIZES = [(1400, "light"), (1400, "dark"), (700, "light"), (700, "dark")]
INSIDE = """() => { const box = e => e.getBoundingClientRect(), w = box(document.querySelector('.tnb-widget'));
  return [...document.querySelectorAll('.tnb-widget :is(button, .tnb-pane, .tnb-line, .tnb-block)')]
    .filter(e => e.offsetParent && (box(e).right > w.right + 1 || box(e).left < w.left - 1))
    .map(e => e.className + ' ' + e.textContent.slice(0, 40)) }"""
CLIPPED = """() => [...document.querySelectorAll('.tnb-text, .tnb-fold, .tnb-stage, .tnb-fact')].filter(
  e => e.offsetParent && e.scrollWidth > e.clientWidth + 1 && e.clientWidth).map(e => e.textContent)"""


def half(t: Any) -> Any:
    return 0.5 * t


def classifier(x, w, b, y, scale):  # type: ignore[no-untyped-def]
    """Five parameters, a helper, a long line."""
    h = np.tanh(np.dot(x, w) + b)
    r = half(h - y) + np.exp(h) / np.sum(np.exp(h), axis=1, keepdims=True) - np.max(h, axis=1, keepdims=True)
    return scale * np.mean(r * r)


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    shown = show(classifier, wrt="w,b", at={"x": X, "w": W, "b": B, "y": Y, "scale": 2.0}, check=True)
    return shown.export_html(tmp_path_factory.mktemp("fits") / "page.html")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with launched() as browser:
        yield browser


@pytest.fixture(params=SIZES, ids=lambda size: f"{size[0]}-{size[1]}")
def seen(request: pytest.FixtureRequest, saved: Path, browser: Any) -> Iterator[SimpleNamespace]:
    width, scheme = request.param
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page.goto(saved.as_uri())
    yield SimpleNamespace(page=page, widget=page.locator(".tnb-widget"), width=width)
    page.close()


def tab(seen: SimpleNamespace, name: str) -> Any:
    return seen.widget.get_by_role("tab", name=name).first


def test_it_is_as_wide_as_its_window_and_nothing_is_cut(seen: SimpleNamespace) -> None:
    box = seen.widget.bounding_box()
    assert seen.width - 20 < box["width"] <= seen.width
    for name in ("text", "passes", "derivative"):
        tab(seen, name).click()
        assert seen.page.evaluate(INSIDE) == [] and seen.page.evaluate(CLIPPED) == [], name
    assert seen.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_toolbar_has_one_row_where_there_is_room(seen: SimpleNamespace) -> None:
    tops = {round(one.bounding_box()["y"] + one.bounding_box()["height"] / 2)
            for one in seen.widget.locator(".tnb-bar button:visible").all()}
    assert (max(tops) - min(tops) <= 2) == (seen.width == 1400)
    parts = [one.bounding_box()["y"] for one in seen.widget.locator(".tnb-stages [role=tab]").all()]
    assert len(parts) == 5 and len(set(parts)) == 1, "the parts of the way are in one row, in both"


def test_guards_and_the_general_text_are_one_line(seen: SimpleNamespace) -> None:
    derived = seen.widget.locator(".tnb-list").nth(1)
    assert derived.locator(".tnb-fold").all_inner_texts() == [
        "▸ for x: f8[n, k], w: f8[k, m], b: f8[m], y: f8[n, m], scale: float; otherwise general"]
    assert "rt.fits" not in derived.inner_text()
    derived.locator(".tnb-fold").click()
    assert "rt.fits" in derived.inner_text() and derived.locator(".tnb-fold").count() == 2


def test_the_split_is_dragged_and_kept(seen: SimpleNamespace) -> None:
    bar, left = seen.widget.get_by_role("separator"), seen.widget.locator(".tnb-pane").first
    box, before = bar.bounding_box(), left.bounding_box()["width"]
    seen.page.mouse.move(box["x"] + 0.5, box["y"] + 40)
    seen.page.mouse.down()
    seen.page.mouse.move(box["x"] + 100.5, box["y"] + 60, steps=4)
    seen.page.mouse.up()
    assert abs(left.bounding_box()["width"] - before - 100) < 3
    bar.focus()
    seen.page.keyboard.press("ArrowLeft")
    now = int(bar.get_attribute("aria-valuenow"))
    assert abs(now - 100 * left.bounding_box()["width"] / seen.widget.bounding_box()["width"]) < 1.5
    seen.page.reload()
    assert int(seen.widget.get_by_role("separator").get_attribute("aria-valuenow")) == now


def test_lines_are_wrapped_or_scroll(seen: SimpleNamespace) -> None:
    source = seen.widget.locator(".tnb-list").first
    tall = source.locator("[data-row]", has_text="r = half").bounding_box()["height"]
    seen.widget.get_by_role("button", name="wrap").click()
    assert source.locator("[data-row]", has_text="r = half").bounding_box()["height"] < 25 < tall
    assert source.evaluate("e => e.scrollWidth > e.clientWidth")
    seen.page.reload()
    assert seen.widget.get_by_role("button", name="wrap").get_attribute("aria-pressed") == "false"


def test_an_expression_lights_what_it_caused_and_back(seen: SimpleNamespace) -> None:
    source, derived = seen.widget.locator(".tnb-list").all()

    def lit(pane: Any) -> list[str]:
        rows = pane.locator(".tnb-hot").all()
        return ["".join(row.locator("[data-terms].tnb-lit").all_inner_texts()) for row in rows]

    source.locator("[data-row]", has_text="h = np.tanh").locator("[data-terms]", has_text="dot(").first.hover()
    assert lit(source) == ["np.dot(x, w)"] and lit(derived) == ["np.dot(x, w)", "bw = np.dot(x.T, btotal)"]
    assert seen.widget.locator(".tnb-words").inner_text().startswith("line 34: np.dot(x, w); it caused")
    derived.locator("[data-row]", has_text="bw = np.dot").locator("[data-name=btotal]").first.hover()
    assert lit(source) == ["np.dot(x, w)"]
    derived.locator("[data-name=bh]").first.hover()
    assert source.locator(".tnb-same").all_inner_texts().count("h") >= 4


def test_lines_of_a_callee_say_whose_they_are(seen: SimpleNamespace) -> None:
    titles = seen.widget.locator(".tnb-list").first.locator(".tnb-title").all_inner_texts()
    assert [title.split(" ")[0] for title in titles] == ["half", "classifier"]
    cues = seen.widget.locator(".tnb-list").nth(1).locator(".tnb-cue").all_inner_texts()
    assert any("half:29" in cue and "35" in cue for cue in cues)


def test_a_helper_unfolds_into_its_text(seen: SimpleNamespace) -> None:
    derived = seen.widget.locator(".tnb-list").nth(1)
    derived.locator("[data-helper=share]").first.click()
    derived.locator(".tnb-shown", has_text=">>> share(").first.wait_for()    # out of sight it comes later
    notes = derived.locator(".tnb-says, .tnb-shown").all_inner_texts()
    assert notes[0].startswith("rt.share: The slope of an extreme value") and notes[1].startswith("def share(x")
    assert any(">>> share(np.array([1.0, 3.0, 3.0]), 3.0)" in one for one in notes)
    assert seen.page.evaluate(INSIDE) == [] and seen.page.evaluate(CLIPPED) == []
    derived.focus()
    seen.page.keyboard.press("Home")
    derived.locator("[data-helper=share]").first.click()
    assert derived.locator(".tnb-says").count() == 0


def test_a_changed_line_stands_behind_what_it_was(seen: SimpleNamespace) -> None:
    tab(seen, "passes").click()
    tab(seen, "copy_propagation").click()
    seen.widget.get_by_role("button", name="diff").click()
    derived = seen.widget.locator(".tnb-list").nth(1)
    old = derived.locator(".tnb-removed.tnb-paired").first
    new = derived.locator(".tnb-removed.tnb-paired + .tnb-added.tnb-paired").first
    assert old.locator(".tnb-changed").count() and new.locator(".tnb-changed").count()


def test_presenting_reveals_the_backward_lines(seen: SimpleNamespace) -> None:
    source, derived = seen.widget.locator(".tnb-list").all()
    size = derived.evaluate("e => parseFloat(getComputedStyle(e).fontSize)")
    seen.widget.get_by_role("button", name="present").click()
    seen.page.wait_for_timeout(300)
    assert derived.evaluate("e => parseFloat(getComputedStyle(e).fontSize)") > 1.25 * size
    assert not seen.widget.locator(".tnb-bar").is_visible() and not seen.widget.locator(".tnb-strip").is_visible()
    back = [row for row in derived.locator("[data-row]").all()
            if row.locator(".tnb-cue").text_content().startswith("←")]
    assert len(back) > 3 and not any(row.is_visible() for row in back)
    for count, row in enumerate(back, 1):
        seen.page.keyboard.press("Space" if count % 2 else "ArrowRight")
        assert row.is_visible() and sum(one.is_visible() for one in back) == count
        assert "tnb-hot" in row.get_attribute("class") and source.locator(".tnb-hot").count() >= 1
    assert seen.page.evaluate(CLIPPED) == []
    seen.page.keyboard.press("Escape")
    seen.page.wait_for_timeout(300)
    assert seen.widget.locator(".tnb-bar").is_visible()


def test_what_is_told_stands_above_the_code(seen: SimpleNamespace) -> None:
    line, panes = seen.widget.locator(".tnb-line").bounding_box(), seen.widget.locator(".tnb-panes").bounding_box()
    assert line["y"] + line["height"] <= panes["y"] + 1 < 300
    tab(seen, "passes").click()
    assert "unbroadcast: nothing is unbroadcast" in seen.widget.locator(".tnb-words").inner_text()


def test_axe_finds_nothing_serious(seen: SimpleNamespace) -> None:
    seen.page.evaluate((ROOT / "js" / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8"))
    for name in ("text", "passes"):
        tab(seen, name).click()
        found = seen.page.evaluate("axe.run(document, {resultTypes: ['violations', 'passes']})")
        assert [one["id"] for one in found["violations"] if one["impact"] in ("serious", "critical")] == []
        assert "color-contrast" in [one["id"] for one in found["passes"]]
