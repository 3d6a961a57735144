"""Memory that a derivative takes over: where nothing else reads it, and where it has to be copied."""
import itertools
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from oracles import sourced

import tangent_nb as tnb

X, W = np.array([0.5, 1.5, -0.7, 2.0]), np.array([1.0, 2.0, 3.0, -1.0])
PROGRAMS = {
    "copy": "u = x.copy()\n    u[1:] += w[1:] * u[:-1]\n    return np.sum(u * u)",
    "view": "u = x[1:].copy()\n    u[0] = u[1] * w[0]\n    return np.sum(u * u * w[1:])",
    "two_names": "u = x * 1.0\n    v = u\n    u = u * w\n    u[0] = v[1]\n    return np.sum(u * v)",
    "both_read": "u = x.copy()\n    v = x.copy()\n    u[0] = 2.0 * w[1]\n    v[1] = u[2] * w[2]\n"
                 "    return np.sum(u * v)",
    "in_a_loop": "u = x.copy()\n    for i in range(3):\n        v = u.copy()\n        v[i] = u[i + 1] * w[i]\n"
                 "        u = v\n    return np.sum(u * w)",
    "exchanged": "a = x.copy()\n    b = w.copy()\n    for i in range(3):\n        a[i] = b[i + 1] * a[i]\n"
                 "        a, b = b, a\n    return np.sum(a * a * b)",
    "reshaped": "u = x.reshape(2, 2).copy()\n    u[0] = u[1] * w[0]\n    return np.sum(u.T * u)",
    "transposed": "u = x.reshape(2, 2).T.copy()\n    u[0, 1] = u[1, 0] * w[0]\n    return np.sum(u * u[0])",
    "given_on": "u = x + w\n    u[0] = 3.0 * w[0]\n    return np.sum(u * u) + np.sum(x * w)",
    "of_a_branch": "u = x.copy()\n    if x[0] > 0.0:\n        u[0] = w[0] * u[1]\n    else:\n        u = w.copy()\n"
                   "    return np.sum(u * x)",
    "held": "u = x.copy()\n    held = [u, w]\n    u[0] = w[1] * 2.0\n    return np.sum(held[0] * held[1])",
    "grown": "y = x[:1]\n    for i in range(3):\n        y = np.append(y, y[-1] * w[i])\n        y[0] = y[i] * x[i]\n"
             "    return np.sum(y * y)",
    "the_argument": "x[0] = x[1] * w[0]\n    return np.sum(x * x)",
    "result_of_a_call": "u = twice(x)\n    u[0] = w[0] * u[1]\n    return np.sum(u * twice(u))",
}
SETS = {"all": True, "none": False, "plain": ["unbroadcast", "first_write", "constant_folding", "copy_propagation"],
        "no_dead_code": [name for name in tnb.PASSES if name != "dead_code"]}


def program(name):
    return sourced(f"def twice(v):\n    return v * 2.0\ndef f(x, w):\n    {PROGRAMS[name]}\n", {"np": np})["f"]


def copied():
    return X.copy(), W.copy()


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_text_gives_the_same_and_what_is_given_is_its_own(name):
    f = program(name)
    h, want = 1e-6, []
    for place in range(2):
        steps = [[v + sign * h * np.eye(4)[i] if k == place else v for k, v in enumerate((X, W))]
                 for i, sign in itertools.product(range(4), (1, -1))]
        values = [f(*[v.copy() for v in one]) for one in steps]
        want.append([(values[2 * i] - values[2 * i + 1]) / (2 * h) for i in range(4)])
    for passes, details in itertools.product(SETS.values(), ({}, {"like": (X, W)})):
        args = copied()
        found = tnb.grad(f, (0, 1), optimized=passes, **details)(*args)
        assert np.allclose(found, want, rtol=1e-6, atol=1e-7)
        assert not np.shares_memory(*found) and not any(np.shares_memory(one, arg) for one in found for arg in args)


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_pullback_may_be_called_again(name):
    f = program(name)
    _, back = tnb.pullback(f, *copied(), wrt=(0, 1))
    first = [one.copy() for one in back(1.0)]
    again = back(1.0)
    for one, other in zip(first, again, strict=True):
        assert np.array_equal(one, other)
    again[0][:] = 7.0
    assert all(np.array_equal(one, other) for one, other in zip(first, back(1.0), strict=True))


