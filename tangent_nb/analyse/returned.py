"""Whose memory the result of a function of the user may share: of which of its arguments,
and whether of something outside.

Needs the text of the function in the core language. Promises that the result shares no memory with the other arguments,
as long as that text, and those of the functions that it calls, stay what they are (`Returned.calls`). It is a question
of what can be reached, without the order of statements: names of one text belong together where one may be given, hold
or be a part of what the other stands for.

    def as_float(a, dtype):                 a, not dtype
        return np.asarray(a, dtype)
    def scaled(xs, w):                      what xs and w hold where they are containers: of an array nothing
        return xs * w

A value may share memory with another in two ways. `"any"`: it is that, a part of it, or holds it. `"parts"`: both are
containers and contain the same, as `xs + ys` contains what `xs` contains; of a number or an array that is nothing.
"""
from __future__ import annotations

import builtins
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import gast
import numpy as np

from ..rules import SUM, operator_of
from ..runtime.containers import NUMBERS
from ..syntax.blocks import head_targets, is_compound, own_expressions, statements
from ..syntax.closure import Groups
from ..syntax.nodes import body_without_docstring, dotted, given_by, names_in, parameter_names, reads, root_name, walk
from ..syntax.program import MISSING, Captured
from .arguments import bind, defaults_of
from .callables import is_code, is_plain
from .displays import names_made
from .effects import changed_by_numpy, is_pure_function
from .kinds import spec_of
from .objects import is_shape
from .rebound import bound_once
from .resolve import Scope

OUTSIDE = "<outside>"
RESULT = "<result>"
STATEMENTS = (gast.Assign, gast.AugAssign, gast.Expr, gast.Return, gast.If, gast.For, gast.While, gast.With, gast.Try,
              gast.Assert, gast.Raise, gast.Pass, gast.Break, gast.Continue)
UNKNOWN = (gast.NamedExpr, gast.Yield, gast.YieldFrom, gast.Await)
Link = tuple[str, str]     # a name, and how: "holds" is "any" of a container that holds it


class Returned(NamedTuple):
    """given: how the result may share memory with an argument, by its parameter, or in a call by its place or keyword;
    outside: it may share some with what is found outside of the function; contains: it may be a container; apart: a
    tuple, no two places of which hold one thing; calls: the calls on whose texts this rests too: the function that
    calls, None for a text of ours, the path by which it does, and which one is called."""

    given: Mapping[Any, str]
    outside: bool
    contains: bool
    calls: tuple[tuple[Any, str, Any], ...] = ()
    apart: bool = False


NOTHING = Returned({}, False, False)
Asked = Callable[[gast.Call, Scope], Returned | None]


def at_call(captured: Captured, returned: Returned, node: gast.Call) -> Returned | None:
    """The same of a call, by the places of its arguments; None where only Python can say which is which."""
    bound = bind(captured, node)
    if bound is None:
        return None
    given = [*enumerate(node.args), *((k.arg, k.value) for k in node.keywords)]
    places = {id(arg): place for place, arg in given}
    defaults = defaults_of(captured)                       # an object that is a default is the function's own
    kept = any(p not in bound and not _is_constant(defaults.get(p)) for p in returned.given)
    return Returned({places[id(bound[p])]: how for p, how in returned.given.items() if p in bound},
                    returned.outside or kept, returned.contains, returned.calls, returned.apart)


def shared_arguments(node: gast.Call) -> list[tuple[gast.expr, str]] | None:
    """The arguments of a call whose memory its value may share, with how; None where that is not known."""
    known = getattr(node, "returned", None)
    return None if known is None else _places(node, known)


def _places(node: gast.Call, known: Returned) -> list[tuple[gast.expr, str]]:
    named = {k.arg: k.value for k in node.keywords}
    return [(named[place] if isinstance(place, str) else node.args[place], how) for place, how in known.given.items()]


