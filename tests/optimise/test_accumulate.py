"""Sums in place: which arrays are changed, and which are somebody else's too."""
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from oracles import sourced

import tangent_nb as tnb

X, W = np.array([0.5, 1.5, -0.7]), np.array([1.0, 2.0, 3.0])
WITHOUT = [name for name in tnb.PASSES if name != "in_place"]
LOOP = "s = 0.0\n    for i in range(4):\n        s = s + np.sum(np.sin(w * x[0] + i))\n    return s"
PROGRAMS = {
    "loop": LOOP,
    "two_sums": "s = 0.0\n    for i in range(4):\n        y = w * x\n"
                "        s = s + np.sum(np.sin(y + i) * np.cos(y * y))\n    return s",
    "one_for_both": "y = x + w\n    z = x + w * 2.0\n    return np.sum(y * z) + np.sum(y)",
    "passed_on": "y = x\n    for i in range(3):\n        y = y + w * np.sin(x)\n    return np.sum(y * y)",
    "larger": "a = x[:, None] * w\n    s = 0.0\n    for i in range(3):\n"
              "        s = s + np.sum(np.sin(a * i)) + np.sum(x * i)\n    return s",
    "narrow": "a = np.asarray(x, np.float32)\n    s = 0.0\n    for i in range(3):\n"
              "        s = s + np.sum(np.sin(a * w * i))\n    return s",
    "branch": "s = 0.0\n    for i in range(3):\n        if x[i] > 0.0:\n"
              "            s = s + np.sum(np.sin(w * i))\n        else:\n"
              "            s = s + np.sum(w * x)\n    return s",
    "held": "h = []\n    for i in range(3):\n        h.append(np.sin(w * i))\n"
            "    return np.sum(h[0] * h[2] + x * h[1])",
}


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("kind", ["grad", "vjp", "jvp"])
def test_the_numbers_are_the_same_and_nobody_elses_array_changes(name, kind):
    f = sourced(f"def f(x, w):\n    {PROGRAMS[name]}\n", {"np": np})["f"]
    more = {"grad": (), "vjp": (1.5,), "jvp": (X * 2.0, W * 3.0)}[kind]
    found = []
    for passes in (True, WITHOUT, False):
        for details in ({}, {"like": (X, W)}):
            args = [one.copy() if isinstance(one, np.ndarray) else one for one in (X, W, *more)]
            made = getattr(tnb, kind)(f, (0, 1), optimized=passes, **details)(*args)
            assert all(np.array_equal(one, other) for one, other in zip(args, (X, W, *more), strict=True))
            if kind != "jvp":
                assert not np.shares_memory(*made)
            found.append(made)
    for one in found[1:]:
        for a, b in zip(np.atleast_1d(found[0]), np.atleast_1d(one), strict=True):
            assert np.allclose(a, b, rtol=1e-6 if name == "narrow" else 1e-13)


def test_what_is_summed_in_a_loop_is_summed_where_it_is():
    f = sourced(f"def f(x, w):\n    {LOOP}\n", {"np": np})["f"]
    text = tnb.source(tnb.grad(f, 1, like=(X, W)))
    assert "bw += " in text and "bw = bw + " not in text.split("_general(")[1]
    assert "bw = bw + " in tnb.source(tnb.grad(f, 1, like=(X, W), optimized=WITHOUT))


def test_sums_of_numbers_and_of_what_is_not_known_stay():
    f = sourced("def f(x, w):\n    s = 0.0\n    for i in range(3):\n        s = s + np.sin(w * i) * x\n    return s\n",
                {"np": np})["f"]
    assert "bw = bw + " in tnb.source(tnb.grad(f, 1, like=(2.0, 3.0)))
