"""Loops over iterators: right or refused, whatever gives the items, whatever the body does,
and wherever the loop is left.

Each program is judged in both modes, with the passes and without them, split, and derived again: the value and the
derivative against differences, what is printed, and what is left of the iterator, against the function itself.
"""
from __future__ import annotations

import collections
import contextlib
import gc
import io
import itertools
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

HEAD = '''
class It:
    def __init__(self, n=4):
        self.i, self.n, self.arr, self.buf, self.d = 0, n, np.zeros(2), [0.0], {"a": 0.0}
    def __iter__(self): return self
    def __next__(self):
        self.i += 1
        self.arr += 1.0; self.buf[0] += 1.0; self.d["a"] += 1.0
        if self.i > self.n: raise StopIteration
        print("next", self.i)
        return float(self.i)
    def stream(self):
        for v in self: yield v
    def arrays(self):
        for v in self: yield self.arr
    def dicts(self):
        for v in self: yield self.d
    def bufs(self):
        for v in self: yield self.buf
    def copies(self):
        for v in self: yield self.arr.copy()
    def selves(self):
        for v in self: yield self
class Seq:
    def __init__(self): self.k = 0
    def __getitem__(self, i):
        self.k += i
        if i > 3: raise IndexError
        return float(i + 1)
def gen(n=4):
    try:
        for i in range(n):
            print("give", i)
            yield float(i + 1)
    finally:
        print("closed")
def cleaned():
    buf = np.ones(2)
    for i in range(3):
        buf[:] = i + 1.0
        yield buf
        buf[:] = -1.0
def windows():
    a = np.arange(10.0)
    for i in range(4): yield a[i:i+2]
def endless():
    i = 0
    while True:
        i += 1
        yield float(i)
def masked():
    for i in range(2): yield np.ma.masked_array([[1.0, 2.0], [3.0, 4.0]])
def raising():
    yield 1.0
    yield 2.0
    raise ValueError("x")
def ring():
    a, b = np.zeros(2), np.zeros(2)
    for i in range(4):
        a[:] = i + 1.0
        yield a
        a, b = b, a
class Box:
    def __init__(self, v): self.v = v
def boxes():
    b = Box(np.zeros(2))
    for i in range(3):
        b.v[:] = i + 1.0
        yield b
def fresh():
    for i in range(3): yield Box(np.full(2, i + 1.0))
class M:
    def __init__(self): self.weights, self.b = [np.eye(2), np.ones((2, 2))], np.ones(2)
class Ld:
    def __init__(self): self.scale, self.w, self.data = 2.0, np.ones(2), np.arange(8.0)
    def __iter__(self):
        for i in range(0, 8, 2): yield self.data[i:i+2]
class Pr(It):
    @property
    def p(self): return self.i + 1.0
class Sz(It):
    def __next__(self):
        self.size = self.i + 1
        return It.__next__(self)
class Rs:
    def __iter__(self):
        self.pos = np.zeros(2)
        for i in range(3):
            self.pos += 1.0
            yield i
'''

