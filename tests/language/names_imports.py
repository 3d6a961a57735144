"""Imports in every form; functions of one name from several modules."""
from __future__ import annotations

from typing import Any

import numpy as np
from corpus import M33, V3, V4, A, B, C, add, section
from oracles import sourced

section("names_imports")


def cell(text: str, *arguments: Any, names: dict[str, Any] | None = None, **details: Any) -> None:
    """An entry whose function is the last definition of a cell that imports by itself."""
    scope = sourced(text, {"__name__": "cell", **(names or {})})
    add(scope[("\n" + text).split("\ndef ")[-1].split("(")[0]], *arguments, **details)


cell("""\
import numpy

def import_numpy(x):
    return numpy.sum(numpy.sin(x) * x)
""", V3)

cell("""\
import numpy as N

def import_as(x):
    return N.tanh(x).sum() * N.mean(x)
""", V3)

cell("""\
from numpy import sin, cos

def import_from(x):
    return sin(x) * cos(2.0 * x)
""", A)

cell("""\
from numpy import sin as s, exp as cos

def import_from_as(x):
    return s(x) * cos(x)
""", A)

cell("""\
from numpy import *

def import_star(x):
    y = sum(exp(x) * x)
    return y * max(x) + abs(x[0]) * pi
""", V3)

cell("""\
from math import *

def import_star_of_math(x, y):
    return sin(x) * hypot(x, y) + log(y) * e
""", A, C)

cell("""\
import math as m, numpy as n

def import_two(x):
    return m.sqrt(x) * n.sqrt(x + m.pi)
""", A)

cell("""\
import numpy.linalg

def import_submodule(a, v):
    return numpy.sum(numpy.linalg.solve(a, v) * v)
""", M33, V3, holomorphic=False)

cell("""\
import numpy.linalg as la
from numpy.linalg import inv

def import_submodule_as(a, v):
    return la.det(a) * v @ inv(a) @ v
""", M33, V3)

cell("""\
from numpy import linalg

def import_module_from(a):
    return linalg.norm(a) * linalg.det(a)
""", M33, holomorphic=False)

cell("""\
def import_inside(x):
    import numpy as np
    return np.sum(np.exp(x) * x)
""", V3)

cell("""\
def import_from_inside(x):
    from math import sin
    from math import cos as c
    return sin(x) * c(x) * x
""", A, holomorphic=False)

cell("""\
import numpy as np

def import_in_a_branch(x, fast):
    if fast:
        from math import exp
    else:
        exp = np.exp
    return exp(x) * x
""", A, True, holomorphic=False)

cell("""\
import math

def import_hides_a_global(x):
    import numpy as math
    return math.sum(math.sin(x) * x)
""", V3)

cell("""\
import numpy as np

def helper(x):
    import math
    return math.sin(x)

def import_in_a_helper(x):
    return helper(x) * np.cos(helper(x * x))
""", A, holomorphic=False)

cell("""\
import numpy as np

def numpy_as_an_attribute(x):
    import operator
    tools = {"np": np}
    return tools["np"].sin(x) * operator.attrgetter("cos")(np)(x)
""", A)

cell("""\
import numpy

def numpy_given_as_a_default(x, xp=numpy):
    return xp.sum(xp.log1p(x * x) * x)
""", V3, wrt=(0,), holomorphic=False)

SQUARE = sourced("def act(x):\n    return x * x\n")["act"]
CUBE = sourced("def act(x):\n    return x * x * x + 1.0\n")["act"]

cell("""\
def one_name_from_two_modules(x):
    return square(x) * cube(x) + square(cube(x))
""", A, names={"square": SQUARE, "cube": CUBE})

cell("""\
def act(x):
    return x + 0.5

def own_name_beside_an_imported_one(x):
    return act(x) * other(x)
""", A, names={"other": CUBE})


def module_of(text: str) -> Any:
    """The functions of a text as attributes, as a module has them."""
    from types import ModuleType
    module = ModuleType("tools")
    module.__dict__["np"] = np
    sourced(text, module.__dict__)
    return module


TOOLS = module_of("""\
rate = 0.3

def decay(x, steps=2):
    for _ in range(steps):
        x = x - rate * np.sin(x)
    return x

class Filter:
    def __init__(self, a):
        self.a = a

    def __call__(self, x):
        return self.a * x + rate
""")

cell("""\
rate = 100.0

def function_of_a_module(x):
    return tools.decay(x) * tools.decay(x * x, steps=3) * tools.rate
""", A, names={"tools": TOOLS})

cell("""\
def class_of_a_module(x, a):
    f = tools.Filter(a)
    return f(f(x)) * x
""", A, B, names={"tools": TOOLS})

cell("""\
rate = 100.0

def globals_of_a_helper(x):
    return decay(x) + 0.001 * rate * x
""", A, names={"decay": TOOLS.decay})

cell("""\
import numpy as np

def make(np_like):
    def inner(x):
        return np_like.sum(np_like.sin(x) * x)
    return inner

def module_in_a_cell(x):
    return make(np)(x) * np.sum(x)
""", V4)

cell("""\
import numpy as np

sin = lambda x: x * 2.0
exp = np.sin

def misleading_names(x):
    return sin(x) * exp(x) * np.exp(x)
""", A, holomorphic=False)

cell("""\
class np:
    @staticmethod
    def sin(x):
        return x * x

def np_is_a_class(x):
    return np.sin(x) * x
""", A)

cell("""\
try:
    from numpy import missing_function as grow
except ImportError:
    def grow(x):
        return x ** 3

def import_with_a_fallback(x):
    return grow(x) * x
""", A)

cell("""\
import functools, itertools as it, numpy as np

def import_of_the_library(x):
    return functools.reduce(lambda a, b: a * b, it.accumulate(x)) * np.e
""", V3)

cell("""\
from numpy import float64, array, pi as π

def types_by_name(x):
    y = array([x, float64(2.0), π * x], dtype=float64)
    return (y * y).sum()
""", A)

cell("""\
import numpy as np
from numpy import random

def random_from_a_seed(x):
    noise = random.default_rng(3).normal(size=3)
    return np.sum((x + noise) ** 2 * noise)
""", V3)
