"""What is refused when it is reached: paths that do not pass such a place are differentiated as ever,
those that do raise."""
from __future__ import annotations

import contextlib
import inspect
import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
import test_corpus as judge
from corpus import CORPUS, Entry
from oracles import gap, sourced
from planting import REACHED, planted
from test_language import RIGHT

import tangent_nb as tnb
from tangent_nb.errors import TangentError

V = np.array([1.0, 2.0, 3.0])
PROGRAMS = {
    "loop": """\
def f(x, c):
    for i in range(3):
        if c:
            x = np.arange(x)
        x = np.sin(x) * x
    return np.sum(x)
""",
    "while": """\
def f(x, c):
    while np.sum(x) > 1.0:
        if c:
            x = np.arange(x)
        x = x * 0.5
    return np.sum(x)
""",
    "nested": """\
def f(x, c):
    def g(t):
        if c:
            return np.arange(t)
        return t * t
    return np.sum(g(x))
""",
    "callee": """\
def g(t):
    return np.arange(t)
def f(x, c):
    if c:
        return np.sum(g(x))
    return np.sum(x * x)
""",
    "callee_of_callee": """\
def h(t):
    return np.arange(t)
def g(t):
    return h(t) * t
def f(x, c):
    if c:
        x = g(x)
    return np.sum(x * x)
""",
    "recursion": """\
def f(x, c, n=3):
    if n == 0:
        return np.arange(x)[0] if c else np.sum(x)
    return f(x * 2.0, c, n - 1)
""",
    "method": """\
class P:
    def __init__(self, w):
        self.w = w
    def go(self, x, c):
        if c:
            return np.arange(x)
        return x * self.w
def f(x, c):
    return np.sum(P(x).go(x, c))
""",
    "store": """\
def f(x, c):
    y = x * 1.0
    y[0] = 2.0
    if c:
        y[1:] = np.arange(x)[1:]
    y[2] *= y[1]
    return np.sum(y * x)
""",
    "except": """\
def f(x, c):
    try:
        if c:
            x = np.arange(x)
        y = x * 2.0
    except:
        y = x
    return np.sum(y)
""",
    "base": """\
def f(x, c):
    try:
        if c:
            x = np.arange(x)
    except BaseException:
        x = 5.0 * x
    return np.sum(x * x)
""",
    "suppress": """\
import contextlib
def f(x, c):
    y = x
    with contextlib.suppress(Exception):
        if c:
            y = np.arange(x)
        y = y * x
    return np.sum(y)
""",
    "manager": """\
class Quiet:
    def __enter__(self):
        return self
    def __exit__(self, *_):
        return True
quiet = Quiet()
def f(x, c):
    y = x
    with quiet:
        if c:
            y = np.arange(x)
        y = y * x
    return np.sum(y)
""",
    "called_in_try": """\
def g(x, c):
    if c:
        return np.arange(x)
    return x * x
def f(x, c):
    try:
        y = g(x, c)
    except Exception:
        y = x
    return np.sum(y)
""",
    "match": """\
def f(x, c):
    match c:
        case 1:
            x = np.arange(x)
        case _:
            x = x * x
    return np.sum(x)
""",
    "none": """\
def f(x, c):
    if c:
        return None
    return np.sum(x * x)
""",
    "late": """\
def f(x, c):
    y = x
    if c:
        y = x * 2.0
        y = eval('y')
    return np.sum(y * x)
""",
}


def tangents(df: Callable[..., Any], f: Callable[..., Any]) -> dict[str, Any]:
    return {name: np.ones(3)
            for name in inspect.signature(df).parameters if name not in inspect.signature(f).parameters}


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("optimized", [True, False])
def test_each_path(name: str, optimized: bool) -> None:
    """Right where the place is not reached, in each mode and motion, and raised where it is."""
    f = sourced(PROGRAMS[name])["f"]
    h = 1e-6
    due = np.array([(f(V + h * e, 0) - f(V - h * e, 0)) / (2 * h) for e in np.eye(3)])
    df = tnb.grad(f, optimized=optimized)
    assert np.allclose(df(V.copy(), 0), due, rtol=1e-7)
    # its tangents would be caught
    push = tnb.jvp(f if name != "called_in_try" else sourced(PROGRAMS["none"])["f"], optimized=optimized)
    assert np.allclose(push(V.copy(), 0, **tangents(push, f)), np.sum(due), rtol=1e-7) or name == "called_in_try"
    forward, backward = tnb.autodiff(f, motion="split", optimized=optimized)
    _, residuals = forward(V.copy(), 0)
    assert np.allclose(backward(residuals, 1.0), due, rtol=1e-7)
    for call in (lambda: df(V.copy(), 1), lambda: push(V.copy(), 1, **tangents(push, f)), lambda: forward(V.copy(), 1)):
        with pytest.raises(TangentError, match="reaches this place|swallowed"):
            call()
    assert "raise rt.refused(" in tnb.source(df)


