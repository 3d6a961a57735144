"""Variables outside that a call changes, and the text reads: the backward pass would read them as they are later.

Needs the calls of functions of the user that are given nothing that they could change, and yet do more than compute.
What such a function changes outside is found in its text, and in the texts of what it calls; a function without a text
is taken to leave alone what it is not given.
"""
from __future__ import annotations

import functools
import math
import types
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any

import gast
import numpy as np

from ...errors import RefusedError
from ...rules import effects_of
from ...syntax.nodes import (
    attributes_assigned,
    dotted,
    literal,
    nodes_of,
    parameter_names,
    reads,
    root_name,
    walk,
    writes,
)
from ...syntax.paths import is_entry
from ...syntax.program import MISSING, Captured
from ..callables import is_plain
from ..codes import ATTRIBUTE, GLOBAL, ITEM, named, stores_in
from ..effects import is_opaque
from ..libraries import is_library, is_ours, is_user_class, of_library
from ..resolve import Scope
from .namespaces import Place, changes_by_name, of_module

ANYTHING: Place = ("name", 0, "")                          # some variable of some module, whose name nobody sees
MOST = 500             # texts that are read for what a call changes outside; of more nobody knows


def read_outside(captured: Captured) -> set[Place]:
    """The variables outside that a text reads, and the memory that they hold."""
    scope = Scope.of(captured)
    parts = [node for node in nodes_of(captured.tree, gast.Attribute) if isinstance(node.ctx, gast.Load)]
    chains = nodes_of(captured.tree, gast.Name, gast.Attribute, gast.Subscript)
    inner = {id(node.value) for node in chains if not isinstance(node, gast.Name)}
    return {place for name in reads(captured.tree) - writes(captured.tree) for place in _places(captured, name)} | {
        place for node in parts if (found := of_module(node, scope)) is not None
        for place in (found, *_memory(scope.value(node)))} | {
        place for node in chains if id(node) not in inner for place in _held(_known(node, scope))}


def called_again(captured: Captured, followed: Followed) -> list[Captured]:
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
    return followed.texts(one for one in held if not isinstance(one, (type, types.ModuleType)))


class Followed:
    """The texts of functions of the user, and of those that these call, as far as Python has them; each is read once,
    and asked once what it changes outside."""

    def __init__(self, capture: Callable[[Any], Captured]) -> None:
        self.capture = capture
        self.known: dict[Any, tuple[Captured, list[Any]] | None] = {}
        self.changes: dict[Any, list[tuple[Place, str, bool]]] = {}

    def texts(self, functions: Iterable[Any], most: float = math.inf) -> list[Captured]:
        """Those of these functions, and of what they reach; the first ones."""
        found: dict[Any, Captured] = {}
        waiting = [part for one in functions for part in functions_of(one)]
        for one in waiting:                                # grows while it is gone over
            if one not in found and (known := self._of(one)) is not None:
                found[one] = known[0]
                waiting += known[1] if len(found) < most else []
        return [*found.values()]

    def _of(self, fn: Any) -> tuple[Captured, list[Any]] | None:
        """The text of a function, and what it names."""
        if fn not in self.known:
            self.known[fn] = None
            if not is_library(fn) and not is_ours(fn):
                with suppress(RefusedError):
                    text = self.capture(fn)
                    self.known[fn] = text, [part for found in _named(text.tree, text) for part in functions_of(found)]
        return self.known[fn]

    def changed(self, captured: Captured, clean: Callable[[Any], bool]) -> list[tuple[Place, str, bool]]:
        """What a text changes outside, with its names; whether it binds that, or perhaps changes it in place alone."""
        if captured.fn not in self.changes:
            found = [(ANYTHING, "", True)] if changes_by_name(captured, clean) else []
            bound, changed, places = _changed(captured, clean)
            found += [(place, name, name in bound) for name in sorted(bound | changed)
                      for place in _places(captured, name) if name in bound or place[0] == "memory"]
            scope = Scope.of(captured)
            found += [(one, node.attr, True) for node in nodes_of(captured.tree, gast.Attribute)
                      if not isinstance(node.ctx, gast.Load) and (place := of_module(node, scope)) is not None
                      for one in (place, *_memory(scope.value(node)))]
            found += [(place, _called(node, scope), False) for node in places for place in _held(_known(node, scope))]
            self.changes[captured.fn] = found
        return self.changes[captured.fn]


def functions_of(value: Any) -> list[types.FunctionType]:
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


