"""Iterators and generators, whose items are computed one by one."""
from __future__ import annotations

import numpy as np

from .case import Case

LONG = " + ".join(["1.0"] * 700)

CASES = [
    Case("loop_over_what_may_change", """\
import itertools
def f(x):
    y = x * 1.0
    z = y[1:]
    s = 0.0
    for v in itertools.chain(y, x):
        s = s + v
        z[1] = s
    return s
""", """\
cannot differentiate f
  cell 1, line 6, column 14
    for v in itertools.chain(y, x):
             ^^^^^^^^^^^^^^^^^^^^^
  why: the loop changes z, which may be what it goes over
  instead: a copy, made before the loop: items = list(itertools.chain(y, x))
""", """\
import itertools
def f(x):
    y = x * 1.0
    s = 0.0
    for v in itertools.chain(y, x):
        s = s + v
    return s
""", at=(np.array([0.5, 2.0, 1.0]),), typed_at=(np.array([0.5, 2.0, 1.0]),)),
    Case("items_that_read_what_the_loop_changes", """\
import itertools
def f(x):
    k = s = x
    for a in itertools.chain((v * k for v in (x, 2.0)), [x]):
        k = k + 1.0
        s = s + a
    return s
""", """\
cannot differentiate f
  cell 1, line 4, column 14
    for a in itertools.chain((v * k for v in (x, 2.0)), [x]):
             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  why: the items are computed one by one, when it is their turn, and read k, which the loop changes
  instead: items = list(...) before it, if all items may be computed first; \
or a loop that computes each item in its body
""", """\
import itertools
def f(x):
    k = s = x
    items = list(itertools.chain((v * k for v in (x, 2.0)), [x]))
    for a in items:
        k = k + 1.0
        s = s + a
    return s
"""),
    Case("items_that_print_in_a_loop", """\
import itertools
def g(v):
    print(v)
    return v * v
def f(x):
    s = x
    for a in itertools.accumulate(g(v) for v in (x, 2.0)):
        s = s + a
    return s
""", """\
cannot differentiate f
  cell 1, line 7, column 14
    for a in itertools.accumulate(g(v) for v in (x, 2.0)):
             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  why: the items are computed one by one, when it is their turn, and computing one may also change or print something
  instead: items = list(...) before it, if all items may be computed first; \
or a loop that computes each item in its body
""", """\
import itertools
def g(v):
    print(v)
    return v * v
def f(x):
    s = x
    items = list(itertools.accumulate(g(v) for v in (x, 2.0)))
    for a in items:
        s = s + a
    return s
"""),
    Case("items_that_may_raise", """\
import itertools
import math
def f(x):
    s = x
    for a in itertools.chain((math.log(v) for v in (x, -1.0)), [x]):
        s = s + a
        if s > 0:
            break
    return s
""", """\
cannot differentiate f
  cell 1, line 5, column 14
    for a in itertools.chain((math.log(v) for v in (x, -1.0)), [x]):
             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  why: the items are computed one by one, those after the end of the loop never, \
and computing one of those might raise an error
  instead: items = list(...) before it, if all items may be computed first; \
or a loop that computes each item in its body
""", """\
import itertools
import math
def f(x):
    s = x
    items = list(itertools.chain((math.log(v) for v in (x, 1.0)), [x]))
    for a in items:
        s = s + a
        if s > 0:
            break
    return s
"""),
    Case("generator_read_in_two_places", """\
def f(x):
    g = (i * i for i in range(5))
    s = x
    for j in g:
        s = s * j + x
        if j > 1:
            break
    return s + sum(g) * x
""", """\
cannot differentiate f
  cell 1, line 4, column 14
    for j in g:
             ^
  why: g is an iterator that is read in other places too: each takes only what the others have left
  instead: a list, which is there for each of them: g = list(...)
""", """\
def f(x):
    g = list(i * i for i in range(5))
    s = x
    for j in g:
        s = s * j + x
        if j > 1:
            break
    return s + sum(g) * x
"""),
    Case("endless_sum", """\
import itertools
def f(x):
    return sum(itertools.cycle([x]))
""", """\
cannot differentiate f
  cell 1, line 3, column 16
    return sum(itertools.cycle([x]))
               ^^^^^^^^^^^^^^^^^^^^
  why: it goes on for ever, and all its items are asked for
  instead: as many as are needed, islice(..., n); or a loop that breaks
""", """\
import itertools
def f(x):
    return sum(itertools.islice(itertools.cycle([x]), 3))
"""),
    Case("endless_list", """\
import itertools
def f(x):
    xs = list(itertools.repeat(x))
    return xs[0]
""", """\
cannot differentiate f
  cell 1, line 3, column 15
    xs = list(itertools.repeat(x))
              ^^^^^^^^^^^^^^^^^^^
  why: it goes on for ever, and all its items are asked for
  instead: as many as are needed, islice(..., n); or a loop that breaks
"""),
    Case("endless_comprehension", """\
import itertools
def f(x):
    xs = [x * i for i in itertools.count()]
    return xs[0]
""", """\
cannot differentiate f
  cell 1, line 3, column 26
    xs = [x * i for i in itertools.count()]
                         ^^^^^^^^^^^^^^^^^
  why: it goes on for ever, and all its items are asked for
  instead: as many as are needed, islice(..., n); or a loop that breaks
""", """\
import itertools
def f(x):
    xs = [x * i for i in itertools.islice(itertools.count(), 3)]
    return xs[1]
"""),
    Case("endless_zip", """\
import itertools
def f(x):
    xs = [a * b for a, b in zip(itertools.count(), itertools.cycle([x]))]
    return xs[0]
""", """\
cannot differentiate f
  cell 1, line 3, column 29
    xs = [a * b for a, b in zip(itertools.count(), itertools.cycle([x]))]
                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  why: it goes on for ever, and all its items are asked for
  instead: an end for one of them, as range(n) in place of count()
""", """\
import itertools
def f(x):
    s = 0.0
    for a, b in zip(range(5), itertools.cycle([x])):
        s = s + a * b
        if a > 3:
            break
    return s
"""),
    Case("combinations_of_how_many", """\
import itertools
def f(x, n=2):
    return sum(a[0] * a[-1] for a in itertools.combinations(x, n))
""", """\
cannot differentiate f
  cell 1, line 3, column 64
    return sum(a[0] * a[-1] for a in itertools.combinations(x, n))
                                                               ^
  why: how many items are taken together has to be known beforehand, and at most five
  instead: the number itself, from 1 to 5, in place of n
""", """\
import itertools
def f(x):
    return sum(a[0] * a[-1] for a in itertools.combinations(x, 2))
""", typed_at=(np.array([1.0, 2.0, 3.0]),)),
    Case("product_of_too_many", """\
import itertools
def f(x, n=2):
    return sum(a[0] * a[-1] for a in itertools.product(x, repeat=6))
""", """\
cannot differentiate f
  cell 1, line 3, column 66
    return sum(a[0] * a[-1] for a in itertools.product(x, repeat=6))
                                                                 ^
  why: how many items are taken together has to be known beforehand, and at most five
  instead: the number itself, from 1 to 5, in place of 6
"""),
    Case("permutations_of_all", """\
import itertools
def f(x):
    return sum(a[0] * a[1] for a in itertools.permutations(x))
""", """\
cannot differentiate f
  cell 1, line 3, column 60
    return sum(a[0] * a[1] for a in itertools.permutations(x))
                                                           ^
  why: how many items are taken together has to be known beforehand, and at most five
  instead: the number after it: permutations(x, 2)
""", """\
import itertools
def f(x):
    return sum(a[0] * a[-1] for a in itertools.permutations(x, 2))
""", typed_at=(np.array([1.0, 2.0, 3.0]),)),
    Case("islice_below_zero", """\
import itertools
def f(x):
    return sum(itertools.islice([x, x * x], -1))
""", """\
cannot differentiate f
  cell 1, line 3, column 45
    return sum(itertools.islice([x, x * x], -1))
                                            ^^
  why: islice takes no negative bounds
  instead: a slice of a list, which does: list(...)[i:j]
""", """\
import itertools
def f(x):
    return sum(list([x, x * x])[0:-1])
"""),
    Case("islice_without_an_end", """\
import itertools
def f(x):
    return sum(itertools.islice((x * i for i in range(4)), 2, None))
""", """\
cannot differentiate f
  cell 1, line 3, column 33
    return sum(itertools.islice((x * i for i in range(4)), 2, None))
                                ^^^^^^^^^^^^^^^^^^^^^^^^^
  why: islice has no end here, and its items are computed one by one
  instead: an end, islice(..., start, stop); or a slice of a list, [...][start:]
""", """\
import itertools
def f(x):
    return sum([x * i for i in range(4)][2:])
"""),
    Case("islice_of_two_loops", """\
import itertools
def f(x):
    return sum(itertools.islice((x * i * j for i in range(4) for j in range(3)), 5))
""", """\
cannot differentiate f
  cell 1, line 3, column 33
    return sum(itertools.islice((x * i * j for i in range(4) for j in range(3)), 5))
                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  why: islice stops in the middle of a generator expression that has several loops
  instead: a slice of a list in its place, [...][:n]
""", """\
import itertools
def f(x):
    return sum([x * i * j for i in range(4) for j in range(3)][:5])
"""),
    Case("reduce_of_nothing", """\
from functools import reduce
class P:
    def __init__(self, a):
        self.a = a
    def total(self, *ps):
        return reduce(lambda a, b: a + b, ps)
def f(x):
    return x * P(x).total()
""", """\
cannot differentiate f
  cell 1, line 6, column 16
    return reduce(lambda a, b: a + b, ps)
           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  why: reduce has no items here, and no start: Python raises an error
  instead: a start, as the third argument
""", """\
from functools import reduce
class P:
    def __init__(self, a):
        self.a = a
    def total(self, *ps):
        return reduce(lambda a, b: a + b, ps, 1.0)
def f(x):
    return x * P(x).total()
"""),
    Case("loop_over_combinations_that_grow", """\
import itertools
def f(x):
    A = [x, x * x]
    s = 0.0
    for a, b in itertools.combinations(A, 2):
        A.append(x)
        s = s + a * b
    return s
""", """\
cannot differentiate f
  cell 1, line 5, column 17
    for a, b in itertools.combinations(A, 2):
                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  why: the loop goes over A, and changes it
  instead: a copy of it, made before the loop: items = list(A)
""", """\
import itertools
def f(x):
    A = [x, x * x]
    s = 0.0
    items = list(A)
    for a, b in itertools.combinations(items, 2):
        A.append(x)
        s = s + a * b
    return s
"""),
    Case("generator_that_would_see_errors", """\
def g(xs):
    for v in xs:
        try:
            yield 1.0 / v
        except ZeroDivisionError:
            yield 0.0
def f(x):
    s = 0.0
    for v in g([x, 2.0]):
        s = s + 1.0 / v
    return s
""", """\
cannot differentiate f
  cell 1, line 9, column 14
    for v in g([x, 2.0]):
             ^^^^^^^^^^^
  why: the generator g yields in a try or with, which would see the errors of the loop
  instead: items = list(...) before it, if all items may be computed first; or a loop that computes each item in \
its body
""", """\
def g(xs):
    for v in xs:
        try:
            yield 1.0 / v
        except ZeroDivisionError:
            yield 0.0
def f(x):
    s = 0.0
    items = list(g([x, 2.0]))
    for v in items:
        s = s + 1.0 / v
    return s
"""),
    Case("generator_that_finishes_later", """\
def g(xs):
    try:
        yield from xs
    finally:
        print(end='')
def f(x):
    items = g([x, x * x])
    for v in items:
        y = v * v
        break
    return y
""", """\
cannot differentiate f
  cell 1, line 8, column 14
    for v in items:
             ^^^^^
  why: the generator g has a finally, and the loop leaves it, which ends it when nothing holds it any more
  instead: items = list(...) before it, if all items may be computed first; or a loop that computes each item in \
its body
""", """\
def g(xs):
    try:
        yield from xs
    finally:
        print(end='')
def f(x):
    items = list(g([x, x * x]))
    for v in items:
        y = v * v
        break
    return y
"""),
    Case("functions_for_the_items_of_a_generator", """\
def g(x):
    yield x
    yield x * x
def f(x):
    s = 0.0
    for v in g(x):
        s = s + (lambda t: t * v)(s + 1.0)
    return s
""", """\
cannot differentiate f
  cell 1, line 6, column 14
    for v in g(x):
             ^^^^
  why: the generator g yields in 2 places, and the loop defines a function for each item
  instead: items = list(...) before it, if all items may be computed first; or a loop that computes each item in \
its body
""", """\
def g(x):
    yield x
    yield x * x
def f(x):
    s = 0.0
    items = list(g(x))
    for v in items:
        s = s + (lambda t: t * v)(s + 1.0)
    return s
"""),
    Case("iterator_that_a_generator_takes_twice", """\
def g(items):
    for v in items:
        yield v
    for v in items:
        yield v * v
def f(x):
    s = 0.0
    for v in g(x * k for k in (1.0, 2.0)):
        s = s + v
    return s
""", """\
cannot differentiate f
  cell 1, line 8, column 15
    for v in g(x * k for k in (1.0, 2.0)):
              ^^^^^^^^^^^^^^^^^^^^^^^^^^^
  why: the items of this argument are computed one by one, and the function that is given it does more than to go \
over it once
  instead: a list, if all items may be computed first: list(...)
""", """\
def g(items):
    for v in items:
        yield v
    for v in items:
        yield v * v
def f(x):
    s = 0.0
    for v in g(list(x * k for k in (1.0, 2.0))):
        s = s + v
    return s
"""),
    Case("iterator_beside_a_generator", """\
def g(x):
    yield x
    yield x * x
def f(x):
    s = 0.0
    for v, w in zip(g(x), (x * k for k in (1.0, 2.0))):
        s = s + v * w
    return s
""", """\
cannot differentiate f
  cell 1, line 6, column 27
    for v, w in zip(g(x), (x * k for k in (1.0, 2.0))):
                          ^^^^^^^^^^^^^^^^^^^^^^^^^^^
  why: its items are computed one by one, beside those of a generator
  instead: a list of them: [...]
""", """\
def g(x):
    yield x
    yield x * x
def f(x):
    s = 0.0
    for v, w in zip(g(x), [x * k for k in (1.0, 2.0)]):
        s = s + v * w
    return s
"""),
    Case("nested_generator_kept", """\
def f(x):
    def g():
        yield x
        yield x * x
    items = g()
    return next(items) * next(items)
""", """\
cannot differentiate f
  cell 1, line 5, column 13
    items = g()
            ^
  why: a generator is started here, and what takes its items is not known beforehand
  instead: a loop over it where it is started; or a list of all its items: list(...)
""", """\
def f(x):
    def g():
        yield x
        yield x * x
    items = list(g())
    return items[0] * items[1]
"""),
    Case("dict_beside_a_generator", """\
def g(x):
    yield x
    yield x * x
def f(x, weights={1.0: 2.0, 3.0: 4.0}):
    s = 0.0
    for v, w in zip(g(x), weights):
        s = s + v * w
    return s
""", """\
weights is gone over beside a generator, by the places of its items, and is of type dict: pass a list of them, \
list(...)
  cell 1, line 6, column 5
    for v, w in zip(g(x), weights):
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", """\
def g(x):
    yield x
    yield x * x
def f(x, weights=list({1.0: 2.0, 3.0: 4.0})):
    s = 0.0
    for v, w in zip(g(x), weights):
        s = s + v * w
    return s
""", at=(2.0,)),
    Case("loop_too_long_for_a_generator", f"""\
def g(x):
    yield x
    yield x * x
    yield x * x * x
def f(x):
    s = 0.0
    for v in g(x):
        s = s + v * ({LONG})
    return s
""", """\
cannot differentiate f
  cell 1, line 7, column 14
    for v in g(x):
             ^^^^
  why: the generator g yields in 3 places, and the loop is too long to be written in each
  instead: items = list(...) before it, if all items may be computed first; \
or a loop that computes each item in its body
"""),
]
