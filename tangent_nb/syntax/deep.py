"""Room on the stack for programs that nest deeply."""
from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from typing import Any

from .nodes import LEAVES, children

MOST = 50_000                  # frames


@contextmanager
def deep(*trees: Any) -> Iterator[None]:
    """Raise the recursion limit, for the block, by what recursions over the depth of `trees` need.

    The passes put statements into each other, so that what they make may be deeper,
    by less than one level for each node.
    """
    depth, nodes, level = 0, 0, [node for tree in trees
                                 for node in (tree if isinstance(tree, (list, tuple)) else [tree])]
    while level:
        depth += 1
        nodes += len(level)
        level = list(chain.from_iterable([children(node) for node in level if node.__class__ not in LEAVES]))
    with room(min(12 * depth + 2 * nodes, MOST)):
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
