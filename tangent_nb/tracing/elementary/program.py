"""A run as a program without branches, loops and calls, and what its raw derivative does, statement by statement.

The program is differentiated like any function: what stands in a table are the statements of that derivative, and the
numbers that they made. That it is the derivative of the run is checked: the tangent that the run itself has given is
the one that the cotangents give.
"""
from __future__ import annotations

import ast
import inspect
import itertools
import linecache
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...api import named
from ...asked import Wrt
from ...errors import TangentError
from ...every import EVERY, every, is_real
from ...runtime.containers import holds_number, kind_of, part_text
from ...runtime.structure import copy, without_values
from ...syntax.nodes import parameter_names, starred_parameters
from ...syntax.program import Derivation
from ..stepper import run
from .formulas import short
from .operands import Constants, replaced
from .recorder import Operation, Recorder

AGREE = 1e-6
_NUMBERS = itertools.count(1)


@dataclass(frozen=True)
class Run:
    """What a function has computed from its arguments.

    arguments: as they were; inputs: the numbers and arrays that it is differentiated by, with their paths (`x`,
    `p['w']`); operations: in order; result: the value that was returned; tangents: of the inputs; along: the tangent of
    the result that the run itself has given.
    """

    name: str
    derivation: Derivation
    arguments: tuple[tuple[str, Any], ...]
    inputs: tuple[tuple[str, Any], ...]
    operations: tuple[Operation, ...]
    constants: Constants
    result: int
    tangents: tuple[Any, ...]
    along: Any

    def where(self, digits: int) -> str:
        """The call, as a title."""
        return f"{self.name} at " + ", ".join(f"{name} = {short(value, digits)}" for name, value in self.arguments)

    def identifier(self, place: int) -> str:
        """The name of a value in the program: `v_m1`, `v0` for inputs, `v1` for what is computed first."""
        number = place - len(self.inputs) + 1
        return f"v{number}" if number >= 0 else f"v_m{-number}"


def recorded(f: Callable[..., Any], args: Sequence[Any], keywords: Mapping[str, Any], wrt: Wrt, tangents: Any,
             most: int) -> Run:
    """Run a function, and note its elementary operations. tangents: one for each of wrt; None for any."""
    df, bound, names = _bound(f, args, keywords, wrt)
    derivation: Derivation = df.__tangent_nb__
    for one in derivation.changes:
        bound.arguments[one] = copy(bound.arguments[one])
    for one in derivation.wrt:
        bound.arguments[one] = _fresh(bound.arguments[one])
    given = {one: bound.arguments[one] for one in derivation.wrt}
    inputs = [(path, leaf) for one, value in given.items() for path, leaf in _inputs(value, one)]
    if not inputs:
        raise TangentError(f"{', '.join(given)} of {derivation.primal.name} holds no floating number: pass floats")
    before = [(path, copy(value)) for path, value in inputs]           # as they were, if the function changes them
    arguments = [(one, copy(value) if isinstance(value, np.ndarray) else value)
                 for one, value in bound.arguments.items()]
    made = _directions(given, tangents)
    recorder = Recorder(derivation, inputs, most)
    along = run(lambda: df(*bound.args, **bound.kwargs, **dict(zip(names, made, strict=True))), recorder.follow,
                recorder)
    value, place = recorder.result if recorder.result is not None else (None, None)
    if place is None:
        what = f"it returns a {type(value).__name__}" if kind_of(value) is not None else \
            f"what it returns there does not depend on {', '.join(given)}"
        raise TangentError(f"cannot write down the run of {derivation.primal.name}\n  why: {what}\n"
                           "  instead: return one number or array that is computed from them")
    flat = [leaf for one, value in zip(made, given.values(), strict=True) for leaf in _alongside(one, value)]
    return Run(derivation.primal.name, derivation, tuple(arguments), tuple(before), tuple(recorder.operations),
               recorder.constants, place, tuple(flat), along)


def _bound(f: Callable[..., Any], args: Sequence[Any], keywords: Mapping[str, Any],
           wrt: Wrt) -> tuple[Any, inspect.BoundArguments, list[str]]:
    """The raw derivative in forward mode, its arguments without tangents, and the names of the tangents."""
    if isinstance(f, types.FunctionType):
        try:
            inspect.signature(f).bind(*args, **keywords)
        except TypeError as error:
            raise TangentError(f"{f.__name__}: {error}") from None

    def push(names: Wrt) -> Any:
        return named(f, "jvp", names, "", optimized=False, like=tuple(args))

    if isinstance(wrt, str) and wrt == EVERY:
        df = every(f, push, dict(zip(inspect.signature(f).parameters, args, strict=False)) | dict(keywords))[0]
    else:
        df = push(wrt)
    derivation: Derivation = df.__tangent_nb__
    signature, tree = inspect.signature(df), derivation.primal.tree
    known = {*parameter_names(tree), *starred_parameters(tree)}
    if unknown := [one for one in derivation.wrt if one not in known]:
        what = wrt if isinstance(wrt, str) else unknown[0]
        raise TangentError(f"this is made for parameters, and {what} is a part of one, or a variable outside: name the "
                           "parameter, or pass the variable")
    own = signature.replace(parameters=[one for name, one in signature.parameters.items() if name in known])
    try:
        bound = own.bind(*args, **keywords)
    except TypeError as error:
        raise TangentError(f"{derivation.primal.name}: {error}") from None
    bound.apply_defaults()
    return df, bound, [one for one in signature.parameters if one not in known]


