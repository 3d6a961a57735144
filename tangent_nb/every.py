"""Which parameters can have a derivative: what `wrt="*"` stands for.

Needs a function, and where there are any its arguments. Promises the names in order, and for each parameter that is left out the reason:
what its annotation, its value or default, or its use say; and where all together are refused, what is refused for each alone.
"""
from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import gast
import numpy as np

from .capture import capture
from .errors import RefusedError, TangentError
from .runtime import PersistentArray
from .runtime.containers import kind_of

EVERY = "*"
COUNTS = ("range", "zeros", "ones", "full", "eye", "arange", "linspace", "reshape")
T = TypeVar("T")


def every(f: Any, derive: Callable[[tuple[str, ...]], T], given: Mapping[str, Any] | None = None) -> tuple[T, tuple[str, ...], dict[str, str]]:
    """What `derive` makes of the parameters that can have a derivative, their names, and the reasons for the others. given: arguments."""
    reasons = unfit(f, given)
    names = tuple(name for name, reason in reasons.items() if not reason)
    if not names:
        raise TangentError(f"cannot differentiate {getattr(f, '__name__', 'the function')}: no parameter can have a derivative"
                           + "".join(f"\n  {name}: {reason}" for name, reason in reasons.items()))
    try:
        found = derive(names)
    except TangentError as error:
        accepted = []
        for name in names:
            try:
                derive((name,))
                accepted.append(name)
            except TangentError as alone:
                reasons[name] = _first_reason(alone)
        if not accepted or tuple(accepted) == names:
            raise error
        names = tuple(accepted)
        found = derive(names)
    return found, names, {name: reason for name, reason in reasons.items() if reason}


def _first_reason(error: TangentError) -> str:
    refusals = error.refusals if isinstance(error, RefusedError) else ()
    return (refusals[0].why if refusals else str(error)).partition("\n")[0].rstrip(".")


def unfit(f: Any, given: Mapping[str, Any] | None = None) -> dict[str, str]:
    """For each parameter why it cannot have a derivative, as far as values, annotations and use tell; empty if it may.

    >>> def power(x, n: int, label="a", k=3):
    ...     return x ** n * k
    >>> {name: bool(reason) for name, reason in unfit(power).items()}
    {'x': False, 'n': True, 'label': True, 'k': False}
    """
    counts = _counts(f)
    reasons = {}
    for name, parameter in _parameters(f).items():
        values = [] if parameter.default is parameter.empty else [parameter.default]
        values = [given[name]] if given is not None and name in given else values
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
    if isinstance(value, PersistentArray):
        return "" if value.dtype.kind == "f" else f"its values are {value.dtype}"
    if leaves(value) if isinstance(value, (list, tuple, dict)) else kind_of(value) is not None:
        return ""
    return f"its value is {'None' if value is None else 'a ' + type(value).__name__}"


def _counts(f: Any) -> Mapping[str, str]:
    """Parameters that stand alone where only an integer can, in range(…), in an index, in a shape; or that are called."""
    tree = capture(f).tree
    found: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, gast.Call):
            called = getattr(node.func, "id", getattr(node.func, "attr", ""))
            if called in COUNTS:
                use = "a count in range" if called == "range" else f"the size of what {called} makes"
                arguments = node.args if called == "range" else node.args[:1]
                found.update({name: use for one in arguments for name in _alone(one)})
            if isinstance(node.func, gast.Name):
                found[node.func.id] = "a function"
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


def _parameters(f: Any) -> Mapping[str, inspect.Parameter]:
    """The parameters of a function, or of the `def` that stands for one that is written in C."""
    try:
        return inspect.signature(f).parameters
    except ValueError:
        return inspect.signature(capture(f).fn).parameters


def is_real(value: Any) -> bool:
    """A number or an array that can have a derivative: real, and neither an integer array nor a bool."""
    if isinstance(value, (bool, np.bool_)):
        return False
    if isinstance(value, (int, float, np.floating, np.integer)):
        return True
    return isinstance(value, np.ndarray) and np.issubdtype(value.dtype, np.floating)


def leaves(value: Any) -> list[Any]:
    """The numbers and arrays in a value, in order.

    >>> leaves({"a": [1.0, (2.0,)], "b": 3.0})
    [1.0, 2.0, 3.0]
    """
    if isinstance(value, (list, tuple)):
        return [leaf for one in value for leaf in leaves(one)]
    if isinstance(value, dict):
        return [leaf for one in value.values() for leaf in leaves(one)]
    return [value] if is_real(value) else []
