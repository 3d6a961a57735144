"""What the text of a derivative keeps for its backward sweep: read from the text, before anything runs.

Needs a text with the roles of its lines. Promises for each function which names the backward code reads, at each line
where it may take over; which lines bind a name, put a value on a list, and read it; what the parts of residuals are.

>>> import numpy as np
>>> import tangent_nb as tnb
>>> def f(x, n):
...     for _ in range(n):
...         x = x * np.sin(x)
...     return np.sum(x)
>>> plan = plans(tnb.grad(f).__tangent_nb__.emitted)["df_dx"]
>>> sorted(plan.turns[plan.backward[0]]), [(one.list, one.value) for one in plan.pushes.values()]
(['n', 'x', 'x_saved'], [('x_saved', 'x')])
"""
from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import gast

from ...analyse.flow import access, mutation
from ...analyse.graph import Graph, Node
from ...syntax.nodes import dotted, nodes_of, parameter_names, reads, root_name, target_names
from ...syntax.program import Emitted
from ..origins import BACKWARD

Names = frozenset[str]
NONE: Names = frozenset()


@dataclass(frozen=True)
class Push:
    """`x_saved.append(rt.copy(x))`: the list, the variable whose value it is, and what is called for it ("" where
    nothing is); ours: a save of the derivative, no list of the user's; part: it is a part of the variable's value."""

    line: int
    list: str
    value: str
    call: str
    ours: bool
    part: bool


@dataclass
class Plan:
    """One function. binds: the lines that bind each name, in order; called: what is called for the value of a line;
    callees: the function that gives the residuals that a name holds; residuals: what its own are made of, None where
    it gives none, in the line returns; turns: what is kept where a line of the backward sweep follows one of the
    forward sweep; reader: the function that reads its residuals; binding: the lines that bind what may be kept; noted:
    these, those that put something on a list, and those where the backward sweep may begin; starts: where the statement
    of a further line begins."""

    name: str
    first: int
    parameters: tuple[str, ...]
    roles: Mapping[int, str]
    tree: gast.FunctionDef
    graph: Graph | None
    binds: dict[str, list[int]] = field(default_factory=dict)
    called: dict[int, str] = field(default_factory=dict)
    pushes: dict[int, Push] = field(default_factory=dict)
    pops: dict[str, list[int]] = field(default_factory=dict)
    callees: dict[str, str] = field(default_factory=dict)
    residuals: tuple[str, ...] | None = None
    returns: int = 0
    turns: dict[int, Names] = field(default_factory=dict)
    reader: str = ""
    binding: frozenset[int] = frozenset()
    noted: frozenset[int] = frozenset()
    starts: dict[int, int] = field(default_factory=dict)

    @property
    def restored(self) -> set[str]:
        """The names that hold in its backward sweep what a forward sweep has made."""
        first: Any = self.tree.body[0]
        given = target_names(first.targets[0]) if self.is_backward(first.lineno) and isinstance(first, gast.Assign) \
            and isinstance(first.targets[0], gast.Tuple) else self.parameters
        found = {*given, *map(self._pops_into, {line for lines in self.pops.values() for line in lines})}
        return found | {name for name, lines in self.binds.items() if self.roles.get(self.first + 1) != "backward"
                        and any(self.roles.get(line) == "forward" for line in lines)}

    @property
    def backward(self) -> list[int]:
        """The lines of its backward sweep."""
        return [line for line, role in sorted(self.roles.items()) if role in BACKWARD]

    def is_backward(self, line: int) -> bool:
        """The line belongs to the backward sweep."""
        return self.roles.get(line) in BACKWARD

    def readers(self, name: str, line: int) -> list[int]:
        """The lines of the backward sweep that read a name as a line has bound it, or what was put on a list there; of
        a list what is taken back counts."""
        if self.graph is None:
            return [at for at in self.backward if name in self._reads(at)]
        if line in self.pushes:
            found = set(self.readers_of_list(name, self.pushes[line].list))
        else:
            start = [node for node in self.graph.nodes if getattr(node.stmt, "lineno", 0) == line]
            found = set(_reached(self.graph, start or [self.graph.entry], name))
        return sorted(at for at in found if self.is_backward(at))

    def readers_of_list(self, name: str, stack: str) -> list[int]:
        """The lines of the backward sweep that read a name after it was taken back from a list that another function
        has filled."""
        start = [node for node in self.graph.nodes if getattr(node.stmt, "lineno", 0) in self.pops.get(stack, ())] \
            if self.graph is not None else []
        direct = {at for at in self.pops.get(stack, ()) if self._pops_into(at) != name}
        return sorted(direct | set(_reached(self.graph, start, name) if self.graph is not None else ()))

    def _pops_into(self, line: int) -> str:
        stmt: Any = next((node.stmt for node in self.graph.nodes if getattr(node.stmt, "lineno", 0) == line), None) \
            if self.graph is not None else None
        is_alone = isinstance(stmt, gast.Assign) and isinstance(stmt.value, gast.Call)
        return root_name(stmt.targets[0]) or "" if is_alone else ""

    def _reads(self, line: int) -> Collection[str]:
        return {name for node in gast.walk(self.tree) if getattr(node, "lineno", 0) == line
                and isinstance(node, gast.stmt) for name in reads(node)}


