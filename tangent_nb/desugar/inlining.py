"""Bodies in the place of calls: of methods of objects that are known, of nested functions that assign variables around them, and of functions
that give functions.

Needs a function with a text, and what its parameters are bound to. Promises its statements here, its variables under new names, and an
expression for what it returns.
"""
from __future__ import annotations

import sys
import types
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import gast

from ..analyse.leaving import always_leaves
from ..errors import RefusedError
from ..normalise.exits import single_exit
from ..syntax.nodes import assign, body_without_docstring, clone, constant, load, tuple_of
from ..syntax.program import MISSING
from . import functions, objects
from .scopes import FUNCTIONS, bindings, bound, free, renamed
from .values import is_user_object

if TYPE_CHECKING:
    from .statements import Desugar

DEEPEST = 24


def inlines(desugar: Desugar, fn: Any) -> bool:
    """The body of a function can stand in the place of its call."""
    if not isinstance(fn, types.FunctionType) or desugar.stack.count(fn) or len(desugar.stack) >= DEEPEST or desugar.out is None:
        return False
    if fn not in desugar.reader.made and fn.__globals__ is not desugar.namespace.globals and _module(fn.__globals__) is None:
        return False                                       # what it sees could not be read anew from here
    try:
        tree = desugar.reader.unit(fn).captured.tree
    except RefusedError:
        return False
    return not any(isinstance(node, (gast.Yield, gast.YieldFrom, gast.Await, gast.Global, gast.ClassDef)) for node in gast.walk(tree))


def _module(scope: dict[str, Any]) -> types.ModuleType | None:
    """The module that globals belong to, where it can be found again."""
    module = sys.modules.get(scope.get("__name__", ""))
    return module if module is not None and vars(module) is scope else None


def inline(desugar: Desugar, fn: Any, args: list[Any], keywords: Mapping[str, Any], *, around: bool = False) -> gast.expr:
    """Emit the body of a function; what it returns. args, keywords: evaluated here already, in order. around: it is nested in the function
    that is written, and shares its variables."""
    unit = desugar.reader.unit(fn)
    tree = clone(unit.captured.tree)
    given = bind(desugar, unit, tree, args, keywords)
    own = bound(tree)
    taken = {name: desugar.temporary(name) for name in sorted(own)}
    if not around:
        _outer(desugar, unit.captured, tree, own)
    body = [s for s in body_without_docstring(tree) if not isinstance(s, gast.Nonlocal)]
    if not always_leaves(body):
        body.append(gast.Return(gast.Constant(None, None)))
    shell = gast.FunctionDef(tree.name, tree.args, body, [], None, None, [])
    renamed(shell, taken)
    place = desugar.place
    rebound = {name for name, nodes in bindings(shell).items() if len(nodes) > 1}
    for name, value in given.items():
        state = isinstance(value, gast.Name) and (around or desugar.is_state(value.id)) and value.id not in desugar.objects
        _give(desugar, shell, taken[name], value, taken[name] in rebound or state)
    desugar.stack.append(fn)
    desugar.selves.append(args[0] if args else None)
    saved = desugar.origin, desugar.place
    exits = single_exit(shell.body, desugar.names, tree.name if tree.name.isidentifier() else "value")
    shell.body = exits
    desugar.local.update(bound(shell))
    functions.find(desugar, shell, unit.functions)
    for stmt in exits[:-1]:
        if isinstance(getattr(stmt, "origin", None), tuple):
            stmt.origin = stmt.origin[0]
        desugar.statement(stmt)
    last: Any = exits[-1]
    if hasattr(last, "lineno"):
        desugar.place = last
    result = desugar.expr(last.value)
    desugar.stack.pop()
    desugar.selves.pop()
    desugar.origin, desugar.place = saved
    del place
    return result


