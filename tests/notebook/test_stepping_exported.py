"""Stepping in a page that was exported: without a kernel, and readable."""
from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tangent_nb.notebook import show

from .browsing import ROOT, launched
from .test_stepping_seen import cells

pytestmark = pytest.mark.xdist_group("stepping-exported")  # one browser in a process at a time


def settle(x: Any, n: int) -> Any:
    for _ in range(n):
        x = x - 0.5 * np.sin(x)
    return np.sum(x * x)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_an_exported_page_steps_without_a_kernel_and_axe_finds_nothing(theme: str, tmp_path: Path) -> None:
    shown = show(settle, at={"x": np.array([0.5, -1.0]), "n": 4})
    shown._shown.recording()                                               # type: ignore[union-attr]
    page_of = shown.export_html(tmp_path / "run.html")
    axe = (ROOT / "js" / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
    with launched() as browser:
        page = browser.new_page(viewport={"width": 1400, "height": 1000}, color_scheme=theme)
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(page_of.as_uri())
        page.get_by_role("button", name="step", exact=True).click()
        page.get_by_role("button", name="last step").click()
        widget = page.locator(".tnb-widget")
        expected = np.array([0.5, -1.0])
        slopes = np.ones(2)
        for _ in range(4):
            slopes *= 1.0 - 0.5 * np.cos(expected)
            expected = expected - 0.5 * np.sin(expected)
        assert np.allclose(cells(widget, "bx"), 2.0 * expected * slopes, rtol=1e-12)
        page.evaluate(axe)
        found = page.evaluate("axe.run(document, {resultTypes: ['violations', 'passes']})")
        assert [one["id"] for one in found["violations"] if one["impact"] in ("serious", "critical")] == []
        assert any(one["id"] == "color-contrast" for one in found["passes"])
        page.get_by_role("button", name="forward", exact=True).click()     # another choice: no run of it is there
        assert page.locator(".tnb-step").is_hidden()
        assert "other choices need the notebook" in page.get_by_role("button", name="step").first.inner_text()
        assert errors == []