def plans(emitted: Emitted) -> dict[str, Plan]:
    """Of each function of a text, by its name."""
    roles = {line.number: line.role for line in emitted.lines}
    tapes = {line.number for line in emitted.lines if line.tape is not None}
    found = {tree.name: _plan(tree, roles, tapes) for tree in gast.parse(emitted.text).body
             if isinstance(tree, gast.FunctionDef)}
    for plan in found.values():
        _calls(plan, found)
    if len(emitted.functions) > 1 and (first := found[emitted.functions[0]]).residuals is not None:
        first.reader = emitted.functions[1]                # split motion: the two halves
    return found


def _plan(tree: gast.FunctionDef, roles: Mapping[int, str], tapes: Collection[int]) -> Plan:
    try:
        graph: Graph | None = Graph(tree.body)
    except ValueError:                                     # a form that the normal form has not
        graph = None
    own = {line: role for line, role in roles.items() if tree.lineno <= line <= (tree.end_lineno or tree.lineno)}
    plan = Plan(tree.name, tree.lineno, tuple(parameter_names(tree)), own, tree, graph)
    plan.binds.update({name: [tree.lineno] for name in plan.parameters})
    for stmt in gast.walk(tree):
        if isinstance(stmt, gast.stmt) and stmt is not tree:
            _note(plan, stmt, tapes)
            if not hasattr(stmt, "body"):
                plan.starts.update(dict.fromkeys(range(stmt.lineno + 1, (stmt.end_lineno or 0) + 1), stmt.lineno))
    for lines in plan.binds.values():
        lines.sort()
    if not plan.backward:
        plan.residuals, plan.returns = _residuals(tree)
    plan.turns = {line: names for line, names in _turns(plan).items() if names}
    kept = {*(plan.residuals or ()), *(one.value for one in plan.pushes.values()),
            *frozenset[str]().union(*plan.turns.values())}
    plan.binding = frozenset(line for name in kept for line in plan.binds.get(name, ()))
    before = {} if graph is None else _befores(graph)
    begins = [line for line in plan.turns
              if graph is None or not all(map(plan.is_backward, before.get(line, [0])))]
    plan.noted = plan.binding | plan.pushes.keys() | set(begins)
    return plan


def _note(plan: Plan, stmt: Any, tapes: Collection[int]) -> None:
    line = stmt.lineno
    changed = mutation(stmt)
    if changed is not None and changed[0] == "pop":
        plan.pops.setdefault(changed[1], []).append(line)
    elif changed is not None and changed[0] == "append":
        value = stmt.value.args[0]
        plan.pushes[line] = Push(line, changed[1], _variable(value), _call(value), line in tapes,
                                 any(isinstance(one, gast.Subscript) for one in gast.walk(value)))
    else:
        for call in nodes_of(stmt, gast.Call) if not hasattr(stmt, "body") else ():
            if isinstance(call.func, gast.Attribute) and call.func.attr == "pop" and not call.args \
                    and isinstance(call.func.value, gast.Name):
                plan.pops.setdefault(call.func.value.id, []).append(line)
    targets = stmt.targets if isinstance(stmt, gast.Assign) else \
        [stmt.target] if isinstance(stmt, (gast.AugAssign, gast.For)) else \
        [item.optional_vars for item in stmt.items if item.optional_vars is not None] \
        if isinstance(stmt, gast.With) else []
    for target in targets:
        for name in target_names(target):
            plan.binds.setdefault(name, []).append(line)
    if isinstance(stmt, gast.Assign):
        plan.called[line] = _call(stmt.value)


