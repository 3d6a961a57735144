"""Displays: expressions that make a container of their operands: tuples, lists, dicts,
and calls of classes that only keep what they get.

Needs an expression, and what names mean. Promises the operands, and for each the part that it becomes:

    {"w": x, "b": y}     x is the part ["w"], y the part ["b"]
    Line(x, start=y)     x is the part .slope, y the part .start
    rt.made_of(Line, slope=x, start=y)
    partial(g, x, w=y)   x is the part .args[-1], y the part .keywords["w"]
"""
from __future__ import annotations

import builtins
import copy
import dataclasses
import functools
import inspect
import types
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Collection, Sequence
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Any

import gast

from ..runtime.containers import is_generated_method, is_named, is_record
from ..syntax.blocks import statements
from ..syntax.building import clone, constant, expr, library, subscript
from ..syntax.nodes import reads, target_names
from .flow import bound_by

if TYPE_CHECKING:
    from .resolve import Scope


def fields(fn: Any, node: gast.Call) -> list[str] | None:
    """The names of the parts that the arguments of a call become; None for a call that does more than to keep them."""
    if any(isinstance(arg, gast.Starred) for arg in node.args) or any(k.arg is None for k in node.keywords):
        return None
    keywords = [k.arg for k in node.keywords]
    if is_made_of(node):
        return keywords
    if fn is dict or fn is types.SimpleNamespace:
        return keywords if not node.args and (keywords or fn is not dict) else None
    if not node.args and not keywords and _is_empty(fn):
        return []
    if fn is defaultdict and len(node.args) == 1 and not keywords:
        return ["default_factory"]
    if fn is functools.partial:
        return [*(f"[{i - len(node.args)}]" for i in range(1, len(node.args))), *keywords] if node.args else None
    names = _fields(fn)
    if names is None or len(node.args) > len(names) or not set(keywords) <= set(names[len(node.args):]):
        return None
    return [*names[:len(node.args)], *keywords]


def _is_empty(cls: Any) -> bool:
    """The class, called without arguments, makes an object that holds nothing."""
    return cls is OrderedDict \
        or type(cls) is type and is_record(cls) and _own(cls, "__init__") is None and _own(cls, "__setattr__") is None


def _own(cls: type, name: str) -> Any:
    """The method that a class has beside that of `object`; None where it has none."""
    found = getattr(cls, name)
    return None if found is getattr(object, name) else found


def _fields(cls: Any) -> list[str] | None:
    if isinstance(cls, type) and is_named(cls):
        named: Any = cls
        return list(named._fields) if keeps_fields(cls) else None
    made = generator(cls) if isinstance(cls, type) else None
    if made is None or hasattr(cls, "__post_init__") or not is_record(cls) or type(cls) is not type:
        return None
    changes = _own(cls, "__setattr__")
    if changes is not None and not is_generated_method(changes) or passed_on(made):
        return None
    return [f.name for f in sorted(dataclasses.fields(made), key=lambda f: bool(f.kw_only)) if f.init]


def keeps_fields(cls: type) -> bool:
    """A class of named tuples, of which an object is made of what it is given, and nothing else runs."""
    made = getattr(cls.__new__, "__globals__", {}).get("__name__", "")
    return str(made).startswith("namedtuple_") and _own(cls, "__init__") is None


def generator(cls: type) -> Any:
    """The dataclass whose generated `__init__` makes objects of a class: this one or one above;
    None where another method does."""
    owner = next(one for one in cls.__mro__ if "__init__" in vars(one))
    return owner if "__dataclass_fields__" in vars(owner) and is_generated_method(vars(owner)["__init__"]) else None


def passed_on(made: Any) -> list[str]:
    """What the generated `__init__` of a dataclass takes and does not keep, but gives to `__post_init__`, in its order:
    `dataclasses.InitVar`."""
    kept = {one.name for one in dataclasses.fields(made)}
    return [name for name in made.__dataclass_fields__
            if name not in kept and name in inspect.signature(made.__init__).parameters]


def all_given(fn: Any, node: gast.Call) -> bool:
    """A call gives all parts of the object that it makes, none of which is left to a default."""
    names = fields(fn, node) or []
    if fn is dict or fn is types.SimpleNamespace or fn is functools.partial or is_made_of(node):
        return True
    made = generator(fn)
    known = fn._fields if hasattr(fn, "_fields") else [f.name for f in dataclasses.fields(made)] if made else []
    return set(known) == set(names)


