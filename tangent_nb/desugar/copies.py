"""Copies of objects, and what shows their attributes as a dict or a tuple.

Needs a call of `copy.copy`, `copy.deepcopy`, `dataclasses.asdict`, `dataclasses.astuple` or `vars`, of an object that
is made here. Promises another object of its class, with variables of its own, or a display of its attributes. What a
deep copy copies is copied by one call: arrays that were one stay one.

    q = copy.copy(p)                    q_x = p_x
                               →        q_y = p_y
    asdict(p)                           {"x": copy.deepcopy(p_x), "y": copy.deepcopy(p_y)}
"""
from __future__ import annotations

import copy
import dataclasses
import re
from collections.abc import Callable
from typing import Any

import gast

from ..analyse.activity import dict_view
from ..runtime.containers import is_named
from ..syntax.building import assign, constant, load, store, tuple_of
from . import attributes, comprehensions, objects
from .objects import escaped, fields_of
from .state import State
from .values import Default, ObjectValue

HOOK = re.compile("__((deep)?copy|reduce(_ex)?|[gs]etstate|getnewargs(_ex)?)__")             # how a class is copied


def made(desugar: State, node: gast.Call, value: ObjectValue) -> Any:
    """What a call gives whose only argument is an object that is made here; None for other calls."""
    fn = desugar.object(node.func)
    if fn is copy.copy or fn is copy.deepcopy:
        if value.kind is not list and _says_how(value.kind):
            return None
        if fn is copy.copy:
            return _anew(desugar, value, lambda name: objects.held(desugar, name))
        leaves = _copied(desugar, value)
        return _deep(desugar, value, leaves, {})
    if (fn is dataclasses.asdict or fn is dataclasses.astuple) and dataclasses.is_dataclass(value.kind):
        leaves = _copied(desugar, value)
        return desugar.expr(desugar.placed(gast.copy_location(_shown(desugar, value, leaves, fn), node)))
    return None


def _says_how(kind: type) -> bool:
    """A class has a say in how its objects are copied."""
    return any(HOOK.fullmatch(name) for one in kind.__mro__[:-1] if one is not tuple and not is_named(one)
               for name in vars(one))


def _anew(desugar: State, value: ObjectValue, held: Callable[[str], Any]) -> Any:
    """Another object of the same class, with these attributes."""
    return attributes.built(desugar, value.kind, {name: held(one) for name, one in value.attributes.items()},
                            value.base, value.place)


def _leaves(desugar: State, value: ObjectValue, seen: dict[str, None]) -> dict[str, None]:
    """The variables under an object that hold no object."""
    for variable in value.attributes.values():
        known = desugar.objects.get(variable)
        if known is not None:
            _leaves(desugar, known, seen)
        elif variable not in desugar.functions:
            seen[variable] = None
    return seen


def _copied(desugar: State, value: ObjectValue) -> dict[str, str]:
    """Deep copies of what an object holds, by the variables that hold it."""
    found = list(_leaves(desugar, value, {}))
    new = {variable: desugar.temporary(variable) for variable in found}
    if found:
        deep = gast.Attribute(desugar.cell(copy, "copy"), "deepcopy", gast.Load())
        given = load(found[0]) if len(found) == 1 else tuple_of(list(map(load, found)))
        copied = gast.Call(deep, [given], [])
        desugar.emit(assign(new[found[0]], copied) if len(found) == 1 else
                     gast.Assign([tuple_of(list(map(store, new.values())), write=True)], copied, None))
    return new


def _deep(desugar: State, value: ObjectValue, leaves: dict[str, str], done: dict[str, Any]) -> Any:
    """A deep copy of an object: what is one object in it is one in the copy."""
    if value.prefix not in done:
        def held(variable: str) -> Any:
            known = desugar.objects.get(variable)
            return load(leaves.get(variable, variable)) if known is None else _deep(desugar, known, leaves, done)

        done[value.prefix] = _anew(desugar, value, held)
    return done[value.prefix]


def _shown(desugar: State, value: ObjectValue, leaves: dict[str, str], fn: Any) -> Any:
    """What `asdict` and `astuple` make of an object: of dataclasses in it, too."""
    def held(name: str) -> Any:
        variable = value.attributes.get(name)
        if variable is None:
            raise escaped(desugar, desugar.place, value)
        known = desugar.objects.get(variable)
        return load(leaves.get(variable, variable)) if known is None else _shown(desugar, known, leaves, fn)

    if dataclasses.is_dataclass(value.kind):
        names = [one.name for one in dataclasses.fields(value.kind)]
        items = list(map(held, names))
        return gast.Dict(list(map(constant, names)), items) if fn is dataclasses.asdict else tuple_of(items)
    if value.kind is list or value.kind is tuple:
        items = [held(name) for name in value.attributes]
        return gast.List(items, gast.Load()) if value.kind is list else tuple_of(items)
    if is_named(value.kind):
        return attributes.built(desugar, value.kind, {name: held(name) for name in fields_of(value.kind)})
    return _deep(desugar, value, leaves, {})


def members(desugar: State, node: Any) -> list[Any] | None:
    """The attributes of an object that is made here, with their names, as `vars(obj)` and `obj.__dict__` show them."""
    if isinstance(node, gast.Call) and desugar.object(node.func) is vars and len(node.args) == 1 and not node.keywords:
        value = objects.value_at(desugar, node.args[0])
    else:
        value = objects.value_at(desugar, node.value) \
            if isinstance(node, gast.Attribute) and node.attr == "__dict__" else None
    if value is None or value.path is not None or issubclass(value.kind, list | tuple | dict) \
            or any(isinstance(one, Default) and one.kind is value.kind for one in desugar.whole) \
            or any("__slots__" in vars(kind) for kind in value.kind.__mro__[:-1]):
        return None
    return [tuple_of([constant(name), objects.held(desugar, one)]) for name, one in value.attributes.items()]


def taken(desugar: State, node: Any) -> None:
    """Write what shows the attributes of an object as a display, where an expression takes that apart at once:
    `{**vars(obj)}`, `f(**vars(obj))`, `len(vars(obj))`, `vars(obj)["x"]`. Under a name it would follow the object."""
    if isinstance(node, gast.Dict):
        node.values = [value if key is not None else _display(desugar, value)
                       for key, value in zip(node.keys, node.values, strict=True)]
    elif isinstance(node, gast.Subscript) and isinstance(node.ctx, gast.Load):
        node.value = _display(desugar, node.value)
    elif isinstance(node, gast.Compare) and isinstance(node.ops[-1], (gast.In, gast.NotIn)):
        node.comparators[-1] = _display(desugar, node.comparators[-1])
    elif isinstance(node, gast.Call):
        for keyword in node.keywords:
            keyword.value = keyword.value if keyword.arg is not None else _display(desugar, keyword.value)
        fn = desugar.object(node.func) if node.args else None
        if fn is len or fn is dict or comprehensions.takes_all(fn):
            node.args = [_display(desugar, arg) for arg in node.args]


def _display(desugar: State, node: Any) -> Any:
    seen = members(desugar, node) if isinstance(node, (gast.Call, gast.Attribute)) else None
    return node if seen is None else gast.copy_location(
        gast.Dict([pair.elts[0] for pair in seen], [pair.elts[1] for pair in seen]), node)


def views(desugar: State, node: Any) -> list[Any] | None:
    """The items of `vars(obj).items()`, `obj.__dict__.values()` and such."""
    what = dict_view(node)
    pairs = members(desugar, node.func.value if what else node)
    if pairs is None:
        return None
    return pairs if what == "items" else [pair.elts[1 if what == "values" else 0] for pair in pairs]
