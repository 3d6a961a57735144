"""Loops over what gives its items one by one, as they are found when a derivative is called."""
from __future__ import annotations

from .case import REVERSE, Case

CASES = [
    Case("item_that_is_given_again", """\
class Batches:
    def __iter__(self):
        batch = np.zeros(2)
        for k in range(3):
            batch[:] = k
            yield batch
def f(x, batches=Batches()):
    y = 0.0
    for batch in batches:
        y = y + np.sum(x * batch)
    return y
""", """\
an item of this loop has been changed since it was gone over, by what gives the items: let that give a copy of it, \
or a new one each time
  cell 1, line 9, column 5
    for batch in batches:
    ^^^^^^^^^^^^^^^^^^^^
""", """\
class Batches:
    def __iter__(self):
        batch = np.zeros(2)
        for k in range(3):
            batch[:] = k
            yield batch.copy()
def f(x, batches=Batches()):
    y = 0.0
    for batch in batches:
        y = y + np.sum(x * batch)
    return y
""", modes=(REVERSE,), at=(2.0,)),
    Case("attribute_that_a_loop_changes", """\
class Steps:
    def __iter__(self):
        self.state = np.zeros(2)
        for k in range(3):
            self.state += 1.0
            yield k
def f(x, steps=Steps()):
    y = 0.0
    for k in steps:
        y = y + np.sum(x * steps.state)
    return y
""", """\
what this loop goes over changes .state, which is read here: let a copy of it be read, np.array(...)
  cell 1, line 9, column 5
    for k in steps:
    ^^^^^^^^^^^^^^
""", """\
class Steps:
    def __iter__(self):
        self.state = np.zeros(2)
        for k in range(3):
            self.state += 1.0
            yield k
def f(x, steps=Steps()):
    y = 0.0
    for k in steps:
        y = y + np.sum(x * np.array(steps.state))
    return y
""", modes=(REVERSE,), at=(2.0,)),
    Case("object_given_away_that_a_loop_changes", """\
class Steps:
    def __iter__(self):
        self.state = np.zeros(2)
        for k in range(3):
            self.state += 1.0
            yield k
def energy(x, steps):
    for k in range(2):
        x = x + np.sum(x * steps.state)
    return x
def f(x, steps=Steps()):
    y = 0.0
    for k in steps:
        y = y + energy(x, steps)
    return y
""", """\
what this loop goes over changes an object that a function is given here: let a copy of it be read, np.array(...)
  cell 1, line 13, column 5
    for k in steps:
    ^^^^^^^^^^^^^^
""", """\
class Steps:
    def __iter__(self):
        self.state = np.zeros(2)
        for k in range(3):
            self.state += 1.0
            yield k
def energy(x, state):
    for k in range(2):
        x = x + np.sum(x * state)
    return x
def f(x, steps=Steps()):
    y = 0.0
    for k in steps:
        y = y + energy(x, np.array(steps.state))
    return y
""", modes=(REVERSE,), at=(2.0,)),
    Case("items_that_would_be_taken_beforehand", """\
import itertools
def f(x, weights=iter([1.0, 2.0])):
    y = x
    for w in itertools.chain([x], weights):
        y = y * w
        if y > 3.0:
            break
    return y
""", """\
weights gives its items one by one, and here they are all taken beforehand: pass a list of them, list(...)
  cell 1, line 4, column 5
    for w in itertools.chain([x], weights):
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", """\
import itertools
def f(x, weights=list(iter([1.0, 2.0]))):
    y = x
    for w in itertools.chain([x], weights):
        y = y * w
        if y > 3.0:
            break
    return y
""", at=(2.0,)),
    Case("lengths_of_an_iterator", """\
def f(x, weights=(w for w in [1.0, 2.0])):
    y, xs = x, [x, x * x]
    for v, w in zip(xs, weights, strict=True):
        y = y + v * w
    return y
""", """\
zip(strict=True) compares lengths, and weights has none: pass a list of its items, list(...)
  cell 1, line 3, column 5
    for v, w in zip(xs, weights, strict=True):
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", """\
def f(x, weights=list(w for w in [1.0, 2.0])):
    y, xs = x, [x, x * x]
    for v, w in zip(xs, weights, strict=True):
        y = y + v * w
    return y
""", at=(2.0,)),
]