def items(node: Any) -> list[gast.expr]:
    """The operands of a display."""
    if isinstance(node, gast.Dict):
        return list(node.values)
    if isinstance(node, gast.Call):
        return [*node.args[is_partial(node) or is_made_of(node):], *(k.value for k in node.keywords)]
    return list(node.elts)


def is_made_of(node: gast.Call) -> bool:
    """`rt.made_of(Line, slope=x)`, as desugar writes an object: its class is no part of it."""
    func = node.func
    return isinstance(func, gast.Attribute) and isinstance(func.value, gast.Name) and func.value.id == "%rt" \
        and func.attr == "made_of"


def is_partial(node: gast.Call) -> bool:
    """`functools.partial(g, x)`, as desugar writes it: what it calls is no part of it."""
    func = node.func
    return isinstance(func, gast.Attribute) and isinstance(func.value, gast.Name) and func.value.id == "%functools"


def parts(node: Any, fn: Any, whole: gast.expr) -> list[gast.expr]:
    """The trees of the parts of `whole` that the operands become. fn: the class that is called."""
    if isinstance(node, gast.Dict):
        return [subscript(clone(whole), key) for key in node.keys]
    if isinstance(node, gast.Call):
        names = fields(fn, node) or []
        if fn is functools.partial:     # one of a partial is bound to more: to arguments before these
            return [expr("p.args[i]", p=clone(whole), i=expr(name[1:-1])) if name.startswith("[") else
                    expr("p.keywords[k]", p=clone(whole), k=constant(name)) for name in names]
        if fn is dict:
            return [subscript(clone(whole), constant(name)) for name in names]
        return [library("rt.field(g, n)", g=clone(whole), n=constant(name)) for name in names]
    return [subscript(clone(whole), constant(i)) for i in range(len(node.elts))]


def exchanged_items(node: Any, change: Callable[[gast.expr], gast.expr]) -> Any:
    """The display with other operands."""
    if isinstance(node, gast.Dict):
        return gast.Dict(list(node.keys), [change(value) for value in node.values])
    if isinstance(node, gast.Call):
        first = is_partial(node) or is_made_of(node)
        return gast.Call(node.func, [*node.args[:first], *(change(arg) for arg in node.args[first:])],
                         [gast.keyword(k.arg, change(k.value)) for k in node.keywords])
    return type(node)([change(item) for item in node.elts], gast.Load())


def lists_made(body: Sequence[gast.stmt], parameters: Sequence[str]) -> set[str]:
    """The names that stand for lists, and for nothing else: what they are given is a display, or another of them.

    >>> sorted(lists_made(gast.parse("a = []; a.append(x); b = a; c = [x]; c = np.array(c)").body, ["x"]))
    ['a', 'b']
    """
    return names_made(body, parameters, lambda value, found: isinstance(value, gast.List)
                      or isinstance(value, gast.Name) and value.id in found)


def names_made(body: Sequence[gast.stmt], parameters: Collection[str],
               made: Callable[[Any, set[str]], bool]) -> set[str]:
    """The names that are bound to nothing but values of one sort, which `x += v` leaves them. made: a value is of that
    sort, where some names are."""
    given: dict[str, list[Any]] = {}
    others = {*parameters}
    for stmt in statements(body):
        if isinstance(stmt, gast.Assign):
            for target in stmt.targets:
                if isinstance(target, gast.Name):
                    given.setdefault(target.id, []).append(stmt.value)
                else:
                    others.update(target_names(target))
        elif not isinstance(stmt, gast.AugAssign):
            others |= bound_by(stmt)
    found = asked = given.keys() - others
    readers: dict[str, set[str]] = {}
    while wrong := {name for name in asked if not all(made(value, found) for value in given[name])}:
        found = found - wrong
        if not readers:
            for name in found:
                for read in reads(given[name]):
                    readers.setdefault(read, set()).add(name)
        asked = found & {name for one in wrong for name in readers.get(one, ())}
    return found


def makes_container(node: gast.expr, scope: Scope, own: AbstractSet[str]) -> bool:
    """A container that is made here, of whatever: an object may say itself how `copy.copy` copies it. own: the names of
    such containers."""
    if isinstance(node, (gast.List, gast.Dict, gast.Set, gast.ListComp, gast.DictComp, gast.SetComp)):
        return True
    if not isinstance(node, gast.Call) or scope.effects(node).gives != "new":
        return False
    module = getattr(scope.value(node.func), "__module__", "")
    copied = node.args[0] if module == copy.__name__ and node.args else None
    return module == builtins.__name__ or isinstance(copied, gast.Name) and copied.id in own
