"""One way out: `return` inside branches, loops and `try`, `break`,
`continue` and `else` of loops become branches and flags.

Needs a body in which every path ends in `return` or `raise`. Promises one `return` at the end, loops without `else` and
`continue`, `try` without `finally`, and no `break` but `if test: break` as the first or the last statements of a loop's
body.

    for i in range(n):              stopped = False
        if x > 5.0:                 for i in range(n):
            continue                    if x > 5.0:
        x = x * 2.0          →              pass
                                        else:
                                            x = x * 2.0

What follows a branch that always leaves moves into the other branch;
where neither branch always leaves, a flag says which did.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import gast

from ..analyse.flow import bound_by
from ..analyse.leaving import KINDS, Known, always_leaves, escapes, escapes_block
from ..analyse.resolve import Scope
from ..syntax.blocks import change_blocks, inserts, is_break, statements
from ..syntax.building import assign, clone, load, mark, origin_of
from ..syntax.names import Names
from ..syntax.nodes import target_names


def single_exit(body: list[gast.stmt], names: Names, result: str, scope: Scope) -> list[gast.stmt]:
    """The body with one `return`, of a variable called `result` where there were several."""
    returns = [stmt for stmt in statements(body) if isinstance(stmt, gast.Return)]
    if len(returns) == 1 and isinstance(body[-1], gast.Return):
        return [*_Exits(names, "", "", scope).block(body[:-1], None), body[-1]]
    exits = _Exits(names, names.new(result), names.new("returned"), scope)
    new = exits.block(body, None)
    if exits.returned in exits.asked:
        new.insert(0, _flag(exits.returned, False, returns[0]))
    final = gast.Return(load(exits.result))
    return [*_without(new, exits.flags - exits.asked), mark(final, origin=tuple(origin_of(r) for r in returns))]


class Turn(NamedTuple):
    """The body of a loop that stands where an item is made. leave: the flags that say that it ends the loop; returned:
    the one of them that says that it ends the function, with `result`."""

    body: list[gast.stmt]
    leave: list[str]
    returned: str
    result: str


def one_turn(body: list[gast.stmt], names: Names, scope: Scope) -> Turn:
    """The body of a loop without exits: what follows it has to leave the loop where one of the flags is set."""
    kinds = escapes_block(body)
    if not kinds:
        return Turn(body, [], "", "")
    exits = _Exits(names, names.new("value"), names.new("returned"), scope)
    flags = _Loop(names.new("stopped"), names.new("skipped"))
    exits.flags.update(flags)
    new = exits.block(body, flags)
    leave = [flag for kind, flag in (("break", flags.stopped), ("return", exits.returned)) if kind in kinds]
    exits.asked.update(leave)
    if "continue" in kinds:
        new.insert(0, _flag(flags.skipped, False, body[0]))
    returned = exits.returned if "return" in kinds else ""
    return Turn(_without(new, exits.flags - exits.asked), leave, returned, exits.result)


def without_returns(body: list[gast.stmt], names: Names, scope: Scope) -> list[gast.stmt]:
    """The body of a function that returns nothing, with no `return` in it."""
    first = next((stmt for stmt in statements(body) if isinstance(stmt, gast.Return)), None)
    exits = _Exits(names, "", names.new("returned"), scope)
    new = exits.block(body, None)
    if exits.returned in exits.asked and first is not None:
        new.insert(0, _flag(exits.returned, False, first))
    return _without(new, exits.flags - exits.asked)


def _flag(name: str, value: bool, like: gast.stmt) -> gast.stmt:
    return assign(name, gast.Constant(value, None), origin=origin_of(like), flag=name)


def _without(body: list[gast.stmt], unused: set[str]) -> list[gast.stmt]:
    """Drop the settings of flags that nothing asks for."""
    new = []
    for stmt in body:
        if getattr(stmt, "flag", None) in unused:
            continue
        change_blocks(stmt, lambda block: _without(block, unused))
        new.append(stmt)
    return new


class _Loop(NamedTuple):
    """The flags of one loop."""

    stopped: str
    skipped: str


class _Exits:
    def __init__(self, names: Names, result: str, returned: str, scope: Scope) -> None:
        self.names, self.result, self.returned, self.scope = names, result, returned, scope
        self.flags = {returned}
        self.asked: set[str] = set()
        self.known: Known = {}

    def block(self, body: Sequence[gast.stmt], loop: _Loop | None) -> list[gast.stmt]:
        out: list[gast.stmt] = []
        for i, stmt in enumerate(body):
            rest = list(body[i + 1:])
            kinds = escapes(stmt, self.known)
            self.known.pop(id(stmt), None)   # it is changed from here on, and what is in its blocks when its turn comes
            if isinstance(stmt, gast.Return):
                value = stmt.value if stmt.value is not None else gast.Constant(None, None)
                if self.result:
                    out.append(mark(assign(self.result, value), origin=origin_of(stmt)))
                out.append(_flag(self.returned, True, stmt))
                return out
            if isinstance(stmt, (gast.Break, gast.Continue)) and loop is not None:
                out.append(_flag(loop.stopped if isinstance(stmt, gast.Break) else loop.skipped, True, stmt))
                return out
            if isinstance(stmt, gast.Raise):
                return [*out, stmt]
            if isinstance(stmt, (gast.For, gast.While)):
                out.extend(self.loop(stmt, loop))
                kinds = escapes(stmt) if stmt.orelse else kinds
            elif isinstance(stmt, gast.If):
                if kinds and always_leaves(stmt.body):
                    stmt.orelse, rest = [*stmt.orelse, *rest], []
                elif kinds and always_leaves(stmt.orelse):
                    stmt.body, rest = [*stmt.body, *rest], []
                elif always_leaves(stmt.body) and always_leaves(stmt.orelse):
                    rest = []
                change_blocks(stmt, lambda block: self.block(block, loop))
                out.append(stmt)
            elif isinstance(stmt, gast.Try):
                made, rest = self.attempt(stmt, rest, loop)
                out.extend(made)
            elif isinstance(stmt, gast.Match):
                rest = self.cases(stmt, rest, loop)
                out.append(stmt)
            elif isinstance(stmt, gast.With) and not inserts(stmt):
                rest = [] if always_leaves(stmt.body) else rest
                stmt.body = self.block(stmt.body, loop)
                out.append(stmt)
            else:
                out.append(stmt)
            if kinds:
                return [*out, self.guarded(rest, kinds, loop)] if rest else out
        return out

    def cases(self, stmt: gast.Match, rest: list[gast.stmt], loop: _Loop | None) -> list[gast.stmt]:
        """The cases of a `match` without exits, and what still follows it: as with branches,
        the rest stands where one way goes on."""
        last = stmt.cases[-1]
        if escapes(stmt) and (last.guard is not None or not isinstance(last.pattern, gast.MatchAs)
                              or last.pattern.pattern is not None):
            stmt.cases.append(gast.match_case(gast.MatchAs(None, None), None,
                                              [mark(gast.Pass(), origin=origin_of(stmt))]))
        going = [case for case in stmt.cases if not always_leaves(case.body)]
        if not going:
            rest = []
        elif escapes(stmt) and len(going) == 1:
            going[0].body, rest = [*going[0].body, *rest], []
        change_blocks(stmt, lambda block: self.block(block, loop))
        return rest

    def attempt(self, stmt: gast.Try, rest: list[gast.stmt],
                loop: _Loop | None) -> tuple[list[gast.stmt], list[gast.stmt]]:
        """A `try` without exits, and what of the rest still follows it: where one way goes on,
        the rest stands there."""
        final, stmt.finalbody = stmt.finalbody, []
        if final:
            return self.final(stmt, final, loop), [] if always_leaves([stmt]) else rest
        done = always_leaves([*stmt.body, *stmt.orelse])
        going = [handler.body for handler in stmt.handlers if not always_leaves(handler.body)]
        if done and not going:
            rest = []
        elif escapes(stmt) and not done and not going:
            stmt.orelse, rest = [*stmt.orelse, *rest], []
        elif escapes(stmt) and done and len(going) == 1 \
                and not any(isinstance(s, gast.Raise) and s.exc is None for s in statements(rest)):
            going[0].extend(rest)
            rest = []
        kinds = escapes_block(stmt.body)
        last = stmt.body[-1]
        if type(last) in KINDS and not escapes_block(stmt.body[:-1]):
            made = self.block([last], loop)     # the value is computed in the body; the flag is set where all went well
            stmt.orelse, stmt.body = made[-1:], [*stmt.body[:-1], *made[:-1]]
        elif always_leaves(stmt.body):
            stmt.orelse = []
        elif kinds and stmt.orelse:
            stmt.orelse = [self.guarded(stmt.orelse, kinds, loop)]
        else:
            stmt.orelse = self.block(stmt.orelse, loop)
        stmt.body = self.block(stmt.body, loop) or [mark(gast.Pass(), origin=origin_of(stmt))]
        for handler in stmt.handlers:
            handler.body = self.block(handler.body, loop) or [mark(gast.Pass(), origin=origin_of(stmt))]
        return [stmt], rest

    def final(self, stmt: gast.Try, final: list[gast.stmt], loop: _Loop | None) -> list[gast.stmt]:
        """`finally`: after the `try` where nothing is raised, else in a handler that raises again."""
        inner = self.block([stmt] if stmt.handlers else stmt.body, loop)
        again = mark(gast.Raise(None, None), origin=origin_of(final[-1]))
        handler = gast.ExceptHandler(None, None, [*self.block(clone(final), loop), again])
        return [mark(gast.Try(inner, [handler], [], []), origin=origin_of(stmt), final=True), *self.block(final, loop)]

    def ask(self, flags: Sequence[str]) -> gast.expr:
        """The test that one of the flags is set."""
        self.asked.update(flags)
        reads = [load(flag) for flag in flags]
        return reads[0] if len(reads) == 1 else gast.BoolOp(gast.Or(), reads)

    def guarded(self, rest: list[gast.stmt], kinds: set[str], loop: _Loop | None) -> gast.stmt:
        flags = [self.returned] if "return" in kinds else []
        if loop is not None:
            flags += [flag for kind, flag in (("break", loop.stopped), ("continue", loop.skipped)) if kind in kinds]
        test = gast.UnaryOp(gast.Not(), self.ask(flags))
        return mark(gast.If(test, self.block(rest, loop), []), origin=origin_of(rest[0]))

    def loop(self, stmt: gast.For | gast.While, outer: _Loop | None) -> list[gast.stmt]:
        """A loop, with what has to stand before and after it."""
        body, head, tail = list(stmt.body), [], []
        if not stmt.orelse:
            while body and is_break(body[0]) and _starts_at_once(stmt, self.scope):
                head.append(body.pop(0))
            if body and is_break(body[-1]) and not escapes_block(body[:-1]):
                tail.append(body.pop())
        kinds = escapes_block(body) | (escapes_block(head) if stmt.orelse else set())
        flags = _Loop(self.names.new("stopped"), self.names.new("skipped"))
        self.flags.update(flags)
        inner = self.block(body, flags)
        leave = [flags.stopped] if "break" in kinds else []
        leave += [self.returned] if "return" in kinds else []
        before: list[gast.stmt] = []
        if leave:
            tail = [mark(gast.If(self.ask(leave), [mark(gast.Break(), origin=origin_of(stmt))], []),
                         origin=origin_of(stmt))]
        if flags.stopped in leave:
            before.append(_flag(flags.stopped, False, stmt))
        if "continue" in kinds:
            inner.insert(0, _flag(flags.skipped, False, stmt))
        orelse, stmt.orelse = stmt.orelse, []
        stmt.body = [*head, *inner, *tail] or [mark(gast.Pass(), origin=origin_of(stmt))]
        after: list[gast.stmt] = []
        if orelse:
            inside = self.block(orelse, outer)
            after = [mark(gast.If(gast.UnaryOp(gast.Not(), self.ask(leave)), inside, []),
                          origin=origin_of(orelse[0]))] if leave else inside
        return [*before, stmt, *after]


def _starts_at_once(stmt: gast.For | gast.While, scope: Scope) -> bool:
    """Nothing will be put before the first statements of the body: no item to be read, no target to be copied."""
    if isinstance(stmt, gast.While):
        return True
    rebound = {n for s in statements(stmt.body) for n in bound_by(s)}
    return scope.builtin(stmt.iter) == "range" and not rebound & set(target_names(stmt.target))
