"""Loops over the iterators of itertools, and over generators, as plain loops.

Needs a loop. Promises loops over what the items are made of, each item evaluated when it is its turn.

    for a, b in combinations(x, 2):      →      for i in range(len(x)):
        …                                           for j in range(i + 1, len(x)):
                                                        a = x[i]
                                                        b = x[j]
                                                        …
"""
from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import gast
import numpy as np

from ..analyse.collected import collected, is_collected
from ..analyse.leaving import escapes_block
from ..syntax.nodes import library, names_in, nodes_in, parameter_names, writes
from . import comprehensions, functions, iterators
from .comprehensions import is_endless
from .scopes import renamed, targets
from .state import State


def check_unchanged(desugar: State, goes: Any, body: Sequence[gast.stmt]) -> None:
    """Refuse a loop whose items are taken beforehand, and that changes what they come from."""
    for name in sorted(names_in(goes) & iterators.changed(body)):
        raise desugar.refused(goes, f"the loop goes over {name}, and changes it", f"a copy of it, made before the loop: items = list({name})")


def loop(desugar: State, stmt: gast.For) -> bool:
    """Emit a loop over a generator or an iterator as plain loops, where it can be one."""
    return _over_generator(desugar, stmt) or _over_iterator(desugar, stmt)


def _over_generator(desugar: State, stmt: gast.For) -> bool:
    """`for y in (g(v) for v in xs if c):` as a loop over xs, which evaluates an item when it is its turn."""
    one = comprehensions.generator(desugar, stmt.iter)
    if one is None or not comprehensions.unrolls(desugar, one) or not can_be_nested(one, stmt):
        return False
    nest(desugar, one, stmt)
    return True


def can_be_nested(one: gast.GeneratorExp, stmt: gast.For) -> bool:
    """The body leaves one loop only."""
    return len(one.generators) == 1 or "break" not in escapes_block(stmt.body)


def nest(desugar: State, one: gast.GeneratorExp, stmt: gast.For) -> None:
    """Emit the loops of a generator expression around the body of a loop over it."""
    several = len(one.generators) > 1
    one = comprehensions.apart(desugar, one)
    made: Any = comprehensions.nested(one.generators, [*_binding(desugar, one, stmt), *stmt.body])
    if not several:
        made.orelse = stmt.orelse
    for new in [made, *(stmt.orelse if several else [])]:
        desugar.statement(desugar.placed(gast.copy_location(new, stmt)))


def _binding(desugar: State, one: gast.GeneratorExp, stmt: gast.For) -> list[gast.stmt]:
    """What binds a target to an item. The names that are the loop's alone are bound by the loops of the generator, where the item has them."""
    target, item = (getattr(part, "elts", [part]) for part in (stmt.target, one.elt))
    names = {part.id for part in target if isinstance(part, gast.Name)}
    inside = {id(part) for one_of in [stmt.target, *stmt.body] for part in nodes_in(one_of)}
    elsewhere = {part.id for part in nodes_in(desugar.tree) if isinstance(part, gast.Name) and id(part) not in inside}
    own = {part.id: to.id for to, part in zip(target, item, strict=False) if isinstance(part, gast.Name) and isinstance(to, gast.Name)}
    if desugar.stack or type(stmt.target) is not type(one.elt) or not len(names) == len(target) == len(item) \
            or names & (writes(stmt.body) | elsewhere) or not own.keys() <= targets(one) \
            or len(own) < sum(isinstance(part, gast.Name) for part in item):
        return [gast.Assign([stmt.target], one.elt, None)]
    renamed(one, own)
    return [gast.Assign([to], part, None) for to, part in zip(target, item, strict=True) if not isinstance(part, gast.Name)]


def _over_iterator(desugar: State, stmt: gast.For) -> bool:
    node: Any = stmt.iter
    if not iterators.known(desugar, node):
        return False
    check_unchanged(desugar, node, stmt.body)
    fn = desugar.object(node.func)
    if is_endless(desugar, node):
        _endless(desugar, node, stmt.target, stmt.body)
    elif fn is itertools.takewhile and not stmt.orelse:
        desugar.write("""
            for item in xs:
                if not holds(item):
                    break
                target = item
                body""", holds=functions.steady(desugar, node.args[0]), xs=node.args[1], target=stmt.target, body=stmt.body)
    elif any(fn == one for one, _ in iterators.NESTED) and (fn is np.ndenumerate or "break" not in escapes_block(stmt.body)):
        made = iterators.written(desugar, node)
        if isinstance(made, gast.List):                    # product() of nothing
            stmt.iter = made
            return False
        nest(desugar, made, stmt)
        return True
    else:
        return False
    return True


def beforehand(desugar: State, node: Any) -> Any:
    """An iterator of which a list is made before the loop: what it goes over, where that is not known, must be there as a whole."""
    one = comprehensions.generator(desugar, node)
    if one is not None:
        one.generators[0].iter = beforehand(desugar, one.generators[0].iter)
        return one
    if isinstance(node, gast.Call) and (iterators.maker_of(desugar, node) is not None or desugar.scope.effects(node).gives == "iterator"):
        node.args = [beforehand(desugar, arg) for arg in node.args]
        return node
    if isinstance(node, (gast.Lambda, gast.Starred)) or functions.is_value(desugar, node) or desugar.carries(node) \
            or is_collected(node, collected(desugar.tree.body, parameter_names(desugar.tree), desugar.scope), desugar.scope):
        return node
    return desugar.placed(library("rt.steady(x)", x=node))


def _endless(desugar: State, node: gast.Call, target: gast.expr, body: list[gast.stmt]) -> None:
    """Emit a loop that only its body ends."""
    fn = desugar.object(node.func)
    if fn is itertools.repeat:
        desugar.write("value = once\nwhile True:\n    target = value\n    body", once=node.args[0], target=target, body=body)
    elif fn is itertools.cycle:
        desugar.write("""
            place = 0
            while len(xs) > 0:
                target = xs[place % len(xs)]
                place = place + 1
                body""", xs=iterators.sequence(desugar, beforehand(desugar, node.args[0])), target=target, body=body)
    else:
        start, step = iterators.counted(desugar, node)
        desugar.write("""
            value = start
            while True:
                target = value
                value = value + step
                body""", start=start, step=step, target=target, body=body)
