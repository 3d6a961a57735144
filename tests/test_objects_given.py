"""Objects among the arguments: models, filters and simulations whose methods change them, and lists of such objects.

Each program is derived in every way without examples, compared with differences, and the objects with those that the
function itself leaves.
"""
from __future__ import annotations

import copy
import pickle
import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cloudpickle
import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from oracles import sourced

import tangent_nb as tnb
from tangent_nb import pipeline
from tangent_nb.errors import TangentError

pytestmark = pytest.mark.sampled(8)

CLASSES = """
import numpy as np

class Body:
    def __init__(self, a, v):
        self.a, self.v, self.n, self.log, self.on = a, np.array(v), 0, [], True
    def kick(self, f): self.v = self.v + f
    def grow(self, k):
        self.a = self.a * k
        self.n += 1
    def drift(self, dt):
        self.v = self.v * (1 - dt)
        self.log.append(self.a)
    def energy(self): return self.a * np.sum(self.v ** 2)
    @property
    def norm(self): return np.sqrt(np.sum(self.v ** 2) + 1.0)
    @property
    def mass(self): return self.a * 2.0
    @mass.setter
    def mass(self, m): self.a = m / 2.0

class World:
    def __init__(self, bodies): self.bodies, self.g, self.t = bodies, 0.3, 0.0
    def step(self, x):
        for b in self.bodies: b.kick(x * self.g)
        self.t += 0.1
    def total(self): return sum(b.energy() for b in self.bodies)

class Filter:
    def __init__(self): self.x, self.p, self.score = np.zeros(3), np.eye(3), 0.0
    def predict(self): self.p = self.p * 1.1 + 0.1 * np.eye(3)
    def update(self, z):
        y = z - self.x
        gain = self.p @ np.linalg.inv(self.p + 0.2 * np.eye(3))
        self.x = self.x + gain @ y
        self.p = (np.eye(3) - gain) @ self.p
        self.score += -0.5 * np.sum(y ** 2)
        return self.x

class Control:
    def __init__(self, kp, ki): self.kp, self.ki, self.whole, self.last = kp, ki, 0.0, None
    def __call__(self, e, dt):
        self.whole += e * dt
        change = 0.0 if self.last is None else (e - self.last) / dt
        self.last = e
        return self.kp * e + self.ki * self.whole + 0.1 * change

class Model:
    def __init__(self): self.w, self.b = np.ones(3), 0.1
    def forward(self, x):
        self.z = x @ self.w + self.b
        return np.tanh(self.z)
    def loss(self, x, y): return np.mean((self.forward(x) - y) ** 2)

class Momentum:
    def __init__(self): self.rate, self.v = 0.1, None
    def update(self, w, g):
        if self.v is None: self.v = np.zeros_like(w)
        self.v = 0.9 * self.v - self.rate * g
        return w + self.v

DATA = np.linspace(-1.0, 1.0, 12).reshape(4, 3)

def bodies(): return [Body(0.5, [0.1, 0.2, -0.3]), Body(-0.4, [1.0, 0.5, 0.2]), Body(0.8, [0.3, -0.6, 0.4])]
"""
X = np.array([0.7, -0.4, 1.3])
D = np.array([0.3, 0.8, -0.5])


def made(text: str) -> dict[str, Any]:
    return sourced(CLASSES + text, {"__name__": "objects"}, f"<objects {abs(hash(text))}>")


def state(value: Any) -> Any:
    """What an object holds, with whether things are the same."""
    seen: dict[int, int] = {}

    def of(one: Any) -> Any:
        if isinstance(one, np.ndarray):
            return np.round(one, 6).tolist()
        if isinstance(one, (bool, str, type(None))):
            return one
        if isinstance(one, (int, float, np.generic)):
            return round(float(one), 6)
        if isinstance(one, (list, tuple)):
            return [of(item) for item in one]
        if id(one) in seen:
            return f"object {seen[id(one)]}"
        seen[id(one)] = len(seen)
        return {name: of(item) for name, item in sorted(vars(one).items())}

    return of(value)


def gradients(f: Callable[..., Any], given: Callable[[], Any]) -> dict[str, Callable[[Any], float]]:
    """The derivative in the direction D, in each way."""
    return {
        "reverse": lambda m: float(tnb.grad(f)(X.copy(), m) @ D),
        "raw": lambda m: float(tnb.grad(f, optimized=False)(X.copy(), m) @ D),
        "forward": lambda m: float(tnb.jvp(f)(X.copy(), m, D)),
        "value": lambda m: float(tnb.value_and_grad(f)(X.copy(), m)[1] @ D),
        "examples": lambda m: float(tnb.grad(f, like=(X, given()))(X.copy(), m) @ D)}


