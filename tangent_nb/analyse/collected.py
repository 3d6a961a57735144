"""What is a sequence, or another container, whose items are all there: a list of them may be made before the first one
is taken.

    for i, a in enumerate([1, 2]):      items = list(enumerate([1, 2]))
    for a in batches:                   items = rt.recorded(batches)         each item is taken when it is its turn

Needs a body. Promises the names and expressions whose value is such a container, or an iterator of Python over some
that is made there and then. Of an argument, a variable outside and what an unknown call gives that is not known: it may
be an iterator, which others ask too, which never ends, or whose code does more than to give items.
"""
from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import gast

from ..rules import methods_named
from ..syntax.program import MISSING
from .displays import names_made
from .effects import is_pure
from .objects import is_shape
from .resolve import Scope

DISPLAYS = (gast.List, gast.Tuple, gast.Dict, gast.Set, gast.ListComp, gast.SetComp, gast.DictComp, gast.Constant,
            gast.JoinedStr)


def collected(body: Sequence[gast.stmt], parameters: Sequence[str], scope: Scope) -> set[str]:
    """The names that stand for such containers, and for nothing else."""
    return names_made(body, parameters, lambda value, found: is_collected(value, found, scope))


def is_collected(node: Any, names: Collection[str], scope: Scope) -> bool:
    """The items of an expression are all there. names: those that stand for what is `collected`."""
    if isinstance(node, DISPLAYS):
        return True
    if isinstance(node, gast.Name):
        return node.id in names
    if isinstance(node, gast.BinOp):
        return any(is_collected(side, names, scope) for side in (node.left, node.right))
    if isinstance(node, gast.IfExp):
        return is_collected(node.body, names, scope) and is_collected(node.orelse, names, scope)
    if isinstance(node, gast.Subscript):
        return isinstance(node.slice, gast.Slice) and is_collected(node.value, names, scope)
    if isinstance(node, gast.Attribute):
        return is_shape(node.attr)
    return isinstance(node, gast.Call) and _is_given(node, names, scope)


def _is_given(node: gast.Call, names: Collection[str], scope: Scope) -> bool:
    if scope.value(node.func) is MISSING:
        rows = methods_named(node.func.attr) if isinstance(node.func, gast.Attribute) else ()
        return bool(rows) and all(row.gives in ("new", "view", "shares") for row in rows) \
            and is_collected(node.func.value, names, scope)
    row = scope.effects(node)
    if row.gives == "iterator":
        given = [arg for arg in node.args if not (row.calls and arg is node.args[0])]
        return bool(scope.builtin(node) and given) and is_pure(node, scope) and is_collected(given[0], names, scope) \
            and (row.iterates != {"several"} or all(is_collected(arg, names, scope) for arg in given))
    return row.written != "" and row.pure and row.gives in ("new", "plain", "view", "shares")
