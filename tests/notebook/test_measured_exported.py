"""What was measured, in a page that was exported: without a kernel, and readable."""
from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tangent_nb.notebook import show

from .browsing import ROOT, launched

pytestmark = pytest.mark.xdist_group("measured-exported")  # one browser in a process at a time
pytest.importorskip("igraph")


def half(u: Any) -> Any:
    v = np.tanh(u)
    return v * 0.5


def f(x: Any, y: Any) -> Any:
    a = half(x) * y
    return half(a) - np.sin(y)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_an_exported_page_has_costs_and_the_graph_and_axe_finds_nothing(theme: str, tmp_path: Path) -> None:
    shown = show(f, wrt=("x", "y"), at={"x": 0.5, "y": -1.0})
    for what in ("costs", "graph"):
        shown._shown.measured(what)                                        # type: ignore[union-attr]
    axe = (ROOT / "js" / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
    with launched() as browser:
        page = browser.new_page(viewport={"width": 1400, "height": 1200}, color_scheme=theme)
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(shown.export_html(tmp_path / "run.html").as_uri())
        page.get_by_role("button", name="cost", exact=True).click()
        page.get_by_role("button", name="graph", exact=True).click()
        assert page.locator(".tnb-cost[title]").count() > 6
        node = page.locator("[data-node]", has=page.locator(".tnb-how", has_text="sin")).first
        assert f"value {np.sin(-1.0):.4g}, adjoint -1" in node.locator("title").text_content()
        assert page.get_by_role("option", name="the result: ").count() == 1          # as a screen reader has it
        node.hover()
        assert page.locator(".tnb-pane").first.locator(".tnb-hot").inner_text().endswith("return half(a) - np.sin(y)")
        page.evaluate(axe)
        found = page.evaluate("axe.run(document, {resultTypes: ['violations', 'passes']})")
        serious = [(one["id"], [node["html"][:200] for node in one["nodes"]]) for one in found["violations"]
                   if one["impact"] in ("serious", "critical")]
        assert serious == []
        assert any(one["id"] == "color-contrast" for one in found["passes"])
        page.get_by_role("button", name="forward", exact=True).click()     # another choice: nothing of it was measured
        assert page.locator(".tnb-cost").count() == page.locator("[data-node]").count() == 0
        for name in ("cost", "graph"):
            assert "other choices need the notebook" in page.get_by_role("button", name=name).first.inner_text()
        assert errors == []


def test_what_was_not_measured_needs_the_notebook(tmp_path: Path) -> None:
    page_of = show(f, at={"x": 0.5, "y": -1.0}).export_html(tmp_path / "run.html")
    with launched() as browser:
        page = browser.new_page()
        page.goto(page_of.as_uri())
        page.get_by_role("button", name="cost", exact=True).click()
        page.locator(".tnb-told", has_text="needs the notebook").wait_for()
        assert page.locator(".tnb-cost").count() == 0
