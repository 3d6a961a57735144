"""Stores and reads of one memory in one statement: Python evaluates the values first, keeps the objects, so that views
stay views, and stores from left to right.

Each program is right in every mode, or refused; those that are no more than the same in several statements are right.
"""
from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from test_memory import POINT, judge

pytestmark = pytest.mark.sampled(8)

HELPERS = """\
__name__ = 'cell'
import types
class O:
    def __init__(self, a):
        self.a, self.b = a, 2.0
def held(t):
    for i in range(1):
        t = t * 2.0
    return t
def same(t):
    return t
def pairs(t):
    for i in range(1):
        u = 5.0
    return u, t
def zero(v):
    v[0] = 5.0
    return 1.0
"""
# what is assigned, what is returned as a sum
RIGHT = [
    ("y[0], z = 5.0, y[:2]", "z * x[:2]"), ("y[0], z = x[1] * 3.0, y", "z * x"), ("y[0], z = 5.0, y[0]", "z * x + y"),
    ("y[0], z = 5.0, y[::-1]", "z * x"), ("y[0], z = 5.0, np.asarray(y)", "z * x"), ("y[0], z = 5.0, y.T", "z * x"),
    ("y[0], z = 5.0, y.reshape(3, 1)", "z * x"), ("y[0], z = 5.0, y[None]", "z * x"),
    ("z, y[0] = y[:2], 5.0", "z * x[:2]"),
    ("y[:2], z = y[1:], y[:2]", "z * x[:2]"), ("y[:2], y[1:] = y[1:], y[:2]", "y * x"), ("y[:], z = x, y", "z * x"),
    ("y[0], y[1] = y[1], y[0]", "y * x * y"), ("y[0], y[1], y[2] = y[1], y[2], y[0]", "y * x * y"),
    ("y[:1], y[1:2] = y[1:2], y[:1]", "y * x * y"), ("y[0], y[1] = y[1] * 3.0, np.sum(y)", "y * x * y"),
    ("y[0], (w, v) = 5.0, (y, 1.0)", "w * x * v"), ("y[0], (w, v) = 5.0, (y[:2], y[0])", "w * x[:2] * v"),
    ("(y[0], z), w = (5.0, y[1:]), y", "w * x + np.sum(z * z)"), ("y[0], (y[1], z) = 5.0, (y[0], y)", "z * x"),
    ("y, y[0] = y * 1.0, 3.0", "y * y"), ("y, y[0] = x * y, y[1]", "y * y"), ("y[0], y = 3.0, y * 1.0", "y * y"),
    ("z, z[0] = y, 5.0", "y * x + z"), ("i, y[i] = 1, 7.0", "y * x"), ("y[i], i = y[1], 2", "y * x * i"),
    ("i, y[i], z = 1, y[0], y", "z * x"), ("y[0], *r = 5.0, y, y[1:]", "r[0] * x + np.sum(r[1])"),
    ("y[0], z, w = 5.0, y[:2], y[1:]", "z * w"), ("z[0], y[0] = y[0] * x[1], z[0] * x[2]", "y * z"),
    ("z[:2], y[:2] = y[:2], z[:2]", "y * z"), ("y[0], z = (5.0, y) if x[0] > 0.0 else (4.0, x)", "z * x"),
    ("y[bump()], w = i, i", "y * x * w"), ("y[1], w = i, bump() + i", "y * x * w"),
    ("y[0], w = 5.0, (t := y[:2])", "w * t * x[:2]"), ("y[0], n = 5.0, len(y)", "y * n * x"),
]
OTHERS = [
    ("y[0], z = 5.0, np.broadcast_to(y, (2, 3))", "z * x"), ("y[0], z = 5.0, [y, x]", "z[0] * x"),
    ("y[0], z = 5.0, (y[:2], x)", "z[0] * x[:2]"), ("y[0], z = 5.0, {'a': y}", "z['a'] * x"),
    ("y[0], z = 5.0, same(y)", "z * x"), ("y[0], z = 5.0, y if x[0] > 0.0 else x", "z * x"),
    ("y[0], z = pairs(y)", "z * x"), ("y[0], y = 3.0, y", "y * x"), ("y[0], y = 3.0, y[:2]", "y * x[:2]"),
    ("a = y[0], z = 5.0, y[:2]", "z * x[:2] * a[0]"), ("a = y[:2] = y[1:]", "y * x * a[0]"),
    ("y[0], z = 5.0, iter(y)", "next(z) * x"), ("y[0], z = 5.0, map(np.sin, y)", "sum(z) * x"),
    ("y[0], z = 5.0, np.multiply(y, 2.0, out=y)", "z * x"), ("y[:2] = z = y[1:]", "z * x[:2]"),
]
SURROUNDINGS = {
    "plain": "{}\n    return np.sum({})", "again": "{}\n    y[1] = x[0] * x[2]\n    return np.sum({})",
    "branch": "r = [x, x]\n    w, v, n, t = x, 1.0, 1.0, x\n    if x[0] > 0.0:\n        {}\n    return np.sum({})",
    "loop": "s = 0.0\n    for k in range(2):\n        {}\n        s = s + np.sum({}) * x[k]\n    return s",
    "try": "try:\n        {}\n    except ValueError:\n        return 0.0\n    return np.sum({})",
    "made by a call": "y = held(x)\n    {}\n    return np.sum({})",
}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("around", SURROUNDINGS)
@pytest.mark.parametrize("statement, read", RIGHT + OTHERS)
def test_what_is_stored_while_views_are_kept(statement: str, read: str, around: str) -> None:
    body = SURROUNDINGS[around].format(statement, read)
    bump = "    def bump():\n        nonlocal i\n        i = 2\n        return 1\n" if "bump" in statement else ""
    text = f"{HELPERS}def f(x):\n    y, z, i = x * 2.0, x * 3.0, 0\n{bump}    {body}\n"
    assert judge(text, POINT, refused=True) or around != "plain" or (statement, read) not in RIGHT


