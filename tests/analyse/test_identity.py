"""Views under names of which it is asked whether they are one object with another: never written as the part that they
are, nor given copies."""
from __future__ import annotations

import linecache
from collections.abc import Callable
from itertools import count
from typing import Any

import numpy as np
import pytest

import tangent_nb as tnb
from tangent_nb.errors import TangentError

numbers = count()
AT = np.array([0.31, 0.74])
START = """\
def same(p, q):
    return p is q

def within(p, rows):
    return any(p is q for q in rows)

def doubled(p, q):
    return (1.0 if p is q else 2.0) * np.sum(p)

def f(x):
    v = np.ones((3, 2))
    b = v[1]
    c = 2.0
"""
RIGHT = {
    "all_of_it": """
    a = v
    a[1] += x
    c = 1.0 if a is v else 2.0""",
    "no_part_of_it": """
    b += x
    c = 1.0 if b is not x and b is not None and type(b) is np.ndarray else 2.0""",
    "copied_before": """
    a = v
    c = (1.0 if same(a, v) else 2.0) * np.sum(a * x)
    v += x""",
    "of_two_slices": """
    a = v[:]
    c = (1.0 if same(a, v) else 2.0) * np.sum(a * x)
    v += x""",
}
NEVER_WRONG = {
    "itself": """
    b += x
    c = 1.0 if b is b else 2.0""",
    "another_name": """
    a = b
    b += x
    c = 1.0 if a is b else 2.0""",
    "an_item": """
    rows = [b, x]
    b += x
    c = 1.0 if rows[0] is b else 2.0""",
    "an_item_of_a_dict": """
    d = dict(a=b)
    b += x
    c = 1.0 if b is d["a"] else 2.0""",
    "by_a_function": """
    b += x
    c = 1.0 if same(b, b) else 2.0""",
    "by_a_function_of_a_list": """
    rows = [b]
    b += x
    c = 1.0 if within(b, rows) else 2.0""",
    "by_a_function_with_a_derivative": """
    b += x
    c = doubled(b, b)""",
    "by_a_function_made_here": """
    def asks(t):
        return t is b
    b += x
    c = 1.0 if asks(b) else 2.0""",
    "by_a_lambda": """
    b += x
    c = 1.0 if (lambda t: t is b)(b) else 2.0""",
    "in_a_list": """
    b += x
    c = 1.0 if b in [b] else 2.0""",
    "place_in_a_list": """
    b += x
    c = 1.0 if [b, 1].index(b) == 0 else 2.0""",
    "transposed": """
    b = v.T
    b[0] += x[0]
    c = 1.0 if b is b else 2.0""",
    "one_line": """
    b = v.ravel()
    b[0] += x[0]
    c = 1.0 if b is b else 2.0""",
    "of_two": """
    a = b if x[0] > 0.0 else v[2]
    b += x
    c = 1.0 if a is b else 2.0""",
    "rows_in_turn": """
    for r in v:
        q = r
        r += x
        c = c + (1.0 if r is q else 2.0) * np.sum(r)""",
    "rows_of_a_list": """
    rows = [v[0], v[1]]
    rows[0] += x
    for r in rows:
        if r is rows[0]:
            c = c + np.sum(r * x)""",
    "bound_in_a_loop": """
    a = b
    for i in range(2):
        a = v[1] if i == 5 else b
        a += x
        c = c + (1.0 if a is b else 3.0)""",
    "copied_in_a_loop": """
    b = v
    for _ in range(3):
        c = c + (1.0 if same(b, v) else 2.0) * np.sum(b * x)
        b = v[:]
    v += x""",
}


def made(body: str) -> Callable[..., Any]:
    text = f"{START}{body.lstrip(chr(10))}\n    return c * np.sum(x) + np.sum(v)\n"
    name = f"<identity {next(numbers)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    names: dict[str, Any] = {"np": np, "__name__": "identity"}
    exec(compile(text, name, "exec"), names)
    return names["f"]


def gradients(f: Callable[..., Any]) -> list[Any]:
    tangent = tnb.jvp(f)
    return [tnb.grad(f)(AT), tnb.grad(f, optimized=False)(AT), [np.ravel(tangent(AT, e))[-1] for e in np.eye(2)]]


def differences(f: Callable[..., Any]) -> Any:
    return [(f(AT + 1e-6 * e) - f(AT - 1e-6 * e)) / 2e-6 for e in np.eye(2)]


@pytest.mark.parametrize("body", RIGHT.values(), ids=RIGHT)
def test_right(body: str) -> None:
    f = made(body)
    for got in gradients(f):
        np.testing.assert_allclose(got, differences(f), rtol=1e-6)


@pytest.mark.parametrize("body", NEVER_WRONG.values(), ids=NEVER_WRONG)
def test_right_or_refused(body: str) -> None:
    f = made(body)
    try:
        found = gradients(f)
    except TangentError:
        return
    for got in found:
        np.testing.assert_allclose(got, differences(f), rtol=1e-6)
