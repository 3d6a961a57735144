"""What of a region, or of a step of a loop, carries a derivative (`desugar/regions.py`)."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import gast

from ..analyse.activity import varied_names
from ..analyse.resolve import Scope
from ..syntax.blocks import rebuild
from ..syntax.building import assign, clone
from ..syntax.nodes import parameter_names
from ..syntax.program import Captured


class Rerun(NamedTuple):
    """How a region is called. name: by which; adds: the parameters whose cotangents so far are passed through it;
    carrying: what it gives that carries a derivative."""

    name: str = ""
    adds: tuple[str, ...] = ()
    carrying: tuple[str, ...] = ()

    def seeds(self, captured: Captured) -> tuple[int, ...]:
        """The places of that among several things that it gives; none of a single one."""
        results = captured.region.results if captured.region is not None else ()
        return tuple(i for i, name in enumerate(results) if name in self.carrying) if len(results) > 1 else ()


def carrying(captured: Captured, active: Sequence[str]) -> tuple[str, ...]:
    """The names that a region gives and that carry a derivative, if these parameters do: what one step makes of them
    counts for the next."""
    results = captured.region.results if captured.region is not None else ()

    def bound(stmt: Any) -> list[gast.stmt] | None:
        if not isinstance(stmt, gast.Return):
            return None
        parts = [stmt.value] if len(results) == 1 else stmt.value.elts
        return [assign(name, part) for name, part in zip(results, parts, strict=True)]

    tree: gast.FunctionDef = clone(captured.tree)
    tree.body = rebuild(tree.body, bound)
    scope, found, more = Scope.of(captured), set[str](), set(active)
    while more != found:
        found = more
        wrt = [name for name in parameter_names(tree) if name in found]
        more = found | varied_names(tree, wrt, scope) & {*results}
    return tuple(name for name in results if name in found)
