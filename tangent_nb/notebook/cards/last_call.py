"""The arguments of the last call of a derivative that a cell made, where they can be had without running anything.

Nothing is noted when a derivative is called. What the cells say is read when the reader asks for values: a call whose
arguments are names and literals can be made once more, with what the names mean now.
"""
from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ..tokens import visible

MOST_CELLS = 200
LONGEST = 120


class LastCall(NamedTuple):
    """A call as it is written, and its arguments. last: no later one was passed over."""

    text: str
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    last: bool


def last_call(name: str, cells: Sequence[str], namespace: Mapping[str, Any]) -> LastCall | None:
    """The last call of a name in some cells that can be made again: whose arguments are names and literals, and mean
    something now. None where there is none.

    >>> last_call("df", ["df(1.0)", "y = df(x, n=-2)[0]", "df(f())"], {"x": 3.0})
    LastCall(text='df(x, n=-2)', args=(3.0,), kwargs={'n': -2}, last=False)
    """
    if not name:
        return None
    last = True
    for cell in reversed(cells[-MOST_CELLS:]):
        if name not in cell:
            continue
        for call in reversed(_calls(name, cell)):
            try:
                args = tuple(_value(one, namespace) for one in call.args)
                kwargs = {one.arg: _value(one.value, namespace) for one in call.keywords if one.arg is not None}
            except LookupError:
                last = False
                continue
            if len(kwargs) == len(call.keywords):
                text = ast.unparse(call)
                return LastCall(visible(text if len(text) <= LONGEST else text[:LONGEST] + "…"), args, kwargs, last)
            last = False
    return None


def _calls(name: str, cell: str) -> list[ast.Call]:
    try:
        tree = ast.parse(cell)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    found = [node for node in ast.walk(tree)
             if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name]
    return sorted(found, key=lambda node: (node.lineno, node.col_offset))


def _value(node: ast.expr, namespace: Mapping[str, Any]) -> Any:
    """What a name or a literal means; LookupError for anything else."""
    if isinstance(node, ast.Name):
        return namespace[node.id]
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError) as error:
        raise LookupError from error