MATRICES = ["np.outer(x, x)", "np.outer(held(x), x)", "made(x)", "np.linalg.eigh(np.outer(x, x) + np.diag(x))[1]",
            "np.stack([x, x * x, x + 1.0])"]
ROWS = ["A[0], A[1] = A[1], A[0]", "A[0], A[1] = A[1].copy(), A[0].copy()", "A[0, 0], A[1, 1] = A[1, 1], A[0, 0]",
        "A[:, 0], A[:, 1] = A[:, 1], A[:, 0]", "A[0], A[1] = A[:2]", "A[1], A[0] = A[:2]", "A[1], A[0] = A[1:]",
        "A[0], z = x, A[:2]", "A[0], z = x, A[:, 0]", "A[0], (A[1], z) = A[1], (A[0], A)", "A[0][0], z = 5.0, A[0]",
        "A[0], z = A[1], A[0, :2]", "(A[0, 0], A[0, 1]), z = A[0, :2], A[0]", "A[0], A = x, A[:2]"]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("made", MATRICES)
@pytest.mark.parametrize("statement", ROWS)
def test_rows_that_change_places(statement: str, made: str) -> None:
    text = (f"{HELPERS}def made(t):\n    return np.outer(held(t), t)\n"
            f"def f(x):\n    z, A = x, {made}\n    {statement}\n    return np.sum(A * A * x) + np.sum(z * z)\n")
    judge(text, POINT, refused=True)


CONTAINERS = [
    ("d = {'a': y}", "d['a'], w = 5.0 * x, d['a']", "w * d['a']"), ("d = {'a': y}", "d['a'], w = 1.0, d", "w['a'] * x"),
    ("d = {'a': y}", "d['a'][0], w = 5.0, d['a']", "w * x"), ("d = {'a': y}", "y[0], w = 5.0, d['a']", "w * x"),
    ("d = {'a': y, 'b': x}", "d['a'], d['b'] = d['b'], d['a']", "d['a'] * d['a'] * d['b']"),
    ("d = {'a': y}", "d, d['a'] = {'a': x}, y", "d['a'] * x"),
    ("d = {'a': {'b': y}}", "d['a']['b'], w = x, d['a']", "w['b'] * x"),
    ("L = [y, x]", "L[0], w = 5.0, L[0]", "w * L[0] * x"), ("L = [y, x]", "L[0], w = 5.0 * x, L", "w[0] * x"),
    ("L = [y, x]", "L[0], L[1] = L[1], L[0]", "L[0] * L[0] * L[1]"), ("L = [y, x]", "L[0][0], w = 5.0, L", "w[0] * x"),
    ("L = [y, x]", "L[0], (w, v) = 5.0 * x, L", "w * v * L[0]"), ("L = [0.0] * 2", "L[0], w = x[0], L", "w[0] * x"),
    ("L = []\n    L.append(y)", "L[0], w = x * x, L", "w[0] * L[0]"),
    ("L = []\n    L.append(y)", "L[0][0], w = 4.0, L[0]", "w * L[0] * x"),
    ("L = [[x[0]], [x[1]]]", "L[0][0], w = 3.0, L[0]", "w[0] * x * L[1][0]"),
    ("o = O(y)", "o.a[0], w = 5.0, o.a[:2]", "w * x[:2]"), ("o = O(y)", "o.a, w = 5.0 * x, o.a", "w * o.a"),
    ("o = O(y)", "o.a, w = 5.0 * x, o", "w.a * x"), ("o = O(y)", "o.a, o.b = o.b * x, o.a", "o.a * o.b"),
    ("o = O(y)", "o, o.a = O(x), y", "o.a * x"), ("o = O(y)", "o.a, (w, v) = 5.0 * x, (o.a, o.b)", "w * o.a * v"),
    ("o = types.SimpleNamespace(a=y)", "o.a[0], w = 3.0, o.a", "o.a * w"),
    ("v = y[1:]", "y[1], w = 4.0, v[:1]", "w * x"), ("v = y[1:]", "y[1], v[1] = v[1], y[1]", "y * x * y"),
    ("k = np.array([0, 1, 2])", "k[0], w = 2, y[k]", "w * x"),
    ("k = np.array([0, 1, 2])", "k[0], w = 2, k", "y[w] * x"),
    ("k = np.eye(3)", "k[0], k[1] = k[1], k[0]", "(k @ y) ** 2 * x"), ("k = [0, 1, 2]", "k[0], w = 2, k", "y[w] * x"),
]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("loop", [False, True])
@pytest.mark.parametrize("made, statement, read", CONTAINERS)
def test_parts_of_containers_and_objects(made: str, statement: str, read: str, loop: bool) -> None:
    stored = f"for j in range(2):\n        {statement}" if loop else statement
    text = f"{HELPERS}def f(x):\n    y = x * 2.0\n    {made}\n    {stored}\n    return np.sum({read})\n"
    judge(text, POINT, refused=True)


