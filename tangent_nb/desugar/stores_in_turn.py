"""Assignments to several targets that store: Python evaluates the values first, and keeps the objects, so that a view
stays a view; then it stores from left to right.

Needs an assignment whose targets are met by the items of a display. Promises assignments of one value each in that
order, so that what is kept is read as any other name of an array, a list or an object.

    y[0], (z, i), y[i] = w, (y[:2], 1), f(x)      →      item = y[:2]
                                                         item_1 = f(x)
                                                         y[0] = w
                                                         z = item
                                                         i = 1
                                                         y[i] = item_1
"""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import gast

from ..syntax.building import clone, load, store
from ..syntax.nodes import is_atom, is_literal, stores, target_names
from .purity import computes, may_be_set
from .state import State

SEVERAL = (gast.Tuple, gast.List)


def written(desugar: State, stmt: gast.Assign) -> bool:
    """Emit such an assignment one by one; whether it is one."""
    target, value = stmt.targets[0], stmt.value
    if len(stmt.targets) > 1 or not isinstance(target, SEVERAL) or not stores([target]) and not (
            desugar.attempts and _is_display(value) and not all(map(is_atom, value.elts[1:]))):     # that may raise
        return False
    if isinstance(value, gast.IfExp) and any(map(_is_display, (value.body, value.orelse))):
        ways = [[_given(desugar, stmt, clone(target), way)] for way in (value.body, value.orelse)]
        desugar.statement(desugar.placed(gast.copy_location(gast.If(value.test, *ways), stmt)))
        return True
    pairs = list(_pairs(target, value))
    if len(pairs) == 1 and pairs[0][0] is target:
        return False
    bound = {name for one, _ in pairs for name in target_names(one)}
    targets, items = [one for one, _ in pairs], [item for _, item in pairs]
    kept = [_kept(desugar, stmt, item, bound, [*items[i + 1:], *targets]) for i, item in enumerate(items)]
    for (one, _), item in zip(pairs, kept, strict=True):
        desugar.statement(_given(desugar, stmt, one, item))
    return True


def by_names(desugar: State, target: Any) -> tuple[Any, list[gast.stmt]]:
    """The target of a loop with names of ours from the first part of something on, and the assignments that give these
    to what is meant, from left to right: `for i, item in pairs:` and `y[i] = item`, for `for i, y[i] in pairs:`."""
    first: list[gast.stmt] = []

    def named(one: Any) -> Any:
        if isinstance(one, SEVERAL):
            return type(one)([named(part) for part in one.elts], gast.Store())
        if not first and isinstance(one, gast.Name):
            return one
        name = desugar.temporary("item")
        first.append(gast.copy_location(gast.Assign([one], load(name), None), one))
        return store(name)

    return named(target), first


def _is_display(node: Any) -> bool:
    return isinstance(node, SEVERAL) and not any(isinstance(one, gast.Starred) for one in node.elts)


def _pairs(target: Any, value: Any) -> Iterator[tuple[Any, Any]]:
    """The targets with what they get; a target of several without a display of as many gets the value as it is."""
    if not isinstance(target, SEVERAL) or not _is_display(value):
        yield target, value
        return
    stars = [i for i, one in enumerate(target.elts) if isinstance(one, gast.Starred)]
    targets, items, more = list(target.elts), list(value.elts), len(value.elts) - len(target.elts)
    if stars and more >= -1:
        first, last = stars[0], stars[0] + more + 1
        targets[first] = targets[first].value
        items[first:last] = [gast.copy_location(gast.List(items[first:last], gast.Load()), value)]
    if len(targets) != len(items):                         # Python raises
        yield target, value
        return
    for one, item in zip(targets, items, strict=True):
        yield from _pairs(one, item)


def _kept(desugar: State, stmt: gast.Assign, item: Any, bound: set[str], later: Sequence[Any]) -> Any:
    """What a target gets when the values have been evaluated: a name of ours, or what means the same then. bound: the
    names that the targets bind; later: what is evaluated after the item."""
    if is_literal(item) or isinstance(item, gast.Lambda) and not [*item.args.defaults, *item.args.kw_defaults] \
            or isinstance(item, gast.Name) and item.id not in bound \
            and all(computes(desugar, one, ()) for one in later):
        return item
    name = desugar.temporary("item")
    desugar.temporaries.add(name)
    desugar.in_turn.add(name)
    desugar.assigned.add(name)
    desugar.statement(_given(desugar, stmt, store(name), item))
    return load(name)


def _given(desugar: State, stmt: gast.Assign, target: Any, value: Any) -> Any:
    return desugar.placed(gast.copy_location(gast.Assign([target], value, None), stmt))


def in_steps(desugar: State, stmt: gast.AugAssign, target: gast.Attribute) -> None:
    """`n = c.n; n += f(c); c.n = n` for `c.n += f(c)`, where f may assign it: it is read before f is called."""
    with desugar.before():
        stmt.value = desugar.next(stmt.value)
        made = desugar.made
    if not may_be_set(desugar, target, [*made, gast.Expr(stmt.value)]):
        desugar.emit(stmt)
        return
    name = desugar.temporary(target.attr)
    read = gast.Assign([store(name)], gast.Attribute(clone(target.value), target.attr, gast.Load()), None)
    desugar.emit(gast.copy_location(read, stmt))
    if made and desugar.out:
        desugar.out.insert(-len(made), desugar.out.pop())
    for one in (gast.AugAssign(store(name), stmt.op, stmt.value), gast.Assign([target], load(name), None)):
        desugar.emit(gast.copy_location(one, stmt))


def kept_index(desugar: State, node: Any) -> Any:
    """An index whose parts are kept under names: as they are before what is stored is computed."""
    if isinstance(node, gast.Tuple):
        return gast.copy_location(gast.Tuple([kept_index(desugar, one) for one in node.elts], gast.Load()), node)
    if isinstance(node, gast.Slice):
        ends = [None if one is None else kept_index(desugar, one) for one in (node.lower, node.upper, node.step)]
        return gast.copy_location(gast.Slice(*ends), node)
    return node if is_atom(node) or is_literal(node) else load(desugar.kept(node, "index"))
