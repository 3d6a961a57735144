"""Variables outside that a call changes, and the text reads: the backward pass would read them as they are later.

Needs the calls of functions of the user that are given nothing that they could change, and yet do more than compute.
What such a function changes outside is found in its text, and in the texts of what it calls; a function without a text
is taken to leave alone what it is not given.
"""
from __future__ import annotations

import functools
import itertools
import types
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any

import gast
import numpy as np

from ...errors import RefusedError
from ...syntax.nodes import (
    attributes_assigned,
    dotted,
    nodes_of,
    parameter_names,
    reads,
    root_name,
    target_names,
    walk,
    writes,
)
from ...syntax.program import MISSING, Captured
from ..arguments import defaults_of
from ..callables import is_plain
from ..codes import ATTRIBUTE, GLOBAL, named, stores_in
from ..effects import is_opaque, stores_as_variable
from ..libraries import is_library, is_ours, is_user_class, of_library
from ..resolve import Scope

Place = tuple[str, int, str]
ANYTHING: Place = ("name", 0, "")                          # some variable of some module, whose name nobody sees
MOST = 500             # texts that are read for what a call changes outside; of more nobody knows
NAMESPACES = ("__globals__", "f_globals", "f_builtins")    # attributes of functions and frames


def read_outside(captured: Captured) -> set[Place]:
    """The variables outside that a text reads, and the memory that they hold."""
    scope = Scope.of(captured)
    parts = [node for node in nodes_of(captured.tree, gast.Attribute) if isinstance(node.ctx, gast.Load)]
    return {place for name in reads(captured.tree) - writes(captured.tree) for place in _places(captured, name)} | {
        place for node in parts if (found := _of_module(node, scope)) is not None
        for place in (found, *_memory(scope.value(node)))}


def called_again(captured: Captured, capture: Callable[[Any], Captured]) -> list[Captured]:
    """The texts of the functions that adjoints of solvers call again, and of those that these call: any that the text
    holds as a value, under a name or bound to something."""
    scope = Scope.of(captured)
    calls = nodes_of(captured.tree.body, gast.Call)
    if not any(operation.rule is not None and operation.rule.called & operation.args.keys()
               for operation in map(scope.operation, calls)):
        return []
    called = {id(node.func) for node in calls}
    held = [scope.value(node) for node in nodes_of(captured.tree.body, gast.Name, gast.Attribute)
            if id(node) not in called and isinstance(node.ctx, gast.Load)]
    return [*_texts([one for one in held if not isinstance(one, (type, types.ModuleType))], capture)]


def _texts(functions: list[Any], capture: Callable[[Any], Captured]) -> Iterator[Captured]:
    """The texts of functions of the user, and of those that these call, as far as Python has them."""
    texts: dict[Any, Captured] = {}
    waiting = [part for one in functions for part in _functions(one)]
    for one in waiting:                                    # grows while it is gone over
        if one not in texts and not is_library(one) and not is_ours(one):
            try:
                text = texts[one] = capture(one)
            except RefusedError:
                continue
            waiting += [part for found in _named(text.tree, text) for part in _functions(found)]
            yield text


def _functions(value: Any) -> list[types.FunctionType]:
    """The functions that run when an object is called, entered or computed with: of a class all of its methods, of an
    object all of those of its class, and what functions hold; of a container what is in it."""
    waiting, found, seen = [value], [], {id(None), id(MISSING)}
    for one in waiting:                                    # grows while it is gone over
        if id(one) in seen:
            continue
        seen.add(id(one))
        if isinstance(one, types.FunctionType):
            found.append(one)
            waiting += [getattr(one, "__wrapped__", None), *map(_content, one.__closure__ or ())]
        elif isinstance(one, type):
            waiting += [vars(one)[name] for name in sorted(vars(one)) if not isinstance(vars(one)[name], type)] \
                if is_user_class(one) else []
        elif isinstance(one, property):
            waiting += [one.fget, one.fset, one.fdel]
        elif isinstance(one, (types.MethodType, staticmethod, classmethod)):
            waiting.append(one.__func__)
        elif isinstance(one, functools.partial):
            waiting.append(one.func)
        elif isinstance(one, functools._lru_cache_wrapper):
            waiting.append(one.__wrapped__)
        elif isinstance(one, (list, tuple, dict)) and one is value:
            waiting += [part for part in (one.values() if isinstance(one, dict) else one) if callable(part)]
        elif one is value and is_user_class(type(one)):
            waiting.append(type(one))
    return found