def test_the_copy_is_gone_where_nothing_else_reads_the_memory():
    text = tnb.source(tnb.grad(program("copy"), (0, 1), like=(X, W)))
    assert "bx = bu" in text and "rt.copy(bu)" not in text.split("_general(")[1]


def test_it_stays_where_the_memory_is_that_of_the_seed():
    f = sourced("def f(x):\n    y = x.copy()\n    y[0] = 2.0\n    return y\n", {"np": np})["f"]
    seed = np.ones(4)
    assert np.array_equal(tnb.vjp(f)(X, seed), [0.0, 1.0, 1.0, 1.0]) and np.array_equal(seed, np.ones(4))


SHARED = {
    "named": ("def f(x, w):\n    v = w * w\n    u = step(x)\n    z = u + v\n    return np.sum(z * z)\n", ()),
    "an_argument": ("def f(x, w, g):\n    v = w * w\n    u = g(x)\n    z = u + v\n    return np.sum(z * z)\n",
                    ("step",)),
    "a_default": ("def f(x, w, g=step):\n    return np.sum((g(x) + w) ** 2)\n", ()),
    "in_a_list": ("def f(x, w):\n    r = w * 2.0\n    for g in [step, np.sin]:\n        r = g(x) + r\n"
                  "    return np.sum(r * r)\n", ()),
    "twice": ("def f(x, w):\n    z = step(x) + step(w)\n    return np.sum(z * z)\n", ()),
    "a_list": ("def f(x, w):\n    a, b = both(x)\n    z = a + w\n    return np.sum(z * z * (b + z))\n", ()),
}


@pytest.mark.parametrize("name", SHARED)
def test_a_helper_that_changes_its_array_leaves_the_cotangents_of_others(name):
    text, more = SHARED[name]
    space = sourced("def step(a):\n    b = a + 1.0\n    b[0] = 2.0\n    return b\n"
                    "def both(a):\n    b = a * 1.0\n    b[1] = 0.5\n    c = b\n    c[0] = b[1]\n    return b, c\n"
                    + text, {"np": np})
    f, args = space["f"], (X[:3], W[:3], *(space[one] for one in more))
    raw = tnb.grad(f, (0, 1), optimized=False)(*args)
    for passes in (True, tnb.PASSES, [one for one in tnb.PASSES if one != "inlining"]):
        for details in ({}, {"like": args}):
            for one, other in zip(tnb.grad(f, (0, 1), optimized=passes, **details)(*args), raw, strict=True):
                assert np.allclose(one, other, rtol=1e-13)
    seed = np.array([5.0, 6.0, 7.0])
    g = sourced("def step(a):\n    b = a + 1.0\n    b[0] = 2.0\n    return b\ndef g(x, w):\n    return step(x) + w\n",
                {"np": np})["g"]
    bx, bw = tnb.vjp(g, (0, 1))(X[:3], W[:3], seed)
    assert np.array_equal(bx, [0.0, 6.0, 7.0]) and np.array_equal(bw, seed) and np.array_equal(seed, [5.0, 6.0, 7.0])


@pytest.mark.parametrize("body", ["y = x * 1.0\n    y[0] = 2.0\n    return y", "return x + 1.0", "return x.T + 1.0",
                                  "y = x * 1.0\n    for i in range(2):\n        y[i] = 0.5\n"
                                  "        y = y * 1.0\n    return y"])
def test_the_seed_of_split_motion_is_the_callers(body):
    f = sourced(f"def f(x):\n    {body}\n", {"np": np})["f"]
    for passes in (True, False):
        forward, backward = tnb.autodiff(f, motion="split", optimized=passes)
        _, residuals = forward(X)
        seed = W.copy()
        first = backward(residuals, seed)
        assert not np.shares_memory(first, seed) and np.array_equal(seed, W)
        first += 7.0
        assert np.array_equal(backward(residuals, seed), first - 7.0)