# A program, with its argument, and what stands outside: these must be right.
RIGHT = {
    "groupby": ("s = 0.0\nfor k, g in itertools.groupby([1, 1, 2]):\n    s += k * x ** len(list(g))\nreturn s", ""),
    "groupby_in": ("s = 0.0\nfor k, g in itertools.groupby([1, 1, 2]):\n    for u in g:\n        s = s * x + u * k\n"
                   "return s",
                   ""),
    "state": ("s = 1.0\nfor v in it:\n    s = s * x + v * it.i\nreturn s", "it: It()"),
    "state_op": ("s = 1.0\nfor v in it:\n    s = s * x * it.i\nreturn s", "it: It()"),
    "state_after": ("s = 1.0\nfor v in it:\n    s = s * x + v\n    if v > 1: break\nreturn s * it.i", "it: It()"),
    "state_global": ("s = 1.0\nfor v in IT:\n    s = s * x * IT.i\n    if v > 2: break\nreturn s * IT.i", "",
                     "IT = It()"),
    "state_arr_copy": ("s = 0.0\nfor v in it:\n    w = np.array(it.arr)\n    s = s + np.sum(x * w)\nreturn s",
                       "it: It()"),
    "state_zip": ("s = 1.0\nfor v, c in zip(it, [1.0, 2.0, 3.0]):\n    s = s * x * it.i + c\nreturn s", "it: It()"),
    "state_enum": ("s = 1.0\nfor j, v in enumerate(it):\n    s = s * x * it.i + j\nreturn s", "it: It()"),
    "state_nested": (
        "s = 1.0\nfor j in range(2):\n    for v in it:\n        s = s * x * it.i\n        if v > 1: break\n"
        "return s",
        "it: It()"),
    "state_cond": ("s = 1.0\nfor v in it:\n    if it.i % 2:\n        s = s * x\n    else:\n        s = s + x * v\n"
                   "return s",
                   "it: It()"),
    "state_index": ("s = 1.0\nxs = x * np.arange(1.0, 9.0)\nfor v in it:\n    s = s * xs[it.i]\nreturn s", "it: It()"),
    "state_getattr": ("s = 1.0\nfor v in it:\n    s = s * x * getattr(it, 'i')\nreturn s", "it: It()"),
    "seq_state": ("s = 1.0\nfor v in it:\n    s = s * x * (it.k + 1) + v\nreturn s", "it: Seq()"),
    "windows": ("s = 0.0\nfor v in it:\n    s = s + np.sum(x * v) * s + x\nreturn s", "it: windows()"),
    "fresh": ("s = 0.0\nfor v in it:\n    s = s + np.sum(x * v.v) * s + x\nreturn s", "it: fresh()"),
    "break_left": ("s = 0.0\nfor v in it:\n    s = s + x * v\n    if v > 1: break\nreturn s * sum(it)", "it: gen()"),
    "break_second": ("s = 0.0\nfor v in it:\n    s = s * x + x * v\n    if v > 1: break\nfor u in it:\n"
                     "    s = s * x - u\nreturn s",
                     "it: gen()"),
    "break_else": ("s = 0.0\nfor v in it:\n    s = s * x + x * v\n    if v > 1: break\nelse:\n    s = s * 7.0\n"
                   "for u in it:\n    s = s * x - u\nelse:\n    s = s * x\nreturn s",
                   "it: gen()"),
    "continue": ("s = 0.0\nfor v in it:\n    if v == 2.0: continue\n    s = s * x + x * v\nreturn s", "it: gen()"),
    "return_in": ("s = 1.0\nfor v in it:\n    s = s * x\n    if v > 2: return s * x\nreturn s", "it: gen()"),
    "endless": ("s = 1.0\nfor v in it:\n    s = s * x * v\n    if v > 3: break\nreturn s", "it: endless()"),
    "endless_zip": ("s = 1.0\nfor v, c in zip(it, [1.0, 2.0]):\n    s = s * x * v + c\nreturn s", "it: endless()"),
    "zip_active": ("s = 1.0\nxs = x * np.arange(1.0, 4.0)\nfor a, v in zip(xs, it):\n    s = s * a + v\nreturn s",
                   "it: gen()"),
    "zip_active_bound_with_others": (
        "own, y = it, x\ns = 1.0\nfor v, a in zip(own, [y, y * y, x]):\n    s = s * a + v\nreturn s", "it: gen()"),
    "zip_active2": ("s = 1.0\nxs = x * np.arange(1.0, 4.0)\nfor v, a in zip(it, xs):\n    s = s * a + v\nreturn s",
                    "it: gen()"),
    "zip_active3": ("s = 1.0\nxs = x * np.arange(1.0, 4.0)\nfor v, (j, a) in zip(it, enumerate(xs)):\n"
                    "    s = s * a + v * j\nreturn s",
                    "it: gen()"),
    "zip_active_endless": (("s = 1.0\nxs = x * np.arange(1.0, 4.0)\nfor v, a in zip(it, xs):\n"
                            "    s = s * a + v\nreturn s"), "it: endless()"),
    "zip_active_count": ("s = 1.0\nxs = x * np.arange(1.0, 4.0)\nfor v, a in zip(itertools.count(1), xs):\n"
                         "    s = s * a + v\nreturn s",
                         ""),
    "enum_zip_active": ("s = 1.0\nxs = x * np.arange(1.0, 4.0)\nfor j, (a, v) in enumerate(zip(xs, it)):\n"
                        "    s = s * a + v * j\nreturn s",
                        "it: gen()"),
    "enum_zip_active2": ("s = 1.0\nxs = x * np.arange(1.0, 4.0)\nfor j, p in enumerate(zip(xs, it), 1):\n"
                         "    s = s * p[0] + p[1] * j\nreturn s",
                         "it: gen()"),
    "zip3": ("s = 1.0\nxs = x * np.arange(1.0, 4.0)\nys = [x, x * x]\nfor a, v, b in zip(xs, it, ys):\n"
             "    s = s * a + v * b\nreturn s",
             "it: gen()"),
    "zip_break": ("s = 1.0\nxs = x * np.arange(1.0, 4.0)\nfor a, v in zip(xs, it):\n    s = s * a + v\n"
                  "    if v > 1: break\nreturn s",
                  "it: gen()"),
    "zip_state": ("s = 1.0\nxs = x * np.arange(1.0, 4.0)\nfor a, v in zip(xs, it):\n    s = s * a * it.i\nreturn s",
                  "it: It()"),
    "zip_rebound": ("s = 1.0\nxs = x * np.arange(1.0, 4.0)\nfor a, v in zip(xs, it):\n    xs = xs * 2.0\n"
                    "    v = v * 2.0\n    s = s * a + v + xs[0]\nreturn s",
                    "it: gen()"),
    "list_it": ("s = 1.0\nfor v in list(it):\n    s = s * x + v\n    if v > 1: break\nreturn s", "it: gen()"),
    "sum_gen": ("return sum(x * v for v in it) * x", "it: gen()"),
    "sum_gen2": ("return x * sum(v for v in it)", "it: gen()"),
    "comp": ("L = [x * v for v in it]\nreturn L[0] * L[2]", "it: gen()"),
    "comp_state": ("L = [x * v * it.i for v in it]\nreturn L[0] * L[2]", "it: It()"),
    "comp_if": ("return sum([x * v for v in it if v != 2.0])", "it: gen()"),
    "max_gen": ("return max(x * v for v in it)", "it: gen()"),
    "any_gen": ("if any(v > 1 for v in it):\n    x = x * 2.0\nreturn x * sum(it)", "it: gen()"),
    "unpack": ("a, b, c, d = it\nreturn x * a + b * x * x + c", "it: gen()"),
    "map": ("s = 1.0\nfor a in map(lambda v: v * x, it):\n    s = s * x + a\n    if s > 5: break\nreturn s",
            "it: gen()"),
    "map_len": ("s = 1.0\nfor a in map(len, [[1], [1, 2]]):\n    s = s * x + a\nreturn s", ""),
    "filter": ("s = 1.0\nfor a in filter(None, it):\n    s = s * x + a\n    if a > 1: break\nreturn s * sum(it)",
               "it: gen()"),
    "reversed": ("s = 1.0\nfor a in reversed(it):\n    s = s * x + a\nreturn s", "it: [1.0, 2.0]"),
    "order": ("s = 1.0\nfor a in it:\n    print('body', a)\n    s = s * x + a\nprint('done')\nreturn s", "it: gen()"),
    "order_break": ("s = 1.0\nfor a in it:\n    print('body', a)\n    s = s * x + a\n    if a > 1: break\n"
                    "print('done')\nreturn s",
                    "it: gen()"),
    "raises2": ("s = 1.0\nt = x\ntry:\n    for v in it:\n        t = t * x\nexcept ValueError:\n    t = x * 3.0\n"
                "return t",
                "it: raising()"),
    "raises_in": ("s = 1.0\nfor v in it:\n    try:\n        s = s * x / (v - 2.0)\n    except ZeroDivisionError:\n"
                  "        s = s * x\nreturn s",
                  "it: gen()"),
    "raises_out": ("s = 1.0\ntry:\n    for v in it:\n        s = s * x / (v - 2.0)\nexcept ZeroDivisionError:\n"
                   "    s = x * x\nreturn s * sum(it)",
                   "it: gen()"),
    "with": ("s = 1.0\nwith contextlib.nullcontext():\n    for v in it:\n        s = s * x + v\n"
             "        if v > 1: break\nreturn s * sum(it)",
             "it: gen()"),
    "listarg": ("s = 1.0\nfor v in it:\n    s = s * x + v\nreturn s", "it: [1.0, 2.0, 3.0]"),
    "iter_list_arg": ("s = 1.0\nfor v in it:\n    s = s * x + v\n    if v > 1: break\nreturn s * sum(it)",
                      "it: iter([1.0, 2.0, 3.0])"),
    "dictarg": ("s = 1.0\nfor k, v in it.items():\n    s = s * x + v\nreturn s", "it: {'a': 1.0, 'b': 2.0}"),
    "arrarg": ("s = 1.0\nfor v in it:\n    s = s * x + np.sum(v)\nreturn s", "it: np.arange(6.0).reshape(3, 2)"),
    "arrarg2": ("s = 1.0\nfor v, w in zip(it, it):\n    s = s + np.sum(x * v * w) * s\nreturn s",
                "it: np.arange(6.0).reshape(3, 2)"),
    "repeatarr": ("s = 1.0\nfor v in it:\n    s = s + np.sum(x * v) * s\nreturn s",
                  "it: itertools.repeat(np.ones(2), 3)"),
    "nested_same": ("s = 1.0\nfor v in it:\n    for u in it:\n        s = s * x + u * v\nreturn s", "it: gen()"),
    "helper": ("def h(y, j):\n    for v in j:\n        y = y * x + v\n        if v > 1: return y\n    return y\n"
               "return h(x, it) * h(x, it)",
               "it: gen()"),
    "helper_global": ("return H(x, it) * sum(it)",
                      "it: gen()",
                      "def H(y, j):\n    for v in j:\n        y = y * y + v\n        if v > 1: break\n    return y"),
    "last": ("s = x\nfor v in it:\n    s = s * x\nreturn s * v", "it: gen()"),
    "item_unused": ("s = x\nfor _ in it:\n    s = s * x\nreturn s", "it: gen()"),
    "inactive": ("n = 0.0\nfor v in it:\n    n += v\n    if n > 2: break\nreturn n * x * sum(it)", "it: gen()"),
    "tuple_items": ("s = x\nfor a, (b, c) in it:\n    s = s * x + a * b * c\nreturn s",
                    "it: iter([(1.0, (2.0, 3.0)), (2.0, (1.0, 1.0))])"),
    "rebinds": ("s = x\nfor v in it:\n    v = v * 2.0\n    s = s * x * v\nreturn s", "it: gen()"),
    "rebinds_active": ("s = x\nfor v in it:\n    v = v * x\n    s = s * x * v\nreturn s", "it: gen()"),
    "it_rebound": ("s = x\nfor v in it:\n    s = s * x * v\n    it = 3.0\nreturn s * it", "it: gen()"),
    "lenit": ("s = x\nfor v in it:\n    s = s * x + v * len(it)\nreturn s", "it: [1.0, 2.0]"),
    "deque": ("s = x\nfor v in it:\n    s = s * x + v\nreturn s", "it: collections.deque([1.0, 2.0])"),
    "nditer": ("s = x\nfor v in np.nditer(np.arange(3.0)):\n    s = s * x + v\nreturn s", ""),
    "ndindex": ("s = x\nfor i, j in np.ndindex(2, 2):\n    s = s * x + i * j\nreturn s", ""),
    "genexpr_name": ("g = (v * 2.0 for v in it)\ns = x\nfor v in g:\n    s = s * x + v\n    if v > 2: break\n"
                     "return s * sum(it)",
                     "it: gen()"),
    "zip_changed": (("s, xs = 1.0, x * np.ones(3)\nfor a, b in zip(xs, it):\n    xs[0] = xs[0] * 2.0\n"
                     "    s = s * a + b + xs[0]\nreturn s"), "it: gen()"),
    "global_gen": ("s = 1.0\nfor v in GEN:\n    s = s * x + v\n    if v > 1: break\nreturn s * sum(GEN)",
                   "", "GEN = gen()"),
    "fn_gives_iter": ("s = 1.0\nfor v in make(3):\n    s = s * x + v\n    if v > 1: break\nreturn s", "make: gen"),
    "fn_gives_obj": ("s = 1.0\nit = It()\nfor v in it:\n    s = s * x + v * it.i\nreturn s", ""),
    "in_test": ("s = x\nfor v in it:\n    s = s * x\n    if 3.0 in it: s = s * v\nreturn s", "it: gen()"),
    "ternary": ("s = x\nfor v in (it if x > 0 else []):\n    s = s * x + v\n    if v > 1: break\nreturn s * sum(it)",
                "it: gen()"),
    "or": ("s = x\nfor v in it or []:\n    s = s * x + v\n    if v > 1: break\nreturn s * sum(it)", "it: gen()"),
    "inner_def": ("s = x\nfor v in it:\n    def h(y): return y * v\n    s = h(s) * x\nreturn s", "it: gen()"),
    "model": ("s = x * np.ones(2)\nfor W in it.weights:\n    s = W @ s + it.b\nreturn np.sum(s * s)", "it: M()"),
    "loader": ("s = x\nfor b in it:\n    s = s + np.sum(b * x) * it.scale * np.sum(it.w)\nreturn s", "it: Ld()"),
    "prop": ("s = 1.0\nfor v in it:\n    s = s * x * it.p\nreturn s", "it: Pr()"),
    "pool_changed_before": (
        "l, s = [x, x * x, 2.0], 0.0\nit = itertools.combinations(l, 2)\nl[0] = 5.0 * x\nfor a, b in it:\n"
        "    s += a * b\nreturn s", ""),
    "pool_grown_before": ("l, s = [x, x * x], 0.0\nit = itertools.product(l, l)\nl.append(3.0 * x)\n"
                          "for a, b in it:\n    s += a * b\nreturn s", ""),
    "pool_changed_by_a_call": (
        "l, s = [x, x * x, 2.0], 0.0\ndef change(l): l[0] = l[1] * l[2]\n"
        "it = itertools.permutations(l, 2)\nchange(l)\nfor a, b in it:\n    s += a * b * b\nreturn s", ""),
    "pool_changed_as_another": (
        "xs, s = [x, x * x, 2.0], 0.0\nys = xs\nfor a, b in itertools.product(xs, xs):\n    ys[0] = a * b\n"
        "    s += a * b\nreturn s", ""),
    "pool_grown_as_another": (
        "xs, s = [x, x * x, 2.0], 0.0\nys = xs\nfor a, b in itertools.combinations(xs, 2):\n    ys.append(a * b)\n"
        "    s += a * b\nreturn s", ""),
    "pool_changed_in_a_dict": (
        "l, s = [x, x * x, 2.0], 0.0\nd = {'l': l}\nit = itertools.combinations(l, 2)\nd['l'][0] = 5.0 * x\n"
        "for a, b in it:\n    s += a * b\nreturn s", ""),
    "target_in_its_filter": (
        "s = 0.0\nfor y in (v for i, v in enumerate([x, -x, 2.0 * x]) if i == 0 or v > y): s += y * y\nreturn s", ""),
    "target_after": (
        "s = 0.0\nfor y in (v for v in [x, 2.0 * x, 9.0] if v < 5.0): s += y * y\nelse: s += 3.0 * y\nreturn s", ""),
    "target_of_the_last_round": (
        "s, y = 0.0, 1.0\nfor k in range(2):\n    for y in (v for v in ([x, 9.0] if k == 0 else [x * y]) if v < 5.0):\n"
        "        s += y * y\nreturn s", "")}

