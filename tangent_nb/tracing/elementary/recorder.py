"""The elementary operations of a run: generated forward code is run statement by statement, and each of its statements
that computes with what is differentiated is noted, with the values that it reads.

That is the evaluation trace, or Wengert list: branches and loops are as they ran, calls are opened. Which values there
are, and how they are changed in place, is Python's own business: a store in an array makes a new value, as `setitem`
would (`tangent_nb.setitem`), and what a list, a dict or an object holds is found by the object that it is.
"""
from __future__ import annotations

import ast
import types
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from ... import runtime
from ...errors import TangentError
from ...rules import Rule
from ...rules import lookup as row_of
from ...runtime.containers import kind_of, part_text
from ...runtime.persistent import setitem
from ...runtime.structure import copy
from ...syntax.program import Derivation, Origin
from ..finite import leaves
from ..statements import LAST, Lines, Statement, base
from ..stepper import Activation, Listener, Step
from ..values import Lookup, UnknownError, evaluate, names
from .operands import Constants, Reading, Values, places, reference, unwritable
from .stores import as_argument, held_in, stored_at
from .texts import Texts, result_name


@dataclass(frozen=True)
class Call:
    """A call of a function of the user's: which, and the how manieth call that is followed; origin: the statement that
    calls."""

    name: str
    number: int
    origin: Origin | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Operation:
    """One elementary operation: the value that it makes (its number), and how, of earlier values. name: the variable
    that the user, or the normal form, gives it to; calls: in which calls it runs, from the outside; origin: the user's
    statement."""

    place: int
    expression: ast.expr
    name: str
    calls: tuple[Call, ...] = ()
    origin: Origin | None = None


@dataclass(frozen=True)
class _Store:
    """A store in an array: the target, the array that it is a part of, and that array and the place there as they are
    read before."""

    target: ast.Subscript
    holder: ast.expr
    whole: ast.expr
    index: ast.expr


@dataclass
class _Before:
    """A statement that is about to run: what it computes, of which values. holds, container: as in `Reading`; operands:
    the objects that a call is given; stores: in arrays; opened: a call is
    followed; returned: the value that it has given."""

    expression: ast.expr | None = None
    holds: bool = False
    container: bool = False
    operands: tuple[Any, ...] = ()
    stores: list[_Store] = field(default_factory=list)
    opened: bool = False
    returned: int | None = None


