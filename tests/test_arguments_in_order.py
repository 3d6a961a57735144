"""Arguments that do more than compute, or raise, where a text binds them in another order than Python evaluates them:
by keywords, by stars, of generators that go over them later. And what unpacking, `reduce` and `a[i] += v` raise."""
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

HEAD = '''
import dataclasses, functools, itertools, math
from collections import namedtuple
import numpy as np

@dataclasses.dataclass
class D:
    a: float
    b: float = 0.0

class K:
    def __init__(self, a, *rest, k):
        self.v = k * a + 0.5 * rest[0]
    def m(self, a, *rest, k):
        return k * a + 0.5 * rest[0]

N = namedtuple("N", "a b")

def made(x): return D(b=math.log(-x), a={}['k']).a
def stars(a, *rest, k): return k * a + 0.5 * rest[0]
def both(a, *b, p=0.0, **k): return a * p - k["q"] * 2
def named(a, **k): return a * 2 + sum(k.values())

def log(f):
    @functools.wraps(f)
    def w(*args, **kwargs): return f(*args, **kwargs)
    return w

@log
def h(a, b): return a * b

class Ticks:
    def __init__(self): self.n = 0.0
    def tick(self):
        self.n += 1
        return self.n

'''
RIGHT = {
    "dataclass": "p = D(b=r.normal(), a=r.normal()); return p.a * x",
    "namedtuple": "p = N(b=r.normal(), a=r.normal()); return p.a * x",
    "dict of keywords": "p = D(**{'b': r.normal(), 'a': r.normal() * x}); return p.a * x",
    "replace": "p = dataclasses.replace(D(1.0, 2.0), b=r.normal(), a=r.normal() * x); return p.a * x + p.b",
    "_replace": "p = N(1.0, 2.0)._replace(b=r.normal(), a=r.normal() * x); return p.a * x + p.b",
    "star": "return stars(x, r.normal(), k=r.normal())",
    "star of a class": "return K(x, r.normal(), k=r.normal()).v",
    "star of a method": "o = K(1.0, 1.0, k=2.0); return o.m(x, r.normal(), k=r.normal())",
    "star of a lambda": "return (lambda a, *q, k: k * a + 0.5 * q[0])(x, r.normal(), k=r.normal())",
    "star written out": "return stars(*[x, r.normal()], k=r.normal())",
    "two stars": "return both(x, q=r.normal(), p=r.normal())",
    "two stars, first": "return named(z=r.normal() * x, a=r.normal() * x)",
    "start of sum": "return sum((v * r.normal() for v in [x]), r.normal())",
    "start by name": "return sum((v * r.normal() for v in [x, x]), start=r.normal() * x)",
    "default of max": "return max((v * r.normal() for v in [x, x]), default=r.normal())",
    "start, draws in tests": "return sum((v for v in [x, 2 * x, 3 * x] if r.normal() > 0.2), r.normal() * x)",
    "default, draws in tests": "return max((v for v in [x, 2 * x, 3 * x] if r.normal() > 0.2), "
                               "default=r.normal())",
    "product, draws in tests": "return sum(a * b for a, b in itertools.product("
                               "(v for v in [x, 1.0] if r.normal() > -9), (r.normal(), r.normal())))",
    "a tuple among them": "return D((r.normal() * x, 1.0), b=r.normal()).a[0]",
    "the first error, in a function": "try: return made(x)\n    except KeyError: return x\n"
                                      "    except ValueError: return 5 * x",
    "too few, of stars": "xs = []\n    try: a, *b, c = [*xs, x]\n    except ValueError: return x\n    return a * c",
    "product": "return sum(a * b for a, b in itertools.product((v * r.normal() for v in [x, 1.0]), "
               "(r.normal(), r.normal())))",
    "the first error": "try: return D(b=math.log(-x), a={}['k']).a\n    except KeyError: return x\n"
                       "    except ValueError: return 5 * x",
    "the first error of a star": "try: return stars(x, {}['k'], k=[][0])\n    except KeyError: return x\n"
                                 "    except IndexError: return 5 * x",
    "a drawn term": "b = 2.0\n    b += r.normal() * 3\n    return x * b",
    "drawn terms in a loop": "b = 1.0\n    for i in range(3):\n        b -= r.normal() * 2\n    return x * b",
    "several, one of which raises": "a = 2.0\n    try: a, b = x, 1 / (x - x)\n    except ZeroDivisionError: pass\n"
                                    "    return a * x",
    "several, an attribute that is missing": "a = 2.0\n    try: a, b = x, r.nope\n    except AttributeError: pass\n"
                                             "    return a * x",
    "several, another operator": "a = 2.0\n    try: a, b = x, x @ x\n    except Exception: pass\n    return a * x",
    "several, twice": "a, b = 2.0, 1.0\n    try:\n        a, b = b * x, a\n        a, b = a * x, 1 / (x - x)\n"
                      "    except ZeroDivisionError: pass\n    return a * b * x",
    "too few to unpack": "try: a, *b, c = [x]\n    except ValueError: return x\n    return a * c",
    "too few, star at the end": "try: a, b, *c = [x]\n    except ValueError: return x\n    return 3 * x",
    "too few of an array": "try: *a, b, c = np.array([x])\n    except ValueError: return 7 * x\n    return b * c",
    "nothing to reduce": "try: return functools.reduce(lambda p, q: p * q, [x][:0])\n    except TypeError: return x\n"
                         "    except IndexError: return 5 * x",
    "no such item": "y = np.zeros(2)\n    try: y[9] += math.sqrt(-x)\n    except IndexError: return x\n"
                    "    except ValueError: return 5 * x\n    return x * x",
    "subtract.at of a list": "y = np.array([x, x]); np.subtract.at(y, [0, 1], [1.0, 2.0]); return np.sum(y ** 2)",
    "subtract.at of a tuple": "y = np.array([x, x]); np.subtract.at(y, [0, 1], (x, 2.0)); return np.sum(y ** 2)",
    "a wrapper with stars": "t = Ticks(); k = t.tick(); return h(k * x, x)",
    "a wrapper after pop": "items = [1.0]; items.append(2.0); return h(items.pop() * x, x)",
    "an empty chain": "c = itertools.chain(); return sum(c) + x",
    "a list times an array": "y = np.array([x, x * x]); "
                              "return np.sum(y ** 2 * [1, 2]) + np.sum((2.0, 3.0) * np.sin(y))",
    "a helper that changes a temporary": "def cut(e):\n        e[e < 0.1] = 0.0\n        return e * 2\n"
                                         "    return np.sum(cut(np.array([x, 2 * x]) * 1.0)) "
                                         "+ np.sum(cut(e=np.sin([x])))",
}
ONE_BY_ONE = {
    "zip": "return sum(a * b for a, b in zip((v * r.normal() for v in [x, x]), (r.normal() for _ in range(2))))",
    "zip, draws in a test": "return sum(a * b for a, b in zip((v for v in [x, x] if r.normal() > -9), "
                            "(r.normal() for _ in range(2))))",
    "accumulate, draws in a test": "return sum(itertools.accumulate((v for v in [x, 2 * x] if r.normal() > -2), "
                                   "lambda a, b: a * r.normal() + b))",
    "key of max, draws in a test": "return max((v for v in [x, 2 * x] if r.normal() > 0), "
                                   "key=lambda v: v * r.normal())",
    "zip that ends early": "return sum(a * b for a, b in zip((v * r.normal() for v in [x] * 4), [1.0, 2.0]))",
    "zip of maps": "return sum(a * b for a, b in zip(map(lambda v: v * r.normal(), [x, x]), "
                   "map(lambda v: v + r.normal(), [x, x])))",
    "accumulate": "return sum(itertools.accumulate((v * r.normal() for v in [x, 1.0, 2.0]), "
                  "lambda a, b: a * r.normal() + b))",
    "key of max": "return max((v * r.normal() for v in [x, x]), key=lambda v: v * r.normal())",
}


