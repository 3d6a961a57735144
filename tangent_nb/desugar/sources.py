"""What `zip` and itertools make of generators, item by item, as Python's documentation writes them.

Needs a loop over such an iterator, of what a generator yields. Promises statements that yield the same items when it is
their turn, with the loop's body where they yield (`turns.py`).

    for a, b in zip(steps(x, 3), w):      →      place = 0
                                                 for item in steps(x, 3):
                                                     if place >= len(w):
                                                         return
                                                     value = w[place]
                                                     place = place + 1
                                                     yield item, value
"""
from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable, Sequence
from typing import Any

import gast

from ..syntax.building import clone, constant, expr, load, store
from ..syntax.nodes import literal, writes
from . import comprehensions, functions, iterators, lazy, stepping, turns, yielding
from .comprehensions import is_endless
from .state import State
from .templates import template, template_statements

Statements = list[gast.stmt]


def loop(desugar: State, stmt: gast.For) -> bool:
    """Emit a loop over what is made of a generator's items."""
    node: Any = stmt.iter
    fn = desugar.object(node.func) if isinstance(node, gast.Call) else None
    make = next((make for one, make in MADE if fn is one), None) if fn is not None else None
    if make is None or any(isinstance(a, gast.Starred) for a in node.args) or not iterators.yields(desugar, node):
        return False
    try:
        inspect.signature(make).bind(desugar, stmt, *node.args, **{str(k.arg): k.value for k in node.keywords})
    except TypeError:
        return False
    body = make(desugar, stmt, *node.args, **{str(k.arg): k.value for k in node.keywords})
    if body is not None:
        turns.put(desugar, stmt, body)
    return body is not None


def items(desugar: State, node: Any) -> gast.GeneratorExp | None:
    """What a generator yields as a generator expression."""
    if not isinstance(node, gast.Call) or yielding.started(desugar, node) is None:
        return None
    name = desugar.names.new("item")
    return gast.copy_location(
        gast.GeneratorExp(load(name), [gast.comprehension(store(name), node, [], 0)]), node)


def unpacked(desugar: State, node: Any, targets: Sequence[Any]) -> gast.expr | None:
    """The items that targets are bound to, where they are written in other words: of what a generator yields no more
    than show that there are more."""
    if not iterators.yields(desugar, node) or any(isinstance(one, gast.Starred) for one in targets):
        return iterators.listed(desugar, node)
    made = desugar.empty_list("items")
    template(desugar, """
        for item in xs:
            items.append(item)
            if len(items) > most:
                break""", xs=node, items=made, most=constant(len(targets)))
    return load(made)


def reduced(desugar: State, f: gast.expr, xs: Any, start: Sequence[Any]) -> gast.expr:
    """`functools.reduce(f, xs, start)` of what a generator yields."""
    if start:
        return template(desugar, "value = start\nfor item in xs:\n    value = f(value, item)\nvalue", f=f, xs=xs,
                        start=start[0])
    made = desugar.empty_list("values")
    return template(desugar, """
        for item in xs:
            values.append(f(values[-1], item) if values else item)
        rt.check_some(values)
        values[-1]""", f=f, xs=xs, values=made)


# ---------------------------------------------------------------------- by the functions that make them
def _zip(desugar: State, stmt: Any, *iterables: Any) -> Statements | None:
    going = [i for i, one in enumerate(iterables) if iterators.yields(desugar, one)]
    stepped = [stepping.can_step(desugar, iterables[i]) for i in going]
    if stepped.count(False) > 1:
        return None
    at, place = going[stepped.index(False) if False in stepped else 0], desugar.temporary("place")
    values = [desugar.temporary("item" if i == at else "value") for i in range(len(iterables))]
    asked: list[Statements] = [[], []]                     # what is asked for before the generator goes on, and after
    starts: Statements = []
    source: Any = None
    for i, one in enumerate(iterables):
        if i == at:
            source = lazy.fixed(desugar, one, writes([stmt.target, *stmt.body])) if isinstance(one, gast.Call) else one
        elif i in going:
            start, step = stepping.step(desugar, one, stmt, values[i], place)
            starts += start
            asked[i > at] += step
        else:
            start, step = _beside(desugar, one, values[i], place)
            starts += start
            asked[i > at] += step
    before, after = asked
    shown = gast.Tuple(list(map(load, values)), gast.Load())
    return template_statements(desugar, """
        place = 0
        starts
        before
        for item in source:
            after
            place = place + 1
            yield shown
            again""", again=clone(before) or _nothing(), place=place, starts=starts or _nothing(),
                   before=before or _nothing(), item=values[at], source=source, after=after or _nothing(), shown=shown)