class Recorder(Listener):
    """Notes the operations of a run; more than `most` are refused. inputs: the values by the paths in the arguments."""

    def __init__(self, main: Derivation, inputs: Sequence[tuple[str, Any]], most: int) -> None:
        self.main, self.most = main, most
        self.values, self.constants, self.texts = Values(), Constants(), Texts()
        self.inputs = dict(inputs)
        for value in self.inputs.values():
            self.values.add(value)
        self.operations: list[Operation] = []
        self.result: tuple[Any, int | None] | None = None
        self._own: dict[types.FrameType, dict[str, int | None]] = {}
        self._calls: dict[types.FrameType, tuple[Call, ...]] = {}
        self._count = 0

    # what is followed

    def follow(self, frame: types.FrameType, caller: Activation | None) -> Lines | None:
        """The statements of generated code by line."""
        return self.texts.lines(frame.f_code)

    def entered(self, activation: Activation) -> None:
        frame, caller = activation.frame, activation.caller
        step = caller.step if caller is not None else None
        own = {name: self.values.of(value) for name, value in frame.f_locals.items()}
        path: tuple[Call, ...] = ()
        if step is not None and caller is not None:
            given = self._given(step)
            own.update({name: given[id(value)] for name, value in frame.f_locals.items() if id(value) in given})
            path = self._calls[caller.frame]
            if self.texts.role(step) != "guard":                     # which only goes on in a text for these arguments
                self._count += 1
                path = (*path, Call(self.texts.name(frame.f_code), self._count, self.texts.origin(step)))
            if isinstance(step.before, _Before):
                step.before.opened = True
        self._own[frame], self._calls[frame] = own, path

    def _given(self, step: Step) -> dict[int, int]:
        """The objects that variables hold that a call is given, which another variable may hold as another value."""
        own, lookup = self._own[step.activation.frame], names(step.activation.frame)
        found = {}
        for node in (one for read in step.statement.reads for one in ast.walk(read) if isinstance(one, ast.Name)):
            place = own.get(node.id)
            if place is not None:
                with suppress(UnknownError):
                    found[id(lookup(node.id))] = place
        return found

    def left(self, activation: Activation, returned: Any) -> None:
        own = self._own.pop(activation.frame)
        known = self.texts.known(activation.frame.f_code)
        if not self._calls.pop(activation.frame) and known is not None:
            name = result_name(known)
            with suppress(UnknownError):
                value = names(activation.frame)(name)
                self.result = value, own.get(name, self.values.of(value))
        value = activation.lines.get(activation.frame.f_lineno)
        node = value.value if value is not None else None
        before = activation.caller.step.before if activation.caller is not None and activation.caller.step else None
        if isinstance(before, _Before) and isinstance(node, ast.Tuple) and isinstance(node.elts[0], ast.Name):
            before.returned = own.get(node.elts[0].id)

    # statements

    def began(self, step: Step) -> None:
        statement, frame = step.statement, step.activation.frame
        role = self.texts.role(step)
        if role not in ("forward", "tangent") or statement.repeats:
            return
        called = _call_with_tangent(statement, names(frame), self.texts) if role == "tangent" else None
        value = statement.value if statement.value is not None else statement.reads[0] if statement.reads else None
        if called is not None:
            value = called
        elif role == "tangent":
            return
        if value is None or not (statement.stores or statement.is_effect):
            return
        reading = Reading(self._own[frame], names(frame), self.values, self.constants)
        before = _Before(reading.expression(value), reading.holds, reading.container)
        before.operands = tuple(self._operands(value, frame))
        for target in statement.stores if called is None else ():
            self._store(target, before, frame)
        step.before = before

    def _operands(self, value: ast.expr, frame: types.FrameType) -> Iterator[Any]:
        for node in value.args if isinstance(value, ast.Call) else ():
            with suppress(UnknownError):
                yield evaluate(node, names(frame))

    def _store(self, target: ast.expr, before: _Before, frame: types.FrameType) -> None:
        """Note what a store will change."""
        lookup = names(frame)
        with suppress(UnknownError):
            if isinstance(target, ast.Name):
                self.constants.changes(lookup(target.id))
            elif isinstance(target, ast.Subscript) and target.slice is not LAST:
                holder = held_in(target, lookup)
                if holder is None:
                    return
                reading = Reading(self._own[frame], lookup, self.values, self.constants)
                whole = reading.expression(holder)
                index = as_argument(reading.expression(target.slice)) if holder is target.value else \
                    self._places(target, holder, lookup)
                if reading.holds or before.holds:
                    before.stores.append(_Store(target, holder, whole, index))
                self.constants.changes(evaluate(holder, lookup))

    def _places(self, target: ast.Subscript, holder: ast.expr, lookup: Lookup) -> ast.expr:
        """Where a store in a part of an array stores, as an index of the whole."""
        found = stored_at(target, holder, lookup)
        shown = ast.unparse(target).removeprefix(ast.unparse(holder))
        return ast.Name(self.constants.name(found, shown), ast.Load())

    def ended(self, step: Step, returned: Any) -> None:
        statement, frame = step.statement, step.activation.frame
        own, role = self._own[frame], self.texts.role(step)
        if role == "guard":
            self._checked(frame)
            return
        if statement.repeats and role in ("forward", "tangent"):
            own.update(dict.fromkeys(map(base, statement.stores)))
        before: _Before | None = step.before
        if before is None or before.expression is None:
            return
        if role == "tangent":
            self._called(step, before)
            return
        if statement.is_effect:
            return
        targets = statement.stores
        if before.stores:
            self._stored(step, before)
            return
        value = _value(statement, frame)
        if len(targets) > 1 and all(isinstance(one, ast.Name) for one in targets) and _is_unpacked(statement):
            self._unpacked(step, before)
            return
        place = self._made(value, before, step, base(targets[0]))
        own.update((one.id, place) for one in targets if isinstance(one, ast.Name))

    def _checked(self, frame: types.FrameType) -> None:
        """After guards, which may give containers, or numbers, anew: what inputs there are is known by the paths."""
        for path, place in zip(self.inputs, range(len(self.inputs))):
            with suppress(UnknownError, SyntaxError):
                self.values.note(evaluate(ast.parse(path, mode="eval").body, names(frame)), place)

    def _called(self, step: Step, before: _Before) -> None:
        """A call that gives a value and its tangent has returned."""
        own, target = self._own[step.activation.frame], step.statement.stores[0]
        if not isinstance(target, ast.Name) or not before.holds:
            return
        value = names(step.activation.frame)(target.id)
        if before.opened:
            own[target.id] = before.returned if before.returned is not None else self.values.of(value)
        else:
            own[target.id] = self._made(value, before, step, target.id)

    def _made(self, value: Any, before: _Before, step: Step, name: str) -> int | None:
        """The value that a statement has computed: a new one, or one that there was before."""
        expression = before.expression
        if not before.holds or expression is None:
            return None
        if isinstance(expression, ast.Name) and expression.id.startswith("%"):
            return int(expression.id[1:])
        if before.container and (known := self.values.of(value)) is not None:
            return known
        if isinstance(expression, ast.Call) and _is_ours(expression.func, self.constants):
            first = places(expression)[:1]
            if _object_of(expression.func, self.constants) is copy and kind_of(value) is not None:
                for (_, old), (_, new) in zip(_leaves(before.operands[0]), _leaves(value), strict=True):
                    if (place := self.values.of(old)) is not None:
                        self.values.note(new, place)
                return None
            if _object_of(expression.func, self.constants) is copy or any(value is one for one in before.operands):
                return first[0] if first else None
        if kind_of(value) is not None:
            self._parts_made(value, expression, step, name)
            return None
        if not any(True for _ in leaves(value)) or isinstance(expression, ast.Call) and \
                _is_constant(row_of(_object_of(expression.func, self.constants))):
            return None
        return self._new(expression, value, step, name)

    def _parts_made(self, value: Any, expression: ast.expr, step: Step, name: str) -> None:
        """A container of new values: the operation, and each of its parts."""
        new = [(path, leaf) for path, leaf in _leaves(value) if self.values.of(leaf) is None]
        if not new or isinstance(expression, (ast.List, ast.Tuple, ast.Dict)):
            return
        whole = self._new(expression, value, step, name)
        for path, leaf in new:
            part = ast.parse(f"x{path}", mode="eval").body
            self._new(_in_place_of_x(part, reference(whole)), leaf, step, f"{name}{path}")

    def _unpacked(self, step: Step, before: _Before) -> None:
        frame = step.activation.frame
        own, expression = self._own[frame], before.expression
        assert expression is not None
        for number, target in enumerate(step.statement.stores):
            if isinstance(target, ast.Name):
                value = names(frame)(target.id)
                known = self.values.of(value) if before.container or isinstance(expression, ast.Tuple) else None
                if known is None and before.holds and isinstance(expression, ast.Name) \
                        and any(True for _ in leaves(value)) and kind_of(value) is None:
                    part = ast.Subscript(expression, ast.Constant(number), ast.Load())
                    known = self._new(part, value, step, target.id)
                own[target.id] = known

    def _stored(self, step: Step, before: _Before) -> None:
        """`A[i] = v` is a new value, A with v at i; of `A[i] += v` what stands there is computed first."""
        frame = step.activation.frame
        lookup = names(frame)
        for one in before.stores:
            value = before.expression
            assert value is not None
            if before.holds and not isinstance(value, ast.Name):
                value = reference(self._new(value, object(), step, ""))    # which nothing else holds
            called = ast.Name(self.constants.name(setitem, "setitem"), ast.Load())
            place = self._new(ast.Call(called, [one.whole, one.index, value], []), evaluate(one.holder, lookup), step,
                              base(one.target))
            if isinstance(one.holder, ast.Name):
                self._own[frame][one.holder.id] = place

    def _new(self, expression: ast.expr, value: Any, step: Step, name: str) -> int:
        if text := unwritable(expression):
            raise self._refusal(f"it computes with {text}, which holds values that are differentiated",
                                "pass the numbers and arrays that it holds")
        if len(self.operations) >= self.most:
            raise self._refusal(f"more than {self.most} elementary operations have run there",
                                "take smaller arguments, or allow for more: rows=…")
        place = self.values.add(value)
        calls, origin = self._calls[step.activation.frame], self.texts.origin(step)
        self.operations.append(Operation(place, expression, name, calls, origin))
        return place

    def _refusal(self, why: str, instead: str) -> TangentError:
        """An error, to which the derivative that runs adds the place."""
        return TangentError(f"cannot write down the run of {self.main.primal.name}\n  why: {why}\n  instead: {instead}")


