"""Names of objects about which is asked whether they are one: what they stand for cannot be written in another way.

    b = v[1]                       b = v[1]
    b += x                  →      v[1] += x            # b is b, and v[1] is v[1] is not
    c = 1.0 if b is b else 2.0     c = 1.0 if b is b else 2.0

`is` asks it, and `in` and whatever looks for an item in a list; so do functions of the user, of what they are given.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import gast

from ..rules.effects import methods_named
from ..syntax.nodes import nodes_of, walk
from ..syntax.program import MISSING
from .one_memory import one_memory, with_others
from .resolve import Operation, Scope

ASKING = (gast.Is, gast.IsNot, gast.In, gast.NotIn)


def identified(body: Sequence[gast.stmt], scope: Scope) -> set[str]:
    """The names of which it is asked, where another that is asked of may be the same. Functions of the user that ask
    have marks."""
    questions = [[name.id for name in nodes_of(question, gast.Name)]
                 for node in walk(list(body)) for question in _questions(node, scope)]
    if not questions:
        return set()
    shared = one_memory(body, scope, views=True)
    found: set[str] = set()
    for names in questions:
        groups = [with_others([name], shared) for name in names]
        found |= {name for name, own in zip(names, groups, strict=True)
                  if sum(not own.isdisjoint(other) for other in groups) > 1}
    return with_others(found, one_memory(body, scope)) if found else found


def _questions(node: Any, scope: Scope) -> Iterable[list[gast.expr]]:
    """What is compared in a comparison, or in a call."""
    if isinstance(node, gast.Compare):
        return _compared(node, scope)
    return [[*node.args, *(k.value for k in node.keywords), node.func]] \
        if isinstance(node, gast.Call) and _looks(node, scope) else []


def asks(body: Sequence[gast.stmt], scope: Scope, again: Callable[[Operation], bool]) -> bool:
    """A function of the user may ask it of what it is given. again: the same of a function that it calls."""
    for node in walk(list(body)):
        if isinstance(node, gast.Compare) and any(_compared(node, scope)):
            return True
        if isinstance(node, gast.Call):
            if _looks(node, scope) or again(scope.operation(node)):
                return True
    return False


def _compared(node: gast.Compare, scope: Scope) -> Iterator[list[gast.expr]]:
    """The pairs of operands of which it is asked; what is known before the function runs, as None and classes are,
    is no part that the function takes."""
    operands = [node.left, *node.comparators]
    for op, left, right in zip(node.ops, operands, operands[1:], strict=False):
        if isinstance(op, ASKING) and not any(
                isinstance(one, gast.Constant) or scope.value(one) is not MISSING for one in (left, right)):
            yield [left, right]


def _looks(node: gast.Call, scope: Scope) -> bool:
    """A call that looks for an item."""
    by_name = scope.value(node.func) is MISSING and isinstance(node.func, gast.Attribute)
    rows = methods_named(node.func.attr) if by_name else (scope.effects(node),)
    return hasattr(node, "identifies") or any(row.finds for row in rows)