def _nothing() -> Statements:
    return [gast.Pass()]


def _beside(desugar: State, node: Any, name: str, place: str) -> tuple[Statements, Statements]:
    """What begins, and what gives the next item, of what is gone over beside a generator: by its places."""
    if is_endless(desugar, node) and desugar.object(node.func) is itertools.count:
        start, step = iterators.counted(desugar, node)
        count = desugar.temporary("count")
        return template_statements(desugar, "count = start", count=count, start=start), \
            template_statements(desugar, "value = count\ncount = count + step", count=count, step=step, value=name)
    if is_endless(desugar, node) or comprehensions.is_lazy(desugar, node) and not _is_range(desugar, node):
        raise desugar.refused(node, "its items are computed one by one, beside those of a generator",
                              "a list of them: [...]")
    items = load(desugar.kept(turns.numbered(desugar, node), "items"))
    if desugar.carries(node):
        desugar.varied.add(items.id)
    return [], template_statements(desugar, "if place >= len(items):\n    return\nvalue = items[place]", place=place,
                                   items=items, value=name)


def _is_range(desugar: State, node: Any) -> bool:
    return isinstance(node, gast.Call) and desugar.object(node.func) is range


def _islice(desugar: State, stmt: Any, iterable: Any, first: Any, second: Any = None, /) -> Statements | None:
    start, stop = (constant(0), first) if second is None else (first, second)
    if literal(start, None) != 0 and not (type(literal(start, None)) is type(literal(stop, None)) is int
                                          and 0 <= literal(start) < literal(stop)):
        return None
    return template_statements(desugar, """
        place = 0
        if place < stop:
            for item in xs:
                place = place + 1
                if place > start:
                    yield item
                if place >= stop:
                    return""" if literal(start) else """
        place = 0
        if place < stop:
            for item in xs:
                place = place + 1
                yield item
                if place >= stop:
                    return""", xs=iterable, start=start, stop=desugar.named(stop, "stop"))


def _chain(desugar: State, stmt: Any, *iterables: Any) -> Statements:
    sources = [_evaluated(desugar, stmt, one) for one in iterables]
    return [stmt for one in sources for stmt in template_statements(desugar, "for item in xs:\n    yield item", xs=one)]


def _evaluated(desugar: State, stmt: Any, node: Any) -> Any:
    """What is gone over later, with its operands evaluated here."""
    if lazy.is_lazy(desugar, node):
        return lazy.fixed(desugar, node, writes([stmt.target, *stmt.body]))
    made = desugar.expr(node)
    return made if isinstance(made, gast.Constant) else load(desugar.kept(made, "items"))


def _pairwise(desugar: State, stmt: Any, iterable: Any, /) -> Statements:
    return template_statements(desugar, """
        last = []
        for item in xs:
            if len(last) > 0:
                yield last[-1], item
            last.append(item)""", xs=iterable, last=desugar.empty_list("last"))


def _accumulate(desugar: State, stmt: Any, iterable: Any, func: Any = None) -> Statements:
    f = None if func is None or isinstance(func, gast.Constant) else functions.steady(desugar, func)
    values, item = desugar.empty_list("values"), desugar.temporary("item")
    step = expr("made[-1] + item", made=values, item=item) if f is None \
        else expr("f(made[-1], item)", f=f, made=values, item=item)
    return template_statements(desugar, """
        for item in xs:
            values.append(step if values else item)
            yield values[-1]""", xs=iterable, values=values, item=item, step=step)


def _takewhile(desugar: State, stmt: Any, predicate: Any, iterable: Any, /) -> Statements:
    return template_statements(desugar, """
        for item in xs:
            if not holds(item):
                return
            yield item""", xs=iterable, holds=functions.steady(desugar, predicate))


def _dropwhile(desugar: State, stmt: Any, predicate: Any, iterable: Any, /) -> Statements:
    return template_statements(desugar, """
        drops = True
        for item in xs:
            if drops:
                drops = holds(item)
            if not drops:
                yield item""", xs=iterable, holds=functions.steady(desugar, predicate))


def _iter(desugar: State, stmt: Any, iterable: Any, /) -> Statements:
    return template_statements(desugar, "for item in xs:\n    yield item", xs=iterable)


MADE: tuple[tuple[Any, Callable[..., Statements | None]], ...] = (
    (zip, _zip), (iter, _iter), (itertools.islice, _islice), (itertools.chain, _chain),
    (itertools.pairwise, _pairwise), (itertools.accumulate, _accumulate), (itertools.takewhile, _takewhile),
    (itertools.dropwhile, _dropwhile))