def _content(cell: types.CellType) -> Any:
    try:
        found = cell.cell_contents
    except ValueError:
        return None
    return found if isinstance(found, types.FunctionType) else None


def _named(tree: Any, text: Captured) -> list[Any]:
    """What a text names, by paths too."""
    scope = Scope.of(text)
    paths: dict[str, Any] = {path: node for node in nodes_of(tree, gast.Name, gast.Attribute)
                             if (path := dotted(node)) is not None}
    return [scope.value(paths[path]) for path in sorted(paths)]


def hidden(captured: Captured) -> Iterator[tuple[Any, list[Any], bool]]:
    """What else runs functions of the user, with these: managers that are entered, what lambdas and comprehensions
    call, and the operators of objects from outside; whether these run for certain, or the class may only have them."""
    scope = Scope.of(captured)
    for stmt in nodes_of(captured.tree, gast.With):
        for item in stmt.items if not getattr(stmt, "inserts", False) else ():
            made = item.context_expr.func if isinstance(item.context_expr, gast.Call) else item.context_expr
            yield item.context_expr, _named(
                captured.tree if scope.value(made) is MISSING else item.context_expr, captured), True
    for node in nodes_of(captured.tree.body, gast.Lambda, gast.ListComp, gast.SetComp, gast.DictComp,
                         gast.GeneratorExp):
        for call in nodes_of(node, gast.Call):
            yield call, _named(call.func, captured), True
    for node in nodes_of(captured.tree.body, gast.Name, gast.Attribute):
        value = scope.value(node) if isinstance(node.ctx, gast.Load) else MISSING
        operators = [] if value is MISSING else _implicit(value if isinstance(value, type) else type(value))
        if operators:
            yield node, operators, False


def _implicit(kind: type) -> list[types.FunctionType]:
    """The methods of a class of the user that run without being called by their names."""
    return [one for base in kind.__mro__ if is_user_class(base) for name, one in sorted(vars(base).items())
            if isinstance(one, types.FunctionType) and name.startswith("__") and name.endswith("__")
            and name != "__call__"]


def read_by_helpers(captured: Captured, capture: Callable[[Any], Captured],
                    clean: Callable[[Any], bool]) -> set[Place]:
    """The same of the functions that a text calls, and that only compute: they may stand in its place later."""
    scope = Scope.of(captured)
    called = [scope.value(node.func) for node in nodes_of(captured.tree.body, gast.Call)]
    helpers = [one for one in called if isinstance(one, types.FunctionType) and not is_library(one) and clean(one)]
    return {place for text in _texts(helpers, capture) for place in read_outside(text)}


def reached(functions: Sequence[Any]) -> list[types.FunctionType]:
    """These functions of the user, and those that they reach by names, as their code says; what an object that they
    are given runs is not among them."""
    found: dict[types.FunctionType, None] = {}
    waiting = [part for one in functions for part in _functions(one)]
    for one in waiting:                                    # grows while it is gone over
        if one in found or is_library(one) or is_ours(one):
            continue
        found[one] = None
        names = sorted(named(one))
        values = [one.__globals__[name] for name in names if name in one.__globals__]
        values += [vars(module)[name] for module in values if isinstance(module, types.ModuleType)
                   and not of_library(module.__name__) for name in names if name in vars(module)]
        waiting += [part for value in values for part in _functions(value)]
    return [*found]


def _assigned(fn: types.FunctionType, capture: Callable[[Any], Captured]) -> set[Place]:
    """The variables of its module that a function declares global, and assigns; the attributes of objects outside."""
    found = {("name", id(fn.__globals__), name) for name in stores_in(fn.__code__, GLOBAL)}
    if stores_in(fn.__code__, ATTRIBUTE) and any(is_user_class(type(fn.__globals__.get(name))) for name in named(fn)):
        with suppress(RefusedError):                       # without a text it stays a call
            tree = capture(fn).tree
            stored = [node for node in nodes_of(tree.body, gast.Attribute) if not isinstance(node.ctx, gast.Load)]
            outer = {name for node in stored if (name := root_name(node) or "") in fn.__globals__} \
                - {*parameter_names(tree), *writes(tree)}
            found |= {("attribute", id(fn.__globals__[root_name(node) or ""]), node.attr) for node in stored
                      if root_name(node) in outer}
    return found


