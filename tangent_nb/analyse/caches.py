"""Whether what a cache keeps may be computed again: a derivative has the text of a function in the place of its cache.

Needs texts as they were written. Promises that nobody sees how often such a text runs: it changes, prints and draws
nothing, and reads no clock.

    @functools.cache                          @functools.cache
    def nodes(n):             True            def noise(n):             False: drawn once for each n
        return np.arange(n)                       return rng.normal(size=n)
"""
from __future__ import annotations

import functools
import types
from collections.abc import Callable, Sequence
from typing import Any

import gast

from ..rules import may_only_compute
from ..syntax.nodes import nodes_of, root_name
from ..syntax.program import MISSING, Captured
from .draws import draws
from .effects import is_opaque, is_pure_function
from .libraries import is_library, is_user_class
from .resolve import Scope


def may_run_again(body: Sequence[gast.stmt], scope: Scope, text: Callable[[Any], Captured | None],
                  known: Sequence[str] = ()) -> bool:
    """Statements, and the functions of the user that these call, do nothing but compute. text: the text of a function,
    None where there is none; known: functions that stand in other statements, and are asked for there."""
    waiting, seen = [(body, scope)], set[Any]()
    for one, inside in waiting:                            # grows while it is gone over
        defined = {node.name for node in nodes_of(one, gast.FunctionDef)} | set(known)
        if any(isinstance(node, (gast.Global, gast.Nonlocal))
               or not isinstance(node.ctx, gast.Load) and root_name(node) not in inside.local
               for node in nodes_of(one, gast.Global, gast.Nonlocal, gast.Attribute, gast.Subscript)):
            return False
        for node in nodes_of(one, gast.Call):
            called = called_function(inside.value(node.func))
            if isinstance(called, types.FunctionType) and not is_library(called):
                found = text(called) if called not in seen else None
                if found is None and called not in seen:
                    return False
                waiting += [] if found is None else [(found.tree.body, Scope.of(found))]
                seen.add(called)
            elif not (isinstance(node.func, gast.Name) and node.func.id in defined) and not _computes(node, inside):
                return False
    return True


def tells_apart(tree: gast.FunctionDef, scope: Scope) -> bool:
    """Values are asked for what they are, `a is b` or `id(a)`, and not for what they hold: what a cache gives is
    one object."""
    compared = [[node.left, *node.comparators] for node in nodes_of(tree.body, gast.Compare)
                if any(isinstance(op, (gast.Is, gast.IsNot)) for op in node.ops)]
    return any(scope.value(node.func) is id for node in nodes_of(tree.body, gast.Call)) \
        or any(sum(root_name(one) in scope.local for one in operands) > 1 for operands in compared)


def called_function(value: Any) -> Any:
    """What runs when it is called, behind caches and partials."""
    while isinstance(value, (functools._lru_cache_wrapper, functools.partial, types.MethodType)):
        value = value.__wrapped__ if isinstance(value, functools._lru_cache_wrapper) else \
            value.func if isinstance(value, functools.partial) else value.__func__
    return value


def _computes(node: gast.Call, scope: Scope) -> bool:
    """A call of what is no function of the user, and does nothing but compute."""
    fn, row = scope.value(node.func), scope.effects(node)
    if isinstance(fn, type):
        return not is_user_class(fn)
    if fn is MISSING and isinstance(node.func, gast.Attribute):
        return may_only_compute(node.func.attr) or root_name(node.func) in scope.local and not row.draws
    if draws(fn) or row.draws or row.outside:
        return False
    return is_pure_function(fn) or not is_opaque(node, scope, lambda _: False)
