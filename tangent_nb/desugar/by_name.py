"""Attributes by names that are computed, where the text says what they are.

Needs a call of `getattr`, `setattr` or `hasattr`, or a loop whose body has such calls of an object that is made here.
Promises the attribute itself; the items that such a loop goes over, where they are written down.

    for name in ("mu", "sigma"):
        setattr(self, name, x)        →        self.mu = x; self.sigma = x
    getattr(self, f"w{gate}")         →        self.wz                               where gate is "z"
    getattr(x, "shape", ())           →        x.shape if hasattr(x, "shape") else ()       of what carries a derivative
"""
from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Sequence
from typing import Any

import gast

from ..analyse.activity import dict_view
from ..syntax.building import clone, constant, library, tuple_of
from ..syntax.nodes import names_in, nodes_in, root_name
from ..syntax.program import MISSING
from . import held, objects
from .held import Shown
from .objects import EscapeError, escaped
from .sequences import known_items, steady
from .state import State
from .values import ObjectValue

MOST = 24              # items of what is written down that a loop with names goes over


def text(desugar: State, node: Any) -> str | None:
    """The text that an expression is, for certain."""
    if isinstance(node, gast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, gast.JoinedStr):
        parts = [_shown(one) for one in node.values]
        return None if None in parts else "".join(filter(None, parts))
    if isinstance(node, gast.BinOp) and isinstance(node.op, gast.Add):
        left, right = text(desugar, node.left), text(desugar, node.right)
        return None if left is None or right is None else left + right
    value = desugar.object(node) if isinstance(node, gast.Attribute) else MISSING
    if not isinstance(value, str):
        return None
    if root_name(node) not in desugar.cells or not isinstance(desugar.object(node.value), dataclasses.Field):
        desugar.assume(node, value)
    return value


def _shown(part: Any) -> str | None:
    """A part of an f-string."""
    if isinstance(part, gast.Constant):
        return str(part.value)
    plain = isinstance(part, gast.FormattedValue) and part.conversion == -1 and part.format_spec is None
    return str(part.value.value) if plain and isinstance(part.value, gast.Constant) \
        and isinstance(part.value.value, str | int) else None


def attribute(desugar: State, node: gast.Call) -> Any:
    """`getattr(p, "x")` is `p.x`; of an object that is made here it is known whether it has an x."""
    fn = desugar.object(node.func)
    if not (fn is getattr or fn is hasattr) or node.keywords or len(node.args) not in (2, 3) \
            or (name := text(desugar, node.args[1])) is None or not name.isidentifier():
        return None
    if fn is hasattr or len(node.args) == 3:
        base = node.args[0] = desugar.expr(node.args[0])
        value = objects.value_of(desugar, base)
        if value is None or value.path is not None or objects.stands_in(value.kind):
            return None if fn is hasattr else _if_there(desugar, name, *node.args)
        there = _has(desugar, value, name)
        if fn is hasattr or not there:
            return None if there is None else constant(there) if fn is hasattr else desugar.expr(node.args[2])
    return desugar.expr(gast.copy_location(gast.Attribute(node.args[0], name, gast.Load()), node))


def _if_there(desugar: State, name: str, base: Any, _: Any, default: Any) -> Any:
    """`getattr(x, "n", d)` of a variable that may carry a derivative."""
    if not isinstance(base, gast.Name) or not desugar.carries(base) or any(
            isinstance(node, (gast.Call, gast.NamedExpr)) for node in gast.walk(default)):
        return None
    there = library("hasattr(x, n)", x=clone(base), n=constant(name))
    return desugar.expr(gast.IfExp(there, gast.Attribute(base, name, gast.Load()), default))


def _has(desugar: State, value: ObjectValue, name: str) -> bool | None:
    """Whether an object that is made here has an attribute now, where that is known."""
    if name in value.attributes:
        return True
    if hasattr(value.kind, name) or value.born is not desugar.out or desugar.nested():
        return None
    return False


def stores(desugar: State, node: Any) -> list[gast.stmt] | None:
    """`setattr(p, "x", v)` as `p.x = v`, and `p.__dict__.update(x=v)`; None for other expressions."""
    fn = desugar.object(node.func) if isinstance(node, gast.Call) else MISSING
    if fn is setattr and len(node.args) == 3 and not node.keywords:
        name = text(desugar, node.args[1])
        return None if name is None or not name.isidentifier() else [_store(node.args[0], name, node.args[2], node)]
    if fn is MISSING and isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute) \
            and node.func.attr == "update" and len(node.args) <= 1 and all(k.arg for k in node.keywords):
        return _updated(desugar, node)
    return None


def _store(base: Any, name: str, value: Any, like: Any) -> gast.stmt:
    return gast.copy_location(gast.Assign([gast.Attribute(base, name, gast.Store())], value, None), like)