def returned_by(captured: Captured, called: Asked) -> Returned | None:
    """What the result of a function may share memory with; None where that may be anything. called: the same of a call
    in its text, by the places of its arguments."""
    captured = bound_once(captured)
    body = body_without_docstring(captured.tree)
    if captured.caches:
        return Returned(dict.fromkeys(parameter_names(captured.tree), "any"), True, True)
    if not all(isinstance(stmt, STATEMENTS) for stmt in statements(body)) \
            or any(isinstance(node, UNKNOWN) for node in walk(body)):
        return None
    count = _tuple_length(body)
    if count and (found := Belonging(captured, called, body, by_place=True).apart(count)) is not None:
        return found
    return Belonging(captured, called, body).returned([RESULT])


def _tuple_length(body: Sequence[gast.stmt]) -> int:
    """How many places the tuple has that is written out wherever the function returns; 0 where there is none such."""
    values: list[Any] = [stmt.value for stmt in statements(body) if isinstance(stmt, gast.Return)]
    lengths = {len(one.elts) if isinstance(one, gast.Tuple)
               and not any(isinstance(item, gast.Starred) for item in one.elts) else 0 for one in values}
    return lengths.pop() if len(lengths) == 1 else 0


def _place(i: int) -> str:
    return f"<result {i}>"


