"""Generators that go on beside another one: what gives the next item, as statements.

Needs the call of a generator that yields in one place, in a loop of its own. Promises what begins it, and what each
item takes, for a loop that asks for the items one by one and counts them (`place`).

    def steps(x, n):                  if place == 0:
        for i in range(n):                steps = range(n)
            x = np.sin(x)      →      if place >= len(steps):
            yield x                       return
                                      i = steps[place]
                                      x = np.sin(x)
                                      value = x
"""
from __future__ import annotations

from typing import Any

import gast

from ..analyse.leaving import escapes_block
from ..analyse.resolve import Scope
from ..syntax.blocks import statements
from ..syntax.building import assign, call, load, subscript, tuple_of
from ..syntax.nodes import names_in, nodes_in
from . import inlining, iterators, turns, yielding
from .purity import MORE
from .state import State
from .yielding import is_turn


def can_step(desugar: State, node: Any) -> bool:
    """A generator yields in one place, in a loop of its own."""
    begun = yielding.started(desugar, node)
    at = None if begun is None else _loop_of(begun.unit.captured.tree.body)
    if begun is None or at is None or "super" in names_in(begun.unit.captured.tree):
        return False
    over, scope = getattr(begun.unit.captured.tree.body[at], "iter", None), Scope.of(begun.unit.captured)
    return not isinstance(over, gast.GeneratorExp) and scope.effects(over).gives != "iterator" or _counts(scope, over)


def step(desugar: State, node: Any, stmt: gast.For, name: str,
         place: str) -> tuple[list[gast.stmt], list[gast.stmt]]:
    """What begins, and what binds a name to the next item, and returns where there is none. stmt: the loop that asks
    for the items."""
    begun: Any = yielding.started(desugar, node)
    args, keywords = turns.given(desugar, begun, node, stmt)
    meanwhile = [gast.Assign([stmt.target], gast.Constant(None, None), None), *stmt.body]
    with inlining.standing(desugar, begun.fn, begun.unit, args, keywords, lambda shell: shell.body, around=begun.around,
                           meanwhile=meanwhile) as (body, _):
        pass
    at = _loop_of(body)
    assert at is not None
    loop: Any = body[at]
    turn = next(i for i, one in enumerate(loop.body) if is_turn(one))
    first, ends = body[:at], [*body[at + 1:], gast.Return(None)]
    made: list[gast.stmt]
    if isinstance(loop, gast.While):
        made = [] if getattr(loop.test, "value", None) is True else \
            [gast.If(gast.UnaryOp(gast.Not(), loop.test), ends, [])]
    else:
        counts = _counts(desugar.scope, loop.iter)
        items, over = desugar.temporary("items"), loop.iter.args[0] if counts else loop.iter
        if iterators.yields(desugar, over):
            raise desugar.refused(node, MORE, turns.REMEDY)
        first.append(assign(items, turns.numbered(desugar, over)))
        if desugar.carries(over):
            desugar.varied.add(items)
        item = subscript(items, load(place))
        made = [gast.If(gast.Compare(load(place), [gast.GtE()], [call("%len", load(items))]), ends, []),
                gast.Assign([loop.target], tuple_of([load(place), item]) if counts else item, None)]
    ready = all(_reads_nothing(desugar, one) for one in first)
    rest = loop.body[turn + 1:]
    began = gast.Compare(load(place), [gast.Gt()], [gast.Constant(0, None)])
    again: list[gast.stmt] = []
    if rest or not ready:
        again.append(gast.If(began, rest or [gast.Pass()], [] if ready else first))
    value = assign(name, yielding.yielded(loop.body[turn]))
    return [desugar.placed(one) for one in first if ready], \
        [desugar.placed(one) for one in [*again, *made, *loop.body[:turn], value]]


def _counts(scope: Scope, node: Any) -> bool:
    """`enumerate(xs)`."""
    return scope.builtin(node) == "enumerate" and len(node.args) == 1 and not node.keywords


def _reads_nothing(desugar: State, stmt: Any) -> bool:
    """A statement gives variables numbers, other variables, or a range of them: it may run before it is its turn."""
    fine = (gast.Assign, gast.Name, gast.Constant, gast.Tuple)
    return all(isinstance(one, fine) or isinstance(one, gast.Call) and desugar.scope.builtin(one) == "range"
               for one in nodes_in(stmt))


def _loop_of(body: list[gast.stmt]) -> int | None:
    """Where the loop is in which alone a text yields, once, and which nothing leaves early."""
    found = [i for i, stmt in enumerate(body) if any(yielding.turns([stmt]))]
    loop: Any = body[found[0]] if len(found) == 1 else None
    fine = isinstance(loop, (gast.For, gast.While)) and not loop.orelse and sum(map(is_turn, loop.body)) == 1 \
        and len(list(yielding.turns([loop]))) == 1 and not escapes_block(loop.body) \
        and not any(isinstance(one, gast.Return) for one in statements(body))
    return found[0] if fine else None