def read_by_helpers(captured: Captured, followed: Followed, clean: Callable[[Any], bool]) -> set[Place]:
    """The same of the functions that a text calls, and that only compute: they may stand in its place later."""
    scope = Scope.of(captured)
    called = [scope.value(node.func) for node in nodes_of(captured.tree.body, gast.Call)]
    helpers = [one for one in called if isinstance(one, types.FunctionType) and not is_library(one) and clean(one)]
    return {place for text in followed.texts(helpers) for place in read_outside(text)}


def reached(functions: Sequence[Any]) -> list[types.FunctionType]:
    """These functions of the user, and those that they reach by names, as their code says; what an object that they
    are given runs is not among them."""
    found: dict[types.FunctionType, None] = {}
    waiting = [part for one in functions for part in functions_of(one)]
    for one in waiting:                                    # grows while it is gone over
        if one in found or is_library(one) or is_ours(one):
            continue
        found[one] = None
        names = sorted(named(one))
        values = [one.__globals__[name] for name in names if name in one.__globals__]
        values += [vars(module)[name] for module in values if isinstance(module, types.ModuleType)
                   and not of_library(module.__name__) for name in names if name in vars(module)]
        waiting += [part for value in values for part in functions_of(value)]
    return [*found]


def _assigned(fn: types.FunctionType, capture: Callable[[Any], Captured]) -> set[Place]:
    """The variables of its module that a function declares global, and assigns; the attributes of objects outside, and
    the items of dicts there."""
    found = {("name", id(fn.__globals__), name) for name in stores_in(fn.__code__, GLOBAL)}
    there, cls = [fn.__globals__.get(name) for name in named(fn)], class_of(fn)
    if not (stores_in(fn.__code__, ATTRIBUTE) and (cls or any(map(is_user_class, map(type, there))))
            or stores_in(fn.__code__, ITEM) and any(isinstance(value, dict) for value in there)
            or any(isinstance(value, list) for value in there)):
        return found
    with suppress(RefusedError):                           # without a text it stays a call
        captured = capture(fn)
        tree, scope = captured.tree, Scope.of(captured)
        given = parameter_names(tree)
        outer = {**dict.fromkeys([*given, *writes(tree)]), **({given[0]: cls} if cls and given else {})}
        for call in nodes_of(tree.body, gast.Call):
            held = scope.value(call.func.value) if isinstance(call.func, gast.Attribute) else None
            row = effects_of(getattr(held, call.func.attr, None)) if isinstance(held, list) else None
            if row is not None and row.changes:
                found.add(("list", id(held), ""))
        for node in nodes_of(tree.body, gast.Attribute, gast.Subscript):
            name = root_name(node) or ""
            of = outer[name] if name in outer else fn.__globals__.get(name)
            if of is None or isinstance(node.ctx, gast.Load):
                continue
            if isinstance(node, gast.Attribute):
                found.add(("attribute", id(of), node.attr))
            elif is_entry(node) and isinstance(of, dict):
                found.add(("entry", id(of), node.slice.value))
    return found


def class_of(fn: types.FunctionType) -> type | None:
    """The class of whose methods a function is one that is given the class."""
    name, _, own = fn.__qualname__.rpartition(".")
    cls = fn.__globals__.get(name)
    method = vars(cls).get(own) if isinstance(cls, type) else None
    return cls if isinstance(method, classmethod) and method.__func__ is fn else None


def variables_shared(functions: Sequence[types.FunctionType], capture: Callable[[Any], Captured]) -> set[Place]:
    """The variables of modules, the attributes of objects there, and the items of dicts, that some of these functions
    assign, and others read."""
    assigned = {one: _assigned(one, capture) for one in functions}
    every = set().union(*assigned.values())
    return {place for one in functions for place in every - assigned[one] if reads_variable(one, place)}


def reads_variable(fn: types.FunctionType, place: Place) -> bool:
    """The code of a function may read a variable of a module, an attribute of an object that it names, or an item of a
    dict."""
    kind, of, name = place
    known, space = named(fn), fn.__globals__
    values = [space[one] for one in known if one in space] if kind in ("entry", "list") or name in known else []
    values.append(class_of(fn) if name in known else None)
    if kind != "name":
        return any(id(one) == of for one in values)
    return name in known and of == id(space) \
        or any(isinstance(one, types.ModuleType) and id(vars(one)) == of for one in values)


