"""Generators of the user: they stand in the place of the loops over them, item by item."""
from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
import yielding_cases
import yielding_programs
from oracles import sourced

import tangent_nb as tnb
from tangent_nb.errors import TangentError

pytestmark = pytest.mark.sampled(6)

TEXT = """
import itertools
import numpy as np

G = np.array([2.0])
LOG = []

def bump():
    G[0] = G[0] + 1.0

def reset():
    G[0] = 2.0

def two():
    bump()
    return 2.0

def fill(y):
    y[2] = 5.0

def squared(v):
    return v ** 2

def put(x, out):
    for i, v in enumerate(x):
        out[i] = v
        yield v

def taken(it, x):
    for i in it:
        yield x[i]

def endless(x):
    k = 1
    while k > 0:
        yield x * k
        k += 1

def times(n, dt):
    for i in range(n):
        yield dt * (1 + i)

class Stepping:
    def __init__(self):
        self.n = 1.0

    def step(self):
        self.n = self.n + 1.0
        return 2.0

    def sum(self):
        return self.step()

    def go(self, x):
        for v in x:
            yield v * self.step()

stepping = Stepping()

def stepped(x, q):
    for v in x:
        yield v * q.step()

def summed(x, q):
    for v in x:
        yield v * q.sum()

def stepped_outside(x):
    for v in x:
        yield v * stepping.step()

class Ticking:
    n = 0

    @property
    def tick(self):
        self.n += 1
        return 2.0

    def __getitem__(self, i):
        self.n += 1
        return 2.0

    def __enter__(self):
        self.n += 1

    def __exit__(self, *error):
        self.n += 1

ticking = Ticking()

def ticked(x):
    for v in x:
        yield v * ticking.tick

def items(x, q):
    for v in x:
        yield v * q[0]

def managed(x):
    for v in x:
        with ticking:
            yield v

def steps(x, n):
    for i in range(n):
        x = np.sin(x) + i
        yield x

def pairs(xs):
    prev = None
    for v in xs:
        if prev is not None:
            yield prev, v
        prev = v

def early(x):
    yield x
    if np.sum(x) > 0:
        return
    yield x * 2

def nested(x):
    yield from steps(x, 2)
    yield x * 3

def counter():
    n = 0
    while True:
        yield n
        n += 1

def window(x, k):
    for i in range(len(x) - k + 1):
        yield x[i:i + k]

def running(x):
    total = 0.0
    for v in x:
        total += v
        yield total

def scaled(x):
    for v in x:
        yield v * G[0]

def growing(x):
    y = x.copy()
    for i in range(3):
        y[0] = y[0] * 2
        yield y

def rows(x):
    row = []
    for v in x:
        row.append(v)
        yield row

def dicts(x):
    d = {"s": 0.0}
    for v in x:
        d["s"] = d["s"] + v
        yield d

def finished(x):
    try:
        for v in x:
            yield v * 2
    finally:
        pass

def powers(x, *, k=2.0, n=None):
    for v in x:
        yield v ** k
    if n is not None:
        yield n

def mixed(x):
    yield x[0]
    yield np.sum(x)
    yield 3

def chosen(x, flag):
    if flag:
        yield from (v * 2 for v in x)
    else:
        for v in x:
            yield v

def halved(a):
    while np.sum(a) > 0.1:
        yield a
        a = a * 0.5

def raises(x):
    yield x
    raise ValueError("late")

def logs(x):
    for v in x:
        LOG.append(1)
        yield v * len(LOG)

def stored(o, v):
    o.k = o.k + 1.0
    return v

class Cell:
    def __init__(self):
        self.k, self.n = 2.0, 0

    def up(self):
        self.k = self.k + 1.0

    def go(self, x):
        for v in x:
            yield v * self.k

    def count(self, x):
        for v in x:
            self.n += 1
            yield v * self.n

class Tree:
    def __init__(self, v, kids=()):
        self.v, self.kids = v, list(kids)

    def walk(self):
        yield self.v
        for k in self.kids:
            yield k.v * 2

    def scaled(self, s):
        for v in self.walk():
            yield v * s

cell, tree = Cell(), Tree(1.5, [Tree(2.0)])

def f(x):
"""
RIGHT = [
    'return sum(np.sum(v) for v in steps(x, 3))',
    '*_, last = steps(x, 4); return np.sum(last)',
    's = 0.0\nfor v in steps(x, 3):\n    s = s + np.sum(v ** 2)\nreturn s',
    'return np.sum(np.array(list(steps(x, 3))) * x)',
    'return sum(a * b for a, b in pairs(x))',
    'return sum(np.sum(v) for v in early(x))',
    'return np.sum(np.stack([v for v in nested(x)]))',
    'a, b = steps(x, 2); return np.sum(a * b)',
    'return sum(np.sum(v) * i for i, v in enumerate(steps(x, 3)))',
    'return sum(np.sum(v * w) for v, w in zip(steps(x, 3), steps(x * 2, 3)))',
    'return np.sum(np.array([np.sum(w) for w in window(x, 2)]) ** 2)',
    'return max(np.sum(v) for v in steps(x, 3))',
    'return sum(v * x[0] for v in tree.walk())',
    'g = steps(x, 3); return sum(np.sum(v) for v in g)',
    "d = dict(zip('abc', steps(x, 3))); return np.sum(d['a'] * d['c'])",
    'return np.sum(sorted(np.sum(v) for v in steps(x, 3))[0])',
    'return np.prod(list(running(x)))',
    'return sum(v for v in running(v ** 2 for v in x))',
    'return sum(finished(x))',
    'return sum(powers(x, k=3.0)) + sum(powers(x)) + sum(powers(x, n=x[0]))',
    'cell.n = 0; return sum(cell.count(x))',
    'a, b, c = mixed(x); return a * b * c',
    'return sum(chosen(x, True)) * sum(chosen(x, False))',
    'return dict(enumerate(scaled(x)))[1] * x[0]',
    'return max(scaled(x)) + min(scaled(x)) + sorted(scaled(x))[0]',
    'return sum(np.sum(v) for v in halved(x))',
    's = 0.0; out = []\nfor v in scaled(x):\n    out.append(v * 2); s = s + np.sum(out)\nreturn s',
    "s = 0.0\nfor v in scaled(x):\n    print(end=''); s = s + squared(v)\nreturn s",
    'cell.k = 2.0; return sum(v for v in cell.go(x)) + cell.k',
    'out = []\n'
    'for i, v in enumerate(scaled(x)):\n'
    '    if i == 1:\n'
    '        continue\n'
    '    out.append(v)\n'
    'else:\n'
    '    out.append(x[0])\n'
    'return sum(out)',
]
RIGHT += ["cell.k = 2.0; s = 0.0\nfor dt in times(3, 0.5):\n    cell.up(); s = s + np.sum(x ** 2) * cell.k * dt\n"
          "return s"]
