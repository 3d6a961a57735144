"""Arrays of objects from outside that functions change in place: simulations, running means, parameters.

Each method is derived in every way, compared with differences, and the objects with those that the function itself
leaves: the same arrays, with the same numbers, held where it holds them."""
from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from oracles import sourced

import tangent_nb as tnb
from tangent_nb.errors import ArgumentError, TangentError

pytestmark = pytest.mark.sampled(4)

TEXT = """
import numpy as np

class Cell:
    of_class = np.ones(3)
    def __init__(self):
        self.of_class[:] = 1.0
        self.w, self.v, self.m = np.array([0.5, -0.3, 0.2]), np.ones(3), np.eye(3)
        self.n, self.s, self.hist = 0, 0.0, []

    def total(self):
        return np.sum(self.w ** 2)

    def pull(self):
        return -self.w / np.linalg.norm(self.w) ** 3

    def f(self, x):
BODY

class Pair:
    def __init__(self):
        self.a, self.b = Cell(), Cell()
        self.c = self.a

cell, pair = Cell(), Pair()

def other():
    return cell.w

def f(x):
    return cell.f(x)

def g(x):
BODY
"""
RIGHT = [
    "self.w += x; return self.total()",
    "self.w *= x; self.v -= self.w; self.w += self.v; return np.sum(self.w * self.v)",
    "self.m[0] = x; self.m[:, 1] += x * self.m[:, 0]; return np.sum(self.m @ x)",
    "self.w[:] = x; self.hist.append(self.w); self.w *= 2.0; return np.sum(self.w * x)",
    "self.w = x * 2; self.w += x; self.v[:] = self.w; return np.sum(self.v ** 2)",
    "t = self.w + 1.0; self.w += x; self.w += t; return np.sum(self.w * t)",
    "self.n += 1; self.s += np.sum(x); self.w += x * self.n; return self.total() * self.s",
    "self.w -= 0.2 * self.w * x; self.w -= 0.1 * self.w; return self.total()",
    "y = self.w * x; self.w[...] = 0.0; return np.sum(y ** 2) + np.sum(self.w * x)",
    "self.w += x; y = self.w; self.w = y * 2; self.w += 1.0; return np.sum(y * self.w)",
    "self.m += np.outer(x, x); self.m += self.m.T; return np.sum(self.m[0] * x)",
    "self.w[self.w < 0] = x[0]; self.w = np.where(self.w > 0.3, self.w * x, self.w); return self.total()",
    "self.w += x; return sum(v * x[0] for v in self.w)",
    "np.add(self.w, x, out=self.w); self.w.sort(); return self.w[0] ** 2 + self.w[1]",
    "self.w.fill(0.0); self.w += x; np.copyto(self.v, self.w * x); self.v[1:].fill(2.0)\n"
    "return np.sum(self.v * self.w)",
    "for i in range(3):\n    self.w[i] = self.w[i] * x[i] + np.sin(self.w[i])\nreturn self.total()",
    "if x[0] > 0:\n    self.w += x\nelse:\n    self.w -= x\nreturn np.sum(self.w ** 3)",
    "with np.errstate(all='ignore'):\n    self.w /= x; self.w **= 2\nreturn np.sum(self.w)",
    "for _ in range(4):\n    self.v += 0.1 * self.pull(); self.w += 0.1 * self.v * x; self.hist.append(self.w.copy())\n"
    "return self.total()",
    "self.v *= 0.9; self.v += 0.1 * x; return np.sum(self.v * x)",
    "try:\n    self.w += x; self.w *= 2.0\nfinally:\n    self.n += 1\nreturn np.sum(self.w * x)",
]
NOT_WRONG = [
    "v = self.w; self.w += x; return np.sum(v ** 2) + np.sum(self.w)",
    "self.w = self.v; self.w += x; return np.sum(self.v ** 2)",
    "v = self.w; self.w.fill(0.0); self.w += x; return np.sum(v * self.w)",
    "self.m[0].fill(2.0); self.hist.append(self.m[0]); self.m[0] *= x; return np.sum(self.m)",
    "row = self.m[1]; row += x; return np.sum(self.m ** 2)",
    "self.w, self.v = self.v, self.w; self.w += x; return np.sum(self.w ** 2) + np.sum(self.v * x)",
    "a = [self.w, self.v]; a[0] += x; return np.sum(self.w ** 2)",
    "self.w += x; self.last = self.w; self.w += x; return np.sum(self.last * x)",
    "self.w[1:] += x[1:]; b = self.w[:2]; b *= 2; return np.sum(self.w * x)",
    "self.hist += [x]; self.w += x; return np.sum(self.hist[-1] * self.w)",
    "self.w += x; g = lambda t: t * self.w; return np.sum(g(x))",
    "self.of_class[:] = x * 2; return np.sum(self.of_class ** 2)",
    "self.of_class += x; return np.sum(self.of_class ** 2)",
]
APART = [
    "pair.a.w += x; pair.b.w *= pair.a.w; return np.sum(pair.b.w)",
    "pair.a.w += x; pair.c.w *= 2; return np.sum(pair.a.w ** 2)",
    "y = pair.c.w; pair.a.w += x; return np.sum(y ** 2)",
    "pair.a.w += x; return np.sum(pair.c.w ** 2)",
    "y = other(); cell.w += x; return np.sum(y ** 2)",
    "y = cell.w; cell.w += x; return np.sum(other() * y)",
    "cell.w += x; return np.sum(other() * x)",
    "cell.f(x); cell.w *= x; return cell.total()",
    "cell.v = cell.w; cell.w += x; return np.sum(cell.v * x)",
]
V = np.array([0.7, -0.4, 1.3])
D = np.array([0.3, 0.5, -0.2])


