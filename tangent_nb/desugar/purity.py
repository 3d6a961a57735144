"""Whether evaluating something does nothing but compute, as far as its text says: then it may be done earlier than
Python does it."""
from __future__ import annotations

import types
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Any

import gast

from ..analyse.effects import is_pure_function
from ..analyse.fence.trees import carrying, expressions, targets
from ..analyse.libraries import is_library, is_ours
from ..errors import RefusedError
from ..rules import may_change, may_draw
from ..syntax.building import load
from ..syntax.nodes import (
    attributes_assigned,
    nodes_in,
    nodes_of,
    parameter_names,
    reads,
    root_name,
    target_names,
    walk,
    writes,
)
from . import functions
from .scopes import COMPREHENSIONS, changed_name, free
from .state import State
from .values import object_of

MORE = "the items are computed one by one, when it is their turn, and computing one may also change or print something"


def computes(desugar: State, node: Any, seen: tuple[Any, ...]) -> bool:
    """Evaluating an expression, or calling the function that it is, does nothing but compute."""
    if isinstance(node, gast.Lambda):
        return computes(desugar, node.body, seen)
    called = [part.func for part in nodes_in(node) if isinstance(part, gast.Call)]
    if not called and functions.is_value(desugar, node):
        called = [node]
    return not any(isinstance(part, (gast.NamedExpr, gast.Await)) for part in nodes_in(node)) \
        and all(_is_pure(desugar, one, seen) for one in called)


def known_to_compute(desugar: State, node: Any) -> bool:
    """Evaluating an expression calls nothing but functions that have rows, or that are known to change nothing."""
    return all(is_pure_function(desugar.object(part.func)) for part in nodes_in(node) if isinstance(part, gast.Call))


def reads_given(desugar: State, node: Any) -> bool:
    """A function reads nothing but what it is given: functions with rows, and modules."""
    if not isinstance(node, gast.Lambda):
        return is_pure_function(desugar.object(node))
    known = [desugar.object(load(name)) for name in free(node)]
    return computes(desugar, node, ()) \
        and all(isinstance(one, types.ModuleType) or is_pure_function(one) for one in known)


def acts(desugar: State, node: gast.Call, given: AbstractSet[str]) -> bool:
    """A call of a function of the user that may do more than compute, with some of the names that are given."""
    args = [*node.args, *(k.value for k in node.keywords)]
    return _is_of_user(desugar, node) and not computes(desugar, node, ()) and not reads(args).isdisjoint(given)


def _is_of_user(desugar: State, node: gast.Call) -> bool:
    fn = desugar.object(node.func)
    return isinstance(fn, types.FunctionType) and not (is_library(fn) or is_ours(fn))


def mark_uncarried(desugar: State, stmt: Any) -> None:
    """Mark the calls in a statement through whose result no derivative flows: `n = len(g(x))`, `if g(x) > 0`."""
    every = [*expressions(stmt), *(part.slice for target in targets(stmt) for part in nodes_of(target, gast.Subscript))]
    calls = [node for one in every for node in nodes_of(one, gast.Call) if _is_of_user(desugar, node)]
    if not calls:
        return
    value = getattr(stmt, "iter" if isinstance(stmt, gast.For) else "value", None)
    carried = {id(node) for node in carrying(value, desugar.scope)} if value is not None else set()
    inner = {id(part) for one in every for node in nodes_of(one, gast.Lambda, *COMPREHENSIONS) for part in walk(node)}
    for node in calls:
        if id(node) not in carried and id(node) not in inner:
            node.uncarried = True


def may_be_set(desugar: State, node: Any, body: Sequence[gast.stmt]) -> bool:
    """Statements may assign the attribute that an expression reads, of an object outside; what is called there too."""
    if not isinstance(node, gast.Attribute) or functions.is_value(desugar, node) \
            or isinstance(desugar.object(node), types.ModuleType):                # no call puts another module there
        return False
    return node.attr in attributes_assigned(list(body)) or not all(known_to_compute(desugar, stmt) for stmt in body)


def in_turn(desugar: State, order: Sequence[Any], later: Sequence[Any]) -> dict[int, Any]:
    """Evaluated expressions that will be computed in another order, `later`, than Python does, `order`: those that may
    do more than compute, or raise, under names, by their ids."""
    acting = [one for one in order if not (isinstance(one, gast.Starred) or is_function(desugar, one))
              and (may_raise(desugar, one) or not computes(desugar, one, ()))]
    moved = [one for one in later if any(one is other for other in acting)]
    same = all(one is other for one, other in zip(acting, moved, strict=False))
    return {} if same else {id(one): load(desugar.kept(one, "argument")) for one in acting}