RIGHT += [                                             # the loop changes what the generator reads, or leaves it
    'return sum(v for v in tree.scaled(x[0]))',
    'stepping.n = 1.0; s = 0.0\nfor v in stepped(x, stepping):\n    s = s + v * stepping.n\nreturn s',
    'stepping.n = 1.0; s = 0.0\nfor v in summed(x, stepping):\n    s = s + v * stepping.n\nreturn s',
    'stepping.n = 1.0; s = 0.0\nfor v in stepped_outside(x):\n    s = s + v * stepping.n\nreturn s',
    'stepping.n = 1.0; s = 0.0\nfor v in stepping.go(x):\n    s = s + v * stepping.n\nreturn s',
    'q = Stepping(); s = 0.0\nfor v in stepped(x, q):\n    s = s + v * q.n\nreturn s',
    's = 0.0\nfor v in steps(x, 5):\n    s = s + np.sum(v)\n    if s > 4:\n        break\nreturn s',
    'return np.sum(list(itertools.islice(counter(), 3)) * x)',
    'y, s = x.copy(), 0.0\nfor v in window(y, 2):\n    s = s + np.sum(v); y[0] = s\nreturn s',
    'return sum(np.sum(v) for v in growing(x))',
    'for v in raises(x):\n    return np.sum(v ** 2)',
    'try:\n    for v in raises(x):\n        y = v * 2\nexcept ValueError:\n    y = x * 3\nreturn np.sum(y)',
    'return sum(sum(r) for r in rows(x))',
    "return sum(d['s'] for d in dicts(x))",
    'cell.k = 2.0; s = 0.0\nfor v in cell.go(x):\n    s = s + v; cell.up()\nreturn s',
    'cell.k = 2.0; s = 0.0\nfor v in cell.go(x):\n    s = s + v; cell.k = cell.k + 1.0\nreturn s',
    'o = Cell(); s = 0.0\nfor v in o.go(x):\n    s = s + v; o.up()\nreturn s',
    'y = x * 1.0; g = scaled(y); y[0] = 5.0; return sum(g)',
    'y, s = x * 1.0, 0.0\nfor v in scaled(y):\n    s = s + v; fill(y)\nreturn s',
    'y, s = x.copy(), 0.0; z = y\nfor v in scaled(y):\n    s = s + v; z[1] = v\nreturn s',
    'y, s = x.copy(), 0.0; z = y[1:]\nfor v in scaled(y):\n    s = s + v; z[1] = v\nreturn s',
    'y, s = x.copy(), 0.0; z = y.ravel()\nfor v in scaled(y):\n    s = s + v; z[1] = v\nreturn s',
    'y, s = x.copy(), 0.0; z = np.asarray(y)\nfor v in scaled(y):\n    s = s + v; z[1] = v\nreturn s',
    'y, s = x.copy(), 0.0; z = [y, x]\nfor v in scaled(y):\n    s = s + v; z[0][1] = v\nreturn s',
    'y, s = x.copy(), 0.0; z = [y, x]\nfor v in scaled(y):\n    s = s + v; z[0] += v\nreturn s',
    'y, s = x.copy(), 0.0; z = (y, 1)\nfor v in scaled(y):\n    s = s + v; z[0][1] = v\nreturn s',
    'y, s = x.copy(), 0.0; z = y\nfor v in scaled(y):\n    s = s + v; z += v\nreturn s',
    'y, s = x.copy(), 0.0; z = x\nfor v in scaled(y):\n    s = s + v; np.multiply(y, 0.5, out=y)\nreturn s',
    'y, s = x.copy(), 0.0; z = [y]\n'
    'for v in scaled(y):\n'
    '    s = s + v; \n'
    '    for row in z:\n'
    '        row[2] = 7.0\n'
    'return s',
    'y = x.copy(); return sum(v * np.sum(np.multiply(y, 0.5, out=y)) for v in scaled(y))',
    's, out = 0.0, np.zeros(3)\nfor v in put(x, out):\n    s = s + np.sum(out)\nreturn s',
    'ticking.n = 0; s = 0.0\nfor v in ticked(x):\n    s = s + v * ticking.n\nreturn s',
    'ticking.n = 0; s = 0.0\nfor v in items(x, ticking):\n    s = s + v * ticking.n\nreturn s',
    'it, s = iter([0, 1, 2]), 0.0\n'
    'for v in taken(it, x):\n'
    '    s = s + v\n'
    '    for k in it:\n'
    '        s = s + k; break\n'
    'return s',
    'return sum(np.sum(v) for v in itertools.islice(endless(x), 3))',
    'return sum(np.sum(v) * k for v, k in zip(endless(x), range(3)))',
    'try:\n    a, b = endless(x)\nexcept ValueError:\n    return np.sum(x ** 2)\nreturn np.sum(a * b)',
    'for v in endless(x):\n    if v[0] > 1:\n        return np.sum(v ** 2)',
]
NOT_WRONG = [
    'g = steps(x, 3); a = next(g); b = next(g); return np.sum(a * b)',
    'g = scaled(x); a = next(g); return a * next(g)',
    'vs = [v for v in growing(x)]; return np.sum(vs[0])',
    'LOG.clear(); return sum(v * len(LOG) for v in logs(x))',
    'g = steps(x, 3); a = sum(np.sum(v) for v in g); b = sum(np.sum(v) for v in g); return a + b',
    'reset(); s = 0.0\nfor v in scaled(x):\n    s = s + v; bump()\nreturn s',
    'reset(); return sum(v * two() for v in scaled(x))',
    'rs = list(rows(x)); return sum(sum(r) for r in rs)',
    'reset(); g = scaled(x); a = next(g); bump(); return a * next(g)',
    'y = x * 1.0; g = scaled(y); a = next(g); y[1] = 7.0; return a * next(g)',
    'cell.k = 2.0; return sum([stored(cell, v) for v in cell.go(x)])',
    'cell.k = 2.0; g = cell.go(x); a = next(g); cell.up(); return a * next(g)',
    'return sum(Tree(x[0], [Tree(x[1] * 2)]).walk())',
    'ticking.n = 0; s = 0.0\nfor v in managed(x):\n    s = s + v * ticking.n\nreturn s',
    'it = iter([0, 1, 2]); return sum(v * k for v, k in zip(taken(it, x), it))',
    'g = endless(x); return np.sum(next(g) * next(g))',
]
X = np.array([0.3, 0.8, 1.2])


