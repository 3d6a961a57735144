"""The lines of a trace: the statements of the raw derivative of a run, each with the numbers that it has made."""
from __future__ import annotations

import ast
import linecache
import types
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, cast

import numpy as np

from ... import runtime
from ...api import named
from ...errors import TangentError
from ...runtime.structure import copy
from ..statements import base, same
from ..stepper import Activation, Listener, Step, run
from ..values import Lookup, UnknownError, evaluate, is_elementwise, names, names_in
from .formulas import BAR, DOT, Symbol
from .operands import in_order, replaced
from .program import AGREE, Run, program
from .texts import Texts


@dataclass(frozen=True)
class Line:
    """One line. target: the value, tangent or adjoint that it computes, or a part of one; place: the value that this
    belongs to; formula: how; value: what came out; read: what the names in the formula held. Of an adjoint, source: the
    value whose adjoint it passes on; adds: to what was there before."""

    target: ast.expr
    place: int
    formula: ast.expr | None
    value: Any
    read: dict[str, Any] = field(default_factory=dict)
    source: int | None = None
    adds: bool = False


@dataclass(frozen=True)
class Sheet:
    """What a table is made from. primal: a line for each operation; derivative: the lines of the tangents, or of the
    adjoints, in the order in which they ran; values: by their numbers; derivatives: tangents or adjoints of the values,
    by the names that they have; found: the tangent of the result, or the gradients by the inputs."""

    run: Run
    mode: str
    primal: tuple[Line, ...]
    derivative: tuple[Line, ...]
    values: dict[int, Any]
    derivatives: dict[str, int]
    found: Any

    def symbol(self, name: str) -> Symbol | None:
        """What a name in a formula is; None of a module, and of what is not known."""
        first = len(self.run.inputs) - 1
        if name in self.derivatives:
            return Symbol("v", self.derivatives[name] - first, DOT if self.mode == "forward" else BAR)
        if (place := self.places.get(name)) is not None:
            return Symbol("v", place - first)
        if isinstance(self.run.constants.objects.get(name), types.ModuleType):
            return None
        shown = self.run.constants.shown.get(name)
        held = self.run.constants.objects.get(name)
        return None if shown is None else Symbol(shown, number=held.item() if isinstance(held, np.number) else None)

    @cached_property
    def places(self) -> dict[str, int]:
        """The values by their names in the program."""
        return {self.run.identifier(place): place for place in self.values}



def sheet(one: Run, mode: str) -> Sheet:
    """Differentiate a run and run that."""
    f = program(one)
    try:
        made = _derived(one, f, mode)
    finally:
        linecache.cache.pop(f.__code__.co_filename, None)  # the text is not asked for again
    return made


def _derived(one: Run, f: types.FunctionType, mode: str) -> Sheet:
    inputs = [value for _, value in one.inputs]
    kind = "jvp" if mode == "forward" else "vjp"
    df = named(f, kind, tuple(range(len(inputs))), "", optimized=("unbroadcast",), like=inputs)
    collector = _Collector(one, mode)
    more = one.tangents if mode == "forward" else (_seed(collector, f, inputs),)
    found = run(lambda: df(*copy(inputs), *more), collector.follow, collector)
    along = found if mode == "forward" else _along(found, one)
    if not _agree(along, one, () if mode == "forward" else found):
        raise TangentError(f"cannot write down the run of {one.name}\n"
                           "  why: the derivative of what was written down is not that of the run: something was done "
                           "that is not followed\n"
                           f"  instead: tnb.source(tnb.grad({one.name})) shows the derivative")
    return Sheet(one, mode, tuple(collector.primal), tuple(collector.derivative), collector.values,
                 collector.derivatives, found)


def _seed(collector: _Collector, f: Any, inputs: Sequence[Any]) -> Any:
    value = f(*copy(list(inputs)))
    if np.ndim(value):
        raise TangentError(f"{collector.run.name} returns an array {np.shape(value)}: the adjoints are those of one "
                           "number. Sum it, or pick an element; or take mode='forward'")
    return np.ones((), getattr(value, "dtype", float))[()] if isinstance(value, np.generic) else 1.0


def _along(gradients: Any, one: Run) -> Any:
    """The tangent of the result that follows from the gradients."""
    return sum(np.sum(np.multiply(gradient, tangent))
               for gradient, tangent in zip(gradients, one.tangents, strict=True) if tangent is not None)