def program(body: str, name: str) -> Any:
    return sourced(f"{HEAD}def f(x):\n    r = np.random.default_rng(0)\n    {body}\n", {"__name__": "order"},
                   f"<in order {name}>")["f"]


@pytest.mark.parametrize("name", RIGHT)
@pytest.mark.parametrize("optimized", [True, False])
def test_in_pythons_order(name: str, optimized: bool) -> None:
    f = program(RIGHT[name], name)
    x = 0.7
    want = (f(x + 1e-6) - f(x - 1e-6)) / 2e-6
    assert tnb.value_and_grad(f, optimized=optimized)(x) == pytest.approx((f(x), want), rel=1e-5, abs=1e-7)
    assert tnb.jvp(f, optimized=optimized)(x, dx=1.0) == pytest.approx(want, rel=1e-5, abs=1e-7)


@pytest.mark.parametrize("name", ONE_BY_ONE)
def test_what_is_computed_in_turn_is_refused(name: str) -> None:
    with pytest.raises(TangentError, match="one by one"):
        tnb.grad(program(ONE_BY_ONE[name], name))


def test_a_list_times_a_number_is_refused() -> None:
    f = program("c = [1.0, 2.0]; return np.sum(c * x)", "a list times a number")
    with pytest.raises(TangentError, match="is a list times a float, and not times an array"):
        tnb.grad(f)(0.5)


def test_a_text_for_arguments_where_np_means_something_else() -> None:
    """The guard of example arguments asks for NumPy's arrays, by whatever name."""
    f = sourced("import numpy\nnp = 0.5\ndef f(x):\n    return numpy.sum(x * x) * np\n", {"__name__": "names"},
                "<np of its own>")["f"]
    x = np.array([1.0, 2.0])
    assert tnb.grad(f, like=(x,))(x).tolist() == [1.0, 2.0]
