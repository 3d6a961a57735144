"""What both modes start from: the normal form of a function with its facts."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import InitVar, dataclass, field
from typing import Any, NamedTuple

import gast

from ..analyse.activity import Activity, activity, operands, sources
from ..analyse.flow import Facts, definite, liveness, mutation, possible
from ..analyse.graph import Graph, Node
from ..analyse.kinds import Kinds
from ..analyse.ownership import Ownership
from ..analyse.resolve import Scope
from ..errors import Refusal
from ..syntax.building import clone, load, subscript
from ..syntax.names import Names
from ..syntax.nodes import reads, root_name, target_names, writes
from ..syntax.spec import Spec


class Start(NamedTuple):
    """What is known where a derivative starts. cut: of its seed, or of the tangents of what is differentiated,
    something may be cut off, and which factors that hides (`rules/cuts.py`); wild: they may be infinite, and where;
    masks: the parameters that are given masks."""

    cut: int = 0
    wild: int = 0
    masks: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Pair:
    """The functions that a call becomes: forward and backward in reverse mode, tangent in forward mode. active: the
    parameters with a derivative, each with the argument given for it; tangents: in forward mode, the names of their
    tangents; dynamic: the function is known when it is called, and active names arguments, not parameters; start: of
    the derivative of the function; again: backward is given the arguments, and computes again what it needs; adds: the
    active parameters whose cotangents so far are given to backward, which adds to them; seeds: the places of what it
    gives whose cotangents are given to backward one by one, none where that is the whole; reruns: the function that
    backward runs again."""

    forward: str
    backward: str
    active: tuple[tuple[str, str], ...]
    tangents: tuple[str, ...] = ()
    dynamic: bool = False
    start: Start = Start()
    again: bool = False
    adds: tuple[str, ...] = ()
    seeds: tuple[int, ...] = ()
    reruns: str = ""


@dataclass
class Problem:
    """One function in normal form.

    body: without the final return, which returns `result`. wrt: the parameters differentiated. definitions: of
    temporaries that may share memory with a name changed in place, their own text. known: the graph and the kinds of
    this very body, where they have been found before. aux: what is returned beside the result, and not differentiated.
    constants: the parameters and variables outside that meet a derivative, and are checked to be numbers or arrays;
    places: those that are indices of it; start: what is known where its derivative starts; refused: what is found to
    have no rule, while it is differentiated.
    """

    name: str
    body: list[gast.stmt]
    result: str
    parameters: tuple[str, ...]
    wrt: tuple[str, ...]
    scope: Scope
    names: Names
    specs: Mapping[str, Spec]
    ownership: Ownership
    definitions: Mapping[str, gast.expr]
    temporaries: frozenset[str]
    known: InitVar[tuple[Graph, Kinds] | None] = None
    aux: str = ""
    constants: tuple[gast.expr, ...] = ()
    places: tuple[gast.expr, ...] = ()
    start: Start = Start()
    refused: list[Refusal] = field(default_factory=list)
    _flows: dict[int, tuple[bool, list[tuple[str, str]]]] = field(init=False, repr=False)
    graph: Graph = field(init=False)
    activity: Activity = field(init=False)
    kinds: Kinds = field(init=False)
    definite: Facts = field(init=False)
    possible: Facts = field(init=False)
    live: Facts = field(init=False)

    def __post_init__(self, known: tuple[Graph, Kinds] | None) -> None:
        self.analyse(known)

    def analyse(self, known: tuple[Graph, Kinds] | None = None) -> None:
        """Find the facts anew, for a body that was changed."""
        self._flows = {}
        self.graph = Graph([*self.body, gast.Return(load(self.result))]) if known is None else known[0]
        self.activity = activity(self.graph, self.flow, self.wrt, [self.result])
        self.kinds = Kinds(self.graph, self.scope, self.specs) if known is None else known[1]
        self.definite = definite(self.graph, self.parameters)
        self.possible = possible(self.graph, self.parameters)
        self.live = liveness(self.graph)

    def flow(self, node: Node) -> list[tuple[str, str]]:
        """The pairs (x, y) such that a node computes y from x differentiably."""
        if node.kind != "stmt":
            return []
        linked = hasattr(node.stmt, "pair")     # found once, and again where a call has become that of a pair
        known = self._flows.get(node.index)
        if known is None or known[0] != linked:
            known = self._flows[node.index] = linked, statement_flow(node.stmt, self.scope)
        return known[1]


def placed(stmt: Any) -> gast.Assign:
    """`xs[i] = v` for `xs = rt.with_item(xs, i, v)`, of a list that gets its items in place."""
    name, index, value = stmt.value.args
    return gast.Assign([subscript(name.id, clone(index), write=True)], clone(value), None)


def statement_flow(stmt: Any, scope: Scope) -> list[tuple[str, str]]:
    changed = mutation(stmt)
    if changed is not None:
        kind, name = changed
        if kind == "append":
            return [(arg.id, name) for arg in stmt.value.args if isinstance(arg, gast.Name)]
        if kind == "add_at":
            return [(arg.id, name) for arg in stmt.value.args[2:] if isinstance(arg, gast.Name)]
        return [(name, target) for target in target_names(stmt.targets[0])] if isinstance(stmt, gast.Assign) else []
    if isinstance(stmt, gast.AugAssign):
        base = root_name(stmt.target) or ""
        found = [(stmt.value.id, base)] if isinstance(stmt.value, gast.Name) else []
        return [*found, (base, base)]
    if isinstance(stmt, gast.FunctionDef):
        return [(name, stmt.name) for name in sorted(reads(stmt) - writes(stmt))]
    if not isinstance(stmt, gast.Assign):
        return []
    pair: Pair | None = getattr(stmt, "pair", None)
    target = stmt.targets[0]
    if pair is not None:
        result = target.elts[0].id if isinstance(target, gast.Tuple) else target.id
        return [(arg, result) for _, arg in pair.active]
    if isinstance(stmt.value, gast.Lambda):
        return [(x, y) for x in sorted(reads(stmt.value) - writes(stmt.value)) for y in target_names(target)]
    parts = [name for part in operands(scope.operation(stmt.value), stmt.value, scope)
             for name in ([part.id] if isinstance(part, gast.Name) else sorted(sources(part, scope)))]
    targets = target_names(target)
    if isinstance(target, gast.Subscript):
        targets = [] if root_name(target) is None else [root_name(target) or ""]
    return [(x, y) for x in parts for y in targets]
