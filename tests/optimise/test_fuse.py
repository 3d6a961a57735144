"""Loops whose two sweeps become one: where that is done, where it must not be, and that the gradients stay."""
from __future__ import annotations

import math
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from oracles import sourced

import tangent_nb as tnb

FUSED = {
    "independent trips": "for i in range(len(x)):\n    e = math.exp(w * x[i])\n    s = s + e * e\nreturn s / len(x)",
    "an index twice": "for i in range(len(x)):\n    e = x[i] * x[0]\n    s = s + e * e * w\nreturn s",
    "rows": "for row in A:\n    e = np.exp(row @ x)\n    s += e * e\nreturn s * 2.0",
    "enumerate": "for i, v in enumerate(x):\n    e = math.sin(v * w)\n    s += e * e * i\nreturn s",
    "zip": "for v, u in zip(x, A[0]):\n    e = math.sin(v * u)\n    s += e * e * w\nreturn s",
    "two results": ("for i in range(len(x)):\n    e = math.exp(w * x[i])\n    s = s + e * e\n    m = m - e * x[i]\n"
                    "return s + 2.0 * m"),
    "behind another loop": ("for i in range(2):\n    w = math.sin(w) * w\n"
                            "for i in range(len(x)):\n    e = math.exp(w * x[i])\n    s = s + e * e\nreturn s"),
    "no trip": "for i in range(0):\n    e = math.exp(w * x[i])\n    s = s + e * e\nreturn s + w",
}
APART = {
    "the loop variable": "for i in range(len(x)):\n    e = math.exp(w * x[i])\n    s = s + e * e\nreturn s * i",
    "a state that is handed on": "for i in range(3):\n    w = math.sin(w)\n    s = s + w * w\nreturn s",
    "the sum is read": "for i in range(len(x)):\n    e = math.exp(w * x[i] - 0.1 * s)\n    s = s + e * e\nreturn s",
    "the result is read": "for i in range(len(x)):\n    e = math.exp(w * x[i])\n    s = s + e * e\nreturn s * s",
    "the trip before": ("for i in range(len(x)):\n    e = math.exp(w * x[i])\n    s = s + e * m\n    m = e * e\n"
                        "return s"),
    "an array in place": ("y = x * 1.0\nfor i in range(1, len(x)):\n    e = y[i - 1] * w\n    y[i] = e * e\n"
                          "    s = s + y[i]\nreturn s"),
    "a loop that is left": ("for i in range(len(x)):\n    e = math.exp(w * x[i])\n    if e > 2.0:\n        break\n"
                            "    s = s + e * e\nreturn s"),
    "a count": "while m < 3.0:\n    m = m + 1.0\n    e = math.exp(w * m)\n    s = s + e * e\nreturn s",
    "an array of all": ("y = np.zeros(len(x))\nfor i in range(len(x)):\n    e = math.exp(w * x[i])\n"
                        "    y[i] = e * e\nreturn np.sum(y ** 3)"),
    "the last value": "for i in range(len(x)):\n    e = math.exp(w * x[i])\n    s = s + e * e\nreturn s + e ** 3",
    "a cotangent that is handed on": ("for i in range(3):\n    m = m + w\n    e = m * m\n    m = m * 2.0\n"
                                      "    s = s + e\nreturn s + m"),
    "a list of all": "all = []\nfor i in range(len(x)):\n    all.append(math.exp(w * x[i]))\nreturn sum(all) * all[0]",
}
A = np.array([[0.2, 0.5, -0.3], [1.1, 0.4, 0.7]])
X = np.array([0.3, 0.8, -0.4])


def made(body: str) -> Any:
    inner = "s, m = 0.0, 0.0\n" + body
    lines = "".join(f"    {line}\n" for line in inner.splitlines())
    return sourced(f"import math\nimport numpy as np\ndef f(w, x, A):\n{lines}")["f"]