def variables_shared(functions: Sequence[types.FunctionType], capture: Callable[[Any], Captured]) -> set[Place]:
    """The variables of modules, and the attributes of objects there, that some of these functions assign, and others
    read."""
    assigned = {one: _assigned(one, capture) for one in functions}
    every = set().union(*assigned.values())
    return {place for one in functions for place in every - assigned[one] if reads_variable(one, place)}


def reads_variable(fn: types.FunctionType, place: Place) -> bool:
    """The code of a function may read a variable of a module, or an attribute of an object that it names."""
    kind, of, name = place
    known, space = named(fn), fn.__globals__
    values = [space[one] for one in known if one in space] if name in known else []
    if kind == "attribute":
        return any(id(one) == of for one in values)
    return name in known and of == id(space) \
        or any(isinstance(one, types.ModuleType) and id(vars(one)) == of for one in values)


def changed_outside(functions: list[Any], capture: Callable[[Any], Captured], clean: Callable[[Any], bool],
                    memory: bool = True) -> dict[Place, str]:
    """What calls of functions may change outside of them, with the names there. memory: not only variables that they
    bind, but also what they may change in place."""
    found: dict[Place, str] = {}
    for fn in functions:
        owner = getattr(fn, "__self__", None)
        if isinstance(fn, types.BuiltinFunctionType) and not isinstance(owner, type):
            found.update(dict.fromkeys(_memory(owner), f"its {type(owner).__name__}"))
    texts = list(itertools.islice(_texts(functions, capture), MOST))
    if len(texts) == MOST:
        return {ANYTHING: ""}
    for captured in texts:
        if changes_by_name(captured, clean):
            found[ANYTHING] = ""
        bound, changed = _changed(captured, clean)
        for name in bound | changed:
            found.update({place: name for place in _places(captured, name)
                          if name in bound or place[0] == "memory" and memory})
        scope = Scope.of(captured)
        for node in nodes_of(captured.tree, gast.Attribute):
            place = None if isinstance(node.ctx, gast.Load) else _of_module(node, scope)
            found.update({} if place is None else dict.fromkeys([place, *_memory(scope.value(node))], node.attr))
    return found


def data_outside(captured: Captured) -> list[str]:
    """The variables outside that a text reads, but modules and what is of libraries."""
    values = {name: captured.namespace.lookup(name) for name in sorted(reads(captured.tree) - writes(captured.tree))}
    return [name for name, value in values.items() if value is not MISSING and not isinstance(value, types.ModuleType)
            and not (callable(value) and (is_library(value) or is_ours(value)))]


def changes_by_name(captured: Captured, clean: Callable[[Any], bool]) -> bool:
    """A text may put values into variables of modules whose names cannot be seen: `globals()[name] = v`,
    `setattr(sys.modules[name], ...)`, `exec(...)`."""
    scope = Scope.of(captured)
    calls = list(nodes_of(captured.tree.body, gast.Call))
    if any(scope.effects(node).outside == "code" for node in calls):
        return True
    binds = [([*target_names(target), root_name(target) or ""], stmt.value)
             for stmt in nodes_of(captured.tree.body, gast.Assign) for target in stmt.targets]
    binds += [(target_names(node.target), node.value) for node in nodes_of(captured.tree.body, gast.NamedExpr)]
    binds += [([root_name(node.func.value) or ""], one) for node in calls if isinstance(node.func, gast.Attribute)
              for one in node.args]
    held = {name for name, value in defaults_of(captured).items() if _holds_variables(value)}
    while added := {name for names, value in binds if _is_namespace(value, scope, held)
                    for name in names if name in scope.local} - held:
        held |= added
    changed = [node.value for node in nodes_of(captured.tree.body, gast.Subscript, gast.Attribute)
               if not isinstance(node.ctx, gast.Load) and not _is_variable_of_module(node, scope)]
    for node in calls:
        if is_opaque(node, scope, clean) and not stores_as_variable(scope.value(node.func)):
            changed += [node.func.value] if isinstance(node.func, gast.Attribute) \
                and not _is_variable_of_module(node.func, scope) else []
            changed += [*node.args, *(k.value for k in node.keywords)]
    return any(_is_namespace(one, scope, held) for one in changed)


