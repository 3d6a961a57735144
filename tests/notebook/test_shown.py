"""`show(f)`: the same without a magic."""
from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tangent_nb.notebook import show
from tangent_nb.notebook.options import OptionError
from tangent_nb.notebook.wire import inflated


def area(x: Any, y: Any = 3.0) -> Any:
    return x * y


def refused(x: Any) -> Any:
    return eval('x')


def test_all_three_forms(tmp_path: Path) -> None:
    shown = show(area, wrt="x,y", at="x=2.0", check=True)
    bundle = shown._repr_mimebundle_()
    assert bundle == {"text/plain": repr(shown), "text/html": shown._repr_html_()}
    assert "darea_dx_dy" in repr(shown) and "darea_dx_dy" in bundle["text/html"] and "✓" in repr(shown)
    path = shown.export_html(tmp_path / "area.html")
    assert path.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert shown.derivative is not None and np.allclose(shown.derivative(2.0, 3.0), (3.0, 2.0))


def net(x: Any, w: Any, b: Any, v: Any, y: Any) -> Any:
    h = np.tanh(x @ w + b)
    out = h @ v
    r = out - y
    total = 0.0
    for k in range(3):
        total = total + np.sum(r * r) * 0.5
    scale = np.exp(-total)
    return np.sum(r * r) + scale


def layer(x: Any, w: Any) -> Any:
    h = np.tanh(x @ w)
    return np.sum(h * h)


def test_ten_lines_take_little_of_a_notebooks_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tangent_nb.notebook.shown.in_kernel", lambda: True)
    bundle = show(net)._repr_mimebundle_()
    assert bundle["text/plain"].startswith("dnet_dx: gradient of net")
    assert "\n    bout = rt.unbroadcast(br, out)\n" in bundle["text/plain"] and "def net" not in bundle["text/plain"]
    monkeypatch.setattr("tangent_nb.notebook.shown.for_a_page", lambda: True)
    bundle = show(net)._repr_mimebundle_()
    kept = {kind: len(json.dumps(held, ensure_ascii=False).encode()) for kind, held in bundle.items()}
    assert kept["application/vnd.tangent_nb+json"] < 3_000 and kept["text/plain"] < 100
    assert kept["text/html"] < 4_600 and sum(kept.values()) < 7_200
    assert "bout = rt.unbroadcast(br, out)" in bundle["text/html"] and "def</b> net" in bundle["text/html"]
    ten = show(layer, wrt="x,w")._repr_mimebundle_()
    assert ten["text/html"].count("<li") == 17 and sum(len(json.dumps(one)) for one in ten.values()) < 4_000
    state = inflated(bundle["application/vnd.tangent_nb+json"])
    assert len(state["stages"]) > 10 and state["edit"]["cell"] == "", "nothing is left out"


def test_the_options_are_those_of_the_magic() -> None:
    assert show(area, mode="forward").derivative.__name__ == "tarea_dx"
    assert "passes none" in repr(show(area, raw=True)) and "passes all" in repr(show(area))
    assert "area      6.0\n" in repr(show(area, at={"x": 2.0})) \
        and "area      4\n" in repr(show(area, at={"x": 2, "y": 2}))
    assert "y" in repr(show(area, wrt=1)).split("\n")[0]
    for wrong in ({"mode": "sideways"}, {"check": True}, {"at": {"z": 1}}, {"wrt": "x y"}, {"raw": True, "passes": ""}):
        with pytest.raises(OptionError):
            show(area, **wrong)


def test_a_refusal_is_shown_in_both() -> None:
    shown = show(refused)
    assert shown.derivative is None and repr(shown).startswith("cannot differentiate refused")
    assert "cannot differentiate refused" in shown._repr_html_() and "&lt;" not in repr(shown)
    assert "Traceback" not in repr(shown)


def test_an_error_of_the_function_itself_is_the_callers() -> None:
    def f(x: Any) -> Any:
        raise KeyError("mine")
        return x

    with pytest.raises(KeyError, match="mine"):
        show(f, at="1.0")


def test_hostile_names_stay_text(tmp_path: Path) -> None:
    folder = tmp_path / "a\"><img src=q onerror=window.HIT=1>"
    folder.mkdir()
    path = folder / "m<b>.py"
    path.write_text("def f(x):\n    return x * x\n", encoding="utf-8")
    spec = importlib.util.spec_from_file_location("m", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    page = show(module.f)._repr_html_()
    assert "m&lt;b&gt;.py" in page and "<img" not in page and "m<b>" not in page


def test_a_value_whose_repr_is_markup() -> None:
    class Bold(float):
        def __repr__(self) -> str:
            return "<b onclick=x>1</b>"

    page = show(area, at={"x": 2.0, "y": Bold(3.0)})._repr_html_()
    assert "<b " not in page and "&lt;b" in page