def _call_with_tangent(statement: Statement, lookup: Any, texts: Texts) -> ast.Call | None:
    """The call in `y, dy = _f_tan(x, dx=dx)` or `rt.pushforward(f, x, …)`, as it would be without a tangent."""
    node = statement.reads[0] if statement.reads else None
    if len(statement.stores) != 2 or not isinstance(node, ast.Call):
        return None
    with suppress(UnknownError):
        function = evaluate(node.func, lookup)
        if function is runtime.pushforward:
            rule = row_of(evaluate(node.args[0], lookup))
            return ast.Call(node.args[0], node.args[1:], []) if rule is not None else node
        return node if isinstance(function, types.FunctionType) and texts.known(function.__code__) is not None else None
    return None


def _is_ours(called: ast.expr, constants: Constants) -> bool:
    """A helper of generated code is called."""
    return str(getattr(_object_of(called, constants), "__module__", "")).startswith(runtime.__name__)


def _object_of(called: ast.expr, constants: Constants) -> Any:
    with suppress(UnknownError, KeyError):
        return evaluate(called, constants.objects.__getitem__)
    return None


def _is_constant(rule: Rule | None) -> bool:
    """Of what such a function is given nothing but shapes is used."""
    return rule is not None and not (rule.pull or rule.push or rule.joint) and (not rule.zero or bool(rule.shape_only))


def _value(statement: Statement, frame: types.FrameType) -> Any:
    """What the first target of a statement holds."""
    with suppress(UnknownError):
        return evaluate(statement.stores[0], names(frame))
    return None


def _is_unpacked(statement: Statement) -> bool:
    """`a, b = t`, not `a = b = t`: without an expression that one target gets."""
    return statement.value is None


def _leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """The floating numbers and arrays in a value, with the paths to them."""
    kind = kind_of(value)
    if kind is None:
        if any(True for _ in leaves(value)):
            yield path, value
        return
    for key, part in kind.parts(value).items():
        yield from _leaves(part, path + part_text(key, kind))


def _in_place_of_x(node: ast.expr, value: ast.expr) -> ast.expr:
    match node:
        case ast.Subscript(value=inner, slice=index):
            return ast.Subscript(_in_place_of_x(inner, value), index, ast.Load())
        case ast.Attribute(value=inner, attr=attr):
            return ast.Attribute(_in_place_of_x(inner, value), attr, ast.Load())
    return value
