"""Numbers that functions store in objects from outside: counters, flags. The derivative leaves the object as the
function does, once; what is read again, has a derivative, or could change in place, is refused."""
from __future__ import annotations

import sys
import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from oracles import sourced

import tangent_nb as tnb
from tangent_nb.errors import TangentError

X = np.array([0.3, 0.4])


def seen(o: Any) -> Any:
    return o.n


def later_of(o: Any) -> Any:
    return o.last[0]


def counted(o: Any, v: Any) -> Any:
    o.n += 1
    return v * seen(o)


class Counter:
    total = 0

    def __init__(self) -> None:
        self.n, self.k, self.items, self.done = 1, 2.0, [1.0], False
        self.total_loss, self.last, self.cache = 0.5, None, None

    def simple(self, x: Any) -> Any:
        self.n += 1
        return np.sum(x * x)

    def flag(self, x: Any) -> Any:
        self.done, self.label = True, "ended"
        return np.sum(x * x) * self.k

    def array(self, x: Any) -> Any:
        self.last = np.zeros(2)
        return np.sum(x * x)

    def loop(self, x: Any) -> Any:
        y = x
        for i in range(3):
            y = np.sin(y) * seen(self) + y * x
            self.n += i
        return np.sum(y)

    def branch(self, x: Any) -> Any:
        y = x if seen(self) < 1.5 else x * x
        self.n += 1
        return np.sum(y if seen(self) < 1.5 else y * x)

    def waits(self, x: Any) -> Any:
        y = x
        while seen(self) < 4:
            y = np.sin(y) * seen(self)
            self.n += 1
        return np.sum(y)

    def calls(self, x: Any) -> Any:
        return self.simple(x) * self.simple(2 * x) + np.sum(counted(self, counted(self, x)))

    def attempt(self, x: Any) -> Any:
        try:
            self.n += 1
            y = np.sum(x * x) * seen(self)
        finally:
            self.n += 10
        return y * seen(self)

    def nested(self, x: Any) -> Any:
        def inner(v: Any) -> Any:
            self.n += 1
            return v * seen(self)
        return np.sum(inner(x) * inner(x))

    def of_class(self, x: Any) -> Any:
        Counter.total += 1
        return np.sum(x * x)

    def kept(self, x: Any) -> Any:
        for i in range(2):
            x = np.sin(x) * self.k
            self.last = i
        self.label, self.length = "sine", x.size
        return np.sum(x * x)

    def sums(self, x: Any) -> Any:
        self.total_loss += np.sum(np.arange(3.0))
        return np.sum(x * x)

    def read(self, x: Any) -> Any:
        self.n += 1
        return np.sum(x * x) * self.n

    def read_by_name(self, x: Any) -> Any:
        y = x * getattr(self, "n")
        self.n += 1
        return np.sum(y * getattr(self, "n"))

    def by_a_method(self, x: Any) -> Any:
        self.last = x * x
        return np.sum(self.later()) * np.sum(x)

    # --- refused
    def with_a_derivative(self, x: Any) -> Any:
        self.last = x * x
        return np.sum(later_of(self)) * np.sum(x)

    def in_a_container(self, x: Any) -> Any:
        self.last = [x * x]
        return np.sum(later_of(self)) * np.sum(x)

    def later(self) -> Any:
        return self.last

    # --- refused when it is called
    def changes(self, x: Any) -> Any:
        items = [1.0, 2.0]
        self.last = items
        items[0] = 5.0
        return np.sum(x * items[0])

    def fills(self, x: Any) -> Any:
        items: list[Any] = []
        self.last = items
        for i in range(len(x)):
            items.append(i * 2.0)
        return np.sum(x * x) * sum(items)

    def grown(self, x: Any) -> Any:
        self.items += [1.0]
        return np.sum(x * x)


class Slots:
    __slots__ = ("done", "k", "n")

    def __init__(self) -> None:
        self.n, self.k, self.done = 0, 1.0, False

    def simple(self, x: Any) -> Any:
        self.n += 1
        return np.sum(x * x)


class Property:
    def __init__(self) -> None:
        self._n, self.k, self.done = 0, 1.0, False

    @property
    def n(self) -> int:
        return self._n

    @n.setter
    def n(self, value: int) -> None:
        self._n = value

    def simple(self, x: Any) -> Any:
        self.n += 1
        return np.sum(x * x)


class Watched(Counter):
    def __setattr__(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)


RIGHT = ["simple", "flag", "loop", "branch", "waits", "calls", "attempt", "nested", "of_class",
         "kept", "sums", "read", "read_by_name", "array", "by_a_method"]


