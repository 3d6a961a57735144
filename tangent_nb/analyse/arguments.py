"""The arguments of a call of a function whose text is there.

    def f(x, n=2): …        f(1.0, n=k)      →      {"x": 1.0, "n": k}
"""
from __future__ import annotations

from typing import Any

import gast

from ..syntax.nodes import parameter_names
from ..syntax.program import Captured


def bind(captured: Captured, node: gast.Call) -> dict[str, gast.expr] | None:
    """The arguments of a call by parameter, as far as they are given; None where only Python can say."""
    args = captured.tree.args
    if args.vararg or args.kwarg or any(isinstance(a, gast.Starred) for a in node.args) \
            or any(k.arg is None for k in node.keywords):
        return None
    positional = [a.id for a in [*args.posonlyargs, *args.args]]
    if len(node.args) > len(positional):
        return None
    bound: dict[str, gast.expr] = dict(zip(positional, node.args, strict=False))
    by_name = set(parameter_names(captured.tree)) - {a.id for a in args.posonlyargs}
    for keyword in node.keywords:
        if keyword.arg in bound or keyword.arg not in by_name:
            return None
        bound[keyword.arg] = keyword.value
    return bound


def defaults_of(captured: Captured) -> dict[str, Any]:
    """The default of each parameter that has one."""
    args = captured.tree.args
    positional = [a.id for a in [*args.posonlyargs, *args.args]]
    return {**dict(zip(positional[::-1], (captured.defaults or ())[::-1], strict=False)), **(captured.kwdefaults or {})}
