"""Calls that are computed again in the backward sweep, as blocks.

Needs a call of the text. Promises a name for what it gives, and a block around it, for `regions.py`; what its arguments
compute again is in blocks in front of it.

    y = tnb.checkpoint(layer)(x, w)      →      with tnb.checkpoint():
                                                    layer_1 = layer(x, w)
                                                y = layer_1
"""
from __future__ import annotations

import inspect
import types
from typing import Any

import gast

from .. import runtime
from ..syntax.building import assign, library, load, mark
from ..syntax.program import MISSING
from . import objects
from .state import State


def called(desugar: State, node: gast.Call) -> gast.expr | None:
    """`tnb.checkpoint(layer)(x, w)`, or a call of what `@tnb.checkpoint` stands above, as the one statement of a
    block."""
    func: Any = node.func
    if hasattr(node, "computed_again") or desugar.out is None:
        return None
    if isinstance(func, gast.Call) and desugar.object(func.func) is runtime.checkpoint and len(func.args) == 1 \
            and not func.keywords and not isinstance(func.args[0], gast.Starred):
        func = func.args[0]
    elif not hasattr(_bound(desugar, func), "__checkpointed__"):
        return None
    count = len(node.args)
    args = desugar.operands([*node.args, *(k.value for k in node.keywords)])
    keywords = [gast.keyword(k.arg, value) for k, value in zip(node.keywords, args[count:], strict=True)]
    name = desugar.temporary(getattr(func, "attr", getattr(func, "id", "value")))
    call = gast.copy_location(gast.Call(func, args[:count], keywords), node)
    call.computed_again = True
    block = gast.With([gast.withitem(library("rt.checkpoint()"), None)], [assign(name, call)], None)
    desugar.statement(mark(desugar.placed(block), of=getattr(func, "attr", getattr(func, "id", "call"))))
    return load(name)


def _bound(desugar: State, func: Any) -> Any:
    """What a name or a path is bound to, no wrapper taken off."""
    if isinstance(func, gast.Name) and func.id not in desugar.local:
        cell = desugar.namespace.cells.get(func.id)
        if cell is None:
            return desugar.namespace.globals.get(func.id, MISSING)
        try:
            return cell.cell_contents
        except ValueError:
            return MISSING
    if not isinstance(func, gast.Attribute):
        return MISSING
    base = desugar.object(func.value)
    known = objects.value_at(desugar, func.value) or objects.outside(desugar, func.value)
    if known is not None:
        base = known.kind
    elif base is not MISSING and not isinstance(base, (types.ModuleType, type)):
        base = type(base)
    found = MISSING if base is MISSING else inspect.getattr_static(base, func.attr, MISSING)
    return found.__func__ if isinstance(found, (staticmethod, classmethod)) else found