@pytest.mark.parametrize(("kind", "name"), [*((Counter, name) for name in RIGHT), (Slots, "simple")])
@pytest.mark.parametrize("mode", ["grad", "raw", "value_and_grad", "jvp", "vjp", "like", "second"])
def test_the_object_is_left_as_the_function_leaves_it(kind: Any, name: str, mode: str) -> None:
    other = kind()
    Counter.total = 0
    value = getattr(other, name)(X)
    total = Counter.total
    slopes = np.array([(getattr(kind(), name)(X + h) - getattr(kind(), name)(X - h)) / 2e-6 for h in np.eye(2) * 1e-6])
    one = kind()
    f = getattr(one, name)
    Counter.total = 0
    if mode == "jvp":
        assert np.isclose(tnb.jvp(f)(X, dx=np.ones(2)), np.sum(slopes), atol=1e-5)
    elif mode == "second":
        assert np.all(np.isfinite(tnb.vjp(tnb.grad(f))(X, seed=np.ones(2))))
    else:
        df = {"grad": tnb.grad, "raw": lambda f: tnb.grad(f, optimized=False), "value_and_grad": tnb.value_and_grad,
              "vjp": lambda f: lambda x: tnb.vjp(f)(x, seed=1.0), "like": lambda f: tnb.grad(f, like=(X,))}[mode](f)
        got = df(X)
        if mode == "value_and_grad":
            assert got[0] == pytest.approx(value)
            got = got[1]
        assert np.allclose(got, slopes, atol=1e-5)
    assert (one.n, one.k, one.done, Counter.total) == (other.n, other.k, other.done, total)
    if mode != "second":
        assert repr([getattr(one, name, None) for name in ("total_loss", "last", "label", "length")]) \
            == repr([getattr(other, name, None) for name in ("total_loss", "last", "label", "length")])


@pytest.mark.parametrize(("kind", "name", "said"), [
    (Counter, "with_a_derivative", "read again where the derivative does not see it"),
    (Counter, "in_a_container", "read again where the derivative does not see it"),
    (Counter, "changes", "is assigned a list: only arrays"), (Counter, "fills", "is assigned a list: only arrays"),
    (Property, "simple", "its class runs code then"), (Watched, "simple", "its class runs code then")])
def test_what_changes_or_runs_code_is_refused_when_it_is_called(kind: Any, name: str, said: str) -> None:
    one = kind()
    with pytest.raises(TangentError, match=said):
        tnb.grad(getattr(one, name))(X)
    assert one.n in (0, 1)


def test_an_object_among_the_arguments() -> None:
    def f(o: Any, x: Any) -> Any:
        o.n += 1
        return np.sum(x * x)

    one = Counter()
    assert np.allclose(tnb.grad(f, "x")(one, X), 2 * X)
    assert one.n == 2


def test_what_a_solver_follows_may_not_count() -> None:
    integrate = pytest.importorskip("scipy.integrate")
    one = Counter()

    def rate(t: Any, x: Any) -> Any:
        one.n += 1
        return x * t

    def f(x: Any) -> Any:
        return integrate.quad(rate, 0.0, 1.0, args=(x,))[0]

    with pytest.raises(TangentError, match="an attribute is assigned"):
        tnb.grad(f)(0.5)


def test_a_variable_of_a_module_is_read_by_its_name() -> None:
    space = sourced("import sys\nimport numpy as np\nglob = 1.0\ndef f(x):\n    y = x * glob\n    me.glob = 3.0\n"
                    "    return np.sum(x * y) * glob\n", {"__name__": "module"}, "<module of counters>")
    space["me"] = types.SimpleNamespace()
    with pytest.raises(TangentError, match="an attribute is assigned"):
        tnb.grad(space["f"])


@pytest.mark.parametrize("body", [
    "s = 0.0\n    for i in range(len(N) + 3):\n        N.append(2)\n        s += x * i\n    return s",
    "L, s = [x], 0.0\n    for i in range(len(L) + 1):\n        L.append(L[-1] * x)\n        s += L[i] * i\n"
    "    return s * L[-1]",
    "L = [x, 2 * x]\n    for i in range(len(L)):\n        L.append(L[i] * x)\n        L[0] = L[i] + x\n"
    "    return sum(L)",
    "L = [x, 2 * x, x]\n    for i in range(len(L) - 1): x = x * L.pop()\n    return x",
    "s = 0.0\n    for i in range(int(g(x)), int(g(x)) + 2): s = s + x * i * g(x)\n    return s",
    "a, s = np.array([2, 1]), 0.0\n    for i in range(a[0]):\n        a[0] = 5\n        s = s + x * x * i\n"
    "    return s",
    "d, s = {'n': 2}, 1.0\n    for i in range(d['n']):\n        d['n'] = 7\n        s = s * x\n    return s",
    "for j in range(2):\n        L = [x]\n        for i in range(len(L) + j): L.append(x * L[-1])\n        x = L[-1]\n"
    "    return x"])
@pytest.mark.parametrize("optimized", [True, False])
def test_how_long_a_range_is_may_change_after_it_was_asked(body: str, optimized: bool) -> None:
    space = sourced(f"""\
import numpy as np
N = []
def g(x):
    N.append(1)
    return x * len(N)
def f(x):
    {body}
""", {"__name__": "cell"})

    def anew(h: Any, *args: float) -> Any:
        space["N"].clear()
        return h(*args)
    f = space["f"]
    slope = (anew(f, 1.3 + 1e-6) - anew(f, 1.3 - 1e-6)) / 2e-6
    assert anew(tnb.grad(f, optimized=optimized), 1.3) == pytest.approx(slope, rel=1e-6)
    assert anew(tnb.jvp(f, optimized=optimized), 1.3, 1.0) == pytest.approx(slope, rel=1e-6)
