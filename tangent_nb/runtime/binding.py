"""Calls with stars, and partials, of functions that are known only when they run: bound to what they are given.

    fn(x, *rest, **options)        bind(fn, (x, *rest), options)()
    functools.partial(fn, k=x)     bind(fn, (), {"k": x})

The cotangent of what is bound is a partial of the same form, whose parts are those of the function, where this is a
partial or an object itself, of the arguments and of the keywords.
"""
from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import TangentError
from .containers import PARTIAL, described, kind_of
from .opened import check_alone, method
from .remembered import DERIVE
from .structure import rebuild, zeros_like


def bind(fn: Any, args: Sequence[Any], keywords: Mapping[str, Any], shown: bool = False) -> Any:
    """A function with its arguments, `functools.partial(fn, *args, **keywords)`: called without any, it does what the
    call did. shown: the user may read what it is made of.

    >>> bind(max, (2.0, 3.0), {"key": abs})()
    3.0
    """
    plain, first = _taken(fn, args)
    if shown and first:
        raise TangentError(f"functools.partial is given {described(fn)}, which is called as an object: "
                           "give it the method, or a lambda that calls it")
    return functools.partial(plain, *first, *args, **keywords)


def _taken(fn: Any, args: Sequence[Any]) -> tuple[Any, tuple[Any, ...]]:
    """What is bound for a function, and the object that comes first: that of a `__call__`."""
    if isinstance(fn, method) and args and kind_of(args[0]) is not None:
        found = inspect.getattr_static(args[0], fn.name, None)
        written = inspect.isfunction(found) and fn.name not in getattr(args[0], "__dict__", {})
        return (found, ()) if written and not DERIVE["alone"](types.MethodType(found, args[0])) else (fn, ())
    if type(fn) is not functools.partial and kind_of(fn) is not None:
        found = inspect.getattr_static(type(fn), "__call__", None)
        return (found, (fn,)) if inspect.isfunction(found) else (fn, ())
    return fn, ()


def check_twice(fn: Any, names: tuple[str, ...], given: Sequence[Mapping[str, Any]]) -> None:
    """What Python says where a keyword is given twice: by name, and in a mapping.

    >>> check_twice(max, ("key",), [{"default": 0.0}])
    >>> check_twice(max, ("key",), [{"key": abs}])
    Traceback (most recent call last):
    TypeError: max() got multiple values for keyword argument 'key'
    """
    found = set(names)
    for one in given:
        if not hasattr(one, "keys"):
            fn(**one)                                      # no mapping, as Python says
        if twice := [key for key in one if key in found]:
            name = fn.name if isinstance(fn, method) else getattr(fn, "__qualname__", type(fn).__qualname__)
            raise TypeError(f"{name}() got multiple values for keyword argument {twice[0]!r}")
        found.update(one)


def bound_function(g: Any, fn: Any, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
    """The cotangent of a function from that of `bind(fn, args, keywords)`.

    >>> g = bind(pow, (1.0,), {"mod": 3.0})
    >>> bound_function(g, functools.partial(pow, 2.0), (), {"mod": 2.0}).args
    (1.0,)
    """
    if type(fn) is functools.partial:
        parts, zeros = PARTIAL.parts(g), zeros_like(fn)
        return PARTIAL.build(fn, {key: own if key in keywords else parts[key]
                                  for key, own in PARTIAL.parts(zeros).items()})
    plain, first = _taken(fn, args)
    if first:
        return g.args[0]
    check_alone(fn)
    return zeros_like(fn)


def bound_arguments(g: Any, fn: Any, args: Sequence[Any]) -> Any:
    """The cotangent of the arguments from that of `bind(fn, args, keywords)`.

    >>> bound_arguments(bind(pow, (1.0, 3.0), {}), functools.partial(pow, 2.0), (5.0,))
    (3.0,)
    """
    return rebuild(args, list(g.args[len(g.args) - len(args):]))


def bound_keywords(g: Any, keywords: Mapping[str, Any]) -> Any:
    """The cotangent of the keywords from that of `bind(fn, args, keywords)`.

    >>> bound_keywords(bind(pow, (1.0,), {"exp": 3.0, "mod": 4.0}), {"exp": 2.0})
    {'exp': 3.0}
    """
    kind = kind_of(keywords)
    found = {key: g.keywords[key] for key in keywords}
    return found if kind is None else kind.build(keywords, found)


def bound_along(y: Any, fn: Any, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
    """The tangent of `y`, what a function is bound to, from those of the function, its arguments and its keywords.

    >>> bound_along(bind(pow, (1.0,), {"exp": 3.0}), None, (5.0,), {"exp": 2.0}).keywords
    {'exp': 2.0}
    """
    parts = dict(enumerate(args, len(y.args) - len(args)))
    if len(y.args) > len(args) and type(fn) is not functools.partial:
        parts[0] = fn
    own = PARTIAL.parts(fn) if type(fn) is functools.partial else {}
    return PARTIAL.build(y, {**PARTIAL.parts(zeros_like(y)), **own, **parts, **keywords})
