"""Each pass on the smallest program that shows what it does, and what it must leave alone."""
from __future__ import annotations

import ast
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from oracles import sourced

import tangent_nb as tnb
from tangent_nb.errors import TangentError

LOOP = "def f(x, n):\n    for i in range(n):\n        x = np.sin(x) * x\n    return np.sum(x)\n"


def derived(text, passes=tnb.PASSES, **details):
    return tnb.source(tnb.grad(sourced(text, {"np": np})["f"], optimized=passes, **details))


@pytest.mark.parametrize("name", tnb.PASSES)
def test_every_pass_changes_something_somewhere(name):
    texts = [LOOP, ("def h(x):\n    return x * x\ndef f(x):\n    y = h(x) + 1.0\n"
                    "    return np.sum(np.exp(y) * np.cos(y)) * np.sum(np.cos(y))\n")]
    rest = tuple(p for p in tnb.PASSES if p != name)
    trips = "def f(w, x):\n    s = 0.0\n    for v in x:\n        e = np.exp(w * v)\n        s += e * e\n    return s\n"
    parts = ("def f(x, a, n):\n    for k in range(n):\n        c = a[k]\n        x = np.sin(x) * c * c\n"
             "    return np.sum(x)\n")
    sums = "def f(w, xs):\n    s = 0.0\n    for x in xs:\n        s = s + np.sum(np.tanh(x * w))\n    return s\n"
    same = "def f(x, w, n):\n    for _ in range(n):\n        x = x * np.cos(w)\n    return np.sum(x)\n"
    assert any(derived(text) != derived(text, rest) for text in [*texts, parts]) \
        or any(derived(text, like=args) != derived(text, rest, like=args)
               for text, args in ((trips, (2.0, np.ones(3))), (sums, (np.ones(3), np.ones((2, 3)))),
                                  (same, (np.ones(3), np.ones(3), 4))))


def test_every_pass_is_shown_alone():
    """An example in a docstring, which runs as a doctest, names it and prints the lines before and after."""
    folder = Path(tnb.__file__).parent
    trees = [ast.parse(path.read_text(encoding="utf-8"))
             for part in ("optimise", "normalise", "differentiate") for path in (folder / part).glob("*.py")]
    examples = [[line for line in (ast.get_docstring(node) or "").splitlines() if line.startswith((">>> ", "... "))]
                for tree in trees for node in ast.walk(tree) if isinstance(node, (ast.Module, ast.FunctionDef))]
    shown = "\n".join(line for lines in examples if any("print(" in line for line in lines) for line in lines)
    assert [name for name in tnb.PASSES if f'"{name}"' not in shown] == []


def test_tapes_that_nothing_reads_are_gone():
    text = derived("def f(x, n):\n    s = 0.0\n    for i in range(n):\n        s = s + x\n    return s\n", like=(2.0,))
    assert "saved" not in text.split("\n\n\n")[0] and "saved" in derived(LOOP)


def test_effects_stay():
    text = derived("def f(x):\n    y = x * x\n    assert x > 0, y\n    print(y)\n    if x > 9:\n"
                   "        raise ValueError('big')\n"
                   "    return 3.0 * x\n")
    assert "assert x > 0, y" in text and "print(y)" in text and "raise ValueError" in text and "y = x * x" in text


def test_no_unbroadcast_where_shapes_are_known():
    text = "def f(x, b):\n    return np.sum((x + b) * x)\n"
    assert "unbroadcast" in derived(text, wrt=(0, 1))
    specialized = derived(text, wrt=(0, 1), like=(np.ones((2, 3)), np.ones(3))).split("\n\n\n")[0]
    assert "unbroadcast" not in specialized and "np.sum(" in specialized and "axis=0" in specialized


def test_other_arguments_go_to_the_general_text():
    df = tnb.grad(sourced("def f(x):\n    return np.sum(x * x)\n")["f"], like=(np.ones(3),))
    assert np.array_equal(df(np.ones(3)), 2.0 * np.ones(3)) and df(3.0) == 6.0
    assert np.array_equal(df(np.ones((2, 2))), 2.0 * np.ones((2, 2))) and tnb.grad(df)(3.0) == 2.0
    assert df(np.ones(3, np.float32)).dtype == np.float32


def test_cheap_values_are_computed_again():
    assert "sin_saved" in derived(LOOP, tuple(p for p in tnb.PASSES if p != "recompute")) \
        and "sin_saved" not in derived(LOOP)


