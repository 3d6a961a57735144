"""Calls of functions that may do more than compute, where no derivative flows through what they give."""
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

pytestmark = pytest.mark.sampled(4)

AROUND = """\
import numpy as np
LOG = []
def seen(a):
    LOG.append(1)
    return a
def given(a, fn): return fn(a)
def changed(a):
    a[0] *= 2.0
    return a
def f(x):
    z = x * 1.0
"""
PROGRAMS = [
    "if seen(x[0]): z = x * 2.0", "if not seen(x[0]): z = x * 2.0", "if np.isnan(seen(x[0])): z = x * 2.0",
    "if np.any(given(x, np.float64) > 1): z = x * 2.0", "z = np.where(given(x, np.float64) > 2.0, x * x, x)",
    "z = x * int(seen(x[1]))", "z = x * len(seen(x))", "z = x[np.argmax(seen(x))] * x",
    "z = x[np.argmax(given(x, np.float64))] * x", "n = 0\n    while seen(x[0]) * n < 3: n += 1\n    z = x * n",
    "if x[0] > 0 and seen(x[0]) > 1: z = x * 2.0", "z = x * 2.0 if seen(x[0]) > 1 else x",
    "assert seen(x[0]) > -9, 'no'",
    "assert np.all(np.isfinite(given(x, np.float64))), 'no'", "z = x * seen(x).shape[0]", "print(f'{seen(x)}')",
    "if given(x, np.sum) < 0: raise ValueError(f'{seen(x)}')", "z = x * np.round(seen(x[0]))",
    "z = x * np.sign(seen(x))",
    "z = x * (seen(x[0]) > 1.0) * (1.0 < seen(x[1]))", "z = x * max(int(seen(x[0])), int(seen(x[1])))",
    "if changed(z)[0] > 1.0: z = z * x", "n = int(changed(z)[1])\n    z = z * n", "z = z * len(changed(z))",
    "for i in range(int(seen(x[1]))): z = z * x", "z = [x, x * 2.0][int(seen(x[0]))]",
    "n = {'a': len(seen(x))}['a']\n    z = x * n", "n = 0\n    for v in x: n += int(seen(v))\n    z = x * n",
    "z = x * int(seen(x[0])) if x[0] > 9 else x", "n = x[0] > 9 and int(seen(x[0]))\n    z = x * (n + 1)",
    "n = x[0] < 9 or int(seen(x[0]))\n    z = x * (n + 1)",
    "h = lambda t: int(seen(t)) * t\n    z = h(x[0]) * x",
    "z[int(seen(x[0]))] += x[0] * int(seen(x[1]))", "z[len(LOG) % 2] += x[0] * seen(2)",
    "y = [x * 1.0, x * 2.0, x * 3.0]\n    y[len(LOG) % 3] += x * seen(2)\n    z = y[0] * y[1]",
    "y = {0: x * 1.0, 1: x * x}\n    y[len(LOG) % 2] *= x * seen(2)\n    z = y[0] * y[1] * y[1]",
    "z[:len(LOG) % 2 + 1] += seen(2) * x[0]", "y = [x, x]\n    del y[int(seen(1))]\n    z = y[0] * x",
    "if seen(a=x[0]) > 1.0: z = x * 2.0", "z = x * int(given(fn=np.sum, a=x))",
    "z = np.round(changed(z)) * z", "z = z * np.round(changed(z))", "z = np.where(z < changed(z), z, z * z)"]


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("mode", ["reverse", "raw", "forward", "split"])
def test_what_carries_nothing_is_called_as_often_and_in_its_place(program: str, mode: str) -> None:
    space = sourced(f"{AROUND}    {program}\n    return np.sum(z * z * np.array([1.0, 0.7]))\n", {"__name__": "cell"})
    f, log, x = space["f"], space["LOG"], np.array([1.3, 2.6])

    def anew(g: Any, *args: Any) -> Any:
        log.clear()
        return g(*args)

    slopes = [(anew(f, x + 1e-6 * unit) - anew(f, x - 1e-6 * unit)) / 2e-6 for unit in np.eye(2)]
    anew(f, x)
    often = len(log)
    log.clear()
    found: Any
    if mode == "forward":
        found = [anew(tnb.jvp(f), x, unit) for unit in np.eye(2)]
    elif mode == "split":
        found = tnb.pullback(f, x)[1](1.0)
    else:
        found = tnb.grad(f, optimized=mode == "reverse")(x)
    assert np.allclose(found, slopes, rtol=1e-6) and len(log) == often


