"""Updates that are undone: what a loop changes by addition is brought back by taking it away again, and not saved.

Needs saves and restores in loops, marked by reverse mode. Promises the same values, but for rounding, where they were
brought back: of `x = x + e` in each trip the trip backwards makes `x = x - e`, with what `e` was made of as it was;
that is constant, brought back by itself, or undone before. What comes out at the end is compared with what the loop
started from, before anything is returned. Off unless it is asked for: it takes time for memory (reversible updates, as
of A. Gomez et al., "The reversible residual network", 2017).

>>> import numpy as np
>>> import tangent_nb as tnb
>>> from tangent_nb.optimise.alone import difference
>>> def f(x, v, n):
...     for _ in range(n):
...         v = v - 0.1 * np.sin(x)
...         x = x + 0.1 * v
...     return np.sum(x * x)
>>> df = tnb.grad(f, optimized="+invert_updates", like=(np.ones(3), np.zeros(3), 4))
>>> stages = tnb.stages(df)
>>> print(difference(stages["rematerialise"], stages["invert_updates"]))
-     x_saved = []
+     x_first = x
+     v_first = v
-         x_saved.append(x)
+     x_last = x
+     v_last = v
-         x = x_saved.pop()
+         x = x - 0.1 * v
+         v = v + 0.1 * np.sin(x)
+     rt.check_undone(v, v_first, v_last, 'v')  # guard
+     rt.check_undone(x, x_first, x_last, 'x')  # guard
"""
from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

import gast

from ..analyse.flow import bound_in, liveness, statement_access
from ..analyse.graph import Graph
from ..analyse.one_memory import with_others
from ..syntax.blocks import is_compound, own_expressions, statements
from ..syntax.building import assign, clone, library, load, mark, origin_of
from ..syntax.closure import closure
from ..syntax.names import Names
from ..syntax.nodes import key, names_in, parameter_names, reads, target_names
from .facts import Facts, stays
from .fuse import reversed_of
from .own import changed_in_place

LEAVES = (gast.Break, gast.Continue, gast.Return, gast.Raise)
TURNED = {gast.Add: gast.Sub, gast.Sub: gast.Add}


class Update(NamedTuple):
    """`x = x + e` or `x = x - e` at a place of the body of a loop."""

    name: str
    at: int
    stmt: Any
    op: Any
    more: gast.expr


class Back(NamedTuple):
    """Where a variable is brought back in the body of the backward loop, at a place; before: what was saved is what it
    was before it is bound in its trip."""

    at: float
    bound: int
    before: bool


def invert_updates(tree: gast.FunctionDef, facts: Facts, names: Names, kept: Collection[str]) -> None:
    """Undo what can be. kept: those that others know."""
    if any(isinstance(stmt, (gast.Try, gast.With, gast.FunctionDef)) for stmt in statements(tree.body)):
        return
    tapes: dict[Any, list[Any]] = {}
    for stmt in tree.body:
        for inner in stmt.body if isinstance(stmt, (gast.For, gast.While)) else ():
            if isinstance(getattr(inner, "tape", ("", None))[1], int):
                tapes.setdefault(inner.tape, []).append((stmt, inner))
    pairs: dict[tuple[int, int], tuple[Any, Any]] = {}
    for (first, _), *more in tapes.values():
        if len(more) == 1 and hasattr(more[0][1], "restore") and more[0][0] is not first:
            pairs[id(first), id(more[0][0])] = first, more[0][0]
    done: list[_Loops] = []
    for first, second in reversed(pairs.values()):         # the last loop is gone back over first
        if not any(isinstance(stmt, LEAVES) for stmt in statements([first, second])):
            done.append(one := _Loops(tree, first, second, facts, kept, done))
            one.invert(names)


