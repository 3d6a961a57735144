"""Calls of generators as lists of all that they yield.

Needs a call of a generator whose text is there (`listings.py`). Promises the body in the place of the call, where all
items are taken, and computing them does nothing else: that they are computed one by one, when it is their turn, cannot
be told then.

    sum(steps(x, 3))      →      items = []
                                 for i in range(3):
                                     x_1 = np.sin(x_1)
                                     items.append(x_1)
                                 sum(items)
"""
from __future__ import annotations

import types
from collections.abc import Iterator
from typing import Any

import gast

from ..syntax.building import load
from . import inlining, objects
from .listings import is_generator, listing
from .scopes import free
from .state import State
from .values import member_of


def generator_of(desugar: State, node: Any) -> tuple[types.FunctionType, list[gast.expr]] | None:
    """The generator that a call is known to start, and what comes before its arguments: the object of a method."""
    func = node.func if isinstance(node, gast.Call) else None
    if not isinstance(func, (gast.Name, gast.Attribute)):
        return None
    fn, first = desugar.object(func), []
    if isinstance(func, gast.Attribute) and not isinstance(fn, types.FunctionType):
        base = objects.value_of(desugar, func.value)
        found = None if base is None or func.attr in base.attributes else member_of(base.kind, func.attr)
        fn, first = (found[1], [func.value]) if found is not None and found[0] == "method" else (None, [])
    return (fn, first) if is_generator(fn) and listing(desugar.texts, fn) is not None else None


def reads(desugar: State, node: gast.Call) -> Iterator[gast.expr]:
    """What a generator reads when its items are computed: its arguments, and variables outside."""
    found = generator_of(desugar, node)
    assert found is not None
    fn, first = found
    yield from [*first, *node.args, *(k.value for k in node.keywords)]
    made = listing(desugar.texts, fn)
    yield from map(load, sorted(free(desugar.texts.unit(made).captured.tree)))


def written(desugar: State, node: gast.Call, args: list[Any], keywords: dict[str, Any]) -> gast.expr:
    """The list of all items."""
    found = generator_of(desugar, node)
    assert found is not None
    fn, first = found
    if first:
        value: Any = objects.value_of(desugar, first[0])
        if value.path is not None:
            desugar.assume_member(value.path, value.kind, node.func.attr, fn)
    else:
        desugar.assume(node.func, fn)
    return inlining.inline(desugar, listing(desugar.texts, fn), [*first, *args], keywords)
