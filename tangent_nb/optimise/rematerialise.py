"""Tapes of what is at hand: what does not change in a loop, or is a part of what is there, is not saved in each trip.

Needs saves and restores in loops, marked by reverse mode. Promises the same values where they were brought back: one
that is made of what is the same in all trips, or of which only such sizes are read, is that of the last one, and stays;
one that is made in no time, a part of an array, a length, a product of numbers, is made again of what is there in this
trip; one variable is saved in the place of several of its parts (P. Briggs, K. Cooper and L. Torczon,
"Rematerialization", 1992).

>>> import numpy as np
>>> import tangent_nb as tnb
>>> from tangent_nb.optimise.alone import difference
>>> def f(x, a):
...     y = 0.0
...     for k in range(len(a)):
...         c = a[k]
...         y = (y * x + c) * c
...     return y
>>> stages = tnb.stages(tnb.grad(f, like=(0.5, np.ones(3))))
>>> print(difference(stages["loop_fusion"], stages["rematerialise"]))
-     c_saved = []
-         c_saved.append(c)
-         c = c_saved.pop()
+         c = a[k]
"""
from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any, NamedTuple

import gast

from ..analyse.flow import bound_in, defined, mutation, statement_access
from ..analyse.kinds import is_basic, spec_of
from ..analyse.one_memory import with_others
from ..analyse.outlines import numbers_read
from ..syntax.blocks import is_compound, own_expressions, own_targets, statements, surroundings
from ..syntax.building import assign, clone, expr, mark, origin_of, statement, store, substitute
from ..syntax.names import Names
from ..syntax.nodes import key, names_in, nodes_of, parameter_names, reads, target_names
from .facts import Facts, stays
from .fuse import reversed_of
from .own import changed_in_place

ARITHMETIC = (gast.Add, gast.Sub, gast.Mult, gast.Div, gast.FloorDiv, gast.Mod)


class Tape(NamedTuple):
    """One value that is saved and brought back: where it is made, saved and brought back."""

    name: str
    made: Any
    save: Any
    back: Any


def rematerialise(tree: gast.FunctionDef, facts: Facts, names: Names, temporaries: Collection[str]) -> None:
    """Bring back nothing that is there, or is made in no time. temporaries: names that are ours."""
    if any(isinstance(stmt, (gast.Try, gast.With)) for stmt in statements(tree.body)):
        return                                             # what was made before an exception is not known
    one = _Tapes(tree, facts, temporaries)
    waiting: dict[tuple[str, int], list[Tape]] = {}
    for tape in one.tapes():
        if not one.replace(tape) and (lacking := one.lacking(tape)) is not None:
            waiting.setdefault((lacking, id(one.block(tape.back))), []).append(tape)
    for (name, _), tapes in waiting.items():
        if len(tapes) > 1 and one.keep(name, tapes, names):
            for tape in tapes:
                one.replace(tape)
    for tape in one.tapes():                               # what is left: others may have been made of it
        one.leave(tape)


