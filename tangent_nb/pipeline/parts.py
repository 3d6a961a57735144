"""Parts of arguments, and variables outside of the function, as what is differentiated.

Needs a captured function and what `wrt` says. Promises the function with a parameter of ours for each such part, put into a copy of what it is a
part of; the derivative reads it when it is called, and has the signature of the function.

    def f(p, x):                     def f(p, x, *, p_w):                     # p_w = rt.part(p, "p['w']") in the derivative
        return p["w"] * W * x    →       p = rt.with_part(p, "p['w']", p_w)
                                         return p["w"] * W * x
"""
from __future__ import annotations

import re
import types
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import gast

from ..analyse.libraries import is_library
from ..analyse.resolve import Scope
from ..capture import capture
from ..desugar import Reader
from ..errors import Refusal, RefusedError, TangentError
from ..rules import lookup
from ..syntax.names import Names
from ..syntax.nodes import (
    assign,
    body_without_docstring,
    clone,
    library,
    mark,
    names_in,
    parameter,
    parameter_names,
    reads,
    rename,
    walk,
    writes,
)
from ..syntax.program import MISSING, Captured
from .normal import callee
from .request import Part

PATH = re.compile(r"(\w+)((?:\.[A-Za-z_]\w*|\[-?\d+\]|\['[^'\]]*'\]|\[\"[^\"\]]*\"\])*)")


def found_part(captured: Captured, place: str, taken: Names) -> Part:
    """What a name, or a path, that is no parameter means; TangentError where it means nothing."""
    match = PATH.fullmatch(place.replace(" ", ""))
    parameters = parameter_names(captured.tree)
    base = match.group(1) if match is not None else place
    outside = sorted(name for name in reads(captured.tree) - writes(captured.tree) if _is_variable(captured.namespace.lookup(name)))
    if match is None or base not in parameters and base not in outside:
        has = f"it has {', '.join(parameters) or 'none'}" + (f", and reads {', '.join(outside)} from outside" if outside else "")
        raise TangentError(f"{captured.name} has no parameter {place!r}: {has}")
    path = base + match.group(2).replace('"', "'")
    if base in outside:
        _check_readers(captured, base)
    plain = re.sub(r"\W+", "_", path).strip("_")
    name = taken.numbered(plain) if path == base else taken.new(plain)
    return Part(name, path, base, base in outside, plain)


def _is_variable(value: Any) -> bool:
    return value is not MISSING and not isinstance(value, (types.ModuleType, type)) and not callable(value)


def _check_readers(captured: Captured, base: str) -> None:
    """Refuse a variable outside that functions read which are called, or may read it: its derivative would be incomplete."""
    todo, seen, reader = [captured], {captured.fn}, Reader(capture)
    while todo:
        one = todo.pop()
        scope = Scope(one.namespace, writes(one.tree))
        if one is not captured and base in reads(one.tree) - writes(one.tree):
            raise _incomplete(captured, f"{one.name} is called, and reads {base} too", base)
        for node in walk(one.tree):
            if not isinstance(node, gast.Call):
                continue
            operation, fn = scope.operation(node), scope.value(node.func)
            if operation.kind in ("rule", "container", "replaced", "each") or lookup(fn) is not None:
                continue
            if isinstance(fn, types.FunctionType) and not is_library(fn):
                called = callee(fn, reader)
                if called is None:
                    raise _incomplete(captured, f"{fn.__name__} is called, whose text is not there", base)
                if fn not in seen:
                    seen.add(fn)
                    todo.append(called)
            elif fn is MISSING and not isinstance(node.func, gast.Attribute):
                raise _incomplete(captured, "something is called that is not known before it runs", base)


def _incomplete(captured: Captured, why: str, base: str) -> RefusedError:
    return RefusedError(captured.name, [Refusal(None, f"the derivative is taken for {base}, which is no parameter: {why}",
                                                f"pass {base} as an argument")])


def with_parts(captured: Captured, parts: Sequence[Part]) -> Captured:
    """The function with a parameter for each part."""
    if not parts:
        return captured
    tree: gast.FunctionDef = clone(captured.tree)
    names = Names(names_in(tree) | {part.name for part in parts})
    local = {part.base: part.name if part.path == part.base else "" for part in parts if part.outside}
    first: list[gast.stmt] = []
    for part in parts:
        if part.path == part.base:
            continue
        whole = part.base
        if part.outside:
            whole = local[part.base] or part.base
            local[part.base] = local[part.base] or names.numbered(part.base)
        value = library("rt.with_part(p, path, v)", p=whole, path=gast.Constant(part.path, None), v=part.name)
        first.append(mark(assign(local.get(part.base, part.base), value), role="forward", origin=None))
    body = body_without_docstring(tree)
    rename(list(body), {base: name for base, name in local.items() if name})
    tree.body = [*first, *body]
    tree.args.kwonlyargs += [parameter(part.name) for part in parts]
    tree.args.kw_defaults += [None] * len(parts)
    return replace(captured, tree=tree)


def part_guard(part: Part, record: bool) -> gast.stmt:
    """What reads a part, and checks that it has a derivative."""
    if part.path != part.base:
        value = library("rt.part(p, path)", p=part.base, path=gast.Constant(part.path, None))
    elif record:
        value = library("rt.record(x, n)", x=part.base, n=gast.Constant(part.base, None))
    else:
        value = library("rt.differentiable(x)", x=part.base)
    return mark(assign(part.name, value), role="guard", note="guard", origin=None)


def without_parts(args: gast.arguments, parts: Sequence[Part]) -> gast.arguments:
    """The parameters without those of ours."""
    ours = {part.name for part in parts}
    kept = [(arg, default) for arg, default in zip(args.kwonlyargs, args.kw_defaults, strict=True) if arg.id not in ours]
    args.kwonlyargs, args.kw_defaults = [arg for arg, _ in kept], [default for _, default in kept]
    return args
