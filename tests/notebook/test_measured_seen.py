"""What lines take, and the graph of a run, in a real JupyterLab and Notebook 7.

With KEEP_SCREENSHOTS the pictures of docs/stepping.md and docs/trace-tables.md are made anew.
"""
from __future__ import annotations

import os
import xml.etree.ElementTree as xml
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from .browsing import ROOT, brightness, launched, places, run_all, serious, served, write_notebook

pytest.importorskip("igraph")

CELLS = [
    "%load_ext tangent_nb\nimport numpy as np\n"
    "X, W, B, Y = np.ones((400, 3000)), np.full((3000, 200), 0.001), np.ones(200), np.ones((400, 200))",
    "def half(u):\n    v = np.tanh(u)\n    return v * 0.5",
    "%%grad -w w,b --at \"x=X, w=W, b=B, y=Y\"\n"
    "def loss(x, w, b, y):\n    h = half(x @ w + b)\n    r = h - y\n    return np.mean(r * r)\n",
    "%%grad -w x1,x2 --at \"x1=0.3, x2=0.7\"\n"
    "def f(x1, x2):\n    a, b, c = np.log(x1), x1 * x2, np.sin(x2)\n    return half(a + b) - half(c)\n",
    "%%grad\ndef bare(x):\n    return x * x\n",
    "print('all', 'done')",
]


@pytest.fixture(scope="module", params=places("measured"))
def seen(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SimpleNamespace]:
    work = tmp_path_factory.mktemp("measured")
    write_notebook(work / "t.ipynb", CELLS)
    app, theme = request.param
    with launched() as browser, served(work, app, theme) as server:
        page = browser.new_page(viewport={"width": 1400, "height": 1500})
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(f"{error}\n{error.stack}"))
        run_all(page, server.address("t.ipynb"), "all done")
        widgets = page.locator(".tnb-widget")
        widgets.nth(2).wait_for(timeout=60_000)
        yield SimpleNamespace(page=page, layer=widgets.first, f=widgets.nth(1), bare=widgets.nth(2), work=work,
                              app=app, theme=theme, errors=errors)
        page.close()


def kept(seen: SimpleNamespace, widget: Any, name: str) -> None:
    if os.environ.get("KEEP_SCREENSHOTS") and seen.app == "lab":
        widget.screenshot(path=str(ROOT / "docs" / "images" / f"{name}-{seen.theme.lower()}.png"))


def press(widget: Any, name: str) -> None:
    widget.get_by_role("button", name=name, exact=True).click()


def node(widget: Any, text: str) -> Any:
    return widget.locator("[data-node]", has=widget.page.locator(".tnb-how", has_text=text)).first


def fits(widget: Any) -> Any:
    return widget.evaluate("""root => [...root.querySelectorAll('button, .tnb-costs, .tnb-graph, .tnb-pane')].filter(
        one => one.getBoundingClientRect().right > root.getBoundingClientRect().right).length""") == 0


def test_what_lines_take_stands_beside_them(seen: SimpleNamespace) -> None:
    press(seen.layer, "cost")
    seen.layer.locator(".tnb-cost").first.wait_for(timeout=60_000)
    source, derived = seen.layer.locator(".tnb-pane").first, seen.layer.locator(".tnb-pane").nth(1)
    titles = {row.locator(".tnb-text").inner_text().strip(): row.locator(".tnb-cost").get_attribute("title") or ""
              for row in derived.locator("[data-row]").all()}
    shares = {text: float(title.partition(" %")[0].lstrip("< ")) for text, title in titles.items() if title}
    largest = sorted(shares, key=lambda text: shares[text])[-2:]
    assert set(largest) == {"v = np.tanh(x @ w + b)", "bw = x.T @ btotal"}         # the products of matrices
    assert "1 run; " in titles["bw = x.T @ btotal"] and titles["# forward"] == ""
    assert 90.0 <= sum(shares.values()) <= 110.0
    wide = derived.locator(".tnb-cost[style]").evaluate_all(
        "all => all.map(one => Number(one.style.getPropertyValue('--tnb-share')))")
    assert max(wide) == 1.0
    call = source.locator("[data-row]", has_text="h = half(x @ w + b)").locator(".tnb-cost")
    assert float(call.inner_text().partition(" %")[0]) >= shares["bw = x.T @ btotal"]
    shown = [one for one in derived.locator(".tnb-cost").all_inner_texts() if one]
    assert len(shown) == 3 and all(one.endswith("%") for one in shown)
    kept(seen, seen.layer, "cost")


def test_memory_and_the_way_back(seen: SimpleNamespace) -> None:
    press(seen.layer, "memory")
    derived = seen.layer.locator(".tnb-pane").nth(1)
    row = derived.locator("[data-row]", has_text="v = np.tanh(x @ w + b)").locator(".tnb-cost")
    assert float(row.get_attribute("title").rpartition("; ")[2].removesuffix(" MB")) >= 400 * 200 * 8 / 1e6
    press(seen.layer, "raw")
    assert seen.layer.locator(".tnb-cost").count() == 0
    press(seen.layer, "optimized")
    assert seen.layer.locator(".tnb-cost").count() > 0
    seen.page.set_viewport_size({"width": 700, "height": 1900})
    assert fits(seen.layer)
    kept(seen, seen.layer, "cost-700")
    seen.page.set_viewport_size({"width": 1400, "height": 1500})
    press(seen.layer, "cost")
    assert seen.layer.locator(".tnb-cost").count() == 0


