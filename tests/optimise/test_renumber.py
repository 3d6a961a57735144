"""Names without numbers: where they are free, and where they are not."""
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from oracles import sourced

import tangent_nb as tnb

V = np.array([0.3, -0.2, 0.7])


def text_of(body, **space):
    f = sourced(f"def f(x, w):\n    {body}\n", {"np": np, **space})["f"]
    df = tnb.grad(f, (0, 1), like=(V, V * 2.0))
    raw = tnb.grad(f, (0, 1), optimized=False)(V, V * 2.0)
    for one, other in zip(df(V, V * 2.0), raw, strict=True):
        assert np.allclose(one, other, rtol=1e-12)
    return tnb.source(df)


def test_a_name_that_is_free_has_no_number():
    text = text_of("return np.log(np.sum(np.exp(x + 1.0) * w))")
    assert "total =" in text and "total_1" not in text.split("_general(")[1]


@pytest.mark.parametrize(("body", "there"), [
    ("total = np.sum(x)\n    return total * np.log(np.sum(np.exp(x + 1.0) * w))", "total = np.sum(x)"),
    ("total = 3.0\n    del total\n    return np.log(np.sum(np.exp(x + 1.0) * w))", "total_1"),
    ("return total * np.log(np.sum(np.exp(x + 1.0) * w))", "total_1"),
    ("return total(x) * np.log(np.sum(np.exp(x + 1.0) * w))", "total_1")])
def test_a_name_of_the_user_stays_his(body, there):
    space = {"total": (lambda v: 2.0) if "total(" in body else 2.0}
    assert there in text_of(body, **space)


def test_the_cotangent_of_a_variable_of_the_user_has_its_name_alone():
    text = text_of("total = 0.0\n    for i in range(3):\n        s = x[i] * w[i] + 1.0\n"
                   "        total = total + np.tanh(s + w[i]) * s\n    return total")
    assert "btotal = rt.seed(total)" in text and text.count("btotal =") == 2     # in both texts


def test_second_derivatives_and_forward_mode():
    f = sourced("def f(x, w):\n    return np.log(np.sum(np.exp(x * w + 1.0))) * np.log(np.sum(np.exp(x)))\n",
                {"np": np})["f"]
    for how in (True, False):
        g = tnb.grad(f, optimized=how)
        along = tnb.jvp(lambda x, w: np.sum(g(x, w) * w), optimized=how)
        assert np.isclose(along(V, V, V), tnb.jvp(lambda x, w: np.sum(tnb.grad(f)(x, w) * w))(V, V, V), rtol=1e-12)


def test_it_can_be_left_out():
    f = sourced("def f(x):\n    return np.log(np.sum(np.exp(x + 1.0)))\n", {"np": np})["f"]
    passes = [name for name in tnb.PASSES if name != "renumber"]
    with_numbers, without = (tnb.source(tnb.grad(f, optimized=how, like=(V,))) for how in (passes, tnb.PASSES))
    assert "total_1" in with_numbers and "total_1" not in without.split("_general(")[1]
