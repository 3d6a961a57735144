"""What a name holds that a text binds first, since not every path of the function binds it."""
from __future__ import annotations

from collections.abc import Iterable, Sequence

import gast

from .. import runtime
from ..syntax.building import library
from ..syntax.nodes import nodes_of
from .resolve import Scope


def nothing(names: Iterable[str], body: Sequence[gast.stmt], scope: Scope | None) -> dict[str, gast.expr]:
    """`None` for each name; `rt.UNBOUND` where the function may read it: `rt.bound(y, "y")` asks then."""
    asked = {node.args[0].id for node in nodes_of([*body], gast.Call) if node.args
             and isinstance(node.args[0], gast.Name) and scope is not None and scope.value(node.func) is runtime.bound}
    return {name: library("rt.UNBOUND") if name in asked else gast.Constant(None, None) for name in names}