class _Tapes:
    def __init__(self, tree: gast.FunctionDef, facts: Facts, temporaries: Collection[str]) -> None:
        self.tree, self.facts, self.temporaries = tree, facts, temporaries
        self.around = surroundings(tree.body)
        self.binds: dict[str, list[Any]] = {}
        self.order: dict[int, int] = {}
        for place, stmt in enumerate(statements(tree.body)):
            self.order[id(stmt)] = place
            for name in own_targets(stmt) if is_compound(stmt) else defined(stmt):
                self.binds.setdefault(name, []).append(stmt)
        grown = {name for stmt in statements(tree.body) if not is_compound(stmt) and not hasattr(stmt, "tape")
                 for name in statement_access(stmt).update}
        self.changed = with_others(changed_in_place(tree.body) | grown, facts.memory())
        self.parameters = set(parameter_names(tree))

    def tapes(self) -> Iterator[Tape]:
        """Those of values that one statement makes, in the block that saves them."""
        saves: dict[Any, list[Any]] = {}
        backs: dict[Any, list[Any]] = {}
        for stmt in statements(self.tree.body):
            if hasattr(stmt, "tape") and isinstance(stmt.tape[1], int):
                (backs if hasattr(stmt, "restore") else saves).setdefault(stmt.tape, []).append(stmt)
        for tape, (save, *more) in saves.items():
            back = backs.get(tape, [])
            value = save.value.args[0]
            name = value.id if isinstance(value, gast.Name) else ""
            if more or len(back) != 1 or mutation(save) is None or name in self.changed \
                    or not isinstance(back[0].targets[0], gast.Name) or back[0].targets[0].id != name:
                continue
            made = [stmt for stmt in self.binds.get(name, ()) if stmt is not back[0]]
            if len(made) == 1 and isinstance(made[0], gast.Assign) and isinstance(made[0].targets[0], gast.Name) \
                    and not hasattr(made[0], "tape") and self.block(made[0]) is self.block(save) \
                    and self.order[id(made[0])] < self.order[id(save)] and self.facts.pure(made[0].value):
                yield Tape(name, made[0], save, back[0])

    def replace(self, tape: Tape) -> bool:
        """Leave what is brought back as it is, or make it again, where that can be; whether it could."""
        block, names = self.block(tape.back), self._operands(tape.made)
        if names is None:
            return False
        place = next(i for i, stmt in enumerate(block) if stmt is tape.back)
        cheap = self._is_cheap(tape.made.value, tape.made)
        if all(self._constant(name, tape.made) for name in names) and not (cheap and tape.name in self.temporaries):
            del block[place]
        else:
            at = self._at_hand(tape, names, block, place) if cheap else None
            if at is None:
                return False
            if not self._written_out(tape, names, block, at):
                value = gast.Assign([store(tape.name)], clone(tape.made.value), None)
                new = mark(value, role="backward", origin=origin_of(tape.back), restore=tape.name)
                block.insert(at + 1, new)
                self.around[id(new)], self.order[id(new)] = self.around[id(tape.back)], self.order[id(tape.back)]
                self.binds[tape.name].append(new)
            del block[place]
        self.binds[tape.name].remove(tape.back)
        return True

    def leave(self, tape: Tape) -> None:
        """Leave a value as it is, of which nothing but the outline is read behind where it is saved, where that is the
        same in all trips."""
        spec = self.facts.env(tape.save).get(tape.name)
        if spec is None or not spec.is_made:
            return
        behind = [stmt for stmt in statements(self.tree.body) if stmt is not tape.back
                  and self.order.get(id(stmt), 0) > self.order[id(tape.save)]]
        for stmt in behind:
            if tape.name in names_in(own_expressions(stmt) if is_compound(stmt) else stmt) and (
                    is_compound(stmt) or tape.name in numbers_read(stmt, {tape.name}, self._outlined)):
                return
        block = self.block(tape.back)
        del block[next(i for i, stmt in enumerate(block) if stmt is tape.back)]
        self.binds[tape.name].remove(tape.back)

    def _written_out(self, tape: Tape, names: set[str], block: list[Any], at: int) -> bool:
        """Put a value where it is read, if that is one place behind which nothing reads it."""
        behind = [stmt for stmt in statements(self.tree.body)
                  if self.order.get(id(stmt), 0) > self.order[id(tape.save)] and stmt is not tape.back]
        readers = [stmt for stmt in behind for node in
                   nodes_of(own_expressions(stmt) if is_compound(stmt) else stmt, gast.Name) if node.id == tape.name]
        if len(readers) != 1 or tape.name not in self.temporaries:
            return False
        place = next((i for i, stmt in enumerate(block) if stmt is readers[0]), -1)
        stmt: Any = readers[0]
        if place <= at or names & bound_in(*block[at + 1:place]) or isinstance(stmt, gast.While):
            return False
        for field in ("value", "iter", "test"):
            if isinstance(getattr(stmt, field, None), gast.AST):
                setattr(stmt, field, substitute(getattr(stmt, field), {tape.name: tape.made.value}))
        return tape.name not in names_in(own_expressions(stmt) if is_compound(stmt) else stmt)

    def lacking(self, tape: Tape) -> str | None:
        """The one variable that would have to be brought back, so that a value can be made again."""
        names = self._operands(tape.made) if self._is_cheap(tape.made.value, tape.made) else None
        lacking = [name for name in names or ()
                   if not self._constant(name, tape.made) and not self._is_target(name, tape)
                   and self._brought_back(name, tape, self.block(tape.back)) is None]
        return lacking[0] if len(lacking) == 1 and lacking[0] not in self.changed else None

    def keep(self, name: str, tapes: Sequence[Tape], names: Names) -> bool:
        """Save a variable that each trip binds anew, in the place of several values that are made of it: where no
        number of it is read after the loop but before the backward one."""
        forward, backward = self.block(tapes[0].made), self.block(tapes[0].back)
        binds = [stmt for stmt in self.binds[name] if self.around[id(stmt)]]
        loop, other = (self.around[id(one)][-1][0] for one in (tapes[0].made, tapes[0].back))
        if len(binds) != 1 or self.block(binds[0]) is not forward or is_compound(binds[0]) \
                or not isinstance(loop, (gast.For, gast.While)) or not isinstance(other, (gast.For, gast.While)) \
                or any(self.block(tape.made) is not forward or self.order[id(tape.made)] > self.order[id(binds[0])]
                       for tape in tapes):
            return False
        start = self.order[id(self.around[id(tapes[0].back)][0][0])]
        if any(name in names_in(own_expressions(stmt) if is_compound(stmt) else stmt)
               for stmt in statements(self.tree.body) if self.order.get(id(stmt), start) >= start):
            return False
        stack = f"{name}_saved"                            # of a tape of this name nothing may be left
        stack = names.new(stack) if stack in names_in(self.tree) else stack
        site = 1 + max(stmt.tape[1] for stmt in statements(self.tree.body)
                       if hasattr(stmt, "tape") and isinstance(stmt.tape[1], int))
        begin = mark(assign(stack, gast.List([], gast.Load())), role="forward", origin=None, tape=(stack, None))
        save = mark(statement("STACK.append(VALUE)", STACK=stack, VALUE=name), role="forward",
                    origin=origin_of(binds[0]), tape=(stack, site))
        back = mark(gast.Assign([store(name)], expr("STACK.pop()", STACK=stack), None), role="backward",
                    origin=origin_of(binds[0]), restore=name, tape=(stack, site))
        self.tree.body.insert(next(i for i, stmt in enumerate(self.tree.body) if hasattr(stmt, "tape")), begin)
        forward.insert(next(i for i, stmt in enumerate(forward) if stmt is binds[0]), save)
        backward.insert(0, back)
        for stmt, like in ((begin, self.tree.body[0]), (save, binds[0]), (back, tapes[0].back)):
            self.around[id(stmt)], self.order[id(stmt)] = self.around.get(id(like), []), self.order.get(id(like), 0)
        self.binds[name].append(back)
        return True

    # ------------------------------------------------------------------ what it is made of
    def _operands(self, made: Any) -> set[str] | None:
        """The variables that a statement reads; None where one of them may be another without being bound anew: what
        is outside, and what changes in place, of which more than the outline is read."""
        scope, env = self.facts.scope, self.facts.env(made)
        found = set()
        numbers = numbers_read(made, reads(made.value), self._outlined)
        for name in reads(made.value):
            if name in self.binds or name in self.parameters:
                spec = env.get(name)
                if spec is None or not (spec.is_number or spec.kind == "range") \
                        or name in self.changed and (name in numbers or spec.kind != "array"):
                    return None
                found.add(name)
            elif not stays(name, scope):
                return None
        return found

    def _outlined(self, node: gast.Call) -> Sequence[gast.expr]:
        """The arguments of a call of which only the outline is read."""
        row = self.facts.scope.effects(node)
        return [*self.facts.scope.shapes_read(node), *(
            arg for arg, name in zip(node.args, row.signature.parameters, strict=False) if name in row.shape_only)]

    def _constant(self, name: str, at: Any) -> bool:
        """It is the same in all trips: bound before the loops, or once, to what is the same."""
        binds = self.binds.get(name, [])
        if any(hasattr(stmt, "restore") or not isinstance(stmt, gast.Assign) for stmt in binds):
            return False
        first = self.order[id(self.around[id(at)][0][0] if self.around[id(at)] else at)]
        if all(not self.around[id(stmt)] and self.order[id(stmt)] < first for stmt in binds):
            return bool(binds) or name in self.parameters
        stmt = binds[0]
        if len(binds) > 1 or not self._before(stmt, at) or not self.facts.pure(stmt.value):
            return False
        names = self._operands(stmt)
        return names is not None and name not in names and all(self._constant(one, stmt) for one in names)

    def _before(self, stmt: Any, at: Any) -> bool:
        """A statement is done whenever another one is reached: its block is around that, and it stands before."""
        return self.order[id(stmt)] < self.order[id(at)] \
            and any(block is self.block(stmt) for block in self._blocks(at))

    def _blocks(self, stmt: Any) -> list[Any]:
        return [self.tree.body, *(block for _, block in self.around[id(stmt)])]

    def block(self, stmt: Any) -> Any:
        return self._blocks(stmt)[-1]

    # ------------------------------------------------------------------ what is there in a trip
    def _at_hand(self, tape: Tape, names: set[str], block: Sequence[Any], place: int) -> int | None:
        """The place in the backward block behind which all names stand for what they stood for."""
        at, restored = place, {}
        for name in names:
            if self._constant(name, tape.made) or self._is_target(name, tape):
                continue
            back = self._brought_back(name, tape, block)
            if back is None:
                return None
            restored[name] = back
            at = max(at, back)
        between = {name for stmt in block[place + 1:at + 1] for name in names_in(stmt)}
        if tape.name in between:
            return None
        for name, back in restored.items():
            if name in bound_in(*block[back + 1:at + 1]):
                return None
        return at

    def _is_target(self, name: str, tape: Tape) -> bool:
        """It is bound by a loop around, and by the backward loop that goes over the same."""
        loops, others = ([loop for loop, _ in self.around[id(stmt)] if isinstance(loop, (gast.For, gast.While))]
                         for stmt in (tape.made, tape.back))
        if len(loops) != len(others):
            return False
        for one, other in zip(loops, others, strict=True):
            if isinstance(one, gast.For) and name in target_names(one.target):
                return isinstance(other, gast.For) and key(one.target) == key(other.target) \
                    and reversed_of(other.iter, one.iter) and name not in bound_in(*one.body, *other.body)
        return False

    def _brought_back(self, name: str, tape: Tape, block: Sequence[Any]) -> int | None:
        """The place in the backward block where a variable is brought back as it was when the value was made."""
        backs = [(i, stmt) for i, stmt in enumerate(block) if getattr(stmt, "restore", None) == name
                 and isinstance(stmt, gast.Assign) and isinstance(stmt.targets[0], gast.Name)]
        if len(backs) != 1:
            return None
        place, back = backs[0]
        forward = self.block(tape.made)
        saves = [stmt for stmt in forward if hasattr(stmt, "tape") and stmt.tape == getattr(back, "tape", None)
                 and not hasattr(stmt, "restore")]
        if len(saves) != 1 or not isinstance(saves[0].value.args[0], gast.Name):
            return None
        first, last = sorted(next(i for i, stmt in enumerate(forward) if stmt is one) for one in (tape.made, saves[0]))
        return place if name not in bound_in(*forward[first:last + 1]) else None

    # ------------------------------------------------------------------ what it costs
    def _is_cheap(self, node: Any, stmt: Any) -> bool:
        """A view, a length, or arithmetic on numbers."""
        env, scope = self.facts.env(stmt), self.facts.scope
        if isinstance(node, (gast.Name, gast.Constant)):
            return True
        if isinstance(node, gast.Subscript):
            return self._is_cheap(node.value, stmt) and is_basic(node.slice, env, scope)
        if isinstance(node, gast.Attribute):
            operation = scope.operation(node)
            return operation.kind == "rule" and operation.memory == "view" and self._is_cheap(node.value, stmt) \
                or not (names_in(node) & self.binds.keys())
        if isinstance(node, gast.Call):
            length = scope.effects(node).measures and spec_of(node, env, scope).kind in ("int", "tuple")
            return (length or scope.builtin(node) == "range") and all(self._is_cheap(arg, stmt) for arg in node.args)
        if isinstance(node, gast.BinOp):
            return isinstance(node.op, ARITHMETIC) and spec_of(node, env, scope).is_scalar \
                and self._is_cheap(node.left, stmt) and self._is_cheap(node.right, stmt)
        return isinstance(node, gast.UnaryOp) and spec_of(node, env, scope).is_scalar \
            and self._is_cheap(node.operand, stmt)

