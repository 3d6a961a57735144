"""Comprehensions and keys that stay change nothing that carries a derivative, and put nothing that does into
anything: refused; a cached call of constants gives the object that it gave before."""
from __future__ import annotations

import functools
from collections import deque

import numpy as np
import pytest

import tangent_nb as tnb
from tangent_nb.errors import TangentError

V = np.array([1.0, 2.0, -1.0])


def appended(o, p):
    o.append(p)
    return len(o)


class Seen:
    def __init__(self):
        self.v = 0.0

    def see(self, p):
        self.v = self.v + p
        return self.v > 1


def changed(y, k):
    y[0] += k
    return y[0] > 1


def grown(x):
    o = []
    n = [1 for i in range(2) if o.append(i * x) is None]
    return sum(o) * len(n)


def grown_by_a_key(x):
    o = []
    s = max([x, 0.3], key=lambda p: o.append(p) or p)
    return sum(o) * s


def grown_by_a_key_of_constants(x):
    o = []
    n = sorted([3, 1, 2], key=lambda p: o.append(p * x) or p)
    return sum(o) * n[0]


def grown_by_a_helper(x):
    o = []
    n = [1 for k in [x, x * x] if appended(o, k) > 1]
    return sum(o) * sum(n)


def grown_by_a_generator(x):
    o = []
    n = any(o.append(p * x) for p in (1, 2))
    return sum(o) + float(n)


def shrunk(x):
    o = [x, 2 * x, x]
    n = [k for k in range(2) if o.pop(0) > 0.5]
    return sum(o) * len(n)


def shrunk_deque(x):
    o = deque([x, 2 * x, x])
    n = [k for k in range(2) if o.popleft() > 0.5]
    return sum(o) * len(n)


def object_changed(x):
    o = Seen()
    n = [1 for p in [x, 2 * x] if o.see(p)]
    return o.v * len(n)


def array_changed(x):
    y = V * x
    n = [1 for p in [x, 2 * x] if changed(y, p)]
    return y.sum() * len(n)


def array_filled(x):
    y = V * x
    n = [1 for i in range(2) if y.fill(i + 1.0) is None]
    return y.sum() * len(n)


def array_copied_into(x):
    y = V * x
    n = [1 for r in (1, 2) if np.copyto(y, r) is None]
    return y.sum() * len(n)


@pytest.mark.parametrize("f", [
    grown, grown_by_a_key, grown_by_a_key_of_constants, grown_by_a_helper, grown_by_a_generator, shrunk, shrunk_deque,
    object_changed, array_changed, array_filled, array_copied_into])
def test_what_an_expression_changes_is_refused(f):
    for derive in (tnb.grad, lambda f: tnb.grad(f, optimized=False), tnb.jvp):
        with pytest.raises(TangentError):
            derive(f)(0.63, **({"dx": 1.0} if derive is tnb.jvp else {}))


def doubled(i):
    return i * 2


def counted(x):
    i = 7
    n = [round(doubled(i) * x) for i in range(3)]
    return n[1] * x + i * x


def seen_constants(x):
    o = []
    n = [i for i in range(3) if o.append(i) is None]
    return x * x * len(o) * len(n)


@functools.cache
def once(n):
    return (i * 1.0 for i in range(n))


@functools.cache
def listed(n):
    return [1.0] * n


def gone_over_once(x):
    return sum(once(3)) * x + sum(once(3)) * x * x


def the_same_object(x):
    first = listed(2)
    return x * x if listed(2) is first else x


@pytest.mark.parametrize("f", [counted, seen_constants, gone_over_once, the_same_object])
def test_what_changes_nothing_differentiated_stays(f):
    values = []
    for x in (0.63 - 1e-6, 0.63 + 1e-6):
        once.cache_clear()
        values.append(f(x))
    for derive in (tnb.grad, lambda f: tnb.grad(f, optimized=False), tnb.jvp):
        df = derive(f)
        once.cache_clear()
        assert df(0.63, **({"dx": 1.0} if derive is tnb.jvp else {})) == pytest.approx((values[1] - values[0]) / 2e-6)
