"""Masks: which names hold truth values, or constants into which the text puts exact zeros, also through calls of functions of the user.

Needs a `Problem` whose calls carry what is known of what they give (`stmt.gives`, `analyse/filled.py`).
"""
from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterable, Mapping
from operator import or_
from typing import Any

import gast

from ..analyse.activity import is_varied
from ..analyse.filled import NOTHING, Made, fills, in_branches, items_by_place, stores_zero
from ..analyse.flow import Facts, access, mutation
from ..analyse.graph import Node
from ..analyse.kinds import spec_of
from ..analyse.solver import solve
from ..syntax.nodes import is_literal, literal, nodes_in, reads, statements, target_names
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
        return self.side == "push" or not is_varied(arg, set(self.varied.before(stmt)), self.scope)

    def fills(self, arg: gast.expr, stmt: Any) -> bool:
        """What a statement is given may have exact zeros that the text fills in."""
        return self._fills(arg) or bool(reads(arg) & set(self.filled.before(stmt)))

    def _fills(self, value: gast.expr) -> bool:
        return any(fills(part, self.scope) or getattr(part, "gives", NOTHING).filled for part in nodes_in(value))

    def given(self, stmt: Any, args: Mapping[str, gast.expr]) -> frozenset[str]:
        """The parameters that a call of the user's gives masks to."""
        return frozenset(name for name, arg in args.items() if self.holds(arg, stmt))

    # ------------------------------------------------------------------ calls and displays
    @functools.cached_property
    def _once(self) -> set[str]:
        """The names that are bound once, and that nothing changes."""
        changed = Counter(name for node in self.problem.graph.nodes for name in access(node).define | access(node).update)
        return {name for name, count in changed.items() if count == 1}

    @functools.cached_property
    def _sources(self) -> dict[str, Made | dict[Any, gast.expr]]:
        """Of such names that hold what a call gives what is known of that; of those that hold a display its items."""
        found: dict[str, Made | dict[Any, gast.expr]] = {}
        for stmt in statements(self.problem.body):
            for name in self._once & set(target_names(stmt.targets[0])) if isinstance(stmt, gast.Assign) else ():
                if hasattr(stmt, "gives"):
                    found[name] = stmt.gives
                elif items := {place: item for place, item in items_by_place(stmt.value) if reads(item) & self.scope.local <= self._fixed}:
                    found[name] = items
        return found

    @functools.cached_property
    def _fixed(self) -> set[str]:
        """The names that stand for one value all along."""
        return self._once | {name for name in self.problem.parameters if not any(
            name in access(node).define | access(node).update for node in self.problem.graph.nodes)}

    def _known(self, stmt: Any) -> Mapping[str, Made | gast.expr]:
        """Of the names that a statement binds what is known of the calls that give them, or the items of displays that they are."""
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
        return {one.id: parts[i] for i, one in enumerate(getattr(target, "elts", ())) if isinstance(one, gast.Name) and i in parts}

    # ------------------------------------------------------------------ the facts
    @functools.cached_property
    def varied(self) -> Facts:
        """The names that carry a derivative: not those of calls that give constants, and not parameters that are given masks."""
        table = []
        for node in self.problem.graph.nodes:
            known = self._known(node.stmt) if node.kind == "stmt" else {}
            pairs = [(x, y) for x, y in self.problem.flow(node) if y not in known or isinstance(of := known[y], Made) and not of.constant]
            pairs += [(item.id, y) for y, item in known.items() if isinstance(item, gast.Name)]
            table.append((node, pairs, ()))
        return self._spread(table, set(self.problem.wrt) - self.problem.start.masks)

    @functools.cached_property
    def filled(self) -> Facts:
        """The names whose values may have exact zeros that the text fills in."""
        table = []
        for node in self.problem.graph.nodes:
            stmt: Any = node.stmt if node.kind == "stmt" else None
            one, value, known = access(node), value_bound(stmt), self._known(stmt)
            own = {y for y, of in known.items() if (of.filled if isinstance(of, Made) else self._fills(of))}
            pairs = [(x, y) for y, of in known.items() if not isinstance(of, Made) for x in reads(of)]
            if not known or hasattr(stmt, "gives"):
                made = one.define | one.update
                read = node.stmt.iter if node.kind == "bind" else value
                pairs = [(x, y) for x in (reads(read) if read is not None else ()) for y in made]
                if value is not None and (self._fills(value) or stores_zero(stmt, id(stmt) in self.branched)):
                    own |= made
            table.append((node, pairs, own))
        return self._spread(table, self.problem.start.masks)

    def _spread(self, table: Iterable[tuple[Node, Iterable[tuple[str, str]], Iterable[str]]], start: Iterable[str]) -> Facts:
        """A fact of names, forward. table: of each node the pairs (x, y) such that it holds of y where it does of x, and the names of which
        it holds anew."""
        graph, number, bits = self.problem.graph, self.problem.graph.numbering.of, self.problem.graph.numbering.bits
        rows = {node.index: (~bits(access(node).define), bits(own), [(1 << number(x), 1 << number(y)) for x, y in pairs])
                for node, pairs, own in table}

        def transfer(node: Node, before: int) -> int:
            kept, own, flows = rows[node.index]
            after = before & kept | own
            for x, y in flows:
                if before & x:
                    after |= y
            return after

        return Facts(graph, *solve(graph, transfer, or_, bits(start), forward=True))


def value_bound(stmt: Any) -> gast.expr | None:
    """What a statement computes, under one name."""
    if isinstance(stmt, gast.Assign) and len(stmt.targets) == 1 and mutation(stmt) is None:
        return stmt.value
    if isinstance(stmt, gast.AugAssign) and isinstance(stmt.target, gast.Name):
        return gast.BinOp(gast.Name(stmt.target.id, gast.Load(), None, None), stmt.op, stmt.value)
    return None