@pytest.mark.parametrize(("name", "body"), [*FUSED.items(), *APART.items()])
def test_the_gradient_is_that_of_the_loops_apart(name: str, body: str) -> None:
    f = made(body)
    for derive in (tnb.grad, tnb.value_and_grad):
        one = derive(f, ("w", "x", "A"))
        got, due = one(0.7, X, A), derive(f, ("w", "x", "A"), optimized=False)(0.7, X, A)
        flat = [np.concatenate([np.ravel(part) for part in (found if derive is tnb.grad else (found[0], *found[1]))])
                for found in (got, due)]
        np.testing.assert_allclose(*flat, rtol=1e-13, atol=1e-13)
    text = next(iter(tnb.versions(tnb.grad(f, ("w", "x", "A"), like=(0.7, X, A))).values()))
    loops = len(re.findall("^ *(for|while) ", text, re.MULTILINE))
    assert loops == (3 if name == "behind another loop" else 1 if name in FUSED else 2), text


def test_neither_split_motion_nor_functions_that_are_called_are_fused() -> None:
    f = made(FUSED["independent trips"])
    forward, backward = tnb.autodiff(f, ("w", "x"), motion="split")
    value, residuals = forward(0.7, X, A)
    bw, bx = backward(residuals, 1.0)
    due = tnb.grad(f, ("w", "x"))(0.7, X, A)
    assert bw == pytest.approx(due[0], rel=1e-13) and value == pytest.approx(f(0.7, X, A))
    np.testing.assert_allclose(bx, due[1], rtol=1e-13)
    outer = sourced("def outer(w, x, A):\n    y = 1.0\n    for _ in range(2):\n        y = y * f(w, x, A)\n"
                    "    return y\n", {"f": f})["outer"]
    slope = (outer(0.7 + 1e-6, X, A) - outer(0.7 - 1e-6, X, A)) / 2e-6
    assert tnb.grad(outer)(0.7, X, A) == pytest.approx(slope, rel=1e-7)


def test_what_a_trip_prints_and_raises_comes_in_its_order(capsys: pytest.CaptureFixture[str]) -> None:
    f = made("for i in range(len(x)):\n    print(i)\n    e = math.exp(w * x[i])\n    s = s + e * e\nreturn s")
    tnb.grad(f)(0.7, X, A)
    assert capsys.readouterr().out == "0\n1\n2\n"
    g = made("for i in range(len(x)):\n    e = math.log(x[i] + 0.5) * w\n    s = s + e * e\nreturn s")
    with pytest.raises(ValueError, match="math domain error|positive"):
        tnb.grad(g)(0.7, np.array([1.0, -2.0]), A)
    assert math.isfinite(tnb.grad(g)(0.7, X, A))


@pytest.mark.parametrize("body", [
    "a = 2.0 * w\nfor k in range(3):\n    s = s + w * w\nm = s * a\na = 3.0 * w\nreturn m * a",
    "a = 2.0\nfor k in range(3):\n    s = s + w * w\nm = s * a\na = 3.0\nreturn m * a",
    "z = x * 2.0\nfor v in x:\n    e = v * w\n    s = s + e * e\nm = s * z[0]\nz[0] = 7.0\nreturn m * z[0]",
    "z = x * 2.0\nq = z[:1]\nfor v in x:\n    e = v * w\n    s = s + e * e\nm = s * q[0]\nz[0] = 7.0\nreturn m * z[0]",
    "z = x * 2.0\nfor v in x:\n    e = v * w\n    s = s + e * e\nz += s\nz *= w\nw = 3.0\nreturn np.sum(z) * w"])
def test_what_stands_between_the_loops_keeps_its_order(body: str) -> None:
    f = made(body)
    for derive in (tnb.grad, tnb.value_and_grad):
        got, due = (derive(f, ("w", "x"), optimized=optimized)(0.7, X + 1.0, A) for optimized in (True, False))
        assert len(got) == len(due)
        for one, other in zip(*((part[0], *part[1]) if derive is tnb.value_and_grad else part for part in (got, due)),
                              strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-13)
