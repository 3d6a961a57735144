"""Loops over items that Python computes one by one: a list of them, made beforehand, must not be told apart.

Needs a loop. Promises that what is made a list later computes nothing that the body changes, nothing besides values, and nothing that could
raise after the loop was left: such a loop is written with the items computed when it is their turn, or refused.

    for i, a in enumerate(v * k for v in xs):           for i, v in enumerate(xs):
        k = k + a                                →          a = v * k
                                                            k = k + a
"""
from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import gast

from ..analyse.leaving import escapes_block
from ..syntax.nodes import constant, names_in, nodes_in, walk, writes
from . import comprehensions, functions, iterators, lazy, loops
from .purity import MORE, computes
from .scopes import bindings, targets
from .state import State

REMEDY = "items = list(...) before it, if all items may be computed first; or a loop that computes each item in its body"


# ---------------------------------------------------------------------- what is computed late
def _late(desugar: State, node: Any) -> Iterator[tuple[Any, set[str]]]:
    """The parts of an iterable that are evaluated item by item, each with the names that are its own."""
    one = comprehensions.generator(desugar, node)
    if one is not None:
        mine = targets(one)
        yield from ((part, mine) for part in [one.elt, *(test for goes in one.generators for test in goes.ifs)])
        yield from ((goes.iter, mine) for goes in one.generators[1:])
        yield from _late(desugar, one.generators[0].iter)
        return
    if not isinstance(node, gast.Call):
        return
    row = desugar.scope.effects(node)
    if row.at_once or iterators.maker_of(desugar, node) is None and not (desugar.scope.builtin(node) and row.gives == "iterator"):
        return
    for arg in [*node.args, *(keyword.value for keyword in node.keywords)]:
        if functions.is_value(desugar, arg):
            yield arg, set()
        else:
            yield from _late(desugar, arg.value if isinstance(arg, gast.Starred) else arg)


def hazard(desugar: State, stmt: gast.For) -> str:
    """Why the items of a loop cannot be computed beforehand; empty where they can."""
    parts = list(_late(desugar, stmt.iter))
    ends_itself = isinstance(stmt.iter, gast.Call) and desugar.object(stmt.iter.func) is itertools.takewhile and not stmt.orelse
    if not parts or ends_itself and iterators.known(desugar, stmt.iter):       # `loops.loop` asks item by item there
        return ""
    read = {name for part, mine in parts for name in _read(desugar, part) - mine}
    hit = sorted(read & (writes([stmt.target, *stmt.body]) | iterators.changed(stmt.body) | _shared(desugar)))
    if hit:
        return f"the items are computed one by one, when it is their turn, and read {hit[0]}, which the loop changes"
    if not all(computes(desugar, part, ()) for part, _ in parts):
        return MORE
    ends = bool(escapes_block(stmt.body) & {"break", "return"}) or any(isinstance(part, (gast.Return, gast.Raise)) for part in walk(stmt.body)) \
        or any(isinstance(part, gast.Call) and desugar.object(part.func) is zip for part in nodes_in(stmt.iter))
    if ends and any(_raises(desugar, part) for part, _ in parts):
        return "the items are computed one by one, those after the end of the loop never, and computing one of those might raise an error"
    return ""


def _read(desugar: State, node: Any) -> set[str]:
    """The names that an expression reads, those that its local functions are bound to among them."""
    found = set(names_in(node))
    for name in list(found & desugar.functions.keys()):
        found |= {other for one in desugar.functions[name].bound for other in names_in(one)}
    return found


def _shared(desugar: State) -> set[str]:
    """The names that nested functions bind anew, or whose items they change."""
    found: set[str] = set()
    for part in nodes_in(desugar.tree):
        if isinstance(part, gast.FunctionDef) and part is not desugar.tree:
            found |= iterators.changed(part.body)
            found.update(name for one in nodes_in(part) if isinstance(one, gast.Nonlocal) for name in one.names)
    return found


def _raises(desugar: State, node: Any) -> bool:
    """Evaluating an expression might raise, for some numbers."""
    for part in nodes_in(node):
        if isinstance(part, gast.BinOp) and isinstance(part.op, (gast.Div, gast.Mod, gast.FloorDiv, gast.Pow)) \
                and not (isinstance(part.right, gast.Constant) and part.right.value):
            return True
        if isinstance(part, gast.Subscript):
            return True
        if isinstance(part, gast.Call) or functions.is_value(desugar, part):
            func = part.func if isinstance(part, gast.Call) else part
            fn = desugar.object(func)
            module = str(getattr(fn, "__module__", "") or "").split(".")[0]
            array = module == "numpy" or type(fn).__module__ == "numpy"
            if not isinstance(func, gast.Lambda) and not array and fn not in (abs, len, max, min, sum):
                return True
    return False


# ---------------------------------------------------------------------- one by one
def loop(desugar: State, stmt: gast.For) -> bool:
    """Emit a loop whose items must not be computed beforehand with each item computed when it is its turn; refuse it where that is not known."""
    why = hazard(desugar, stmt)
    if not why:
        _check_kept(desugar, stmt)
        return False
    one = comprehensions.generator(desugar, stmt.iter)
    if one is None and _counts(desugar, stmt):
        return True
    if one is None or not loops.can_be_nested(one, stmt):
        raise desugar.refused(stmt.iter, why, REMEDY)
    loops.nest(desugar, one, stmt)
    return True


def _check_kept(desugar: State, stmt: gast.For) -> None:
    """Refuse a loop over an iterator that a name holds, and that is read elsewhere too: the list that is made of it would leave nothing."""
    for part in nodes_in(stmt.iter):
        if not isinstance(part, gast.Name) or part.id not in desugar.local or not any(
                isinstance(one, gast.Assign) and lazy.is_lazy(desugar, one.value) for one in bindings(desugar.tree).get(part.id, [])):
            continue
        read = sum(isinstance(one, gast.Name) and one.id == part.id and isinstance(one.ctx, gast.Load) for one in nodes_in(desugar.tree))
        if read > 1 or desugar.nested():
            why = f"{part.id} is an iterator that is read in other places too: each takes only what the others have left"
            raise desugar.refused(stmt.iter, why, f"a list, which is there for each of them: {part.id} = list(...)")


def _counts(desugar: State, stmt: gast.For) -> bool:
    """Emit a loop over `enumerate` of what is no generator expression of one loop that takes all items, with the place counted."""
    node: Any = stmt.iter
    if not isinstance(node, gast.Call) or desugar.object(node.func) is not enumerate:
        return False
    start = [*node.args[1:], *(keyword.value for keyword in node.keywords)]
    if len(start) > 1 or not all(isinstance(one, (gast.Constant, gast.Name)) for one in start):
        return False
    item = desugar.temporary("item")
    desugar.varied.update({item} if desugar.carries(node) else ())
    desugar.write("""
        place = start
        for item in xs:
            target = place, item
            place = place + 1
            body
        else:
            rest""", start=start[0] if start else constant(0), item=item, xs=node.args[0], target=stmt.target, body=stmt.body, rest=stmt.orelse)
    return True
