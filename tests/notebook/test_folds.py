"""What a page folds away, and what it counts."""
from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tangent_nb as tnb
from tangent_nb.notebook.folds import count_of, folds_of, title_of

from .handmade import defined

TEXT = """
def half(t):
    return 0.5 * t


def loss(x, w):
    h = np.tanh(np.dot(x, w))
    return np.mean(half(h) * h)


class Layer:
    def __init__(self, w):
        self.w = w


def down(x, n):
    if n == 0:
        return x
    return down(np.sin(x), n - 1)


def through(layer, x):
    return np.sum(layer.w * x)
"""
X, W = np.ones((4, 3)), np.ones((3, 2))


def emitted(name: str, **more: Any) -> Any:
    return tnb.grad(defined(TEXT, name), **more).__tangent_nb__.emitted


def test_guards_and_the_general_text_behind_them_are_one_line() -> None:
    text = emitted("loss", wrt="w", like=(X, W))
    guards, general = folds_of(text)
    lines = text.text.split("\n")
    assert guards.title == "for x: f8[n, k], w: f8[k, m]; otherwise general" and guards.within == -1
    assert all("guard" in line or "return _dloss_dw_general" in line for line in lines[guards.start:guards.end])
    assert "# guard" not in "".join(lines[guards.end:general.start])
    assert general.within == 0 and "def _dloss_dw_general" in "".join(lines[general.start:general.end])
    assert general.end == len(text.lines)
    assert count_of(text) == len([line for line in lines[:general.start] if line.strip() and "# " not in line]) - 1


def test_guards_alone_have_a_title_too() -> None:
    text = emitted("loss", wrt="w")
    guards, = folds_of(text)
    assert guards.title == "guards" and guards.end - guards.start >= 2
    assert count_of(text) < len(text.lines) - 2


def test_a_text_without_guards_has_no_fold() -> None:
    text = tnb.grad(defined(TEXT, "half")).__tangent_nb__.stages[0].emitted
    assert folds_of(text) == [] and count_of(text) == 2


def test_what_a_derivative_calls_is_not_counted_as_its_own() -> None:
    known = tnb.grad(defined(TEXT, "down")).__tangent_nb__
    *_, before, last = [stage.emitted for stage in known.stages]
    assert len(last.functions) == 3 and len(before.functions) == 1
    assert count_of(last, before.functions) == count_of(before) < count_of(last) / 2


@pytest.mark.parametrize(("guards", "title"), [
    (["    if not rt.alike(layer, layer_structure) or not rt.fits('float', x):  # guard", "        return _g(x)"],
     "for layer made alike, x: float; otherwise general"),
    (["    if not rt.fits('f8[n, k], f8[2*n - 5, k]', x, w):", "        return _g(x, w)"],
     "for x: f8[n, k], w: f8[2*n - 5, k]; otherwise general"),
    (["    if not rt.fits('float', x,"], "guards"), ([], "guards"), (["    rt.fits(made, x)"], "guards")])
def test_titles(guards: list[str], title: str) -> None:
    assert title_of(guards, True) == title
