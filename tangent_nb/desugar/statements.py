"""Python's sugar in the words of the core language.

Needs a captured text. Promises the same with walrus, comprehensions, `match`, stars, nested functions, functions as
arguments, imports and `del` written as assignments, branches, loops and calls, everything evaluated in Python's order
and as often.

    total = sum([v * w for v in x if v > 0])      →      items = []
                                                         for v in x:
                                                             if v > 0:
                                                                 items.append(v * w)
                                                         total = sum(items)
"""
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, TypeGuard

import gast

from ..analyse.activity import views
from ..analyse.leaving import always_leaves
from ..errors import RefusedError
from ..syntax.building import assign, constant, library, load, mark, store
from ..syntax.closure import closure
from ..syntax.nodes import names_in, nodes_in, parameter_names, root_name, stores, walk, writes
from ..syntax.program import Captured
from . import (
    by_name,
    closures,
    consumers,
    containers,
    definitions,
    deques,
    entered,
    functions,
    held,
    in_place_calls,
    iterators,
    lazy,
    lifting,
    lists,
    loops,
    objects,
    outs,
    parts,
    patterns,
    purity,
    rows,
    sampling_asked,
    sequences,
    stored_outside,
    stores_in_turn,
    tidy,
    turns,
    unbound,
    under,
    unrolling,
)
from .assignments import Assignments
from .expressions import CHANGES
from .objects import EscapeError
from .scopes import COMPREHENSIONS
from .values import ObjectValue

SUGAR = (gast.NamedExpr, *COMPREHENSIONS, gast.Lambda, gast.Starred, gast.Match, gast.Delete, gast.Import,
         gast.ImportFrom,
         gast.FunctionDef, gast.Global, gast.Try, gast.AnnAssign, gast.Call, gast.Attribute, gast.List, gast.Dict)


def _is_sugar(node: Any) -> bool:
    """What may have to be written in other words; `|` and `|=` join dicts, `(1, 2) * n` repeats."""
    return isinstance(node, SUGAR) or hasattr(node, "unsure") or isinstance(node, gast.BinOp) \
        and isinstance(node.left, gast.Tuple) or isinstance(getattr(node, "op", None), gast.BitOr) \
        or isinstance(node, gast.For) and stores([node.target]) \
        or isinstance(node, gast.Subscript) and isinstance(node.ctx, gast.Store) \
        or isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Tuple) and stores(node.targets)