def is_function(desugar: State, node: Any) -> bool:
    """An expression is a function, which computes nothing itself."""
    return isinstance(node, gast.Lambda) or functions.is_value(desugar, node)


def may_raise(desugar: State, node: Any) -> bool:
    """Evaluating an expression might raise, for some numbers."""
    for part in nodes_in(node):
        if isinstance(part, gast.BinOp) and isinstance(part.op, (gast.Div, gast.Mod, gast.FloorDiv, gast.Pow)) \
                and not (isinstance(part.right, gast.Constant) and part.right.value):
            return True
        if isinstance(part, gast.Subscript):
            return True
        if isinstance(part, gast.Call) or functions.is_value(desugar, part):
            func = part.func if isinstance(part, gast.Call) else part
            fn = desugar.object(func)
            module = str(getattr(fn, "__module__", "") or "").split(".")[0]
            array = module == "numpy" or type(fn).__module__ == "numpy"
            if not isinstance(func, gast.Lambda) and not array and fn not in (abs, len, max, min, sum):
                return True
    return False


def _is_pure(desugar: State, func: Any, seen: tuple[Any, ...]) -> bool:
    fn: Any = desugar.functions[func.id].fn if isinstance(func, gast.Name) and func.id in desugar.functions \
        else desugar.object(func)
    if isinstance(func, gast.Lambda):
        return computes(desugar, func, seen)
    if is_pure_function(fn) or fn in seen:
        return True
    if isinstance(func, gast.Attribute) and not isinstance(fn, types.FunctionType):
        return not (may_change(func.attr) or may_draw(func.attr)) and not isinstance(fn, types.BuiltinFunctionType)
    return _only_computes(desugar, fn, seen)


def _only_computes(desugar: State, fn: Any, seen: tuple[Any, ...]) -> bool:
    """The same of a function, from its text, and from those of the functions that it calls."""
    if not isinstance(fn, types.FunctionType) or len(seen) > 5:
        return isinstance(fn, type)
    try:
        unit = desugar.texts.unit_as_run(fn)
    except RefusedError:
        return False
    inside = [part for stmt in unit.captured.tree.body for part in nodes_in(stmt)]
    if attributes_assigned(unit.captured.tree.body) \
            or any(isinstance(part, (gast.Global, gast.Nonlocal, gast.Yield)) for part in inside):
        return False
    known = {name: value.fn for name, value in unit.functions.items()}
    local = writes(unit.captured.tree) - known.keys()
    own = local - set(parameter_names(unit.captured.tree))
    if any(isinstance(part, gast.Subscript) and not isinstance(part.ctx, gast.Load) and root_name(part) not in own
           for part in inside):
        return False
    for part in inside:
        if isinstance(part, gast.Call):
            other = known[part.func.id] if isinstance(part.func, gast.Name) and part.func.id in known else \
                object_of(part.func, unit.captured.namespace, local)
            if not (is_pure_function(other) or other in (*seen, fn) or isinstance(part.func, gast.Attribute)
                    and not (may_change(part.func.attr) or may_draw(part.func.attr))
                    or isinstance(other, types.FunctionType) and _only_computes(desugar, other, (*seen, fn))):
                return False
    return True


def _pairs(target: Any, value: Any) -> list[tuple[Any, Any]]:
    """What each target gets, of `l, s = [x], 0.0` one by one."""
    if isinstance(target, (gast.Tuple, gast.List)) and isinstance(value, (gast.Tuple, gast.List)) \
            and len(target.elts) == len(value.elts):
        return list(zip(target.elts, value.elts, strict=True))
    return [(target, value)]


def numbers_counted(tree: gast.FunctionDef) -> set[str]:
    """The variables that `+=` alone changes, and that begin with what is computed: nothing else is that object."""
    kept = {changed_name(node) for node in nodes_in(tree)} | set(parameter_names(tree))
    for node in nodes_in(tree):
        if isinstance(node, gast.Assign):
            kept |= {name for target in node.targets for one, value in _pairs(target, node.value)
                     if not isinstance(value, (gast.Constant, gast.BinOp, gast.UnaryOp)) for name in target_names(one)}
        elif isinstance(node, (gast.For, gast.comprehension)):
            kept |= set(target_names(node.target))
    return {node.target.id for node in nodes_in(tree)
            if isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Name)} - kept
