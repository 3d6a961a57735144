"""Which parameters can have a derivative: what `wrt="*"` stands for.

Needs a function, and where there are any its arguments. Promises the names in order, and for each parameter that is
left out the reason: what its annotation, its value or default, or its use say; and where all together are refused, what
is refused for each alone.
"""
from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

import gast
import numpy as np

from .capture import capture
from .errors import RefusedError, TangentError
from .rules import Rule, lookup, lookup_method
from .runtime.containers import kind_of
from .runtime.persistent import PersistentArray
from .syntax.nodes import writes
from .syntax.program import MISSING

EVERY = "*"
T = TypeVar("T")


def every(f: Any, derive: Callable[[tuple[str, ...]], T],
          given: Mapping[str, Any] | None = None) -> tuple[T, tuple[str, ...], dict[str, str]]:
    """What `derive` makes of the parameters that can have a derivative, their names,
    and the reasons for the others. given: arguments."""
    reasons = unfit(f, given)
    names = tuple(name for name, reason in reasons.items() if not reason)
    if not names:
        raise TangentError(f"cannot differentiate {getattr(f, '__name__', 'the function')}: no parameter can have a "
                           "derivative" + "".join(f"\n  {name}: {reason}" for name, reason in reasons.items()))
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
    """Parameters that stand alone where only an integer can, in range(…), in an index, in a shape;
    or that are called."""
    captured = capture(f)
    tree, local = captured.tree, writes(captured.tree)
    found: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, gast.Call):
            fn = captured.namespace.resolve(node.func, local)
            for argument, rule in _sizes(node, fn):
                use = "a count in range" if fn is range else f"the size of what {rule.name.rpartition('.')[2]} makes"
                found.update(dict.fromkeys(_alone(argument), use))
            if isinstance(node.func, gast.Name):
                found[node.func.id] = "a function"
        elif isinstance(node, gast.Subscript):
            found.update(dict.fromkeys(_alone(node.slice), "an index"))
    stored = {node.id for node in ast.walk(tree) if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Store)}
    return {name: use for name, use in found.items() if name not in stored}


def _sizes(node: Any, fn: Any) -> Iterator[tuple[Any, Rule]]:
    """The arguments of a call that are sizes, as the row of the function or the method says, and the row."""
    bound = fn is MISSING and isinstance(node.func, gast.Attribute)
    rule = lookup_method(node.func.attr) if bound else lookup(fn)
    if rule is not None:
        given = [*zip(rule.params[bound:], node.args),
                 *((rule.names.get(one.arg, one.arg), one.value) for one in node.keywords)]
        yield from ((argument, rule) for name, argument in given if name in rule.sizes)


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
