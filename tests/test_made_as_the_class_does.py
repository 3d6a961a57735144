"""Objects that are made like other ones, by `dataclasses.replace` and `_replace`: as the class makes them. Properties
that are computed once."""
from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from oracles import sourced

import tangent_nb as tnb
from tangent_nb.errors import ArgumentError, TangentError

SETUP = """
import dataclasses, typing
from functools import cached_property
import numpy as np

@dataclasses.dataclass
class Derived:
    x: object
    z: float = 1.5
    y: object = dataclasses.field(init=False)
    def __post_init__(self):
        self.y = self.x ** 2 * self.z

@dataclasses.dataclass
class Own:
    x: object
    k: float = 1.0
    def __init__(self, x, k=1.0):
        self.x, self.k = x * 2, k

class Money(typing.NamedTuple):
    amount: object
    rate: float = 0.05
    def grown(self, n):
        return self._replace(amount=self.amount * (1 + self.rate) ** n)

@dataclasses.dataclass
class Cached:
    x: object
    k: float = 2.0
    @cached_property
    def s(self):
        return np.sum(self.x ** 2) * self.k
    @cached_property
    def t(self):
        return self.s * self.k + np.sum(self.x)

class Counted:
    def __init__(self, x):
        self.x, self.n = x, 0
    @cached_property
    def s(self):
        self.n += 1
        return np.sum(self.x ** 2)

class Doubled(typing.NamedTuple("Doubled", [("a", object), ("b", float)])):
    def __new__(cls, a, b=1.0):
        return super().__new__(cls, a * 2, b)

@dataclasses.dataclass(frozen=True)
class Frozen:
    x: object
    @cached_property
    def s(self):
        return np.sum(self.x ** 2)

@dataclasses.dataclass
class Scaled:
    x: object
    k: dataclasses.InitVar[float] = 1.0
    z: float = 2.0
    def __post_init__(self, k=1.0):
        self.x = self.x * k

@dataclasses.dataclass
class Below(Scaled):
    w: dataclasses.InitVar[float] = dataclasses.field(default=3.0, kw_only=True)
    def __post_init__(self, *given):
        super().__post_init__(given[0])
        self.z = self.z * given[1]

@dataclasses.dataclass
class Kept:
    x: object
    k: dataclasses.InitVar[float] = 2.0
    def __post_init__(self, k):
        self.k, self.x = k, self.x * k

@dataclasses.dataclass
class Unkept:
    x: object
    k: dataclasses.InitVar[float] = 2.0
    z: object = 3.0

@dataclasses.dataclass
class Static:
    x: object
    @staticmethod
    def __post_init__(): LOG.append(1)

LOG = []
OPTIONS = {"k": 1.5}

def f(x):
"""
RIGHT = [
    "p = Derived(x); q = dataclasses.replace(p, x=x * 3); return np.sum(q.y * p.y)",
    "p = Derived(x); p.y = x; q = dataclasses.replace(p, z=2.0); return np.sum(q.y * p.y)",
    "o = Own(x); p = dataclasses.replace(o, k=3.0); return np.sum(p.x ** 2) * p.k",
    "m = Money(x).grown(3); a, r = m; return np.sum(a * a) * r",
    "m = Money(x)._replace(rate=np.sum(x)); m = m._replace(rate=m.rate + 1.0); return np.sum(m.amount) * m.rate",
    "c = Cached(x); a = c.s; d = dataclasses.replace(c, x=x * 2); return a * d.s",
    "c = Cached(x); a = c.s; c.x = x * 2; return a * c.s + np.sum(c.x)",
    "c = Cached(x); a = c.t; c.x = c.x * 2; return a * c.t * c.s",
    "c = Cached(x); c.s = np.sum(x); return c.t",
    "c = Counted(x); return c.s * c.s + np.sum(c.x) * c.n",
    "d = Frozen(x); return d.s * d.s",
    "y = 0.0\nfor i in range(3):\n    c = Cached(x * i); y = y + c.t * c.s\nreturn y",
    "p = Scaled(x, 3.0); q = Scaled(x); r = Scaled(k=x[0], x=x); return np.sum(p.x * q.x * r.x) * q.z",
    "p = Scaled(*(x, x[1]), z=x[2]); q = Scaled(x, **OPTIONS); return np.sum(p.x * q.x) * p.z",
    "p = Below(x, 3.0, w=x[0]); q = Below(x, x[2], 5.0); return np.sum(p.x * q.x) * p.z * q.z",
    "ps = [Scaled(x, k) for k in (1.0, x[0])]; return sum(np.sum(p.x ** 2) for p in ps)",
    "ps = [kind(x, 3.0) for kind in (Scaled, Kept)]; return sum(np.sum(p.x ** 2) for p in ps)",
    "p = Scaled(x, 3.0); q = dataclasses.replace(p, z=4.0); return np.sum(p.x * q.x) * q.z * q.k",
    "p = Kept(x, x[0]); q = dataclasses.replace(p, x=x * 2); return np.sum(p.x * q.x) * q.k",
    "p = Unkept(x, x[0]); q = Unkept(x, 1.0, x); return np.sum(p.x * q.z) * p.z * p.k",
    "ps = [Unkept(x, x[0]), Unkept(x, 1.0, x)]; return sum(np.sum(p.x * p.z) for p in ps)",
]
NOT_WRONG = [
    "n = len(LOG); p = Static(x); return np.sum(p.x ** 2) * (1 + len(LOG) - n)",
    "n = Doubled(x); return np.sum(n.a) * n.b",
    "n = Doubled(x)._replace(b=3.0); return np.sum(n.a ** 2) * n.b",
    "c = Cached(x)\nif x[0] > 0:\n    a = c.s\nelse:\n    a = 1.0\nc.x = x * 3\nreturn a * c.s",
    "c = Cached(x); y = 0.0\nfor i in range(3):\n    y = y + c.t; c.x = c.x * 2\nreturn y",
]
X = np.array([0.3, 0.8, 1.2])


@pytest.mark.parametrize("body", RIGHT + NOT_WRONG)
@pytest.mark.parametrize("mode", ["grad", "raw", "jvp"])
def test_it_is_right_or_refused(body: str, mode: str) -> None:
    lines = [part for line in body.splitlines() for part in ([line] if line[0] == " " else line.split("; "))]
    f = sourced(SETUP + "\n".join(f"    {line}" for line in lines), {"__name__": "made"}, f"<made {body} {mode}>")["f"]
    slopes = np.array([(f(X + 1e-6 * e) - f(X - 1e-6 * e)) / 2e-6 for e in np.eye(3)])
    try:
        found = tnb.grad(f)(X) if mode == "grad" else tnb.grad(f, optimized=False)(X) if mode == "raw" \
            else np.array([tnb.jvp(f)(X, dx=e) for e in np.eye(3)])
    except TangentError:
        assert body in NOT_WRONG
        return
    assert found == pytest.approx(slopes, rel=1e-6)


def test_an_argument_whose_class_computes_is_not_copied() -> None:
    space: Any = sourced(SETUP.replace("def f(x):", "def f(p, x):") + "    q = dataclasses.replace(p, k=np.sum(x))\n"
                         "    return np.sum(q.x ** 2) * q.k\n", {"__name__": "made"}, "<an argument that computes>")
    with pytest.raises(ArgumentError, match="an Own runs code when it is made, __init__, which is not differentiated"):
        tnb.grad(space["f"], "x")(space["Own"](X), X)
