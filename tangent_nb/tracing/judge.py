"""Which statement is guilty of a NaN or an Inf; the rule is in the docstring of `watch`."""
from __future__ import annotations

import ast
import inspect
import types
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..errors import NonFiniteError
from .finite import made
from .origins import Origins, message
from .statements import LAST, Statement, base
from .stepper import Activation, Listener, Step
from .values import Lookup, Operand, UnknownError, copied, evaluate, is_elementwise, names, operands

# their functions change nothing that they are given, but by `out`
HARMLESS = ("builtins", "numpy", "math", "tangent_nb")
NOTHING = object()


@dataclass(frozen=True)
class Place:
    """Where a statement stores: a variable, or the part of one at an index. old: a copy of what stood there, where a
    part of that may still do so; bound: the object that a variable was bound to."""

    text: str
    node: ast.expr
    index: Any = NOTHING
    old: Any = None
    bound: Any = NOTHING

    def now(self, lookup: Lookup) -> Any:
        """What stands there."""
        value = evaluate(self.node, lookup)
        return value if self.index is NOTHING else value[self.index]


@dataclass
class Before:
    """What a statement reads, and where it stores; what it may change otherwise, with copies. returned: what functions
    that it calls have returned, where these are watched too."""

    reads: list[Operand]
    places: list[Place]
    changeable: list[tuple[Operand, Any]]
    elementwise: bool
    returned: list[Operand] = field(default_factory=list)

    @property
    def inputs(self) -> list[Operand]:
        """All that the statement reads."""
        return [*self.reads, *self.returned]


class Judge(Listener):
    """Raises NonFiniteError when a guilty statement has run, and keeps that as `guilty`."""

    def __init__(self, origins: Origins) -> None:
        self.origins = origins
        self.guilty: Step | None = None

    def entered(self, activation: Activation) -> None:
        """Arguments of a call are made by the calling statement."""
        step = activation.caller.step if activation.caller is not None else None
        if step is None:
            return
        code, local = activation.frame.f_code, activation.frame.f_locals
        defaults = _defaults(step, code)
        for name in _parameters(code):
            if name in local and not any(local[name] is default for default in defaults):
                self._check(step, f"the argument {name} of {code.co_name}", local[name], step.before.inputs)

    def began(self, step: Step) -> None:
        statement, lookup = step.statement, names(step.activation.frame)
        reads = {one.text: one for node in statement.reads for one in operands(node, lookup)}
        changed = reads.values() if _may_change(statement, lookup) else ()
        changeable = [(Operand(one.text, copied(one.value)), one.value) for one in changed
                      if isinstance(one.value, (list, dict, np.ndarray))]
        reads.update((copy.text, copy) for copy, _ in changeable)
        for text in {ast.unparse(target) for target in statement.stores} & reads.keys():       # x += v
            reads[text] = Operand(text, copied(reads[text].value))
        elementwise = statement.value is not None and is_elementwise(statement.value, lookup)
        step.before = Before(list(reads.values()), [_place(target, lookup) for target in statement.stores], changeable,
                             elementwise)

    def ended(self, step: Step, returned: Any) -> None:
        before: Before = step.before
        lookup = names(step.activation.frame)
        for place in before.places:
            with suppress(UnknownError, LookupError):
                value = place.now(lookup)
                if not (step.statement.repeats and value is place.bound):  # the loop is over: nothing was stored
                    self._check(step, place.text, value, before.inputs, before.elementwise, place.old)
        for copy, value in before.changeable:
            others = [one for one in before.inputs if one.text != copy.text]
            self._check(step, copy.text, value, others, old=copy.value)
        self._check(step, "the value returned", returned, before.inputs, before.elementwise)

    def left(self, activation: Activation, returned: Any) -> None:
        """What a call returns without fault is meant: the calling statement reads it."""
        step = activation.caller.step if activation.caller is not None else None
        if step is not None:
            step.before.returned.append(Operand(f"{activation.frame.f_code.co_name}(…)", returned))

    def _check(self, step: Step, name: str, value: Any, inputs: Sequence[Operand], elementwise: bool = False,
               old: Any = None) -> None:
        bad = made(value, inputs, elementwise=elementwise, before=old)
        if bad is not None:
            self.guilty = step
            where = self.origins.place(step)
            raise NonFiniteError(message(where, bad, name + bad.part, inputs, elementwise), name=name + bad.part,
                                 sweep=where.sweep,
                                 filename=step.activation.frame.f_code.co_filename, line=step.statement.first)


def _place(target: ast.expr, lookup: Lookup) -> Place:
    """Where a statement stores: a part where its index is known, otherwise the whole variable."""
    text = ast.unparse(target)
    if isinstance(target, ast.Name):
        with suppress(UnknownError):
            return Place(text, target, bound=lookup(target.id))
        return Place(text, target)
    if isinstance(target, ast.Subscript):
        with suppress(UnknownError):
            index = evaluate(target.slice, lookup)
            return Place(text, target.value, index, None if target.slice is LAST else _old(target, lookup))
    whole = target if isinstance(target, ast.Attribute) else ast.Name(base(target), ast.Load())
    return Place(text, whole, old=_old(whole, lookup))


def _old(target: ast.expr, lookup: Lookup) -> Any:
    try:
        return copied(evaluate(target, lookup))
    except UnknownError:
        return None


def _may_change(statement: Statement, lookup: Lookup) -> bool:
    """A call may change what it is given: one that is made for its effect, one with `out`, or one of somebody else's
    function. (The header of a loop makes its call once, not each time it runs.)"""
    calls = [node for read in statement.reads for node in ast.walk(read) if isinstance(node, ast.Call)]
    if statement.repeats or not calls:
        return False
    return statement.is_effect or any(keyword.arg == "out" for call in calls for keyword in call.keywords) or any(
        not _is_harmless(call.func, lookup) for call in calls)


def _is_harmless(called: ast.expr, lookup: Lookup) -> bool:
    try:
        function = evaluate(called, lookup)
    except UnknownError:
        return True                                # a method, whose object is not changed where its value is wanted
    return isinstance(function, np.ufunc) or str(getattr(function, "__module__", "")).partition(".")[0] in HARMLESS


def _parameters(code: types.CodeType) -> tuple[str, ...]:
    collecting = bool(code.co_flags & inspect.CO_VARARGS) + bool(code.co_flags & inspect.CO_VARKEYWORDS)
    return code.co_varnames[:code.co_argcount + code.co_kwonlyargcount + collecting]


def _defaults(step: Step, code: types.CodeType) -> list[Any]:
    """The defaults of the function of this code that a statement calls."""
    lookup = names(step.activation.frame)
    found: list[Any] = []
    for node in (one for read in step.statement.reads for one in ast.walk(read) if isinstance(one, ast.Call)):
        with suppress(UnknownError):
            function = evaluate(node.func, lookup)
            if isinstance(function, types.FunctionType) and function.__code__ is code:
                found += [*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()]
    return found
