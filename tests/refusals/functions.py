"""Functions of other kinds: generators, coroutines, and what they return."""
from __future__ import annotations

from .case import Case

CASES = [
    Case("generator", """\
def f(x):
    yield x
    yield x * x
""", """\
cannot differentiate f
  cell 1, line 1, column 1
    def f(x):
    ^^^^^^^^
  why: it is a generator (it yields): it stops and goes on as its caller wishes.
  instead: collect the values in a list, and return them.
""", """\
def f(x):
    items = [x, x * x]
    return sum(items)
"""),
    Case("yield_from", """\
def f(x):
    yield from [x, x * x]
""", """\
cannot differentiate f
  cell 1, line 1, column 1
    def f(x):
    ^^^^^^^^
  why: it is a generator (it yields): it stops and goes on as its caller wishes.
  instead: collect the values in a list, and return them.
"""),
    Case("nested_generator", """\
def f(x):
    def g():
        yield x
        yield x * x
    made = [g]
    return sum(made[0]())
""", """\
cannot differentiate f
  cell 1, line 2, column 5
    def g():
    ^^^^^^^
  why: the nested function g is a generator (it yields)
  instead: collect the values in a list, and return them
""", """\
def f(x):
    def g():
        return [x, x * x]
    return sum(g())
"""),
    Case("called_generator", """\
def g(x):
    yield x * x

def f(x):
    a = g(x)
    return a
""", """\
cannot differentiate f: 2 places
  cell 1, line 1, column 1
    def g(x):
    ^^^^^^^^
  why: it is a generator (it yields): it stops and goes on as its caller wishes.
  instead: collect the values in a list, and return them.

  cell 1, line 5, column 9
    a = g(x)
        ^^^^
  why: g is called, and it is a generator (it yields): it stops and goes on as its caller wishes.
  instead: collect the values in a list, and return them.
""", """\
def g(x):
    return [x * x]

def f(x):
    return sum(g(x))
"""),
    Case("async_def", """\
async def f(x):
    return x * x
""", """\
cannot differentiate f
  cell 1, line 1, column 1
    async def f(x):
    ^^^^^^^^^^^^^^
  why: it is a coroutine (async def): its result is not a value but something to await.
  instead: write a plain def, and await outside of it.
""", """\
def f(x):
    return x * x
"""),
    Case("await", """\
async def f(x):
    y = await x
    return y * x
""", """\
cannot differentiate f
  cell 1, line 1, column 1
    async def f(x):
    ^^^^^^^^^^^^^^
  why: it is a coroutine (async def): its result is not a value but something to await.
  instead: write a plain def, and await outside of it.
"""),
    Case("nested_async_def", """\
def f(x):
    async def g():
        return x
    return x * x
""", """\
cannot differentiate f
  cell 1, line 2, column 5
    async def g():
    ^^^^^^^^^^^^^
  why: an async def is not differentiated
  instead: a plain def
""", """\
def f(x):
    def g():
        return x
    return x * x
"""),
    Case("missing_source", """\
exec('def h(x): return x * x')

def f(x):
    return h(x)
""", """\
cannot differentiate f
  cell 1, line 4, column 12
    return h(x)
           ^^^^
  why: h is called, and it has no source text: it was defined by exec or eval, or its file is gone.
  instead: put it in a file or in a notebook cell.
""", """\
def h(x): return x * x

def f(x):
    return h(x)
"""),
    Case("no_return", """\
def f(x):
    y = x * x
""", """\
cannot differentiate f
  cell 1, line 1, column 1
    def f(x):
    ^^^^^^^^
  why: it returns nothing
  instead: return a number or an array
""", """\
def f(x):
    y = x * x
    return y
"""),
    Case("no_return_on_a_path", """\
def f(x):
    if x > 5.0:
        return x * x
""", """\
cannot differentiate this call, which reaches this place
  cell 1, line 1, column 1
    def f(x):
    ^^^^^^^^
  why: a path through it ends without return, and so returns None
  instead: return a number or an array on every path
""", """\
def f(x):
    if x > 5.0:
        return x * x
    return x
""", at=(2.0,)),
    Case("returns_none", """\
def f(x):
    y = x * x
    return None
""", """\
cannot differentiate f
  cell 1, line 3, column 5
    return None
    ^^^^^^^^^^^
  why: it returns None
  instead: return a number or an array
"""),
]