TARGETS = {
    "for y[0] in [5.0, 4.0]:": True, "for y[0] in range(3):": True,
    "for y[0] in [1.0, x[2]]:": True,
    "for i, y[i] in enumerate(x):": True, "for i, y[i] in enumerate([1.0, 2.0]):": True,
    "for y[i], i in [(4.0, 1), (3.0, 2)]:": True, "for y[0], (i, y[i]) in [(4.0, (1, x[0])), (3.0, (2, x[1]))]:": True,
    "for i, y[i] in {0: 4.0, 1: 3.0}.items():": True,
    "for k['a'] in [x, x * 3.0]:": True, "for y[0], z in [(5.0, y)]:": False,
    "for y[:2] in [x[1:], y[1:]]:": False, "for y[0] in y[1:]:": False, "for y[0], *z in [(5.0, y)]:": False,
}


@pytest.mark.parametrize("target", TARGETS)
def test_loops_store_the_items(target: str) -> None:
    text = (f"def f(x):\n    y, i, z, k = x * 2.0, 0, x, {{'a': x}}\n    {target}\n        y[2] = y[2] * y[1]\n"
            "    return np.sum(y * x) + np.sum(np.ravel(z)) + np.sum(k['a'] * i)\n")
    assert judge(text, POINT, refused=True) or not TARGETS[target]


STORING = ["[5.0 for y[0] in [5.0, 4.0]]", "{5.0 for y[0] in [5.0, 4.0]}", "any(y[0] > 9.0 for y[0] in x)",
           "{k: 5.0 for k, y[0] in [(1, 5.0), (2, x[1])]}", "sum(y[1] for y[0] in [5.0, 4.0])",
           "sorted([2.0, 1.0], key=lambda t: [t for y[0] in [t]][0])", "[z for y[0], z in [(5.0, y)]]"]


@pytest.mark.parametrize("made", STORING)
def test_comprehensions_that_store(made: str) -> None:
    judge(f"def f(x):\n    y = x * 2.0\n    r = {made}\n    return np.sum(y * x) + float(len(str(r)) > 0)\n",
          POINT, refused=True)


# ----------------------------------------------------- containers without a name, of arrays that change before the end
KEPT = {"[y, x][0]": True, "{'a': y}['a']": True, "[[y, x], x][0][0]": True, "[y[:2], x][0]": True,
        "sorted([y, x], key=len)[0]": False, "list((y, x))[0]": False, "([y] * 2)[0]": False,
        "({'a': y} | {'b': x})['a']": False, "{'a': y}.get('a')": False, "same([y, x])[0]": False,
        "([y, x] if x[0] > 0.0 else [x, y])[0]": False}


@pytest.mark.parametrize("change", ["y[0] = 5.0", "y *= x", "zero(y)"])
@pytest.mark.parametrize("kept", KEPT)
def test_what_was_read_of_a_container_changes_later(kept: str, change: str) -> None:
    text = f"{HELPERS}def f(x):\n    y = x * 2.0\n    s = np.sum({kept} * {kept})\n    {change}\n    return s + y[1]\n"
    assert judge(text, POINT, refused=True) or not KEPT[kept]
