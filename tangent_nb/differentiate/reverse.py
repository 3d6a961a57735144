"""Reverse mode: the adjoint of a function in normal form.

Needs a `Problem`. Promises forward statements that compute what the function computes and save what is overwritten, and
backward statements that leave in `b<x>` the cotangent of each `x` in wrt. For `y = φ(x1, …, xn)` the backward code is

    bx_k = bx_k + pull(φ, x_k, by)     for each active operand, the operand that is y itself last
    y's old value restored             before these, or after them where they read the result

in the reverse order of the statements (A. Griewank and A. Walther, "Evaluating Derivatives", 2nd ed., section 3.2). Z
is the set of names whose cotangent is bound at a point; it holds all that are active there.
"""
from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import gast

from ..analyse.attempts import goes_on
from ..analyse.flow import statement_access
from ..analyse.leaving import always_leaves, always_raises
from ..analyse.managers import is_repeatable
from ..analyse.unbound import nothing
from ..errors import Refusal, RefusedError
from ..syntax.blocks import inserts, is_break, is_compound, own_expressions, statements
from ..syntax.building import (
    assign,
    call,
    clone,
    library,
    load,
    mark,
    negated,
    origin_of,
    rename,
    same_trees,
    store,
    subscript,
)
from ..syntax.closure import closure
from ..syntax.nodes import reads, writes
from .attempts import chosen, cut_back, let_ours_through, like_with
from .problem import Problem, placed
from .recompute import changed_views, cheap_temporaries
from .reruns import one_by_one
from .saves import Saves
from .statement_adjoints import StatementAdjoints
from .zeros import Zeros


@dataclass(frozen=True)
class Adjoint:
    """forward and backward: the two sweeps; cotangent: the variable of each name that has one;
    seed: that of the result."""

    forward: list[gast.stmt]
    backward: list[gast.stmt]
    cotangent: dict[str, str]
    seed: str


def reverse(problem: Problem, *, split: bool = False, recompute: bool = False) -> Adjoint | RefusedError:
    """The adjoint of a problem, or what is refused of it. split: the backward sweep may run twice, and changes nothing
    that the forward sweep made. recompute: in loops, cheap temporaries are computed again instead of being saved."""
    start = set(problem.names.used)
    zeros = Zeros(problem, "pull")
    needed: set[str] | None = None
    initialised: set[str] = set()
    while True:
        problem.names.used = set(start)
        one = _Reverse(problem, Saves(problem, needed, initialised, split=split), zeros, recompute)
        adjoint = one.run()
        if problem.refused:
            return RefusedError(problem.name, problem.refused[:1])
        if one.saves.missing - initialised:
            initialised |= one.saves.missing
            continue
        if not one.saves.restores and not any(hasattr(stmt, "handlers") for stmt in statements(problem.body)):
            return adjoint
        found = _needed(adjoint.backward)
        if refused := _caught(problem, found):
            return RefusedError(problem.name, refused)
        # fewer names to restore would change nothing
        if needed is not None and found == needed or not one.saves.restores:
            return adjoint
        if needed is not None and not found < needed:
            needed = needed | found
            continue
        needed = found


def _needed(backward: Sequence[gast.stmt]) -> set[str]:
    """The names that the backward code reads, and those that restoring them reads."""
    found: set[str] = set()
    restores = []
    for stmt in statements(backward):
        if hasattr(stmt, "restore"):
            restores.append(stmt)
        elif is_compound(stmt):
            found |= reads(own_expressions(stmt))
        else:
            found |= reads(stmt)
    return closure(found, lambda found: {name for stmt in restores if stmt.restore in found for name in reads(stmt)})


def _caught(problem: Problem, needed: set[str]) -> list[Refusal]:
    """Python deletes the name of an exception after its handler: the backward sweep cannot read it."""
    for stmt in statements(problem.body):
        for handler in getattr(stmt, "handlers", ()):
            if handler.name is not None and handler.name.id in needed:
                name, place = handler.name.id, handler if origin_of(handler) is not None else stmt
                return [Refusal.at(
                    place, f"the backward pass reads {name}, and Python deletes it at the end of except",
                    f"a variable under except for what is read of {name}: value = {name}.args[0]")]
    return []