def _call(value: Any) -> str:
    return dotted(value.func) or "" if isinstance(value, gast.Call) else ""


def _variable(value: Any) -> str:
    """The variable whose value, or a part of it, something is: `x` of `rt.copy(x[1:])`."""
    while isinstance(value, gast.Call) and value.args:
        value = value.args[0]
    return root_name(value) or ""


def _residuals(tree: gast.FunctionDef) -> tuple[tuple[str, ...] | None, int]:
    """The variables in the second part of what is returned, and the line."""
    last: Any = tree.body[-1]
    pair = last.value if isinstance(last, gast.Return) else None
    if not isinstance(pair, gast.Tuple) or len(pair.elts) != 2 or not isinstance(pair.elts[1], gast.Tuple):
        return None, 0
    return tuple(map(_variable, pair.elts[1].elts)), last.lineno


def _calls(plan: Plan, known: Mapping[str, Plan]) -> None:
    """Which names hold the residuals of which function, and which function reads them."""
    for stmt in gast.walk(plan.tree):
        if isinstance(stmt, gast.Assign) and isinstance(stmt.targets[0], gast.Tuple) and len(stmt.targets[0].elts) == 2:
            callee, name = known.get(_call(stmt.value)), stmt.targets[0].elts[1]
            if callee is not None and callee.residuals is not None and isinstance(name, gast.Name):
                plan.callees[name.id] = callee.name
    for call in nodes_of(plan.tree, gast.Call):
        name = call.args[0].id if call.args and isinstance(call.args[0], gast.Name) else ""
        if name in plan.callees and _call_name(call) in known:
            known[plan.callees[name]].reader = _call_name(call)


def _call_name(call: Any) -> str:
    return dotted(call.func) or ""


def _befores(graph: Graph) -> dict[int, set[int]]:
    """The lines after which each line may run."""
    found: dict[int, set[int]] = {}
    for node in graph.nodes:
        seen: set[int] = set()
        todo = list(graph.pred[node.index])
        while todo:
            index = todo.pop()
            if index in seen:
                continue
            seen.add(index)
            line = getattr(graph.nodes[index].stmt, "lineno", 0)
            if line:
                found.setdefault(getattr(node.stmt, "lineno", 0), set()).add(line)
            if not line or graph.nodes[index].kind == "join":
                todo += graph.pred[index]
    return found


def _turns(plan: Plan) -> dict[int, Names]:
    """What the backward sweep reads of what others bind, before each of its lines: liveness of which only the
    backward sweep is the reader (A. Aho et al., "Compilers", 2nd ed., section 9.2.5)."""
    forward = frozenset(name for name, lines in plan.binds.items() if not all(map(plan.is_backward, lines)))
    if plan.graph is None:
        read = {name for line in plan.backward for name in plan._reads(line)}
        return {line: frozenset(read) & forward for line in plan.backward}
    graph, live = plan.graph, [NONE] * len(plan.graph.nodes)
    todo = list(graph.nodes)
    while todo:
        node = todo.pop()
        after = frozenset[str]().union(*(live[one.index] for one in graph.after(node)))
        before = after
        if node.stmt is not None:
            does = access(node)
            before = after - does.define
            if plan.is_backward(getattr(node.stmt, "lineno", 0)):
                before |= does.use
        if before != live[node.index]:
            live[node.index] = before
            todo += [graph.nodes[one] for one in graph.pred[node.index]]
    found: dict[int, Names] = {}
    for node in graph.nodes:
        line = getattr(node.stmt, "lineno", 0)
        if plan.is_backward(line):
            found[line] = found.get(line, NONE) | (live[node.index] & forward)
    return found


def _reached(graph: Graph, start: Iterable[Node], name: str) -> Iterator[int]:
    """The lines that read a name before it is bound anew."""
    seen: set[int] = set()
    todo = [one for node in start for one in graph.after(node)]
    while todo:
        node = todo.pop()
        if node.index in seen:
            continue
        seen.add(node.index)
        if node.stmt is not None:
            does = access(node)
            if name in does.use and hasattr(node.stmt, "lineno"):
                yield node.stmt.lineno
            if name in does.define:
                continue
        todo += graph.after(node)
