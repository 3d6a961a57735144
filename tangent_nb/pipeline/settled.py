"""When objects outside hold what the function has stored in them.

Needs the forward sweep of a derivative. Promises that it gathers what it stores, and that the objects hold this when it
has ended. One that another derivative calls is in the middle of a sweep, and leaves that to the other one
(`runtime/stored_outside.py`).

    self.x = rt.later(self, 'x', x)      →      stored = rt.stores()
                                                self.x = rt.later(self, 'x', x)
                                                rt.settle(stored)
"""
from __future__ import annotations

from typing import Any

import gast

from ..desugar import Reader
from ..desugar.stored_outside import stores_later
from ..differentiate import Problem
from ..syntax.building import assign, library, mark
from ..syntax.nodes import dotted, walk
from .request import Request


def settled(forward: list[gast.stmt], problem: Problem, request: Request, reader: Reader) -> list[gast.stmt]:
    """The forward sweep, with what gathers around it."""
    called = {dotted(node.func) for node in _nodes(forward) if isinstance(node, gast.Call)}
    stores = not called.isdisjoint({"%rt.pushforward", "%rt.later", "%rt.check_taken", "%rt.append_later",
                                    "%rt.set_later"}) or any(
        stores_later(text.tree) for text in reader.known.values())
    if request.kind == "push" or not stores:
        return forward
    stored, inner = problem.names.new("stored"), "inner=True" * (request.kind == "split")
    return [mark(assign(stored, library(f"rt.stores({inner})")), role="forward", origin=None), *forward,
            mark(gast.Expr(library("rt.settle(stored)", stored=stored)), role="forward", origin=None)]


def _nodes(body: list[gast.stmt]) -> list[Any]:
    return [node for stmt in body for node in walk(stmt)]