class _Reverse(StatementAdjoints):
    """The two sweeps: blocks, branches and loops."""

    def __init__(self, problem: Problem, saves: Saves, zeros: Zeros, recompute: bool) -> None:
        super().__init__(problem, saves, zeros,
                         changed_views(problem) | (cheap_temporaries(problem, saves.split) if recompute else {}))
        self.end_restores: dict[int, list[gast.stmt]] = {}

    def run(self) -> Adjoint:
        problem = self.problem
        self.saves.plan()
        forward = self.forward(problem.body)
        z = {problem.result}
        seed = self.b(problem.result)
        backward = self.block(problem.body, z)
        if any(hasattr(stmt, "reruns") for stmt in statements(backward)):
            backward = one_by_one(backward)
        for name in problem.wrt:
            if name not in z:
                backward.append(self.zero(name, problem.specs))
                z.add(name)
        start = [mark(assign(stack, gast.List([], gast.Load())), role="forward", origin=None, tape=(stack, None))
                 for stack in self.saves.lists.values()]
        initialised = sorted((self.saves.initialised & set(problem.scope.local)).difference(problem.parameters))
        start += [mark(assign(name, value), role="forward", origin=None)
                  for name, value in nothing(initialised, problem.body, self.scope).items()]
        if self.saves.split:
            backward = [mark(assign(stack, call("%list", stack)), role="backward", origin=None, tape=(stack, "copy"))
                        for stack in self.saves.lists.values()] + backward
        return Adjoint(start + forward, backward, self.cotangent, seed)

    # ------------------------------------------------------------------ the forward sweep
    def forward(self, body: Sequence[gast.stmt]) -> list[gast.stmt]:
        out: list[gast.stmt] = []
        for stmt in body:
            if inserts(stmt):
                continue
            before, self.restores[id(stmt)] = self.saves.around(stmt)
            if isinstance(stmt, gast.If):
                new: gast.stmt = gast.If(clone(stmt.test), self._branch(stmt.body), self._branch(stmt.orelse))
            elif isinstance(stmt, gast.For):
                new = gast.For(clone(stmt.target), clone(stmt.iter),
                               self._with_ends(stmt.body, self.saves.at_end.get(id(stmt), [])), [], None)
            elif isinstance(stmt, gast.While):
                new = gast.While(clone(stmt.test), self._with_ends(stmt.body, self.saves.at_end.get(id(stmt), [])), [])
            elif isinstance(stmt, gast.With):
                new = like_with(stmt, clone(stmt.items), self._branch(stmt.body))
            elif isinstance(stmt, gast.Try):
                new = clone_head(stmt, self._branch)
                going = [handler for handler in new.handlers if not always_leaves(handler.body)]
                before += cut_back(new, going, self.problem.names)
                let_ours_through(new, self.scope)
            else:
                new = placed(stmt) if hasattr(stmt, "by_place") else same_trees(stmt)
            out.extend(before)
            out.append(mark(new, origin=origin_of(stmt), role="forward", part=getattr(stmt, "part", ())))
        return out

    def _branch(self, block: Sequence[gast.stmt]) -> list[gast.stmt]:
        return self._with_ends(block, self.saves.at_branch_end.setdefault(id(block[0]), []) if block else [])

    def _with_ends(self, body: Sequence[gast.stmt], names: Sequence[str]) -> list[gast.stmt]:
        """The forward code of a block with saves at its end."""
        out = self.forward(body)
        if names:
            saves, restores = self.saves.ends(names, body[-1])
            self.end_restores[id(body[0])] = restores
            place = len(out) - _tail(out)
            out[place:place] = saves
        return out

    # ------------------------------------------------------------------ the backward sweep
    def block(self, body: Sequence[gast.stmt], z: set[str]) -> list[gast.stmt]:
        """The backward code of a block; z changes from what is bound after the block to what is bound before it."""
        out = list(self.end_restores.get(id(body[0]), [])) if body else []
        for stmt in reversed(body):
            origin, part = origin_of(stmt), getattr(stmt, "part", ())
            for new in self._statement(stmt, z):
                if not hasattr(new, "origin"):
                    new.origin = origin
                if not hasattr(new, "part"):
                    new.part = part
                if not hasattr(new, "role"):
                    new.role = "backward"
                out.append(new)
        return out

    def _statement(self, stmt: gast.stmt, z: set[str]) -> list[gast.stmt]:
        if isinstance(stmt, gast.If):
            return self._if(stmt, z)
        if isinstance(stmt, (gast.For, gast.While)):
            return self._loop(stmt, z)
        if isinstance(stmt, gast.Try):
            return self._try(stmt, z)
        if inserts(stmt):
            return self._insert(stmt, z)
        if isinstance(stmt, gast.With):
            return self._with(stmt, z)
        new, reads_result = self.adjoint(stmt, z)
        restores = self.restores.get(id(stmt), [])
        active = self.problem.activity.before(stmt)
        z -= {name for name in z if name not in active}
        return [*new, *restores] if reads_result else [*restores, *new]

    def _if(self, stmt: gast.If, z: set[str]) -> list[gast.stmt]:
        if always_raises(stmt.body) or always_raises(stmt.orelse):                 # the other way was taken
            return self.block(stmt.orelse if always_raises(stmt.body) else stmt.body, z)
        blocks = self._ways(stmt, z,
                            [lambda bound: self.block(stmt.body, bound), lambda bound: self.block(stmt.orelse, bound)])
        if not blocks[0] and not blocks[1]:
            return []
        if not blocks[0]:
            return [gast.If(negated(clone(stmt.test)), blocks[1], [])]
        return [gast.If(clone(stmt.test), *blocks)]

    def _try(self, stmt: Any, z: set[str]) -> list[gast.stmt]:
        """The handlers and the body are ways like those of an `if`; one that raises again leads to no result."""
        def done(bound: set[str]) -> list[gast.stmt]:
            restores = self.end_restores.pop(id(stmt.body[0]), [])
            late = self.block(stmt.orelse, bound)
            return [*restores, *late, *self.block(stmt.body, bound)]

        going = goes_on(stmt)
        ways = self._ways(stmt, z, [done, *(functools.partial(self.block, handler.body) for handler in going)])
        code = chosen(stmt.failed, ways[1:], ways[0]) if going else ways[0]
        return [*code, *self.restores.get(id(stmt), [])]

    def _with(self, stmt: Any, z: set[str]) -> list[gast.stmt]:
        body = self.block(stmt.body, z)
        active = self.problem.activity.before(stmt)
        z -= {name for name in z if name not in active}
        expression = stmt.items[0].context_expr
        restores = self.restores.get(id(stmt), [])
        if not body or not is_repeatable(expression, self.scope):
            return [*body, *restores]
        return [mark(gast.With([gast.withitem(clone(expression), None)], body, None), inserts=False), *restores]

    def _ways(self, stmt: gast.stmt, z: set[str],
              ways: Sequence[Callable[[set[str]], list[gast.stmt]]]) -> list[list[gast.stmt]]:
        """The backward code of the ways that meet after a statement: each has the cotangents of all."""
        before = self.problem.activity.before(stmt)
        sets = [set(z) for _ in ways]
        blocks = [way(bound) for way, bound in zip(ways, sets, strict=True)]
        union = set().union(*sets) & before
        env = self.problem.kinds.before(stmt)
        for block, bound in zip(blocks, sets, strict=True):
            block.extend(mark(self.zero(name, env, self.problem.definite.before(stmt)), role="backward",
                              origin=origin_of(stmt)) for name in sorted(union - bound))
        z.clear()
        z |= union
        return blocks

    def _loop(self, stmt: Any, z: set[str]) -> list[gast.stmt]:
        activity = self.problem.activity
        tail = _tail(stmt.body)
        carried = set(activity.head(stmt))
        if tail:
            carried.update(activity.before(stmt.body[-tail]))
        env = self.problem.kinds.head(stmt)
        out = [self.zero(name, env, self.problem.definite.after(stmt)) for name in sorted(carried - z)]
        inner = z & carried | carried
        head = next((i for i, s in enumerate(stmt.body) if not is_break(s)), len(stmt.body))
        core = stmt.body[head:len(stmt.body) - tail] if tail else stmt.body[head:]
        if stmt.body and core and core[0] is not stmt.body[0]:
            self.end_restores.setdefault(id(core[0]), self.end_restores.get(id(stmt.body[0]), []))
        bound = set(inner)
        body = self.block(core, bound)
        start = activity.before(core[0]) if core else frozenset(carried)
        body.extend(mark(self.zero(name, self.problem.kinds.before(core[0]), self.problem.definite.before(core[0])),
                         role="backward", origin=origin_of(stmt)) for name in sorted(carried - (bound & start)))
        restores = self.restores.get(id(stmt), [])
        z &= set(activity.before(stmt))
        z |= carried & activity.before(stmt)
        if not body:
            return [*out, *restores]
        trips: str | None = next((s.count for s in core if hasattr(s, "count")), None)
        if isinstance(stmt, gast.While):
            assert trips is not None
            target = "_" if "_" not in self.problem.names.used else self.problem.names.new("trip")
            one = gast.For(store(target), call("%range", load(trips)), body, [], None)
        else:
            iterable = clone(stmt.iter)
            if trips is not None:
                iterable = subscript(iterable, gast.Slice(None, load(trips), None))
            one = gast.For(clone(stmt.target), call("%reversed", iterable), body, [], None)
        return [*out, one, *restores]

    def _insert(self, stmt: Any, z: set[str]) -> list[gast.stmt]:
        item = stmt.items[0]
        name = item.context_expr.args[0].id
        if name not in z:
            return []
        body = clone(stmt.body)
        rename(body, {item.optional_vars.id: self.b(name)})
        for one in statements(body):
            if self.b(name) in statement_access(one).update or isinstance(one, gast.AugAssign):
                one.in_place = self.b(name)
        for one, old in zip(statements(body), statements(stmt.body), strict=True):
            mark(one, role="inserted", origin=origin_of(old))
        if item.optional_vars.id not in writes(stmt.body):
            return list(body)
        check = gast.Expr(library("rt.check_inserted(g, y)", g=self.b(name), y=name))
        return [*body, mark(check, role="inserted", origin=origin_of(stmt), note="guard")]


def clone_head(stmt: Any, block: Callable[[list[gast.stmt]], list[gast.stmt]]) -> gast.Try:
    """A `try` like another, with other blocks."""
    handlers = [mark(gast.ExceptHandler(clone(h.type), clone(h.name), block(h.body)), origin=origin_of(h))
                for h in stmt.handlers]
    new = gast.Try(block(stmt.body), handlers, block(stmt.orelse), [])
    for name in ("whole", "final"):
        if hasattr(stmt, name):
            setattr(new, name, getattr(stmt, name))
    return new


def _tail(body: Sequence[gast.stmt]) -> int:
    """The number of statements `if test: break` at the end of a loop's body."""
    number = 0
    while number < len(body) and is_break(body[-1 - number]):
        number += 1
    return 0 if number == len(body) else number