class _Loops:
    """A loop and the one that goes back over its trips. done: those that come later."""

    def __init__(self, tree: gast.FunctionDef, first: Any, second: Any, facts: Facts, kept: Collection[str],
                 done: Sequence[_Loops]) -> None:
        self.tree, self.first, self.second, self.facts, self.kept = tree, first, second, facts, kept
        places = [next(i for i, stmt in enumerate(tree.body) if stmt is one) for one in (first, second)]
        self.done = {id(loop): one for one in done for loop in (one.first, one.second)}
        self.between, self.behind = tree.body[places[0] + 1:places[1]], tree.body[places[1] + 1:]
        self.bound = bound_in(*first.body)
        grown = {name for stmt in statements(tree.body) if not is_compound(stmt) and not hasattr(stmt, "tape")
                 for name in statement_access(stmt).update}
        self.changed = with_others(changed_in_place(tree.body) | grown, facts.memory())
        self.updates = {one.name: one for one in map(self._update, range(len(first.body))) if one is not None}
        self.backs = self._backs()

    def invert(self, names: Names) -> None:
        """Undo each update whose value is saved, where all that its amount is made of is there, or can be undone."""
        done: dict[str, Update] = {}
        for name, back in list(self.backs.items()):
            plan = self._plan(name) if back.before and name in self.updates else None
            if plan is not None:
                done |= {one: self.updates[one] for one in plan}
                self.backs |= plan
        if done:
            self._write(done, names)

    # ------------------------------------------------------------------ what is there
    def _update(self, at: int) -> Update | None:
        """The update that a statement of the loop is, of a number or an array that nothing else in the loop binds."""
        stmt = self.first.body[at]
        if isinstance(stmt, gast.AugAssign) and isinstance(stmt.target, gast.Name) and type(stmt.op) in TURNED:
            found = Update(stmt.target.id, at, stmt, stmt.op, stmt.value)
        elif isinstance(stmt, gast.Assign) and isinstance(stmt.targets[0], gast.Name) \
                and isinstance(stmt.value, gast.BinOp) and type(stmt.value.op) in TURNED:
            name, left, right = stmt.targets[0].id, stmt.value.left, stmt.value.right
            if isinstance(right, gast.Name) and right.id == name and isinstance(stmt.value.op, gast.Add):
                left, right = right, left
            if not isinstance(left, gast.Name) or left.id != name:
                return None
            found = Update(name, at, stmt, stmt.value.op, right)
        else:
            return None
        spec = self.facts.env(stmt).get(found.name)
        others = with_others({found.name}, self.facts.memory()) & self.changed if found.name in self.changed else set()
        binds = [one for one in statements(self.first.body) if found.name in bound_in(one)]
        alone = len(binds) == 1 and binds[0] is stmt and all(self._is_undone(found.name, one) for one in self.between)
        return found if alone and spec is not None and spec.is_number and found.name not in names_in(found.more) \
            and self.facts.pure(found.more) and others <= {found.name} else None

    def _is_undone(self, name: str, stmt: Any) -> bool:
        """A statement between the loops leaves a variable as it is, or is a loop that is gone back over there too."""
        back = self.done[id(stmt)].backs.get(name) if id(stmt) in self.done else None
        return name not in bound_in(stmt) or back is not None and back.before

    def _backs(self) -> dict[str, Back]:
        """What is brought back by a tape of its own."""
        found: dict[str, Back] = {}
        for at, stmt in enumerate(self.second.body):
            if not hasattr(stmt, "tape") or not isinstance(stmt.targets[0], gast.Name):
                continue
            name = stmt.targets[0].id
            saves = [i for i, one in enumerate(self.first.body) if getattr(one, "tape", None) == stmt.tape]
            binds = [i for i, one in enumerate(self.first.body) if name in bound_in(one)]
            if len(saves) == len(binds) == 1 and not is_compound(self.first.body[binds[0]]) and name not in found:
                found[name] = Back(float(at), binds[0], saves[0] < binds[0])
        return found

    def _plan(self, wanted: str) -> dict[str, Back] | None:
        """Where to undo which updates, so that one is; None where something is not there."""
        found = closure([wanted], lambda found: {one for name in found for one in reads(self.updates[name].more)
                                                 if one in self.updates and one not in self.backs})
        backs = dict(self.backs)
        for name in sorted(found, key=lambda name: self.updates[name].at):
            if name not in backs:
                if self._read_behind(name):
                    return None
                backs[name] = self._latest(name, backs)
        fits = all(self._is_there(name, self.updates[one], backs) for one in found
                   for name in reads(self.updates[one].more))
        return {name: backs[name] for name in found} if fits else None

    def _latest(self, name: str, backs: dict[str, Back]) -> Back:
        """Where a variable is undone that has no tape: right before what is bound before it is brought back."""
        end = min((back.at for back in backs.values() if back.bound < self.updates[name].at),
                  default=float(len(self.second.body)))
        return Back((math.ceil(end) - 1 + end) / 2.0, self.updates[name].at, True)

    def _is_there(self, name: str, update: Update, backs: dict[str, Back]) -> bool:
        """A variable is, where an update is undone, what it was when it was made."""
        if name not in self.bound:
            return self._is_constant(name, update) or self._is_target(name)
        back = backs.get(name)
        if back is None or name in self.changed and name not in self.updates:
            return False
        undone = back.at < backs[update.name].at
        if not back.before:
            return back.bound < update.at and undone
        return undone is (back.bound > update.at)

    def _is_constant(self, name: str, update: Update) -> bool:
        if name in self.changed or name in bound_in(self.first, *self.between, self.second):
            return False
        if name in parameter_names(self.tree) or name in bound_in(*self.tree.body):
            spec = self.facts.env(update.stmt).get(name)
            return spec is not None and (spec.is_number or spec.kind == "range")
        return stays(name, self.facts.scope)

    def _is_target(self, name: str) -> bool:
        one, other = self.first, self.second
        return isinstance(one, gast.For) and isinstance(other, gast.For) and name in target_names(one.target) \
            and key(one.target) == key(other.target) and reversed_of(other.iter, one.iter) \
            and name not in bound_in(*one.body, *other.body)

    def _read_behind(self, name: str) -> bool:
        """A variable that has no tape is read by its name after the loop was gone back over, or on the way."""
        read = liveness(Graph(self.behind)).before(self.behind[0]) if self.behind else ()
        return name in self.kept or name in read or any(
            name in names_in(own_expressions(stmt) if is_compound(stmt) else stmt)
            for stmt in statements(self.second.body))

    # ------------------------------------------------------------------ what is written
    def _write(self, done: dict[str, Update], names: Names) -> None:
        body = self.second.body
        new: list[tuple[float, Any]] = list(enumerate(body))
        tapes = set()
        for name, update in done.items():
            turned = gast.BinOp(load(name), TURNED[type(update.op)](), clone(update.more))
            at = self.backs[name].at
            undo = mark(assign(name, turned), role="backward", origin=origin_of(update.stmt), restore=name)
            if at.is_integer():
                tapes.add(body[int(at)].tape)
                new[int(at)] = at, undo
            else:
                new.append((at, undo))
        self.second.body[:] = [stmt for _, stmt in sorted(new, key=lambda one: one[0])]
        self.first.body[:] = [stmt for stmt in self.first.body if getattr(stmt, "tape", None) not in tapes]
        used = names_in([stmt for stmt in self.tree.body if not hasattr(stmt, "tape")])
        self.tree.body[:] = [stmt for stmt in self.tree.body if not hasattr(stmt, "tape") or stmt.tape[0] in used]
        for name, update in sorted(done.items(), reverse=True):
            first, last = names.new(f"{name}_first"), names.new(f"{name}_last")
            start = library("rt.copy(x)", x=name) if isinstance(update.stmt, gast.AugAssign) else load(name)
            check = gast.Expr(library("rt.check_undone(x, first, last, name)", x=name, first=first, last=last,
                                      name=gast.Constant(name, None)))
            self._put(self.first, 0, mark(assign(first, start), role="forward", origin=None))
            self._put(self.second, 0, mark(assign(last, name), role="backward", origin=None))
            self._put(self.second, 1, mark(check, role="guard", origin=origin_of(update.stmt), note="guard"))

    def _put(self, loop: Any, behind: int, stmt: gast.stmt) -> None:
        place = next(i for i, one in enumerate(self.tree.body) if one is loop)
        self.tree.body.insert(place + behind, stmt)
