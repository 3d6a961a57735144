"""Parts of arguments, and variables outside of the function, as what is differentiated.

Needs a captured function and what `wrt` says. Promises the function with a parameter of ours for each such part, put
into a copy of what it is a part of; the derivative reads it when it is called, and has the signature of the function.

    def f(p, x):                     def f(p, x, *, p_w):        # p_w = rt.part(p, "p['w']") in the derivative
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

from .. import runtime
from ..analyse.libraries import is_library
from ..analyse.resolve import Scope
from ..capture import capture
from ..capture.tree import span_of
from ..desugar import Reader
from ..desugar.scopes import free, renamed
from ..errors import Refusal, RefusedError, TangentError
from ..rules import lookup
from ..syntax.building import assign, clone, library, mark, parameter
from ..syntax.names import Names
from ..syntax.nodes import body_without_docstring, names_in, nodes_of, parameter_names, unparse, walk
from ..syntax.program import MISSING, Captured
from .readers import Lifting, may_read, why_not_lifted
from .request import Part

PATH = re.compile(r"(\w+)((?:\.[A-Za-z_]\w*|\[-?\d+\]|\['[^'\]]*'\]|\[\"[^\"\]]*\"\])*)")


def found_part(captured: Captured, place: str, taken: Names) -> Part:
    """What a name, or a path, that is no parameter means; TangentError where it means nothing."""
    match = PATH.fullmatch(place.replace(" ", ""))
    parameters = parameter_names(captured.tree)
    base = match.group(1) if match is not None else place
    outside = sorted(name for name in free(captured.tree) if _is_variable(captured.namespace.lookup(name)))
    if match is not None and base not in parameters and base not in outside \
            and _is_variable(captured.namespace.lookup(base)) and any(
                may_read(captured.namespace.lookup(name), base, captured.namespace) for name in free(captured.tree)):
        outside = sorted([*outside, base])                 # only functions that it calls read it
    if match is None or base not in parameters and base not in outside:
        has = f"it has {', '.join(parameters) or 'none'}" \
            + (f", and reads {', '.join(outside)} from outside" if outside else "")
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
    """Refuse a variable outside that something may read which it cannot be passed on to: its derivative would be
    incomplete."""
    todo, seen, texts = [captured], {captured.fn}, Reader(capture)
    while todo:
        one = todo.pop()
        bound = {node.id
                 for node in nodes_of(one.tree, gast.Name) if not isinstance(node.ctx, gast.Load)}
        own = _inner_functions(one.tree)
        scope = Scope(one.namespace, bound | own)
        calls = nodes_of(one.tree, gast.Call)
        by_name = {id(node.func) for node in calls if isinstance(node.func, gast.Name)}
        for node in walk(one.tree):
            if not isinstance(node, (gast.Name, gast.Attribute)) or not isinstance(node.ctx, gast.Load):
                continue
            value = scope.value(node)
            passed_on = id(node) in by_name and isinstance(value, types.FunctionType)
            if not passed_on and may_read(value, base, captured.namespace):
                raise _incomplete(captured, one, node, f"{unparse(node)} may read {base} too", base)
        for node in calls:
            fn = scope.value(node.func)
            if scope.operation(node).kind in ("rule", "container", "replaced", "each") or lookup(fn) is not None \
                    or fn is runtime.checkpoint or fn is runtime.checkpointed:
                continue
            if isinstance(fn, types.FunctionType) and not is_library(fn):
                why = why_not_lifted(fn) if may_read(fn, base, captured.namespace) else ""
                if why:
                    raise _incomplete(captured, one, node, f"{fn.__name__} reads {base} too, and {why}", base)
                if fn not in seen:
                    seen.add(fn)
                    todo.append(_text_of(fn, texts, captured, one, node, base))
            elif fn is MISSING and not isinstance(node.func, gast.Lambda) and getattr(node.func, "id", "") not in own \
                    and not _is_method_of_a_container(node.func, one):
                raise _incomplete(captured, one, node, f"what is called here is known only when {one.name} runs, "
                                  f"and may read {base} too", base)


def _text_of(fn: Any, texts: Reader, captured: Captured, one: Captured, node: gast.Call, base: str) -> Captured:
    try:
        return texts.unit(fn).captured
    except RefusedError:
        raise _incomplete(captured, one, node, f"{fn.__name__} is called, which has no source text that could be read",
                          base) from None


def _is_method_of_a_container(func: Any, captured: Captured) -> bool:
    """`values.append`, of a variable that is no parameter."""
    return isinstance(func, gast.Attribute) and any(hasattr(kind, func.attr) for kind in (list, dict, set, str)) \
        and isinstance(func.value, gast.Name) and func.value.id not in parameter_names(captured.tree)


def _inner_functions(tree: gast.FunctionDef) -> set[str]:
    """The names in a text that nothing but functions in it are bound to."""
    made = {node.name for node in nodes_of(tree, gast.FunctionDef) if node is not tree}
    lambdas = [node.targets[0]
               for node in nodes_of(tree, gast.Assign) if isinstance(node.value, gast.Lambda)]
    made |= {one.id for one in lambdas if isinstance(one, gast.Name)}
    other = {node.id for node in nodes_of(tree, gast.Name) if not isinstance(node.ctx, gast.Load)
             and not any(node is one for one in lambdas)}
    return made - other


def _incomplete(captured: Captured, one: Captured, node: gast.AST, why: str, base: str) -> RefusedError:
    """one: the function whose text holds the node."""
    return RefusedError(captured.name,
                        [Refusal(span_of(node, one.source) if hasattr(node, "lineno") else None,
                                 f"{base} is no parameter, and {why}: the derivative by {base} would be incomplete",
                                 f"pass {base} as an argument")])


def with_parts(captured: Captured, parts: Sequence[Part], reader: Reader) -> Captured:
    """The function with a parameter for each part. reader: gives the texts of functions that read variables outside
    too."""
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
    tree.body = list(body)
    renamed(tree, {base: name for base, name in local.items() if name})
    tree.body = [*first, *tree.body]
    tree.args.kwonlyargs += [parameter(part.name) for part in parts]
    tree.args.kw_defaults += [None] * len(parts)
    made = replace(captured, tree=tree)
    if not local:
        return made
    given = {base: name or base for base, name in local.items()}
    return Lifting(tuple(sorted(local)), captured.namespace, reader).lifted(made, given)


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
    kept = [(arg, default)
            for arg, default in zip(args.kwonlyargs, args.kw_defaults, strict=True) if arg.id not in ours]
    args.kwonlyargs, args.kw_defaults = [arg for arg, _ in kept], [default for _, default in kept]
    return args
