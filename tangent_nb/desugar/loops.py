"""Loops over the iterators of itertools, and over generators, as plain loops.

Needs a loop. Promises loops over what the items are made of, each item evaluated when it is its turn. Where a list of
the items is made beforehand, computing them changes nothing that the body reads, does nothing but compute, and cannot
raise after the loop was left; a loop for which that is not known is refused.

    for a, b in combinations(x, 2):      →      for i in range(len(x)):
        …                                           for j in range(i + 1, len(x)):
                                                        a = x[i]
                                                        b = x[j]
                                                        …
    for i, a in enumerate(v * k for v in xs):           for i, v in enumerate(xs):
        k = k + a                                →          a = v * k
                                                            k = k + a
"""
from __future__ import annotations

import itertools
from typing import Any

import gast

from ..analyse.collected import collected, is_collected
from ..analyse.leaving import escapes_block
from ..analyse.records import made_names
from ..syntax.building import constant, library
from ..syntax.nodes import children, names_in, nodes_in, parameter_names, walk, writes
from . import comprehensions, functions, iterators, lazy, sources, turns
from .comprehensions import is_endless
from .purity import MORE, computes, may_raise, numbers_counted
from .scopes import bindings, changed, renamed, targets
from .state import State
from .templates import template
from .turns import REMEDY


def loop(desugar: State, stmt: gast.For) -> bool:
    """Emit a loop over a generator or an iterator as plain loops, where it can be one."""
    return sources.loop(desugar, stmt) or _in_turn(desugar, stmt) or _over_generator(desugar, stmt) \
        or _over_iterator(desugar, stmt)


def _over_generator(desugar: State, stmt: gast.For) -> bool:
    """`for y in (g(v) for v in xs if c):` as a loop over xs, which evaluates an item when it is its turn."""
    one = comprehensions.generator(desugar, stmt.iter)
    if one is None or not comprehensions.unrolls(desugar, one):
        return False
    return _nest(desugar, one, stmt)


def _nest(desugar: State, one: gast.GeneratorExp, stmt: gast.For) -> bool:
    """Emit the loops of a generator expression around the body of a loop over it; that is done."""
    several = len(one.generators) > 1
    one = comprehensions.apart(desugar, one)
    if several and "break" in escapes_block(stmt.body):
        turns.put(desugar, stmt, [comprehensions.nested(one.generators, [gast.Expr(gast.Yield(one.elt))])])
        return True
    made: Any = comprehensions.nested(one.generators, [*_binding(desugar, one, stmt), *stmt.body])
    if not several:
        made.orelse = stmt.orelse
    for new in [made, *(stmt.orelse if several else [])]:
        desugar.statement(desugar.placed(gast.copy_location(new, stmt)))
    return True


def _binding(desugar: State, one: gast.GeneratorExp, stmt: gast.For) -> list[gast.stmt]:
    """What binds a target to an item. The names that are the loop's alone are bound by the loops of the generator,
    where the item has them."""
    target, item = (getattr(part, "elts", [part]) for part in (stmt.target, one.elt))
    names = {part.id for part in target if isinstance(part, gast.Name)}
    inside = {id(part) for one_of in [stmt.target, *stmt.body] for part in nodes_in(one_of)}
    elsewhere = {part.id for part in nodes_in(desugar.tree) if isinstance(part, gast.Name) and id(part) not in inside}
    own = {part.id: to.id
           for to, part in zip(target, item, strict=False) if isinstance(part, gast.Name) and isinstance(to, gast.Name)}
    if desugar.stack or type(stmt.target) is not type(one.elt) or not len(names) == len(target) == len(item) \
            or names & (writes(stmt.body) | elsewhere) or not own.keys() <= targets(one) \
            or len(own) < sum(isinstance(part, gast.Name) for part in item):
        return [gast.Assign([stmt.target], one.elt, None)]
    renamed(one, own)
    return [gast.Assign([to], part, None)
            for to, part in zip(target, item, strict=True) if not isinstance(part, gast.Name)]


