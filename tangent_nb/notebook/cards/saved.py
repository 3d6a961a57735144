"""Why a value is saved: which lines of the backward pass read it, and what binds its name anew before they do.

Needs the text that runs, with what emit knows of its lines. Promises a sentence for each line that saves a value or
brings it back. The text is read again as a graph: what reads the value that is brought back is what is reached from
there before the name is bound anew.
"""
from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import gast

from ...analyse.flow import access
from ...analyse.graph import Graph, Node
from ...differentiate import Problem
from ...differentiate.recompute import is_cheap
from ...syntax.nodes import nodes_of, reads, root_name
from ...syntax.program import Emitted
from ..tokens import visible

MOST = 3                                                   # lines that are named
LONGEST = 100
COPY = re.compile(r"\s*\w+ = (?:\w+|rt\.copy\(\w+\))")          # `x_1 = x`


@dataclass(frozen=True)
class Save:
    """A save on a list. list: its name; name: the variable whose value it is; part: it is a part of that; pushes, pops:
    the lines that put it there, and that take it back, as nodes of the graph."""

    list: str
    name: str
    part: bool
    pushes: tuple[Node, ...]
    pops: tuple[Node, ...]

    @property
    def outline(self) -> bool:
        """What is saved has the shape and the dtype of the value, and none of its numbers."""
        return any(isinstance(call.func, gast.Attribute) and call.func.attr == "outline"
                   for node in self.pushes for call in nodes_of(node.stmt, gast.Call))