def test_the_graph_is_that_of_the_run(seen: SimpleNamespace) -> None:
    press(seen.f, "graph")
    node(seen.f, "sin v₀").wait_for(timeout=60_000)
    said = node(seen.f, "sin v₀").locator("title").text_content()
    adjoint = float(said.partition("adjoint ")[2].partition(",")[0])
    assert adjoint == pytest.approx(-0.5 * (1.0 - np.tanh(np.sin(0.7)) ** 2), rel=1e-3)
    assert seen.f.locator(".tnb-partial", has_text=f"{np.cos(0.7):.4g}").count() == 1
    node(seen.f, "sin v₀").hover()
    source, derived = seen.f.locator(".tnb-pane").first, seen.f.locator(".tnb-pane").nth(1)
    assert "np.sin(x2)" in source.locator(".tnb-hot .tnb-text").inner_text()
    assert any("np.cos(x2)" in text for text in derived.locator(".tnb-hot .tnb-text").all_inner_texts())
    kept(seen, seen.f, "graph-widget")
    derived.locator("[data-row]", has_text="v = np.tanh(").first.hover()
    lit = seen.f.locator(".tnb-node.tnb-hot .tnb-how").all_text_contents()
    assert any("tanh" in text for text in lit) and not any("sin" in text for text in lit)


def test_calls_fold_and_the_keys_go_from_node_to_node(seen: SimpleNamespace) -> None:
    before = seen.f.locator("[data-node]").count()
    for left in (1, 2):                            # one call, then the other
        node(seen.f, "tanh").click()
        seen.f.locator(".tnb-node .tnb-how", has_text="half(").nth(left - 1).wait_for(timeout=30_000)
        assert seen.f.locator("[data-node]").count() == before - left
    pressed = seen.f.get_by_role("button", name="calls folded")
    assert pressed.get_attribute("aria-pressed") == "true"
    kept(seen, seen.f, "graph-folded")
    drawing = seen.f.get_by_role("listbox", name="computational graph")
    drawing.focus()
    drawing.press("Home")
    drawing.press("ArrowRight")
    active = drawing.get_attribute("aria-activedescendant")
    assert seen.f.locator(f"#{active}").get_attribute("aria-selected") == "true"
    shape = seen.f.locator(".tnb-drawn [transform]")
    now = shape.get_attribute("transform")
    drawing.press("+")
    assert shape.get_attribute("transform") != now
    box = drawing.bounding_box()
    seen.page.mouse.move(box["x"] + 5, box["y"] + 5)
    seen.page.mouse.down()
    seen.page.mouse.move(box["x"] + 65, box["y"] + 25)
    seen.page.mouse.up()
    assert shape.get_attribute("transform") != now
    press(seen.f, "fit")
    press(seen.f, "each operation")
    assert seen.f.locator("[data-node]").count() == before


def test_the_drawing_is_kept_and_the_page_fits(seen: SimpleNamespace, tmp_path: Path) -> None:
    with seen.page.expect_download() as download:
        press(seen.f, "save SVG")
    assert download.value.suggested_filename == "df_dx1_dx2_graph.svg"
    download.value.save_as(tmp_path / "graph.svg")
    made = xml.parse(tmp_path / "graph.svg").getroot()
    texts = [one.text for one in made.iter("{http://www.w3.org/2000/svg}text")]
    assert any("sin v₀" in (text or "") for text in texts)
    box = next(one for one in made.iter("{http://www.w3.org/2000/svg}rect") if one.get("rx"))
    assert (brightness(box.get("fill", "")) > 128) == (seen.theme == "Light")
    assert "class" not in {name for one in made.iter() for name in one.keys()}
    seen.page.set_viewport_size({"width": 700, "height": 1900})
    assert fits(seen.f)
    kept(seen, seen.f, "graph-widget-700")
    seen.page.set_viewport_size({"width": 1400, "height": 1500})


def test_without_arguments_both_say_what_they_need(seen: SimpleNamespace) -> None:
    for name in ("cost", "graph"):
        seen.bare.get_by_role("button", name=name).first.click(force=True)
        assert '%%grad --at "x=…"' in seen.bare.locator(".tnb-told").inner_text()


def test_axe_finds_nothing_serious(seen: SimpleNamespace) -> None:
    press(seen.layer, "cost")
    seen.layer.locator(".tnb-cost").first.wait_for(timeout=60_000)
    node(seen.f, "sin v₀").hover()
    assert seen.f.locator(".tnb-graph svg").count() == 1 and serious(seen.page, ".tnb-widget") == []
    assert [one for one in seen.errors if "blob:" in one or "tangent_nb" in one] == []       # of our bundles
