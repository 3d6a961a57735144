"""Loops over generators: the body of the generator in the place of the loop, with the loop's body at each `yield`.

Needs a loop over what a call of a generator yields. Promises its text with the variables of the generator under new
names, everything evaluated when it is its turn. A loop that is left leaves the generator too.

    for y in steps(x, 3):                         for i in range(3):
        s = s + y                                     x_1 = np.sin(x_1)
                               →                      y = x_1
                                                      s = s + y
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gast

from ..analyse.leaving import always_leaves, escapes_block
from ..normalise.exits import one_turn, without_returns
from ..syntax.blocks import is_break, rebuild, statements
from ..syntax.building import assign, clone, constant, library, load, mark
from ..syntax.nodes import nodes_in, writes
from . import arguments, containers, inlining, iterators, lazy, objects, yielding
from .scopes import FUNCTIONS
from .state import State
from .values import FunctionValue
from .yielding import MOST, Started, is_turn

REMEDY = \
    "items = list(...) before it, if all items may be computed first; or a loop that computes each item in its body"


def loop(desugar: State, stmt: gast.For) -> bool:
    """Emit a loop over a generator."""
    begun = yielding.started(desugar, stmt.iter)
    if begun is None:
        return False
    node: Any = stmt.iter
    args, keywords = given(desugar, begun, node, stmt)
    body = begun.unit.captured.tree.body
    turns = _Turns(desugar, stmt, list(yielding.turns(body)), f"the generator {begun.fn.__name__}")
    turns.check(yielding.watched(body), yielding.finishes(body) and hasattr(node, "kept"))
    turns.begin()
    around = desugar.stack, desugar.selves
    with inlining.standing(desugar, begun.fn, begun.unit, args, keywords, lambda shell: turns.left(shell.body),
                           around=begun.around, meanwhile=turns.body) as (exits, called), desugar.before():
        for one in turns.filled(exits, around):
            desugar.statement(one)
        inlining.bind_stored(desugar, called, constant(None))
    turns.end()
    return True


def given(desugar: State, begun: Started, node: Any, stmt: gast.For) -> tuple[list[Any], dict[str, Any]]:
    """What a generator is given, evaluated, for the loop that goes over it."""
    node = node if isinstance(node, gast.Call) else gast.copy_location(gast.Call(node, [], []), node)
    first = list(map(desugar.expr, begun.first))
    value = FunctionValue(begun.fn, node.func, tuple(first), begun.keywords)
    args, named = arguments.one_by_one(desugar, node, value, lazily=True)
    _assume(desugar, begun, node)
    bound = writes([stmt.target, *stmt.body])
    return [*first, *(_lazily(desugar, one, bound) for one in args)], \
        {name: _lazily(desugar, one, bound) for name, one in {**dict(begun.keywords), **named}.items()}


def numbered(desugar: State, node: Any) -> gast.expr:
    """What is gone over by the places of its items."""
    made = desugar.expr(node)
    kind = containers.kind(desugar, made)
    known = kind is list or kind is tuple or desugar.carries(made) \
        or isinstance(made, gast.Call) and desugar.object(made.func) is range
    return made if known else desugar.placed(library("rt.numbered(x)", x=made))


def _lazily(desugar: State, value: Any, bound: set[str]) -> Any:
    """An argument; an iterator that has to be gone over in turn, for the place where the generator goes over it."""
    if not lazy.is_lazy(desugar, value) or not (desugar.carries(value) or iterators.yields(desugar, value)):
        return value
    for part in nodes_in(value):
        part.kept = True
    return mark(clone(lazy.fixed(desugar, value, bound)), once=lazy.read_once)


def _assume(desugar: State, begun: Started, node: Any) -> None:
    """The text takes it that the call starts this generator."""
    if begun.owner is None:
        if getattr(node.func, "id", "") not in desugar.functions:
            desugar.assume(node.func, begun.fn)
        return
    value: Any = objects.value_of(desugar, desugar.expr(begun.owner))
    if value.path is not None:
        desugar.assume_member(value.path, value.kind, begun.method, begun.fn)


def put(desugar: State, stmt: gast.For, body: list[gast.stmt]) -> None:
    """Emit a loop over what statements yield that stand here."""
    turns = _Turns(desugar, stmt, list(yielding.turns(body)), "what it goes over")
    turns.check(False, False)
    turns.begin()
    for one in turns.filled(turns.left(body), (desugar.stack, desugar.selves)):
        desugar.statement(desugar.placed(one))
    turns.end()


class _Turns:
    """A loop whose body stands at each `yield` of other statements, and what is set where it leaves them."""

    def __init__(self, desugar: State, stmt: gast.For, places: Sequence[gast.stmt], source: str) -> None:
        self.desugar, self.stmt, self.places, self.source = desugar, stmt, places, source
        self.leaves = always_leaves(stmt.body) and not _goes_on(stmt.body)
        self.test = _ends_at(desugar, stmt)
        self.turn = one_turn(stmt.body[:-1] if self.test is not None else stmt.body, desugar.names, desugar.scope)
        self.body: list[gast.stmt] = [gast.Assign([clone(stmt.target)], constant(None), None), *self.turn.body]

    def check(self, watched: bool, finishes: bool) -> None:
        """Refuse what would not be what Python does."""
        why, several, body = "", len(self.places) > 1, self.stmt.body
        if watched and not self._keeps():
            why = f"{self.source} yields in a try or with, which would see the errors of the loop"
        elif finishes and self.is_left:
            why = f"{self.source} has a finally, and the loop leaves it, which ends it when nothing holds it any more"
        elif several and any(isinstance(part, (*FUNCTIONS, gast.ClassDef)) for part in nodes_in(gast.Module(body, []))):
            why = f"{self.source} yields in {len(self.places)} places, and the loop defines a function for each item"
        elif several and len(self.places) * sum(1 for one in body for _ in nodes_in(one)) > MOST:
            why = f"{self.source} yields in {len(self.places)} places, and the loop is too long to be written in each"
        if why:
            raise self.desugar.refused(self.stmt.iter, why, REMEDY)

    @property
    def is_left(self) -> bool:
        """The loop may end before the last item."""
        return bool(self.turn.leave) or self.test is not None

    def _keeps(self) -> bool:
        """The loop does nothing but to put the items in a list."""
        one: Any = self.stmt.body[0].value if isinstance(self.stmt.body[0], gast.Expr) else None
        return len(self.stmt.body) == 1 and isinstance(one, gast.Call) and isinstance(one.func, gast.Attribute) \
            and one.func.attr == "append" and containers.kind(self.desugar, one.func.value) is list \
            and isinstance(self.stmt.target, gast.Name) \
            and [getattr(arg, "id", "") for arg in one.args] == [self.stmt.target.id] and not one.keywords

    def _emit(self, stmt: gast.stmt) -> None:
        self.desugar.statement(self.desugar.placed(gast.copy_location(stmt, self.stmt)))

    def begin(self) -> None:
        """No flag is set before the first item."""
        self.desugar.local.update({*self.turn.leave, self.turn.result} - {""})
        for flag in self.turn.leave:
            self._emit(assign(flag, constant(False), flag=flag))

    def left(self, body: list[gast.stmt]) -> list[gast.stmt]:
        """The statements that yield without exits: they end where the loop is left."""
        last: Any = body[-1]
        ends = {id(one) for one in last.body} \
            if isinstance(last, (gast.For, gast.While)) and not last.orelse else set()        # `break` ends all

        def change(stmt: gast.stmt) -> list[gast.stmt] | None:
            if not is_turn(stmt) or not self.is_left:
                return None
            leave: gast.stmt = gast.Break() if id(stmt) in ends else gast.Return(None)
            made = leave if self.leaves else gast.If(self._left(), [leave], [])
            return [stmt, self.desugar.placed(gast.copy_location(made, self.stmt))]

        return without_returns(rebuild(body, change), self.desugar.names, self.desugar.scope)

    def _left(self) -> gast.expr:
        if self.test is not None:
            return clone(self.test)
        flags: list[gast.expr] = list(map(load, self.turn.leave))
        return flags[0] if len(flags) == 1 else gast.BoolOp(gast.Or(), flags)

    def filled(self, body: list[gast.stmt], around: Any) -> list[gast.stmt]:
        """The statements with the body of the loop where they yield; it belongs to the functions around."""
        several = sum(map(is_turn, statements(body))) > 1
        puts = self._keeps() and self.stmt.target.id in self.desugar.names.made

        def change(stmt: gast.stmt) -> list[gast.stmt] | None:
            if not is_turn(stmt):
                return None
            first: gast.stmt = gast.Assign([clone(self.stmt.target)], yielding.yielded(stmt), None)
            rest = clone(self.turn.body) if several else self.turn.body
            if puts:
                first, rest = rest[0], []
                first.value.args = [yielding.yielded(stmt)]
            first.origin = getattr(stmt, "origin", self.stmt.origin)
            made = gast.If(constant(True), [gast.copy_location(first, stmt), *rest], [])
            return [mark(gast.copy_location(made, stmt), turn=around, origin=self.stmt.origin)]

        return rebuild(body, change)

    def end(self) -> None:
        """What comes after the last item, and `return`."""
        if self.stmt.orelse and self.turn.leave:
            self._emit(gast.If(gast.UnaryOp(gast.Not(), self._left()), self.stmt.orelse, []))
        else:
            for one in self.stmt.orelse:
                self.desugar.statement(one)
        if self.turn.returned:
            self._emit(gast.If(load(self.turn.returned), [gast.Return(load(self.turn.result))], []))


def _ends_at(desugar: State, stmt: gast.For) -> gast.expr | None:
    """The test of `if test: break` at the end of a loop that nothing else leaves, where no code of the user runs in
    it."""
    last: Any = stmt.body[-1]
    if not is_break(last) or stmt.orelse or escapes_block(stmt.body[:-1]):
        return None
    return last.test if all(desugar.scope.builtin(one) for one in nodes_in(last.test) if isinstance(one, gast.Call)) \
        and not any(isinstance(one, gast.NamedExpr) for one in nodes_in(last.test)) else None


def _goes_on(body: list[gast.stmt]) -> bool:
    return any(isinstance(one, gast.Continue) for one in statements(body))
