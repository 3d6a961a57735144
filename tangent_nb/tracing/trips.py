"""The trip of a loop that a step is in: what the targets of the `for` loops around it are."""
from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

import numpy as np

LONGEST = 40                   # of a text that is a key


def loops_around(text: str, number: int) -> list[ast.For]:
    """The `for` loops of a text whose bodies a line stands in, the innermost first.

    >>> text = "for i in x:\\n    for j in y:\\n        z = i\\n    z = j"
    >>> [loop.lineno for loop in loops_around(text, 3)], [loop.lineno for loop in loops_around(text, 4)]
    ([2, 1], [1])
    """
    found = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.For)
             and node.body[0].lineno <= number <= (node.body[-1].end_lineno or 0)]
    return sorted(found, key=lambda loop: -loop.lineno)


def counted(loop: ast.For, local: Mapping[str, Any]) -> str:
    """The whole numbers and texts among the targets of a loop, as they are in the trip; empty where there are none.

    >>> (loop,) = loops_around("for i, x in enumerate(xs):\\n    y = x", 2)
    >>> counted(loop, {"i": 7, "x": 0.5})
    'i = 7'
    """
    found = {node.id: local.get(node.id) for node in ast.walk(loop.target) if isinstance(node, ast.Name)}
    return ", ".join(f"{name} = {value if isinstance(value, np.integer) else repr(value)}"
                     for name, value in found.items() if _is_short(value))


def _is_short(value: Any) -> bool:
    return type(value) is int or isinstance(value, np.integer) or type(value) is str and len(value) <= LONGEST
