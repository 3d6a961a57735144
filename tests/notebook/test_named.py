"""`-n`: the name of a derivative is its name in the text, too, and no name of the user's means something else by it."""
from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import tangent_nb as tnb
from tangent_nb.api import named
from tangent_nb.notebook.derive import derive
from tangent_nb.notebook.options import make

HELPERS = """
slope = 3.0


def scaled(t):
    return t * t * slope


def dg_dx(t):
    return t * t * t


def cube(t):
    return dg_dx(t) + 1.0
"""


def local(x: Any) -> Any:
    slope = x * x
    return slope * x


def parameter(slope: Any) -> Any:
    return slope * slope


def power(x: Any, n: Any) -> Any:
    return x if n == 0 else power(x * x, n - 1)


@pytest.fixture
def helpers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    (tmp_path / "helpers_of_a_name.py").write_text(HELPERS, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    yield import_module("helpers_of_a_name")
    sys.modules.pop("helpers_of_a_name")


@pytest.mark.parametrize("optimized", [True, False])
@pytest.mark.parametrize("f, arguments", [(local, (2.0,)), (parameter, (2.0,)), (power, (2.0, 2))])
@pytest.mark.parametrize("kind", ["grad", "jvp"])
def test_the_text_has_the_name(f: Any, arguments: Any, kind: str, optimized: bool) -> None:
    plain, own = getattr(tnb, kind)(f, optimized=optimized), named(f, kind, 0, "slope", optimized=optimized)
    arguments = (*arguments, 1.0) if kind == "jvp" else arguments
    assert own.__name__ == own.__code__.co_name == "slope" and tnb.source(own).startswith("def slope(")
    assert own(*arguments) == plain(*arguments) and tnb.source(own).count("\n") == tnb.source(plain).count("\n")


def test_a_name_that_the_function_reads_gets_a_number() -> None:
    def f(x: Any) -> Any:
        return x * len([x, x])

    assert named(f, "grad", 0, "len").__name__ == "len_1" and named(f, "grad", 0, "len")(3.0) == 2.0


@pytest.mark.parametrize("optimized", [True, False])
def test_a_helper_elsewhere_means_its_own_by_the_name(helpers: Any, optimized: bool) -> None:
    def g(x: Any) -> Any:
        return helpers.scaled(x) + helpers.cube(x)

    assert named(g, "grad", 0, "slope", optimized=optimized)(2.0) == 3.0 * 4.0 + 12.0
    assert tnb.grad(g, optimized=optimized)(2.0) == 24.0, "dg_dx is a function of theirs"


def test_all_modes_of_a_cell_have_it() -> None:
    for mode in ("reverse", "forward"):
        assert derive(local, make(name="slope", mode=mode)).function.__name__ == "slope"
    assert derive(local, make(name="slope", nan=True)).function.__name__ == "slope"
