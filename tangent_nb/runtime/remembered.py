"""Derivatives of functions that are known only when they are called, remembered: one for each function and activity.

Needs a function, and what of it is asked for. Promises what `DERIVE` gives for it, derived once for all functions of
its code that see the same (`relinking.py`), and again when its code, or a default, is another one.
"""
from __future__ import annotations

import functools
import inspect
import types
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import numpy as np

from .containers import kind_of
from .persistent import PersistentArray
from .relinking import environment_of, forget_environments, known_environment, relinked

DERIVE: dict[str, Callable[..., Any]] = {}        # how functions are derived: filled by who can
# what gives a function with the parameters of the one that it is given, and runs nothing: filled likewise; with each
# what the function takes besides, after the parameters: nothing, a seed, or a tangent for each parameter
OPERATORS: dict[Callable[..., Any], str] = {}
PULLBACKS: set[Callable[..., Any]] = set()        # what gives a value and a function of the seed: filled likewise
WHOLE = ("inside", "halves", "along")             # made of several texts, which see their cells each for itself
KEPT = 256                                        # functions whose derivatives are remembered: the ones derived last
_DERIVED: OrderedDict[tuple[int, ...], tuple[Any, dict[Any, tuple[Any, Any]]]] = OrderedDict()


def derived(fn: Any, kind: str, names: tuple[Any, ...]) -> Any:
    """The derivative of this very function: one that is equal to it may have other cells. It refers to its function, so
    that weak references would keep both."""
    place = (id(fn.__self__), id(fn.__func__)) if isinstance(fn, types.MethodType) else (id(fn),)
    known = _DERIVED.setdefault(place, (fn, {}))[1]
    while len(_DERIVED) > KEPT:
        _DERIVED.popitem(last=False)
    now = _text(fn)
    found = known.get((kind, names))
    if found is None or not (found[0][0] is now[0] and found[0][1] is now[1] and found[0][2] is now[2]):
        found = known[kind, names] = now, _for_all_alike(fn, kind, names)
    return found[1]


def forget() -> None:
    """A derivative was found to be of what is no more: the next ones are derived anew."""
    _DERIVED.clear()
    forget_environments()


def _for_all_alike(fn: Any, kind: str, names: tuple[Any, ...]) -> Any:
    """The derivative of a function, derived once for all of its code in environments that are alike."""
    # of an interpolator the row is read, and not the text of its class
    alike = None if DERIVE["alone"](fn) or kind in WHOLE else known_environment(fn)
    if alike is None:
        return DERIVE[kind](fn, names)
    if (kind, names) not in alike.derived:
        made, here = DERIVE[kind](fn, names), environment_of(fn)
        if here is None:
            return made
        alike.derived[kind, names] = here, made
    known, made = alike.derived[kind, names]
    return relinked(made, known, fn)


def _text(fn: Any) -> tuple[Any, ...]:
    """What a function is made of, and what `%autoreload` exchanges in place."""
    if type(fn) is types.FunctionType:
        return fn.__code__, fn.__defaults__, fn.__kwdefaults__
    while isinstance(fn, functools.partial):
        fn = fn.func
    plain = fn if hasattr(fn, "__code__") else inspect.getattr_static(type(fn), "__call__", None)
    return tuple(getattr(plain, name, None) for name in ("__code__", "__defaults__", "__kwdefaults__"))


def parameters_of(fn: Any) -> Any:
    """The parameters that may be given by position."""
    return derived(fn, "parameters", ())


def function_of(fn: Any) -> Any:
    """The function with a text that a call runs, if it is one;
    other objects are made anew each time, and not remembered."""
    while isinstance(fn, (functools.partial, types.MethodType)):
        fn = fn.func if isinstance(fn, functools.partial) else fn.__func__
    return fn if isinstance(fn, types.FunctionType) else None


def name_of(fn: Any) -> str:
    """The name of a function as the user knows it."""
    name = getattr(fn, "__name__", "")
    return "a function" if not name else "a lambda" if name == "<lambda>" or name.startswith("_function") else name


def carries(value: Any) -> bool:
    """A value holds floating numbers, which have a derivative."""
    if isinstance(value, (float, np.ndarray, np.generic, PersistentArray)):
        return isinstance(value, float) or value.dtype.kind in "fc"
    kind = kind_of(value)
    return kind is not None and any(map(carries, kind.parts(value).values()))