def _over_iterator(desugar: State, stmt: gast.For) -> bool:
    node: Any = stmt.iter
    if not iterators.known(desugar, node):
        return False
    for name in sorted(names_in(node) & changed(stmt.body)):               # a list of the items is made beforehand
        why = f"the loop goes over {name}, and changes it"
        raise desugar.refused(node, why, f"a copy of it, made before the loop: items = list({name})")
    others = changed(stmt.body) - _held(desugar) - set(parameter_names(desugar.tree))
    at_once = desugar.scope.effects(node).at_once          # a tuple of all is made before the loop
    for name in sorted(others - _alone(desugar)) if others and not at_once else ():
        if desugar.carries(node):
            why = f"the loop changes {name}, which may be what it goes over"
            raise desugar.refused(node, why, f"a copy, made before the loop: items = list({desugar.text(node, '...')})")
    fn, endless, target, body = desugar.object(node.func), is_endless(desugar, node), stmt.target, stmt.body
    if endless and fn is itertools.repeat:
        once = node.args[0]
        template(desugar, "value = once\nwhile True:\n    target = value\n    body", once=once,
                 target=target, body=body)
    elif endless and fn is itertools.cycle:
        template(desugar, """
            place = 0
            while len(xs) > 0:
                target = xs[place % len(xs)]
                place = place + 1
                body""", xs=iterators.sequence(desugar, beforehand(desugar, node.args[0])), target=target, body=body)
    elif endless:
        start, step = iterators.counted(desugar, node)
        template(desugar, """
            value = start
            while True:
                target = value
                value = value + step
                body""", start=start, step=step, target=target, body=body)
    elif fn is itertools.takewhile and not stmt.orelse:
        template(desugar, """
            for item in xs:
                if not holds(item):
                    break
                target = item
                body""", holds=functions.steady(desugar, node.args[0]), xs=node.args[1], target=target, body=body)
    elif any(fn == one for one, _ in iterators.NESTED):
        made = iterators.written(desugar, node)
        if isinstance(made, gast.List):                    # product() of nothing
            stmt.iter = made
            return False
        return _nest(desugar, made, stmt)
    else:
        return False
    return True


def beforehand(desugar: State, node: Any) -> Any:
    """An iterator of which a list is made before the loop: what it goes over, where that is not known,
    must be there as a whole."""
    one = comprehensions.generator(desugar, node)
    if one is not None:
        one.generators[0].iter = beforehand(desugar, one.generators[0].iter)
        return one
    if isinstance(node, gast.Call) \
            and (iterators.maker_of(desugar, node) is not None or desugar.scope.effects(node).gives == "iterator"):
        node.args = [beforehand(desugar, arg) for arg in node.args]
        return node
    if isinstance(node, (gast.Lambda, gast.Starred)) or functions.is_value(desugar, node) or desugar.carries(node) \
            or is_collected(node, collected(desugar.tree.body, parameter_names(desugar.tree), desugar.scope),
                            desugar.scope):
        return node
    return desugar.placed(library("rt.steady(x)", x=node))


# ---------------------------------------------------------------------- what is computed late
def _hazard(desugar: State, stmt: gast.For) -> str:
    """Why the items of a loop cannot be computed beforehand; empty where they can."""
    parts = list(iterators.late(desugar, stmt.iter))
    ends_itself = isinstance(stmt.iter, gast.Call) and desugar.object(stmt.iter.func) is itertools.takewhile \
        and not stmt.orelse
    if not parts or ends_itself and iterators.known(desugar, stmt.iter):       # each is asked for in the loop
        return ""
    read = {name for part, mine in parts for name in _read(desugar, part) - mine}
    hit = sorted(read & (writes([stmt.target, *stmt.body]) | changed(stmt.body) | _shared(desugar)))
    if hit:
        return f"the items are computed one by one, when it is their turn, and read {hit[0]}, which the loop changes"
    if iterators.yields(desugar, stmt.iter) or not all(computes(desugar, part, ()) for part, _ in parts):
        return MORE
    ends = bool(escapes_block(stmt.body) & {"break", "return"}) \
        or any(isinstance(part, (gast.Return, gast.Raise)) for part in walk(stmt.body)) \
        or any(isinstance(part, gast.Call) and desugar.object(part.func) is zip for part in nodes_in(stmt.iter))
    if ends and any(may_raise(desugar, part) for part, _ in parts):
        return ("the items are computed one by one, those after the end of the loop never, "
                "and computing one of those might raise an error")
    return ""


def _held(desugar: State) -> set[str]:
    """The lists and dicts that the function makes."""
    return made_names(desugar.tree, desugar.scope) | desugar.holds.keys() & desugar.names.made