def _updated(desugar: State, node: Any) -> list[gast.stmt] | None:
    """`p.__dict__.update(d, x=v)` of an object that is made here, where the class keeps what it is given."""
    shown = node.func.value
    base = shown.value if isinstance(shown, gast.Attribute) and shown.attr == "__dict__" else \
        shown.args[0] if isinstance(shown, gast.Call) and desugar.object(shown.func) is vars and len(shown.args) == 1 \
        else None
    value = objects.value_at(desugar, base)
    if value is None or value.path is not None or objects.frozen(value.kind):
        return None
    given = [(k.arg, k.value) for k in node.keywords]
    for arg in node.args:
        if isinstance(arg, gast.Name) and arg.id in desugar.local and arg.id not in desugar.objects:
            _by_text(desugar, arg)
        known = arg if isinstance(arg, gast.Dict) else held.spelled(desugar, arg)
        if not isinstance(known, gast.Dict) or not all(isinstance(key, gast.Constant) for key in known.keys):
            return None
        given = [*((key.value, one) for key, one in zip(known.keys, known.values, strict=True)), *given]
    kept = all(type(name) is str and not hasattr(inspect.getattr_static(value.kind, name, None), "__set__")
               for name, _ in given)
    return [_store(base, name, one, node) for name, one in given] if kept else None


# ---------------------------------------------------------------------- loops
def asks(desugar: State, body: Sequence[Any], target: Any) -> bool:
    """Names of attributes are made of what a loop goes over, of an object that is made here."""
    names = names_in(target)
    return any(isinstance(node, gast.Call) and _asks(desugar.object(node.func))
               and len(node.args) > 1 and names & names_in(node.args[1]) and _is_made(desugar, node.args[0])
               for one in body for node in nodes_in(one))


def maps(desugar: State, node: Any) -> bool:
    """A comprehension of a dict names attributes by what it goes over."""
    return isinstance(node, gast.DictComp) and asks(desugar, [node.key, node.value], node.generators[0].target)


def _asks(fn: Any) -> bool:
    return fn is getattr or fn is setattr or fn is hasattr


def _is_made(desugar: State, node: Any) -> bool:
    value = objects.value_at(desugar, node)
    return value is not None and value.path is None


def displayed(desugar: State, node: Any) -> list[Any] | None:
    """The items of what is written down, evaluated: displays, texts, the fields of a dataclass, `zip` of such, the
    items of a dict."""
    items = _items(desugar, node)
    return None if items is None or len(items) > MOST else items


def _items(desugar: State, node: Any) -> list[Any] | None:
    fn = desugar.object(node.func) if isinstance(node, gast.Call) else MISSING
    base = node.func.value if dict_view(node) else node
    if isinstance(base, gast.Name) and base.id in desugar.local and base.id not in desugar.objects:
        _by_text(desugar, base)
        return None
    if isinstance(node, gast.Constant) and isinstance(node.value, str):
        return [constant(one) for one in node.value]
    if fn is dataclasses.fields and len(node.args) == 1:
        return _fields(desugar, objects.value_of(desugar, node.args[0]))
    if (fn is zip or fn is reversed) and not node.keywords:
        found = [_items(desugar, one) for one in node.args]
        lists = [one for one in found if one is not None]
        if len(lists) < len(found) or not lists:
            return None
        return lists[0][::-1] if fn is reversed else [tuple_of(list(row)) for row in zip(*lists, strict=False)]
    if fn is enumerate and len(node.args) == 1 and not node.keywords:
        inner = _items(desugar, node.args[0])
        return None if inner is None else [tuple_of([constant(i), one]) for i, one in enumerate(inner)]
    known = known_items(desugar, node)
    if known is not None:
        return [_row(desugar, one) for one in known]
    outside = desugar.object(node) if isinstance(node, (gast.Name, gast.Attribute)) else MISSING
    if isinstance(outside, tuple) and all(isinstance(one, str | int | float) for one in outside):
        desugar.assume(node, outside)
        return [constant(one) for one in outside]
    return None


def _by_text(desugar: State, node: gast.Name) -> None:
    """The text is to be written again with variables for what a name holds, if that is written down."""
    if Shown not in desugar.whole:
        raise EscapeError(escaped(desugar, node, ObjectValue(dict, "")), ObjectValue(Shown, ""))


def _fields(desugar: State, value: ObjectValue | None) -> list[Any] | None:
    """The fields of a dataclass, as they are of its class."""
    if value is None or value.path is not None or not dataclasses.is_dataclass(value.kind):
        return None
    return [desugar.cell(one, one.name) for one in dataclasses.fields(value.kind)]


def _row(desugar: State, node: Any) -> Any:
    """An item as it is now; of a tuple that is written down each of its items."""
    if isinstance(node, gast.Tuple) and not any(isinstance(one, gast.Starred) for one in node.elts):
        return tuple_of([_row(desugar, one) for one in node.elts])
    return steady(desugar, node)
