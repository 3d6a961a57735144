"""Masks: which names hold truth values, or constants into which the text puts exact zeros,
also through calls of functions of the user.

Needs a `Problem` whose calls carry what is known of what they give (`stmt.gives`, `analyse/filled.py`).
"""
from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import gast

from ..analyse.activity import Varied
from ..analyse.filled import NOTHING, Made, fills, in_branches, items_by_place, stores_zero
from ..analyse.flow import Facts, Flow, access, mutation, spread
from ..analyse.graph import Node
from ..analyse.kinds import spec_of
from ..syntax.blocks import statements
from ..syntax.nodes import is_literal, literal, nodes_of, reads, target_names
from .problem import Problem


class Masks:
    """What is a mask in one problem. side: `"pull"` or `"push"`."""

    def __init__(self, problem: Problem, side: str) -> None:
        self.problem, self.side, self.scope = problem, side, problem.scope
        self.branched = in_branches(problem.body)

    def holds(self, arg: gast.expr, stmt: Any) -> bool:
        """What a statement is given is a mask: truth values, or a constant into which the text puts zeros."""
        if isinstance(arg, gast.Slice):
            return False
        spec = spec_of(arg, self.problem.kinds.before(stmt), self.scope)
        if spec.kind == "bool" or spec.dtype == "b1":
            return True
        if not self.fills(arg, stmt):
            return False
        return self.side == "push" or not Varied(self.varied.before(stmt), self.scope).of(arg)

    def fills(self, arg: gast.expr, stmt: Any) -> bool:
        """What a statement is given may have exact zeros that the text fills in."""
        return self._fills(arg) or not self.filled.before(stmt).isdisjoint(reads(arg))

    def _fills(self, value: gast.expr) -> bool:
        return any(fills(part, self.scope) or getattr(part, "gives", NOTHING).filled
                   for part in nodes_of(value, gast.Call, gast.Compare))

    def given(self, stmt: Any, args: Mapping[str, gast.expr]) -> frozenset[str]:
        """The parameters that a call of the user's gives masks to."""
        return frozenset(name for name, arg in args.items() if self.holds(arg, stmt))

    # ------------------------------------------------------------------ calls and displays
    @functools.cached_property
    def _once(self) -> set[str]:
        """The names that are bound once, and that nothing changes."""
        changed = Counter(name for node in self.problem.graph.nodes
                          for name in access(node).define | access(node).update)
        return {name for name, count in changed.items() if count == 1}

    @functools.cached_property
    def _sources(self) -> dict[str, Made | dict[Any, gast.expr]]:
        """Of such names that hold what a call gives what is known of that; of those that hold a display its items."""
        found: dict[str, Made | dict[Any, gast.expr]] = {}
        for stmt in statements(self.problem.body):
            for name in self._once & set(target_names(stmt.targets[0])) if isinstance(stmt, gast.Assign) else ():
                if hasattr(stmt, "gives"):
                    found[name] = stmt.gives
                elif items := {place: item for place, item in items_by_place(stmt.value)
                               if reads(item) & self.scope.local <= self._fixed}:
                    found[name] = items
        return found

    @functools.cached_property
    def _fixed(self) -> set[str]:
        """The names that stand for one value all along."""
        return self._once | {name for name in self.problem.parameters if not any(
            name in access(node).define | access(node).update for node in self.problem.graph.nodes)}

    def _known(self, stmt: Any) -> Mapping[str, Made | gast.expr]:
        """Of the names that a statement binds what is known of the calls that give them,
        or the items of displays that they are."""
        if not isinstance(stmt, gast.Assign):
            return {}
        target, value = stmt.targets[0], stmt.value
        if hasattr(stmt, "gives"):
            return dict.fromkeys(target_names(target), stmt.gives)
        source = value.value if isinstance(value, gast.Subscript) else value
        known = self._sources.get(source.id) if isinstance(source, gast.Name) else None
        parts = known.parts if isinstance(known, Made) else known or {}
        if isinstance(target, gast.Name):
            place = literal(value.slice) if source is not value and is_literal(value.slice) else None
            return {target.id: parts[place]} if isinstance(place, (int, str)) and place in parts else {}
        return {one.id: parts[i]
                for i, one in enumerate(getattr(target, "elts", ())) if isinstance(one, gast.Name) and i in parts}

    # ------------------------------------------------------------------ the facts
    @functools.cached_property
    def varied(self) -> Facts:
        """The names that carry a derivative: not those of calls that give constants,
        and not parameters that are given masks."""
        def flow(node: Node) -> Iterator[Flow]:
            known = self._known(node.stmt) if node.kind == "stmt" else {}
            yield from (((x,), y) for x, y in self.problem.flow(node)
                        if y not in known or isinstance(of := known[y], Made) and not of.constant)
            yield from (((item.id,), y) for y, item in known.items() if isinstance(item, gast.Name))

        return spread(self.problem.graph, set(self.problem.wrt) - self.problem.start.masks, lambda node: (), flow,
                      forward=True)

    @functools.cached_property
    def filled(self) -> Facts:
        """The names whose values may have exact zeros that the text fills in."""
        def new(node: Node) -> set[str]:
            stmt: Any = node.stmt if node.kind == "stmt" else None
            known, value = self._known(stmt), value_bound(stmt)
            own = {y for y, of in known.items() if (of.filled if isinstance(of, Made) else self._fills(of))}
            anew = value is not None and self._is_computed(stmt) \
                and (self._fills(value) or stores_zero(stmt, id(stmt) in self.branched))
            return own | access(node).define | access(node).update if anew else own

        def flow(node: Node) -> Iterator[Flow]:
            stmt: Any = node.stmt if node.kind == "stmt" else None
            if self._is_computed(stmt):
                read = node.stmt.iter if node.kind == "bind" else value_bound(stmt)
                yield from (((x,), y) for x in (reads(read) if read is not None else ())
                            for y in access(node).define | access(node).update)
            else:
                yield from (((x,), y) for y, of in self._known(stmt).items() if not isinstance(of, Made)
                            for x in reads(of))

        return spread(self.problem.graph, self.problem.start.masks, new, flow, forward=True)

    def _is_computed(self, stmt: Any) -> bool:
        """What a statement binds is made of all that it reads: it is no part of what a call gives,
        and no item of a display."""
        return hasattr(stmt, "gives") or not self._known(stmt)


def value_bound(stmt: Any) -> gast.expr | None:
    """What a statement computes, under one name."""
    if isinstance(stmt, gast.Assign) and len(stmt.targets) == 1 and mutation(stmt) is None:
        return stmt.value
    if isinstance(stmt, gast.AugAssign) and isinstance(stmt.target, gast.Name):
        return gast.BinOp(gast.Name(stmt.target.id, gast.Load(), None, None), stmt.op, stmt.value)
    return None
