"""Classes that find their attributes, methods and items in ways of their own:
derivatives are what Python computes, or refused."""
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
from tangent_nb.errors import TangentError

pytestmark = pytest.mark.sampled(12)

X = np.array([0.3, 0.7])
W, V = np.array([0.5, -1.2]), np.array([1.5, 0.4])
TURN = np.array([1.0, -0.6])
CLASSES = """\
import functools
from collections import namedtuple
import numpy as np
W = np.array([0.5, -1.2])


class Base:
    k = 2.0

    def __init__(self, a, b):
        self.a, self.b = a, b

    def plain(x):
        return np.sum(np.exp(x))

    def given(a, b=2.0):
        return np.sum(b * b) if not isinstance(a, type) else np.sum(b ** 3)

    def counted(*a):
        return len(a) * np.sum(a[-1] ** 2)

    def act(self, x):
        return np.sum(np.tanh(self.a * x)) * self.k

    static = staticmethod(lambda x: np.sum(x ** 2))

    @classmethod
    def of_class(cls, x):
        return np.sum(x ** 3) * cls.k


class Below(Base):
    k = 3.0


class Over(Base):
    def plain(x):
        return np.sum(x ** 4)

    def act(self, x):
        return np.sum(np.sin(self.a * x))


class Swapping(Base):
    def __getattribute__(self, name):
        return object.__getattribute__(self, "other" if name == "act" else name)

    def other(self, x):
        return np.sum(self.a * x ** 2)


class Binding(Base):
    act = functools.partialmethod(lambda self, k, x: np.sum(np.tanh(self.a * x)) * k, 3.0)


class Hidden(Base):
    def __init__(self, a, b):
        self.__dict__.update(a=a, b=b)

    a = property(lambda self: self.__dict__["a"] * 2.0)

    def act(self, x):
        return np.sum(self.b * x)


class SetElsewhere:
    def __set__(self, obj, value):
        obj.__dict__["a"] = value * 3.0


class Setting(Hidden):
    a = SetElsewhere()

    def act(self, x):
        return np.sum(self.a * x)


class Slots:
    __slots__ = ("a", "b", "__c")
    plain = Base.plain

    def __init__(self, a, b):
        Slots.a.__set__(self, a)
        self.b = b

    def act(self, x):
        return np.sum(self.b * x)


class Private(Slots):
    def __init__(self, a, b):
        self.a, self.__c = a, b

    b = property(lambda self: self.__c)

    def act(self, x):
        return np.sum(self.__c * x)


class SlotsHidden(Slots):
    a = property(lambda self: Slots.a.__get__(self) * 2.0)


class SlotsConstant(Slots):
    a = 5.0


class OtherDict(Base):
    __dict__ = property(lambda self: {"a": W})


class Made(Base):
    def __new__(cls, a, b):
        return object.__new__(cls)
"""


def differences(f: Callable[[Any], float], x: Any) -> Any:
    return np.array([(f(x + h) - f(x - h)) / 2e-6 for h in 1e-6 * np.eye(len(x))])


def told(found: Callable[[], Any], expected: Any, parts: Callable[[Any], Any] = lambda g: g) -> bool:
    """What is computed is right; False where it is refused."""
    try:
        got = found()
    except TangentError:
        return False
    np.testing.assert_allclose(parts(got), expected, rtol=1e-4, atol=1e-6)
    return True


def by_x(f: Any, given: Any) -> bool:
    """Each mode gives for x what differences give, or refuses; whether one gives it."""
    expected = differences(lambda x: f(given, x), X)
    return any([told(lambda: made(given, X), expected) for like in (None, (given, X))
                for made in (lambda *a: tnb.grad(f, "x", like=like)(*a),
                             lambda *a: tnb.grad(f, "x", optimized=False, like=like)(*a))]
               + [told(lambda: tnb.jvp(f, "x", like=like)(given, X, TURN), expected @ TURN)
                  for like in (None, (given, X))])


def by_object(f: Any, make: Callable[[Any, Any], Any], parts: Callable[[Any], Any]) -> bool:
    """The same for an object, of what it holds."""
    expected = [differences(lambda a: f(make(a, V), X), W), differences(lambda b: f(make(W, b), X), V)]
    return any([told(lambda: made(make(W, V), X), expected, parts) for like in (None, (make(W, V), X))
                for made in (lambda *a: tnb.grad(f, "o", like=like)(*a),
                             lambda *a: tnb.grad(f, "o", optimized=False, like=like)(*a))]
               + [told(lambda: tnb.jvp(f, "o", like=like)(make(W, V), X, make(TURN, TURN)),
                       np.sum(expected @ TURN)) for like in (None, (make(W, V), X))])


def written(value: str) -> dict[str, Any]:
    return sourced(f"{CLASSES}\ndef f(o, x):\n    return {value}\n")


