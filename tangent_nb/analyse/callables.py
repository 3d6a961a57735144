"""Which functions and classes a name of a text may stand for,
where that is known: each is asked what a call of it does.

Needs the text of a function in the core language, and what some of its parameters are given.
Promises all that a name may stand for, or None.

    def as_float(a, dtype=None):
        dtype = optional(dtype, FLOAT)      of as_float(x): dtype is None, or what FLOAT is; dtype(a) changes nothing
        return dtype(a)
    return SHAPES[kind](x)                  a table of functions outside: any of them
"""
from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import gast
import numpy as np

from .. import runtime
from ..runtime.remembered import OPERATORS
from ..syntax.blocks import statements
from ..syntax.nodes import body_without_docstring, nodes_of, parameter_names, starred_parameters, target_names
from ..syntax.program import MISSING, Captured
from .arguments import bind, defaults_of
from .flow import bound_by
from .resolve import Scope

Values = tuple[Any, ...]


def is_code(value: Any) -> bool:
    """A function or a class."""
    return isinstance(value, (type, types.FunctionType, types.BuiltinFunctionType))


def is_plain(value: Any) -> bool:
    """None, a number or a text: to call one raises."""
    return value is None or isinstance(value, (int, float, complex, str, bytes, np.generic))


class Known(NamedTuple):
    """A function, and what some of its parameters may be in a call. plain: those that are numbers, texts or None."""

    fn: Any
    values: tuple[tuple[str, Values], ...]
    plain: frozenset[str] = frozenset()


class Called(NamedTuple):
    """A call of a function in a text. names: what the names of that text may stand for, as far as it is known."""

    fn: Any
    node: gast.Call
    scope: Scope
    names: Names | None


class Names:
    """What the names of one text may stand for. given: what some parameters are; results: what a call may give;
    plain: the parameters that are numbers, texts or None."""

    def __init__(self, captured: Captured, given: Mapping[str, Values],
                 results: Callable[[Called], Values | None], plain: frozenset[str] = frozenset()) -> None:
        tree = captured.tree
        self.plain = plain
        self.scope, self.given, self.results = Scope.of(captured), given, results
        self.bound: dict[str, list[Any]] = {}
        self.others = {*parameter_names(tree), *starred_parameters(tree)} - given.keys()
        for stmt in statements(tree.body):
            if not isinstance(stmt, gast.Assign):
                self.others |= bound_by(stmt)
                continue
            for target in stmt.targets:
                if isinstance(target, gast.Name):
                    self.bound.setdefault(target.id, []).append(stmt.value)
                else:
                    self.others.update(target_names(target))
        inner = [node.target for node in nodes_of(tree.body, gast.comprehension, gast.NamedExpr)]
        self.others |= {name for target in inner for name in target_names(target)}
        self.returned = [stmt.value
                         for stmt in statements(body_without_docstring(tree)) if isinstance(stmt, gast.Return)]
        self.known: dict[str, Values | None] | None = None

    def of(self, node: Any) -> Values | None:
        """What an expression may stand for; None where it may be anything. What cannot be called is None among them."""
        if isinstance(node, gast.Name) and node.id in self.scope.local:
            return self._solved().get(node.id)
        if isinstance(node, (gast.Constant, gast.Compare, gast.JoinedStr)):
            return (None,)
        if isinstance(node, (gast.Name, gast.Attribute)):
            value = self.scope.value(node)
            return (value,) if is_code(value) else (None,) if is_plain(value) else None
        if isinstance(node, (gast.IfExp, gast.BoolOp)):
            return _joined([*map(self.of, [node.body, node.orelse] if isinstance(node, gast.IfExp) else node.values)])
        if isinstance(node, gast.Subscript) and type(table := self.scope.value(node.value)) is dict:
            return _joined([(value,) if is_code(value) else None for value in table.values()])
        fn = self.scope.value(node.func) if isinstance(node, gast.Call) else MISSING
        if fn is runtime.bind:                             # to what it is given where this is called
            return self.of(node.args[0])
        if isinstance(fn, types.FunctionType) and (fn in OPERATORS or fn is runtime.derivative_of):
            return self._derived(node.args[0]) if node.args else None
        return self.results(Called(fn, node, self.scope, self)) if isinstance(fn, types.FunctionType) else None

    def is_plain(self, node: Any) -> bool:
        """An expression is a number, a text or None: one that is written down, or a name of nothing else."""
        if isinstance(node, gast.Name) and node.id in self.scope.local:
            values = self.bound.get(node.id, [])
            return (node.id in self.plain or bool(values) and node.id not in self.others) \
                and all(isinstance(value, (gast.Constant, gast.JoinedStr)) for value in values)
        return isinstance(node, (gast.Constant, gast.JoinedStr)) or is_plain(self.scope.value(node))

    def _derived(self, node: Any) -> Values | None:
        """What a derivative may change, that may the function, or what a lambda calls."""
        if isinstance(node, gast.Lambda):
            return _joined([(None,), *(self._derived(call.func) for call in nodes_of([node.body], gast.Call))])
        value = self.scope.value(node)
        return (value,) if value is not MISSING and callable(value) else self.of(node)

    def result(self) -> Values | None:
        """What the function may return."""
        return _joined([(None,) if value is None else self.of(value) for value in self.returned])

    def _solved(self) -> dict[str, Values | None]:
        """What each name may stand for: the least that what the names are given allows."""
        if self.known is None:
            names = sorted({*self.bound, *self.given} - self.others)
            self.known = {**dict.fromkeys(self.others), **dict.fromkeys(names, ())}
            changed = True
            while changed:
                changed = False
                for name in names:
                    start = [self.given[name]] if name in self.given else []
                    values = _joined([*start, *map(self.of, self.bound.get(name, ()))])
                    changed |= values != self.known[name]
                    self.known[name] = values
        return self.known


def _is_plain(call: Called, node: Any) -> bool:
    return isinstance(node, gast.Constant) or is_plain(call.scope.value(node)) if call.names is None \
        else call.names.is_plain(node)


def known_call(captured: Captured, call: Called) -> Known | None:
    """A function with what its parameters may be in a call, arguments and defaults;
    None where nothing is known of them."""
    bound, defaults = bind(captured, call.node), defaults_of(captured)
    if bound is None:
        return None
    found: dict[str, Values] = {}
    plain = set()
    for name in parameter_names(captured.tree):
        default = defaults.get(name, MISSING)
        values = call.names.of(bound[name]) if name in bound and call.names is not None else None
        if name not in bound and (is_plain(default) or is_code(default)):
            values = (default if is_code(default) else None,)
        if _is_plain(call, bound[name]) if name in bound else is_plain(default):
            plain.add(name)
        if values is not None:
            found[name] = values
    return Known(call.fn, tuple(sorted(found.items())), frozenset(plain)) if found or plain else None


def _joined(several: list[Values | None]) -> Values | None:
    found: dict[int, Any] = {}
    for values in several:
        if values is None:
            return None
        found.update((id(value), value) for value in values)
    return tuple(found.values())