@pytest.mark.parametrize("name", ["loop", "callee", "method", "except"])
def test_a_derivative_of_it_is_differentiated(name: str) -> None:
    f = sourced(PROGRAMS[name])["f"]
    second = tnb.vjp(tnb.grad(f))
    assert np.all(np.isfinite(second(V.copy(), 0, seed=np.ones(3))))
    with pytest.raises(TangentError):
        second(V.copy(), 1, seed=np.ones(3))


def test_a_name_that_only_such_a_place_binds_stays_local() -> None:
    f = sourced("z = 5.0\ndef f(x, c):\n    if c:\n        z = np.arange(x)\n    return x * z\n")["f"]
    with pytest.raises(UnboundLocalError):
        tnb.grad(f)(2.0, 0)


@pytest.mark.parametrize("body", [
    "if c:\n        x = np.arange(x)\n        z = x", "if c:\n        z = 3.0\n        return None",
    "if c:\n        z = 3.0\n        return x * 1.0",
    "if c:\n        raise ValueError('no')\n        z = 3.0",
    "if c:\n        x = np.arange(x)\n        for z in x:\n            x = x * z",
    "if c and (z := 3.0) > 2.0:\n        return None",
])
def test_a_name_that_only_a_path_that_ends_binds_stays_local(body: str) -> None:
    """The text had no such binding any more in the end, and read the variable outside."""
    f = sourced(f"z = 5.0\ndef f(x, c):\n    {body}\n    return x * z\n")["f"]
    for derive in (tnb.grad, tnb.jvp):
        df = derive(f)
        with pytest.raises(UnboundLocalError):
            df(2.0, 0, **{name: 1.0
                          for name in inspect.signature(df).parameters if name not in inspect.signature(f).parameters})


def test_what_runs_as_it_is_keeps_its_effects() -> None:
    """A function that is called with constants runs whole: what it does there is no fact of the text that is
    differentiated."""
    f = sourced("""def g(t, log, c):
    if c:
        log[0] = 7.0
        return np.arange(t[0]) + 1.0
    return t * 2.0
def f(x, log, c):
    y = g(x, log, 0)
    z = g(np.ones(2), log, c)
    return np.sum(y * log[0] * z[0])
""")["f"]
    for c in (0, 1):
        x, log = np.array([1.0, 2.0]), np.array([3.0])
        expected = 2.0 * (2.0 * 3.0 if c == 0 else 7.0) * np.ones(2)
        try:
            found = tnb.grad(f)(x, log, c)
        except TangentError:
            continue
        assert np.allclose(found, expected)


def test_report_says_which_places_every_path_passes() -> None:
    f = sourced("def f(x, c):\n    if c:\n        x = np.arange(x)\n    return np.sum(x)\n")["f"]
    assert tnb.report(f).startswith("f is refused when it reaches this place\n")
    f = sourced("def f(x, c):\n    if c:\n        x = eval('x')\n    x = np.arange(x)\n    return np.sum(x)\n")["f"]
    first, second = tnb.report(f).split("\n\n")
    assert "line 4," in first and first.startswith("cannot differentiate f\n")
    assert "line 3," in second and second.startswith("f is refused when it reaches this place\n")


def run(entry: Entry, function: Callable[..., Any]) -> Any:
    df = tnb.vjp(function, wrt=entry.wrt)
    return df(*judge.point(entry), **{judge.fixed(df)[-1]: judge.seed_of(entry)})


ENTRIES = [entry for entry in [*RIGHT, *CORPUS] if not entry.refused]


@pytest.mark.sampled(24)
@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.id)
def test_planted(entry: Entry) -> None:
    """A place that is not reached changes nothing; reached, it raises: never another number."""
    function = planted(entry.function, len(entry.id))
    if function is None:
        return
    with contextlib.redirect_stdout(io.StringIO()), np.errstate(all="ignore"):
        try:
            found = run(entry, function)
        except TangentError:
            return
        due = run(entry, entry.function)
        assert judge.same(found, due) or gap(found, due) < 1e-10
        REACHED[0] = True
        try:
            found = run(entry, function)
        except TangentError:
            return
        finally:
            REACHED[0] = False
        assert judge.same(found, due) or gap(found, due) < 1e-10     # these arguments do not lead there


def test_a_branch_that_is_refused_when_it_is_reached_in_a_try() -> None:
    """What stands behind it in the same try is not reached."""
    def f(x):
        y = x * 2.0
        try:
            if x > 1.0:
                y = y * x
                y = y * x
            else:
                y = np.real_if_close(x)
            if y > 99.0:
                raise ValueError
        except KeyError:
            pass
        return y * x

    assert np.isclose(tnb.grad(f)(1.7), 8.0 * 1.7 ** 3)
    assert np.isclose(tnb.jvp(f)(1.7, dx=1.0), 8.0 * 1.7 ** 3)