def _fresh(value: Any) -> Any:
    """An argument whose numbers are objects of their own."""
    if type(value) is int:
        return float(value)
    kind = kind_of(value)
    if kind is not None:
        parts = {key: part if type(part) is int else _fresh(part) for key, part in kind.parts(value).items()}
        return kind.build(value, parts)
    if isinstance(value, np.ndarray):
        return value.copy() if value.dtype.kind == "f" else value
    return value * 1 if isinstance(value, (float, np.floating)) else value


def _inputs(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    """The floating numbers and arrays in an argument, with their paths."""
    kind = kind_of(value)
    if kind is None:
        if is_real(value) and np.asarray(value).dtype.kind == "f":
            yield path, value
        return
    for key, part in kind.parts(value).items():
        yield from _inputs(part, path + part_text(key, kind))


def _directions(given: Mapping[str, Any], tangents: Any) -> list[Any]:
    """A tangent for each of wrt: those given, `"first"`, which is one in the first of them and zero in the others, or
    some."""
    if tangents is None:
        numbers = np.random.default_rng(0)
        return [_filled(value, lambda leaf: numbers.standard_normal(np.shape(leaf))[()]) for value in given.values()]
    if isinstance(tangents, str):
        return [_filled(value, lambda leaf, one=float(not place): np.full(np.shape(leaf), one)[()])  # type: ignore
                for place, value in enumerate(given.values())]
    several = tangents if isinstance(tangents, (tuple, list)) and len(given) > 1 else \
        tangents if isinstance(tangents, tuple) and len(tangents) == 1 else (tangents,)
    if len(several) != len(given):
        raise TangentError(f"tangents: {len(several)} given, one is needed for each of {', '.join(given)}")
    return [_as_tangent(one, value) for one, value in zip(several, given.values(), strict=True)]


def _as_tangent(tangent: Any, value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return np.broadcast_to(np.asarray(tangent, value.dtype), value.shape).copy()
    return float(tangent) if isinstance(value, float) and isinstance(tangent, (int, float)) else tangent


def _filled(value: Any, make: Callable[[Any], Any]) -> Any:
    """A tangent of a value, of what `make` gives for each number and array."""
    kind = kind_of(value)
    if kind is not None:
        parts = {key: _filled(part, make) if kind_of(part) is not None or holds_number(part) else None
                 for key, part in kind.parts(value).items()}
        return without_values(kind.build(value, parts))
    if isinstance(value, np.ndarray) or isinstance(value, np.floating):
        made = np.asarray(make(value), value.dtype if value.dtype.kind == "f" else float)
        return made if isinstance(value, np.ndarray) else made[()]
    return float(make(value)) if isinstance(value, float) else 0.0


def _alongside(tangent: Any, value: Any) -> Iterator[Any]:
    """The tangents of the inputs in a value."""
    kind = kind_of(value)
    if kind is None:
        if is_real(value) and np.asarray(value).dtype.kind == "f":
            yield tangent
        return
    parts = kind_of(tangent)
    for key, part in kind.parts(value).items():
        yield from _alongside(None if parts is None else parts.parts(tangent)[key], part)


def program(one: Run) -> types.FunctionType:
    """The operations of a run as a function of its inputs."""
    names = [one.identifier(place) for place in range(len(one.inputs))]
    lines = [f"def {one.name}({', '.join(names)}):"]
    for operation in one.operations:
        lines.append(f"    {one.identifier(operation.place)} = {text_of(one, operation.expression)}")
    lines.append(f"    return {one.identifier(one.result)}")
    text = "\n".join(lines) + "\n"
    filename = f"<run {next(_NUMBERS)} of {one.name}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    namespace = {"__name__": f"run of {one.name}", **one.constants.objects}
    exec(compile(text, filename, "exec"), namespace)
    made = namespace[one.name]
    assert isinstance(made, types.FunctionType)
    return made


def text_of(one: Run, expression: ast.expr) -> str:
    """An operation as it is written in the program."""
    return ast.unparse(replaced(expression, lambda name: ast.Name(one.identifier(int(name[1:])), ast.Load())
                                if name.startswith("%") else None))