def slope(f: Callable[..., Any], given: Callable[[], Any]) -> list[float]:
    """By differences, of two steps."""
    return [float(f(X + h * D, given()) - f(X - h * D, given())) / (2 * h) for h in (1e-5, 1e-6)]


def check(text: str, given: str, *, refused: bool = False) -> None:
    space = made(text + f"\ndef given(): return {given}\n")
    f, new = space["f"], space["given"]
    known = slope(f, new)
    left = new()
    f(X.copy(), left)
    for way, gradient in gradients(f, new).items():
        argument = new()
        if refused:
            with pytest.raises(TangentError):
                gradient(argument)
            continue
        assert gradient(argument) == pytest.approx(known[1], rel=1e-5, abs=1e-7), way
        assert state(argument) == state(left), way


PROGRAMS = {
    "world": ("World(bodies())", """
        for _ in range(3): m.step(x)
        return m.total() * np.sum(x) + np.sum(m.bodies[0].v * x)"""),
    "bodies": ("bodies()", """
        for b in m: b.kick(x)
        for b in m: b.drift(0.1)
        return sum(np.sum(b.v ** 2) for b in m)"""),
    "nested loops": ("bodies()", """
        for i, a in enumerate(m):
            for b in m:
                if a is not b: a.v = a.v + 0.1 * (b.v - a.v) * x[i]
        return sum(b.energy() for b in m)"""),
    "index": ("bodies()", """
        for i in range(len(m)): m[i].a = m[i].a * x[0] + i
        m[-1].kick(x)
        return m[2].energy() + m[0].a"""),
    "zip": ("bodies()", """
        for y, b in zip(x, m):
            b.a += y
            b.grow(y)
        return sum(b.a for b in m)"""),
    "setter": ("bodies()", """
        for b in m: b.mass = b.mass * x[1]
        m[0].mass = x[0]
        m[0].kick(x)
        return sum(b.mass for b in m)"""),
    "filter": ("Filter()", """
        for k in range(3):
            m.predict()
            m.update(x * k)
        return np.sum(m.x) + m.score"""),
    "called": ("Control(1.0, 0.1)", """
        y = 0.0
        for _ in range(4): y = y + 0.5 * m(x[0] - y, 0.1)
        return y * y"""),
    "weights": ("Model()", """
        old = m.w
        m.w = x
        value = m.loss(DATA, 1.0) + np.sum(m.z)
        m.w = old
        return value"""),
    "optimizer": ("Momentum()", """
        w = x
        for _ in range(3): w = m.update(w, 2 * w)
        return np.sum(w ** 2)"""),
    "branch": ("bodies()", """
        if x[0] > 0: m[0].kick(x)
        else: m[1].kick(x)
        return m[0].energy() + m[1].energy()"""),
    "counts": ("bodies()", """
        for b in m:
            b.n += 1
            if b.n > 1: b.kick(x)
        for b in m:
            b.n += 1
            if b.n > 1: b.kick(x)
        return sum(b.energy() for b in m)"""),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_objects_that_are_given_are_differentiated_and_left_as_the_function_leaves_them(name: str) -> None:
    given, body = PROGRAMS[name]
    check(f"def f(x, m):{body}\n", given)


REFUSED = {
    "one object twice": ("[bodies()[0]] * 2", "for b in m: b.kick(x)\n    return sum(b.energy() for b in m)"),
    "by two names": ("bodies()", "first = m[0]\n    for b in m: b.kick(x)\n    also = [first]\n"
                     "    for b in also: b.kick(x)\n    return sum(b.energy() for b in m)"),
    "arrays that change in place": ("bodies()", "for b in m: b.v += x\n    return sum(b.energy() for b in m)"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_may_be_another_object_is_refused(name: str) -> None:
    given, body = REFUSED[name]
    check(f"def f(x, m):\n    {body}\n", given, refused=True)


def test_one_list_by_two_paths_is_refused() -> None:
    space = made("def f(x, w, m):\n    for b in w.bodies: b.kick(x)\n    for c in m: c.kick(x)\n"
                 "    return sum(b.energy() for b in w.bodies) + m[0].energy()\n")
    world = space["World"](space["bodies"]())
    with pytest.raises(TangentError):
        tnb.grad(space["f"])(X, world, world.bodies)
    apart = space["bodies"]()
    g = tnb.grad(space["f"])(X, space["World"](space["bodies"]()), apart)
    numbers = [(space["f"](X + h * D, space["World"](space["bodies"]()), space["bodies"]())
                - space["f"](X - h * D, space["World"](space["bodies"]()), space["bodies"]())) / 2e-6
               for h in [1e-6]]
    assert g @ D == pytest.approx(numbers[0], rel=1e-6)


class Programs:
    """Random programs over a list of bodies, or the bodies of a world."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.list = self.random.choice(["m", "m.bodies"])

    def value(self, depth: int, names: list[str], *, array: bool) -> str:
        one = self.random.choice([*names, f"{self.list}[{self.random.randrange(-2, 3)}]"])
        inner = [self.value(depth - 1, names, array=kind) for kind in (True, True, False)] if depth else []
        if array:
            more = [f"np.sin({inner[0]})", f"{inner[0]} * {inner[2]}", f"{inner[0]} + {inner[1]}"] if depth else []
            return self.random.choice(["x", "x * -1.2", f"{one}.v", f"{one}.v", *more])
        more = [f"np.tanh({inner[2]})", f"np.sum({inner[0]} * {inner[1]})", f"{inner[2]} * 0.5"] if depth else []
        known = [f"{one}.energy()", f"{one}.norm"] if one in names else []
        return self.random.choice(["x[0]", "s", f"{one}.a", f"{one}.a", *known, *more])

    def change(self, one: str, names: list[str]) -> str:
        return self.random.choice([
            f"{one}.a = {self.value(1, names, array=False)}", f"{one}.v = {self.value(1, names, array=True)}",
            f"{one}.a += {self.value(0, names, array=False)}", f"{one}.kick({self.value(1, names, array=True)})",
            f"{one}.grow({self.value(0, names, array=False)})", f"{one}.drift(0.1)", f"{one}.n += 1",
            f"{one}.log.append({self.value(0, names, array=False)})"])

    def loop(self, name: str, names: list[str]) -> str:
        return self.random.choice([f"for {name} in {self.list}:"] * 2 + [
            f"for j, {name} in enumerate({self.list}):", f"for y, {name} in zip(x, {self.list}):"])

    def block(self, depth: int, names: list[str], indent: str = "    ") -> list[str]:
        found: list[str] = []
        for _ in range(self.random.randint(1, 3)):
            kind = self.random.randrange(9)
            if kind < 3 and depth and len(names) < 2:
                name = "pq"[len(names)]
                found += [indent + self.loop(name, names), *self.block(depth - 1, [*names, name], f"{indent}    ")]
            elif kind < 5 and names:
                found.append(indent + self.change(self.random.choice(names), names))
            elif kind == 5 and depth:
                test = self.random.choice(["x[0] > 0", "s > 0.5", *(f"{name}.a > 0.7" for name in names)])
                found += [f"{indent}if {test}:", *self.block(depth - 1, names, f"{indent}    ")]
            elif kind == 6:
                found.append(indent + self.change(f"{self.list}[{self.random.randrange(3)}]", names))
            elif kind == 7:
                item = self.random.choice(["e.energy()", "e.a * s", "np.sum(e.v * x)", "e.norm"])
                found.append(f"{indent}s = s + sum({item} for e in {self.list})")
            elif self.list == "m.bodies" and self.random.random() < 0.3:
                found.append(indent + self.random.choice(["m.step(x)", "s = s + m.total()", "m.g = m.g * x[1]"]))
            else:
                found.append(f"{indent}s = s * 0.7 + {self.value(1, names, array=False)}")
        return found

    def text(self) -> str:
        body = "\n".join([*self.block(3, []), *self.block(2, [])])
        same = "items[2] = items[0]" if self.random.random() < 0.08 else \
            "items[1].v = items[0].v" if self.random.random() < 0.15 else "pass"
        held = "items" if self.list == "m" else "World(items)"
        return (f"def f(x, m):\n    s = 0.1\n{body}\n    return s + np.sum({self.list}[1].v * x) + {self.list}[0].a\n"
                f"def given():\n    items = bodies()\n    {same}\n    return {held}\n")


@pytest.mark.parametrize("seed", [pytest.param(k, marks=[pytest.mark.sampled(32)] * (k >= 8)) for k in range(300)])
def test_random_programs_over_lists_of_objects_are_right_or_refused(seed: int) -> None:
    space = made(Programs(seed).text())
    f, new = space["f"], space["given"]
    with np.errstate(all="ignore"):
        value, known = f(X.copy(), new()), slope(f, new)
    if not np.isfinite(value) or abs(value) > 1e6 or abs(known[0] - known[1]) > 1e-4 * (1 + abs(known[0])):
        pytest.skip("a kink, or too large")
    left = new()
    with np.errstate(all="ignore"):
        f(X.copy(), left)
    for way, gradient in gradients(f, new).items():
        argument = new()
        try:
            with np.errstate(all="ignore"):
                got = gradient(argument)
        except TangentError:
            continue
        assert got == pytest.approx(known[1], rel=2e-4, abs=2e-4), way
        assert state(argument) == state(left), way


# ---------------------------------------------------------------------- texts for the objects of a call
def test_each_structure_gets_a_text_of_its_own_and_others_the_general_one() -> None:
    space = made("def f(x, m): return np.sum(m(x))\n"
                 "class Two:\n    def __init__(self, act): self.act = act\n"
                 "    def __call__(self, x): return self.act(x)\n")
    df = tnb.grad(space["f"])
    general = tnb.source(df)
    assert general.splitlines()[1].strip().startswith("if (other := rt.made_for(versions, x, m)) is not None")
    np.testing.assert_allclose(df(X, np.sin), np.cos(X))
    np.testing.assert_allclose(df(X, lambda t: t * t), 2 * X)
    assert list(tnb.versions(df)) == ["general"]
    for act, slope_of in ((np.sin, np.cos), (np.exp, np.exp)):
        np.testing.assert_allclose(df(X, space["Two"](act)), slope_of(X))
    assert list(tnb.versions(df)) == ["m: Two(act: exp), x: f8[n]", "m: Two(act: sin), x: f8[n]", "general"]
    assert tnb.source(df) == general and "np.cos(x)" in tnb.versions(df)["m: Two(act: sin), x: f8[n]"]


TWO = """
import functools
class Two:
    def __init__(self, act): self.act = act; self.seen = 0
    def __call__(self, x):
        self.seen = self.seen + 1
        return self.act(x) * self.seen
def f(x, m): return np.sum(m(x)) + np.sum(m(x))
def power(x, k): return x ** k
"""


def test_what_has_no_text_of_its_own_serves_no_other() -> None:
    space = made(TWO)
    df = tnb.grad(space["f"])
    partial, two = space["functools"].partial(space["power"], k=3.0), space["Two"](np.sin)
    for _ in range(2):
        np.testing.assert_allclose(df(X, partial), 2 * 3.0 * X ** 2)
        two.seen = 0
        np.testing.assert_allclose(df(X, two), 3 * np.cos(X))
        assert two.seen == 2


def test_functions_made_for_each_call_are_derived_once(monkeypatch: pytest.MonkeyPatch) -> None:
    space = made(TWO)
    df, derived, counts = tnb.grad(space["f"]), [], []
    inner = pipeline._derived
    monkeypatch.setattr(pipeline, "_derived", lambda *given: derived.append(given) or inner(*given))
    for _ in range(4):
        np.testing.assert_allclose(df(X, space["Two"](lambda t: t * t)), 3 * 2 * X)
        counts.append(len(derived))
    assert 0 < counts[1] == counts[-1]


def test_other_texts_know_nothing_of_the_question() -> None:
    space = made("def f(x, m): return np.sum(m.loss(DATA, x[0]) * x)\ndef g(x): return np.sum(np.tanh(x))\n")
    df = tnb.grad(space["f"])
    second = tnb.jvp(df)(X, space["Model"](), D)
    h = 1e-6
    np.testing.assert_allclose(second, (df(X + h * D, space["Model"]()) - df(X - h * D, space["Model"]())) / (2 * h),
                               rtol=1e-5)
    assert "made_for" not in tnb.source(tnb.grad(space["g"], optimized=tnb.PASSES))
    forward, _ = tnb.autodiff(space["f"], motion="split")          # the general text alone
    with pytest.raises(TangentError, match="known only when the function runs"):
        forward(X, space["Model"]())


def test_a_derivative_that_asks_is_refused_inside_another_function() -> None:
    space = made("def f(x, m): return np.sum(m.loss(DATA, x[0]) * x)\n")
    space["df"] = tnb.grad(space["f"])
    outer = sourced("def outer(x, m): return np.sum(df(x, m) * x)\n", space, "<outer>")["outer"]
    with pytest.raises(TangentError, match="forward (is known only when the function runs, and it )?may change"):
        tnb.grad(outer)(X, space["Model"]())


def test_pickled_texts_serve_the_same() -> None:
    space = made("def f(x, m): return m.loss(DATA, 1.0) * np.sum(x)\n")
    df = tnb.grad(space["f"])
    expected = df(X, space["Model"]())
    again = pickle.loads(cloudpickle.dumps(df))
    np.testing.assert_allclose(again(X, copy.deepcopy(space["Model"]())), expected)


def test_arguments_by_position_and_by_keyword() -> None:
    space = made("def f(x, m, *, scale=2.0): return np.sum(m.forward(np.outer(np.ones(2), x))) * scale\n")
    df = tnb.grad(space["f"])
    np.testing.assert_allclose(df(X, m=space["Model"](), scale=4.0), 2 * df(X, space["Model"]()))
