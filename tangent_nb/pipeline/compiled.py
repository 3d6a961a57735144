"""Compiled code: a function cut into an entry, which is Python, and the rest, which `jax.jit` or Numba compiles.

Needs a function, its guards apart, and for `jax.jit` what has to be static. Promises two functions. The entry checks
the arguments at each call, and passes on what the text reads from outside, as it is then: compiled code would keep the
values of its first call.

    def df_dx(x, n):                          def df_dx(x, n):
        x = rt.differentiable(x)  # guard         x = rt.differentiable(x)  # guard
        n = rt.arrays(n)  # guard          →      n = rt.static(n)  # guard
        y = np.zeros(n) * scale                   return rt.compiled(_df_dx_jit, x, n, scale)
        ...
                                              @functools.partial(jax.jit, static_argnames=('n',))
                                              def _df_dx_jit(x, n, scale):
                                                  y = jnp.zeros(n) * scale
                                                  ...
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import gast

from ..backends.jax_static import Found
from ..errors import Refusal, RefusedError
from ..syntax.building import call, definition, library, load, mark, parameter, store, tuple_of
from ..syntax.names import Names
from ..syntax.nodes import dotted, parameter_names, reads, writes
from .dress import check_helpers, drop_check, guard, guard_of
from .request import Beside, Function


def split_for_jit(entry: Function, guards: list[gast.stmt], found: Found, name: str,
                  others: Sequence[Function]) -> list[Function]:
    """The entry under the name of the whole, the function that is compiled, and the others."""
    tree = entry.tree
    parameters = parameter_names(tree)
    passed = [load(n) for n in parameters] + [library("rt.traceable(x)", x=n) if n not in found.static else load(n)
                                              for n in found.outside]
    checks = [_guard("no_numbers", found.numbers), _guard("no_integers", found.integers), _statics(found)]
    body = [*_without(guards, set(found.static)), *[check for check in checks if check is not None],
            mark(gast.Return(call("%rt.compiled", name, *passed)), role="return", origin=None)]
    inner = gast.FunctionDef(name, gast.arguments([], [], None, [], [], None, []), tree.body,
                             [_decorator(found.static)], None, None, [])
    inner.args.args = [parameter(n) for n in [*parameters, *found.outside]]
    compiled = replace(entry, tree=inner, names=Names(entry.names.used), helpers=[], checked_as="",
                       defaults=False, cells={})
    entry.tree = definition(tree.name, tree.args, body)
    return [entry, compiled, *others]


def split_for_numba(entry: Function, guards: list[gast.stmt], outside: Sequence[str], name: str) -> Function:
    """The function that is compiled; the entry is left what calls it. outside: names that it reads from outside."""
    tree = entry.tree
    bound = [one for one in sorted(writes(guards) & reads(tree.body)) if one not in parameter_names(tree)]
    passed = [*parameter_names(tree), *bound, *outside]
    inner = definition(name, gast.arguments([], [], None, [], [], None, []), tree.body)
    inner.args.args = [parameter(one) for one in passed]
    inner_function = replace(entry, tree=inner, names=Names(entry.names.used), helpers=[], checked_as="",
                             defaults=False, cells={}, structures={})
    last = mark(gast.Return(call("%rt.nopython", name, *map(load, passed))), role="return", origin=None)
    entry.tree = definition(tree.name, tree.args, [*guards, last])
    return inner_function


def hoist_checks(functions: Sequence[Function]) -> RefusedError | None:
    """The checks of helpers in all functions become one in the first, or why they cannot: in compiled code they would
    be made once."""
    entry = functions[0]
    ours = set(parameter_names(entry.tree)) | writes(entry.tree.body)
    for function in functions[1:]:
        if not function.helpers:
            continue
        names, space = {name.partition(".")[0] for name, fn in function.helpers
                        if not isinstance(fn, Beside)}, function.captured.namespace
        if space.globals is not entry.captured.namespace.globals \
                or names & (ours | set(space.cells) | set(entry.captured.namespace.cells)):
            return RefusedError(entry.captured.name, [Refusal(
                None, f"{function.captured.name} calls {', '.join(sorted(names))}, and compiled code cannot check "
                "that this is still the same function", "define both in one module, or compile=None")])
        drop_check(function)
        entry.helpers = sorted({**dict(entry.helpers), **dict(function.helpers)}.items())
        function.helpers, function.checked_as = [], ""
    check_helpers(entry)
    return None


def _decorator(static: Sequence[str]) -> gast.expr:
    jit = gast.Attribute(load("%jax"), "jit", gast.Load())
    if not static:
        return jit
    partial = gast.Attribute(load("%functools"), "partial", gast.Load())
    names = tuple_of([gast.Constant(name, None) for name in static])
    return gast.Call(partial, [jit], [gast.keyword("static_argnames", names)])


def _guard(helper: str, names: Sequence[str]) -> gast.stmt | None:
    return guard_of(call(f"%rt.{helper}", *names)) if names else None


def _statics(found: Found) -> gast.stmt | None:
    names = [name for name in found.static if name not in found.outside]
    check = _guard("static", found.static)
    if check is None or not names:
        return check
    return guard(names, "static")


def _without(guards: Sequence[gast.stmt], static: set[str]) -> list[gast.stmt]:
    """The guards; static arguments are not put on the device."""
    kept = []
    for stmt in guards:
        value: Any = getattr(stmt, "value", None)
        if isinstance(stmt, gast.Assign) and dotted(value.func) == "%rt.arrays":
            value.func.attr = "traceable"
            names = [arg.id for arg in value.args if arg.id not in static]
            if not names:
                continue
            value.args = [load(name) for name in names]
            stmt.targets = [store(names[0]) if len(names) == 1 else tuple_of(map(store, names), write=True)]
        kept.append(stmt)
    return kept
