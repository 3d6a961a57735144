"""What is saved for the backward sweep, seen in a browser: beside the lines, and in the facts.

With KEEP_SCREENSHOTS the pictures of docs/tape.md are made anew.
"""
from __future__ import annotations

import os
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from .browsing import ROOT, launched, places, run_all, served, write_notebook

CELLS = [
    "%load_ext tangent_nb\nimport numpy as np\n"
    "X, W, Y = np.ones((400, 300)), np.full((300, 200), 0.01), np.ones((400, 200))\nU = np.linspace(0.0, 1.0, 20000)",
    "def layer(u, w):\n    return np.tanh(u @ w)",
    "%%grad -w w --at \"x=X, w=W, y=Y\"\n"
    "def loss(x, w, y):\n    h = layer(x, w)\n    g = h * np.exp(h)\n    r = g - y\n    return np.mean(r * r)\n",
    "%%grad -w k --at \"u=U, k=0.2, steps=50\"\n"
    "def heat(u, k, steps):\n    u = u.copy()\n    for _ in range(steps):\n        c = k * np.exp(-u[1:-1])\n"
    "        u[1:-1] += c * (u[2:] + u[:-2] - 2.0 * u[1:-1])\n    return np.sum(u * u)\n",
    "%%grad -w k --at \"u=U, k=0.2, steps=5\" --tape-report --static\n"
    "def heats(u, k, steps):\n    u = u.copy()\n    for _ in range(steps):\n        u[1:-1] += k * (u[2:] - u[:-2])\n"
    "    return np.sum(u * u)\n",
    "import tangent_nb as tnb\ntnb.tape_report(dheat_dk, U, 0.2, 50)",
    "print('all', 'done')",
]


@pytest.fixture(scope="module", params=places("tape"))
def seen(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SimpleNamespace]:
    app, theme = request.param
    work = tmp_path_factory.mktemp("tape")
    write_notebook(work / "t.ipynb", CELLS)
    with launched() as browser, served(work, app, theme) as server:
        page = browser.new_page(viewport={"width": 1400, "height": 1700})
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        run_all(page, server.address("t.ipynb"), "all done")
        widgets = page.locator(".tnb-widget")
        widgets.nth(1).wait_for(timeout=60_000)
        yield SimpleNamespace(page=page, loss=widgets.first, heat=widgets.nth(1), theme=theme, app=app, errors=errors)
        page.close()


def kept(seen: SimpleNamespace, what: Any, name: str) -> None:
    if os.environ.get("KEEP_SCREENSHOTS") and seen.app == "lab":
        what.screenshot(path=str(ROOT / "docs" / "images" / f"{name}-{seen.theme.lower()}.png"))


def press(widget: Any, name: str) -> None:
    widget.get_by_role("button", name=name, exact=True).click()


def title(pane: Any, text: str) -> str:
    row = pane.locator("[data-row]", has_text=text).first
    return row.locator(".tnb-cost").get_attribute("title") or ""


def fits(widget: Any) -> Any:
    return widget.evaluate("""root => [...root.querySelectorAll('button, .tnb-costs, .tnb-facts, .tnb-pane')].filter(
        one => one.getBoundingClientRect().right > root.getBoundingClientRect().right + 1).length""") == 0


def test_saved_bytes_stand_beside_the_lines(seen: SimpleNamespace) -> None:
    press(seen.heat, "cost")
    seen.heat.locator(".tnb-cost").first.wait_for(timeout=60_000)
    press(seen.heat, "saved bytes")
    seen.heat.locator(".tnb-fact", has_text="tape").wait_for(timeout=60_000)
    source, derived = seen.heat.locator(".tnb-pane").first, seen.heat.locator(".tnb-pane").nth(1)
    assert "8 MB saved" in title(derived, "difference_saved.append(difference)")
    assert "difference: 50 × float64 (19998,), 8 MB saved" in title(source, "u[1:-1] +=")
    assert "made again and not saved" in title(derived, "exp = np.exp(-u[1:-1])")
    assert seen.heat.get_by_role("button", name="saved bytes").get_attribute("aria-pressed") == "true"
    assert "without passes" in seen.heat.locator(".tnb-costs").inner_text()
    kept(seen, seen.heat, "tape")
    seen.page.set_viewport_size({"width": 700, "height": 1900})
    assert fits(seen.heat)
    kept(seen, seen.heat, "tape-700")
    seen.page.set_viewport_size({"width": 1400, "height": 1700})
    press(seen.heat, "✕ hide")
    fact = seen.heat.locator(".tnb-fact", has_text="tape").inner_text()
    assert "→" in fact and fact.endswith("MB") and seen.heat.locator(".tnb-cost").count() == 0


def test_functions_that_are_called_and_arguments(seen: SimpleNamespace) -> None:
    press(seen.loss, "cost")
    seen.loss.locator(".tnb-cost").first.wait_for(timeout=60_000)
    press(seen.loss, "saved bytes")
    seen.loss.locator(".tnb-fact", has_text="tape").wait_for(timeout=60_000)
    derived = seen.loss.locator(".tnb-pane").nth(1)
    assert "640 kB saved" in title(derived, "np.tanh(x @ w)")
    assert seen.loss.locator(".tnb-fact", has_text="tape").get_attribute("title").startswith(
        "saved for the backward sweep: ")
    press(seen.loss, "forward")
    seen.loss.locator(".tnb-fact", has_text="tape").wait_for(state="detached", timeout=60_000)
    press(seen.loss, "cost")
    seen.loss.locator(".tnb-cost").first.wait_for(timeout=60_000)
    seen.loss.get_by_role("button", name="saved bytes").click(force=True)
    assert "forward mode keeps nothing" in seen.loss.locator(".tnb-told").inner_text()
    press(seen.loss, "reverse")
    seen.loss.locator(".tnb-where", has_text="reverse").wait_for(timeout=60_000)


def test_the_report_is_a_table(seen: SimpleNamespace) -> None:
    table = seen.page.locator("[aria-label='saved values']")
    table.scroll_into_view_if_needed()
    assert "the tape of dheat_dk" in table.inner_text() and "recomputed" in table.inner_text()
    assert table.locator("tbody tr").count() >= 4
    kept(seen, table, "tape-table")
    static = seen.page.locator(".tnb-view")
    assert "the tape of dheats_dk" in static.inner_text()


def test_axe_finds_nothing_serious(seen: SimpleNamespace) -> None:
    press(seen.heat, "cost")
    seen.heat.locator(".tnb-cost").first.wait_for(timeout=60_000)
    press(seen.heat, "saved bytes")
    seen.page.evaluate((ROOT / "js" / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8"))
    found = seen.page.evaluate("axe.run(document.querySelectorAll('.tnb-widget'), {resultTypes: ['violations']})")
    assert [(one["id"], one["nodes"][0]["html"]) for one in found["violations"]
            if one["impact"] in ("serious", "critical")] == []
    assert [one for one in seen.errors if "schema" not in one] == []       # Notebook has one of its own
