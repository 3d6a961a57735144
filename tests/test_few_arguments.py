"""Builtins that are called with no argument, or others than they take: no error of ours comes of it."""
from __future__ import annotations

import builtins
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from oracles import sourced

import tangent_nb as tnb
from tangent_nb.errors import TangentError

ASKING = ("exit", "quit", "input", "breakpoint", "help", "copyright", "credits", "license")
CALLED = sorted(name for name, value in vars(builtins).items()
                if callable(value) and name[0] != "_" and name not in ASKING)
GONE_OVER = ("sorted", "range", "enumerate", "zip", "map", "filter", "reversed", "sum", "max")
CALLS = ("{}()", "{}(unexpected=x)", "{}(x, x, x, x, x)", "{}(*[])")
PLACES = ("y = {}\n    return x * 2.0", "t = x\n    for v in {}:\n        t = t + v\n    return t",
          "return sum([v * x for v in {}])", "return x + {}")


@pytest.mark.parametrize("call", CALLS)
def test_a_builtin_that_is_called_otherwise_is_no_error_of_ours(call: str) -> None:
    for n, name in enumerate(CALLED):
        for k, place in enumerate(PLACES):
            if name not in GONE_OVER and k != n % len(PLACES):
                continue
            text = f"def f(x):\n    {place.format(call.format(name))}\n"
            f = sourced(text, {"np": np, "__name__": "few"}, f"<few {CALLS.index(call)} {n} {k}>")["f"]
            try:
                tnb.grad(f)
            except TangentError:
                pass


def test_sorted_of_nothing_raises_what_python_raises() -> None:
    def f(x):
        if x > 1.0:
            for v in sorted():
                x = x + v
        return x * x

    try:
        df = tnb.grad(f)
    except TangentError:
        return
    assert df(0.5) == 1.0
    with pytest.raises(TypeError):
        df(2.0)
