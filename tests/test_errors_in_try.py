"""Errors of computations that nothing reads: in a `try`, at any depth, handlers see them in each mode;
elsewhere they may go."""
from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from test_unbound_names import HEAD, judged, loaded

import tangent_nb as tnb

HELPERS = HEAD + """
def item(x):
    t = [x][3]
    return x
def item_long(x, n):
    t = x
    for i in range(3):
        t = math.log(t - 5.0)
    return x
def deep(x, n):
    return item_long(x, n) * x
def deeper(x, n):
    y = x
    if n < 9:
        y = deep(x, n)
    return y
def division(x, n):
    t = x / (n - n)
    return x
def constant(n):
    return 1 // (n - n)
def key(x, n):
    d = {'a': x}
    t = d['b']
    return x
def converts(x, n):
    k = int('a')
    return x
class Holder:
    def __init__(self, x):
        self.x = x
        self.t = math.log(x - 5.0)
class Plain:
    def __init__(self, x):
        self.x = x
    def method(self, n):
        t = [1][n + 5]
        return self.x
"""

# What raises; each binds y at its end.
RAISING = {
    "item": "y = item(x)", "long": "y = item_long(x, n)",
    "deep": "y = deep(x, n)", "deeper": "y = deeper(x, n)", "division": "y = division(x, n)",
    "constant": "t = constant(n)\ny = x", "constant_alone": "constant(n)\ny = x", "key": "y = key(x, n)",
    "converts": "y = converts(x, n)", "direct_item": "t = [x][3]\ny = x", "direct_log": "t = math.log(x - 5.0)\ny = x",
    "direct_division": "t = x / 0.0\ny = x", "direct_int": "t = 1 // (n - n)\ny = x",
    "object": "h = Holder(x)\ny = h.x", "method": "p = Plain(x)\ny = p.method(n)",
    "lambda": "g = lambda t: math.log(t - 5.0)\nt = g(x)\ny = x",
    "inner": "def g(t):\n    s = math.log(t - 5.0)\n    return t\ny = g(x)",
    "comprehension": "L = [math.log(a - 5.0) for a in (x, x)]\ny = x", "unpack": "a, b = [x, x, x]\ny = x",
    "attribute": "t = x.nothing\ny = x", "length": "t = len(x)\ny = x", "assert": "assert x > 5.0\ny = x",
    "float": "t = float('a')\ny = x", "dict": "t = {'a': x}['b']\ny = x", "array": "t = np.ones(2)[5]\ny = x",
    "shape": "t = np.ones(2) + np.ones(3)\ny = x", "matmul": "t = np.ones((2, 3)) @ np.ones(2)\ny = x",
    "inv": "t = np.linalg.inv(np.zeros((2, 2)))\ny = x", "reshape": "t = np.ones(4).reshape(3)\ny = x",
    "choice": "t = x if n < 9 and [1][5] else x\ny = x", "test": "if [1][5]:\n    t = x\ny = x",
    "text": "t = f'{[1][5]}'\ny = x", "pair": "t = (x, [1][4])\ny = x",
    "range": "for i in range(1 // (n - n)):\n    pass\ny = x", "max": "t = max([])\ny = x",
    "loop": "for i in [1][5:6] or [2][3]:\n    t = x\ny = x", "array_test": "if np.ones(2) > 0.0:\n    t = x\ny = x",
    "stack": "t = np.stack([])\ny = x", "overwritten": "y = math.log(x - 5.0)\ny = x",
    "overwritten_call": "y = item_long(x, n)\ny = x", "tuple": "y, z = x, math.log(x - 5.0)",
    "pop": "L = [x]\nt = L.pop()\nt = L.pop()\ny = x", "compare": "t = x < 'a'\ny = x",
    "power": "t = 0.0 ** -1.0\ny = x", "power_of_x": "t = (x - x) ** -1.0\ny = x",
    "exp": "t = math.exp(x * 5000.0)\ny = x"}

AROUND = ("try:\n{}\nexcept Exception:\n    y = x * x\nreturn y * 3.0",
          "try:\n{}\n    z = y\nexcept Exception:\n    z = x * x\nelse:\n    z = z * 2.0\nreturn z",
          "y = x * x\nwith contextlib.suppress(Exception):\n{}\nreturn y * 3.0")


def indented(text: str) -> str:
    return "\n".join("    " + line for line in text.splitlines())


@pytest.mark.sampled(12)
@pytest.mark.parametrize("name", RAISING)
def test_handlers_see_what_nothing_reads(name: str) -> None:
    around = AROUND[list(RAISING).index(name) % len(AROUND)]
    refused = judged(around.format(indented(RAISING[name])), head=HELPERS)
    assert not [text for text in refused if not text.startswith(("jvp", "raw_jvp", "jacobian", "second"))]


@pytest.mark.parametrize("raising", ["t = [x][3]", "t = math.log(x - 5.0)", "t = x / 0.0"])
def test_what_nothing_reads_may_go_with_its_error_outside_of_try(raising: str) -> None:
    f = loaded(f"{raising}\nreturn x * x")
    with pytest.raises(Exception) as caught:
        f(0.7, 1)
    with pytest.raises(caught.type):
        tnb.grad(f, optimized=False)(0.7, 1)
    assert tnb.grad(f)(0.7, 1) == tnb.jvp(f)(0.7, 1, dx=1.0) == 1.4


KNOWN_WHEN_IT_RUNS = """
class Swallowing:
    def __enter__(self): return self
    def __exit__(self, kind, error, traceback): return kind is not None and issubclass(kind, KeyError)
def square(x):
    return x * x
TABLE = [square]
"""


@pytest.mark.parametrize("around", ["with Swallowing():\n{}\n", "try:\n{}\nexcept Exception: pass\n"])
def test_what_is_known_only_when_it_runs_in_a_body_whose_errors_are_caught(around: str) -> None:
    text = "z = x\n" + around.format("    z = z * TABLE[n - n](x)\n    z = z + 1.0") + "return z"
    refused = judged(text, head=HEAD + KNOWN_WHEN_IT_RUNS)
    assert not [one for one in refused if not one.startswith(("jvp", "raw_jvp", "jacobian", "second"))]
    with pytest.raises(tnb.errors.TangentError, match="its tangents may raise what the handlers catch"):
        tnb.jvp(loaded(text, head=HEAD + KNOWN_WHEN_IT_RUNS))