def test_the_seed_of_an_inner_derivative_is_checked_though_nothing_reads_it():
    f = sourced("def f(x):\n    y = 2.0 * np.ones(3)\n    return y * 1.5\n", {"np": np})["f"]
    second = tnb.vjp(tnb.vjp(f))
    assert np.array_equal(second(np.ones(2), np.ones(3), np.ones(2)), np.zeros(2))
    with pytest.raises(TangentError):
        second(np.ones(2), np.ones(4), np.ones(2))


def test_a_choice_of_two_branches_has_one_mask():
    text = "def f(x, w):\n    z = x * w\n    return np.sum(np.where(z > 0.0, z, 0.1 * z) ** 2)\n"
    f, args = sourced(text, {"np": np})["f"], (np.array([0.5, -1.5, 0.0]), np.array([2.0, 0.3, -1.0]))
    special = derived(text, wrt=(0, 1), like=args).split("\n\n\n")[0]
    assert "rt.mask" not in special and special.count("np.where") == 3 and "logical_not" not in special
    raw = tnb.grad(f, (0, 1), optimized=False)
    infinite = np.array([np.inf, -1.5, 0.0]), args[1]
    for point in (args, infinite):
        for passes in (tnb.PASSES, True):
            for one, other in zip(tnb.grad(f, (0, 1), optimized=passes, like=args)(*point), raw(*point), strict=True):
                assert np.allclose(one, other, rtol=1e-15, equal_nan=True)


@pytest.mark.parametrize("change", ["c[0] = False", "d[0] = False", "c[:1][0] = False", "held[0][0] = False",
                                    "c = x > -1.0", "c &= x > 1.0", "x = x - 1.0\n    c = x > 0.0"])
def test_a_condition_that_changes_between_two_masks_is_another(change):
    f = sourced("def f(x, w):\n    c = x > 0.0\n    d = c[:1]\n    held = [c]\n    y = np.where(c, x * w, 0.3 * x)\n"
                f"    {change}\n    z = np.where(c, y, 0.7 * y * w)\n    y = z * y + np.where(c, y, z * y)\n"
                "    return np.sum(y)\n",
                {"np": np})["f"]
    args = np.array([0.5, 1.5, -0.7]), np.array([1.0, 2.0, 3.0])
    raw = tnb.grad(f, (0, 1), optimized=False)(*args)
    for details in ({}, {"like": args}):
        for one, other in zip(tnb.grad(f, (0, 1), **details)(*args), raw, strict=True):
            assert np.allclose(one, other, rtol=1e-13)


def test_what_is_added_to_itself_is_doubled_to_the_last_bit():
    f = sourced("def f(x, y):\n    d = x - y\n    return np.mean(d * d) + 0.001 * np.sum(x * x)\n", {"np": np})["f"]
    args = (np.array([0.1, 0.7, -0.3]), np.array([0.3, 0.9, 1e-9]))
    text = tnb.source(tnb.grad(f, like=args)).split("\n\n\n")[0]
    assert "2.0 / x.size" in text and "0.002 * x" in text
    assert np.array_equal(tnb.grad(f, like=args)(*args), tnb.grad(f, optimized=False)(*args))


@pytest.mark.parametrize(("body", "made"), [
    ("return np.sum(np.exp(x) / np.sum(np.exp(x)))", 1),
    ("a = np.exp(x).T; a[0] = 1.0; return np.sum(a * np.exp(x))", 1),
    ("kept = [np.exp(x), np.exp(x)]; kept[0][0] = 0.0; return np.sum(kept[0] * kept[1])", 2),
    ("a = np.exp(x); b = np.exp(x); b *= 2.0; return np.sum(a * b)", 2),
    ("return np.sum(np.stack([np.exp(x), np.exp(x)]) * x)", 2)])
def test_what_the_forward_sweep_computes_twice_is_one_object_where_nobody_sees_it(body, made):
    f = sourced(f"def f(x):\n    {body}\n", {"np": np})["f"]
    x = np.array([0.3, -0.2, 0.5])
    df, raw = tnb.grad(f, like=(x,)), tnb.grad(f, optimized=False)
    np.testing.assert_allclose(df(x.copy()), raw(x.copy()), rtol=1e-13)
    code = [line for line in tnb.source(df).partition("\n\ndef")[0].splitlines() if "#" not in line]
    assert sum("np.exp(x)" in line for line in code) == made
