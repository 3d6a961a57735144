"""Functions that seem to do nothing to a derivative: what they change, and what they give, through constructors,
stars, texts and keys.

Each program is judged in both modes, with the passes and without them, against differences.
A refusal is as good as the right number.
"""
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

pytestmark = pytest.mark.sampled(6)

SETUP = """\
import dataclasses, json
import numpy as np
LOG = []
class Base:
    def __init__(self, a):
        self.a = a
"""
CHANGING = {                                               # g(y, w) may change y or LOG; f reads both behind it
    "init": "class C:\n    def __init__(self, a): a[0] = 5.0\ndef g(y, w): return C(y)",
    "init_of_a_base":
        "class B:\n    def __init__(self, a): a[0] = 5.0\nclass C(B):\n    def __init__(self, a): super().__init__(a)\n"
        "def g(y, w): return C(y)",
    "new": ("class C:\n    def __new__(cls, a):\n        LOG.append(a[0])\n        return object.__new__(cls)\n"
            "def g(y, w): return C(y)"),
    "setattr": ("class C:\n    def __init__(self, a): self.a = a\n    def __setattr__(self, name, v): v[0] = 5.0\n"
                "def g(y, w): return C(y)"),
    "setter":
        "class C:\n    def __init__(self, a): self.a = a\n    @property\n    def a(self): return 1.0\n    @a.setter\n"
        "    def a(self, v): v[0] = 5.0\ndef g(y, w): return C(y)",
    "descriptor":
        "class D:\n    def __set__(self, obj, v): v[0] = 5.0\n"
        "class C:\n    a = D()\n    def __init__(self, a): self.a = a\n"
        "def g(y, w): return C(y)",
    "metaclass": "class M(type):\n    def __call__(cls, a):\n        a[0] = 5.0\n        return type.__call__(cls, a)\n"
                 "class C(Base, metaclass=M): pass\ndef g(y, w): return C(y)",
    "post_init": ("@dataclasses.dataclass\nclass C:\n    a: object\n    def __post_init__(self): self.a[0] = 5.0\n"
                  "def g(y, w): return C(y)"),
    "factory": "def made():\n    LOG.append(3.0)\n    return []\n@dataclasses.dataclass\nclass C:\n    a: object\n"
               "    b: list = dataclasses.field(default_factory=made)\ndef g(y, w): return C(y)",
    "method_of_the_new": ("class C:\n    def __init__(self, a): self.start(a)\n    def start(self, a): a[0] = 5.0\n"
                          "def g(y, w): return C(y)"),
    "overridden": "class B:\n    def __init__(self, a): self.start(a)\n    def start(self, a): pass\n"
                  "class C(B):\n    def start(self, a): a[0] = 5.0\ndef g(y, w): return C(y)",
    "init_called_again": ("class C(Base): pass\nkept = C(np.zeros(2))\ndef g(y, w):\n    kept.__init__(y)\n"
                          "    LOG.append(kept.a[0])"),
    "exception": "class E(Exception):\n    def __init__(self, a): a[0] = 5.0\n"
                 "def g(y, w):\n    try:\n        raise E(y)\n    except E:\n        return",
    "stars": "def h(*parts): parts[0][0] = 5.0\ndef g(y, w): h(y, w)",
    "named": "def h(**parts): parts['a'][0] = 5.0\ndef g(y, w): h(a=y)",
    "held_in_named": "def h(**parts):\n    parts['b'] = parts['a']\n    parts['b'][0] = 5.0\ndef g(y, w): h(a=y)",
    "in_a_list": "def g(y, w):\n    L = [y, w]\n    L[0][0] = 5.0",
    "added_in_a_list": "def g(y, w):\n    L = [y]\n    L[0] += 5.0",
    "item_of_a_list": "def g(y, w):\n    L = [y]\n    for one in L:\n        one[0] = 5.0",
    "popped": "def g(y, w):\n    L = [y]\n    L.pop()[0] = 5.0",
    "in_a_dict": "def g(y, w):\n    d = dict(a=y)\n    d['a'][0] = 5.0\n    return len(d)",
    "in_a_comprehension": "def g(y, w):\n    L = [one for one in (y, w)]\n    L[0][0] = 5.0",
    "grown": "def g(y, w):\n    L = LOG\n    L += [y[0]]",
    "lambda": "def g(y, w):\n    L = []\n    act = lambda L: L.fill(5.0)\n    act(y)",
    "counted": "def g(y, w):\n    y[0] = 5.0\n    return len(y)",
    "checked": ("def check(y):\n    if y.ndim != 1: raise ValueError\n    LOG.append(float(y[0]))\n"
                "def g(y, w): check(y)"),
}
UNSEEN = """\
class C:
    def __init__(self, a): self.a = a
    def change(self): self.a[0] = 5.0
    def __eq__(self, other): return self.mean()
    def __bool__(self): return self.mean()
    def __iter__(self): return iter([self.mean()])
    def __len__(self): return int(self.mean())
    def __str__(self): return str(self.mean())
    def __getitem__(self, i): return self.mean()
    def __add__(self, other): return self.mean()
    def __contains__(self, item): return self.mean()
    def __enter__(self): self.mean()
    def __exit__(self, *error): pass
    def mean(self):
        self.a[0] = 5.0
        return True
    @property
    def size(self): return self.mean()
"""
USED = {
    "equal": "n = {} == 2", "true": "n = 1.0 if {} else 2.0", "gone_over": "for v in {}: pass", "length": "n = len({})",
    "shown": "n = str({}) == ''", "item_of_it": "n = {}[0] > 3", "sum": "n = ({} + 1) > 3", "inside": "n = 3 in {}",
    "asserted": "assert {}",
    "property": "n = {}.size > 3", "entered": "with {}: pass", "named_as_of_arrays": "n = {}.mean()"}