class Saved:
    """Of one text. functions: their names, and the lines that they are in; problem: gives what is known of a function,
    by its name, None where nothing is."""

    def __init__(self, emitted: Emitted, functions: Mapping[str, range],
                 problem: Callable[[str], Problem | None]) -> None:
        self.emitted, self.functions, self.problem = emitted, functions, problem
        self.lines = emitted.text.split("\n")
        self.tapes = {line.number: line.tape for line in emitted.lines if line.tape is not None}
        self._graphs: dict[str, Graph | None] = {}
        self._saves: dict[str, list[Save]] = {}

    def graph(self, name: str) -> Graph | None:
        """What may follow what in a function; None where it has a form that the normal form has not."""
        if name not in self._graphs:
            lines = self.functions[name]
            text = "\n" * (lines.start - 1) + "\n".join(self.lines[lines.start - 1:lines.stop - 1])
            tree = gast.parse(text).body[0]
            self._graphs[name] = _graph(tree) if isinstance(tree, gast.FunctionDef) else None
        return self._graphs[name]

    def saves(self, name: str) -> list[Save]:
        """The saves of a function."""
        if name not in self._saves:
            graph = self.graph(name) if any(line in self.tapes for line in self.functions[name]) else None
            self._saves[name] = [] if graph is None else _saves(graph, self.tapes)
        return self._saves[name]

    def why(self, number: int) -> str:
        """Why the value of a line is saved; empty for a line that saves none, and takes none back."""
        name = next((name for name, lines in self.functions.items() if number in lines), None)
        if name is None:
            return ""
        for save in self.saves(name):
            if any(number in _span(node) for node in (*save.pushes, *save.pops)):
                graph = self.graph(name)
                return "" if graph is None else self._why(graph, save, self.problem(name))
        if self.emitted.lines[number - 1].role == "forward" and COPY.fullmatch(self.lines[number - 1]):
            graph = self.graph(name)
            return "" if graph is None else self._kept(graph, number, self.problem(name))
        return ""

    def outlined(self, number: int) -> set[str]:
        """The names that are outlines at a line: no number of theirs was brought back."""
        name = next((name for name, lines in self.functions.items() if number in lines), None)
        graph = None if name is None else self.graph(name)
        if name is None or graph is None:
            return set()
        return {save.name for save in self.saves(name) if save.outline
                and any(number in _span(node) for node in (*save.pops, *_reached(
                    graph, save.pops, save.name, reading=True)))}

    def _why(self, graph: Graph, save: Save, problem: Problem | None) -> str:
        own = {node.stmt.lineno for node in (*save.pushes, *save.pops)}
        readers = [node for node in _reached(graph, save.pops, save.name, reading=True)
                   if not save.part or node.stmt.lineno not in own]
        if not readers:
            return ""
        if save.outline:
            return f"only the outline of {save.name}, its shape and dtype and no number of it, is kept in " \
                f"{save.list}: {self._reading(readers, save.name)}"
        what = f"the part of {save.name} that changes" if save.part else save.name
        taken = f"{what} is kept in {save.list}, because {self._reading(readers, save.name)}"
        after = [node for node in _reached(graph, save.pushes, save.name, reading=False) if node.stmt.lineno not in own]
        if after:
            first = min(after, key=lambda node: (node.stmt.lineno < save.pushes[0].stmt.lineno, node.stmt.lineno))
            does = f"changes {save.name}" if save.name not in access(first).define else f"binds {save.name} anew"
            taken += f", and {self._line(first.stmt.lineno)} {does}" \
                + (" in the next trip" if first.stmt.lineno < save.pushes[0].stmt.lineno else " before that")
        return taken + ("" if save.part else self._not_again(graph, save, problem))

    def _kept(self, graph: Graph, number: int, problem: Problem | None) -> str:
        """Of `x_1 = x`, which keeps a value under another name."""
        for node in graph.nodes:
            stmt = node.stmt
            if node.kind != "stmt" or stmt.lineno != number or not isinstance(stmt, gast.Assign) \
                    or not isinstance(stmt.targets[0], gast.Name) or problem is None:
                continue
            kept, value = stmt.targets[0].id, stmt.value
            if isinstance(value, gast.Call) and _is_copy(value):
                value = value.args[0]
            if not isinstance(value, gast.Name) or kept in problem.scope.local \
                    or kept == value.id:
                continue
            readers = [one for one in _reached(graph, (node,), kept, reading=True) if one is not node]
            later = _reached(graph, (node,), value.id, reading=False)
            if readers and later:
                return f"{value.id} is kept as {kept}, because {self._reading(readers, kept)}, " \
                    f"and {self._line(min(one.stmt.lineno for one in later))} binds {value.id} anew before that"
        return ""

    def _reading(self, readers: Sequence[Node], name: str) -> str:
        numbers = sorted({node.stmt.lineno for node in readers})
        sweep = "of the backward pass " if all(self._backward(one) for one in numbers) else ""
        if len(numbers) == 1:
            return f"line {numbers[0]} {sweep}reads {name}: {self._text(numbers[0])}"
        named = ", ".join(map(str, numbers[:MOST]))
        return f"lines {named}{' and others' if len(numbers) > MOST else ''} {sweep}read {name}, the first: " \
            f"{self._text(numbers[0])}"

    def _backward(self, number: int) -> bool:
        return self.emitted.lines[number - 1].role in ("backward", "inserted")

    def _line(self, number: int) -> str:
        return f"line {number} ({self._text(number)})"

    def _text(self, number: int) -> str:
        text = self.lines[number - 1].strip()
        return visible(text if len(text) <= LONGEST else text[:LONGEST] + "…")

    def _not_again(self, graph: Graph, save: Save, problem: Problem | None) -> str:
        """Why the value is not computed again instead, where that is certain."""
        makers = [node for node in _reached_back(graph, save.pushes, save.name)
                  if any(_in_one_loop(graph, node, one) for one in save.pushes)]
        for maker in makers if len(makers) == 1 else []:
            stmt = maker.stmt
            if maker.kind != "stmt" or not isinstance(stmt, (gast.Assign, gast.AugAssign)):
                continue
            sources = reads(stmt.value) & _bound_in(graph)
            if save.name in sources or isinstance(stmt, gast.AugAssign):
                return f". It is not computed again: line {stmt.lineno} makes it of the {save.name} before, " \
                       "which is gone by then"
            if problem is not None and not is_cheap(stmt.value, problem.scope) \
                    and any(isinstance(node, gast.Call) for node in gast.walk(stmt.value)):
                return f". It is not computed again, for that would take as long once more: line {stmt.lineno} " \
                       "is no cheap operation"
            gone = sorted(one for one in sources if any(
                node.kind == "stmt" and one in access(node).define and _in_one_loop(graph, node, maker)
                for node in graph.nodes if node is not maker))
            if gone:
                return f". It is not computed again: {' and '.join(gone[:MOST])} " \
                       f"{'is' if len(gone) == 1 else 'are'} bound anew in each trip"
        return ""


def _graph(tree: gast.FunctionDef) -> Graph | None:
    try:
        return Graph(tree.body)
    except ValueError:                                     # a form that the normal form has not
        return None