class Belonging:
    """The names of one text. whole: those that belong together; holding: those that stand for a container with others
    in it; parts: pairs of names that may contain the same; arrays: names of arrays of numbers, which copy what is
    stored. by_place: the places of a tuple that is returned have names of their own; results: what is returned belongs
    together; outer: gets the variables outside, with what they mean, where each is to stand for itself and not all for
    one thing."""

    def __init__(self, captured: Captured, called: Asked, body: Sequence[gast.stmt], *, by_place: bool = False,
                 results: bool = True, outer: dict[str, Any] | None = None) -> None:
        self.captured, self.scope, self.called, self.by_place = captured, Scope.of(captured), called, by_place
        self.parameters, self.results, self.outer = parameter_names(captured.tree), results, outer
        self.whole = Groups()
        self.holding: set[str] = set()
        self.parts: set[tuple[str, str]] = set()
        self.calls: dict[tuple[Any, str, Any], None] = {}
        self.arrays = names_made(captured.tree.body, self.parameters, lambda value, _: self._is_array(value))
        for stmt in statements(body):
            self.statement(stmt)

    def statement(self, stmt: Any) -> None:
        for node in walk(own_expressions(stmt) if is_compound(stmt) else stmt):
            if isinstance(node, gast.Call) and not self._leaves_alone(node):
                self._together(node)
            elif isinstance(node, gast.comprehension):
                self._bind(node.target, self.links(node.iter))
        if isinstance(stmt, gast.Assign):
            found = self.links(stmt.value)
            for target in stmt.targets:
                self._bind(target, found)
        elif isinstance(stmt, gast.AugAssign):             # a list gets the items of the other
            self._bind(stmt.target, _contents(self.links(stmt.value)), added=True)
        elif isinstance(stmt, gast.For):
            self._bind(stmt.target, self.links(stmt.iter))
        elif isinstance(stmt, (gast.With, gast.Try)):
            # what a manager gives, and what an exception holds, may be anything
            for target in head_targets(stmt):
                self._bind(target, [(name, "holds") for name in [OUTSIDE, *sorted(self.scope.local)]])
        elif isinstance(stmt, gast.Return) and self.by_place:
            for i, item in enumerate(stmt.value.elts):
                self._join(_place(i), self.links(item))
        elif isinstance(stmt, gast.Return) and stmt.value is not None and self.results:
            self._join(RESULT, self.links(stmt.value))

    def apart(self, count: int) -> Returned | None:
        """What is reached from a tuple of so many places; None where two of them may have something in common, or one
        may hold containers."""
        groups, results = self.settled(), [_place(i) for i in range(count)]
        found = {groups.name(name) for name in results}
        apart = len(found) == count and found.isdisjoint(map(groups.name, self.holding))
        return self.returned(results)._replace(contains=True, apart=True) if apart else None

    def returned(self, results: Sequence[str]) -> Returned:
        """What is reached from these results."""
        groups = self.settled()
        holding = {groups.name(name) for name in self.holding}
        names = {*results, OUTSIDE, *self.parameters, *(name for pair in self.parts for name in pair)}
        reached = Groups([*self.parts, *((name, groups.name(name)) for name in sorted(names))])
        whole, reachable = {groups.name(one) for one in results}, {reached.name(one) for one in results}
        given = {p: "any" if groups.name(p) in whole else "parts" for p in self.parameters
                 if reached.name(p) in reachable}
        return Returned(given, reached.name(OUTSIDE) in reachable, not whole.isdisjoint(holding), tuple(self.calls))

    def settled(self) -> Groups:
        """The names that belong together. A pair of parts is one of wholes where something was put into one of the
        two."""
        groups = self.whole
        while True:
            holding = {groups.name(name) for name in self.holding}
            filled = {pair for pair in self.parts if not holding.isdisjoint(map(groups.name, pair))}
            if not filled:
                return groups
            self.parts -= filled
            for pair in sorted(filled):
                groups.join(pair)
                self.holding.update(pair)

    def _join(self, name: str, found: Iterable[Link]) -> None:
        for other, how in found:
            if how == "parts":
                self.parts.add((name, other))
            else:
                self.whole.join([name, other])
                if how == "holds":
                    self.holding.add(name)

    def _bind(self, target: Any, found: list[Link], *, added: bool = False) -> None:
        """A name gets what is found, or a part of what it stands for does. added: to what is there."""
        if isinstance(target, (gast.Tuple, gast.List)):
            for part in target.elts:
                self._bind(part, found)
            return
        name = root_name(target.value if isinstance(target, gast.Starred) else target)
        if isinstance(target, gast.Name):
            self._join(target.id, [] if added and target.id in self.arrays else found)
        elif name is None:                                 # a part of what an expression gives
            self._join(OUTSIDE, [(other, "holds") for other in [*(n for n, _ in found), *self._names(target)]])
        elif name not in self.arrays:
            self._join(name, [(other, how if added and how == "parts" else "holds") for other, how in found])

    def _together(self, node: gast.Call) -> None:
        """A call may put what it is given into another thing that it is given, if that is made here."""
        names = sorted(self._names(node))
        for name in names:
            self._join(names[0], [(name, "holds")])

    def _leaves_alone(self, node: gast.Call) -> bool:
        fn, operation, row = self.scope.value(node.func), self.scope.operation(node), self.scope.effects(node)
        if changed_by_numpy(node, fn) is not None or row.calls:
            return False
        if operation.kind == "function":
            return self.called(node, self.scope) is not None
        return operation.kind in ("rule", "container", "plain") or is_pure_function(fn) \
            or row.owner is None and row.written != "" and row.pure

    def _names(self, node: Any) -> set[str]:
        """All that an expression may reach."""
        names = names_in(node)
        values = {name: self.scope.value(gast.Name(name, gast.Load(), None, None)) for name in names - self.scope.local}
        return names & self.scope.local | {self._name(name) for name, value in values.items()
                                           if not (isinstance(value, types.ModuleType) or is_code(value))}

    def _is_array(self, value: gast.expr) -> bool:
        """A new array, and of no objects for certain."""
        operation, spec = self.scope.operation(value), spec_of(value, {}, self.scope)
        # np.full(2, None) is an array of objects
        objects = any(isinstance(part, gast.Constant) and part.value is None for part in walk(value))
        numbers = isinstance(spec.dtype, str) and spec.dtype != "O" or "dtype" not in operation.args and not objects
        return operation.kind == "rule" and operation.memory == "fresh" and spec.kind == "array" and numbers

    def links(self, node: Any) -> list[Link]:
        """The names whose memory the value of an expression may share, with how."""
        if isinstance(node, gast.Name):
            name = self._name(node.id)
            return [] if node.id not in self.scope.local and is_code(self.scope.value(node)) else [(name, "any")]
        if isinstance(node, (gast.Constant, gast.Compare, gast.JoinedStr)):
            return []
        if isinstance(node, gast.Attribute):
            return self._attribute(node)
        if isinstance(node, gast.BinOp):
            return [*self._operand(node.left), *self._operand(node.right)]
        if isinstance(node, gast.UnaryOp):
            return [] if isinstance(node.op, gast.Not) else self._operand(node.operand)
        if isinstance(node, gast.Call):
            return self._call(node)
        parts = given_by(node)
        if isinstance(node, (gast.Tuple, gast.List, gast.Set, gast.Dict)):
            keys = [key for key in getattr(node, "keys", ()) if key is not None]
            return [*_made(node), *self._held([*parts, *keys])] if parts else []
        if parts:
            return [one for part in parts for one in self.links(part)]
        return [*_made(node), *((name, "holds") for name in sorted(self._names(node)))]

    def _name(self, name: str) -> str:
        """What a variable is called here."""
        return name if name in self.scope.local else self._outside(name, self.captured.namespace.lookup(name))

    def _outside(self, path: str, value: Any) -> str:
        if self.outer is None:
            return OUTSIDE
        self.outer[path] = value
        return path

    def _attribute(self, node: gast.Attribute) -> list[Link]:
        value = self.scope.value(node)
        if value is not MISSING:
            return [] if _is_constant(value) else [(self._outside(dotted(node) or "", value), "any")]
        if is_shape(node.attr):
            return []
        answers = not hasattr(np.ndarray, node.attr)       # code of a class may
        return [*self.links(node.value), *([(OUTSIDE, "any")] if answers else [])]

    def _held(self, parts: Iterable[Any]) -> list[Link]:
        return [(name, "holds") for part in parts for name, _ in self.links(part)]

    def _operand(self, node: Any) -> list[Link]:
        """What an operator's value may contain of an operand: of a container; of an object that answers itself all."""
        if isinstance(node, gast.Name) and node.id not in self.scope.local:
            return [] if isinstance(self.scope.value(node), NUMBERS) else [(self._name(node.id), "any")]
        return _contents(self.links(node))

    def _call(self, node: gast.Call) -> list[Link]:
        fn, operation, row = self.scope.value(node.func), self.scope.operation(node), self.scope.effects(node)
        receiver = [node.func.value] if fn is MISSING and isinstance(node.func, gast.Attribute) else []
        given = [*receiver, *node.args, *(k.value for k in node.keywords)]
        if operation.kind == "plain" or row.gives in ("plain", "nothing") and row.written:
            return []
        if changed_by_numpy(node, fn) is not None:
            return self._held(given)
        if operation.kind == "rule" and operation.rule is not None and operation.rule.supported:
            if operation.rule is SUM and "start" in operation.args:            # of no items that itself
                return [*self._operand(operation.args["x"]), *self.links(operation.args["start"])]
            if operation.memory == "fresh":                # `copy` of a list has the same items
                of_python = getattr(fn, "__module__", "") == builtins.__name__ or bool(operator_of(fn))
                return [one for part in (receiver or given if of_python or receiver else [])
                        for one in self._operand(part)]
            if operation.memory == "view":
                return [one for part in list(operation.args.values())[:1] for one in self.links(part)]
            return [*_made(node), *self._held(given)]
        if operation.kind == "function" and (known := self.called(node, self.scope)) is not None:
            return self._function(node, operation.fn, known)
        if operation.kind == "container":                  # code of its class may answer what is asked of it
            return [*_made(node), *self._held(given), *([] if operation.fn is None else [(OUTSIDE, "holds")])]
        if row.written or is_pure_function(fn) and operation.rule is None:
            return [*_made(node), *self._held(given)]
        return [(OUTSIDE, "any"), *((name, "holds") for name in sorted(reads(node) & self.scope.local))]

    def _function(self, node: gast.Call, fn: Any, known: Returned) -> list[Link]:
        path = dotted(node.func) or ""
        ours = path.partition(".")[0] in {"", *self.captured.ours}
        self.calls.update(dict.fromkeys([(None if ours else self.captured.fn, path, fn), *known.calls]))
        found = [one for part, how in _places(node, known) for one in (
            self._operand(part) if how == "parts" else self._held([part]) if known.contains else self.links(part))]
        return [*found, *([(OUTSIDE, "any")] if known.outside else []), *(_made(node) if known.contains else [])]


def _is_constant(value: Any) -> bool:
    return is_plain(value) or is_code(value)


def _made(node: Any) -> list[Link]:
    """A container that is made here, under a name of its own."""
    return [(f"<{id(node)}>", "holds")]


def _contents(found: Iterable[Link]) -> list[Link]:
    """What a container with the items of another may share, by what that one may share."""
    return [(name, "parts" if how == "any" else how) for name, how in found]