@pytest.mark.parametrize("body", RIGHT + NOT_WRONG)
def test_what_generators_yield_is_right_or_refused(body: str) -> None:
    lines = [part for line in body.splitlines() for part in ([line] if line[0] == " " else line.split("; "))]
    space = sourced(TEXT + "\n".join(f"    {line}" for line in lines), {"__name__": "yielded"}, f"<yielded {body}>")
    f = space["f"]

    def value(x: np.ndarray) -> float:
        space["reset"]()
        space["cell"].__init__()
        return float(f(x))

    slopes = np.array([(value(X + 1e-6 * e) - value(X - 1e-6 * e)) / 2e-6 for e in np.eye(3)])
    for way in ("grad", "raw", "jvp", "like"):
        space["reset"]()
        space["cell"].__init__()
        try:
            found = tnb.grad(f)(X) if way == "grad" else tnb.grad(f, optimized=False)(X) if way == "raw" else \
                tnb.grad(f, like=(X,))(X) if way == "like" else np.array([tnb.jvp(f)(X, dx=e) for e in np.eye(3)])
        except TangentError:
            assert body in NOT_WRONG, way
            continue
        if way != "jvp" or "cell" not in body:             # which counts on
            assert found == pytest.approx(slopes, rel=1e-6), way


def test_the_text_reads_as_a_loop() -> None:
    body = "    s = 0.0\n    for v in steps(x, 3):\n        s = s + np.sum(v ** 2)\n    return s"
    f = sourced(TEXT + body, {"__name__": "yielded"}, "<yielded text>")["f"]
    text = tnb.source(tnb.grad(f, optimized=tnb.PASSES))
    assert text.splitlines()[1] == "    rt.check_helpers(helpers, steps)  # guard"
    assert "        v = x_1\n" in text and "        # Grad of: yield x\n" in text