CHANGING |= {name: f"{UNSEEN}def g(y, w):\n    c = C(y)\n    {text.format('c')}\n    return 1"
             for name, text in USED.items()}
CHANGING |= {f"{name}_at_once": f"{UNSEEN}def g(y, w):\n    {text.format('C(y)')}\n    return 1"
             for name, text in USED.items()}
GIVING = {                                                 # g(x) is a number that tells x
    "text": "def t(v): return str(v)\ndef g(x): return float(t(x))",
    "formatted": "def t(v): return f'{v:.17g}'\ndef g(x):\n    s = t(x)\n    return float(s)",
    "json": "def t(v): return json.dumps({'v': float(v)})\ndef g(x): return json.loads(t(x))['v']",
    "key": "def t(v): return {float(v): 1}\ndef g(x): return list(t(x))[0]",
    "set": "def t(v): return {float(v)}\ndef g(x): return list(t(x))[0]",
    "key_in_a_loop": "def t(v): return {float(v): 1}\ndef g(x):\n    for k in t(x):\n        return k",
    "stored_key": "def t(v):\n    d = {}\n    d[float(v)] = 1\n    return d\ndef g(x): return max(t(x))",
    "exception":
        "def t(v):\n    try:\n        raise ValueError(v)\n    except ValueError as e:\n        return e.args[0]\n"
        "def g(x): return t(x)",
    "by_its_name": "def t(v):\n    return locals()['v']\ndef g(x): return t(x)",
    "hexadecimal": "def t(v): return float(v).hex()\ndef g(x): return float.fromhex(t(x))",
    "ratio": "def t(v): return float(v).as_integer_ratio()\ndef g(x):\n    p, q = t(x)\n    return p / q",
    "unique": "def t(v): return np.unique(np.array([v, v]))\ndef g(x): return t(x)[0]",
    "nan_or_not": "def t(v): return v if v > 0.0 else None\ndef g(x): return t(x) or 1.0",
    "and": "def t(v): return v > 0.0 and v\ndef g(x): return t(x)",
    "walrus": "def t(v): return (u := v)\ndef g(x): return t(x)",
    "closure": "def t(v):\n    def inner(): return v\n    return inner()\ndef g(x): return t(x)",
    "unpacked": "def t(v):\n    n, u = 1, v\n    return u\ndef g(x): return t(x)",
    "object": "def t(v): return Base(v)\ndef g(x): return t(x).a",
    "attribute": "def t(v):\n    b = Base(1.0)\n    b.a = v\n    return b\ndef g(x): return t(x).a",
    "filled": "def t(v):\n    out = np.zeros(2)\n    out.fill(v)\n    return out\ndef g(x): return t(x)[0]",
    "written_to": ("def t(v):\n    out = np.zeros(2)\n    np.add(v, 0.0, out=out)\n    return out\n"
                   "def g(x): return t(x)[0]"),
    "grown": "def t(v):\n    out = []\n    out.append(v)\n    return out\ndef g(x): return t(x)[0]",
    "set_default": ("def t(v):\n    d = {}\n    d.setdefault('a', []).append(v)\n    return d\n"
                    "def g(x): return t(x)['a'][0]"),
    "iterator": "def t(v): return next(iter([v]))\ndef g(x): return t(x)",
    "count_beside": "def t(v): return 2, v\ndef g(x):\n    n, u = t(x)\n    return n * u",
    "recursion": "def t(v, n): return v if n == 0 else t(v, n - 1)\ndef g(x): return t(x, 3)",
}