STORING = """\
import numpy as np
CACHE, LOG = {}, [1.0]
class Box: pass
BOX = Box()
BOX.v = 1.0
def stored(name, t):
    if name not in CACHE: CACHE[name] = t * t
    return CACHE[name]
def put(t):
    for _ in range(2): BOX.v = BOX.v * t
    return t
def get(t): return BOX.v * t
def add(t):
    for _ in range(2): LOG.append(t * t)
    return t
def last(t): return LOG[-1] * t
def through(name, t): return stored(name, t) + 1.0
def f(s, fn=None):
    """
READ_AGAIN = [
    "a = stored('k', 2.0 * s)\n    a = 1.0\n    return stored('k', s) * a",
    "a = stored('k', 2.0 * s)\n    a = s if s > 0 else 2.0\n    return stored('k', s) * a",
    "a = s if stored('k', 2.0 * s) > 0 else 2.0\n    return stored('k', s) * a",
    "n = int(stored('k', 2.0 * s))\n    return stored('k', s) * n",
    "print(stored('k', 2.0 * s))\n    return stored('k', s)",
    "n = int(through('k', 2.0 * s))\n    return through('k', s) * n", "stored('k', 2.0 * s)\n    return stored('k', s)",
    "a = put(2.0 * s)\n    a = 1.0\n    return get(s) * a", "n = int(put(2.0 * s))\n    return get(s) * n",
    "a = add(2.0 * s)\n    a = 3.0\n    return last(s) * a", "n = len([add(2.0 * s)])\n    return last(s) * n",
    "a = stored('k', 2.0 * s)\n    return CACHE['k'] * s", "a = put(2.0 * s)\n    return BOX.v * s",
    "a = 1.0\n    try:\n        a = stored('k', 2.0 * s)\n        raise ValueError\n    except ValueError:\n"
    "        a = s\n    return stored('k', s) * a"]


@pytest.mark.parametrize("program", READ_AGAIN)
@pytest.mark.parametrize("optimized", [True, False])
def test_what_such_a_call_stores_has_its_derivative_where_it_is_read(program: str, optimized: bool) -> None:
    """Called as it is, since nothing reads what it gives, it stored a number without: 0.0 for 6.56."""
    def anew() -> Any:
        return sourced(f"{STORING}{program}\n", {"__name__": "cell"})["f"]
    slope = (anew()(0.82 + 1e-6) - anew()(0.82 - 1e-6)) / 2e-6
    try:
        assert tnb.grad(anew(), optimized=optimized)(0.82) == pytest.approx(slope, rel=1e-6)
    except TangentError as error:
        assert "stored" in program or "through" in program, error


@pytest.mark.parametrize("body", [
    "for i in range(3):\n        log(i)\n        s = s * x",
    "n = 0\n    while n < 3:\n        log(n)\n        n += 1\n        s = s * x",
    "for i, v in enumerate([x, x * x]):\n        log(i)\n        s = s * v",
    "log('begin')\n    log(len([x]))\n    s = s * x * x",
    "name = f'{x:.1f}'\n    log(name)\n    s = s * x * x"])
def test_what_is_told_of_numbers_and_texts_changes_nothing(body: str) -> None:
    space = sourced(f"LOG = []\ndef log(m): LOG.append(m)\ndef f(x):\n    s = 1.0\n    {body}\n    return s\n",
                    {"__name__": "cell"})
    f, log = space["f"], space["LOG"]
    slope = (f(1.3 + 1e-6) - f(1.3 - 1e-6)) / 2e-6
    log.clear()
    f(1.3)
    told = [*log]
    log.clear()
    assert tnb.grad(f)(1.3) == pytest.approx(slope, rel=1e-6) and log == told


OF_ITS_OWN = """\
import copy
import numpy as np
LOG, ASKED = [], []
class Own:
    def __init__(self): self.w, self.items = np.ones(2), {"k": [2.0]}
    def __copy__(self): return self
    def append(self, v): self.w[0] += v
    def __getitem__(self, name):
        ASKED.append(name)
        return self.items[name]
def added(o):
    other = copy.copy(o)
    other.append(1.0)
    return 1.0
def f(x, o):
    y = np.sum(x * o.w)
    return y * x * added(o)
def g(x, o):
    y = np.dot(x * np.ones(1), o["k"])
    LOG.append(1.0)
    return y * x
"""


def test_an_object_may_say_itself_how_it_is_copied() -> None:
    """A copy that is the object was taken for one with memory of its own: 6.5 for 5.2."""
    space = sourced(OF_ITS_OWN, {"__name__": "cell"})
    with pytest.raises(TangentError):
        tnb.grad(space["f"])(1.3, space["Own"]())


def test_an_object_is_asked_for_its_items_by_the_function_alone() -> None:
    space = sourced(OF_ITS_OWN, {"__name__": "cell"})
    assert tnb.grad(space["g"])(1.3, space["Own"]()) == pytest.approx(5.2) and space["ASKED"] == ["k"]
