"""Common terms: a call that is written twice, on values that are the same, is made once; a part of an array that a name
holds is read by that name.

Needs pure calls. Promises the same values; a call is shared only within one list of statements, between which nothing
binds or changes what it reads.

>>> import numpy as np
>>> import tangent_nb as tnb
>>> from tangent_nb.optimise.alone import difference
>>> def f(x):
...     return np.sum(np.sin(x)) * np.sum(np.sin(x) ** 2)
>>> stages = tnb.stages(tnb.grad(f, like=(np.ones(3),)))
>>> print(difference(stages["copy_propagation"], stages["common_terms"]))
+     cos = np.cos(x)
-     bx = btotal_1 * (2.0 * sin_1) * np.cos(x) + btotal * np.cos(x)
+     bx = btotal_1 * (2.0 * sin_1) * cos + btotal * cos
"""
from __future__ import annotations

from bisect import insort
from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import Any

import gast

from ..analyse.naming import base_name
from ..analyse.resolve import Scope, sigmoid
from ..syntax.blocks import blocks, is_compound
from ..syntax.building import assign, clone, load, mark, origin_of
from ..syntax.names import Names
from ..syntax.nodes import key, nodes_of, reads, walk
from .facts import Facts
from .fresh import is_fresh
from .own import changed_in_place
from .places import END, Known, Table, Uses, between, first
from .sharing import with_sharers
from .trees import CALLS, rewritten

NAMED = CALLS | {gast.Subscript}


def common_terms(tree: gast.FunctionDef, facts: Facts, names: Names, temporaries: set[str]) -> None:
    """Share what is computed twice."""
    changed = with_sharers(changed_in_place(tree.body), tree.body, facts.scope)
    _block(tree.body, facts, names, changed, temporaries, temporaries - _held(tree, facts.scope))


def _block(body: list[gast.stmt], facts: Facts, names: Names, changed: set[str], temporaries: set[str],
           operands: set[str]) -> None:
    _known(body, facts, changed, operands)
    while _repeated(body, facts, names, changed, temporaries, facts.uses):
        pass     # what one statement repeats besides, or what has a name now repeats inside
    for stmt in body:
        for block in blocks(stmt):
            _block(block, facts, names, changed, temporaries, operands)


def _held(tree: gast.FunctionDef, scope: Scope) -> set[str]:
    """The names that are read by anything but operations whose results have memory of their own: somebody could see
    that two of them are one object."""
    computed = {id(one) for node in walk(tree) if isinstance(node, gast.expr) and is_new(node, scope)
                for one in gast.iter_child_nodes(node)}
    return {node.id for node in walk(tree)
            if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Load) and id(node) not in computed}


def is_new(node: gast.expr, scope: Scope) -> bool:
    operation = scope.operation(node)
    return operation.kind == "rule" and operation.memory == "fresh" and not (operation.rule and operation.rule.itself)


def _shared(node: Any, facts: Facts) -> bool:
    """A call worth sharing: pure, and its result is memory of its own, so that sharing it is not seen."""
    if not isinstance(node, gast.Call) or not facts.pure(node) or not is_fresh(node, facts.scope):
        return False
    rule = facts.scope.operation(node).rule
    return rule is None or not rule.fills


def _is_part(node: Any, facts: Facts) -> bool:
    """A part of a variable, which a name may hold already."""
    return isinstance(node, gast.Subscript) and isinstance(node.value, gast.Name) and facts.pure(node)


def _sharable(tree: gast.expr, facts: Facts) -> list[Any]:
    """The calls worth sharing. That of `a / (1 + np.exp(x))` stays in sight: as one operation the whole has no pole;
    so do those of which it is not certain that they are made."""
    whole = [one for one in nodes_of(tree, gast.BinOp) if sigmoid(one, facts.scope) is not None]
    kept = {id(n) for one in whole for n in walk(one.right)}
    kept |= {id(n) for one in nodes_of(tree, gast.IfExp) for part in (one.body, one.orelse) for n in walk(part)}
    return [n for n in walk(tree) if id(n) not in kept and _shared(n, facts)]


Made = Known[Any, str]                                     # by a call: the variable that holds its value


