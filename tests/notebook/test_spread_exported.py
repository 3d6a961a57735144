"""The sampled tape in a page that was exported: marks and what was measured, without a kernel."""
from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tangent_nb.notebook import show

from .browsing import launched, serious
from .test_spread_seen import pies, press, slider, told

pytestmark = pytest.mark.xdist_group("spread-exported")    # one browser in a process at a time


def loss(w1: Any, w2: Any, x: Any) -> Any:
    h = np.maximum(x @ w1, 0.0)
    return np.mean((h @ w2) ** 2)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_an_exported_page_has_the_marks_and_the_spread(theme: str, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    at = {"w1": rng.normal(size=(8, 6)), "w2": rng.normal(size=(6, 2)), "x": rng.normal(size=(5, 8))}
    shown = show(loss, wrt=("w1", "w2"), at=at, tape="sampled:0.5,seed=0")
    shown._shown.spread("sampled:0.5,seed=0")                              # type: ignore[union-attr]
    with launched() as browser:
        page = browser.new_page(viewport={"width": 1400, "height": 1200}, color_scheme=theme)
        page.goto(shown.export_html(tmp_path / "sampled.html").as_uri())
        widget = page.locator(".tnb-widget")
        assert any("rt.sample(h" in text for text in pies(widget, 1))
        press(widget, "spread")
        widget.locator(".tnb-spread tbody tr").first.wait_for()
        assert "draws in" in told(widget) and slider(widget).is_disabled()
        assert serious(page, ".tnb-widget") == []
        press(widget, "exact tape")
        assert pies(widget, 1) == []
        press(widget, "forward")
        widget.locator(".tnb-where", has_text="forward").wait_for()
