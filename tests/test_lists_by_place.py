"""Lists that get items in the place of others: `vs[i] = v`, as expensive backward as forward, whatever else holds them.

The programs are random: stores, appends, copies, other names, calls, branches and loops, in every mode.
"""
from __future__ import annotations

import random
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from oracles import sourced

import tangent_nb as tnb
from tangent_nb.errors import TangentError

pytestmark = pytest.mark.sampled(6)


def relaxed(x, n):
    vs = []
    for k in range(n):
        vs.append(1.0 * k)
    for i in range(n):
        vs[i] = vs[i] * x
    return vs[n - 1]


TEXT = """\
def drelaxed_dx(x, n):
    x = rt.differentiable(x)  # guard
    rt.check_places(n)  # guard
    # forward
    vs_saved = []
    vs = []
    for k in range(n):
        vs.append(1.0 * k)
    for i in range(n):
        vs_saved.append(vs[i])
        vs[i] = vs[i] * x
    relaxed = vs[n - 1]
    # backward
    # Grad of: return vs[n - 1]
    brelaxed = rt.seed(relaxed)
    bvs = rt.zeros_like(vs)
    rt.add_at(bvs, n - 1, brelaxed)
    bx = rt.zeros_like(x)
    for i in reversed(range(n)):
        vs[i] = vs_saved.pop()
        # Grad of: vs[i] = vs[i] * x
        bproduct_1 = rt.pick(bvs, i)
        bvs[i] = rt.zeros_like(vs[i])
        bx = bx + rt.unbroadcast(bproduct_1 * vs[i], x)
        rt.add_at(bvs, i, rt.unbroadcast(bproduct_1 * x, vs[i]))
    return bx
"""


def test_an_item_is_saved_and_not_the_list() -> None:
    df = tnb.grad(relaxed, optimized=tnb.PASSES)
    assert tnb.source(df).strip() == TEXT.strip()
    assert df(2.0, 5) == 4.0


