"""`--trace`: the elementary operations as a table of the view."""
from __future__ import annotations

import re

import numpy as np
import pytest

import tangent_nb as tnb
from tangent_nb.notebook.options import OptionError, parse
from tangent_nb.notebook.page import standalone
from tangent_nb.notebook.shown import show


def survey(x1, x2):
    a, b, c = np.log(x1), x1 * x2, np.sin(x2)
    return a + b - c


def chatty(x, n):
    for _ in range(n):
        print("here")
        x = x * 1.5
    return x


def test_the_table_stands_below_the_values():
    shown = show(survey, wrt="x1,x2", at={"x1": 2.0, "x2": 5.0}, trace=True)
    text = repr(shown)
    assert "v₅   = v₄ - v₃             = 10.693 + 0.959  = 11.652" in text
    [line] = [one for one in text.splitlines() if "v̄₂ × v₋₁" in one]
    assert line.split("  ")[-1].strip() == "= 1.716"
    assert ">= v̄₀ + v̄₂ × v₋₁<" in standalone(shown._view)


def test_forward_mode():
    text = repr(show(survey, wrt="x1,x2", mode="forward", at="x1=2.0, x2=5.0", trace=True))
    assert re.search("v̇₅ += v̇₄ - v̇₃ .*= 5.5", text)
    assert "= 5.5" in text


def test_arguments_by_name_and_defaults():
    def f(x, *, k=3.0):
        return x * k

    assert "3 × 2" not in repr(show(f, at="2.0, k=4.0", trace=True))
    assert "2 × 4" in repr(show(f, at="2.0, k=4.0", trace=True))


def test_the_output_of_the_function_comes_once(capsys):
    show(chatty, at="x=1.0, n=2", trace=True).__repr__()
    assert capsys.readouterr().out == "here\n" * 2


def test_what_has_no_table_says_so():
    text = repr(show(chatty, at="x=1.0, n=100", trace=True))
    assert "no trace: cannot write down the run of chatty" in text
    assert "more than 60 elementary operations" in text


def test_arguments_are_needed():
    with pytest.raises(OptionError, match="--trace needs arguments"):
        parse("--trace")
    assert parse("--trace --at x=2.0")[0].trace


def test_the_table_of_a_gradient():
    assert "v̄" in repr(show(tnb.grad(lambda x: x ** 3), at={"x": 2.0}, trace=True))
