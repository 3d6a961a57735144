"""`--at`: arguments given as text, and the value and the derivative there."""
from __future__ import annotations

import ast
import inspect
import reprlib
import types
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

import numpy as np

from ..every import leaves
from ..runtime.containers import kind_of
from .derive import Derived, added
from .numbers import basis
from .options import OptionError
from .rerun import Calls
from .view import Table

LONGEST, SHORTEST = 600, 60


def evaluate(text: str, f: types.FunctionType, namespace: Mapping[str, Any]) -> inspect.BoundArguments:
    """The arguments of a call `f(<text>)`, defaults included.

    >>> def f(x, n, k=1): pass
    >>> evaluate("2.0, n=a + 1", f, {"a": 2}).arguments
    {'x': 2.0, 'n': 3, 'k': 1}
    """
    try:
        call = ast.parse(f"_({text}\n)", "--at", "eval").body
    except (SyntaxError, ValueError) as error:
        raise OptionError(f"--at: {text!r} is not a list of arguments: write --at \"x=2.0, n=3\"") from error
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.func.id != "_":
        raise OptionError(f"--at: {text!r} is not a list of arguments")
    made: list[tuple[tuple[Any, ...], dict[str, Any]]] = []
    call.func = ast.Name("__tangent_nb_call__", ast.Load())
    scope = dict(namespace)
    scope["__tangent_nb_call__"] = lambda *args, **kwargs: made.append((args, kwargs))
    try:
        eval(compile(ast.fix_missing_locations(ast.Expression(call)), "--at", "eval"), scope)
    except Exception as error:
        raise OptionError(f"--at: {type(error).__name__}: {error}") from error
    args, kwargs = made[0]
    try:
        bound = inspect.signature(f).bind(*args, **kwargs)
    except TypeError as error:
        raise OptionError(f"--at: {error}") from error
    bound.apply_defaults()
    return bound


def for_backend(derived: Derived, bound: inspect.BoundArguments) -> tuple[inspect.BoundArguments, tuple[str, ...]]:
    """The arguments as the derivative's library can take them, and what is said of that: without x64,
    JAX has numbers of 32 bits alone."""
    if derived.derivation.backend != "jax":
        return bound, ()
    from ..backends.jax_runtime.arguments import X64, narrowed
    arguments = {name: narrowed(value, name in derived.derivation.wrt) for name, value in bound.arguments.items()}
    cut = [name for name, value in arguments.items() if value is not bound.arguments[name]]
    if not cut:
        return bound, ()
    made = inspect.BoundArguments(bound.signature, OrderedDict(arguments))
    names = ", ".join(cut)
    return made, (f"JAX has numbers of 32 bits here: {names} {'was' if len(cut) == 1 else 'were'} cut to 32 for the "
                  f"values shown. Call the derivative with float32, or switch 64 bits on: import jax; {X64}",)


def values(f: types.FunctionType, derived: Derived, bound: inspect.BoundArguments) -> Table:
    """The value and the derivative at these arguments, as a table.

    The derivative's own prints are shown, being those of the function itself; the call for the value is silent.
    """
    call = Calls(f, bound.args, bound.kwargs)
    wrt = derived.derivation.wrt
    if derived.derivation.mode == "forward":
        rows = [(label, written(call(derived.function, shown=place == 0, **tangents)))
                for place, (label, tangents) in enumerate(directions(wrt, added(f, derived.function), bound))]
    else:
        gradients = derived.gradients(call(derived.function, shown=True))
        called = f"({f.__name__})" if hasattr(f, "__tangent_nb__") else f.__name__
        rows = [(f"d{called}/d{name}", written(one)) for name, one in zip(wrt, gradients)]
    rows.insert(0, (f.__name__, written(call(f))))
    where = ", ".join(f"{name}={short(value)}" for name, value in bound.arguments.items())
    return Table(f"at {where}", ("", ""), tuple(rows))


def directions(wrt: tuple[str, ...], names: list[str],
                bound: inspect.BoundArguments) -> list[tuple[str, dict[str, Any]]]:
    """For each parameter the tangents (under their `names`) that are 1 in it and 0 in the others."""
    result = []
    for chosen in wrt:
        tangents = {tangent: basis(bound.arguments[name], 1.0 if name == chosen else 0.0)
                    for name, tangent in zip(wrt, names)}
        ones = all(np.ndim(leaf) == 0 for leaf in leaves(bound.arguments[chosen]))
        result.append((f"tangent along {chosen}" + ("" if ones else " (all ones)"), tangents))
    return result


def written(value: Any) -> str:
    """A value in a few lines; an array with its shape and kind.

    >>> written(2.0), written(np.arange(3.0))
    ('2.0', '[0. 1. 2.]  shape (3,), float64')
    """
    try:
        if isinstance(value, np.ndarray):
            text = np.array2string(value, threshold=20, edgeitems=2, precision=5)[:LONGEST]
            kind = f"shape {value.shape}, {value.dtype}"
            return f"{kind}\n{text}" if "\n" in text else f"{text}  {kind}"
        if isinstance(value, np.generic):
            return repr(value.item())
        if isinstance(value, (tuple, list)) and any(isinstance(one, np.ndarray) for one in value):
            return "\n".join(written(one) for one in value[:10])
        text = by_fields(value)
    except Exception as error:                     # a __repr__ may do anything
        return f"<{type(value).__name__}, whose repr raises {type(error).__name__}>"
    return text if len(text) <= LONGEST else text[:LONGEST] + "…"


def by_fields(value: Any, depth: int = 6) -> str:
    """As `repr`, with what an object holds where its class has no `__repr__`.

    >>> by_fields([2.0, ({"a": 1.0},)])
    "[2.0, ({'a': 1.0},)]"
    """
    kind = kind_of(value)
    if kind is None or depth == 0:
        return repr(value)
    parts = {key: by_fields(part, depth - 1) for key, part in kind.parts(value).items()}
    if type(value) is list:
        return f"[{', '.join(parts.values())}]"
    if type(value) is tuple:
        return f"({', '.join(parts.values())}{',' * (len(parts) == 1)})"
    if type(value) is dict:
        return f"{{{', '.join(f'{key!r}: {text}' for key, text in parts.items())}}}"
    if _is_bare(value):
        return f"{type(value).__name__}({', '.join(f'{key}={text}' for key, text in parts.items())})"
    return repr(value)


def _is_bare(value: Any) -> bool:
    """Its class has no `__repr__`."""
    kind: Any = type(value)
    return kind.__repr__ is object.__repr__


def short(value: Any) -> str:
    """A value in a few characters."""
    if isinstance(value, np.ndarray) and value.size > 4:
        return f"array {value.shape}"
    try:
        if kind_of(value) is not None and _is_bare(value):
            text = " ".join(by_fields(value).split())
            return text if len(text) <= SHORTEST else text[:SHORTEST] + "…"
        return " ".join((np.array2string(value, precision=4) if isinstance(value, np.ndarray)
                         else reprlib.repr(value.item() if isinstance(value, np.generic) else value)).split())
    except Exception:
        return f"<{type(value).__name__}>"
