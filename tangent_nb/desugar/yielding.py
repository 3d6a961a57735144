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
from collections.abc import Collection, Iterator
from typing import Any

import gast
import numpy as np

from ..analyse.libraries import is_user_class
from ..runtime.containers import is_generated_method
from ..syntax.building import load
from ..syntax.nodes import names_in, nodes_in
from . import inlining, objects
from .arguments import starred
from .listings import is_generator, listing
from .purity import is_calm
from .scopes import free
from .state import State
from .values import member_of


def generator_of(desugar: State, node: Any) -> tuple[types.FunctionType, list[gast.expr]] | None:
    """The generator that a call is known to start, and what comes before its arguments: the object of a method."""
    func = node.func if isinstance(node, gast.Call) else None
    if not isinstance(func, (gast.Name, gast.Attribute)) or starred(node):
        return None
    fn, first = desugar.object(func), []
    if isinstance(func, gast.Attribute) and not isinstance(fn, types.FunctionType):
        base = objects.value_of(desugar, func.value)
        found = None if base is None or func.attr in base.attributes else member_of(base.kind, func.attr)
        fn, first = (found[1], [func.value]) if found is not None and found[0] == "method" else (None, [])
    if not is_generator(fn) or (made := listing(desugar.texts, fn)) is None:
        return None
    asked = [objects.value_of(desugar, one) for one in _reads(desugar, made, first, node)
             if isinstance(one, (gast.Name, gast.Attribute))]
    return (fn, first) if all(one is None or _only_computes(desugar, one.kind) for one in asked) else None


def _only_computes(desugar: State, kind: type) -> bool:
    """The properties and operators of a class of the user, and its methods that are called as an array's, change
    nothing."""
    held = [(name, one) for owner in kind.__mro__[:-1] if is_user_class(owner) for name, one in vars(owner).items()]
    asked: list[Any] = [one for name, one in held if isinstance(one, types.FunctionType)
                        and hasattr(np.ndarray, name) | (name[:2] == name[-2:] == "__")
                        and not is_generated_method(one)]
    asked += [one.fget for _, one in held if isinstance(one, property)]
    return all(is_calm(desugar, one) for one in asked if one is not None and not one.__name__.endswith("init__"))


def may_go_on(desugar: State, node: Any) -> bool:
    """A generator starts somewhere in an expression of which nobody knows that it ends, unless all is taken."""
    for call in nodes_in(node):
        found = generator_of(desugar, call) if isinstance(call, gast.Call) else None
        if found is None:
            continue
        captured = desugar.texts.unit(listing(desugar.texts, found[0])).captured
        called = [captured.namespace.resolve(part.func, frozenset()) for part in nodes_in(captured.tree)
                  if isinstance(part, gast.Call)]
        if any(isinstance(part, gast.While) for part in nodes_in(captured.tree)) \
                or any(is_generator(fn) or getattr(fn, "__module__", "") == "itertools" for fn in called):
            return True
    return False


def reads_memory(desugar: State, node: Any) -> bool:
    """A generator reads what may change while its items are taken: more than numbers that are written down, functions
    and modules."""
    if not isinstance(node, gast.Call) or generator_of(desugar, node) is None:
        return False
    fixed = (types.FunctionType, types.BuiltinFunctionType, types.ModuleType, type)
    return not all(isinstance(one, gast.Constant) or isinstance(desugar.object(one), fixed)
                   for one in reads(desugar, node))


def takes_from(desugar: State, node: Any, names: Collection[str]) -> bool:
    """A generator in an expression may take items of what these names mean, or go on where others end."""
    calls = [one for one in nodes_in(node) if isinstance(one, gast.Call) and generator_of(desugar, one) is not None]
    taken = {name for call in calls for part in reads(desugar, call) for name in names_in(part)}
    return bool((taken & set(names) & desugar.local) - desugar.varied) or may_go_on(desugar, node)


def reads(desugar: State, node: gast.Call) -> Iterator[gast.expr]:
    """What a generator reads when its items are computed: its arguments, and variables outside."""
    found = generator_of(desugar, node)
    assert found is not None
    return _reads(desugar, listing(desugar.texts, found[0]), found[1], node)


def _reads(desugar: State, made: Any, first: list[gast.expr], node: gast.Call) -> Iterator[gast.expr]:
    yield from [*first, *node.args, *(k.value for k in node.keywords)]
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
