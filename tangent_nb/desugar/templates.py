"""What sugar stands for, written in Python.

Needs a text, and what its names mean: other names, trees, or the statements in the place of a line. `np`, `rt` and the
builtins in it are ours, other names that it binds are new. Promises its statements, emitted as if the user had written
them, and the expression of its last line, not evaluated yet.

    template(desugar, "value = f(x)\\nvalue, value * k", x="y", f=tree, k=other)

                     →      value_1 = np.sin(y)          value_1, value_1 * w
"""
from __future__ import annotations

from functools import cache
from textwrap import dedent
from typing import Any

import gast

from ..rules import LIBRARIES
from ..syntax.blocks import rebuild
from ..syntax.building import clone, exchanged, mark
from ..syntax.nodes import nodes_in, walk
from .state import State


def template(desugar: State, text: str, **given: Any) -> Any:
    """Emit the statements of a text; the expression of its last line. given: what names of the text mean."""
    body: Any = template_statements(desugar, text, **given)
    last = desugar.placed(body.pop().value) if isinstance(body[-1], gast.Expr) else None
    for stmt in body:
        desugar.statement(desugar.placed(stmt))
    return last


def template_statements(desugar: State, text: str, **given: Any) -> list[gast.stmt]:
    """The statements of a text, which are not emitted."""
    body = _parsed(text)
    nodes: Any = list(walk(body))
    mine = {id(part) for node in nodes if isinstance(node, gast.comprehension) for part in nodes_in(node.target)}
    names = [node for node in nodes if isinstance(node, gast.Name)]
    known = dict(given)
    for node in names:
        if not isinstance(node.ctx, gast.Load) and node.id not in known:
            known[node.id] = desugar.names.new(node.id) if id(node) in mine else desugar.temporary(node.id)
            desugar.temporaries |= set() if id(node) in mine else {known[node.id]}
    meant: dict[int, Any] = {}
    for node in names:
        to = known.get(node.id, f"%{node.id}" if node.id in LIBRARIES else node.id)
        if isinstance(to, str):
            meant[id(node)] = mark(gast.Name(to, node.ctx, None, None),
                                   **({"renewed": True} if node.id in given else {}))
        elif not isinstance(to, list):
            meant[id(node)] = to
            known[node.id] = clone(to)
    blocks = {name: one for name, one in given.items() if isinstance(one, list)}
    return rebuild(exchanged(body, meant),
                   lambda stmt: blocks.get(getattr(stmt.value, "id", "")) if isinstance(stmt, gast.Expr) else None)


@cache
def _parsed(text: str) -> list[gast.stmt]:
    """The statements of a text, in no place of the user's."""
    tree = gast.parse(dedent(text))
    for node in walk(tree):
        for place in ("lineno", "col_offset", "end_lineno", "end_col_offset"):
            node.__dict__.pop(place, None)
    return list(tree.body)