def _agree(a: Any, one: Run, found: Any) -> bool:
    """A tangent is that which the run has given, but for rounding, and for what is not finite. found: what it was made
    from, whose size says how much that may be."""
    a, b = np.asarray(a, float), np.asarray(one.along, float)
    if a.shape != b.shape:
        return False
    coarse = max(float(np.finfo(np.asarray(value).dtype).eps) for _, value in one.inputs)
    with np.errstate(all="ignore"):
        sizes = [np.max(np.abs(part), initial=0.0, where=np.isfinite(part))
                 for part in (b, *(np.asarray(part, float) for part in found))]
        loose = max(AGREE, 1e4 * coarse) * (1.0 + max(sizes))
        return bool(np.all((np.abs(a - b) <= loose) | ~np.isfinite(a) | ~np.isfinite(b)))


class _Collector(Listener):
    def __init__(self, one: Run, mode: str) -> None:
        self.run, self.mode = one, mode
        self.texts = Texts()
        self.places = {one.identifier(place): place for place in range(len(one.inputs) + len(one.operations))}
        self.values: dict[int, Any] = {place: value for place, (_, value) in enumerate(one.inputs)}
        self.primal: list[Line] = []
        self.derivative: list[Line] = []
        self.derivatives: dict[str, int] = {("d" if mode == "forward" else "b") + name: place
                                            for name, place in self.places.items()}
        self._inner: dict[str, ast.expr] = {}          # what the names of ours stand for
        self._zero: set[str] = set()                   # adjoints to which nothing has been added yet

    def follow(self, frame: Any, caller: Activation | None) -> Any:
        """The derivative itself, and the text that serves these arguments; not what they call."""
        step = caller.step if caller is not None else None
        if step is not None and self.texts.role(step) != "guard":
            return None
        return self.texts.lines(frame.f_code)

    def began(self, step: Step) -> None:
        lookup = names(step.activation.frame)
        step.before = {}
        for name in names_in(step.statement.reads):
            with suppress(UnknownError):
                step.before[name] = lookup(name)
        for target in step.statement.stores:           # changed in place, before it is shown
            if base(target) in step.before:
                step.before[base(target)] = copy(step.before[base(target)])

    def ended(self, step: Step, returned: Any) -> None:
        role, statement = self.texts.role(step), step.statement
        value = statement.value or (statement.reads[0] if statement.reads else None)
        if role in ("guard", "return", "signature", "") or value is None or statement.repeats:
            return
        if statement.is_effect:
            if isinstance(value, ast.Call) and value.args and base(value.args[0]) in self.derivatives:
                self._line(value.args[0], value, step)
            return
        several = len(statement.stores) > 1 and statement.value is None
        for number, target in enumerate(statement.stores):
            part = ast.Subscript(value, ast.Constant(number), ast.Load()) if several else value
            self._line(target, part, step)

    def _line(self, target: ast.expr, value: ast.expr, step: Step) -> None:
        name, lookup = base(target), names(step.activation.frame)
        if name in self.places:
            self._operation(name, value, lookup, step)
        elif name in self.derivatives:
            self._derivative(target, name, value, lookup, step)
        elif isinstance(target, ast.Name):
            self._temporary(name, value, lookup)

    def _operation(self, name: str, value: ast.expr, lookup: Lookup, step: Step) -> None:
        place = self.places[name]
        self.values[place] = lookup(name)
        if place >= len(self.run.inputs):
            formula = self._written(value, lookup)
            target = ast.Name(name, ast.Load())
            self.primal.append(Line(target, place, formula, lookup(name), self._read(formula, step)))

    def _temporary(self, name: str, value: ast.expr, lookup: Lookup) -> None:
        """A name of ours: what it stands for is written in its place. What is added to it is a sum."""
        parts = _without(value, ast.Name(name, ast.Load()))
        if parts is None or name not in self._inner or name in self._zero:
            self._inner[name] = self._written(parts if parts is not None else value, lookup)
        else:
            self._inner[name] = ast.BinOp(self._inner[name], ast.Add(), self._written(parts, lookup))
        self._zero = self._zero | {name} if _is_zero(value, self.derivatives, self._inner) else self._zero - {name}

    def _derivative(self, target: ast.expr, name: str, value: ast.expr, lookup: Lookup, step: Step) -> None:
        whole = isinstance(target, ast.Name)
        if self.mode == "forward" and isinstance(value, ast.Name) and value.id == name:
            return
        if self.mode == "reverse" and whole and _is_zero(value, self.derivatives, self._inner) and \
                self.derivatives[name] != self.run.result:
            self._zero.add(name)
            return
        rest = _without(value, target) if self.mode == "reverse" else None
        formula = self._written(value if rest is None else rest, lookup)
        sources = [self.derivatives[one] for one in _ordered(formula) if one in self.derivatives and one != name]
        shown = copy(lookup(name))
        if not whole:
            shown = _part(target, name, shown, lookup)
        line = Line(target, self.derivatives[name], formula, shown, self._read(formula, step),
                    sources[0] if sources else None, rest is not None and (name not in self._zero or not whole))
        self._zero.discard(name)
        if self.mode == "forward" and self.derivative and self.derivative[-1].place == line.place:
            if any(isinstance(one, ast.Name) and one.id == name for one in ast.walk(formula)):
                return                                     # brought to its shape
        self.derivative.append(line)

    def _written(self, value: ast.expr, lookup: Lookup) -> ast.expr:
        """An expression with what the names of ours stand for, without what only brings numbers to their shape."""
        return cast(ast.expr, _Plain(lookup).visit(replaced(value, self._inner.get)))

    def _read(self, value: ast.expr, step: Step) -> dict[str, Any]:
        lookup = names(step.activation.frame)
        found = dict(step.before)
        for name in names_in([value]):
            if name not in found:
                with suppress(UnknownError):
                    found[name] = lookup(name)
        return found