def _alone(desugar: State) -> set[str]:
    """The variables of numbers, and of new arrays that nothing else holds."""
    return numbers_counted(desugar.tree) | {name for name, at in bindings(desugar.tree).items() if all(
        isinstance(one, gast.Assign) and isinstance(one.targets[0], gast.Name) and isinstance(one.value, gast.Call)
        and (made_by := desugar.scope.operation(one.value)).rule is not None and made_by.memory == "fresh"
        for one in at)} - _given_on(desugar)


def _given_on(desugar: State) -> set[str]:
    """The variables that something else may hold: that are given to more than operators, indices and what makes new
    arrays."""
    found: set[str] = set()
    written = gast.Module([stmt for stmt, _ in desugar.emitted.values()], [])
    for node in [*nodes_in(desugar.tree), *nodes_in(written)]:
        made_by = desugar.scope.operation(node) if isinstance(node, gast.Call) else None
        if not isinstance(node, (gast.Subscript, gast.BinOp, gast.Compare, gast.AugAssign, gast.Return)) \
                and (made_by is None or made_by.rule is None or made_by.memory != "fresh"):
            found |= {part.id for part in children(node)
                      if isinstance(part, gast.Name) and isinstance(part.ctx, gast.Load)}
    return found


def _read(desugar: State, node: Any) -> set[str]:
    """The names that an expression reads, those that its local functions are bound to among them."""
    names = names_in(node)
    return names.union(*(names_in(desugar.functions[name].bound) for name in names & desugar.functions.keys()))


def _shared(desugar: State) -> set[str]:
    """The names that nested functions bind anew, or whose items they change."""
    found: set[str] = set()
    for part in nodes_in(desugar.tree):
        if isinstance(part, gast.FunctionDef) and part is not desugar.tree:
            found |= changed(part.body)
            found.update(name for one in nodes_in(part) if isinstance(one, gast.Nonlocal) for name in one.names)
    return found


# ---------------------------------------------------------------------- one by one
def _in_turn(desugar: State, stmt: gast.For) -> bool:
    """Emit a loop whose items must not be computed beforehand with each item computed when it is its turn;
    refuse it where that is not known."""
    why = _hazard(desugar, stmt)
    if not why:
        _check_kept(desugar, stmt)
        return False
    one = comprehensions.generator(desugar, stmt.iter)
    if one is None and _counts(desugar, stmt):
        return True
    if one is None:
        raise desugar.refused(stmt.iter, why, REMEDY)
    return _nest(desugar, one, stmt)


def _check_kept(desugar: State, stmt: gast.For) -> None:
    """Refuse a loop over an iterator that a name holds, and that is read elsewhere too: the list that is made of it
    would leave nothing."""
    for part in nodes_in(stmt.iter):
        if not isinstance(part, gast.Name) or part.id not in desugar.local \
                or not any(isinstance(one, gast.Assign) and lazy.is_lazy(desugar, one.value)
                           for one in bindings(desugar.tree).get(part.id, [])):
            continue
        read = sum(isinstance(one, gast.Name) and one.id == part.id and isinstance(one.ctx, gast.Load)
                   for one in nodes_in(desugar.tree))
        if read > 1 or desugar.nested():
            why = \
                f"{part.id} is an iterator that is read in other places too: each takes only what the others have left"
            raise desugar.refused(stmt.iter, why, f"a list, which is there for each of them: {part.id} = list(...)")


def _counts(desugar: State, stmt: gast.For) -> bool:
    """Emit a loop over `enumerate` of what is no generator expression of one loop that takes all items,
    with the place counted."""
    node: Any = stmt.iter
    if not isinstance(node, gast.Call) or desugar.object(node.func) is not enumerate:
        return False
    start = [*node.args[1:], *(keyword.value for keyword in node.keywords)]
    if len(start) > 1 or not all(isinstance(one, (gast.Constant, gast.Name)) for one in start):
        return False
    item = desugar.temporary("item")
    desugar.varied.update({item} if desugar.carries(node) else ())
    template(desugar, """
        place = start
        for item in xs:
            target = place, item
            place = place + 1
            body
        else:
            rest""", start=start[0] if start else constant(0), item=item, xs=node.args[0], target=stmt.target,
             body=stmt.body, rest=stmt.orelse)
    return True
