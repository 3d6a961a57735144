"""Objects that the text makes, given to functions that only read them: as objects of what their variables hold now.

Needs a function value that is bound to objects which the text makes. Promises whether what it calls only reads what it
is given; and an object as one operation, so that derivatives flow to the variables of its attributes.

    tnb.grad(net.loss)(x)      →      derivative(rt.made_of(Net, w=net_w), x)
"""
from __future__ import annotations

import types
from typing import Any

import gast

from ..analyse.effects import is_pure_function
from ..errors import RefusedError
from ..rules import lookup_method, may_change, may_draw
from ..runtime.containers import is_record
from ..syntax.building import load
from ..syntax.nodes import attributes_assigned, nodes_in, nodes_of, writes
from . import attributes, derivatives
from .changing import changes_given
from .state import State
from .values import FunctionValue, member_of, object_of


def can_be_given(desugar: State, value: FunctionValue) -> bool:
    """All that a function is bound to is no object of the text, or can be given to the function as an object."""
    held = [one.id for one in value.bound if isinstance(one, gast.Name) and one.id in desugar.objects]
    if not held:
        return True
    kinds: set[Any] = set()
    return all(_is_plain(desugar, name, kinds) for name in held) and _only_reads(desugar, value.fn, kinds, frozenset())


def given(desugar: State, node: Any) -> Any:
    """An argument: an object of the text as an object."""
    value = desugar.objects.get(node.id) if isinstance(node, gast.Name) else None
    if value is None:
        return node
    held = {name: load(variable) if (known := desugar.objects.get(variable)) is None else given(
        desugar, load(known.prefix)) for name, variable in value.attributes.items()}
    return attributes.made_of(desugar.cell(value.kind, value.kind.__name__), held)


def _is_plain(desugar: State, name: str, kinds: set[Any]) -> bool:
    """An object of a class of the user that holds values, and such objects."""
    value = desugar.objects[name]
    if value.path is not None or value.merged or not is_record(value.kind):
        return False
    kinds.add(value.kind)
    for variable in value.attributes.values():
        known = desugar.objects.get(variable)
        if known is not None and not _is_plain(desugar, known.prefix, kinds) \
                or known is None and (variable not in desugar.local or variable in desugar.functions
                                      or variable in desugar.doubtful):
            return False
    return True


def _only_reads(desugar: State, fn: Any, kinds: set[Any], seen: frozenset[Any]) -> bool:
    """The text of a function changes nothing that it is given, nor do the methods of these classes that it calls."""
    if fn in seen:
        return True
    try:
        unit = desugar.texts.unit_as_run(fn)
    except RefusedError:
        return False
    tree, namespace = unit.captured.tree, unit.captured.namespace
    if attributes_assigned(tree.body) or changes_given(desugar, fn) \
            or nodes_of(tree.body, gast.Global, gast.Nonlocal, gast.Yield, gast.YieldFrom, gast.Await, gast.Delete):
        return False
    known = {name: value.fn for name, value in unit.functions.items()}
    local = writes(tree)
    parts: list[Any] = list(nodes_in(tree))
    own = {id(part.func) for part in parts if isinstance(part, gast.Call)}
    for part in parts:
        if isinstance(part, gast.Call) and not isinstance(part.func, gast.Lambda):
            name = getattr(part.func, "id", "")
            called = known.get(name) or object_of(part.func, namespace, local - known.keys())
            if not _calls_reader(desugar, part.func, called, kinds, seen | {fn}, name in _defined(tree)):
                return False
        elif isinstance(part, gast.Attribute) and id(part) not in own:
            found = [one[1] for kind in kinds if (one := member_of(kind, part.attr)) is not None]
            if not all(_only_reads(desugar, one, kinds, seen | {fn}) for one in found):
                return False                               # a property, or a method that is called later
    return True


def _defined(tree: Any) -> set[str]:
    """The names of functions that a text defines: what is in them is a part of it."""
    return {node.name for node in nodes_of(tree.body, gast.FunctionDef)}


def _calls_reader(desugar: State, func: Any, called: Any, kinds: set[Any], seen: frozenset[Any], inside: bool) -> bool:
    makes = derivatives.is_operator(called)
    if inside or makes or is_pure_function(called):
        return True
    if isinstance(func, gast.Call):                        # of a derivative of what is asked for itself
        return True
    if isinstance(called, types.FunctionType):
        return _only_reads(desugar, called, kinds, seen)
    if not isinstance(func, gast.Attribute):
        return False
    found = [one[1] for kind in kinds if (one := member_of(kind, func.attr)) is not None]
    return all(_only_reads(desugar, one, kinds, seen) for one in found) if found \
        else lookup_method(func.attr) is not None and not may_change(func.attr) and not may_draw(func.attr)