def _known(body: Sequence[gast.stmt], facts: Facts, changed: set[str], operands: set[str]) -> None:
    """Read a variable where the call that made it is written again, or the part that it is; in the forward sweep where
    that is for one of the operands, variables of ours that are computed with, and nothing else."""
    made, uses = Made(), facts.uses
    for stmt in body:
        if not is_compound(stmt) and isinstance(getattr(stmt, "value", None), gast.AST) \
                and made.values:
            if getattr(stmt, "role", "") in ("backward", "tangent", "return"):
                stmt.value = rewritten(stmt.value, partial(_read_instead, made, facts), NAMED)
                uses.forget(stmt)
            elif isinstance(stmt, gast.Assign) and isinstance(stmt.targets[0], gast.Name) \
                    and stmt.targets[0].id in operands - changed and _shared(stmt.value, facts):
                stmt.value = _read_instead(made, facts, stmt.value)
                uses.forget(stmt)
        made.forget(uses(stmt).bound)
        if isinstance(stmt, gast.Assign) and isinstance(stmt.targets[0], gast.Name) \
                and (_shared(stmt.value, facts) or _is_part(stmt.value, facts)):
            name, read = stmt.targets[0].id, reads(stmt.value)
            if name not in changed and name not in read and not read & changed and key(stmt.value) not in made.values:
                made.learn(key(stmt.value), name, {name, *read})


def _read_instead(made: Made, facts: Facts, node: Any) -> Any:
    found = made.values.get(key(node))
    return load(found) if found is not None and (_is_part(node, facts) or _shared(node, facts)) else node


def _repeated(body: list[gast.stmt], facts: Facts, names: Names, changed: set[str], temporaries: set[str],
              uses: Uses) -> bool:
    """Give a name to a call that the backward pass writes twice, one for each statement; whether there was any."""
    written: Counter[Any] = Counter()
    candidates: set[int] = set()
    for place, stmt in enumerate(body):
        if getattr(stmt, "role", "") in ("backward", "tangent") and isinstance(getattr(stmt, "value", None), gast.AST) \
                and not isinstance(stmt, gast.Return):
            candidates.add(place)
            written.update(key(n) for n in _sharable(stmt.value, facts))
    if not any(count > 1 for count in written.values()):
        return False
    calls = _Calls(body, min(candidates), uses)
    before: dict[int, gast.stmt] = {}
    for place in sorted(candidates):
        stmt = body[place]
        for node in [n for n in _sharable(stmt.value, facts) if written[key(n)] > 1]:
            again = calls.later(place, key(node), reads(node), changed)
            if len(again) < 2:
                continue
            name = names.new(base_name(node, facts.scope))
            temporaries.add(name)
            before[place] = mark(assign(name, clone(node)), role=stmt.role, origin=origin_of(stmt))
            for one in dict.fromkeys(again):
                calls.replace(one, key(node), name)
            break
    body[:] = [stmt for place, old in enumerate(body) for stmt in ((before[place], old) if place in before else (old,))]
    return bool(before)


class _Calls:
    """Where the calls of a block are written, and its names bound, from a place on."""

    def __init__(self, body: Sequence[Any], start: int, uses: Uses) -> None:
        self.body, self.uses = body, uses
        self.bound: Table = {}
        self.updating: list[int] = []                      # the places that change memory, under whatever name
        self.written: dict[Any, list[int]] = {}            # a place twice where a call is twice in the statement
        for place in range(start, len(body)):
            for name in uses(body[place]).bound:
                self.bound.setdefault(name, []).append(place)
            if uses(body[place]).updated:
                self.updating.append(place)
            for call in self._calls(place):
                self.written.setdefault(call, []).append(place)

    def _calls(self, place: int) -> list[Any]:
        stmt = self.body[place]
        if is_compound(stmt) or not isinstance(getattr(stmt, "value", None), gast.AST):
            return []
        return [key(n) for n in nodes_of(stmt.value, gast.Call)]

    def later(self, place: int, wanted: Any, read: set[str], changed: set[str]) -> list[int]:
        """The places, from one on, that write a call again before what it reads changes.
        changed: the names whose memory may change."""
        end = first(self.bound, read, place - 1)
        if read & changed:
            end = min(end, next((one for one in self.updating if one >= place), END))
        return between(self.written.get(wanted, ()), place - 1, end)

    def replace(self, place: int, wanted: Any, name: str) -> None:
        """Read a name for a call, in one statement."""
        for call in self._calls(place):
            self.written[call].remove(place)
        stmt = self.body[place]
        stmt.value = rewritten(stmt.value, lambda node: load(name) if key(node) == wanted else node, CALLS)
        self.uses.forget(stmt)
        for call in self._calls(place):
            insort(self.written.setdefault(call, []), place)