def _is_namespace(node: Any, scope: Scope, held: set[str]) -> bool:
    """An expression may be a module, the dict of its variables, or something in one whose name cannot be seen.
    held: local variables that may be one."""
    parts: Sequence[Any] = [node.body, node.orelse] if isinstance(node, gast.IfExp) else \
        node.values if isinstance(node, (gast.BoolOp, gast.Dict)) else \
        node.elts if isinstance(node, (gast.List, gast.Tuple)) else ()
    if any(_is_namespace(one, scope, held) for one in parts):
        return True
    value = scope.value(node)
    if value is MISSING and isinstance(node, gast.Attribute):
        value = getattr(scope.value(node.value), "__dict__", {}).get(node.attr, MISSING)       # what an object holds
    if value is not MISSING:
        return _holds_variables(value)
    if isinstance(node, gast.Name):
        return node.id in held
    if isinstance(node, gast.Call):
        called = node.func
        return scope.effects(node).outside == "names" or isinstance(called, gast.Attribute) \
            and not isinstance(scope.value(called.value), types.ModuleType) and _is_namespace(called.value, scope, held)
    if isinstance(node, gast.Attribute) and node.attr in NAMESPACES:
        return True
    return isinstance(node, (gast.Attribute, gast.Subscript)) and _is_namespace(node.value, scope, held)


def _holds_variables(value: Any) -> bool:
    """A value is a module of the user, the dict of one, or a dict or list of modules."""
    if isinstance(value, types.ModuleType):
        return not of_library(value.__name__)
    if isinstance(value, dict) and "__builtins__" in value:
        return True
    items = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ()
    return any(isinstance(one, types.ModuleType) for one in items)


def _is_variable_of_module(node: Any, scope: Scope) -> bool:
    return isinstance(node, gast.Attribute) and _of_module(node, scope) is not None


def _of_module(node: gast.Attribute, scope: Scope) -> Place | None:
    """The variable of a module that an attribute is: functions that assign globals are written so."""
    module = scope.value(node.value)
    return ("name", id(vars(module)), node.attr) if isinstance(module, types.ModuleType) else None


def _changed(captured: Captured, clean: Callable[[Any], bool]) -> tuple[set[str], set[str]]:
    """The names outside of a text that it binds, and those whose memory it changes: all that it reads, where it changes
    names of its own; of classes, whose attributes alone change, where it assigns some."""
    scope = Scope.of(captured)
    bound = {name for node in nodes_of(captured.tree, gast.Global, gast.Nonlocal)
             for name in node.names}
    changed: set[str] = set()
    for node in walk(captured.tree.body):
        if isinstance(node, (gast.Subscript, gast.Attribute)) and not isinstance(node.ctx, gast.Load):
            changed.add(root_name(node) or "")
        elif isinstance(node, gast.AugAssign):
            changed.add(root_name(node.target) or "")
        elif isinstance(node, gast.Call) and is_opaque(node, scope, clean):
            given = [getattr(node.func, "value", None), *node.args, *(k.value for k in node.keywords)]
            held = [one for one in given if isinstance(one, (gast.Name, gast.Subscript, gast.Attribute, gast.Starred))]
            changed |= {name for one in held for name in reads(one)}
    outer = reads(captured.tree) - scope.local
    if changed <= outer | bound:
        return bound, changed & outer
    assigns = bool(attributes_assigned(captured.tree.body))
    return bound, {name for name in outer if assigns or not isinstance(captured.namespace.lookup(name), type)}


def _places(captured: Captured, name: str) -> Iterator[Place]:
    cell = captured.namespace.cells.get(name)
    yield "name", id(captured.namespace.globals) if cell is None else id(cell), name if cell is None else ""
    yield from _memory(captured.namespace.lookup(name))


def _memory(value: Any) -> Iterator[Place]:
    while isinstance(value, np.ndarray) and isinstance(value.base, np.ndarray):
        value = value.base
    if value is not MISSING and not _never_changes(value):
        yield "memory", id(value), ""


def _never_changes(value: Any) -> bool:
    """Nothing in it is changed by calls: a number, a text, a module, a function, a class of a library, a hint of
    types."""
    if isinstance(value, type):
        return not is_user_class(value)
    if type(value) is tuple:
        return all(map(_never_changes, value))
    return is_plain(value) or type(value).__module__ in ("types", "typing") \
        or isinstance(value, (types.ModuleType, types.FunctionType, types.BuiltinFunctionType, np.ufunc))
