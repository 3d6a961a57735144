"""`--at`: the arguments are the user's expressions, the values are shown, prints are shown once."""
from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tangent_nb.notebook.at import evaluate, short, values, written
from tangent_nb.notebook.derive import derive
from tangent_nb.notebook.options import OptionError, make


def f(x: Any, n: Any, *, k: Any = 1.0) -> Any:
    print("in f")
    return x * n * k


def test_evaluated_among_the_users_names() -> None:
    space = {"a": 2.0, "dict": None, "np": np}
    assert evaluate("a, n=np.array([i for i in range(3)])[-1] + a", f, space).arguments \
        == {"x": 2.0, "n": 4.0, "k": 1.0}
    assert evaluate("*(a, 3), **{'k': 4}", f, space).arguments == {"x": 2.0, "n": 3, "k": 4}
    assert evaluate("x=(lambda: a)(), n=1  # why", f, space).arguments["x"] == 2.0
    assert set(space) == {"a", "dict", "np"}


@pytest.mark.parametrize("text, message", [
    ("x=", "not a list of arguments"), ("x=1) + f(2", "not a list of arguments"), ("x=q, n=1", "NameError: name 'q'"),
    ("x=1", "missing a required argument: 'n'"), ("x=1, n=2, z=3", "unexpected keyword argument 'z'"),
    ("x=1/0, n=1", "ZeroDivisionError"), ("x=1, x=2, n=3", "repeated"), ("1)(2", "not a list of arguments"),
])
def test_what_cannot_be_evaluated(text: str, message: str) -> None:
    with pytest.raises(OptionError) as error:
        evaluate(text, f, {})
    assert message in str(error.value)


def table(wrt: Any = "x", mode: str = "reverse", at: str = "x=2.0, n=3.0") -> list[tuple[str, ...]]:
    bound = evaluate(at, f, {"np": np})
    found = values(f, derive(f, make(wrt=wrt, mode=mode), bound), bound)
    return [tuple(cell.partition("  ")[0] for cell in row) for row in found.rows]


def test_value_and_derivative() -> None:
    assert [(name, round(float(value), 6)) for name, value in table()] == [("f", 6.0), ("df/dx", 3.0)]
    assert [name for name, _ in table(("x", "n"))] == ["f", "df/dx", "df/dn"]
    assert [name for name, _ in table(("x",))] == ["f", "df/dx"]
    assert [(name, round(float(value), 6)) for name, value in table("x", "forward")] \
        == [("f", 6.0), ("tangent along x", 3.0)]


def test_prints_are_shown_once(capsys: pytest.CaptureFixture[str]) -> None:
    table(("x", "n"), "forward")
    assert capsys.readouterr().out.count("in f") == 1
    table()
    assert capsys.readouterr().out.count("in f") == 1


def test_written() -> None:
    class Bad:
        def __repr__(self) -> str:
            raise ValueError("<b>")

    assert written(np.float64(2.0)) == "2.0" and written((1.0, 2)) == "(1.0, 2)"
    assert written(np.eye(2)) == "shape (2, 2), float64\n[[1. 0.]\n [0. 1.]]"
    assert len(written("a" * 5000)) < 700 and len(written(np.zeros((100, 100, 5)))) < 1000
    assert "ValueError" in written(Bad()) and "ValueError" in written([Bad()])
    assert "float64" in written([np.zeros(1)])


def test_objects_are_written_by_what_they_hold() -> None:
    class Dense:
        def __init__(self, w: Any) -> None:
            self.w = w

    class Named(Dense):
        def __repr__(self) -> str:
            return "named"

    assert written(Dense(2.0)) == short(Dense(2.0)) == "Dense(w=2.0)"
    assert written({"a": [Dense(np.ones(2)), (Named(1.0),)]}) == "{'a': [Dense(w=array([1., 1.])), (named,)]}"
    assert len(short(Dense("a" * 500))) < 70
    loop = Dense(0.0)
    loop.w = loop
    assert written(loop).startswith("Dense(w=Dense(w=")