def state(*objects: Any) -> Any:
    """What objects hold, and which of it is one array."""
    seen: dict[int, int] = {}

    def held(value: Any) -> Any:
        if isinstance(value, np.ndarray):
            return seen.setdefault(id(value), len(seen)), np.round(value, 8).tolist()
        if isinstance(value, (list, dict)):
            if id(value) in seen:
                return seen[id(value)]
            seen[id(value)] = len(seen)
            return [held(one) for one in value] if isinstance(value, list) else {k: held(v) for k, v in value.items()}
        if hasattr(value, "__dict__") and id(value) not in seen:
            seen[id(value)] = len(seen)
            return {key: held(one) for key, one in sorted(vars(value).items())}
        return seen.get(id(value)) if hasattr(value, "__dict__") else value

    return [held(one) for one in objects]


def indented(body: str, by: str) -> str:
    whole = (" ", "for", "if", "with", "else", "while")
    lines = [one for line in body.splitlines() for one in ([line] if line.startswith(whole) else line.split("; "))]
    return "\n".join(by + line for line in lines)


def judge(body: str, name: str, refused: bool) -> None:
    """Derive, and compare the derivative and what is left with those of the function."""
    text = TEXT.replace("    def f(self, x):\nBODY", "    def f(self, x):\n"
                        + indented(body if name == "f" else "self.w += x; return 0.0", " " * 8))
    space = sourced(text.replace("BODY", indented(body if name == "g" else "return 0.0", " " * 4)),
                    {"__name__": "arrays"}, f"<arrays {body}>")
    f, cell, pair = space[name], space["cell"], space["pair"]

    def anew(g: Callable[..., Any], *args: Any, **keywords: Any) -> Any:
        cell.__init__()
        pair.__init__()
        before = cell.w, pair.a.w
        value = g(*args, **keywords)
        return value, state(cell, pair, *before)

    def slope(x: Any) -> float:
        return float((anew(f, x + 1e-6 * D)[0] - anew(f, x - 1e-6 * D)[0]) / 2e-6)

    expected, left = slope(V), anew(f, V.copy())[1]
    ways: dict[str, Callable[[], Any]] = {
        "grad": lambda: anew(tnb.grad(f), V.copy()),
        "raw": lambda: anew(tnb.grad(f, optimized=False), V.copy()),
        "like": lambda: anew(tnb.grad(f, like=(V,)), V.copy()),
        "jvp": lambda: anew(tnb.jvp(f), V.copy(), dx=D),
        "vjp": lambda: anew(tnb.vjp(f), V.copy(), 1.0)}
    for way, derived in ways.items():
        try:
            found, after = derived()
        except TangentError:
            assert refused, way
            continue
        assert found if way == "jvp" else found @ D == pytest.approx(expected, rel=1e-5, abs=1e-7), way
        assert after == left, way
    try:
        second, after = anew(tnb.jvp(tnb.grad(f)), V.copy(), dx=D)
    except TangentError:
        return
    assert after == left
    near = [anew(tnb.grad(f), V + h * D)[0] for h in (1e-5, -1e-5)]
    assert second == pytest.approx((near[0] - near[1]) / 2e-5, rel=1e-4, abs=1e-6)


@pytest.mark.parametrize("body", RIGHT)
def test_arrays_of_objects_are_changed_in_place(body: str) -> None:
    judge(body, "f", refused=False)


@pytest.mark.parametrize("body", NOT_WRONG)
def test_what_may_be_another_name_of_the_array_is_right_or_refused(body: str) -> None:
    judge(body, "f", refused=True)


@pytest.mark.parametrize("body", APART)
def test_arrays_of_several_objects_are_told_apart(body: str) -> None:
    judge(body, "g", refused=True)


class Body:
    def __init__(self) -> None:
        self.at, self.speed, self.path = np.array([0.0, 1.0]), np.array([1.0, 0.0]), []

    def pull(self) -> Any:
        return -self.at / np.linalg.norm(self.at) ** 3

    def step(self, dt: float) -> None:
        self.speed += 0.5 * dt * self.pull()
        self.at += dt * self.speed
        self.speed += 0.5 * dt * self.pull()
        self.path.append(self.at.copy())


body = Body()


def flown(speed: Any, n: int) -> Any:
    body.speed[:] = speed
    for _ in range(n):
        body.step(0.1)
    return np.sum(body.at ** 2)


