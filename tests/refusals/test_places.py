"""What is refused while a derivative runs says which of the user's lines that is: in helpers, in derivatives of
derivatives, in each motion and mode, in another thread; and it says so in another process too."""
from __future__ import annotations

import pickle
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import tangent_nb as tnb
from refusals.case import run, shown
from tangent_nb.errors import ArgumentError, RefusedError, TangentError

PROGRAM = """\
def half(v, p):
    q = p["a"] * 2
    return v * q[0]
def f(x, p):
    y = np.sin(x)
    return np.sum(half(y, p))
def g(x):
    return x * x
def h(fn, x):
    y = 2.0 * x
    return fn(y)
def unknown(v):
    return np.real_if_close(v) * v
"""
LISTS = {"a": [1.0]}
HALF = ("arithmetic on a list is not differentiated: make it an array first, np.array(...)\n"
        "  cell 1, line 2, column 5\n"
        "    q = p[\"a\"] * 2\n"
        "    ^^^^^^^^^^^^^^")
RESULT = ("the function returned an array of shape (2,); a gradient needs a single number (a scalar): use vjp with a "
          "seed, or jacobian; or return its sum\n"
          "  cell 1, line 8, column 5\n"
          "    return x * x\n"
          "    ^^^^^^^^^^^^")
TAKES = ("x is complex: pass its real and imaginary part, x.real and x.imag\n"
         "  cell 1, line 7, column 7\n"
         "    def g(x):\n"
         "          ^")


def message(call: Callable[[], Any]) -> str:
    with pytest.raises(TangentError) as caught:
        call()
    return shown(caught.value)


@pytest.mark.parametrize("optimized", [True, False])
def test_in_a_helper(optimized: bool) -> None:
    f = run(PROGRAM)["f"]
    assert message(lambda: tnb.grad(f, wrt=1, optimized=optimized)(1.0, LISTS)) == HALF
    assert message(lambda: tnb.value_and_grad(f, wrt=1, optimized=optimized)(1.0, LISTS)) == HALF
    assert message(lambda: tnb.jvp(f, wrt=1, optimized=optimized)(1.0, LISTS, LISTS)).splitlines()[1:] \
        == HALF.splitlines()[1:]
    assert message(lambda: tnb.pullback(f, 1.0, LISTS, wrt=1)[1](1.0)) == HALF


def test_in_a_derivative_of_a_derivative() -> None:
    g = run(PROGRAM)["g"]
    assert message(lambda: tnb.grad(tnb.grad(g))(np.ones(2))) == RESULT
    assert message(lambda: tnb.jvp(tnb.grad(tnb.grad(g)))(1j, 1.0)) == TAKES
    assert message(lambda: tnb.hessian(g)(np.ones(2, complex))).splitlines()[1:] == TAKES.splitlines()[1:]


def test_where_the_same_text_is_that_of_two_functions() -> None:
    g, other = run(PROGRAM)["g"], run("\n" + PROGRAM)["g"]
    derived = [tnb.grad(g), tnb.grad(other)]
    assert message(lambda: derived[0](np.ones(2))) == RESULT
    assert "line 9, column 5" in message(lambda: derived[1](np.ones(2)))
    derived.pop()
    assert message(lambda: derived[0](np.ones(2))) == RESULT


def test_of_what_is_called_when_it_runs() -> None:
    scope = run(PROGRAM)
    found = message(lambda: tnb.grad(scope["h"], "x")(scope["unknown"], 2.0))
    assert found.startswith("cannot differentiate unknown\n  cell 1, line 13, column ")
    assert found.endswith("\n\n  cell 1, line 11, column 5\n    return fn(y)\n    ^^^^^^^^^^^^\n"
                          "  why: unknown is called here")


def test_in_a_thread() -> None:
    df, found = tnb.grad(run(PROGRAM)["g"]), []
    thread = threading.Thread(target=lambda: found.append(message(lambda: df(1j))))
    thread.start()
    thread.join()
    assert found == [TAKES]


def test_the_errors_travel() -> None:
    scope = run(PROGRAM)
    for call in (lambda: tnb.grad(scope["g"])(1j), lambda: tnb.grad(scope["unknown"]),
                 lambda: tnb.watch(tnb.grad(scope["g"]))(np.inf)):
        with pytest.raises(TangentError) as caught:
            call()
        again = pickle.loads(pickle.dumps(caught.value))
        assert type(again) is type(caught.value) and str(again) == str(caught.value)
        if isinstance(again, RefusedError):
            assert again.refusals == caught.value.refusals and again.name == "unknown"


def test_where_only_the_text_is_left() -> None:
    """A derivative from another process knows its text only, and refuses without the place."""
    df = tnb.grad(run(PROGRAM)["g"])
    df.__tangent_nb__ = pickle.loads(pickle.dumps(df.__tangent_nb__))
    with pytest.raises(ArgumentError, match="x is complex: pass its real and imaginary part, x.real and x.imag$"):
        df(1j)


def test_on_jax() -> None:
    pytest.importorskip("jax")
    g = run(PROGRAM)["g"]
    for how in ({}, {"compile": "jit"}):
        found = message(lambda: tnb.grad(g, backend="jax", **how)(np.ones(2, complex)))
        assert found.splitlines()[1:] == TAKES.splitlines()[1:]
        assert message(lambda: tnb.grad(g, backend="jax", **how)(np.ones(2, np.float32))) == RESULT
