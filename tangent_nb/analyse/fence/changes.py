"""What one text changes outside: variables that it binds, and arrays, containers and objects that it changes in place.

Needs the text in the core language. Promises that it leaves alone all else that it reaches; what the functions change
that it calls is asked of their texts (`outside.py`).

    K[i] = v, K.fill(0.0)             K                 r = rows[0]; r += 1.0       what rows holds
    given()[0] = v                    all               self.k[i] = v               of an object, its k
"""
from __future__ import annotations

import inspect
import types
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import gast
import numpy as np

from ...errors import RefusedError
from ...runtime.containers import is_generated_method
from ...syntax.blocks import statements
from ...syntax.building import origin_of, substitute
from ...syntax.nodes import body_without_docstring, nodes_of, root_name, target_names, walk, writes
from ...syntax.paths import path_of
from ...syntax.program import Captured
from ..arguments import bind
from ..changed import CHANGED, changed_at
from ..displays import makes_container, names_made
from ..effects import is_opaque
from ..implicit import objects_in
from ..libraries import is_user_class
from ..resolve import Scope
from ..returned import STATEMENTS, UNKNOWN, Belonging
from .namespaces import Place, changes_by_name, of_module
from .places import held, known, memory, method_outside, name_of_changed, places_of

if TYPE_CHECKING:
    from . import Fence

ANYTHING: Place = ("name", 0, "")                          # some variable of some module, whose name nobody sees
ASSIGNED = "<assigned>"                                    # an attribute of it


class Way(NamedTuple):
    """How one comes to what changes. name: of the variable; path: the expression, with `[...]` where what that holds
    may change too; none where attributes of an object are assigned, and no memory changes."""

    name: str
    path: str = ""

    @staticmethod
    def to_all(name: str) -> Way:
        """To what a variable holds."""
        return Way(name, f"{name}[...]")


class Changed(NamedTuple):
    """What a text changes outside. places: with the ways to them; given: the parameters of whose arguments it may
    change something; own: what it changes of the first one, as expressions; all: it may change whatever it reaches."""

    places: list[tuple[Place, Way]]
    given: frozenset[str] = frozenset()
    own: Sequence[Any] = ()
    all: bool = False


def changes_of(captured: Captured, fence: Fence) -> Changed:
    """The names outside of a text that it binds, and what it changes in place: the expressions say where, and of
    variables of its own what they may share memory with."""
    scope, body = Scope.of(captured), body_without_docstring(captured.tree)
    bound = {name for node in nodes_of(captured.tree, gast.Global, gast.Nonlocal) for name in node.names}
    places = [(place, Way.to_all(name)) for name in sorted(bound) for place in places_of(captured, name)]
    if changes_by_name(captured, fence.is_clean):
        places.append((ANYTHING, Way("")))
    places += [(one, Way.to_all(node.attr)) for node in nodes_of(captured.tree, gast.Attribute)
               if not isinstance(node.ctx, gast.Load) and (place := of_module(node, scope)) is not None
               for one in (place, *memory(scope.value(node)))]
    if not all(isinstance(stmt, (*STATEMENTS, gast.Global, gast.Nonlocal)) for stmt in statements(body)) \
            or any(isinstance(node, UNKNOWN) for node in walk(body)):
        return Changed(places, all=True)
    return _Text(captured, fence, body, places).changed()


