"""Objects of plain classes as values: chosen in branches, of classes that are known when it runs, kept in lists and
dicts, given to functions; what changes them is right or refused."""
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
import copy, functools
import numpy as np

class Line:
    kind = 2.0
    def __init__(self, w, n=1):
        self.w = w
        self.n = n
        self.seen = []

    def out(self, x):
        return self.w * x * self.kind

    def step(self, x):
        self.n += 1
        self.w = self.w * x
        return self.w

    def keep(self, x):
        self.seen.append(x)
        return sum(self.seen) * self.w

    @property
    def double(self):
        return 2.0 * self.w

class Square(Line):
    kind = 3.0
    def __init__(self, w):
        super().__init__(w * w, n=2)

    def out(self, x):
        return super().out(x) * x

class Kept(Line):
    all = []
    def __init__(self, w):
        super().__init__(w)
        Kept.all.append(self)

KINDS = {"line": Line, "square": Square}

def chosen(kind):
    return Line if kind == "line" else Square

@functools.singledispatch
def area(shape):
    raise TypeError

@area.register
def _(shape: Line):
    return shape.w * 2.0

@area.register
def _(shape: Square):
    return shape.w ** 2

def f(x, kind):
"""
RIGHT = {
    "of a class in a table": "return KINDS[kind](x).out(0.5 * x)",
    "of a class in a table that is written down": "m = {'line': Line, 'square': Square}[kind](x)\nreturn m.out(x)",
    "of a class that a branch chooses": "K = Line if kind == 'line' else Square\nreturn K(x).out(0.5 * x)",
    "of a class that a function chooses": "return chosen(kind)(x).out(x)",
    "in branches": "if kind == 'line':\n    m = Line(x, n=3)\nelse:\n    m = Square(x)\nreturn m.out(0.5 * x) * m.n",
    "in a list": "ms = [KINDS[k](x) for k in ('line', kind, 'line')]\nt = x\nfor m in ms:\n    t = m.out(t)\nreturn t",
    "in a dict": "ms = {'p': chosen(kind)(x), 'q': Line(x * x)}\nt = 0.0\nfor k, m in ms.items():\n"
    "    t = t + m.out(x) * (1.0 if isinstance(m, Square) else 2.0)\nreturn t",
    "dispatched": "return area(chosen(kind)(x)) * area(Line(x))",
    "dispatched, over a list": "return sum(area(s) for s in [Line(x), chosen(kind)(x), Line(2.0 * x)])",
    "given to a function": "def g(o, t):\n    return o.out(t) + o.w\n"
    "return g(chosen(kind)(x), x) * g(Line(x), 2.0)",
    "made anew in a loop": "m = chosen(kind)(x)\nfor i in range(3):\n"
    "    m = chosen('square' if i % 2 else 'line')(m.out(x))\nreturn m.w",
    "by keyword": "return chosen(kind)(w=x).out(x)",
    "the greatest": "m = Line(x) if kind == 'line' else Square(x)\nk = Line(2.0 * x)\n"
    "best = max([m, k], key=lambda o: o.w)\nreturn best.out(x) * (1.0 if best is m else 100.0)",
    "exchanged": "m, k = chosen(kind)(x), Line(2.0 * x)\nm, k = k, m\nreturn m.out(x) - k.out(x)",
    "attributes of the class": "m = chosen(kind)(x)\nreturn getattr(m, 'w') * m.n * m.kind",
    "compared": "m = chosen(kind)(x)\nreturn m.out(x) if m == m and not m == Line(x) else 0.0",
}
CHANGED = {                                                # right or refused
    "an attribute": "m = chosen(kind)(x)\nm.w = m.w * 2.0\nreturn m.out(x)",
    "by a method": "m = chosen(kind)(x)\na = m.step(x)\nreturn m.out(x) + a",
    "by a method, twice in a list": "m = chosen(kind)(x)\nms = [m, m]\na = ms[0].step(x)\nreturn ms[1].out(x) + a",
    "after it was put in a list": "m = chosen(kind)(x)\nms = [m]\nm.w = x * 3.0\nreturn ms[0].out(x)",
    "a list that it holds": "m = chosen(kind)(x)\na = m.keep(x)\nb = m.keep(2.0 * x)\nreturn a * b",
    "a list that it holds, from outside": "m = chosen(kind)(x)\nm.seen.append(x)\nm.seen.append(2.0)\n"
    "return sum(m.seen) * m.w",
    "a copy": "m = chosen(kind)(x)\nq = copy.copy(m)\nq.w = q.w * 5.0\nreturn m.out(x) * q.w",
    "an array that it was made of": "a = np.array([x, 2.0 * x])\nm = chosen(kind)(a)\na[0] = 5.0\nreturn np.sum(m.w)",
    "an array that it holds": "a = np.array([x, 2.0 * x])\nm = Line(a) if kind == 'line' else Square(a)\n"
    "m.w[0] = 7.0 * x\nreturn np.sum(m.w) * np.sum(a)",
    "an attribute that was not there": "m = chosen(kind)(x)\nm.extra = x * 3.0\nreturn m.extra * m.w",
    "a list that its class keeps it in": "m = (Kept if kind == 'line' else Square)(x)\n"
    "return m.out(x) * (1 + len(Kept.all))",
    "a property": "return chosen(kind)(x).double * x",
    "a call that is none": "try:\n    m = chosen(kind)(x, 3)\nexcept TypeError:\n    return x * 7.0\n"
    "return m.out(x) * m.n",
}
X = 0.3
pytestmark = pytest.mark.sampled(4)


def judged(body: str, name: str, kind: str, mode: str) -> tuple[float, float]:
    """The slope, by differences and by a derivative."""
    text = SETUP + "\n".join("    " + line for line in body.splitlines())
    f = sourced(text, {"__name__": "objects"}, f"<objects {name} {kind} {mode}>")["f"]
    slope = (f(X + 1e-6, kind) - f(X - 1e-6, kind)) / 2e-6
    if mode == "twice":
        df = tnb.grad(f)
        slope = (df(X + 1e-6, kind) - df(X - 1e-6, kind)) / 2e-6
        return slope, tnb.grad(df)(X, kind)
    made: dict[str, Any] = {
        "grad": lambda: tnb.grad(f)(X, kind), "raw": lambda: tnb.grad(f, optimized=False)(X, kind),
        "value": lambda: tnb.value_and_grad(f)(X, kind)[1], "like": lambda: tnb.grad(f, like=(X, kind))(X, kind),
        "jvp": lambda: tnb.jvp(f)(X, kind, 1.0)}
    return slope, made[mode]()


@pytest.mark.parametrize("name", RIGHT)
@pytest.mark.parametrize("kind", ["line", "square"])
@pytest.mark.parametrize("mode", ["grad", "raw", "value", "like", "jvp"])
def test_it_is_differentiated(name: str, kind: str, mode: str) -> None:
    slope, found = judged(RIGHT[name], name, kind, mode)
    assert found == pytest.approx(slope, rel=1e-6, abs=1e-8)


@pytest.mark.parametrize("name", CHANGED)
@pytest.mark.parametrize("kind", ["line", "square"])
@pytest.mark.parametrize("mode", ["grad", "raw", "value", "like", "jvp"])
def test_what_changes_an_object_is_right_or_refused(name: str, kind: str, mode: str) -> None:
    try:
        slope, found = judged(CHANGED[name], name, kind, mode)
    except TangentError:
        return
    assert found == pytest.approx(slope, rel=1e-6, abs=1e-8)


@pytest.mark.parametrize("name", RIGHT)
def test_second_derivatives_are_right_or_refused(name: str) -> None:
    try:
        slope, found = judged(RIGHT[name], name, "square", "twice")
    except TangentError:
        return
    assert found == pytest.approx(slope, rel=1e-5, abs=1e-7)


def test_the_text_names_the_class_and_what_it_holds() -> None:
    text = SETUP + "    m = Line(x) if kind == 'line' else Square(x)\n    return m.out(x)\n"
    f = sourced(text, {"__name__": "objects"}, "<objects text>")["f"]
    assert "rt.made_of(Line, w=line_w, n=" in tnb.source(tnb.grad(f))
