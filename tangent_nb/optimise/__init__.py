"""Optimise: passes with names, each of which may be left out."""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import gast

from ..analyse.resolve import Scope
from ..syntax.names import Names
from .own import own

PASSES: Mapping[str, str] = {
    "inlining": "short callees stand in the place of their calls",
}


def optimise(tree: gast.FunctionDef, passes: Sequence[str], scope: Scope, names: Names, *, kept: str | None,
             split: bool) -> Iterator[tuple[str, gast.FunctionDef]]:
    """Run passes in their order, and yield the tree after each."""
    yield from ()


__all__ = ["PASSES", "optimise", "own"]
Unused = Any