@pytest.mark.parametrize("body", yielding_cases.RIGHT + yielding_cases.REFUSED)
def test_what_generators_do_is_done_when_it_is_their_turn(body: str) -> None:
    """Values, derivatives and what is printed, in order."""
    text = yielding_cases.HEAD + "def f(x):\n" + "".join(f"    {line}\n" for line in body.split("|"))
    found = yielding_programs.compared(yielding_programs.loaded(text, f"<yielding {body}>"))
    assert found == "ok" or body in yielding_cases.REFUSED and found == "refused"


@pytest.mark.parametrize("seed", range(12))
def test_random_programs_are_right_or_refused(seed: int) -> None:
    assert set(yielding_programs.judged(seed).split("/")) <= {"ok", "refused", "raises", "kink"}


OBJECTS = """\
import functools, itertools
import numpy as np
class Track:
    def __init__(self, w):
        self.w = w
def o(): return "another o"
def f(x, s):
    tracks = [Track(s * k) for k in x]
    return {value}
"""
OVER_OBJECTS = ["sum([t * t for t in (o.w for o in tracks)])", "sum(t * t for t in (o.w for o in tracks if o.w > 0))",
                "max(t * t for t in (o.w for o in tracks))", "sum([t * t for t in (v for v in (o.w for o in tracks))])",
                "next(o.w for o in tracks if o.w > 0)", "sorted(o.w for o in tracks)[1]",
                "sum([t * k for k, t in enumerate(o.w for o in tracks)])",
                "sum([t * t for t in tuple(o.w for o in tracks)])",
                "sum([t * o.w for o, t in zip(tracks, (p.w for p in tracks))])", "s * any(o.w > 1 for o in tracks)",
                "functools.reduce(lambda p, t: p * t, (o.w for o in tracks), 1.0)",
                "sum([o.w * t for o in tracks for t in (p.w for p in tracks)])",
                "sum(w for w in map(lambda t: t * t, (o.w for o in tracks)))",
                "sum([t for row in ([o.w, s] for o in tracks) for t in row])"]
REFUSED_OVER_OBJECTS = ["sum([t * t for t in itertools.chain((o.w for o in tracks), [s])])",
                        "sum([t * t for t in itertools.islice((o.w for o in tracks), 2)])"]


@pytest.mark.parametrize("value", [*OVER_OBJECTS, *REFUSED_OVER_OBJECTS])
@pytest.mark.parametrize("optimized", [True, False])
def test_generators_over_lists_of_objects(value: str, optimized: bool) -> None:
    """A name of the generator is never read as another of the module."""
    f, x = sourced(OBJECTS.format(value=value), {"__name__": "cell"})["f"], [1.0, 2.0, 3.0]
    slope = (f(x, 0.7 + 1e-6) - f(x, 0.7 - 1e-6)) / 2e-6
    try:
        found = [tnb.grad(f, "s", optimized=optimized)(x, 0.7), tnb.jvp(f, "s", optimized=optimized)(x, 0.7, ds=1.0)]
    except TangentError:
        assert value in REFUSED_OVER_OBJECTS
        return
    np.testing.assert_allclose(found, slope, rtol=1e-6)