@pytest.mark.parametrize("cls", ["Base", "Below", "Over"])
@pytest.mark.parametrize("value", [
    "o.plain(x)", "o.given(x)", "o.counted(x)", "o.static(x)", "o.of_class(x)", "o.k * np.sum(x)", "o.act(o(W, W), x)",
    "Base.act(o(W, W), x)", "sum([one.plain(x) for one in [o, Base]])", "o.given(1.0, x)"])
def test_class(cls: str, value: str) -> None:
    """A class that is given: what is found in it is not given the class, unless Python does so."""
    space = written(value)
    assert by_x(space["f"], space[cls]) or "counted" in value or "act" in value


def held(o: Any) -> list[Any]:
    """What a gradient holds, whatever its class puts before that."""
    found = [base for base in type(o).__mro__ if base.__name__ == "Slots"]
    if not found:
        return [vars(o)["a"], vars(o)["b"]]
    return [found[0].a.__get__(o), o._Private__c if type(o).__name__ == "Private" else found[0].b.__get__(o)]


@pytest.mark.parametrize("cls", ["Base", "Below", "Over", "Swapping", "Binding", "Hidden", "Setting", "Slots",
                                 "Private", "SlotsHidden", "SlotsConstant", "OtherDict", "Made"])
@pytest.mark.parametrize("value", ["o.act(x)", "np.sum(o.a * x)", "np.sum(o.b * x)", "np.sum(o.a * o.b * x)",
                                   "type(o).act(o, x)", "sum([one.act(x) for one in [o, o]])"])
def test_object(cls: str, value: str) -> None:
    """Objects that are given, and what they hold."""
    space = written(value)
    if cls != "OtherDict":
        by_object(space["f"], space[cls], held)
    assert by_x(space["f"], space[cls](W, V)) or cls in ("Swapping", "Private") or "type" in value or "for" in value


DICTS = {
    "__getitem__": "def __getitem__(self, k): return super().__getitem__(k) * 2.0",
    "__missing__": "def __missing__(self, k): return self['a'] * 3.0", "keys": "def keys(self): return ['a']",
    "__iter__": "def __iter__(self): return iter(['a', 'a'])", "copy": "def copy(self): return self",
    "values": "def values(self): return [v * 2.0 for v in super().values()]",
    "get": "def get(self, k): return self[k] * 2.0", "__len__": "def __len__(self): return 7",
    "__contains__": "def __contains__(self, k): return False", "__or__": "def __or__(self, o): return {'a': self['b']}",
    "__getattribute__": "def __getattribute__(self, n): return lambda *a: [np.ones(2)]",
}


@pytest.mark.parametrize("base", ["dict", "OrderedDict", "defaultdict"])
@pytest.mark.parametrize("name", DICTS)
def test_dict(name: str, base: str) -> None:
    """Classes of dicts that are read in their own way have no gradient: what is read is not what they hold."""
    space = sourced(f"import numpy as np\nfrom collections import OrderedDict, defaultdict\nclass Own({base}):\n"
                    f"    {DICTS[name]}\n"
                    "def f(d, x):\n    return np.sum(d['a'] * x) + sum([np.sum(d[k] * x) for k in d])\n"
                    "def g(d, x):\n    return np.sum((d | {'z': x})['z'])\n")
    made = space["Own"]()
    made["a"], made["b"] = W, V
    for f in (space["f"], space["g"]):
        for like in (None, (made, X)):
            with pytest.raises(TangentError):
                tnb.grad(f, "d", like=like)(made, X)
            with pytest.raises(TangentError):
                tnb.jvp(f, "d", like=like)(made, X, made)


def test_dict_with_attributes_alone() -> None:
    """A class of dicts that adds methods and attributes is read as a dict is."""
    space = sourced("import numpy as np\nclass Own(dict):\n    def __getattr__(self, name): return self[name]\n"
                    "    def total(self): return 1.0\ndef f(d, x):\n    return np.sum(d['a'] * x ** 2)\n")
    found = tnb.grad(space["f"])(space["Own"](a=W, b=V), X)
    np.testing.assert_allclose(found["a"], X ** 2)
    np.testing.assert_allclose(found["b"], 0.0 * V)


TUPLES = {
    "plain": "c = 3.0", "property": "a = property(lambda self: self[0] * 2.0)", "constant": "a = W",
    "__getattr__": "def __getattr__(self, n): return self[0] * 2.0",
    "__getattribute__": "def __getattribute__(self, n): return tuple.__getattribute__(self, 'b' if n == 'a' else n)",
    "_replace": "def _replace(self, **k): return self", "_fields": "_fields = ('b', 'a')",
    "_make": "_make = classmethod(lambda cls, items: tuple.__new__(cls, [2.0 * v for v in items]))",
}


@pytest.mark.parametrize("name", TUPLES)
@pytest.mark.parametrize("value", ["np.sum(o.a * x)", "np.sum(o[0] * x)", "np.sum(o._replace(b=x).b * o.a)",
                                   "np.sum(getattr(o, 'a') * x)"])
