"""What temporaries are called: after the operation that makes what they hold."""
from __future__ import annotations

import gast

from ..rules import FIELD
from ..syntax.nodes import walk
from .displays import is_made_of
from .resolve import Scope

TEMPORARIES = {"Add": "total", "Sub": "difference", "Mult": "product", "Div": "quotient", "Mod": "remainder",
               "Pow": "power", "MatMult": "product", "FloorDiv": "quotient", "USub": "negative", "UAdd": "value"}


def base_name(node: gast.AST, scope: Scope) -> str:
    """What a temporary for the value of an expression is called."""
    if isinstance(node, (gast.BinOp, gast.UnaryOp)):
        return TEMPORARIES.get(type(node.op).__name__, "value")
    if isinstance(node, gast.Call) and is_made_of(node):
        made = base_name(node.args[0], scope) if not isinstance(node.args[0], gast.Attribute) else node.args[0].attr
        return made[:1].lower() + made[1:]
    if isinstance(node, gast.Call):
        name = node.func.attr if isinstance(node.func, gast.Attribute) else getattr(node.func, "id", "value")
        return "total" if name == "sum" else name if not name.startswith("_") else name.strip("_") or "value"
    if isinstance(node, gast.Subscript) and isinstance(node.slice, gast.Constant) and isinstance(node.slice.value, str):
        return node.slice.value.strip("_")
    if isinstance(node, gast.Attribute) and scope.operation(node).rule is FIELD:
        return str(node.attr).strip("_")
    if isinstance(node, gast.Subscript):
        return "part" if any(isinstance(n, gast.Slice) for n in walk(node.slice)) else "item"
    if isinstance(node, gast.Compare):
        return "condition"
    if isinstance(node, gast.Name):
        return str(node.id)
    if isinstance(node, (gast.Tuple, gast.List)):
        return "items"
    if isinstance(node, gast.Dict):
        return "record"
    return "transposed" if isinstance(node, gast.Attribute) and node.attr == "T" else "value"
