"""Objects as texts: what `print`, `str`, `repr`, `format` and f-strings make of those that a function makes.

Needs a call, or an f-string. Promises the same of what the methods of their classes return.

    f"{angle:.2f}"          →      f"{angle.__format__('.2f')}"              as the body of the method says it
    print(state)            →      print(state.__str__())
"""
from __future__ import annotations

import builtins
from typing import Any

import gast

from ..syntax.building import clone, constant
from . import objects
from .state import State
from .values import ObjectValue, member_of


def written(desugar: State, node: Any) -> None:
    """Write the objects that a text is made of as the calls that Python makes then."""
    if isinstance(node, gast.JoinedStr):
        for part in node.values:
            value = _made(desugar, part.value) if isinstance(part, gast.FormattedValue) else None
            if value is not None:
                _formatted(value, part)
    elif isinstance(node, gast.Call) and node.args and not isinstance(node.args[0], gast.Starred):
        fn = desugar.object(node.func)
        if fn is print or fn is str and len(node.args) == 1:
            node.args = [_text(desugar, arg, "__str__") for arg in node.args]
        elif fn is repr and len(node.args) == 1:
            made = _text(desugar, node.args[0], "__repr__")
            if made is not node.args[0]:
                node.args, node.func = [made], gast.copy_location(desugar.cell(builtins.str, "str"), node.func)
        elif fn is format and len(node.args) <= 2 and (value := _made(desugar, node.args[0])) is not None \
                and _has(value, "__format__"):
            spec = node.args[1] if len(node.args) == 2 else constant("")
            node.args = [_call(node.args[0], "__format__", [spec])]


def _made(desugar: State, node: Any) -> ObjectValue | None:
    value = objects.value_at(desugar, node)
    return None if value is None or value.path is not None or issubclass(value.kind, list | tuple | dict) else value


def _has(value: ObjectValue, name: str) -> bool:
    """A class has a text for a method."""
    found = member_of(value.kind, name)
    return found is not None and found[0] == "method" and not getattr(found[1], "__wrapped__", None)


def _call(base: Any, name: str, args: list[Any]) -> Any:
    return gast.copy_location(gast.Call(gast.Attribute(clone(base), name, gast.Load()), args, []), base)


def _text(desugar: State, node: Any, name: str) -> Any:
    """What `str` or `repr` gives of an object; another operand stays."""
    value = None if isinstance(node, gast.Starred) else _made(desugar, node)
    if value is None:
        return node
    name = "__repr__" if name == "__str__" and not _has(value, name) else name
    return _call(node, name, []) if _has(value, name) else node


def _formatted(value: ObjectValue, part: Any) -> None:
    """`{obj!r}` and `{obj:spec}` as the method that is called for it."""
    own = "__format__" if _has(value, "__format__") and part.conversion == -1 else ""
    name = own or ("__repr__" if part.conversion == ord("r") or not _has(value, "__str__") else "__str__")
    if not _has(value, name) or part.conversion not in (-1, ord("r"), ord("s")):
        return
    if own:
        part.value = _call(part.value, own, [constant("") if part.format_spec is None else part.format_spec])
        part.format_spec = None
    elif part.format_spec is None or part.conversion != -1:                    # `object.__format__` takes no spec
        part.value = _call(part.value, name, [])
        part.conversion = -1
