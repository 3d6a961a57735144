"""`typing.cast` gives back what it is given: the text without it is differentiated, also of what changes in place."""
from __future__ import annotations

import sys
import typing
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from oracles import sourced

import tangent_nb as tnb
from tangent_nb.errors import TangentError


def array(x: Any) -> Any:
    y = cast(np.ndarray, x)
    return np.sum(y * x)


def item(x: Any) -> Any:
    p = typing.cast("dict[str, Any]", {"a": x, "b": x * x})
    return np.sum(p["a"] * p["b"])


def changed(x: Any) -> Any:
    y = cast("np.ndarray", x * 2.0)
    y[0] = 0.0
    return np.sum(y * x)


def grown(x: Any) -> Any:
    items = cast(list[float], [x[0], x[1] * x[0]])
    items.append(x[2])
    return items[0] * items[1] + items[2]


def inside(x: Any) -> Any:
    return np.sum(cast(np.ndarray, val=cast(Any, x)[:2]) ** 2)


@pytest.mark.parametrize("f", [array, item, changed, grown, inside])
@pytest.mark.parametrize("optimized", [True, False])
def test_the_text_without_casts(f: Any, optimized: bool) -> None:
    x = np.array([1.0, 2.0, 3.0])
    want = [(f(x + h) - f(x - h)) / 2e-6 for h in np.eye(3) * 1e-6]
    assert np.allclose(tnb.grad(f, optimized=optimized)(x), want, atol=1e-6)
    assert np.isclose(tnb.jvp(f, optimized=optimized)(x, dx=np.ones(3)), np.sum(want), atol=1e-6)


def test_a_cast_of_a_name_bound_inside_is_another_function() -> None:
    def f(x: Any) -> Any:
        values = [cast(1, 2) for cast in (min, max)]
        return np.sum(x) * values[0] + x[0] * values[1]

    assert tnb.grad(f)(np.ones(2)).tolist() == [3.0, 1.0]


def test_a_cast_that_is_bound_anew_is_noticed() -> None:
    space: dict[str, Any] = {"cast": cast, "__name__": "casting"}
    f = sourced("def f(x):\n    return cast(float, x) * x\n", space, "<casting>")["f"]
    df = tnb.grad(f)
    assert df(3.0) == 6.0
    f.__globals__["cast"] = lambda kind, value: 2.0 * value
    with pytest.raises(TangentError, match="derive again"):
        df(3.0)
