"""Loops over the iterators of itertools, and over generators, as plain loops.

Needs a loop. Promises loops over what the items are made of, each item evaluated when it is its turn.

    for a, b in combinations(x, 2):      →      for i in range(len(x)):
        …                                           for j in range(i + 1, len(x)):
                                                        a, b = x[i], x[j]
                                                        …
"""
from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import gast
import numpy as np

from ..analyse.collected import collected, is_collected
from ..syntax.nodes import call, constant, library, load, names_in, nodes_in, parameter_names, store, subscript, tuple_of, writes
from . import comprehensions, functions, iterators
from .comprehensions import is_endless
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
    if one is None or len(one.generators) != 1 or stmt.orelse or not comprehensions.unrolls(desugar, one):
        return False
    one = comprehensions.apart(desugar, one)
    body: list[gast.stmt] = [gast.Assign([stmt.target], one.elt, None), *stmt.body]
    for test in reversed(one.generators[0].ifs):
        body = [gast.If(test, body, [])]
    new = desugar.placed(gast.copy_location(gast.For(one.generators[0].target, one.generators[0].iter, body, [], None), stmt))
    desugar.statement(new)
    return True


def _over_iterator(desugar: State, stmt: gast.For) -> bool:
    node: Any = stmt.iter
    if not iterators.known(desugar, node):
        return False
    check_unchanged(desugar, node, stmt.body)
    fn = desugar.object(node.func)
    body: list[gast.stmt] = stmt.body
    if is_endless(desugar, node):
        new = _endless(desugar, node, stmt.target, body)
    elif fn is itertools.takewhile and not stmt.orelse:
        item = desugar.temporary("item")
        stop = gast.If(gast.UnaryOp(gast.Not(), gast.Call(functions.steady(desugar, node.args[0]), [load(item)], [])), [gast.Break()], [])
        new = gast.For(store(item), node.args[1], [stop, gast.Assign([stmt.target], load(item), None), *body], [], None)
    elif fn is np.ndenumerate:
        array, place = iterators.array(desugar, node.args[0], body), desugar.temporary("index")
        item = gast.Assign([stmt.target], tuple_of([load(place), subscript(array, load(place))]), None)
        new = gast.For(store(place), library("np.ndindex(np.shape(x))", x=array), [item, *body], stmt.orelse, None)
    elif stmt.orelse or _breaks(body):
        return False
    elif fn == itertools.chain.from_iterable:
        row = desugar.temporary("row")
        new = gast.For(store(row), node.args[0], [gast.For(stmt.target, load(row), body, [], None)], [], None)
    elif fn is itertools.product and not node.keywords and node.args:
        pools = [iterators.again(desugar, one, body) for one in node.args]
        goes = _targets(desugar, stmt, len(pools))
        if goes is None:
            goes = [desugar.temporary("item") for _ in pools]
            body = [gast.Assign([stmt.target], tuple_of([load(name) for name in goes]), None), *body]
        new = _loops(goes, [load(pool) for pool in pools], body)
    elif fn in (itertools.combinations, itertools.permutations, itertools.combinations_with_replacement):
        pool, places, ranges, tests = iterators.choices(desugar, fn, node.args, body)
        picked = tuple_of([subscript(pool, load(place)) for place in places])
        body = [gast.Assign([stmt.target], picked, None), *body]
        new = _loops(places, ranges, body, tests)
    else:
        return False
    desugar.statement(desugar.placed(gast.copy_location(new, stmt)))
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


def _loops(names: Sequence[str], goes: Sequence[gast.expr], body: list[gast.stmt], tests: Sequence[list[gast.expr]] = ()) -> gast.stmt:
    return comprehensions.nested(iterators.generators(list(zip(names, goes, strict=True)), tests), body)


def _endless(desugar: State, node: gast.Call, target: gast.expr, body: list[gast.stmt]) -> gast.stmt:
    """A loop that only its body ends."""
    fn = desugar.object(node.func)
    if fn is itertools.repeat:
        value = desugar.kept(desugar.expr(node.args[0]), "value")
        return gast.While(constant(True), [gast.Assign([target], load(value), None), *body], [])
    if fn is itertools.cycle:
        pool, place = iterators.sequence(desugar, beforehand(desugar, node.args[0])), desugar.kept(constant(0), "place")
        item = subscript(pool, gast.BinOp(load(place), gast.Mod(), call("%len", pool)))
        test = gast.Compare(call("%len", pool), [gast.Gt()], [constant(0)])
        return gast.While(test, [gast.Assign([target], item, None), iterators.more(place, constant(1)), *body], [])
    start, step = iterators.counted(desugar, node)
    value = desugar.kept(start, "value")
    return gast.While(constant(True), [gast.Assign([target], load(value), None), iterators.more(value, step), *body], [])


def _breaks(body: Sequence[gast.stmt]) -> bool:
    """A body leaves its loop before the end."""
    for stmt in body:
        inner = [stmt.orelse] if isinstance(stmt, (gast.For, gast.While)) else \
            [part for field in ("body", "orelse", "finalbody") if isinstance(part := getattr(stmt, field, []), list)] \
            + [one.body for one in [*getattr(stmt, "handlers", []), *getattr(stmt, "cases", [])]]
        if isinstance(stmt, gast.Break) or not isinstance(stmt, (gast.FunctionDef, gast.ClassDef)) and any(map(_breaks, inner)):
            return True
    return False


def _targets(desugar: State, stmt: gast.For, count: int) -> list[str] | None:
    """The names that a loop over tuples binds, where nested loops may bind them one by one: they are the loop's alone."""
    target: Any = stmt.target
    if desugar.stack or not isinstance(target, (gast.Tuple, gast.List)) or not all(isinstance(one, gast.Name) for one in target.elts):
        return None
    names = [one.id for one in target.elts]
    inside = {id(part) for part in nodes_in(stmt)}
    elsewhere = {part.id for part in nodes_in(desugar.tree) if isinstance(part, gast.Name) and id(part) not in inside}
    return names if len(set(names)) == len(names) == count and not set(names) & (writes(stmt.body) | elsewhere) else None
