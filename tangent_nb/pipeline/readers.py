"""Who reads a variable outside of the function that is differentiated: functions, methods and objects,
by their compiled code.

Needs a value that a text can see. Promises to find a reader among all that the value may call; a name that only looks
like the variable counts too. Functions that are called by their names get the variable as an argument, each in a text
of ours.

    def g(x):                          def g(x, *, W):
        return x * W              →        return x * W
    def f(x):                          def f(x, *, W):
        return g(x) * W                    return g(x, W=W) * W
"""
from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import gast

from ..analyse.libraries import is_library, is_user_class
from ..desugar import Reader
from ..desugar.scopes import Visible, bound, free
from ..desugar.texts import Unit
from ..rules import effect_rows
from ..runtime.attributes import own_dict
from ..runtime.containers import HEAP, held_by, names_outside
from ..syntax.building import clone, load, parameter
from ..syntax.names import Names
from ..syntax.nodes import body_without_docstring, names_in
from ..syntax.program import Captured, Namespace

# they find variables, which no text shows
BY_NAME = frozenset(row.name for row in effect_rows() if row.outside in ("names", "code"))


@dataclass
class Lifting:
    """Texts of functions that read variables outside, with these as arguments. names: the variables; home: where they
    are; texts: gives the text of a function; made: the functions of ours, by those of the user."""

    names: tuple[str, ...]
    home: Namespace
    texts: Reader
    made: dict[Any, Any] = field(default_factory=dict)

    def lifted(self, captured: Captured, given: Mapping[str, str]) -> Captured:
        """A text whose calls of readers pass the variables on. given: the name of each variable in this text."""
        tree: gast.FunctionDef = clone(captured.tree)
        visitor = _Calls(dict.fromkeys(free(captured.tree)))
        visitor.setup(self, captured, given, Names(names_in(tree) | set(captured.namespace.cells)))
        tree.body = [visitor.visit(stmt) for stmt in body_without_docstring(tree)]
        cells = {name: types.CellType(fn) for name, fn in visitor.cells.items()}
        return replace(captured, tree=tree,
                       namespace=Namespace(captured.namespace.globals, {**captured.namespace.cells, **cells}),
                       ours=captured.ours | set(cells), assumed=(*captured.assumed, *sorted(visitor.assumed.items())))

    def function(self, fn: Any) -> Any:
        """The function of ours for one of the user."""
        if fn not in self.made:
            captured = self.texts.unit(fn).captured
            tree: gast.FunctionDef = clone(captured.tree)
            mine = [name for name in self.names if name not in bound(tree)]
            tree.args.kwonlyargs += [parameter(name) for name in mine]
            tree.args.kw_defaults += [None] * len(mine)
            new = self.made[fn] = self.texts.make(replace(captured, tree=tree), {})
            whole = self.lifted(replace(captured, tree=tree), {name: name for name in mine})
            self.texts.made[new] = Unit(replace(whole, fn=new))
        return self.made[fn]


class _Calls(Visible):
    """Calls of readers by names that a text does not bind."""

    def setup(self, lifting: Lifting, captured: Captured, given: Mapping[str, str], names: Names) -> None:
        self.lifting, self.captured, self.given, self.taken = lifting, captured, given, names
        self.cells: dict[str, Any] = {}
        self.assumed: dict[str, Any] = {}

    def inside(self, own: set[str]) -> _Calls:
        new = _Calls({name: value for name, value in self.names.items() if name not in own})
        new.lifting, new.captured, new.given, new.taken = self.lifting, self.captured, self.given, self.taken
        new.cells, new.assumed = self.cells, self.assumed
        return new

    def visit_Call(self, node: gast.Call) -> gast.Call:
        self.generic_visit(node)
        if isinstance(node.func, gast.Name) and node.func.id in self.names:
            fn = self.captured.namespace.lookup(node.func.id)
            if isinstance(fn, types.FunctionType) \
                    and any(may_read(fn, name, self.lifting.home) for name in self.lifting.names):
                self.assumed[node.func.id] = fn
                made = self.lifting.function(fn)
                name = next((name for name, one in self.cells.items() if one is made), None) \
                    or self.taken.new(node.func.id)
                self.cells[name] = made
                tree = self.lifting.texts.made[made].captured.tree
                mine = [one.id for one in tree.args.kwonlyargs if one.id in self.lifting.names]
                node.keywords += [gast.keyword(name, load(self.given[name])) for name in mine if name in self.given]
                node.func = gast.copy_location(load(name), node.func)
        return node


def may_read(value: Any, name: str, namespace: Namespace) -> bool:
    """A value, or what it may call, reads a variable of a namespace."""
    return any(isinstance(one, types.FunctionType) and _reads(one, name, namespace) for one in _all_reached(value))


def _all_reached(value: Any) -> Iterator[Any]:
    """A value, and all that it may call or read, outside of libraries."""
    todo, seen = [value], set()
    while todo:
        one = todo.pop()
        if id(one) in seen or isinstance(one, types.FunctionType) and is_library(one):
            continue
        seen.add(id(one))
        yield one
        todo += _reached(one)


def why_not_lifted(fn: types.FunctionType) -> str:
    """Why a function that reads a variable outside gets no text in which it is an argument; empty where it does."""
    if fn.__code__.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS):
        return "takes any number of arguments"
    if any(_reaches(one, fn) for one in _reached(fn) if isinstance(one, types.FunctionType) and one is not fn):
        return "calls itself through another function"
    if any(isinstance(one, types.FunctionType) for one in held_by(fn).values()):
        return "calls a function that it is made around"
    return ""


def _reaches(value: Any, fn: types.FunctionType) -> bool:
    return any(one is fn for one in _all_reached(value))


def _reads(fn: types.FunctionType, name: str, namespace: Namespace) -> bool:
    if fn.__globals__ is namespace.globals and BY_NAME.intersection(names_outside(fn.__code__)):
        return True                                        # by its name, which cannot be seen
    cell = namespace.cells.get(name)
    if cell is not None:
        return any(one is cell for one in fn.__closure__ or ())
    return fn.__globals__ is namespace.globals and name in names_outside(fn.__code__)


def _reached(value: Any) -> Iterator[Any]:
    """What a value may call, or read."""
    if isinstance(value, types.FunctionType):
        names = names_outside(value.__code__)
        found = [value.__globals__[name] for name in names if name in value.__globals__]
        yield from found
        yield from (getattr(one, name) for one in found if isinstance(one, types.ModuleType) for name in names
                    if isinstance(vars(one).get(name), (types.FunctionType, type)))
        yield from held_by(value).values()
        yield from value.__defaults__ or ()
        yield from (value.__kwdefaults__ or {}).values()
    elif isinstance(value, types.MethodType):
        yield from (value.__func__, value.__self__)
    elif isinstance(value, functools.partial):
        yield from (value.func, *value.args, *value.keywords.values())
    elif isinstance(value, (staticmethod, classmethod)):
        yield value.__func__
    elif isinstance(value, property):
        yield from (value.fget, value.fset)
    elif isinstance(value, (list, tuple, set)):
        yield from value
    elif isinstance(value, dict):
        yield from value.values()
    elif isinstance(value, type):
        yield from (part for kind in value.__mro__ if _is_of_user(kind) for part in vars(kind).values())
    elif _is_of_user(type(value)):
        yield type(value)
        yield from own_dict(value).values()
    elif hasattr(value, "__wrapped__"):
        yield value.__wrapped__


def _is_of_user(kind: type) -> bool:
    """A class that a class statement of the user made."""
    return bool(kind.__flags__ & HEAP) and isinstance(kind.__module__, str) and is_user_class(kind)
