"""`f(x, **d)` where the function makes d: with its keywords by name, or bound when it runs, and never with
other ones."""
from __future__ import annotations

import linecache
from itertools import count
from typing import Any

import numpy as np
import pytest

import tangent_nb as tnb
from tangent_nb.errors import TangentError

numbers = count()
START = """\
import functools
import numpy as np

def h(a, b=2.0, c=3.0):
    return np.sum(a * b * c)

def g(a, **kw):
    return h(a, **kw)

def change(d):
    d["c"] = 7.0

def with_c(f):
    @functools.wraps(f)
    def wrapper(*args, **kwargs):
        kwargs["c"] = 7.0
        return f(*args, **kwargs)
    return wrapper

class Model:
    def __init__(self, k):
        self.k = k

    def value(self, a, **kw):
        return h(a * self.k, **kw)

    def deep(self, a, *args, **kw):
        return self.value(a, **kw) * args[0]

    @with_c
    def always(self, a, c=1.0):
        return np.sum(a * a * c)

model = Model(2.0)
OTHERS = {}

def f(x, u):
"""
RIGHT = {
    "a display": """
    return h(x, **{"b": u})""",
    "a dict": """
    d = {"b": u}
    return h(x, **d)""",
    "a dict made by its name": """
    d = dict(b=u, c=x)
    return h(x, **d)""",
    "a dict that grows": """
    d = {"b": u}
    first = h(x, **d)
    d["c"] = x * u
    return h(x, **d) + first""",
    "an item bound again in a branch": """
    d = {"b": u, "c": x}
    if x[0] > 0:
        d["b"] = x
    return h(x, **d)""",
    "passed on": """
    d = {"b": u}
    return g(x, c=x, **d) + g(u, **d)""",
    "a call in a call": """
    d = {"b": u}
    return h(h(x, **d) * x, **d)""",
    "in a loop": """
    d = {"c": u}
    total = 0.0
    for k in range(2):
        e = {"b": x * k}
        total = total + h(x * k, **d, **e)
        e["b"] = 5.0
    return total""",
    "in a comprehension": """
    d = {"c": u}
    return sum([h(x * k, **d) for k in range(3)])""",
    "of a method": """
    d = {"c": u}
    return model.deep(x, np.sum(u), **d) + Model(x[0]).value(u, **d)""",
    "arrays that change": """
    d = {"a": x * 1.0, "b": u}
    d["a"] += x
    d["b"] = d["a"] * u
    return h(**d) * h(u, **{"c": x})""",
    "set by a decorator": """
    return model.always(x * u) + model.always(x, c=2.0)""",
}
LATER = {
    "a key of a branch": """
    d = {"c": u}
    if u[0] > 0:
        d["b"] = x
    return h(x, **d)""",
    "changed by a call": """
    d = {"b": u}
    change(d)
    return h(x, **d)""",
    "taken out": """
    d = {"b": u, "c": x}
    d.pop("c")
    return h(x, **d)""",
    "deleted": """
    d = {"b": u, "c": x}
    del d["c"]
    return h(x, **d)""",
    "evaluated later": """
    d = {"b": u}
    parts = (h(x * k, **d) for k in range(3))
    d["c"] = x
    return sum(parts)""",
    "called later": """
    d = {"b": u}
    later = lambda: h(x, **d)
    d["c"] = x
    return later()""",
    "held": """
    d = {"b": u}
    held = [d]
    held[0]["c"] = x
    return h(x, **d)""",
    "bound in a branch": """
    d = {"b": u}
    if x[0] > 0:
        d = {"c": u}
    return h(x, **d)""",
    "grown in a loop": """
    d = {"b": u}
    total = 0.0
    for k in range(2):
        total = total + h(x, **d)
        d["c"] = x
    return total""",
    "another one of a comprehension": """
    d = {"b": u}
    return sum([h(x, **d) for d in [{"b": x, "c": u}]]) + h(u, **d)""",
}
REFUSED = {
    "another name": """
    d = {"b": u}
    e = d
    e["c"] = x
    return h(x, **d)""",
}
WRONG = {
    "given twice by a display": """
    return model.always(x, c=2.0, **{"c": x})""",
    "given twice": """
    d = {"b": u}
    return h(x, b=x, **d)""",
    "one that is not there": """
    d = {"b": u}
    d["z"] = x
    return h(x, **OTHERS, **d)""",
    "missing": """
    return h(**{k: u for k in ("b", "c")})""",
    "too many": """
    return h(*[x, u, x, u])""",
    "no mapping": """
    return h(x, **u)""",
}


def made(body: str) -> Any:
    text = START + body[1:] + "\n"
    name = f"<keywords {next(numbers)}>"
    linecache.cache[name] = len(text), None, text.splitlines(True), name
    scope: dict[str, Any] = {"__name__": "keywords"}
    exec(compile(text, name, "exec"), scope)
    return scope["f"]


X, U = np.array([0.7, -1.2, 0.4]), np.array([1.5, 0.3, -0.8])


def differences(f: Any) -> list[Any]:
    steps = np.eye(3) * 1e-6
    return [[(f(X + s, U) - f(X - s, U)) / 2e-6 for s in steps], [(f(X, U + s) - f(X, U - s)) / 2e-6 for s in steps]]


@pytest.mark.parametrize("optimized", [True, False])
@pytest.mark.parametrize("body", RIGHT.values(), ids=RIGHT)
def test_keywords_that_are_known_stand_by_name(body, optimized):
    f = made(body)
    np.testing.assert_allclose(tnb.grad(f, (0, 1), optimized=optimized)(X, U), differences(f), rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("optimized", [True, False])
@pytest.mark.parametrize("body", LATER.values(), ids=LATER)
def test_keywords_that_are_not_known_are_bound_when_it_runs(body, optimized):
    test_keywords_that_are_known_stand_by_name(body, optimized)
    f, (gx, gu) = made(body), differences(made(body))
    np.testing.assert_allclose(tnb.jvp(f, (0, 1))(X, U, X, U), np.sum(gx * X + gu * U), rtol=1e-6)


@pytest.mark.parametrize("body", REFUSED.values(), ids=REFUSED)
def test_dicts_that_change_by_another_name_are_refused(body):
    with pytest.raises(TangentError, match="others may hold it"):
        tnb.grad(made(body), (0, 1))


@pytest.mark.parametrize("body", WRONG.values(), ids=WRONG)
def test_what_python_says_of_a_call_is_said(body):
    f = made(body)
    with pytest.raises(TypeError) as due:
        f(X, U)
    try:
        df = tnb.grad(f, (0, 1))
    except TangentError:
        return
    with pytest.raises(TypeError) as got:
        df(X, U)
    assert str(due.value).removeprefix("keywords.") == str(got.value)