def test_the_derivative_of_a_simulation_is_read_as_its_text() -> None:
    text = tnb.source(tnb.grad(flown))
    assert "        body_at += 0.1 * body_speed\n" in text
    assert "    rt.check_apart(body_at, (speed, n, body, body_speed), " \
        "('body.at', 'speed', 'n', 'body', 'body.speed'))  # guard\n" in text


def test_each_column_finds_the_arrays_as_they_were() -> None:
    def both(x: Any) -> Any:
        body.speed += x
        return body.speed * x

    body.__init__()  # type: ignore[misc]
    found = tnb.jacobian(both)(np.array([2.0, 3.0]))
    assert found == pytest.approx(np.diag([1.0 + 2 * 2.0, 2 * 3.0]))
    assert body.speed.tolist() == [3.0, 3.0]


def test_an_array_that_an_argument_is_too_is_refused() -> None:
    body.__init__()  # type: ignore[misc]
    with pytest.raises(ArgumentError, match=r"body\.at is changed in place, and speed shares its memory"):
        tnb.grad(flown)(body.at, 2)
    assert body.at.tolist() == [0.0, 1.0]


def test_an_array_whose_elements_share_their_memory_is_refused() -> None:
    body.__init__()  # type: ignore[misc]
    body.speed = np.lib.stride_tricks.as_strided(np.arange(4.0), (2, 2), (8, 8))[0]
    assert np.isfinite(tnb.grad(flown)(np.ones(2), 1)).all()
    body.speed = np.lib.stride_tricks.as_strided(np.arange(4.0), (2,), (0,))
    with pytest.raises(ArgumentError, match="and some of its elements share their memory"):
        tnb.grad(flown)(np.ones(2), 1)


class Late:
    def run(self, x: Any, n: int) -> Any:
        total = 0.0
        for i in range(n):
            self.gain = np.tanh(x * i)
            total = total + self.gain * x
        return total


def test_an_attribute_that_is_assigned_before_it_is_read_need_not_be_there() -> None:
    late = Late()
    slope = (Late().run(0.3 + 1e-6, 3) - Late().run(0.3 - 1e-6, 3)) / 2e-6
    assert tnb.grad(lambda x: late.run(x, 3))(0.3) == pytest.approx(slope)
    assert late.gain == pytest.approx(np.tanh(0.6))


class Broken:
    def run(self, x: Any, bad: bool) -> Any:
        self.h, self.g = np.tanh(x), np.sum(x)
        self.log = [x]
        if bad:
            raise ValueError("bad")
        return np.sum(self.h ** 2) * self.g


def test_who_looks_while_an_error_is_handled_sees_what_was_stored() -> None:
    broken = Broken()

    def run(x: Any, bad: bool) -> Any:
        return broken.run(x, bad)

    with pytest.raises(ValueError, match="bad") as error:
        tnb.grad(run)(V, True)
    kept = broken.h, broken.g
    assert error.value.__traceback__ is not None           # which keeps the frames
    assert repr(broken.h) == repr(np.tanh(V)) and f"{broken.g:.2f}" == "1.60"
    assert type(broken.h) is np.ndarray
    for h, g in [kept, (broken.h, broken.g)]:
        assert np.array_equal(h + 1.0, np.tanh(V) + 1.0) and np.array_equal(np.stack([h, h])[1], np.tanh(V))
        assert np.array_equal(np.add(h, h), 2.0 * np.tanh(V)) and np.array_equal(1.0 - h, 1.0 - np.tanh(V))
        assert len(h) == 3 and isinstance(h, np.ndarray) and h.shape == (3,) and 2.0 - g == pytest.approx(0.4)
    assert np.array_equal(broken.log[0], V)


class Held:
    def __init__(self) -> None:
        self.p = 0.5


def kept_and_given(env: Any, v: Any) -> Any:
    env.p = env.p + v * v
    return v


def read_too_early(x: Any, env: Any, do: Any) -> Any:
    y = do(env, x)
    return y + env.p * x


def test_what_waits_for_the_first_cotangent_is_not_there_before() -> None:
    for way in (lambda: tnb.grad(read_too_early)(1.3, Held(), kept_and_given),
                lambda: tnb.value_and_grad(read_too_early)(1.3, Held(), kept_and_given)[1],
                lambda: tnb.pullback(read_too_early, 1.3, Held(), kept_and_given)[1](1.0)):
        with pytest.raises(TangentError):
            way()


def test_a_variable_outside_may_be_called_as_an_attribute_is() -> None:
    text = ("import numpy as np\nclass Layer:\n    def f(self, x):\n        self.m = np.mean(x)\n"
            "        return np.sum((x - self.m) ** 2 * x)\nm = Layer()\ndef f(x):\n    return m.f(x)\n")
    space = sourced(text, {"__name__": "arrays"}, "<called as an attribute is>")
    f = space["f"]
    slopes = [(f(V + 1e-6 * e) - f(V - 1e-6 * e)) / 2e-6 for e in np.eye(3)]
    assert tnb.grad(f)(V) == pytest.approx(np.array(slopes)) and space["m"].m == pytest.approx(np.mean(V))