class _Text:
    """What is found in one text. outer: the variables outside that it reads; own, places: as in `Changed`; inner,
    lambdas: names that are not of outside, those of lambdas among them; made: variables for containers of the text;
    taken: those that stand for attributes."""

    def __init__(self, captured: Captured, fence: Fence, body: list[gast.stmt],
                 places: list[tuple[Place, Way]]) -> None:
        self.fence, self.body, self.places, self.namespace = fence, body, places, captured.namespace
        self.scope, self.outer, self.own = Scope.of(captured), dict[str, Any](), list[Any]()
        self.names = Belonging(captured, fence.returned_at, body, results=False, outer=self.outer)
        self.first = (self.names.parameters or [""])[0]
        self.lambdas = {name for node in nodes_of(body, gast.Lambda) for name in writes(node.args)}
        self.inner = self.scope.local | self.lambdas | {
            name for node in nodes_of(body, gast.comprehension) for name in target_names(node.target)}
        self.made = names_made(body, self.names.parameters, lambda value, own: makes_container(value, self.scope, own))
        self.taken = {stmt.targets[0].id: stmt.value for stmt in statements(body) if hasattr(stmt, "taken")}

    def changed(self) -> Changed:
        clean, changed_by = self.fence.is_clean, partial(_changed_by, self.fence)
        for node in walk(self.body):
            if isinstance(node, gast.Attribute) and not isinstance(node.ctx, gast.Load):
                self.change(node.value, ASSIGNED)
                continue
            is_call = isinstance(node, gast.Call)
            held_by = [node.func] if is_call and not isinstance(node.func, gast.Attribute) \
                and is_opaque(node, self.scope, clean) else []                 # f of `f = A.fill`
            for one in [*held_by, *changed_at(node, self.scope, clean, changed_by)]:
                if root_name(one) in self.lambdas:
                    return Changed(self.places, all=True)
                self.change(one, CHANGED, is_call and method_outside(node, self.scope) is None)
        return self.reached()

    def change(self, one: Any, how: str, deep: bool = False) -> None:
        """What changes in place, deep in it too, or is an object that gets another attribute."""
        root = root_name(one)
        if not deep and isinstance(one, gast.Name) and one.id in self.made:
            return
        if root in self.taken:
            self.change(self.taken[root] if isinstance(one, gast.Name) else substitute(one, self.taken), how, deep)
        elif root == self.first and how is CHANGED:
            self.own.append(one)
        elif root is None or root in self.inner or any(isinstance(part, gast.Call) for part in walk(one)):
            self.names.whole.join([how, *(name for name, _ in self.names.links(one))])
        else:
            self.outside(one, root, how, deep)

    def outside(self, one: Any, root: str, how: str, deep: bool) -> None:
        value, path, name = known(one, self.scope), path_of(one), name_of_changed(one, self.scope)
        if path is not None and isinstance(self.namespace.lookup(root), types.ModuleType):
            path = path.partition(".")[2]
        if how is ASSIGNED and not isinstance(value, np.ndarray):
            self.places += [(place, Way(name)) for place in memory(value)]
        elif deep or not path:
            self.places += [(place, Way(name, f"{path or name}[...]")) for place in held(value)]
        else:
            self.places += [(place, Way(name, path)) for place in memory(value)]

    def reached(self) -> Changed:
        """With what the variables of the text, that change, share memory with."""
        given, self.names.parameters = frozenset(self.names.parameters), [*self.names.parameters, *sorted(self.outer)]
        found, assigned = self.names.returned([CHANGED]), self.names.returned([ASSIGNED]).given.keys()
        changed = sorted(self.outer.keys() & found.given.keys())
        self.places += [(place, Way.to_all(path.rpartition(".")[2])) for path in changed
                        for place in held(self.outer[path])]
        self.places += [(place, Way(path.rpartition(".")[2])) for path in sorted(self.outer.keys() & assigned)
                        for one in objects_in(self.outer[path]) for place in memory(one)]
        if self.first in found.given:                      # by another name
            self.own.append(gast.Name(self.first, gast.Load(), None, None))
        own = {self.first} if self.own else set()
        return Changed(self.places, given & (found.given.keys() | own), self.own, found.outside)


def _changed_by(fence: Fence, node: gast.Call, fn: Any) -> list[Any]:
    """The arguments of a call that may be changed by it: of a class by its `__init__`, which gets a new object."""
    made = isinstance(fn, type) and is_user_class(fn) and type(fn) is type
    new, init = inspect.getattr_static(fn, "__new__", None), inspect.getattr_static(fn, "__init__", None)
    if not made or new is not object.__new__ or not isinstance(init, types.FunctionType):
        return fence.changed_by(node, fn)
    if is_generated_method(init):
        return []
    texts = fence.followed.texts([init])
    call = gast.Call(node.func, [gast.Constant(None, None), *node.args], node.keywords)
    bound = bind(texts[0], call) if texts else None
    changed = fence.followed.changed(texts[0], fence) if texts else None
    if bound is None or changed is None or changed.all:
        return fence.changed_by(node, fn)
    return [arg for name, arg in bound.items() if name in changed.given and arg is not call.args[0]]


def told_by(fence: Fence, fn: Any) -> str:
    """What says that a function may change something: the first place in its text."""
    try:
        captured, node = fence.first_change(fn) if isinstance(fn, types.FunctionType) else (None, None)
    except RefusedError:
        captured = None
    if captured is None:
        return "and its text cannot be read"
    at = [origin_of(stmt) for stmt in statements(captured.tree.body) if any(part is node for part in walk(stmt))]
    span = at[-1].span if at and at[-1] is not None else None
    line = "" if span is None else span.source.line(span.line).strip()
    return "as far as its text tells" if span is None else \
        f"as far as its text tells: {span.source.label}, line {span.line}: {line}"