def judged(f: Any, x: np.ndarray, reset: Any = lambda: None) -> None:
    """Each derivative is refused, or right."""
    slopes = []
    for step in 1e-6 * np.eye(len(x)):
        reset()
        above = f(x + step)
        reset()
        slopes.append((above - f(x - step)) / 2e-6)
    for way in ("grad", "raw", "jvp"):
        reset()
        try:
            got = tnb.jvp(f)(x.copy(), np.ones(len(x))) if way == "jvp" \
                else tnb.grad(f, optimized=way == "grad")(x.copy())
        except TangentError:
            continue
        np.testing.assert_allclose(got, np.sum(slopes) if way == "jvp" else slopes, rtol=1e-5, atol=1e-8, err_msg=way)


@pytest.mark.parametrize("name", CHANGING)
@pytest.mark.parametrize("held", ["g(y, w)", "r = g(y, w)", "n = 1.0 if g(y, w) is None else 2.0"])
@pytest.mark.parametrize("active", [True, False])
def test_what_changes_something(name: str, held: str, active: bool) -> None:
    y = "y = x * 2.0" if active else "y = np.array([3.0, 4.0])"
    space = sourced(f"{SETUP}{CHANGING[name]}\ndef f(x):\n    n = 1.0\n    w = np.ones(2)\n    {y}\n    {held}\n"
                    "    return n * np.sum(x * y) * w[0] * (1.0 + sum(LOG))\n")
    judged(space["f"], np.array([0.7, 1.3]), space["LOG"].clear)


@pytest.mark.parametrize("name", GIVING)
def test_what_tells_a_number(name: str) -> None:
    judged(sourced(f"{SETUP}{GIVING[name]}\ndef f(x):\n    return g(x[0]) * x[1]\n")["f"], np.array([0.7, 1.3]))


@pytest.mark.parametrize("later", ["def h(y):\n    y[0] = 5.0", "def h(y): return y[0]"])
def test_a_function_that_is_another_later_is_refused(later: str) -> None:
    space = sourced(f"{SETUP}def h(y): return None\ndef f(x):\n    y = x * 2.0\n    r = h(y)\n"
                    "    return np.sum(x * y) if r is None else r\n")
    df = tnb.grad(space["f"])
    np.testing.assert_allclose(df(np.array([0.7, 1.3])), [2.8, 5.2])
    exec(later, space)
    with pytest.raises(TangentError, match="defined anew"):
        df(np.array([0.7, 1.3]))


MADE_BY_ITS_CLASS = """
from dataclasses import dataclass

@dataclass
class Ellipsoid:
    a: float
    b: float
    models = {"one": 2.0}

    def __init__(self, a, b=None):
        assert a > 0
        self.a = a
        self.b = a if b is None else b

    @classmethod
    def named(cls, name):
        return cls(cls.models[name], 3.0)

def radius(lat, ell=None):
    if ell is None:
        ell = Ellipsoid.named("one")
    return ell.a * np.cos(lat) * ell.b

def f(x, lat, ell=None):
    return np.sum(x * radius(lat, ell))
"""


def test_a_dataclass_whose_class_method_makes_one() -> None:
    space = sourced(MADE_BY_ITS_CLASS)
    df, at = tnb.grad(space["f"]), np.ones(2)
    np.testing.assert_allclose(df(at, 0.3), np.full(2, 6.0 * np.cos(0.3)))
    np.testing.assert_allclose(df(at, 0.3, space["Ellipsoid"](1.0, 2.0)), np.full(2, 2.0 * np.cos(0.3)))