class _Plain(ast.NodeTransformer):
    """Expressions without the helpers that change nothing there: `rt.unbroadcast(e, v)`, `rt.broadcast_to_like(e, v)`
    where e has the shape of v, and `rt.cut(e, g)` where no element of g is zero."""

    def __init__(self, lookup: Lookup) -> None:
        self.lookup = lookup

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        helper = getattr(runtime, node.func.attr, None) if isinstance(node.func, ast.Attribute) else None
        if len(node.args) != 2 or not isinstance(node.args[1], ast.Name):
            return node
        with suppress(UnknownError, ValueError):
            other = self.lookup(node.args[1].id)
            if helper is runtime.cut:
                return node.args[0] if np.all(other) else node
            if helper is runtime.unbroadcast or helper is runtime.broadcast_to_like:
                return node.args[0] if self._shape(node.args[0]) == np.shape(other) else node
        return node

    def _shape(self, node: ast.expr) -> tuple[int, ...] | None:
        """The shape of an expression that computes element by element, or with numbers only; None of another."""
        values = [value for name in names_in([node])
                  if isinstance(value := self.lookup(name), (int, float, np.number, np.ndarray))]
        if is_elementwise(node, self.lookup) or not any(map(np.ndim, values)):
            return np.broadcast_shapes(*map(np.shape, values))
        return None


def _without(value: ast.expr, target: ast.expr) -> ast.expr | None:
    """What is added to the target: c of `x + c`, `(x + c) + d`, `rt.add_grad(x, c)`; None where it is not added to."""
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and len(value.args) == 2 \
            and getattr(runtime, value.func.attr, None) is runtime.add_grad and same(value.args[0], target):
        return value.args[1]
    if not isinstance(value, ast.BinOp) or not isinstance(value.op, ast.Add | ast.Sub):
        return None
    if same(value.left, target):
        return value.right if isinstance(value.op, ast.Add) else ast.UnaryOp(ast.USub(), value.right)
    rest = _without(value.left, target)
    return None if rest is None else ast.BinOp(rest, value.op, value.right)


def _is_zero(value: ast.expr, derivatives: dict[str, int], inner: dict[str, ast.expr]) -> bool:
    """A derivative begins: nothing of another one is read."""
    return not any(one in derivatives for one in _ordered(replaced(value, inner.get)))


def _ordered(node: ast.expr) -> Iterator[str]:
    """The names in an expression, in the order of its text."""
    return (one.id for one in in_order(node) if isinstance(one, ast.Name))


def _part(target: ast.expr, name: str, value: Any, lookup: Lookup) -> Any:
    """What stands at the part of an array that a target names."""
    with suppress(UnknownError):
        return evaluate(target, lambda one: value if one == name else lookup(one))
    return value
