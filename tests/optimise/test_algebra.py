"""Products and sums of products: what becomes one, and what does not."""
import math
import sys
from pathlib import Path

import gast
import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from oracles import sourced

import tangent_nb as tnb
from tangent_nb.optimise.algebra import Known, collected, joined
from tangent_nb.syntax.nodes import reads, unparse

KNOWN = Known(lambda node: "i" not in reads(node), lambda node: "f" not in reads(node),
              lambda node: getattr(node, "id", "") == "n")


def parsed(text):
    return gast.parse(text).body[0].value


@pytest.mark.parametrize(("text", "made"), [
    ("u + u", "2.0 * u"), ("s * u + u * s", "2.0 * s * u"), ("0.5 * s * b + b * (s * 0.5)", "s * b"),
    ("a + u * 2.0 + u", "a + 3.0 * u"), ("a - u - u * 3.0", "a - 4.0 * u"), ("u + a + b + u", "2.0 * u + a + b"),
    ("a + u - b + u", "a + 2.0 * u - b"), ("u / n + u / n", "2.0 / n * u"),
    ("0.5 * u / n * b + b * u / n * 0.5", "u * b / n"),
    ("a - b * u - u * b", "a - 2.0 * b * u")])
def test_terms_of_the_same_factors_are_one(text, made):
    assert unparse(joined(parsed(text), KNOWN)) == made


@pytest.mark.parametrize("text", [
    "u - u", "a + u - u", "a - u + u", "u + 2.0 * -0.5", "u + v", "u / n + n / u", "i + i", "f(u) + f(u)",
    "u @ v + u @ v", "1.0 + 1.0", "1e308 * u + 1e308 * u", "u * u", "-1.0 * u + u"])
def test_others_stay_two(text):
    node = parsed(text)
    made = joined(node, KNOWN)
    assert made is None or text == "u @ v + u @ v" and unparse(made) == "2.0 * (u @ v)"


@pytest.mark.parametrize(("text", "made"), [
    ("b * 0.5 * (4.0 * c) / 8.0", "0.25 * b * c"), ("2.0 * (b * 0.5)", "b"), ("0.5 / n * u * 2.0", "u / n"),
    ("u / 2.0 / 4.0", "0.125 * u"), ("2.0 * u * (3.0 * s)", "6.0 * u * s"),
    ("u / (n * 2.0) / 2.0 * 4.0", "u / n"), ("2.0 * -(a / s / (2.0 * s)) * u", "-(a * u / s / s)"),
    ("-(2.0 * u) * 3.0", "-(6.0 * u)")])
def test_the_numbers_in_a_product_are_one(text, made):
    assert unparse(collected(parsed(text), KNOWN)) == made


@pytest.mark.parametrize("text", ["2.0 * u", "u / 2.0", "2.0 * 3.0", "u / 0.0 * 2.0", "0.0 * u * 2.0", "2.0 * i * 3.0",
                                  "u / (2.0 / n) * 4.0",
                                  "1e200 * u * 1e200", "2 * u * 3", "2.0 * u @ v"])
def test_what_is_no_product_of_numbers_stays(text):
    assert collected(parsed(text), KNOWN) is None


def priced(s, sigma, t):
    total = 0.0
    for i in range(len(s)):
        d = (math.log(s[i]) + 0.5 * sigma * sigma * t) / (sigma * math.sqrt(t))
        total = total + s[i] * 0.5 * (1.0 + math.erf(d / 1.4142135623730951))
    return total


@pytest.mark.parametrize("args", [(np.linspace(0.5, 2.0, 5), 0.3, 1.5), (np.array([1.0]), 2.0, 0.01)])
def test_the_derivative_is_the_same_but_for_rounding(args):
    plain, raw = (tnb.grad(priced, (0, 1, 2), optimized=how)(*args) for how in (True, False))
    for one, other in zip(plain, raw, strict=True):
        assert np.allclose(one, other, rtol=1e-13, atol=1e-15)


@pytest.mark.parametrize("body", ["x * x + x * x", "x / k + x / k", "x * k - x * k", "x + x",
                                  "0.5 * x * k + k * x * 0.5"])
@pytest.mark.parametrize("x", [np.array([1.0, -2.0]), np.array([1.0, 2.0], np.float32), 3.0, np.array([np.inf, 1.0])],
                         ids=["array", "narrow", "float", "infinite"])
def test_dtypes_and_infinities_are_those_of_the_text_as_it_is(body, x):
    f = sourced(f"def f(x, k):\n    y = {body}\n    return np.sum(y * y)\n", {"np": np})["f"]
    with np.errstate(all="ignore"):
        made = [tnb.grad(f, optimized=how)(x, 2.0) for how in (True, False)]
    assert np.array_equal(*made, equal_nan=True) and np.asarray(made[0]).dtype == np.asarray(made[1]).dtype


@pytest.mark.parametrize("body", ["0.5 * k * k * x + 0.5 * k * k * x", "np.sin(x) + 0.5 * k * x + 0.5 * k * x",
                                  "0.5 * (x > 0.5) * x + 0.5 * (x > 0.5) * x", "2.0 * np.sin(x) * k[0] * k[1] * 0.25",
                                  "0.5 * np.sum(x) * k[0] * k[1] * 4.0 + 0.25 * np.sum(x) * k[0] * k[1]"])
@pytest.mark.parametrize("k", [
    np.array([100, 90, 80], "i1"), np.array([2 ** 33, 2 ** 34, 2 ** 35]), np.array([True, False, True]),
    np.array([1e30, 1e30, 1.1], "f4"), np.array([300.0, 250.0, 0.1], "f2"), np.array([1.1, 1.3, 0.7])],
    ids=lambda k: str(k.dtype))
def test_factors_of_other_dtypes_are_not_multiplied_with_each_other(body, k):
    f = sourced(f"def f(x, k):\n    return np.sum({body})\n", {"np": np})["f"]
    x = np.array([0.3, 0.7, 1.1])
    with np.errstate(all="ignore"):
        raw, *others = [tnb.grad(f, **details)(x, k) for details in (
            {"optimized": False}, {}, {"like": (x, k)}, {"optimized": tnb.PASSES})]
    for one in others:
        assert np.allclose(one, raw, rtol=1e-13) and one.dtype == raw.dtype


@pytest.mark.parametrize("d", ["f2", "f4", "f8"])
def test_arrays_of_no_axes_are_as_exact_as_before(d):
    f = sourced("def f(x, a, b):\n    u = np.sum(x)\n    return 0.5 * u * a * b * 4.0 + 0.25 * u * a * b\n",
                {"np": np})["f"]
    args = np.array([0.3, 0.7]), np.array(1.1, d), np.array(1.3, d)
    for details in ({}, {"like": args}):
        assert np.allclose(tnb.grad(f, **details)(*args), tnb.grad(f, optimized=False)(*args), rtol=1e-14)
