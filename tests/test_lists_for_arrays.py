"""What a helper is given as a list where it takes an array: the slope is that of an array, in both modes."""
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from oracles import sourced

import tangent_nb as tnb

CALLS = ["np.linalg.norm(v)", "np.linalg.norm(v) ** 2", "np.square(v)", "np.arctan(v)", "np.log1p(v)", "np.sinc(v)",
         "np.negative(v)", "np.subtract(v, 1.0)", "np.logaddexp.reduce(v)", "np.linalg.solve(np.eye(2) * 2.0, v)",
         "v - np.ones(2)", "v / np.full(2, 2.0)"]
SHORT = "def h(v):\n    return {call}\n"
LONG = "def h(v):\n    if len(v) > 9:\n        return v\n    return {call}\n"


@pytest.mark.parametrize("text", [SHORT, LONG], ids=["in_place", "called"])
@pytest.mark.parametrize("call", CALLS)
def test_of_a_list(call, text):
    text = text.format(call=call) + "def f(x):\n    return np.sum(np.sin(h([x, 0.5])))\n"
    f = sourced(text, {"np": np})["f"]
    slope = (f(0.3 + 1e-6) - f(0.3 - 1e-6)) / 2e-6
    assert np.allclose(tnb.grad(f)(0.3), slope, rtol=1e-6)
    assert np.allclose(tnb.jvp(f)(0.3, 1.0), slope, rtol=1e-6)


def test_lists_of_the_caller():
    """Its own lists of lists, as points are written down."""
    text = "def f(points):\n    s = 0.0\n    for p in points:\n        s = s + {call}\n    return s\n"
    for call in ("np.linalg.norm(p)", "np.sum(np.exp(p))", "np.sum(p * np.ones(2))", "np.sum(np.square(p))",
                 "np.sum(np.log1p(p))", "h(p)"):
        f = sourced("def h(q):\n    return np.linalg.norm(q)\n" + text.format(call=call), {"np": np})["f"]
        points = [[0.3, 0.4], [1.0, 2.0]]
        want = tnb.grad(f)([np.array(p) for p in points])
        for optimized in (True, False):
            got = tnb.grad(f, optimized=optimized)(points)
            assert type(got[0]) is list and np.allclose(got, want, rtol=1e-12)


OPERATIONS = ["A - p['w']", "p['w'] - A", "A * p['w']", "A / p['w']", "p['w'] / A", "A ** p['w']", "p['w'] ** A",
              "A @ p['w']", "A % p['w']", "A - (A - p['w'])", "-(A - p['w'])"]


@pytest.mark.parametrize("operation", OPERATIONS)
def test_operators_beside_an_array(operation):
    f = sourced(f"A = np.array([1.5, 2.5])\ndef f(p):\n    return np.sum(({operation}) ** 2)\n", {"np": np})["f"]
    slope = tnb.grad(f)({"w": np.array([0.4, 0.7])})["w"]
    assert np.allclose(tnb.grad(f)({"w": [0.4, 0.7]})["w"], slope, rtol=1e-12)
    for along in ([1.0, 0.0], [0.3, -2.0]):
        assert np.allclose(tnb.jvp(f)({"w": [0.4, 0.7]}, {"w": along}), np.dot(slope, along), rtol=1e-12)


INTEGERS = ["np.sum(np.log1p(v))", "np.linalg.norm(v)", "np.mean(v)", "np.sum(1.5 * np.asarray(v))", "h(v)",
            "np.sum(np.log(np.array(v)))"]


@pytest.mark.parametrize("call", INTEGERS)
def test_integers_of_the_caller_are_numbers_too(call):
    """The array of a list of integers has a dtype without a derivative: no cast, though, cut it."""
    text = "def h(v):\n    if len(v) > 9:\n        return 0.0\n    return np.sum(np.log1p(v))\n"
    f = sourced(text + f"def f(d):\n    v = d['k']\n    return {call}\n", {"np": np})["f"]
    for optimized in (True, False):
        got = tnb.grad(f, optimized=optimized)({"k": [1, 2, 3]})
        assert np.allclose(got["k"], tnb.grad(f)({"k": [1.0, 2.0, 3.0]})["k"], rtol=1e-12)
    along = {"k": [1.0, -0.5, 0.25]}
    assert np.allclose(tnb.jvp(f)({"k": [1, 2, 3]}, along), np.dot(got["k"], along["k"]), rtol=1e-12)


def test_a_cast_to_integers_still_cuts():
    def f(d):
        return np.sum(np.array(d["k"], dtype=int) * 1.5)

    def g(x):
        return np.sum(np.asarray([int(x), 2]) * x)

    assert tnb.grad(f)({"k": [1, 2]}) == {"k": [0.0, 0.0]} == tnb.grad(f)({"k": [1.0, 2.0]})
    assert tnb.grad(g)(1.2) == 3.0 == tnb.jvp(g)(1.2, 1.0)


WEIGHTED = """\
import numpy as np
def weighted(*terms, scale=1.0):
    total = 0.0
    for i, v in enumerate(terms):
        total += v * (i + 1)
    return total * scale
def f(x, s):
    y = weighted(*(s * s, s))
    try:
        z = OPERATION
    except (ZeroDivisionError, OverflowError):
        z = y / (1.0 + x[1] ** 2)
    return y + s + z
"""


@pytest.mark.parametrize("operation", ["y / (0.0 * 1.0)", "(y - y) / (0.0 * 1.0)", "(1000.0 * y) ** 400.0",
                                       "(1e200 * y) ** 2"])
def test_a_number_that_may_be_a_list_raises_as_a_number_does(operation):
    """In second derivatives it comes out of a tuple that holds lists too; as an array it gave infinity."""
    f = sourced(WEIGHTED.replace("OPERATION", operation))["f"]
    x, s = np.array([0.97, -0.84, 0.73]), 0.81
    by_x = -(s * s + 2.0 * s) * 2.0 * x[1] / (1.0 + x[1] ** 2) ** 2
    first, second = 1.0 / (1.0 + x[1] ** 2), 2.0 * s + 2.0
    for optimized in (True, False):
        df = tnb.grad(f, (0, 1), optimized=optimized)
        assert df(x, s)[1] == pytest.approx(second + 1.0 + second * first) and df(x, s)[0][1] == pytest.approx(by_x)
        along = tnb.jvp(tnb.grad(f, 1, optimized=optimized), 1, optimized=optimized)(x, s, 1.0)
        assert along == pytest.approx(2.0 + 2.0 * first)
        assert tnb.jvp(df, (0, 1), optimized=optimized)(x, s, 0.0 * x, 1.0)[1] == pytest.approx(2.0 + 2.0 * first)
