"""The fence: an allow-list of what is differentiated; everything else is refused, all places of a function at once.

Needs a captured function and the parameters to differentiate. Promises refusals in the order of the text, each with
place, reason and remedy, and none for a function that the later stages cannot handle (but for ownership, which they
judge). Callees that carry a derivative are fenced too.
"""
from __future__ import annotations

import functools
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import gast

from ...errors import Refusal, RefusedError
from ...runtime.remembered import OPERATORS
from ...syntax.deep import deep, room
from ...syntax.nodes import walk
from ...syntax.program import Captured
from ..activity import Varied, gives_no_derivative
from ..arguments import bind
from ..callables import Called, Known, Names, Values, known_call
from ..changed import changed_parameters
from ..effects import Making, first_change
from ..identity import asks
from ..leaving import refused_always
from ..libraries import is_library
from ..rebound import bound_once
from ..resolve import Operation, Scope
from ..returned import NOTHING, Returned, at_call, returned_by
from . import outside, stored_outside
from .function import check_function
from .nesting import UNKNOWN, Depths, Nesting, depths_given
from .outside import Followed
from .raised import given_varied, reads_numbers, throws
from .state import Check

FRAMES = 10                                                # on the stack, for a question about a callee


@dataclass
class Fence:
    """What one attempt gathers. capture: gives the text of a callee as it runs, or raises RefusedError; differentiated:
    gives that with places left out, which are refused when they are reached; steady: "once" or "twice", for what a
    solver follows whose solution is differentiated so often; uses: where the objects of a class are used as values, in
    the text of a function; met: the functions that were checked; given: the depths of what functions return; memory:
    whose memory that may be; identifying: whether functions ask if what they are given is one object; asked, assumed:
    those of which memory is being found, and what is known so far of the last; callables: which functions and classes
    calls may give; changed: the parameters of functions whose arguments they may change; changing: calls of functions
    that do more than compute, and get nothing that they could change; lost: calls of functions that may change their
    arguments, as statements; throwing: calls of functions through which no derivative flows; thrown: whether those
    raise what is made of these parameters; memory_changed: the paths to arrays and containers outside that functions,
    or methods by the paths to them, change in place; set_outside, grown: attributes that are assigned, and lists and
    dicts that get items, of what comes from outside; refused: the functions with a refused place."""

    capture: Callable[[Any], Captured]
    mode: str = "reverse"
    uses: Mapping[tuple[Any, type], Refusal] = field(default_factory=dict)
    refusals: list[Refusal] = field(default_factory=list)
    seen: set[tuple[Any, ...]] = field(default_factory=set)
    clean: dict[Any, bool] = field(default_factory=dict)
    callables: dict[Known, Values | None] = field(default_factory=dict)
    changed: dict[Any, frozenset[str] | None] = field(default_factory=dict)
    inert: dict[Any, bool] = field(default_factory=dict)
    identifying: dict[Any, bool] = field(default_factory=dict)
    met: list[Captured] = field(default_factory=list)
    waiting: list[tuple[Captured, tuple[str, ...], Depths]] = field(default_factory=list)
    steady: str = ""
    given: dict[Any, float] = field(default_factory=dict)
    memory: dict[Any, Returned | None] = field(default_factory=dict)
    asked: list[Any] = field(default_factory=list)
    assumed: Returned | None = None
    changing: list[tuple[Check, gast.Call, Any]] = field(default_factory=list)
    lost: list[tuple[Check, gast.Call, Any]] = field(default_factory=list)
    throwing: list[tuple[Check, gast.Call, Any]] = field(default_factory=list)
    thrown: dict[tuple[Any, tuple[str, ...]], bool] = field(default_factory=dict)
    memory_changed: list[tuple[Any, set[str]]] = field(default_factory=list)
    set_outside: list[tuple[Check, gast.Attribute]] = field(default_factory=list)
    grown: list[tuple[Check, gast.Expr]] = field(default_factory=list)
    refused: set[Any] = field(default_factory=set)
    differentiated: Callable[[Any], Captured] | None = None
    written: Callable[[Any], Captured] | None = None

    @functools.cached_property
    def followed(self) -> Followed:
        """What calls reach, as it is written."""
        return Followed(self.text)

    @functools.cached_property
    def followed_again(self) -> Followed:
        """What calls reach, as it runs: what adjoints call again."""
        return Followed(self.capture)

    def check(self, captured: Captured, wrt: tuple[str, ...], depths: Depths = ()) -> None:
        """Gather the refusals of a function and of what it calls."""
        self.ask(captured, wrt, depths)
        while self.waiting:
            one, active, known = self.waiting.pop(0)
            self.met.append(one)
            with deep(one.tree):
                check_function(self, one, active, known)
        self._lost()
        outside.check(self)
        self._raised()
        stored_outside.check(self)

    def _raised(self) -> None:
        """Refuse the calls of functions that are not differentiated, and may raise a number that a handler reads."""
        if self.throwing and any(reads_numbers(one) for one in self.met):
            for check, node, fn in self.throwing:
                if self.throws(fn, node, check.is_varied):
                    called = getattr(fn, "__name__", "it")
                    check.refuse(node, f"{called} may raise an exception that is made of something differentiated, "
                                 "and a handler reads more than its text",
                                 f"let {called} return the number")

    def throws(self, fn: Any, node: gast.Call, varied: Varied) -> bool:
        """A function may raise an exception made of what carries a derivative in this call."""
        if is_library(fn):
            return False
        try:
            with room(FRAMES):
                captured = self.capture(fn)
                given = given_varied(captured, node, varied.of)
                if given and (fn, given) not in self.thrown:
                    self.thrown[fn, given] = False         # a recursive call adds nothing
                    self.thrown[fn, given] = throws(captured, given, self.throws)
                return bool(given) and self.thrown[fn, given]
        except RefusedError:
            return True

    def _lost(self) -> None:
        """Refuse the calls of functions whose result is lost,
        but for those in which a place was refused: that is the cause."""
        for check, node, fn in self.lost:
            if fn not in self.refused:
                called = getattr(fn, "__name__", "it")
                check.refuse(node, f"{called} may change its arguments, and its result is not assigned to anything",
                             f"let {called} return the new value, and assign it")

    def names_changed(self) -> frozenset[str]:
        """The names of variables outside, and of attributes, that change."""
        calls = outside.changed_outside([fn for _, _, fn in self.changing], self)
        grown = {name for _, stmt in self.grown for node in walk(stmt.value.args[0])
                 for name in (getattr(node, "id", ""), getattr(node, "attr", ""))}
        names = {way.name for way in calls.values()}
        return frozenset({*names, *grown, *(target.attr for _, target in self.set_outside)})

    def text(self, fn: Any) -> Captured:
        """The text of a function; as it was written where that is all there is: of a generator."""
        try:
            return self.capture(fn)
        except RefusedError:
            if self.written is None:
                raise
            return self.written(fn)

    def ask(self, captured: Captured, wrt: tuple[str, ...], depths: Depths = ()) -> None:
        """Let a function be checked, once for each choice of parameters,
        and of their depths where these are asked for."""
        if (captured.fn.__code__, wrt, depths) not in self.seen:
            self.seen.add((captured.fn.__code__, wrt, depths))
            self.waiting.append((captured, wrt, depths))

    def find_inert(self, captured: Captured) -> None:
        """Mark the calls of functions of the user through which no derivative flows, whatever they are given."""
        scope = Scope.of(captured)
        for node in walk(captured.tree) if not self.steady else ():
            operation = scope.operation(node) if isinstance(node, gast.Call) else None
            if operation is not None and operation.kind == "function" and not is_library(operation.fn) \
                    and operation.fn not in OPERATORS and self.is_inert(operation.fn):
                node.inert = True

    def find_returned(self, captured: Captured) -> None:
        """Say of the calls of functions of the user whose memory their results may share, and mark those that may ask
        whether what they are given is one object."""
        scope = Scope.of(captured)
        for node in walk(captured.tree):
            if not isinstance(node, gast.Call) or hasattr(node, "returned"):
                continue
            found = self.returned_at(node, scope)
            if found is not None:
                node.returned = found
            if self.identifies(scope.operation(node)):
                node.identifies = True

    def returned_at(self, node: gast.Call, scope: Scope) -> Returned | None:
        """Whose memory the value of a call of a function of the user may share, by the places of its arguments."""
        operation = scope.operation(node)
        if operation.kind != "function" or is_library(operation.fn) or operation.fn in OPERATORS or not (
                self.is_clean(operation.fn) or self.is_clean(Called(operation.fn, node, scope, None))):
            return None                                    # it may put one of its arguments into another
        found = self._memory_of(operation.fn)
        return None if found is None else at_call(self.capture(operation.fn), found, node)

    def memory_of(self, fn: Any) -> Returned | None:
        """Whose memory the result of a function may share; None where that may be anything,
        as where it changes what it gets."""
        return self._memory_of(fn) if self.is_clean(fn) else None

    def _memory_of(self, fn: Any) -> Returned | None:
        if fn in self.asked:     # it calls itself: known so far; by way of others it may be anything
            return self.assumed if self.asked[-1] is fn else None
        if fn not in self.memory:
            before, self.assumed = self.assumed, NOTHING
            self.asked.append(fn)
            try:
                with room(FRAMES):
                    self.memory[fn] = self._found_memory(fn)
            except RefusedError:
                self.memory[fn] = None
            finally:
                self.asked.pop()
                self.assumed = before
        return self.memory[fn]

    def _found_memory(self, fn: Any) -> Returned | None:
        captured = self.capture(fn)
        while (found := returned_by(captured, self.returned_at)) != self.assumed:
            self.assumed = found
            if found is None or all(called is not fn for _, _, called in found.calls):
                break
        return found

    def identifies(self, called: Operation) -> bool:
        """A function of the user may ask whether two objects are one."""
        fn = called.fn
        if called.kind != "function" or is_library(fn) or fn in OPERATORS:
            return False
        if fn not in self.identifying:
            self.identifying[fn] = False                   # a recursive call asks nothing else
            try:
                with room(FRAMES):
                    captured = self.capture(fn)
                    self.identifying[fn] = asks(captured.tree.body, Scope.of(captured), self.identifies)
            except RefusedError:
                pass
        return self.identifying[fn]

    def is_inert(self, fn: Any) -> bool:
        """What the function gives carries no derivative, and it changes nothing."""
        if fn not in self.inert:
            self.inert[fn] = False                         # of a recursive call it is not known
            try:
                with room(FRAMES):
                    captured = self.capture(fn)
                    self.find_inert(captured)
                    self.inert[fn] = refused_always(captured.tree.body) is None and gives_no_derivative(captured) \
                        and self.is_clean(fn)
            except RefusedError:
                pass
        return self.inert[fn]

    def returned(self, fn: Any, node: gast.Call, nesting: Nesting) -> float:
        """The depth of what a function of the user returns in a call."""
        try:
            captured = self.capture(fn)
        except RefusedError:
            return UNKNOWN
        depths = depths_given(captured, bind(captured, node), nesting)
        if (key := (fn, depths)) not in self.given:
            self.given[key] = UNKNOWN                      # that of a recursive call
            scope = Scope.of(captured)
            inner = Nesting(captured.tree, dict(depths), scope, lambda _: False, self.is_clean, self.returned)
            self.given[key] = inner.result()
        return self.given[key]

    def is_clean(self, fn: Any) -> bool:
        """The function changes nothing that it is given; of a `Called`, in that call."""
        if (fn.fn if isinstance(fn, Called) else fn) in OPERATORS:
            return True                                    # to make a derivative changes nothing of the user's
        if isinstance(fn, Called):
            fn = self._known(fn)
        if fn not in self.clean:
            self.clean[fn] = fn is not None                # a recursive call adds nothing
            try:
                with room(FRAMES):
                    self.clean[fn] = fn is not None and self.first_change(fn)[1] is None
            except RefusedError:
                self.clean[fn] = False
        return self.clean[fn]

    def first_change(self, fn: Any) -> tuple[Captured, Any]:
        """A text, and where it may change something; None where it is clean."""
        making = fn if isinstance(fn, Making) else None
        captured = bound_once(self.capture(fn.fn if isinstance(fn, (Making, Known)) else fn))
        known = fn if isinstance(fn, Known) else None
        plain = known.plain if known is not None else frozenset()
        names = Names(captured, dict(known.values if known is not None else ()), self.results, plain)
        return captured, first_change(captured, self.is_clean, making, names, plain)

    def _known(self, call: Called) -> Known | None:
        try:
            return known_call(self.capture(call.fn), call)
        except RefusedError:
            return None

    def changed_by(self, node: gast.Call, fn: Any) -> list[gast.expr]:
        """The arguments of a call that may be changed by it, where the function is not clean."""
        if isinstance(fn, types.FunctionType) and fn in OPERATORS:
            return []
        if isinstance(fn, types.FunctionType) and not is_library(fn):
            if fn not in self.changed:
                self.changed[fn] = None                    # that of a recursive call
                try:
                    with room(FRAMES):
                        self.changed[fn] = changed_parameters(
                            self.capture(fn), self.returned_at, self.is_clean, self.changed_by)
                except RefusedError:
                    pass
            names = self.changed[fn]
            if names is not None and (bound := bind(self.capture(fn), node)) is not None:
                return [arg for name, arg in bound.items() if name in names]
        receiver = [node.func.value] if isinstance(node.func, gast.Attribute) else []
        return [*receiver, *node.args, *(k.value for k in node.keywords)]

    def results(self, call: Called) -> Values | None:
        """What a call of a function of the user may give, of functions and classes; None where that may be anything."""
        known = self._known(call)
        if known is not None and known not in self.callables:
            self.callables[known] = None                   # that of a recursive call
            self.callables[known] = Names(self.capture(known.fn), dict(known.values), self.results).result()
        return None if known is None else self.callables[known]
