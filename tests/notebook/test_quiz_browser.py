"""A quiz in a real JupyterLab, as a student does it: wrong, a hint, right, points.

With KEEP_SCREENSHOTS the pictures of docs/watch-and-quiz.md are made anew.
"""
from __future__ import annotations

import json
import os
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from .browsing import IDLE, ROOT, brightness, launched, run_all, served, write_notebook

pytestmark = pytest.mark.xdist_group("quiz")       # one worker starts JupyterLab, once

SETUP = """%load_ext tangent_nb
import numpy as np, tangent_nb as tnb
X, W, B = np.arange(6.0).reshape(3, 2) / 4.0, np.eye(2), np.zeros(2)
def layer(x, w, b):
    h = np.tanh(x @ w + b)
    return np.sum(h * h)"""
POSE = ('%quiz layer --at "x=X, w=W, b=B" -w w,b --points bh=1,bz=2,bw=1,bb=1,return=1 \\\n'
        '    --names "bz=x @ w + b"')
TEMPLATE = """%%quiz layer
def dlayer(x, w, b):
    h = np.tanh(x @ w + b)
    bh = ...
    bz = ...
    bw = ...
    bb = ...
    return ..."""
WRONG = """%%quiz layer
def dlayer(x, w, b):
    h = np.tanh(x @ w + b)
    bh = h
    bz = bh * (1.0 - h * h)
    bw = x.T @ bz
    bb = bz
    return bw, bb"""
RIGHT = WRONG.replace("bh = h", "bh = 2.0 * h").replace("bb = bz", "bb = bz.sum(axis=0)")
SOLUTION = ("2.0 * h", "1.0 - h * h", "x.T @", ".sum(axis=0)", "Grad of", "dlayer_dw", "rt.")
CLIPPED = """() => [...document.querySelectorAll('.tnb-quiz :is(button, .tnb-name, .tnb-verdict, .tnb-amount, pre)')]
  .filter(e => { const own = e.getBoundingClientRect(), all = e.closest('.tnb-quiz').getBoundingClientRect();
    return e.offsetParent && !e.closest('table') &&
      (own.right > all.right + 1 || own.left < all.left - 1) }).map(e => e.textContent)"""


@pytest.fixture(scope="module", params=["Light", "Dark"])
def lab(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SimpleNamespace]:
    """A lesson whose cells have run, with the template for the answer."""
    work = tmp_path_factory.mktemp("quiz")
    write_notebook(work / "t.ipynb", [SETUP, POSE, TEMPLATE, "print('all', 'done')"])
    with launched() as browser, served(work, theme=request.param) as server:
        page = browser.new_page(viewport={"width": 1400, "height": 1300},
                                color_scheme="dark" if request.param == "Light" else "light")
        run_all(page, server.address("t.ipynb"), "all done")
        page.locator(".tnb-quiz").nth(1).wait_for(timeout=60_000)
        yield SimpleNamespace(page=page, work=work, theme=request.param, server=server, browser=browser)


def answer(lab: SimpleNamespace, cell: str, shows: str) -> Any:
    """Write an answer into the cell, run it, and wait for the points."""
    lab.page.evaluate("""async source => {
        const { content } = window.jupyterapp.shell.currentWidget;
        content.activeCellIndex = 2;
        content.activeCell.model.sharedModel.setSource(source);
        await window.jupyterapp.commands.execute('notebook:run-cell'); }""", cell)
    quiz = lab.page.locator(".tnb-quiz").nth(1)
    quiz.locator(".tnb-score", has_text=shows).wait_for(timeout=60_000)
    return quiz


def card(quiz: Any, name: str) -> Any:
    return quiz.get_by_role("listitem", name=name, exact=True)


def test_the_template_is_empty_and_raises_nothing(lab: SimpleNamespace) -> None:
    quiz = answer(lab, TEMPLATE, "0 of 6 points")
    assert quiz.locator(".tnb-verdict").all_inner_texts() == ["empty"] * 5
    assert lab.page.locator('[data-mime-type="application/vnd.jupyter.error"], [data-mime-type*="stderr"]').count() == 0


