"""Functions that a text defines: nested ones are lifted out of it.

T. Johnsson, "Lambda lifting: transforming programs to recursive equations" (1985): what a nested function reads of the
function around it becomes a parameter; its calls pass the value of that moment, as Python's cells do. One that changes
what is around it is kept for `inlining.py`.

Needs the text around. Promises a text of its own for each, and in `State.functions` what its name is bound to.

    def f(x, w):                          def f(x, w):
        def g(t):                             return g(x, w=w)
            return t * w          →
        return g(x)                       def g(t, *, w):
                                              return t * w
"""
from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import gast

from ..syntax.building import clone, definition, load, mark, parameter
from ..syntax.nodes import is_literal, literal, names_in, nodes_in, nodes_of, walk
from ..syntax.program import Namespace
from .existing import of_object
from .scopes import block_only, bound, free, is_read, loop_only, shares
from .state import State
from .texts import Unit
from .values import FunctionValue, is_callable_value


def find(desugar: State, tree: gast.FunctionDef, known_before: Mapping[str, FunctionValue],
         binders: Mapping[str, list[Any]]) -> None:
    """The local names that are bound once, to a function: nested definitions, lambdas, other names for functions.
    binders: the nodes that bind each name."""
    found = {name: nodes for name, nodes in binders.items() if name not in known_before}
    desugar.loop_only |= loop_only(tree)
    desugar.block_only |= block_only(tree)
    desugar.assigned |= {name for name, nodes in found.items() if all(isinstance(node, gast.Assign) for node in nodes)}
    once = {name: nodes[0] for name, nodes in found.items() if len(nodes) == 1}
    values = _used_as_values(tree)
    desugar.once |= once.keys()
    desugar.single |= once.keys() - values
    nested: dict[str, Any] = {}
    for name, one in once.items():
        if name in desugar.doubtful:
            continue
        if isinstance(one, gast.FunctionDef) and not one.decorator_list:
            nested[name] = one
        elif isinstance(one, gast.Assign) and isinstance(one.value, gast.Lambda):
            nested[name] = one.value
        elif isinstance(one, gast.Assign) and is_callable_value(value := desugar.object(one.value)):
            known = of_object(desugar, value, one.value)
            if known is not None:
                desugar.functions[name] = known
                desugar.defined[name] = one
    for name, node in _sharing(desugar, nested).items():
        if name not in values and not nodes_of(node, gast.Await, gast.Global):
            fn, keywords = _text(desugar, name, node, [], _kept(desugar, name, node))    # stands where it is called
            desugar.functions[name] = FunctionValue(fn, load(name), (), keywords, _positional(node.args), in_place=True)
    lift(desugar,
         {name: node for name, node in nested.items() if name not in desugar.functions and can_be_lifted(node)})
    desugar.defined |= {name: once[name] for name in nested if name in desugar.functions}


def _used_as_values(tree: gast.FunctionDef) -> set[str]:
    """The names that are read elsewhere than where they are called or returned."""
    called: set[int] = set()
    for node in nodes_in(tree):
        if isinstance(node, gast.Call):
            called.add(id(node.func))
        elif isinstance(node, gast.Return) and node.value is not None:
            called.update(id(part)
                          for part in (node.value.elts if isinstance(node.value, gast.Tuple) else [node.value]))
    return {part.id for part in nodes_in(tree) if is_read(part) and id(part) not in called}


