"""What docs/language.md says of writing: the caller's arrays are changed as the function changes them,
all else of the caller's is refused."""
from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import tangent_nb as tnb
from tangent_nb.errors import TangentError

G = np.zeros(2)


def filled(v: Any, row: Any) -> None:
    row[1] = v * v


def in_a_helper(x: Any, y: Any) -> Any:
    filled(x, y)
    return np.sum(y * y) * x


def through_a_view(x: Any, y: Any) -> Any:
    v = y[1:]
    v += x
    return np.sum(y * y)


def by_a_call(x: Any, y: Any) -> Any:
    np.multiply(y, x, out=y)
    y.sort()
    return y[0] * y[1] ** 2


@pytest.mark.parametrize("f", [in_a_helper, through_a_view, by_a_call], ids=lambda f: f.__name__)
@pytest.mark.parametrize("optimized", [True, False])
def test_arrays_of_the_caller_change_as_in_the_function(f: Callable[..., Any], optimized: bool) -> None:
    start, h = np.array([0.7, 1.9]), 1e-6
    changed, here = start.copy(), start.copy()
    f(1.3, changed)
    bx, by = tnb.grad(f, (0, 1), optimized=optimized)(1.3, here)
    np.testing.assert_array_equal(here, changed)
    assert bx == pytest.approx((f(1.3 + h, start.copy()) - f(1.3 - h, start.copy())) / (2 * h), rel=1e-6)
    for i, e in enumerate(np.eye(2) * h):
        assert by[i] == pytest.approx((f(1.3, start + e) - f(1.3, start - e)) / (2 * h), rel=1e-6)


def into_a_list(x: Any, p: Any) -> Any:
    p[0] = x * x
    return p[0] * x


def into_a_dict(x: Any, p: Any) -> Any:
    p["a"] = x * x
    return max(p.values()) * x


def held(p: Any) -> Any:
    return p.a


def into_an_object(x: Any, p: Any) -> Any:
    p.a = x * x
    return held(p) * x


def into_a_default(x: Any, p: Any = np.ones(2)) -> Any:
    p[0] = x * x
    return p[0] * x


def into_a_global(x: Any) -> Any:
    G[0], y = x * x, x
    return G[0] * y


@pytest.mark.parametrize(
    ("f", "args"), [(into_a_list, ([1.0],)), (into_a_dict, ({"a": 1.0},)), (into_an_object, (SimpleNamespace(a=1.0),)),
                    (into_a_default, ()), (into_a_global, ())], ids=lambda one: getattr(one, "__name__", ""))
def test_all_else_of_the_caller_is_refused(f: Callable[..., Any], args: tuple[Any, ...]) -> None:
    with pytest.raises(TangentError, match="changed|is set|assigned"):
        tnb.grad(f)(2.0, *args)


def noted(x: Any, log: Any = []) -> Any:
    log.append("start")
    for i in range(2):
        x = x * len(log) + 1.0
        log.append(i)
    return x * x * log[-1]


@pytest.mark.parametrize("optimized", [True, False])
def test_a_list_that_carries_no_derivative_grows_once(optimized: bool) -> None:
    h = 1e-6
    due = (noted(1.3 + h, []) - noted(1.3 - h, [])) / (2 * h)
    for call in (lambda *log: tnb.grad(noted, optimized=optimized)(1.3, *log),
                 lambda *log: tnb.jvp(noted, optimized=optimized)(1.3, *log, dx=1.0),
                 lambda *log: tnb.pullback(noted, 1.3, *log)[1](1.0)):
        mine: list[Any] = []
        assert call(mine) == pytest.approx(due, rel=1e-6)
        assert mine == ["start", 0, 1]
    (own,) = noted.__defaults__ or ()
    assert tnb.grad(noted, optimized=optimized)(1.3) == pytest.approx(due, rel=1e-6)
    assert own == ["start", 0, 1]
    own.clear()
    mine = []
    tnb.grad(tnb.grad(noted, optimized=optimized))(1.3, mine)
    assert mine == ["start", 0, 1]


def counted(x: Any, log: Any, other: Any) -> Any:
    n = len(other)
    log.append(1)
    return x * n * len(other)


def test_what_grows_is_a_list_that_nothing_else_holds() -> None:
    log: list[Any] = []
    assert tnb.grad(counted)(2.0, log, [5]) == 1.0
    for args in ((log, log), (log, {"a": [log]}), (np.ones(2), [])):
        with pytest.raises(TangentError, match="log grows"):
            tnb.grad(counted)(2.0, *args)
