"""Whether evaluating something does nothing but compute, as far as its text says: then it may be done earlier than
Python does it."""
from __future__ import annotations

import types
from collections.abc import Callable, Sequence
from typing import Any

import gast

from ..analyse.effects import is_pure_function
from ..errors import RefusedError
from ..rules import may_change, may_draw
from ..syntax.building import load
from ..syntax.nodes import is_atom, nodes_in, writes
from . import functions
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


def eager_first(desugar: State, args: Sequence[Any], made: Callable[[Any], Any]) -> list[Any]:
    """Arguments of what goes over some of them: where their items do more than compute, the others, which are evaluated
    before, under names. made: the generator expression that an argument is, or None."""
    late = [made(one) for one in args]
    if all(one is None or computes(desugar, one.elt, ()) for one in late):
        return list(args)
    stays = [goes is not None or _is_function(desugar, one) or computes(desugar, one, ())
             for one, goes in zip(args, late, strict=True)]
    return [one if stay else load(desugar.kept(desugar.expr(one), "argument"))
            for one, stay in zip(args, stays, strict=True)]


def refuse_interleaved(desugar: State, args: Sequence[Any], made: Callable[[Any], Any]) -> None:
    """Refuse that lists are made one after the other of what is gone over side by side, where it does more than
    compute."""
    late = [one for one in map(made, args) if one is not None and not computes(desugar, one.elt, ())]
    if late and len(args) > 1:
        raise desugar.refused(late[0], MORE, "a list, if all items may be computed first: [...]")


def in_turn(desugar: State, order: Sequence[Any], later: Sequence[Any]) -> dict[int, Any]:
    """Evaluated expressions that will be computed in another order, `later`, than Python does: those that may do more
    than compute, or in a `try` raise, under names, by their ids."""
    acting = [one for one in order if not is_atom(one) and not isinstance(one, gast.Starred)]
    moved = [one for one in later if any(one is other for other in acting)]
    if all(one is other for one, other in zip(acting, moved, strict=False)) \
            or not desugar.attempts and all(computes(desugar, one, ()) for one in acting):
        return {}
    return {id(one): load(desugar.kept(one, "argument")) for one in acting
            if not _is_function(desugar, one)}


def _is_function(desugar: State, node: Any) -> bool:
    return isinstance(node, gast.Lambda) or functions.is_value(desugar, node)


def _is_pure(desugar: State, func: Any, seen: tuple[Any, ...]) -> bool:
    fn: Any = desugar.functions[func.id].fn if isinstance(func, gast.Name) and func.id in desugar.functions \
        else desugar.object(func)
    if isinstance(func, gast.Lambda):
        return computes(desugar, func, seen)
    if is_pure_function(fn) or fn in seen:
        return True
    if isinstance(func, gast.Attribute) and not isinstance(fn, types.FunctionType):
        return not (may_change(func.attr) or may_draw(func.attr)) and not isinstance(fn, types.BuiltinFunctionType)
    if not isinstance(fn, types.FunctionType) or len(seen) > 5:
        return isinstance(fn, type)
    try:
        unit = desugar.texts.unit_as_run(fn)
    except RefusedError:
        return False
    inside = [part for stmt in unit.captured.tree.body for part in nodes_in(stmt)]
    if any(isinstance(part, (gast.Global, gast.Nonlocal, gast.Yield)) for part in inside):
        return False
    known = {name: value.fn for name, value in unit.functions.items()}
    local = writes(unit.captured.tree) - known.keys()
    for part in inside:
        if isinstance(part, gast.Call):
            other = known[part.func.id] if isinstance(part.func, gast.Name) and part.func.id in known else \
                object_of(part.func, unit.captured.namespace, local)
            if not (is_pure_function(other) or other in (*seen, fn) or isinstance(part.func, gast.Attribute)
                    and not (may_change(part.func.attr) or may_draw(part.func.attr))):
                return False
    return True
