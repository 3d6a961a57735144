"""Restoring: the values that the backward pass reads are brought back, in the reverse order of their being overwritten.

A backward pass that undoes every statement before it differentiates the one above would need each overwritten value. To
be recorded is only what a partial, a shape, a test or an index then reads (L. Hascoët et al., "To be recorded analysis
in reverse-mode automatic differentiation", 2005): names that the backward code never reads are not saved here, and
restores that no path reads are dropped, with their saves, by the pass `dead_code`.

Outside of loops an old value keeps a name: `x_1 = x` … `x = x_1`. In loops it is pushed on one list for each variable:
before it is overwritten, or at the end of the iteration where each iteration makes its own.
"""
from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Any

import gast

from ..analyse.flow import defined, mutation, statement_access
from ..analyse.one_memory import roots
from ..syntax.blocks import blocks, is_break, is_compound, own_expressions, own_targets, statements, surroundings
from ..syntax.building import assign, clone, expr, library, load, mark, origin_of, statement, store, subscript
from ..syntax.closure import closure
from ..syntax.nodes import nodes_in, reads, root_name, target_names
from .problem import Problem, placed


class Saves:
    """Decides for each statement what to save before it and how to restore it.

    needed: the names whose values the backward code reads, None for all; initialised: names bound to None first, since
    not every path binds them before they are overwritten; restores: something is brought back.
    """

    def __init__(self, problem: Problem, needed: set[str] | None, initialised: set[str], *, split: bool) -> None:
        self.problem, self.needed, self.initialised, self.split = problem, needed, initialised, split
        self.lists: dict[str, str] = {}
        self.at_end: dict[int, list[str]] = {}          # by id of a loop: names saved at the end of each iteration
        self.at_branch_end: dict[int, list[str]] = {}   # by id of a block's first statement
        self.missing: set[str] = set()
        self.restores = False
        self.parents = surroundings(problem.body)
        self._sites = count()
        self.looped = {id(inner) for loop in statements(problem.body) if isinstance(loop, (gast.For, gast.While))
                       for inner in statements(loop.body)}
        self.order = {id(stmt): place for place, stmt in enumerate(statements(problem.body))}
        self.read_outside = _read_outside_their_loops(problem.body)

    def plan(self) -> None:
        """Find the names saved at the ends of iterations and branches;
        needs to run before any statement is asked for."""
        defining: dict[str, list[gast.stmt]] = {}
        at_end: dict[str, list[gast.stmt]] = {}
        for stmt in statements(self.problem.body):
            for name in self._defined(stmt):
                defining.setdefault(name, []).append(stmt)
                if self._decide(stmt, name) == "end":
                    at_end.setdefault(name, []).append(stmt)
        if self.needed is not None:
            self.missing |= {name for name, stmts in at_end.items()
                             if any(self._lost(name, one, stmts) for one in defining[name])}

    def _defined(self, stmt: gast.stmt) -> list[str]:
        if hasattr(stmt, "count") or hasattr(stmt, "status") and stmt.value.value:
            return []
        if isinstance(stmt, gast.For):
            names = [n for n in target_names(stmt.target) if n in self.read_outside]
        elif isinstance(stmt, gast.Try):
            names = getattr(stmt, "partial", [])
        elif isinstance(stmt, gast.With) and is_compound(stmt):
            names = own_targets(stmt)
        elif is_compound(stmt) or hasattr(stmt, "by_place"):
            return []
        else:
            names = sorted(defined(stmt))
        return [n for n in names if self.needed is None or n in self.needed]

    def _decide(self, stmt: gast.stmt, name: str) -> str:
        """`"none"`, `"before"` (save the old value), `"end"` (each iteration saves its own)."""
        problem = self.problem
        if name in self.initialised or name in problem.definite.before(stmt):
            return "before"
        if name not in problem.possible.before(stmt):
            return "none"
        around = self.parents[id(stmt)]
        loops = [one for one in around if isinstance(one[0], (gast.For, gast.While))]
        if loops:
            loop, body = loops[-1]
            start = name in problem.live.body_start(loop) or name in problem.live.after(loop) \
                or (name in problem.live.head(loop)
                    and name not in (target_names(loop.target) if isinstance(loop, gast.For) else ()))
            inside = [b for _, b in around[around.index(loops[-1]):]]
            if not start:
                for place, block in enumerate(inside):
                    if self._bound_at_end(name, block):
                        if place == 0:
                            self._add(self.at_end, id(loop), name)
                            return "end"
                        branch = around[around.index(loops[-1]) + place][0]
                        if name not in problem.live.after(branch) and not self._elsewhere(name, body, block):
                            self._add(self.at_branch_end, id(block[0]), name)
                            return "end"
        elif not self._live_elsewhere(stmt, name):
            return "none"
        self.missing.add(name)
        return "before"

    def _live_elsewhere(self, stmt: gast.stmt, name: str) -> bool:
        """Outside of loops: some other statement that may come before binds the name without a restore of its own."""
        for other in statements(self.problem.body):
            if other is stmt:
                break
            if name in self._defined(other) and not any(
                    isinstance(one[0], (gast.For, gast.While)) for one in self.parents[id(other)]):
                return True
            if name in self._defined(other) and name in self.problem.live.after(other):
                return True
        return False

    def _lost(self, name: str, first: gast.stmt, others: Sequence[gast.stmt]) -> bool:
        """What a statement binds is overwritten by one of the others, which do not keep it,
        before the end of a block saves it."""
        saved = [block for around, block in self.parents[id(first)] if name in self.at_branch_end.get(id(block[0]), ())
                 or name in self.at_end.get(id(around), ()) and block is around.body]
        return any(other is not first and self._may_follow(first, other, self.problem.body)
                   and all(self._may_follow(first, other, block) for block in saved) for other in others)

    def _may_follow(self, first: gast.stmt, second: gast.stmt, block: list[gast.stmt]) -> bool:
        """Both stand in a block, and the second may run after the first before the end of it."""
        one, two = self._path(first, block), self._path(second, block)
        if one is None or two is None:
            return False
        shared = 0
        while shared < min(len(one), len(two)) and one[shared][1] is two[shared][1]:
            shared += 1
        if any(isinstance(stmt, (gast.For, gast.While)) for stmt, _ in one[:shared]):
            return True
        if shared < min(len(one), len(two)) and one[shared][0] is two[shared][0] \
                and isinstance(one[shared][0], gast.If):
            return False
        return self.order[id(first)] < self.order[id(second)]

    def _path(self, stmt: gast.stmt, block: list[gast.stmt]) -> list[tuple[Any, list[gast.stmt]]] | None:
        """What is around a statement inside of a block, None where it does not stand in it."""
        around = self.parents[id(stmt)]
        if block is self.problem.body:
            return around
        places = [i for i, one in enumerate(around) if one[1] is block]
        return around[places[0] + 1:] if places else None

    @staticmethod
    def _add(table: dict[int, list[str]], key: int, name: str) -> None:
        if name not in table.setdefault(key, []):
            table[key].append(name)

    def _bound_at_end(self, name: str, block: list[gast.stmt]) -> bool:
        last = next(s for s in reversed(block) if not is_break(s))
        return name in self.problem.definite.after(last)

    def _elsewhere(self, name: str, body: list[gast.stmt], block: list[gast.stmt]) -> bool:
        """The loop's body binds the name also outside of the block."""
        inside = {id(s) for s in statements(block)}
        return any(name in self._defined(s) for s in statements(body) if id(s) not in inside)

    # ------------------------------------------------------------------ the statements
    def in_loop(self, stmt: gast.stmt) -> bool:
        return id(stmt) in self.looped

    def _attempted(self, stmt: gast.stmt) -> list[gast.stmt] | None:
        """The body of a `try` that a statement stands in: what is kept there is saved when all of the body is done."""
        around = self.parents[id(stmt)]
        return around[-1][1] \
            if around and isinstance(around[-1][0], gast.Try) and around[-1][1] is around[-1][0].body else None

    def push(self, name: str, value: gast.expr, like: gast.stmt) -> tuple[gast.stmt, gast.expr]:
        """The statement that saves a value on the list of a name, and the expression that takes it back."""
        stack = self.lists.get(name)
        if stack is None:
            stack = self.lists[name] = self.problem.names.new(f"{name}_saved")
        site = next(self._sites)
        save = mark(statement("STACK.append(VALUE)", STACK=stack, VALUE=value), origin=origin_of(like), role="forward",
                    tape=(stack, site))
        return save, mark(expr("STACK.pop()", STACK=stack), tape=(stack, site))

    def around(self, stmt: gast.stmt) -> tuple[list[gast.stmt], list[gast.stmt]]:
        """What saves before a simple statement or a `for`, and what restores after its adjoint."""
        before: list[gast.stmt] = []
        after: list[gast.stmt] = []
        for name in self._defined(stmt):
            if self._decide(stmt, name) == "before":
                value = load(name) if hasattr(stmt, "stores") and not self.split else self._kept(
                    name, in_place=isinstance(stmt, gast.AugAssign) or self.split and self._of_itself(stmt, name))
                self._one(stmt, name, store(name), value, before, after)
        for part in self._parts(stmt):
            name = root_name(part) or ""
            if self.needed is not None and name not in self.needed:
                continue
            read: Any = gast.Subscript(clone(part.value), clone(part.slice), gast.Load())
            if any(isinstance(n, gast.Slice) for n in nodes_in(part.slice)):
                read = library("rt.copy(x)", x=read)
            elif not hasattr(stmt, "by_place"):            # of a list the item itself is kept
                read = library("rt.pick(x, i)", x=read.value, i=read.slice)
            self._one(stmt, name, part, read, before, after)
        changed = mutation(stmt)
        if changed is not None and changed[0] != "add_at" and (self.needed is None or changed[1] in self.needed):
            if changed[0] == "append":
                undo = statement("L.pop()", L=changed[1])
            else:
                value = load(target_names(stmt.targets[0])[0])
                undo = statement("L.append(VALUE)", L=changed[1], VALUE=value)
            after.insert(0, mark(undo, origin=origin_of(stmt), role="backward", restore=changed[1]))
        self.restores |= bool(after)
        return before, after

    def _kept(self, name: str, *, in_place: bool = False) -> gast.expr:
        """What is saved of a name: a copy where the array changes, or may change later under another name,
        as buffers do that change places."""
        changes = name in self.problem.ownership.mutated if in_place else name in self.problem.ownership.shared
        return library("rt.copy(x)", x=name) if changes else load(name)

    def _of_itself(self, stmt: Any, name: str) -> bool:
        """`y = y[:, 0]`: what changes in y later changes the old value too,
        and split motion undoes that in a copy alone."""
        definitions, scope = self.problem.definitions, self.problem.scope
        return isinstance(stmt, gast.Assign) and name in closure(roots(stmt.value, scope), lambda found: {
            root for one in found & self.problem.temporaries & definitions.keys()
            for root in roots(definitions[one], scope)})

    def _parts(self, stmt: Any) -> list[Any]:
        if hasattr(stmt, "by_place"):
            return list(placed(stmt).targets)
        if isinstance(stmt, gast.Assign):
            return [t for t in stmt.targets if isinstance(t, gast.Subscript)]
        if isinstance(stmt, gast.AugAssign) and isinstance(stmt.target, gast.Subscript):
            return [stmt.target]
        changed = mutation(stmt)
        if changed is not None and changed[0] == "add_at":
            return [subscript(stmt.value.args[0], stmt.value.args[1], write=True)]
        return []

    def _one(self, stmt: gast.stmt, name: str, target: gast.expr, value: gast.expr, before: list[gast.stmt],
             after: list[gast.stmt]) -> None:
        body = self._attempted(stmt)
        if self.in_loop(stmt) and body is None:
            save, back = self.push(name, value, stmt)
        else:
            kept = self.problem.names.numbered(name)
            save, back = mark(assign(kept, value), origin=origin_of(stmt), role="forward", saves=name), load(kept)
            if body is not None and self.in_loop(stmt):
                self._add(self.at_branch_end, id(body[0]), kept)
        before.append(save)
        after.append(self._restore(name, target, back, stmt))

    def _restore(self, name: str, target: gast.expr, value: gast.expr, like: gast.stmt) -> gast.stmt:
        tape = getattr(value, "tape", None)
        owned = self.problem.ownership
        if name in (owned.mutated if self.split else owned.given - owned.exchanged) and isinstance(target, gast.Name):
            value = library("rt.copy(x)", x=value)
        back = mark(gast.Assign([clone(target)], value, None), origin=origin_of(like), role="backward", restore=name)
        return mark(back, tape=tape) if tape is not None else back

    def ends(self, names: Sequence[str], like: gast.stmt) -> tuple[list[gast.stmt], list[gast.stmt]]:
        """Saves for the end of an iteration or branch, and restores for the start of its backward code."""
        saves: list[gast.stmt] = []
        restores: list[gast.stmt] = []
        for name in names:
            save, back = self.push(name, self._kept(name), like)
            saves.append(save)
            restores.insert(0, self._restore(name, store(name), back, like))
        self.restores |= bool(restores)
        return saves, restores


def _read_outside_their_loops(body: Sequence[gast.stmt]) -> set[str]:
    """Targets of `for` loops that are read where no loop around binds them, or bound otherwise too."""
    found: set[str] = set()

    def visit(block: Sequence[gast.stmt], bound: frozenset[str]) -> None:
        for stmt in block:
            if isinstance(stmt, gast.For):
                found.update(reads(stmt.iter) - bound)
                visit(stmt.body, bound | set(target_names(stmt.target)))
            elif is_compound(stmt):
                found.update(reads(own_expressions(stmt)) - bound)
                for one in blocks(stmt):
                    visit(one, bound)
            else:
                access = statement_access(stmt)
                found.update(access.use - bound)
                found.update(access.define)

    visit(body, frozenset())
    return found