def _sharing(desugar: State, nested: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the nested functions that change what is around them, or yield between other statements, themselves or
    by calling one that does."""
    found = {name: node for name, node in nested.items()
             if shares(node, desugar.modules) or nodes_of(node.body, gast.Yield, gast.YieldFrom)}
    while more := {name: node for name, node in nested.items()
                   if name not in found and (free(node) & set(found) or in_place(desugar, node))}:
        found |= more
    return found


def in_place(desugar: State, node: Any) -> bool:
    """A function names one whose body has to stand where it is called."""
    return any(desugar.functions[name].in_place for name in free(node) & set(desugar.functions))


def can_be_lifted(node: Any) -> bool:
    """A nested function is no generator or coroutine, and binds no variable of another scope."""
    special = (gast.Yield, gast.YieldFrom, gast.Await, gast.Nonlocal, gast.Global)
    return not any(isinstance(part, special) for part in walk(node.body))


def _text(desugar: State, name: str, node: Any, variables: list[str],
          kept: Mapping[str, str]) -> tuple[types.FunctionType, tuple[tuple[str, gast.expr], ...]]:
    """A nested function as a text of its own. What it reads, and defaults that are not literals, are keywords of its
    calls. kept: the names of ours for those defaults, by parameter."""
    args = clone(node.args)
    literals, kwdefaults, _ = _defaults(args)
    args.kwonlyargs += [mark(parameter(v), around=True) for v in variables]
    args.kw_defaults += [None] * len(variables)
    body = clone(node.body) if isinstance(node.body, list) \
        else [gast.copy_location(gast.Return(clone(node.body)), node.body)]
    tree = gast.copy_location(definition(name, args, body), node)
    tree.origin = getattr(node, "origin", desugar.origin)
    captured = replace(desugar.captured, name=name, tree=tree, defaults=literals, kwdefaults=kwdefaults, assumed=(),
                       caches=hasattr(node, "caches"))
    return desugar.texts.make(captured, {}), (*((v, load(v)) for v in variables),
                                              *((param, load(name)) for param, name in kept.items()))


def _positional(args: gast.arguments) -> tuple[str, ...]:
    return tuple(arg.id for arg in [*args.posonlyargs, *args.args])


def _defaults(args: gast.arguments) -> tuple[tuple[Any, ...] | None, dict[str, Any] | None, dict[str, gast.expr]]:
    """The defaults that are literals, by position and by name, and the others, which are evaluated where the function
    is defined, each time that it is, and are taken out of its text."""
    positional = [*args.posonlyargs, *args.args]
    pairs = list(zip(positional[len(positional) - len(args.defaults):], args.defaults, strict=True))
    literals = tuple(literal(default) for _, default in pairs) \
        if all(_is_fixed(default) for _, default in pairs) else ()
    evaluated = {} if literals else {arg.id: default for arg, default in pairs}
    kwdefaults: dict[str, Any] = {}
    for i, (arg, default) in enumerate(zip(args.kwonlyargs, args.kw_defaults, strict=True)):
        if default is not None and _is_fixed(default):
            kwdefaults[arg.id] = literal(default)
        elif default is not None:
            evaluated[arg.id] = default
            args.kw_defaults[i] = None
    args.defaults = args.defaults if literals else []
    return literals or None, kwdefaults or None, evaluated


def _is_fixed(node: Any) -> bool:
    """A literal that cannot change: a list is a new one for each function."""
    return is_literal(node) and not any(isinstance(part, gast.List) for part in nodes_in(node))


def _kept(desugar: State, name: str, node: Any) -> dict[str, str]:
    """Names of ours for the defaults of a nested function that are evaluated where it is defined, by parameter."""
    _, _, evaluated = _defaults(clone(node.args))
    kept = {param: desugar.temporary(f"{name}_{param}") for param in evaluated}
    desugar.defaults[name] = [(kept[param], default) for param, default in evaluated.items()]
    return kept


def lift(desugar: State, nested: dict[str, Any]) -> None:
    """Make functions of nested ones, all at once, since they may call each other."""
    nested = {name: node for name, node in nested.items() if not in_place(desugar, node)}
    kept = {name: _kept(desugar, name, node) for name, node in nested.items()}
    while True:
        seen = (desugar.local | desugar.objects.keys()) - nested.keys()
        variables = {name: free(node) & seen for name, node in nested.items()}
        for name, node in nested.items():
            for other in free(node) & set(desugar.functions):
                variables[name] |= names_in(desugar.functions[other].bound)
                variables[name].discard(other)
            for other in free(node) & set(nested):         # its calls are given the defaults
                variables[name] |= set(kept[other].values())
        size = -1
        while size != sum(map(len, variables.values())):
            size = sum(map(len, variables.values()))
            for name, node in nested.items():
                for other in free(node) & set(nested):
                    variables[name] |= variables[other]
        clash = [name for name, node in nested.items() if variables[name] & bound(node)]
        if not clash:
            break
        nested = {name: node for name, node in nested.items() if name not in clash}
    for name in kept.keys() - nested.keys():
        del desugar.defaults[name]
    for name in nested:
        variables[name] -= desugar.functions.keys()
    values = {name: _lifted(desugar, name, node, sorted(variables[name]), kept[name]) for name, node in nested.items()}
    desugar.functions |= values
    for value in values.values():
        unit = desugar.texts.made[value.fn]
        inside = {other: replace(known, keywords=tuple((k, v) for k, v in known.keywords if isinstance(v, gast.Name)))
                  for other, known in desugar.functions.items() if other in free(unit.captured.tree) or other in nested}
        namespace = Namespace(desugar.namespace.globals, dict(desugar.namespace.cells))
        ours = unit.captured.ours | frozenset(desugar.cells)
        desugar.texts.made[value.fn] = Unit(replace(unit.captured, namespace=namespace, ours=ours), inside)


def _lifted(desugar: State, name: str, node: Any, variables: list[str], kept: Mapping[str, str]) -> FunctionValue:
    """One nested function as a function of its own."""
    fn, keywords = _text(desugar, name, node, variables, kept)
    used_as_value = any(isinstance(part, gast.Name) and part.id == name and isinstance(part.ctx, gast.Load)
                        and id(part) not in _called(desugar) for part in nodes_in(desugar.tree))
    if used_as_value or name not in desugar.local:
        func = desugar.cell(fn, name)
    else:
        desugar.local.discard(name)
        desugar.see(name, fn)
        func = load(name)
    return FunctionValue(fn, func, (), keywords, _positional(node.args))


def _called(desugar: State) -> set[int]:
    """The names that are called, by their id."""
    if not desugar.called:
        desugar.called = {id(part.func) for part in nodes_in(desugar.tree) if isinstance(part, gast.Call)}
    return desugar.called
