"""Variables outside that a call changes, and the text reads: the backward pass would read them as they are later.

Needs the calls of functions of the user that are given nothing that they could change, and yet do more than compute.
What such a function changes outside is found in its text, and in the texts of what it calls; a function without a text
is taken to leave alone what it is not given.
"""
from __future__ import annotations

import functools
import itertools
import math
import sys
import types
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

import gast

from ...errors import RefusedError
from ...rules import effects_of
from ...syntax.nodes import dotted, nodes_of, parameter_names, reads, root_name, unparse, walk, writes
from ...syntax.paths import is_entry
from ...syntax.program import MISSING, Captured
from ..arguments import defaults_of
from ..codes import ATTRIBUTE, GLOBAL, ITEM, named, stores_in
from ..implicit import MADE, implicit_calls, objects_in
from ..libraries import is_library, is_ours, is_user_class, of_library
from ..resolve import Scope
from .changes import ANYTHING, Changed, Way, changes_of
from .namespaces import Place, of_module
from .places import held, known, memory, method_outside, of_receiver, places_of
from .state import Check

if TYPE_CHECKING:
    from . import Fence

MOST = 500             # texts that are read for what a call changes outside; of more nobody knows


def read_outside(captured: Captured, besides: AbstractSet[int] = frozenset()) -> set[Place]:
    """The variables outside that a text reads, and the memory that they hold. besides: nodes that are no reads."""
    scope = Scope.of(captured)
    parts = [node for node in nodes_of(captured.tree, gast.Attribute) if isinstance(node.ctx, gast.Load)]
    chains = nodes_of(captured.tree, gast.Name, gast.Attribute, gast.Subscript)
    inner = {id(node.value) for node in chains if not isinstance(node, gast.Name)} \
        | {id(node.func) for node in nodes_of(captured.tree, gast.Call) if isinstance(node.func, gast.Name)}
    names = {node.id for node in nodes_of(captured.tree, gast.Name)
             if isinstance(node.ctx, gast.Load) and id(node) not in besides}
    names &= reads(captured.tree) - writes(captured.tree)
    return {place for name in names for place in places_of(captured, name)} | {
        place for node in parts if id(node) not in besides and (found := of_module(node, scope)) is not None
        for place in (found, *memory(scope.value(node)))} | {
        place for node in chains if id(node) not in inner and id(node) not in besides
        for place in held(known(node, scope))}


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
        self.changes: dict[Any, Changed] = {}
        self.named: dict[Any, list[tuple[str, Any]]] = {}
        self.of_classes: dict[type, set[types.FunctionType]] = {}

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

    def objects(self, captured: Captured) -> list[tuple[str, Any]]:
        """The objects outside that a text names, or finds in what it names."""
        if captured.fn not in self.named:
            self.named[captured.fn] = [(name, one) for name, value in _outer(captured) for one in objects_in(value)]
        return self.named[captured.fn]

    def methods(self, kind: type) -> set[types.FunctionType]:
        """The functions that a class has, by whatever name."""
        if kind not in self.of_classes:
            self.of_classes[kind] = {fn for base in kind.__mro__ for member in vars(base).values()
                                     if not isinstance(member, type) for fn in functions_of(member)}
        return self.of_classes[kind]

    def changed(self, captured: Captured, fence: Fence) -> Changed:
        """What a text changes outside."""
        if captured.fn not in self.changes:
            self.changes[captured.fn] = Changed([])        # that of a recursive call
            self.changes[captured.fn] = changes_of(captured, fence)
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
            waiting += [type(one)] if is_user_class(type(one)) else []
        elif isinstance(one, property):
            waiting += [one.fget, one.fset, one.fdel]
        elif isinstance(one, (types.MethodType, staticmethod, classmethod)):
            waiting.append(one.__func__)
        elif isinstance(one, functools.partial):
            waiting.append(one.func)
        elif isinstance(one, functools._lru_cache_wrapper):
            waiting.append(one.__wrapped__)
        elif isinstance(one, functools.cached_property):
            waiting.append(one.func)
        elif hasattr(type(one), "__get__") and is_user_class(type(one)):
            waiting.append(type(one))
        elif one is value:
            parts = [] if one is sys.modules else one.values() if isinstance(one, dict) \
                else one if isinstance(one, (list, tuple)) else ()
            waiting += [part if callable(part) else type(part) for part in [one, *parts]
                        if callable(part) and part is not one or is_user_class(type(part))]
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