def test_named_tuple(name: str, value: str) -> None:
    """Named tuples whose attributes are not their items, or that are made in another way."""
    space = sourced(f"{CLASSES}\nclass Own(namedtuple('Own', 'a b')):\n    {TUPLES[name]}\n"
                    f"def f(o, x):\n    return {value}\n")
    made = space["Own"]
    by_x(space["f"], made(W, V))
    assert by_object(space["f"], made, list) == (name in ("plain", "__getattr__")) or "getattr(" in value


@pytest.mark.parametrize("operator", ["//", "|", "%", "<", "=="])
def test_operator(operator: str) -> None:
    """An object that meets what is differentiated in an operator of its own, also in one that has no derivative of
    numbers: x // o is no constant where the class of o says what it is."""
    space = sourced("import numpy as np\nclass Own:\n    def __init__(self, w): self.w = w\n"
                    "    def __floordiv__(self, o): return np.sum(self.w * o ** 2)\n"
                    "    __or__ = __mod__ = __lt__ = __eq__ = __floordiv__\n"
                    f"def f(o, x):\n    return (o {operator} x) * 1.0\n")
    for wrt in ("x", "o"):
        with pytest.raises(TangentError):
            tnb.grad(space["f"], wrt)(space["Own"](W), X)
        with pytest.raises(TangentError):
            tnb.jvp(space["f"], wrt)(space["Own"](W), X, X if wrt == "x" else space["Own"](W))


@pytest.mark.parametrize("body", ["d = defaultdict(of_five)\n    d['a'] = x\n    return np.sum(d['a'] * d['q'])",
                                  "d = defaultdict(of_five)\n    d['a'] += x\n    return np.sum(d['a'] * x) + d['b']"])
def test_what_a_defaultdict_makes_has_no_derivative(body: str) -> None:
    space = sourced("import numpy as np\nfrom collections import defaultdict\ndef of_five(): return 5.0\n"
                    f"def f(x):\n    {body}\n")
    expected = differences(space["f"], X)
    np.testing.assert_allclose(tnb.grad(space["f"])(X), expected, rtol=1e-6)
    np.testing.assert_allclose(tnb.jvp(space["f"])(X, TURN), expected @ TURN, rtol=1e-6)


def test_the_tangent_of_a_defaultdict_that_is_given() -> None:
    space = sourced("import numpy as np\nfrom collections import defaultdict\ndef of_five(): return 5.0\n"
                    "def f(d, x):\n    return np.sum(d['q'] * x) + np.sum(d['a'])\n")
    given = [space["defaultdict"](space["of_five"], a=value) for value in (X, TURN)]
    np.testing.assert_allclose(tnb.jvp(space["f"])(given[0], X, given[1]), np.sum(TURN))


@pytest.mark.parametrize("held", ["[o]", "{'o': o}", "(o, 1.0)"])
def test_what_is_made_in_its_own_way_is_no_constant(held: str) -> None:
    """An object that holds numbers, and is not taken apart, is refused wherever what is differentiated holds it."""
    space = sourced(f"{CLASSES}\ndef hold(o):\n    return {held}\n"
                    "def f(p, x):\n    return sum([one.act(x) for one in (p.values() if isinstance(p, dict) else p)\n"
                    "                if isinstance(one, Base)])\n")
    with pytest.raises(TangentError, match="since its class has a __new__ of its own"):
        tnb.grad(space["f"])(space["hold"](space["Made"](W, V)), X)


@pytest.mark.parametrize("super_", ["super()", "super(Twice, self)"])
def test_super_of_an_example(super_: str) -> None:
    """What super() finds is known where the class of the object is; else that is the reason."""
    space = sourced(f"{CLASSES}\nclass Twice(Base):\n    def act(self, x):\n        return {super_}.act(x) * 2.0\n\n"
                    "class Thrice(Twice):\n    def act(self, x):\n        return super().act(x) * 1.5\n"
                    "def f(o, x):\n    return o.act(x)\n"
                    "def of_some(o, x):\n    return o[int(x.size > 99)].act(x)\n")
    for cls in (space["Twice"], space["Thrice"]):
        given = cls(W, V)
        expected = differences(lambda x: space["f"](given, x), X)
        np.testing.assert_allclose(tnb.grad(space["f"], "x", like=(given, X))(given, X), expected, rtol=1e-6)
        np.testing.assert_allclose(tnb.grad(space["f"], "x")(given, X), expected, rtol=1e-6)
        if super_ == "super()":
            np.testing.assert_allclose(tnb.grad(space["of_some"], "x")({0: given}, X), expected, rtol=1e-6)
            continue
        with pytest.raises(TangentError, match="looks in the classes above that of the object"):
            tnb.grad(space["of_some"], "x")({0: given}, X)


@pytest.mark.parametrize("value", ["o.act(*[x])", "o.act(*(x,))", "o.act(*[*(x,)])"])
def test_stars_before_what_is_written_down(value: str) -> None:
    """A method that is known only when it is called takes the items of a display as it takes arguments."""
    space = written(value)
    assert by_x(space["f"], space["Base"](W, V)) and by_object(space["f"], space["Base"], held)
