"""Poles and overflow, times what is computed of them, times cuts, times where they stand: 0 where they are cut off.

The tests are a sixth of the product, in which each three of the four meet. The whole product:
`python tests/test_cut_sweep.py`.
"""
from __future__ import annotations

import itertools
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from oracles import sourced

import tangent_nb as tnb
from tangent_nb.errors import TangentError

special = pytest.importorskip("scipy.special")

FACTORS = {"root": ("np.sqrt(v)", 0.0), "log": ("np.log(v)", 0.0), "quotient": ("1.0 / v", 0.0),
           "power": ("v ** -1.5", 0.0), "of a pole": ("np.exp(1.0 / v)", 0.0), "arctanh": ("np.arctanh(v)", 1.0),
           "erfinv": ("special.erfinv(v)", 1.0), "ndtri": ("special.ndtri(v)", 1.0),
           "remainder": ("np.remainder(1.0, v)", 0.0), "floor": ("1.0 // v * v", 0.0), "exp": ("np.exp(v)", 800.0),
           "sinh": ("np.sinh(v)", 800.0), "expm1": ("np.expm1(v)", 800.0), "cosh": ("np.cosh(2.0 * v)", 800.0)}
AFTER = {"": "y", "square": "y * y", "tanh": "np.tanh(y)", "product": "y * v", "quotient": "y / (1.0 + y)",
         "log": "np.log(2.0 + y)"}
CUTS = {"index": "s = np.sum(y[1:])", "item": "s = y[1]", "mask": "s = np.sum(y[m])",
        "where": "s = np.sum(np.where(m, y, 0.0))", "store": "y = y * 1.0\ny[~m] = 0.0\ns = np.sum(y)",
        "reduction": "s = np.sum(y, where=m)", "take": "s = np.sum(np.take(y, [1]))",
        "finite": "y = y + 0.0\ny[~m] = 0.0\ns = np.sum(y[np.isfinite(y)])",
        "none": "y = y * 1.0\ny[~m] = np.nan\ns = np.nansum(y)"}
PLACES = {
    "plain": "def f(v, m):\n    y = {factor}\n    y = {after}\n{cut}\n    return s",
    "list": ("def f(v, m):\n    ys = [{factor}, v]\n    y = ys[0]\n    ys.append({after})\n    y = ys[2]\n"
             "{cut}\n    return s"),
    "dict": ("def f(v, m):\n    d = {{'y': {factor}}}\n    y = d['y']\n    d['y'] = {after}\n    y = d['y']\n"
             "{cut}\n    return s"),
    "helper":
        "def part(v):\n    for _ in range(3):\n        if v[1] > 50.0:\n            return v\n    return {factor}\n"
        "def f(v, m):\n    y = part(v)\n    y = {after}\n{cut}\n    return s",
    "cut in a helper":
        "def ending(y, m):\n    for _ in range(3):\n        if m[0]:\n            return y[1]\n{cut}\n    return s\n"
        "def f(v, m):\n    y = {factor}\n    y = {after}\n    return ending(y, m)",
    "loop": "def f(v, m):\n    total = 0.0\n    for k in range(2):\n        y = {factor}\n        y = {after}\n"
            "{deeper}\n        total = total + s\n    return total",
    "function": "def f(v, m):\n    part = lambda v: {factor}\n    y = part(v)\n    y = {after}\n{cut}\n    return s",
}


def indented(text: str, by: int) -> str:
    return "\n".join(" " * by + line for line in text.split("\n"))


def program(factor: str, after: str, cut: str, place: str) -> str:
    return PLACES[place].format(factor=FACTORS[factor][0], after=AFTER[after], cut=indented(CUTS[cut], 4),
                                deeper=indented(CUTS[cut], 8))


AXES = FACTORS, AFTER, CUTS, PLACES
PRODUCT = list(itertools.product(*AXES))


def in_tests(names: tuple[str, ...]) -> bool:
    """A sum of places that 6 divides: the shortest of the axes has 6,
    so that any three others find one of the fourth."""
    return sum(list(axis).index(name) for axis, name in zip(AXES, names)) % len(AFTER) == 0


@pytest.mark.parametrize("names", [pytest.param(names, id="-".join(names).replace(" ", "_"),
                                                marks=pytest.mark.sampled(16)) for names in filter(in_tests, PRODUCT)])
def test_what_is_cut_off_gives_0(names: tuple[str, ...]) -> None:
    keep, place = np.array([False, True]), FACTORS[names[0]][1]
    f = sourced(program(*names), {"np": np, "special": special})["f"]
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        df, tf = tnb.grad(f), tnb.jvp(f)
        slope = df(np.array([0.3, 0.4]), keep)[1]
        x = np.array([place, 0.4])
        np.testing.assert_allclose(df(x, keep), [0.0, slope], rtol=1e-12)
        np.testing.assert_allclose(tf(x, keep, np.array([1.0, 1.0])), slope, rtol=1e-12)


@pytest.mark.parametrize("missing", range(len(AXES)))
def test_each_three_meet(missing: int) -> None:
    def without(names: tuple[str, ...]) -> tuple[str, ...]:
        return names[:missing] + names[missing + 1:]
    assert {without(names) for names in filter(in_tests, PRODUCT)} == {without(names) for names in PRODUCT}


if __name__ == "__main__":
    for names in PRODUCT:
        try:
            test_what_is_cut_off_gives_0(names)
        except (AssertionError, TangentError) as error:
            print(f"# {'-'.join(names)}: {error}\n{program(*names)}\n")