def hidden(captured: Captured) -> Iterator[tuple[Any, list[Any]]]:
    """What else runs functions of the user, with these: managers that are entered, what lambdas and comprehensions
    call, and what objects from outside run by themselves, as their methods."""
    scope = Scope.of(captured)
    for stmt in nodes_of(captured.tree, gast.With):
        for item in stmt.items if not getattr(stmt, "inserts", False) else ():
            made = item.context_expr.func if isinstance(item.context_expr, gast.Call) else item.context_expr
            text = captured.tree if scope.value(made) is MISSING else item.context_expr
            yield item.context_expr, _named(text, captured)
    for node in nodes_of(captured.tree.body, gast.Lambda, gast.ListComp, gast.SetComp, gast.DictComp,
                         gast.GeneratorExp):
        for call in nodes_of(node, gast.Call):
            yield call, _named(call.func, captured)
    yield from by_themselves(captured)


def by_themselves(captured: Captured, made: bool = False) -> Iterator[tuple[Any, list[Any]]]:
    """What objects run by themselves, as their methods. made: only those that the text makes."""
    for node, value, functions in implicit_calls(captured.tree.body, Scope.of(captured)):
        if value is MADE or not made:
            yield node, [types.MethodType(fn, value) for fn in functions]


def helpers_of(captured: Captured, fence: Fence) -> list[types.FunctionType]:
    """The functions that a text calls, and that only compute."""
    scope = Scope.of(captured)
    called = [scope.value(node.func) for node in nodes_of(captured.tree.body, gast.Call)]
    return [fn for fn in called if isinstance(fn, types.FunctionType) and not is_library(fn) and fence.is_clean(fn)]


def read_by_helpers(captured: Captured, fence: Fence) -> set[Place]:
    """What lies outside and is read by the functions that a text calls, and that only compute: they may stand in its
    place later."""
    return {place for text in fence.followed_again.texts(helpers_of(captured, fence)) for place in read_outside(text)}


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


def changed_outside(functions: Sequence[Any], fence: Fence) -> dict[Place, Way]:
    """What calls of functions may change outside of them, with the ways there."""
    texts = fence.followed.texts(functions, MOST)
    if len(texts) >= MOST:
        return {ANYTHING: Way("")}
    found: list[tuple[Place, Way]] = []
    for fn in functions:
        if isinstance(fn, types.BuiltinFunctionType) and not isinstance(fn.__self__, type):
            found += [(place, Way.to_all(f"its {type(fn.__self__).__name__}")) for place in memory(fn.__self__)]
        elif isinstance(fn, functools.partial):
            found += [(place, Way.to_all(f"what {fn.func} is given")) for place in held(fn)]
    objects = [one for text in texts for one in fence.followed.objects(text)]
    everything = False
    for captured in texts:
        changed = fence.followed.changed(captured, fence)
        found += changed.places
        defaults = defaults_of(captured)
        found += [(place, Way.to_all(name)) for name in sorted(changed.given & defaults.keys())
                  for place in held(defaults[name])]
        everything = everything or changed.all
        if changed.own:                                    # of an object that runs a method
            bound = [fn.__self__ for fn in functions if isinstance(fn, types.MethodType) and fn.__func__ is captured.fn]
            receivers = [*((type(one).__name__, one) for one in bound), *(
                (name, one) for name, one in objects if captured.fn in fence.followed.methods(type(one)))]
            for (name, receiver), node in itertools.product(receivers, changed.own):
                value = of_receiver(node, receiver)
                found += [(place, Way.to_all(name)) for place in held(value)]
                everything = everything or receiver is MADE or value is MISSING
    if everything:
        found = [*((place, Way.to_all(name)) for captured in texts for name, value in _outer(captured)
                   for place in held(value)), *found]
    return {**dict(found), **{place: way for place, way in found if way.path}}


