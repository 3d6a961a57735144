"""The control-flow graph of a function body.

Needs structured statements (`if for while try with break continue return raise` and simple ones). Promises for each
statement a first and a last node, so that facts can be read before and after it, and for each loop a head node where
its iterations meet.

A `for` makes three nodes: `iter` evaluates the iterable once, `head` asks for the next item, `bind` binds the target. A
handler of a `try` may be reached from before and after every node of the body. Where a `try` is marked `whole`, nobody
sees what its body has done before it raises: it is a branch then, and only handlers that raise again are reached from
everywhere.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gast

from ..syntax.blocks import inserts
from .leaving import always_leaves
from .name_sets import Numbering


class Node:
    """A point of control flow. kind: `"entry" "stmt" "test" "iter" "bind" "head" "try" "handler" "with" "join" "exit"
    "raised"`."""

    __slots__ = ("access", "in_loop", "index", "kind", "stmt")

    def __init__(self, index: int, kind: str, stmt: Any) -> None:
        self.index, self.kind, self.stmt = index, kind, stmt
        self.in_loop = False
        self.access: Any = None                    # what it does to names, kept by `flow.access`


class Graph:
    """The graph of a body; `first`, `last`, `head` and `body_start` are keyed by the `id` of a statement.

    order: the nodes as control meets them, what follows a loop after its body; succ, pred: of each node, by its
    index, the indices of those after and before it (nodes hold no others, so that a graph has ended its life when
    nobody asks it any more); numbering: of the names in sets of names.
    """

    def __init__(self, body: Sequence[gast.stmt]) -> None:
        self.body = body
        self.nodes: list[Node] = []
        self.order: list[Node] = []
        self.succ: list[list[int]] = []
        self.pred: list[list[int]] = []
        self.numbering = Numbering()
        self.kept: list[int] | None = None                 # all names but those that each node binds, as bits
        self.first: dict[int, Node] = {}
        self.last: dict[int, Node] = {}
        self.head: dict[int, Node] = {}
        self.body_start: dict[int, Node] = {}
        self._loops: list[tuple[Node, Node]] = []
        self.entry = self._node("entry", None)
        self.exit = self._node("exit", None, placed=False)
        self.raised = self._node("raised", None, placed=False)
        end = self._block(body, self.entry)
        if end is not None:
            self._edge(end, self.exit)
        self.order += [self.exit, self.raised]

    def _node(self, kind: str, stmt: Any, *, placed: bool = True) -> Node:
        node = Node(len(self.nodes), kind, stmt)
        node.in_loop = bool(self._loops)
        self.nodes.append(node)
        self.succ.append([])
        self.pred.append([])
        if placed:
            self.order.append(node)
        return node

    def _edge(self, a: Node, b: Node) -> None:
        self.succ[a.index].append(b.index)
        self.pred[b.index].append(a.index)

    def after(self, node: Node) -> list[Node]:
        """The nodes that control may go to from one."""
        return [self.nodes[i] for i in self.succ[node.index]]

    def _next(self, kind: str, stmt: Any, after: Node | None) -> Node:
        node = self._node(kind, stmt)
        if after is not None:
            self._edge(after, node)
        return node

    def _block(self, body: Sequence[gast.stmt], at: Node | None) -> Node | None:
        """Add statements after `at`; the node where they end, None where they do not."""
        for stmt in body:
            at = self._statement(stmt, at)
        return at

    def _statement(self, stmt: gast.stmt, at: Node | None) -> Node | None:
        if isinstance(stmt, gast.If):
            return self._if(stmt, at)
        if isinstance(stmt, (gast.For, gast.While)):
            return self._loop(stmt, at)
        if isinstance(stmt, gast.Try):
            return self._try(stmt, at)
        if isinstance(stmt, gast.With) and not inserts(stmt):
            return self._with(stmt, at)
        node = self._next("stmt", stmt, at)
        self.first[id(stmt)] = self.last[id(stmt)] = node
        if isinstance(stmt, gast.Return):
            self._edge(node, self.exit)
        elif isinstance(stmt, gast.Raise):
            self._edge(node, self.raised)
        elif isinstance(stmt, gast.Break):
            self._edge(node, self._loops[-1][1])
        elif isinstance(stmt, gast.Continue):
            self._edge(node, self._loops[-1][0])
        else:
            return node
        return None

    def _if(self, stmt: Any, at: Node | None) -> Node:
        test = self._next("test", stmt, at)
        self.first[id(stmt)] = test
        return self._joined(stmt, [self._block(stmt.body, test), self._block(stmt.orelse, test)])

    def _try(self, stmt: Any, at: Node | None) -> Node:
        if stmt.finalbody:
            raise ValueError("a try has no finally in normal form")
        start = self._next("try", stmt, at)
        self.first[id(stmt)] = start
        end = self._block(stmt.body, start)
        inside = self.nodes[start.index:]
        orelse = self._block(stmt.orelse, end)             # it has nodes where nothing leads there, too
        ends = [None if end is None else orelse]
        for handler in stmt.handlers:
            caught = self._node("handler", handler)
            self.first[id(handler)] = caught
            for node in [start] if getattr(stmt, "whole", False) and not always_leaves(handler.body) else inside:
                self._edge(node, caught)
            ends.append(self._block(handler.body, caught))
        return self._joined(stmt, ends)

    def _with(self, stmt: Any, at: Node | None) -> Node:
        start = self._next("with", stmt, at)
        self.first[id(stmt)] = start
        # what its body raises, a manager may swallow
        return self._joined(stmt, [self._block(stmt.body, start) or start])

    def _joined(self, stmt: Any, ends: Sequence[Node | None]) -> Node:
        join = self._node("join", stmt)
        for end in ends:
            if end is not None:
                self._edge(end, join)
        self.last[id(stmt)] = join
        return join

    def _loop(self, stmt: Any, at: Node | None) -> Node:
        is_for = isinstance(stmt, gast.For)
        if is_for:
            at = self._next("iter", stmt, at)
        head = self._next("head", stmt, at)
        self.first[id(stmt)] = at if is_for and at is not None else head
        self.head[id(stmt)] = head
        inner = self._next("bind" if is_for else "test", stmt, head)
        exit_ = self._node("join", stmt, placed=False)
        if is_for:
            self._edge(head, exit_)
        elif not (isinstance(stmt.test, gast.Constant) and stmt.test.value):
            self._edge(inner, exit_)
        self.body_start[id(stmt)] = inner
        self._loops.append((head, exit_))
        end = self._block(stmt.body, inner)
        self._loops.pop()
        self.order.append(exit_)
        if end is not None:
            self._edge(end, head)
        self.last[id(stmt)] = exit_
        if stmt.orelse:
            raise ValueError("loops have no else in normal form")
        return exit_