class Desugar(Assignments):
    """One text in the core language: a method for each statement that is sugar, or has expressions or statements in it.
    escape: the object that is found to be used as a value, where the walk ends; items_of: what the loops go over that
    bind a name."""

    escape: EscapeError | None = None

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.items_of: dict[str, set[str]] = {}

    def run(self) -> Captured:
        """The text; what is refused of it is in `refusals`. There is none where an object is found to escape."""
        if not any(map(_is_sugar, nodes_in(gast.Module(self.tree.body, [])))) and not self.functions:
            return self.captured
        self.begin()
        tree = self.tree
        containers.find(self, tree, self.binders)
        deques.find(self, tree)
        lifting.find(self, tree, self.functions, self.binders)
        last: Any = tree.body[-1]
        if isinstance(last, gast.Match) and all(always_leaves(case.body) for case in last.cases):
            why = gast.Constant(
                f"{self.captured.name} returned None: no case matched; write case _: for all other values", None)
            tree.body.append(gast.copy_location(gast.Raise(library("rt.TangentError(x)", x=why), None), last))
            tree.body[-1].origin = last.origin
        tree.body = self._whole(tree.body)
        stored_outside.mark(tree, self.scope, self.names, parameter_names(tree) if self.wrt is None else self.wrt)
        return replace(self.captured, tree=tree, namespace=self.namespace, ours=self.captured.ours
                       | frozenset(self.cells), assumed=(*self.captured.assumed, *sorted(self.assumed.items())))

    def _whole(self, body: list[gast.stmt]) -> list[gast.stmt]:
        """The body; what is refused of it is gathered."""
        try:
            done = self.block(body)
            done[:0] = map(self.placed, self.generators.values())
            under.find(self, done)
            definitions.drop_unused(self, done)
            closures.convert(self, done)
            definitions.check_known(self, done)
            rows.refuse(self, done)
            tidy.tidy(done, self.temporaries)
            self.tree.in_turn = frozenset(self.in_turn)
        except RefusedError as error:
            if self._escapes(error):
                self.escape = error
            else:
                self.refusals.extend(error.refusals)
        else:
            return done
        return body

    def _escapes(self, error: RefusedError) -> TypeGuard[EscapeError]:
        """No more has to be done than to leave a class of objects as it is."""
        return isinstance(error, EscapeError) and error.kind not in self.whole

    def block(self, body: Sequence[gast.stmt]) -> list[gast.stmt]:
        saved, self.out = self.out, []
        self.depth += 1
        for i, stmt in enumerate(body):
            if lazy.moved(self, stmt, body[i + 1:]):
                continue
            self._gathering(stmt) if not self.stack else self.statement(stmt)
        self.depth -= 1
        done, self.out = self.out, saved
        return done

    def _gathering(self, stmt: gast.stmt) -> None:
        """A statement; where it is refused, what it binds is lost, and the next one is read."""
        state = self.out, len(self.out or ()), self.depth, self.origin, self.place, self.at, self.stack, self.selves
        try:
            self.statement(stmt)
        except RefusedError as error:
            if self._escapes(error):
                raise
            self.out, length, self.depth, self.origin, self.place, self.at, self.stack, self.selves = state
            del (self.out or [])[length:]
            self.refusals.extend(error.refusals)
            self.lost |= {*writes(stmt), *([stmt.name] if isinstance(stmt, gast.FunctionDef) else [])}
            self.emit(gast.Return(constant(0.0)) if isinstance(stmt, gast.Return) else gast.Pass())

    def _filled(self, body: Sequence[gast.stmt]) -> list[gast.stmt]:
        """A block that may not be empty."""
        return self.block(body) or [self.placed(gast.Pass())]

    def statement(self, stmt: Any) -> None:
        saved = self.origin, self.place, self.at
        self.origin, self.place = getattr(stmt, "origin", None) or self.origin, stmt if hasattr(stmt, "lineno") \
            else self.place
        self.at = None
        if self.doubtful:
            unbound.ask(self, stmt)
        purity.mark_uncarried(self, stmt)
        method: Callable[[Any], None] | None = getattr(self, f"_{type(stmt).__name__.lower()}", None)
        if hasattr(stmt, "turn"):
            self._turn(stmt)
        elif method is not None:
            method(stmt)
        else:
            self.emit(stmt)
        self.origin, self.place, self.at = saved

    def emit(self, stmt: gast.stmt) -> None:
        """Write a statement. What is stored in an object may have a derivative, and is read there, or in the list that
        it is of: by statements of the text alone."""
        super().emit(stmt)
        if isinstance(stmt, (gast.Assign, gast.AugAssign)) and not isinstance(stmt.value, gast.Constant):
            targets = stmt.targets if isinstance(stmt, gast.Assign) else [stmt.target]
            roots = {root_name(target) or "" for target in targets if isinstance(target, gast.Attribute)} - {""}
            self.varied |= closure(roots, lambda found: {one for name in found for one in self.items_of.get(name, ())})

    def _turn(self, stmt: Any) -> None:
        """The body of a loop in the place where a generator yields: an item of the generator, then what is written
        around it."""
        first, given = stmt.body[0], getattr(stmt, "given", None)
        if isinstance(first, gast.Assign) and given != 0:
            first.value = functions.operand(self, first.value) if given else self.expr(first.value)
        elif given is None:                                # `items.append(…)`
            first.value.args = [self.expr(first.value.args[0])]
        inside = self.stack, self.selves
        self.stack, self.selves = stmt.turn
        for one in stmt.body if given is not None else ():
            self.statement(one)
        for one in self.block(stmt.body) if given is None else ():
            self.emit(one)
        self.stack, self.selves = inside

    def _return(self, stmt: gast.Return) -> None:
        if stmt.value is not None:
            stmt.value = held.spelled(self, self.expr(stmt.value))
        self.emit(stmt)

    def _expr(self, stmt: gast.Expr) -> None:
        stored = by_name.stores(self, stmt.value)
        if stored is not None:
            for one in stored:
                self.statement(self.placed(one))
            return
        if sequences.changed(self, stmt) \
                or isinstance(stmt.value, gast.Call) and containers.changed(self, stmt.value, CHANGES) is not None \
                or parts.extends(self, stmt) or parts.setdefault(self, stmt.value) is not None:
            return
        if in_place_calls.statement(self, stmt) or outs.statement(self, stmt):
            return
        if lists.pops(self, stmt.value):
            self.emit(stmt)
            return
        value = self.expr(stmt.value)
        if not isinstance(value, (gast.Name, gast.Constant)) or value is stmt.value:
            stmt.value = value
            self.emit(stmt)

    def _if(self, stmt: gast.If) -> None:
        is_constant = isinstance(stmt.test, gast.Constant)
        stmt.test = self.expr(stmt.test)
        known = objects.truth(self, stmt.test)
        taken, other = (stmt.body, stmt.orelse) if known else (stmt.orelse, stmt.body)
        if known is not None and not (is_constant and self.doubtful & writes(other)):
            for one in taken:
                self.statement(one)
            return
        stmt.body, stmt.orelse = self._filled(stmt.body), self.block(stmt.orelse)
        self.emit(stmt)

    def _while(self, stmt: gast.While) -> None:
        test, before = self.tried(stmt.test)
        if not before:
            stmt.test, stmt.body, stmt.orelse = test, self._filled(stmt.body), self.block(stmt.orelse)
            self.emit(stmt)
            return
        saved, self.out = self.out, before
        finished = self.temporary("finished") if stmt.orelse else ""
        leave: list[gast.stmt] = [gast.Break()]
        if finished:
            leave.insert(0, assign(finished, constant(True)))
        self.emit(gast.If(gast.UnaryOp(gast.Not(), test), leave, []))
        head, self.out = self.out, saved
        if finished:
            self.emit(assign(finished, constant(False)))
        self.emit(gast.While(constant(True), [*head, *self.block(stmt.body)], []))
        if finished:
            self.emit(gast.If(load(finished), self.block(stmt.orelse), []))

    def _for(self, stmt: gast.For) -> None:
        goes = containers.gone_over(self, stmt.iter)
        for name in names_in(stmt.target):
            self.items_of.setdefault(name, set()).update(names_in(stmt.iter))
        pinned = unrolling.pinned(self, stmt.iter)
        stmt.iter = stmt.iter if pinned is None else pinned()
        with self._going_over(goes):
            if turns.loop(self, stmt) or unrolling.loop(self, stmt) or lazy.loop(self, stmt) or loops.loop(self, stmt):
                return
        consumers.strict(self, stmt)
        if iterators.is_listed(self, stmt.iter):
            stmt.iter = loops.beforehand(self, stmt.iter)
        for _, view in views(stmt.target, stmt.iter, self.scope):
            mark(view, in_turn=True)
        stmt.iter = iterators.listed(self, stmt.iter) or self.expr(stmt.iter)
        if any(isinstance(node, gast.Starred) for node in walk(stmt.target)):
            item = self.temporary("item")
            first = gast.Assign([stmt.target], load(item), None)
            stmt.target, stmt.body = store(item), [self.placed(first), *stmt.body]
        elif stores([stmt.target]):
            stmt.target, first = stores_in_turn.by_names(self, stmt.target)
            stmt.body = [*map(self.placed, first), *stmt.body]
        held: dict[str, ObjectValue] = {}
        if not self.rows.keys().isdisjoint(names_in(stmt.iter)):
            stmt.target = rows.targets(self, stmt.target, stmt.iter, held)
        self.objects.update(held)
        with self._going_over(goes | containers.gone_over(self, stmt.iter)):
            stmt.body = self._filled(stmt.body)
        for name in held:
            self.objects.pop(name, None)
        stmt.orelse = self.block(stmt.orelse)
        self.emit(stmt)

    @contextmanager
    def _going_over(self, names: set[str]) -> Iterator[None]:
        self.over.append(names)
        try:
            yield
        finally:
            self.over.pop()

    def _with(self, stmt: Any) -> None:
        if sampling_asked.statement(self, stmt) or entered.statement(self, stmt):
            return
        for item in stmt.items:
            if not (isinstance(item.context_expr, gast.Call) and isinstance(self.object(item.context_expr.func), type)):
                item.context_expr = self.expr(item.context_expr)       # the call of a class that makes one stays
        stmt.body = self._filled(stmt.body)
        self.emit(stmt)

    def _try(self, stmt: Any) -> None:
        self.attempts += 1
        stmt.body = self._filled(stmt.body)
        self.attempts -= 1
        for handler in stmt.handlers:
            handler.body = self._filled(handler.body)
        stmt.orelse, stmt.finalbody = self.block(stmt.orelse), self.block(stmt.finalbody)
        if not stmt.handlers and not stmt.finalbody and self.out is not None:      # what it finishes with is nothing
            self.out += stmt.body
        else:
            self.emit(stmt)

    def _assert(self, stmt: gast.Assert) -> None:
        stmt.test = self.expr(stmt.test)
        self.emit(stmt)

    def _raise(self, stmt: gast.Raise) -> None:
        stmt.exc = stmt.exc and self.expr(stmt.exc)
        self.emit(stmt)

    def _match(self, stmt: gast.Match) -> None:
        for new in patterns.branches(self, stmt):
            self.statement(new)

    def _functiondef(self, stmt: gast.FunctionDef) -> None:
        if not definitions.define(self, stmt):
            self.emit(stmt)

    def _import(self, stmt: Any) -> None:
        bound_here = {(alias.asname or alias.name).partition(".")[0] for alias in stmt.names}
        if not bound_here <= set(self.imported):
            self.emit(stmt)

    _importfrom = _import

    def _delete(self, stmt: gast.Delete) -> None:
        """A name that is gone has its value still for the backward pass; where it may be read, that is seen."""
        for one in stmt.targets:
            if isinstance(one, gast.Name) and one.id in self.doubtful:
                if hasattr(one, "unsure"):
                    unbound.put(self, one)
                self.statement(self.placed(assign(one.id, library("rt.UNBOUND"))))
        rest = [one for one in stmt.targets if not isinstance(one, gast.Name)
                and not (isinstance(one, gast.Subscript) and self._changed(one.value, "__delitem__", one.slice))]
        if rest:
            stmt.targets = rest
            self.emit(stmt)

    def _global(self, stmt: gast.Global) -> None:
        if writes(self.tree.body) & set(stmt.names):
            self.emit(stmt)