def test_wrong_then_a_hint_then_right(lab: SimpleNamespace) -> None:
    quiz = answer(lab, WRONG, "4 of 6 points")
    assert card(quiz, "bz").locator(".tnb-verdict").inner_text() == "right after an error in line 4"
    assert "found shape (3, 2), expected shape (2,)" in card(quiz, "bb").inner_text()
    hint = card(quiz, "bb").get_by_role("button", name="hint")
    hint.focus()
    lab.page.keyboard.press("Enter")
    card(quiz, "bb").locator(".tnb-hints li").wait_for()
    assert card(quiz, "bb").locator(".tnb-hints").inner_text() == "b is read in line 5, the sum rule"
    assert hint.evaluate("e => e === document.activeElement"), "the next hint is a key away"
    assert quiz.get_by_role("status").inner_text().startswith("hint for bb: b is read in line 5")
    posed = lab.page.locator(".tnb-quiz").first
    posed.locator(".tnb-hints li").wait_for()
    quiz = answer(lab, RIGHT, "5.8 of 6 points")
    assert quiz.locator(".tnb-verdict").all_inner_texts() == [
        "right · 2 tries", "right", "right", "right, 1 hint · 2 tries", "right"]
    assert posed.locator(".tnb-score").inner_text() == "5.8 of 6 points"


def test_a_solution_is_shown_when_it_is_asked_for_twice(lab: SimpleNamespace) -> None:
    quiz = answer(lab, WRONG, "4 of 6 points")
    show = card(quiz, "bh").get_by_role("button", name="show")
    show.click()
    assert "for all its points?" in show.inner_text() and quiz.locator(".tnb-answer").count() == 0
    lab.page.keyboard.press("Escape")
    assert show.inner_text() == "show"
    assert not any(text in lab.page.locator(".tnb-quiz").first.inner_html() for text in SOLUTION)
    show.click()
    show.click()
    card(quiz, "bh").locator(".tnb-answer").wait_for()
    assert card(quiz, "bh").locator(".tnb-answer").inner_text() == "bh = 2.0 * h"
    answer(lab, RIGHT, "4.8 of 6 points")
    answer(lab, WRONG, "4 of 6 points")


@pytest.mark.parametrize("width", [1400, 700])
def test_it_fits_and_axe_finds_nothing_serious(lab: SimpleNamespace, width: int) -> None:
    page = lab.page
    page.set_viewport_size({"width": width, "height": 1300})
    page.evaluate("w => w < 1000 && window.jupyterapp.shell.collapseLeft()", width)
    quiz = page.locator(".tnb-quiz").nth(1)
    quiz.locator("details summary").click()
    quiz.locator("table").wait_for()
    assert page.evaluate(CLIPPED) == []
    page.evaluate((ROOT / "js" / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8"))
    found = page.evaluate("axe.run('.tnb-quiz', {resultTypes: ['violations']})")
    assert [one["id"] for one in found["violations"] if one["impact"] in ("serious", "critical")] == []
    paper = quiz.evaluate("e => getComputedStyle(e).backgroundColor")
    ink = quiz.evaluate("e => getComputedStyle(e).color")
    assert (brightness(paper) > 200) == (lab.theme == "Light") and abs(brightness(paper) - brightness(ink)) > 120
    if os.environ.get("KEEP_SCREENSHOTS"):
        quiz.screenshot(path=ROOT / "docs" / "images" / f"quiz-{width}-{lab.theme.lower()}.png")
    quiz.locator("details summary").click()


def test_a_saved_notebook_holds_what_was_asked_for_and_no_more(lab: SimpleNamespace) -> None:
    """It is opened again without a kernel."""
    page = lab.page
    page.set_viewport_size({"width": 1400, "height": 1300})
    answer(lab, TEMPLATE, "0 of 6 points")
    page.evaluate("window.jupyterapp.commands.execute('docmanager:save')")
    page.wait_for_function("!window.jupyterapp.shell.currentWidget.context.model.dirty", timeout=30_000)
    saved = (lab.work / "t.ipynb").read_text(encoding="utf-8")
    notebook = json.loads(saved)
    kept = json.dumps([one["outputs"] for one in notebook["cells"]])
    assert "vnd.tangent_nb+json" in kept and "bh = 2.0 * h" in kept, "what was shown is kept"
    for text in SOLUTION[1:]:
        assert text not in kept
    page.evaluate("window.jupyterapp.shell.currentWidget.sessionContext.shutdown()")
    again = lab.browser.new_page(viewport={"width": 1400, "height": 1300})
    again.goto(lab.server.address("t.ipynb"))
    still = again.locator(".tnb-quiz:visible")
    still.nth(1).wait_for(timeout=120_000)
    again.wait_for_function(IDLE, timeout=120_000)
    assert card(still.nth(1), "bb").locator(".tnb-hints").inner_text() == "b is read in line 5, the sum rule"
    card(still.nth(1), "bb").get_by_role("button", name="hint").dispatch_event("click")      # which is out of use
    assert "run the cell again" in still.nth(1).get_by_role("status").inner_text()
    again.close()
