"""All or nothing: what a `try` has done before it raises is seen by nobody,
so that the backward pass has only whole bodies to undo.

Needs a body with one exit. Promises for each `try` that goes on after an exception: no name that its body binds, and
nothing that it changes in place, is read on the way of a handler, or stood for something before. Names get others
inside of the body, and their own where it is done. Where a handler reads what part of the body has made, the body is
cut behind that part, and the `try` goes into branches and loops. What cannot be cut is refused.

    try:                              try:
        x = x * 2.0                       x_1 = x * 2.0
        y = risky(x)                  except ValueError:
    except ValueError:        →           y = x
        y = x                         else:
                                          x = x_1
                                          try:
                                              y = risky(x)
                                          except ValueError:
                                              y = x
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import gast

from ..analyse.attempts import Surroundings, catches, goes_on
from ..analyse.collected import is_collected
from ..analyse.flow import bound_by, bound_in, mutation, statement_access
from ..errors import Refusal
from ..syntax.blocks import is_break, is_compound, rebuild, statements
from ..syntax.building import assign, call, clone, library, load, mark, origin_of, rename, rename_stores, substitute
from ..syntax.names import Names
from ..syntax.nodes import reads, target_names, walk
from ..syntax.program import Origin

MOST = 8            # pieces of one body


def all_or_nothing(body: list[gast.stmt], names: Names, users: set[str], look: Callable[[], Surroundings],
                   varied: Callable[[], set[str]]) -> list[Refusal]:
    """Change the body of a function; what is refused of it. users: its names that are not ours; look: the facts about
    it as it is; varied: its names that may carry a derivative."""
    refusals: list[Refusal] = []
    while True:                                            # outer ones first; each cut makes other facts
        stmt = next((s for s in statements(body) if isinstance(s, gast.Try) and goes_on(s) and not hasattr(s, "whole")),
                    None)
        if stmt is None:
            break
        facts = look()
        gone = {id(one) for one in statements(body)} - facts.graph.first.keys()
        if gone:                                           # a place that is refused stands before them
            body[:] = _without(body, gone)
        else:
            refusals += _Attempt(stmt, facts, names, varied(), users).run()
    return refusals


def _without(body: list[gast.stmt], gone: set[int]) -> list[gast.stmt]:
    return rebuild(body, lambda one: [] if id(one) in gone else None)


class _Attempt:
    """One `try`. partial: names without a derivative of which handlers see what was done before the exception."""

    def __init__(self, stmt: Any, facts: Surroundings, names: Names, varied: set[str], users: set[str]) -> None:
        self.stmt, self.facts, self.names, self.varied, self.users = stmt, facts, names, varied, users
        self.seen = facts.seen_by_handlers(stmt)
        self.partial: set[str] = set()
        self.refusals: list[Refusal] = []

    def run(self) -> list[Refusal]:
        stmt = self.stmt
        self._plain()
        if self._hoisted() or self._cut() or self._spread():
            return self.refusals
        self._judge()
        self._watch_updates()
        stmt.partial, stmt.whole = sorted(self.partial), not self.partial
        self._rename([name for name in sorted(bound_in(*stmt.body)) if not self._keeps(name)])
        return self.refusals

    def _plain(self) -> None:
        """`x = x + v` for `x += v` where x is a number, which is never changed in place."""
        for one in statements(self.stmt.body):
            if isinstance(one, gast.AugAssign) and isinstance(one.target, gast.Name) \
                    and one.target.id not in self.facts.changed(one):
                one.__class__ = gast.Assign
                one.targets, one.value = [one.target], gast.BinOp(load(one.target.id), one.op, one.value)
                one.type_comment = None
                del one.target, one.op

    # ------------------------------------------------------------------ cutting
    def _matters(self, stmt: gast.stmt, above: list[gast.stmt]) -> bool:
        """After an exception it counts whether the statement was done."""
        return bool(bound_in(stmt) & self.seen or self.facts.changed(stmt) - self._own(above))

    def _own(self, above: list[gast.stmt]) -> set[str]:
        """What the body has made for itself, by statements that come first."""
        return {name for one in above if not is_compound(one) for name in statement_access(one).define} - self.seen

    def _hoisted(self) -> bool:
        """What cannot raise, at the head of the body, stands before the `try` if it matters. True where that was so."""
        body, place = self.stmt.body, 0
        while place < len(body) - 1 and not is_compound(body[place]) \
                and not self.facts.may_raise(body[place:place + 1]):
            place += 1
        if not any(self._matters(one, []) for one in body[:place]):
            return False
        block = self._block()
        at = next(i for i, one in enumerate(block) if one is self.stmt)
        block[at:at], self.stmt.body = body[:place], body[place:]
        return True

    def _block(self) -> list[gast.stmt]:
        around = self.facts.path(self.stmt)
        return around[-1][1] if around else self.facts.body

    def _cut(self) -> bool:
        """Cut the body behind a statement that matters, where more follows that may raise. True where that was so."""
        body = self.stmt.body
        for place, one in enumerate(body[:-1]):
            if self._matters(one, body[:place]) and self.facts.may_raise(body[place + 1:]):
                return self._cut_at(place + 1)
        return False

    def _cut_at(self, place: int) -> bool:
        """Two pieces, the second where the first went well. False where there are too many."""
        stmt = self.stmt
        if getattr(stmt, "pieces", 1) >= MOST:
            self._refuse(stmt.body[place], "what this try has done before an exception is read after it, "
                         f"and more than {MOST} statements may raise", "a try around each statement that may raise")
            return False
        rest = self._attempted(stmt.body[place:], stmt.orelse)
        stmt.body, stmt.orelse = stmt.body[:place], [rest]
        return True

    def _attempted(self, body: list[gast.stmt], orelse: list[gast.stmt]) -> gast.Try:
        """A piece of the body, with handlers of its own."""
        pieces = getattr(self.stmt, "pieces", 1) + 1
        return mark(gast.Try(body, clone(self.stmt.handlers), orelse, []), origin=origin_of(self.stmt), pieces=pieces)

    def _spread(self) -> bool:
        """A branch, or a loop, of which handlers see what was done: the `try` goes into it.
        True where it has changed."""
        body = self.stmt.body
        for place, one in enumerate(body):
            changed = self.facts.changed(one) - self._own(body[:place])
            if isinstance(one, (gast.If, gast.For)) \
                    and any(name in self.varied for name in self._seen_half_done(one, changed)):
                if len(body) > 1:
                    return self._cut_at(place or 1)
                if getattr(self.stmt, "pieces", 1) >= MOST:
                    return False
                return self._into_branches(one) if isinstance(one, gast.If) else self._into_loop(one)
        return False

    def _into_branches(self, one: Any) -> bool:
        origin, orelse = origin_of(one), self.stmt.orelse
        condition = self.names.new("condition")
        ways = [[self._attempted(way, clone(orelse))] if way else clone(orelse) for way in (one.body, one.orelse)]
        self.stmt.body = [assign(condition, one.test, origin=origin)]
        self.stmt.orelse = [mark(gast.If(load(condition), *ways), origin=origin)]
        return True

    def _into_loop(self, one: Any) -> bool:
        """The loop ends where something is caught in it."""
        core, origin = list(one.body), origin_of(one)
        tail: list[gast.stmt] = []
        while core and is_break(core[-1]):
            tail.insert(0, core.pop())
        ranged = self.facts.scope.builtin(one.iter) == "range"
        if not core or is_break(core[0]) or not isinstance(one.target, gast.Name) \
                or reads(one.iter) & self.varied and not ranged:
            return False
        items, caught = self.names.new("items"), self.names.new("caught")
        inner = self._attempted(core, [])
        for handler in goes_on(inner):
            handler.body.append(assign(caught, gast.Constant(True, None), origin=origin))
        leave = mark(gast.If(load(caught), [mark(gast.Break(), origin=origin)], []), origin=origin)
        loop = mark(gast.For(one.target, load(items), [inner, leave, *tail], [], None), origin=origin)
        rest = [mark(gast.If(gast.UnaryOp(gast.Not(), load(caught)), self.stmt.orelse, []), origin=origin)] \
            if self.stmt.orelse else []
        there = one.iter if is_collected(one.iter, self.facts.collected, self.facts.scope) \
            else library("rt.steady(x)", x=one.iter)
        self.stmt.body = [assign(items, one.iter if ranged else call("%list", there), origin=origin)]
        self.stmt.orelse = [assign(caught, gast.Constant(False, None), origin=origin), loop, *rest]
        return True

    # ------------------------------------------------------------------ judging
    def _judge(self) -> None:
        """Refuse what a handler sees half done, if it carries a derivative."""
        for place, one in enumerate(self.stmt.body):
            changed = self.facts.changed(one) - self._own(self.stmt.body[:place])
            for name in self._seen_half_done(one, changed):
                self._half_done(one, name, name in changed)

    def _watch_updates(self) -> None:
        """NumPy may raise in the middle of an array that is changed in place,
        where `np.errstate` says so: that is checked before."""
        stmt = self.stmt
        if not any(catches(handler, (FloatingPointError,), self.facts.scope) for handler in goes_on(stmt)):
            return
        for place, one in reversed(list(enumerate(stmt.body))):
            if not is_compound(one) and mutation(one) is None and self.facts.changed(one) & self.seen:
                check = gast.Expr(library("rt.check_errstate()"))
                stmt.body.insert(place, mark(check, origin=origin_of(one), role="forward", note="guard"))

    def _seen_half_done(self, stmt: gast.stmt, changed: set[str]) -> list[str]:
        """The names of which handlers may see what a statement has done before it raises."""
        return [name for name in sorted(bound_in(stmt) & (self.seen | changed))
                if self._several(stmt, name) or self.facts.raised_after([stmt], name)]

    @staticmethod
    def _several(stmt: gast.stmt, name: str) -> bool:
        """Parts are assigned one after the other in one statement."""
        targets = [target for one in statements([stmt]) if isinstance(one, gast.Assign) and name in bound_in(one)
                   for target in one.targets]
        if len(targets) < 2 and not any(isinstance(target, (gast.Tuple, gast.List)) for target in targets):
            return False
        return any(isinstance(part, gast.Subscript) and not isinstance(part.ctx, gast.Load) for target in targets
                   for part in walk(target))

    def _half_done(self, stmt: gast.stmt, name: str, changed: bool) -> None:
        if name not in self.varied:
            self.partial.add(name)
            return
        what = "changed in place" if changed else "assigned"
        self._refuse(
            stmt, f"{name} is {what} in this try, and how far that came before an exception is not known after it",
            f"a new variable in the try, and {name} assigned from it in else:" if not changed
            else f"a try around each statement that may raise, or {name} = {name}.copy() in the try, and kept in else:")

    def _refuse(self, stmt: gast.stmt, why: str, remedy: str) -> None:
        self.refusals.append(Refusal.at(stmt, why, remedy))

    # ------------------------------------------------------------------ names
    def _keeps(self, name: str) -> bool:
        """The name may be bound in the body itself: where the body fails, nothing that is read has changed."""
        stmt, facts = self.stmt, self.facts
        around = facts.path(stmt)
        loops = [(one, block) for one, block in around if isinstance(one, (gast.For, gast.While))]
        if name in self.partial or not any(name in bound_by(one) for one in statements(stmt.body)):
            return True                                    # no binding, but a part that is changed
        if any(isinstance(one, gast.AugAssign) and target_names(one.target) == [name]
               for one in statements(stmt.body)) \
                and not any(name in statement_access(one).define and not isinstance(one, gast.AugAssign)
                            for one in stmt.body if not is_compound(one)):
            return True
        if not loops:
            return not facts.raised_after(stmt.body, name) \
                or name not in self.seen and name not in facts.possible.before(stmt)
        inside = {id(one) for one in statements([stmt])}
        if name in self.seen | facts.live.before(stmt) or any(name in facts.live.after(loop) for loop, _ in loops):
            return False
        bindings = Counter(id(one) in inside for one in statements(facts.body) if name in bound_by(one))
        body = sum(name in bound_by(one) for one in statements(stmt.body))
        if bindings[False] or body > 1:
            return False
        return around[-1] == loops[-1] and name in facts.definite.after(stmt) \
            or bindings[True] == body and name not in facts.live.after(stmt)

    def _rename(self, wanted: list[str]) -> None:
        """Other names for what the body binds; their own come first in `else:`."""
        stmt = self.stmt
        current: dict[str, str] = {}
        origins: dict[str, Origin | None] = {}
        body: list[gast.stmt] = []
        after = self.facts.live.before(stmt.orelse[0]) if stmt.orelse else self.facts.live.after(stmt)
        for one in stmt.body:
            if is_compound(one):
                for name in wanted:
                    if name in bound_in(one):
                        self._enter(name, one, current, body)
                        origins[name] = origin_of(one)
                rename(one, current)
                body.append(one)
                continue
            augmented = isinstance(one, gast.AugAssign)
            new = substitute(one, {name: load(kept) for name, kept in current.items()})
            bound = [name for name in wanted if name in statement_access(one).define]
            origins.update(dict.fromkeys(bound, origin_of(one)))
            for name in bound if not augmented else []:
                current[name] = self.names.numbered(name)
            rename_stores(new, {name: current[name] for name in bound if name in current})
            body.append(new)
        stmt.body = body
        stmt.orelse[:0] = [assign(name, load(kept), origin=origins[name])
                           for name, kept in current.items() if name in after]

    def _enter(self, name: str, stmt: gast.stmt, current: dict[str, str], body: list[gast.stmt]) -> None:
        """A block that may bind a name starts from the value that it has."""
        if name in current:
            return
        new = self.names.numbered(name)
        if name in self.facts.live.before(stmt):
            if name in self.facts.possible.before(stmt) - self.facts.definite.before(stmt) and name not in self.users:
                self.facts.body.insert(0, assign(name, gast.Constant(None, None)))
                body.append(assign(new, load(name), origin=origin_of(stmt)))
            elif name in self.facts.definite.before(stmt):
                body.append(assign(new, load(name), origin=origin_of(stmt)))
            elif name in self.facts.possible.before(stmt):
                self._refuse(stmt, f"{name} may have no value before this try",
                             f"{name} = None, or another value, before it")
        current[name] = new