def _give(desugar: Desugar, shell: gast.FunctionDef, name: str, value: Any, rebound: bool) -> None:
    """Bind a parameter: to an object or a function that is known, to a name, or to a value."""
    if isinstance(value, gast.Name) and value.id in desugar.objects:
        desugar.objects[name] = desugar.objects[value.id]
        if rebound:
            raise objects.escaped(desugar, desugar.place, desugar.objects[value.id])
        return
    if functions.is_value(desugar, value) and not is_user_object(desugar.object(value)):
        known = functions.value_of(desugar, value)
        if known is not None:
            desugar.functions[name] = known
            if not rebound:
                desugar.local.discard(name)
                return
    if not rebound and isinstance(value, (gast.Name, gast.Constant)) or desugar.object(value) is not MISSING and not rebound:
        for node in gast.walk(shell):
            for key, part in list(node.__dict__.items()):
                for i, one in enumerate(part) if isinstance(part, list) else [(None, part)]:
                    if isinstance(one, gast.Name) and one.id == name and isinstance(one.ctx, gast.Load):
                        new = gast.copy_location(clone(value), one) if not isinstance(node, FUNCTIONS) else one
                        if i is None:
                            setattr(node, key, new)
                        else:
                            part[i] = new
        return
    desugar.statement(desugar._at(assign(name, value)))


def _outer(desugar: Desugar, captured: Any, tree: gast.FunctionDef, own: set[str]) -> None:
    """What a text of another place sees, under names that mean the same here."""
    from .scopes import free as free_names
    here = desugar.namespace
    wanted: dict[str, Any] = {}
    for name in sorted(free_names(tree)):
        cells = captured.namespace.cells
        if name in cells:
            if here.cells.get(name) is cells[name] and name not in desugar.local:
                continue
            new = desugar.names.new(name)
            desugar.cells[new] = desugar.share(new, cells[name])
            wanted[name] = load(new)
            continue
        value = captured.namespace.lookup(name)
        same = captured.namespace.globals is here.globals or name not in captured.namespace.globals
        if value is MISSING or same and name not in desugar.local and name not in here.cells:
            continue
        module = _module(captured.namespace.globals)
        if module is not None and name in vars(module):
            wanted[name] = gast.Attribute(desugar.cell(module, module.__name__.rpartition(".")[2]), name, gast.Load())
        else:
            wanted[name] = desugar.cell(value, name)
    if wanted:
        _substitute(tree.body, wanted)


def _substitute(body: Any, names: Mapping[str, gast.expr]) -> None:
    for node in gast.walk(gast.Module(body, [])):
        for key, part in list(node.__dict__.items()):
            for i, one in enumerate(part) if isinstance(part, list) else [(None, part)]:
                if isinstance(one, gast.Name) and one.id in names and isinstance(one.ctx, gast.Load):
                    new = gast.copy_location(clone(names[one.id]), one)
                    if i is None:
                        setattr(node, key, new)
                    else:
                        part[i] = new


def bind(desugar: Desugar, unit: Any, tree: gast.FunctionDef, args: list[Any], keywords: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments by parameter, as Python binds them; RefusedError where it would not."""
    a = tree.args
    positional = [p.id for p in [*a.posonlyargs, *a.args]]
    given: dict[str, Any] = dict(zip(positional, args, strict=False))
    rest = args[len(positional):]
    more = {name: value for name, value in keywords.items() if name not in {p.id for p in [*a.args, *a.kwonlyargs]}}
    given.update({name: value for name, value in keywords.items() if name not in more})
    if a.vararg is not None:
        given[a.vararg.id] = tuple_of(rest)
    if a.kwarg is not None:
        given[a.kwarg.id] = gast.Dict([constant(name) for name in more], list(more.values()))
    if rest and a.vararg is None or more and a.kwarg is None:
        raise _wrong_call(desugar, tree)
    defaults = dict(zip(positional[::-1], (unit.captured.defaults or ())[::-1], strict=False))
    defaults.update(unit.captured.kwdefaults or {})
    for name in [*positional, *(p.id for p in a.kwonlyargs)]:
        if name not in given:
            if name not in defaults:
                raise _wrong_call(desugar, tree)
            value = defaults[name]
            plain = isinstance(value, (int, float, str, bool)) or value is None
            given[name] = constant(value) if plain else desugar.cell(value, name)
    return given


def _wrong_call(desugar: Desugar, tree: gast.FunctionDef) -> RefusedError:
    from ..errors import Refusal
    return RefusedError(desugar.captured.name, [Refusal(functions.span(desugar, desugar.place), f"{tree.name} does not take these arguments",
                                                        "a call that Python accepts")])


__all__ = ["free", "inline", "inlines"]
