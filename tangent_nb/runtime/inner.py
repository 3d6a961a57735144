"""Parts of parts of lists and dicts: reading them, and storing them in containers that are new."""
from __future__ import annotations

from typing import Any

from ..errors import ArgumentError
from .containers import MAPPING, described, key_in, kind_of
from .records import add_item, exchanged, with_item, without_item
from .structure import copy, zeros_like


def with_inner(x: Any, keys: tuple[Any, ...], v: Any) -> Any:
    """What `x[k][l] = v` makes of the list or dict `x`, for the keys `(k, l)`.

    >>> with_inner([[1.0, 2.0], [3.0]], (0, -1), 5.0)
    [[1.0, 5.0], [3.0]]
    """
    key, *rest = keys
    return with_item(x, key, with_inner(_item(x, key), tuple(rest), v) if rest else v)


def _item(x: Any, key: Any) -> Any:
    """`x[key]`; a `defaultdict` is not changed by being asked."""
    return MAPPING.build(x, x)[key] if isinstance(x, dict) and key not in x else x[key]


def without_inner(g: Any, x: Any, keys: tuple[Any, ...]) -> Any:
    """The cotangent of `x` from that of `with_inner(x, keys, v)`.

    >>> without_inner([[1.0, 5.0], [3.0]], [[0.0, 0.0], [0.0]], (0, -1))
    [[1.0, 0.0], [3.0]]
    """
    key, *rest = keys
    if not rest or isinstance(x, dict) and key not in x:
        return without_item(g, x, key)
    return exchanged(g, key_in(x, key), without_inner(g[key], x[key], tuple(rest)))


def inner(x: Any, keys: tuple[Any, ...]) -> Any:
    """`x[k][l]` for the keys `(k, l)`, as a value of its own.

    >>> inner([[1.0, 2.0], [3.0]], (0, -1))
    2.0
    """
    for key in keys:
        x = x[key]
    return copy(x)


def add_inner(b: Any, keys: tuple[Any, ...], g: Any) -> Any:
    """The cotangent `b` with `g` added to the part `b[k][l]`, for the keys `(k, l)`; `b` itself stays as it is.

    >>> add_inner([[1.0, 2.0], [3.0]], (0, -1), 5.0)
    [[1.0, 7.0], [3.0]]
    """
    key, *rest = keys
    if not rest:
        return add_item(b, key, g)
    if kind_of(b) is None or isinstance(key, slice):
        return add_item(b, key, add_inner(zeros_like(b[key]), tuple(rest), g))
    return exchanged(b, key_in(b, key), add_inner(b[key], tuple(rest), g))


def with_appended(x: Any, keys: tuple[Any, ...], v: Any) -> Any:
    """What `x[k].append(v)` makes of the container `x`, for the keys `(k,)`.

    >>> with_appended({"w": [1.0]}, ("w",), 5.0)
    {'w': [1.0, 5.0]}
    """
    part = x
    for key in keys:
        part = _item(part, key)
    if type(part) is not list:
        raise ArgumentError(f".append of {described(part)} is not differentiated: use a list")
    return with_inner(x, keys, [*part, v])


def without_appended(g: Any, x: Any, keys: tuple[Any, ...]) -> Any:
    """The cotangent of `x` from that of `with_appended(x, keys, v)`.

    >>> without_appended({"w": [1.0, 5.0]}, {"w": [2.0]}, ("w",))
    {'w': [1.0]}
    """
    key, *rest = keys
    if isinstance(x, dict) and key not in x:
        return without_item(g, x, key)
    return exchanged(g, key_in(x, key), without_appended(g[key], x[key], tuple(rest)) if rest else list(g[key][:-1]))


def appended(g: Any, keys: tuple[Any, ...]) -> Any:
    """The last item of `g[k]`, for the keys `(k,)`, as a value of its own.

    >>> appended({"w": [1.0, 5.0]}, ("w",))
    5.0
    """
    return inner(g, (*keys, -1))