# These are right, or refused.
EITHER = {
    "state_arr": ("s = 0.0\nfor v in it:\n    s = s + np.sum(x * it.arr)\nreturn s", "it: It()"),
    "state_arr_before": ("s = 0.0\nw = it.arr\nfor v in it:\n    s = s + np.sum(x * w)\nreturn s", "it: It()"),
    "state_arr_alias": ("s = 0.0\nother = it\nfor v in it:\n    s = s + np.sum(x * other.arr)\nreturn s", "it: It()"),
    "state_arr_iter": ("s = 0.0\nj = iter(it)\nfor v in j:\n    s = s + np.sum(x * it.arr)\nreturn s", "it: It()"),
    "state_arr_stream": ("s = 0.0\nfor v in it.stream():\n    s = s + np.sum(x * it.arr)\nreturn s", "it: It()"),
    "state_buf": ("s = 0.0\nfor v in it:\n    s = s + x * it.buf[0] * s + x\nreturn s", "it: It()"),
    "state_dict": ("s = 1.0\nfor v in it:\n    s = s * x * it.d['a']\nreturn s", "it: It()"),
    "arrays": ("s = 0.0\nfor v in it.arrays():\n    s = s + np.sum(x * v)\nreturn s", "it: It()"),
    "arrays_part": ("s = 0.0\nfor v in it.arrays():\n    s = s + x * v[0] * s + x * v[1]\nreturn s", "it: It()"),
    "arrays_view": ("s = 0.0\nfor v in it.arrays():\n    w = v[:1]\n    s = s + np.sum(x * w)\nreturn s", "it: It()"),
    "arrays_list": ("s = 0.0\nL = []\nfor v in it.arrays():\n    L.append(v)\n    s = s + np.sum(x * v) * s + x\n"
                    "return s",
                    "it: It()"),
    "dicts": ("s = 1.0\nfor v in it.dicts():\n    s = s * x * v['a']\nreturn s", "it: It()"),
    "bufs": ("s = 1.0\nfor v in it.bufs():\n    s = s * x * v[0]\nreturn s", "it: It()"),
    "bufs_unpack": ("s = 1.0\nfor (v,) in it.bufs():\n    s = s * x * v\nreturn s", "it: It()"),
    "copies": ("s = 0.0\nfor v in it.copies():\n    s = s + np.sum(x * v) * s + x\nreturn s", "it: It()"),
    "selves": ("s = 1.0\nfor v in it.selves():\n    s = s * x * v.i\nreturn s", "it: It()"),
    "selves_arr": ("s = 1.0\nfor v in it.selves():\n    s = s + s * np.sum(x * v.arr)\nreturn s", "it: It()"),
    "cleaned": ("s = 0.0\nfor v in cleaned():\n    s = s + np.sum(x * v)\nreturn s", ""),
    "cleaned_arg": ("s = 0.0\nfor v in it:\n    s = s + np.sum(x * v)\nreturn s", "it: cleaned()"),
    "ring": ("s = 0.0\nfor v in it:\n    s = s + np.sum(x * v) * s + x\nreturn s", "it: ring()"),
    "boxes": ("s = 0.0\nfor v in it:\n    s = s + np.sum(x * v.v) * s + x\nreturn s", "it: boxes()"),
    "boxes_sq": ("s = 0.0\nfor v in it:\n    u = v.v\n    s = s + np.sum(np.sin(x * u)) * s + x\nreturn s",
                 "it: boxes()"),
    "endless_local": ("s = 1.0\nfor v in endless():\n    s = s * x * v\n    if v > 3: break\nreturn s", ""),
    "zip_strict": ("s = 1.0\nxs = x * np.arange(1.0, 5.0)\nfor a, v in zip(xs, it, strict=True):\n    s = s * a + v\n"
                   "return s",
                   "it: gen()"),
    "next_first": ("a = next(it)\nfor v in it:\n    a = a * x + v\nreturn a", "it: gen()"),
    "next_in": ("s = 1.0\nfor v in it:\n    s = s * x + next(it)\nreturn s", "it: gen()"),
    "iter_next": ("j = iter(it)\ns = 1.0\nfor v in j:\n    s = s * x + v\n    if v > 1: break\nfor v in j:\n"
                  "    s = s * x - v\nreturn s",
                  "it: gen()"),
    "islice": ("s = 1.0\nfor v in itertools.islice(it, 2):\n    s = s * x + v\nreturn s * sum(it)", "it: gen()"),
    "takewhile": ("s = 1.0\nfor v in itertools.takewhile(lambda v: v < 2, it):\n    s = s * x + v\nreturn s * sum(it)",
                  "it: gen()"),
    "chain": ("s = 1.0\nfor v in itertools.chain(it, [5.0]):\n    s = s * x + v\n    if v > 2: break\n"
              "return s * sum(it)",
              "it: gen()"),
    "chain_active": ("s = 1.0\nfor v in itertools.chain(it, [x]):\n    s = s * x + v\nreturn s", "it: gen()"),
    "chain_active_b": ("s = 1.0\nfor v in itertools.chain([x], it):\n    s = s * x + v\n    if v > 1: break\n"
                       "return s * sum(it)",
                       "it: gen()"),
    "accumulate": ("s = 1.0\nfor v in itertools.accumulate(it):\n    s = s * x + v\n    if v > 2: break\n"
                   "return s * sum(it)",
                   "it: gen()"),
    "accumulate_active": (
        "s = 0.0\nfor v in itertools.accumulate(it, lambda a, b: a * x + b):\n    s = s + v\nreturn s", "it: gen()"),
    "pairwise": ("s = 1.0\nfor a, b in itertools.pairwise(it):\n    s = s * x + a * b\nreturn s", "it: gen()"),
    "product": ("s = 1.0\nfor a, b in itertools.product(it, [1.0, 2.0]):\n    s = s * x + a * b\nreturn s",
                "it: gen()"),
    "cycle": ("s = 1.0\nfor a in itertools.cycle(it):\n    s = s * x + a\n    if s > 6: break\nreturn s", "it: gen()"),
    "map_fn": ("s = 1.0\nfor a in map(fn, [1.0, 2.0, 3.0]):\n    s = s * x + a\n    if s > 3: break\nreturn s",
               "fn: lambda v: print(v) or v"),
    "order_break_local": ("s = 1.0\nfor a in gen():\n    print('body', a)\n    s = s * x + a\n    if a > 1: break\n"
                          "print('done')\nreturn s",
                          ""),
    "raises": ("s = 1.0\ntry:\n    for v in it:\n        s = s * x + v\nexcept ValueError:\n    s = s * 3.0\n"
               "return s",
               "it: raising()"),
    "raises_cut": ("s = 1.0\ntry:\n    for v in it:\n        s = s * x + 1.0 / (v - 2.0)\nexcept ZeroDivisionError:\n"
                   "    s = s * 3.0\nreturn s * sum(it)",
                   "it: gen()"),
    "masked": ("s = x * np.ones((2, 2))\nfor v in it:\n    s = s * v\nreturn np.sum(s)", "it: masked()"),
    "while_next": ("s = 1.0\nwhile True:\n    v = next(it, None)\n    if v is None: break\n    s = s * x + v\nreturn s",
                   "it: gen()"),
    "nested_call": ("s = 1.0\nfor v in it:\n    for u in gen(2):\n        s = s * x + u * v\nreturn s", "it: gen()"),
    "resumed2": ("w = np.ones(2)\nfor v in it:\n    w = v\n    break\ny = np.sum(x * w) * x\nfor u in it:\n"
                 "    y = y * np.sum(u)\nreturn y",
                 "it: It().arrays()"),
    "changes_item": ("s = x\nfor v in it:\n    v[0] = v[0] * 2.0\n    s = s + x * v[0] * s\nreturn s",
                     "it: It().copies()"),
    "changes_item_active": ("s = x\nfor v in it:\n    v[0] = x * 2.0\n    s = s + x * v[0] * s + v[1]\nreturn s",
                            "it: It().copies()"),
    "attr_iter": ("s = x\nfor v in it.stream():\n    s = s * x + v\n    if v > 1: break\nreturn s * it.i", "it: It()"),
    "global_state": (
        "global K\ns = 1.0\nfor v in changing():\n    s = s * x * K\nreturn s",
        "", "K = 1.0\ndef changing():\n    global K\n    for i in range(3):\n        K = K + 1.0\n        yield K"),
    "global_arr": ("s = 1.0\nfor v in changing():\n    s = s + s * np.sum(x * A)\nreturn s",
                   "",
                   "A = np.ones(2)\ndef changing():\n    for i in range(3):\n        A[0] += 1.0\n        yield 1.0"),
    "global_list": ("s = 1.0\nfor v in changing():\n    s = s * x * L[0]\nreturn s",
                    "", "L = [1.0]\ndef changing():\n    for i in range(3):\n        L[0] += 1.0\n        yield 1.0"),
    "local_arg_gen": ("s = 1.0\nw = np.ones(2)\nfor v in changing(w):\n    s = s + s * np.sum(x * w)\nreturn s",
                      "", "def changing(w):\n    for i in range(3):\n        w[0] += 1.0\n        yield 1.0"),
    "fn_given": ("s = 0.0\nfor v in it:\n    s = s + H(x, it) * s + x\nreturn s",
                 "it: It()",
                 "def H(y, j):\n    t = 0.0\n    for k in range(2):\n        t = t + np.sum(y * j.arr)\n    return t"),
    "fn_given_i": ("s = 0.0\nfor v in it:\n    s = s + H(x, it) * s + x\nreturn s",
                   "it: It()",
                   "def H(y, j):\n    t = 0.0\n    for k in range(2):\n        t = t * y + y * j.i\n    return t"),
    "size_attr": ("s = 1.0\nfor v in it:\n    s = s * x * it.size\nreturn s", "it: Sz()"),
    "reset_arr": ("s = 1.0\nfor v in it:\n    s = s + s * np.sum(x * it.pos)\nreturn s", "it: Rs()")}