def _saves(graph: Graph, tapes: dict[int, int]) -> list[Save]:
    found: dict[int, dict[str, list[Node]]] = {}
    names: dict[int, tuple[str, str, bool]] = {}
    for node in graph.nodes:
        if node.kind != "stmt" or node.stmt.lineno not in tapes:
            continue
        site = tapes[node.stmt.lineno]
        push = _pushed(node.stmt)
        if push is not None:
            found.setdefault(site, {}).setdefault("push", []).append(node)
            names[site] = push
        else:
            found.setdefault(site, {}).setdefault("pop", []).append(node)
    for node in graph.nodes:                               # what takes a value back may stand in a line of its reader
        if node.kind == "stmt" and node.stmt.lineno not in tapes:
            for site, (stack, *_) in names.items():
                if "pop" not in found[site] and any(_is_pop(one, stack) for one in nodes_of(node.stmt, gast.Call)):
                    found[site]["pop"] = [node]
    return [Save(*names[site], tuple(one.get("push", ())), tuple(one.get("pop", ())))
            for site, one in found.items() if site in names]


def _pushed(stmt: Any) -> tuple[str, str, bool] | None:
    """The list and the variable of `x_saved.append(x)`, and whether it is a part of it."""
    call = getattr(stmt, "value", None)
    if not isinstance(stmt, gast.Expr) or not isinstance(call, gast.Call) or not isinstance(call.func, gast.Attribute) \
            or call.func.attr != "append" or not isinstance(call.func.value, gast.Name):
        return None
    value = call.args[0]
    part = isinstance(value, gast.Call) and not _is_copy(value) or isinstance(value, gast.Subscript)
    while isinstance(value, gast.Call) and value.args:     # rt.copy(x), rt.pick(x, i)
        value = value.args[0]
        part |= isinstance(value, gast.Subscript)
    return call.func.value.id, root_name(value) or "", part


def _is_copy(call: gast.Call) -> bool:
    return isinstance(call.func, gast.Attribute) and call.func.attr == "copy" and len(call.args) == 1


def _is_pop(call: Any, stack: str) -> bool:
    return isinstance(call.func, gast.Attribute) and call.func.attr == "pop" and not call.args \
        and isinstance(call.func.value, gast.Name) and call.func.value.id == stack


def _span(node: Node) -> range:
    return range(node.stmt.lineno, (node.stmt.end_lineno or node.stmt.lineno) + 1)


def _reached(graph: Graph, start: Sequence[Node], name: str, *, reading: bool) -> list[Node]:
    """The nodes that read a name before it is bound anew, or those that bind it, or change it, next."""
    found, seen = [], set()
    todo = [one for node in start for one in graph.after(node)]
    found += [node for node in start if reading and name in _read_with(node, name)]
    while todo:
        node = todo.pop()
        if node.index in seen:
            continue
        seen.add(node.index)
        does = access(node) if node.stmt is not None else None
        if does is not None:
            changes = name in does.define or name in does.update
            if reading and name in does.use and not _is_push(node, name) or not reading and changes:
                found.append(node)
            if changes if not reading else name in does.define:
                continue
        todo += graph.after(node)
    return [node for node in found if hasattr(node.stmt, "lineno")]


def _read_with(node: Node, name: str) -> set[str]:
    """Names read in a line that takes a value back itself: `bx = bx * x_saved.pop()`."""
    stmt = node.stmt
    pops = isinstance(stmt, gast.Assign) and not isinstance(stmt.value, gast.Call) \
        and any(isinstance(one.func, gast.Attribute) and one.func.attr == "pop" for one in nodes_of(stmt, gast.Call))
    return {name} if pops else set()


def _is_push(node: Node, name: str) -> bool:
    pushed = _pushed(node.stmt)
    return pushed is not None and pushed[1] == name


def _reached_back(graph: Graph, start: Sequence[Node], name: str) -> Iterator[Node]:
    """The nodes that bind the value that a name has at some nodes."""
    seen: set[int] = set()
    todo = [one for node in start for one in graph.pred[node.index]]
    while todo:
        index = todo.pop()
        if index in seen:
            continue
        seen.add(index)
        node = graph.nodes[index]
        if node.stmt is not None and name in access(node).define:
            yield node
        else:
            todo += graph.pred[index]


def _in_one_loop(graph: Graph, one: Node, other: Node) -> bool:
    """Each of two nodes may follow the other."""
    return _may_follow(graph, one, other) and _may_follow(graph, other, one)


def _may_follow(graph: Graph, one: Node, other: Node) -> bool:
    seen: set[int] = set()
    todo = list(graph.after(one))
    while todo:
        node = todo.pop()
        if node is other:
            return True
        if node.index not in seen:
            seen.add(node.index)
            todo += graph.after(node)
    return False


def _bound_in(graph: Graph) -> set[str]:
    return {name for node in graph.nodes if node.stmt is not None for name in access(node).define}
