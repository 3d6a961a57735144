"""Room on the stack for programs that nest deeply."""
from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

MOST = 50_000                  # frames


@contextmanager
def deep(*trees: Any) -> Iterator[None]:
    """Raise the recursion limit, for the block, by what recursions over the depth of `trees` need.

    The passes put statements into each other, so that what they make may be deeper, by less than one level for each node.
    """
    depth, nodes, level = 0, 0, [node for tree in trees for node in (tree if isinstance(tree, (list, tuple)) else [tree])]
    while level:
        depth += 1
        nodes += len(level)
        level = [child for node in level for child in _children(node)]
    with room(min(12 * depth + nodes, MOST)):
        yield


@contextmanager
def room(frames: int) -> Iterator[None]:
    """Raise the recursion limit, for the block."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(before + frames)
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