X, H = 0.7, 1e-4
FIRST: dict[str, Callable[..., Any]] = {
    "value_and_grad": lambda f, *args: tnb.value_and_grad(f)(X, *args), "grad": lambda f, *args: tnb.grad(f)(X, *args),
    "raw": lambda f, *args: tnb.value_and_grad(f, optimized=False)(X, *args),
    "jvp": lambda f, *args: tnb.jvp(f)(X, *args, dx=1.0), "jacobian": lambda f, *args: tnb.jacobian(f)(X, *args),
    "split": lambda f, *args: _split(*tnb.pullback(f, X, *args))}
SECOND: dict[str, Callable[..., Any]] = {
    "second": lambda f, *args: tnb.grad(tnb.grad(f))(X, *args),
    "forward_over_reverse": lambda f, *args: tnb.jvp(tnb.grad(f))(X, *args, dx=1.0)}


def _split(value: Any, pull: Callable[[float], Any]) -> tuple[Any, Any]:
    return value, pull(1.0)


def _run(do: Callable[..., Any], body: str, argument: str, outside: str = "") -> tuple[Any, str, list[str]]:
    """What comes out, what is printed, and what is left of the iterators; each run has a program of its own."""
    name, _, given = argument.partition(": ")
    lines = "\n".join("    " + line for line in body.splitlines())
    space = sourced(f"{HEAD}\n{outside}\ndef f(x{', ' + name if name else ''}):\n{lines}\n", {
        "np": np, "tnb": tnb, "itertools": itertools, "collections": collections, "contextlib": contextlib, "io": io,
        "__name__": "iterators"})
    printed = io.StringIO()
    with contextlib.redirect_stdout(io.StringIO()):
        gc.collect()     # generators of earlier programs say here that they are closed
        args = [eval(given, space)] if given else []
    with contextlib.redirect_stdout(printed):
        value = do(space["f"], *args)
        left = [list(map(repr, itertools.islice(one, 9)))
                for one in (*args, space.get("GEN")) if hasattr(one, "__next__")]
    return value, printed.getvalue(), left


