"""A tuple that a function gives: its places may change in place where they have nothing in common."""
from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from oracles import sourced

import tangent_nb as tnb
from tangent_nb.errors import TangentError

HEAD = "import numpy as np\nKEPT = np.ones(3)\n"
GIVES = {
    "new arrays": ("x * 3.0, np.sin(x)", True),
    "in branches": ("(x * 3.0, np.sin(x)) if False else (x * 2.0, x + 1.0)", None),
    "an argument and a new array": ("x, np.sin(x)", None),
    "two views of one": ("y[:2], y[1:]", None),
    "one array twice": ("y, y", None),
    "rows of one list": ("rows[0], rows[1]", None),
    "what is outside": ("KEPT, x * 2.0", None),
    "containers": ("[x * 2.0, x], x * 3.0", None),
}
USES = ("a, b = g(x)\n    a[0] = 0.0\n    return np.sum(a) * np.sum(b)",
        "a, b = g(x)\n    b *= 2.0\n    return np.sum(a) + np.sum(b * b)",
        "a, b = g(x)\n    a += x[:len(a)]\n    return np.sum(a * a) + np.sum(b) * np.sum(x)",
        "t = g(x)\n    u = t[1]\n    u[0] = x[1]\n    return np.sum(t[0]) * np.sum(u)")


@pytest.mark.parametrize("gives", GIVES)
@pytest.mark.parametrize("use", range(len(USES)))
def test_right_or_refused(gives: str, use: int) -> None:
    value, known = GIVES[gives]
    rows = "    rows = [y, y * 2.0]\n" if "rows" in value else ""
    text = f"{HEAD}def g(x):\n    y = x * 1.5\n{rows}    return {value}\ndef f(x):\n    {USES[use]}\n"
    space = sourced(text, {"__name__": "apart"}, f"<apart {gives} {use}>")
    f, x = space["f"], np.array([0.3, 0.5, 0.7])

    def fresh(v: Any) -> Any:
        space["KEPT"][:] = 1.0
        return f(v)

    try:
        fresh(x.copy())
    except (TypeError, ValueError, AttributeError):
        return
    want = [(fresh(x + h) - fresh(x - h)) / 2e-6 for h in np.eye(3) * 1e-6]
    answered = []
    for optimized in (True, False):
        space["KEPT"][:] = 1.0
        try:
            answered.append(tnb.grad(f, optimized=optimized)(x.copy()))
        except TangentError:
            assert not (known and use < 3)
    for got in answered:
        assert np.allclose(got, want, atol=1e-5), text


@pytest.mark.parametrize("taken", ["g(x)", "tuple(g(x))", "list(g(x))", "g(x)[:2]"])
@pytest.mark.parametrize("motion", ["grad", "raw", "split"])
def test_residuals_that_share_memory_are_right_or_refused(taken: str, motion: str) -> None:
    """The second half restores a copy: what is read after that may not be the same array under another name."""
    text = f"{HEAD}def g(x):\n    y = x * 2.0\n    return y, y * y\n" \
           f"def h(x, n):\n    if n > 1:\n        x = x * 1.0\n    a, b = {taken}\n    a[0] = 0.0\n" \
           "    return np.sum(a) * x[0] + np.sum(b)\n" \
           "def f(x):\n    s = 0.0\n    for k in range(3):\n        s = s + h(x * (k + 1), k)\n    return s\n"
    f, x = sourced(text, {"__name__": "apart"}, f"<residuals {taken} {motion}>")["f"], np.array([0.6, 1.3])
    want = [(f(x + h) - f(x - h)) / 2e-6 for h in np.eye(2) * 1e-6]
    try:
        if motion == "split":
            forward, backward = tnb.autodiff(f, motion="split")
            _, residuals = forward(x)
            got = backward(residuals, 1.0)
        else:
            got = tnb.grad(f, optimized=motion == "grad")(x)
    except TangentError:
        return
    assert np.allclose(got, want, atol=1e-5)