def changed_outside(functions: list[Any], followed: Followed, clean: Callable[[Any], bool],
                    memory: bool = True) -> dict[Place, str]:
    """What calls of functions may change outside of them, with the names there. memory: not only variables that they
    bind, but also what they may change in place."""
    found: dict[Place, str] = {}
    for fn in functions:
        owner = getattr(fn, "__self__", None)
        if isinstance(fn, types.BuiltinFunctionType) and not isinstance(owner, type):
            found.update(dict.fromkeys(_memory(owner), f"its {type(owner).__name__}"))
    texts = followed.texts(functions, MOST)
    if len(texts) >= MOST:
        return {ANYTHING: ""}
    for captured in texts:
        found.update({place: name for place, name, bound in followed.changed(captured, clean) if bound or memory})
    return found


def data_outside(captured: Captured) -> list[str]:
    """The variables outside that a text reads, but modules and what is of libraries."""
    values = {name: captured.namespace.lookup(name) for name in sorted(reads(captured.tree) - writes(captured.tree))}
    return [name for name, value in values.items() if value is not MISSING and not isinstance(value, types.ModuleType)
            and not (callable(value) and (is_library(value) or is_ours(value)))]


def _changed(captured: Captured, clean: Callable[[Any], bool]) -> tuple[set[str], set[str], list[Any]]:
    """The names outside of a text that it binds, and those whose memory it changes: all that it reads, where it changes
    names of its own; of classes, whose attributes alone change, where it assigns some. With them the expressions of
    what it changes."""
    scope = Scope.of(captured)
    bound = {name for node in nodes_of(captured.tree, gast.Global, gast.Nonlocal)
             for name in node.names}
    changed: set[str] = set()
    places: list[Any] = []
    for node in walk(captured.tree.body):
        if isinstance(node, (gast.Subscript, gast.Attribute)) and not isinstance(node.ctx, gast.Load):
            changed.add(root_name(node) or "")
            places += [node.value] if isinstance(node, gast.Subscript) else []     # what is bound anew is not changed
        elif isinstance(node, gast.AugAssign):
            changed.add(root_name(node.target) or "")
            places.append(node.target)
        elif isinstance(node, gast.Call) and is_opaque(node, scope, clean):
            given = [getattr(node.func, "value", None), *node.args, *(k.value for k in node.keywords)]
            held = [one for one in given if isinstance(one, (gast.Name, gast.Subscript, gast.Attribute, gast.Starred))]
            changed |= {name for one in held for name in reads(one)}
            places += held
    outer = reads(captured.tree) - scope.local
    if changed <= outer | bound:
        return bound, changed & outer, places
    assigns = bool(attributes_assigned(captured.tree.body))
    return bound, {name for name in outer if assigns or not isinstance(captured.namespace.lookup(name), type)}, \
        nodes_of(captured.tree.body, gast.Name, gast.Attribute, gast.Subscript)


def _called(node: Any, scope: Scope) -> str:
    """How a message calls what is changed: by its variable, of this module or of another."""
    variable = next((part.attr for part in walk(node) if isinstance(part, gast.Attribute)
                     and of_module(part, scope) is not None), None)
    return variable or root_name(node) or "it"


def _known(node: Any, scope: Scope) -> Any:
    """What an expression means now, or the longest beginning of it of which that is known: `box.k` of `box.k[i]`."""
    if isinstance(node, gast.Starred):
        return _known(node.value, scope)
    if (value := scope.value(node)) is not MISSING or not isinstance(node, (gast.Attribute, gast.Subscript)):
        return value
    of = _known(node.value, scope)
    if isinstance(node, gast.Attribute):
        return vars(of).get(node.attr, of) if hasattr(of, "__dict__") else of
    key = literal(node.slice, MISSING)
    try:
        return of[key] if isinstance(of, (list, tuple, dict)) and key is not MISSING else of
    except (LookupError, TypeError):
        return of


def _held(value: Any) -> Iterator[Place]:
    """The arrays and containers that a value is, or holds at any depth, as objects of the user hold them too."""
    waiting, seen = [value], {id(MISSING)}
    for one in waiting:                                    # grows while it is gone over
        if id(one) in seen or _never_changes(one):
            continue
        seen.add(id(one))
        if isinstance(one, (np.ndarray, list, dict, set, deque)):
            yield from _memory(one)
        parts = one.values() if isinstance(one, dict) else one if isinstance(one, (list, tuple, set, deque)) \
            else vars(one).values() if is_user_class(type(one)) and hasattr(one, "__dict__") else ()
        waiting += parts


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
