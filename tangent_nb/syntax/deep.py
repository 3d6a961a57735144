"""Room on the stack for programs that nest deeply."""
from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def deep(*trees: Any) -> Iterator[None]:
    """Raise the recursion limit, for the block, by what recursions over the depth of `trees` need."""
    depth, level = 0, [node for tree in trees for node in (tree if isinstance(tree, (list, tuple)) else [tree])]
    while level:
        depth += 1
        level = [child for node in level for child in _children(node)]
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(before + 12 * depth)
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def _children(node: Any) -> list[Any]:
    found: list[Any] = []
    for name in node._fields:
        value = getattr(node, name, None)
        if hasattr(value, "_fields"):
            found.append(value)
        elif isinstance(value, list):
            found.extend(item for item in value if hasattr(item, "_fields"))
    return found