@pytest.mark.parametrize("kind", ["grad", "jvp", "split"])
def test_the_cost_of_a_store_does_not_grow_with_the_list(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No helper makes a list anew for each store."""
    assert tnb.grad(relaxed)(2.0, 5) == tnb.jvp(relaxed)(2.0, 5, 1.0) == 4.0
    run = {"grad": tnb.grad(relaxed), "jvp": tnb.jvp(relaxed), "split": tnb.autodiff(relaxed, motion="split")}[kind]
    made: list[int] = []
    for name in ("with_item", "without_item", "copy"):     # of a function that is derived already
        inner = getattr(tnb.runtime, name)
        monkeypatch.setattr(tnb.runtime, name, lambda x, *rest, inner=inner, **named: (
            made.append(len(x)) if isinstance(x, list) else None, inner(x, *rest, **named))[1])
    if kind == "split":
        assert run[1](run[0](2.0, 20)[1], 1.0) == 19.0
    else:
        assert run(*(2.0, 20, 1.0)[:3 if kind == "jvp" else 2]) == 19.0
    assert sum(made) <= 4 * 20


def test_the_two_halves_may_run_again() -> None:
    def smooth(xs, w, n):
        vs = list(xs)
        for _ in range(n):
            for i in range(1, len(vs) - 1):
                vs[i] = vs[i] + w * (vs[i - 1] - 2.0 * vs[i] + vs[i + 1]) * np.sin(vs[i])
        return vs

    forward, backward = tnb.autodiff(smooth, motion="split", wrt="w")
    value, residuals = forward([1.0, 2.0, 0.5, 4.0], 0.1, 3)
    before, seed = list(value), [1.0, 2.0, -1.0, 1.0]
    first = backward(residuals, seed)
    assert backward(residuals, seed) == first and value == before and seed == [1.0, 2.0, -1.0, 1.0]
    h = 1e-6
    ends = [np.dot(seed, smooth([1.0, 2.0, 0.5, 4.0], 0.1 + step, 3)) for step in (h, -h)]
    assert first == pytest.approx((ends[0] - ends[1]) / (2 * h), rel=1e-6)


PRELUDE = """\
def h(a, b): return a * np.cos(b)
def total(vs):
    e = 0.0
    for v in vs:
        e = e + v * v
    return e
def f(x, k):
    vs = [x, 1.5 * x, 0.7]
    t, s, i, j = x * 0.3, 0.0, 1, 2
"""


class Programs:
    """A random program over a list."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def index(self) -> str:
        return self.random.choice(["0", "1", "2", "-1", "i", "i - 1", "2 - i", "j"])

    def item(self, of: str = "vs") -> str:
        one, other = f"{of}[{self.index()}]", f"{of}[{self.index()}]"
        return self.random.choice([one, f"{one} * x", "x", "0.5", f"np.sin({one})", "x * x", f"{one} + {other}", "t",
                                   "t * x", f"h({one}, x)"])

    def statement(self, depth: int) -> list[str]:
        pick = self.random.choice
        one, other = f"vs[{self.index()}]", f"vs[{self.index()}]"
        if depth < 2 and self.random.random() < 0.2:
            inner = ["    " + line for line in self.block(depth + 1)]
            return [f"for {pick('ij')} in range({pick('23k')}):", *inner]
        if depth < 2 and self.random.random() < 0.15:
            return [f"if {pick(['i > 0', 'len(vs) > 3', 'np.sum(vs[0]) > 0.3', 'np.sum(vs[1]) > np.sum(vs[2])'])}:",
                    *("    " + line for line in self.block(depth + 1)),
                    "else:", *("    " + line for line in self.block(depth + 1))]
        return pick([
            [f"{one} = {self.item()}"], [f"{one} = {self.item()}"], [f"{one} = {self.item()}"],
            [f"{one} {pick('+*-')}= {self.item()}"], [f"t = {self.item()}"], [f"s = s + {self.item()}"],
            [f"vs.append({self.item()})"], ["t = vs.pop()", "vs.append(t * x)"], ["s = s + total(vs)"],
            [f"vs = {pick(['list(vs)', '[x, t, 1.0]', '[v * x for v in vs]', 'vs[:]', 'vs + [x]', '[0.0] * 3'])}"],
            [f"ws = {pick(['list(vs)', 'vs', '[x, 1.0, t]', 'vs[:]'])}",
             f"{pick(['ws', 'vs'])}[{self.index()}] = {self.item('ws')}", "s = s + ws[0] + vs[1]"],
            [f"{one}, {other} = {other}, {self.item()}"],
            ["for q, v in enumerate(vs):", f"    vs[q] = v * {pick(['x', '0.5', 't'])}"],
            ["for v in vs:", "    s = s + v * x", f"    {one} = v"],
            ["try:", f"    {one} = {self.item()}", "    s = s + vs[k]", "except IndexError:",
             f"    vs[0] = {self.item()}"],
            ["rows = [vs, [x, t]]", f"rows[1][0] = {self.item()}", f"vs[1] = {self.item()}",
             "s = s + rows[1][0] + rows[0][1]"]])

    def block(self, depth: int = 0) -> list[str]:
        return [line for _ in range(self.random.randint(1, 2)) for line in self.statement(depth)]

    def text(self) -> str:
        body = [line for _ in range(2) for line in self.block()]
        end = self.random.choice(["s + vs[0] + vs[1] * t", "total(vs) + s", "s + vs[-1]"])
        return PRELUDE + "".join(f"    {line}\n" for line in [*body, f"return np.sum({end})"])


POINTS = {"number": (0.63, 1.0), "array": (np.array([0.63, 0.41]), np.array([0.3, -0.8]))}


@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize("seed", [pytest.param(k, marks=[pytest.mark.sampled(16)] * (k >= 15)) for k in range(120)])
def test_random_programs_over_a_list_are_right_or_refused(seed: int, point: str) -> None:
    f = sourced(Programs(seed).text(), {"np": np, "__name__": "lists"})["f"]
    (x, d), h = POINTS[point], 1e-6
    slopes = [(f(x + step * d, 2) - f(x - step * d, 2)) / (2 * step) for step in (h, 2 * h)]
    if abs(slopes[0]) > 1e6 or abs(slopes[0] - slopes[1]) > 1e-4 * (1 + abs(slopes[0])):
        pytest.skip("a kink, or too large")
    ways = {"grad": lambda: np.sum(tnb.grad(f)(x, 2) * d), "jvp": lambda: tnb.jvp(f)(x, 2, d),
            "raw": lambda: np.sum(tnb.grad(f, optimized=False)(x, 2) * d),
            "pullback": lambda: np.sum(tnb.pullback(f, x, 2)[1](1.0) * d)}
    for way, derivative in ways.items():
        try:
            assert derivative() == pytest.approx(slopes[0], rel=2e-4, abs=2e-4), way
        except TangentError:
            continue
