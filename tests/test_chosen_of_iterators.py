"""`sorted`, `max` and `min` of what zip, enumerate and reversed give, where that carries a derivative."""
from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from oracles import sourced

import tangent_nb as tnb
from tangent_nb.errors import TangentError

SETUP = """
import numpy as np
def steps(t):
    print("step")
    yield t
    print("step")
    yield t * t
def noted(t):
    print("key", round(float(t), 3))
    return -t
NAMES = ["b", "a", "c"]
def f(x, y):
"""
RIGHT = {
    "pairs by the first": "return sum(p * q * q for p, q in sorted(zip([x, y], [y, x]), key=lambda t: t[0]))",
    "pairs by themselves": "pairs = sorted(zip([x, y], [2.0, x * y]))\nreturn pairs[0][0] * pairs[1][1]",
    "in reverse": "pairs = sorted(zip([x, y, 0.1], [y, x, x]), reverse=True)\nreturn pairs[0][1] - pairs[2][1] * x",
    "by names": "return sorted(zip(NAMES, [x, y, x * y]))[1][1] * x",
    "places": "return sum(i * v for i, v in sorted(enumerate([x, y, x * y]), key=lambda t: t[1]))",
    "places from one": "i, v = max(enumerate([x, y], start=1), key=lambda t: t[1])\nreturn v ** i",
    "the least of pairs": "a, b = min(zip([x, y], [y, x * x]), key=lambda t: t[0] * t[1])\nreturn a * b * b",
    "backwards": "return max(reversed([x, y, x * y])) * sorted(reversed([x, y]))[0]",
    "or a default": "return max(reversed([x, y]), default=0.2) * max(reversed([v for v in [x] if v > 9]), default=y)",
    "of lengths": "return sorted(zip([x, y, 3.0], [y, x]))[-1][1] * y",
    "of three": "return sorted(zip([x, y], [y, x], [x * y, 2.0 * x]), key=lambda t: -t[2])[0][0] * y",
    "of an array": "a = np.array([x, y, x * y])\nreturn sorted(zip(a, a[::-1]))[0][1] * x",
    "of a dict": "d = {'p': x, 'q': y}\nreturn max(zip(d.values(), d), key=lambda t: t[0])[0] * y",
    "of a generator": "return sorted(zip(steps(x), [y, x]), key=lambda t: t[1])[0][0] * y",
    "of pairs of pairs": "return sorted(zip(zip([x, y], [y, x]), [y, x]), key=lambda t: t[1])[0][0][1] * y",
    "a list in between": "pairs = list(zip([x, y], [y, x]))\nreturn max(pairs)[1] * list(enumerate([x, y]))[1][1]",
    "in a loop": "s = 0.0\nfor k in range(2):\n    a, b = max(zip([x, y], [y, s]), key=lambda t: t[0] + k)\n"
    "    s = s + a * b\nreturn s",
}
RIGHT_OR_REFUSED = {
    "with a key that tells": "return sorted(reversed([x, y]), key=noted)[0] * y",
    "a generator, as it goes": "return max(zip(steps(x), [y, x]), key=lambda t: noted(t[1]))[0] * y",
    "of nothing": "try:\n    t = max(zip([], [x]))\nexcept ValueError as error:\n    print(error)\n"
    "    return y * x\nreturn x",
    "of other lengths": "try:\n    t = sorted(zip([x, y], [x], strict=True))\nexcept ValueError:\n"
    "    return y * x\nreturn x",
    "stars": "rows = [[x, y], [y, x]]\nreturn sorted(zip(*rows))[0][0] * x",
}
X = (0.7, 0.4)


def judged(body: str, name: str, mode: str, capsys: Any) -> tuple[list[float], Any, str, str]:
    text = SETUP + "\n".join("    " + line for line in body.splitlines()) + "\n"
    f = sourced(text, {"__name__": "chosen"}, f"<chosen {name} {mode}>")["f"]
    h = 1e-6
    known = [(f(X[0] + h, X[1]) - f(X[0] - h, X[1])) / (2 * h), (f(X[0], X[1] + h) - f(X[0], X[1] - h)) / (2 * h)]
    capsys.readouterr()
    f(*X)
    told = capsys.readouterr().out
    found: Any = {
        "grad": lambda: tnb.grad(f, (0, 1))(*X), "raw": lambda: tnb.grad(f, (0, 1), optimized=False)(*X),
        "value": lambda: tnb.value_and_grad(f, (0, 1))(*X)[1], "split": lambda: tnb.pullback(f, *X, wrt=(0, 1))[1](1.0),
        "jvp": lambda: (tnb.jvp(f, (0, 1))(*X, 1.0, 0.0), tnb.jvp(f, (0, 1))(*X, 0.0, 1.0))}[mode]()
    seen = capsys.readouterr().out
    return known, found, told * (2 if mode == "jvp" else 1), seen


@pytest.mark.parametrize("name", RIGHT)
@pytest.mark.parametrize("mode", ["grad", "raw", "value", "split", "jvp"])
def test_it_is_differentiated(name: str, mode: str, capsys: Any) -> None:
    known, found, told, seen = judged(RIGHT[name], name, mode, capsys)
    assert found == pytest.approx(known, rel=1e-6, abs=1e-8) and seen == told


@pytest.mark.parametrize("name", RIGHT_OR_REFUSED)
@pytest.mark.parametrize("mode", ["grad", "raw", "split", "jvp"])
def test_it_is_right_or_refused(name: str, mode: str, capsys: Any) -> None:
    try:
        known, found, told, seen = judged(RIGHT_OR_REFUSED[name], name, mode, capsys)
    except TangentError:
        return
    assert found == pytest.approx(known, rel=1e-6, abs=1e-8) and seen == told