class Effect(NamedTuple):
    """A place where functions run that may change something outside. receiver: the container, where the text itself
    calls its method."""

    check: Check
    node: Any
    functions: Sequence[Any]
    receiver: Any = None

    def paths(self, changed: dict[Place, Way]) -> set[str]:
        """To the memory that changes."""
        return {unparse(self.receiver)} if self.receiver is not None else {way.path for way in changed.values()} - {""}

    def gone_over(self) -> set[Place]:
        """The object that a loop goes over: its numbers are kept when they are read, the rest is watched
        (`rt.recorded`)."""
        loops = any(stmt.iter is self.node for stmt in nodes_of(self.check.captured.tree, gast.For))
        return {*memory(self.check.scope.value(self.node))} if loops else set()

    def refuse(self, name: str) -> None:
        """The text reads what changes."""
        is_call = isinstance(self.node, gast.Call)
        called = self.check.text(self.node.func if is_call else self.node)
        name = name if self.receiver is None else self.check.text(self.receiver)
        runs = [] if is_call else [fn.__qualname__ for fn in self.functions if isinstance(fn, types.MethodType)
                                   and not self.check.fence.is_clean(fn.__func__)]
        why = f"runs {runs[0]}, which may change {name}, and that" if runs else f"may change {name}, which"
        self.check.refuse(self.node, f"{called} {why} is read here too, and again in the backward pass",
                          f"pass {name} as an argument, and let {[*runs, called][0]} return the new value")


def check(fence: Fence) -> None:
    """Refuse the calls that change what lies outside and a text reads that is differentiated; gather what the arguments
    of the derivative must not be."""
    effects = [Effect(one, node, [fn], node.func.value if method_outside(node, one.scope) is not None else None)
               for one, node, fn in fence.changing]
    effects += [Effect(Check(fence, one, ()), *found) for one in fence.met for found in hidden(one)]
    helpers = fence.followed.texts([fn for one in fence.met for fn in helpers_of(one, fence)], MOST)
    effects += [Effect(Check(fence, one, ()), *found) for one in helpers for found in by_themselves(one, made=True)]
    found = [(one, changed) for one in effects if (changed := changed_outside(one.functions, fence))]
    for one, changed in found:
        by = one.functions if one.receiver is None else [unparse(one.node.func), one.check.captured.fn]
        fence.memory_changed += [(fn, paths) for fn in by if (paths := one.paths(changed))]
    texts = [text for one in fence.met for text in (one, *called_again(one, fence.followed_again))] if found else []
    no_reads = {id(part) for one in effects if one.receiver is not None for part in walk(one.node.func)} \
        | {id(one.node) for one in effects if one.gone_over()}
    read = {place for one in texts for place in (*read_outside(one, no_reads), *read_by_helpers(one, fence))}
    for one, changed in found:
        data = [name for text in texts for name in data_outside(text)] if ANYTHING in changed else []
        again = read & (changed.keys() - one.gone_over())
        if shared := sorted(changed[place].name for place in again) or data:
            one.refuse(shared[0])


def _outer(captured: Captured) -> list[tuple[str, Any]]:
    """What the names mean that a text reads outside."""
    names = sorted(reads(captured.tree) - writes(captured.tree))
    return [(name, value) for name in names if (value := captured.namespace.lookup(name)) is not MISSING]


def data_outside(captured: Captured) -> list[str]:
    """The variables outside that a text reads, but modules and what is of libraries."""
    return [name for name, value in _outer(captured) if not isinstance(value, types.ModuleType)
            and not (callable(value) and (is_library(value) or is_ours(value)))]
