"""Options become a derivative; `-w '*'` takes what can have one."""
from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tangent_nb.errors import TangentError
from tangent_nb.every import unfit
from tangent_nb.notebook.at import evaluate
from tangent_nb.notebook.derive import derive
from tangent_nb.notebook.options import make


def model(x: Any, w: Any, n: int = 2, label: str = "a") -> Any:
    for _ in range(n):
        x = np.tanh(x * w)
    return np.sum(x)


def counted(x: Any, n: Any, i: Any, shape: Any) -> Any:
    y = np.zeros(shape)
    for _ in range(n):
        y = y + x[i]
    return np.sum(y)


def test_one_parameter_and_several() -> None:
    bare, pair = derive(model, make(wrt="w")), derive(model, make(wrt="w,"))
    assert bare.derivation.wrt == pair.derivation.wrt == ("w",)
    assert (bare.bare, pair.bare) == (True, False)
    assert derive(model, make(wrt="1,x")).derivation.wrt == ("w", "x")
    assert derive(model, make(wrt="w", mode="forward")).derivation.mode == "forward"


def test_every_parameter() -> None:
    found = derive(model, make(wrt="*"))
    assert found.derivation.wrt == ("x", "w") and not found.bare
    [note] = found.notes
    assert note.startswith("with respect to every parameter that can have a derivative: x, w; left out: n (")
    assert "label (" in note


def test_use_annotations_and_values_decide() -> None:
    assert [name for name, reason in unfit(counted).items() if not reason] == ["x"]
    assert unfit(counted)["n"] == "it is used as a count in range"

    def f(a: Any, b: Any, c: Any = None, d: float = 1.0, *rest: Any, e: Any = True, **more: Any) -> Any:
        return a

    fit = [name for name, reason in unfit(f).items() if not reason]
    assert fit == ["a", "b", "d"]
    bound = evaluate("a=np.arange(3), b=[1.0], c=2.0, d=1", f, {"np": np})
    assert [name for name, reason in unfit(f, bound.arguments).items() if not reason] == ["b", "c", "d"]
    assert "int64" in unfit(f, bound.arguments)["a"] or "int32" in unfit(f, bound.arguments)["a"]


def test_nothing_to_take() -> None:
    def f(n: int) -> Any:
        return n

    with pytest.raises(TangentError, match="no parameter can have a derivative\n  n: "):
        derive(f, make(wrt="*"))