def _flat(value: Any) -> list[float]:
    return [float(np.ravel(one)[0]) for one in (value if isinstance(value, tuple) else (value,))]


def _judged(program: tuple[str, ...]) -> set[str]:
    """The modes in which it is refused."""
    below, expected, above = (_run(lambda f, *args, x=x: f(x, *args), *program) for x in (X - H, X, X + H))
    slope, curve = (above[0] - below[0]) / (2 * H), (above[0] - 2 * expected[0] + below[0]) / H ** 2
    refused = set()
    for mode, derive in {**FIRST, **SECOND}.items():
        try:
            found, printed, left = _run(derive, *program)
        except TangentError:
            refused.add(mode)
            continue
        due = curve if mode in SECOND else slope
        tolerance = 1e-3 if mode in SECOND else 1e-5
        np.testing.assert_allclose(_flat(found), [expected[0], due] if isinstance(found, tuple) else [due], tolerance,
                                   tolerance, err_msg=mode)
        assert mode == "jacobian" or (printed, left) == expected[1:], mode
    return refused


@pytest.mark.sampled(24)
@pytest.mark.parametrize("name", RIGHT)
def test_is_right(name: str) -> None:
    assert not _judged(RIGHT[name]) - SECOND.keys()


@pytest.mark.sampled(24)
@pytest.mark.parametrize("name", EITHER)
def test_is_right_or_refused(name: str) -> None:
    _judged(EITHER[name])
