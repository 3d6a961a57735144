"""From options to a derived function: which parameters are taken, in which mode, with which passes."""
from __future__ import annotations

import ast
import inspect
import types
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

import gast
import numpy as np

import tangent_nb

from ..api import named
from ..capture import capture
from ..errors import RefusedError, TangentError
from ..syntax.program import Derivation
from .numbers import is_real, leaves
from .options import EVERY, Options, Wrt

COUNTS = ("range", "zeros", "ones", "full", "eye", "arange", "linspace", "reshape")


@dataclass(frozen=True)
class Derived:
    """A derived function; whether its gradient is bare (not in a tuple); what was decided on the way: sentences."""

    function: types.FunctionType
    bare: bool = True
    notes: tuple[str, ...] = ()

    @property
    def derivation(self) -> Derivation:
        """What is known of it."""
        known: Derivation = self.function.__tangent_nb__  # type: ignore[attr-defined]
        return known

    def gradients(self, result: Any) -> tuple[Any, ...]:
        """One gradient for each parameter, from what the function returned."""
        return (result,) if self.bare else tuple(result)


def added(f: Any, df: Any) -> list[str]:
    """The parameters that a derivative has and its function has not, in order: tangents, or the seed."""
    known = inspect.signature(f).parameters
    return [name for name in inspect.signature(df).parameters if name not in known]


def derive(f: Any, options: Options, bound: inspect.BoundArguments | None = None, *, specialized: bool = True) -> Derived:
    """The derivative of `f` as the options ask for it. Raises TangentError where it is refused. specialized: for the arguments given,
    which otherwise serve to tell what can have a derivative."""
    if options.wrt != EVERY:
        return _finished(Derived(_derived(f, options.wrt, options, bound if specialized else None), not isinstance(options.wrt, tuple)), options)
    return _finished(_every(f, options, bound, specialized), options)


def report(f: Any, options: Options, bound: inspect.BoundArguments | None = None) -> str:
    """What `--dry-run` says: all that is refused, or that nothing is. The derivative is made and let go."""
    try:
        derive(f, options, bound)
    except TangentError as error:
        return str(error)
    return f"nothing in {getattr(f, '__name__', 'this function')} is refused"


def _finished(derived: Derived, options: Options) -> Derived:
    """The derivative as it is bound: with `--nan` the watched one."""
    if not options.nan:
        return derived
    note = f"{derived.function.__name__} is watched: it stops at the first line that makes a NaN or an Inf"
    watched = cast(types.FunctionType, tangent_nb.watch(derived.function))
    return replace(derived, function=watched, notes=(*derived.notes, note))


def _derived(f: Any, wrt: Wrt, options: Options, bound: inspect.BoundArguments | None) -> types.FunctionType:
    like = None if bound is None or options.backend != "numpy" else bound.args      # only NumPy's texts are specialized
    function = named(f, "grad" if options.mode == "reverse" else "jvp", wrt, options.name or "", optimized=options.optimized, like=like,
                     backend=options.backend)
    return cast(types.FunctionType, function)


def _every(f: Any, options: Options, bound: inspect.BoundArguments | None, specialized: bool) -> Derived:
    """With respect to every parameter that can have a derivative; the note says which were left out, and why."""
    reasons = unfit(f, bound)
    names = [name for name, reason in reasons.items() if not reason]
    if not names:
        raise TangentError(f"cannot differentiate {f.__name__}: no parameter can have a derivative"
                           + "".join(f"\n  {name}: {reason}" for name, reason in reasons.items()))
    like = bound if specialized else None
    try:
        function = _derived(f, tuple(names), options, like)
    except TangentError as error:
        accepted = []
        for name in names:
            try:
                _derived(f, (name,), options, like)
                accepted.append(name)
            except TangentError as alone:
                reasons[name] = _first_reason(alone)
        if not accepted or accepted == names:
            raise error
        function = _derived(f, tuple(accepted), options, like)
        names = accepted
    left = [f"{name} ({reason})" for name, reason in reasons.items() if reason]
    note = f"with respect to every parameter that can have a derivative: {', '.join(names)}"
    return Derived(function, False, (note + (f"; left out: {', '.join(left)}" if left else ""),))


def _first_reason(error: TangentError) -> str:
    refusals = error.refusals if isinstance(error, RefusedError) else ()
    return (refusals[0].why if refusals else str(error)).partition("\n")[0].rstrip(".")


def unfit(f: Any, bound: inspect.BoundArguments | None = None) -> dict[str, str]:
    """For each parameter why it cannot have a derivative, as far as values, annotations and use tell; empty if it may.

    >>> def power(x, n: int, label="a", k=3):
    ...     return x ** n * k
    >>> {name: bool(reason) for name, reason in unfit(power).items()}
    {'x': False, 'n': True, 'label': True, 'k': False}
    """
    counts = _counts(f)
    reasons = {}
    for name, parameter in inspect.signature(f).parameters.items():
        values = [] if parameter.default is parameter.empty else [parameter.default]
        if bound is not None:
            values = [bound.arguments[name]]
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            reasons[name] = "it collects arguments"
        elif parameter.annotation in (int, bool, str, "int", "bool", "str"):
            annotation = parameter.annotation
            reasons[name] = f"its annotation says {getattr(annotation, '__name__', annotation)}"
        elif name in counts:
            reasons[name] = f"it is used as {counts[name]}"
        else:
            reasons[name] = _unfit_value(values[0]) if values else ""
    return reasons


def _unfit_value(value: Any) -> str:
    if is_real(value):
        return ""
    if isinstance(value, np.ndarray):
        return f"its values are {value.dtype}"
    if isinstance(value, (list, tuple, dict)) and leaves(value):
        return ""
    return f"its value is {'None' if value is None else 'a ' + type(value).__name__}"


def _counts(f: Any) -> Mapping[str, str]:
    """Parameters that stand alone where only an integer can: in range(…), in an index, in a shape."""
    tree = capture(f).tree
    found: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, gast.Call):
            called = getattr(node.func, "id", getattr(node.func, "attr", ""))
            if called in COUNTS:
                use = "a count in range" if called == "range" else f"a size in {called}"
                arguments = node.args if called == "range" else node.args[:1]
                found.update({name: use for one in arguments for name in _alone(one)})
        elif isinstance(node, gast.Subscript):
            found.update(dict.fromkeys(_alone(node.slice), "an index"))
    stored = {node.id for node in ast.walk(tree) if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Store)}
    return {name: use for name, use in found.items() if name not in stored}


def _alone(node: Any) -> list[str]:
    """The names in an argument or index that are the whole of it, or of a part of its tuple or slice."""
    if isinstance(node, gast.Name):
        return [node.id]
    if isinstance(node, (gast.Tuple, gast.List)):
        return [name for one in node.elts for name in _alone(one)]
    if isinstance(node, gast.Slice):
        return [name for one in (node.lower, node.upper, node.step) if one is not None for name in _alone(one)]
    return []
