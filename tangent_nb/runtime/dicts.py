"""Reading and merging dicts, with the transposes."""
from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ..errors import ArgumentError
from .containers import MAPPING, article, described, kind_of
from .records import add_item
from .structure import copy, rebuild, zeros_like


def merged(x: Any, y: Any) -> Any:
    """`x | y` of two dicts, a tangent of it too.

    >>> merged({"w": 1.0, "b": 2.0}, {"b": 3.0})
    {'w': 1.0, 'b': 3.0}
    """
    if isinstance(x, dict) and isinstance(y, (list, tuple)):
        raise ArgumentError("a dict is updated with pairs, which is not differentiated: d.update(dict(pairs))")
    _check_dicts(x, y)
    return x | y


def dict_tangent(g: Any, x: Any) -> Any:
    """The tangent of `dict(x)`: of a dict, or of pairs of a key and a value.

    >>> dict_tangent([(0.0, 3.0)], [("w", 1.0)])
    {'w': 3.0}
    """
    if isinstance(x, dict):
        return dict(g)
    if any(isinstance(key, (float, np.floating)) and turned != 0 for (key, _), (turned, _) in zip(x, g, strict=True)):
        raise ArgumentError("dict(x) is not differentiated where a key carries a derivative: "
                            "tnb.stop_gradient(...) around the key")
    return {key: tangent for (key, _), (_, tangent) in zip(x, g, strict=True)}


def unmerged(g: Any, x: Any, y: Any) -> Any:
    """The cotangent of `x` from that of `x | y`: zero where `y` has the same key.

    >>> unmerged({"w": 5.0, "b": 6.0}, {"w": 1.0, "b": 2.0}, {"b": 3.0})
    {'w': 5.0, 'b': 0.0}
    """
    _check_dicts(x, y)
    return MAPPING.build(x, {key: zeros_like(part) if key in y else copy(g[key]) for key, part in x.items()})


def unmerged_last(g: Any, x: Any, y: Any) -> Any:
    """The cotangent of `y` from that of `x | y`.

    >>> unmerged_last({"w": 5.0, "b": 6.0}, {"w": 1.0}, {"b": 3.0})
    {'b': 6.0}
    """
    _check_dicts(x, y)
    return MAPPING.build(y, {key: copy(g[key]) for key in y})


def _check_dicts(x: Any, y: Any) -> None:
    if not all(isinstance(one, dict) and kind_of(one) is not None for one in (x, y)):
        raise ArgumentError("the operator | is for dicts, where a derivative flows through it: "
                            "arithmetic operators for numbers")


def _check_dict(x: Any, name: str) -> None:
    if not isinstance(x, dict):
        raise ArgumentError(f".{name} is differentiated for dicts, and is called here on {described(x)}: "
                            "use a dict, or another name for the method")


def got(g: Any, x: Any, key: Any) -> Any:
    """The cotangent of `x` from that of `x.get(key)`.

    >>> got(5.0, {"w": 1.0}, "w"), got(5.0, {"w": 1.0}, "b")
    ({'w': 5.0}, {'w': 0.0})
    """
    _check_dict(x, "get")
    return add_item(zeros_like(x), key, g) if key in x else zeros_like(x)


def got_default(g: Any, x: Any, key: Any, default: Any) -> Any:
    """The cotangent of the default from that of `x.get(key, default)`; its tangent's share in the other way round.

    >>> got_default(5.0, {"w": 1.0}, "w", 2.0), got_default(5.0, {"w": 1.0}, "b", 2.0)
    (0.0, 5.0)
    """
    return zeros_like(default) if key in x else g


def ungot(g: Any, v: Any, x: Any, key: Any) -> Any:
    """The cotangent of `v` in `got(v, x, key)`.

    >>> ungot({"w": 5.0}, 1.0, {"w": 1.0}, "w")
    5.0
    """
    return copy(g[key]) if key in x else zeros_like(v)


def got_tangent(g: Any, x: Any, key: Any, default: Any) -> Any:
    """The tangent of `x.get(key, default)` from that of `x`.

    >>> got_tangent({"w": 5.0}, {"w": 1.0}, "w", None)
    5.0
    """
    _check_dict(x, "get")
    return g[key] if key in x else zeros_like(default)


def values(x: Any) -> Any:
    """The values of a dict, as a list: `list(x.values())`.

    >>> values({"w": 1.0, "b": 2.0})
    [1.0, 2.0]
    """
    _check_dict(x, "values")
    return list(x.values())


def unvalues(g: Any, x: Any) -> Any:
    """The cotangent of a dict from that of its values: `dict(zip(x, g))`.

    >>> unvalues([5.0, 6.0], {"w": 1.0, "b": 2.0})
    {'w': 5.0, 'b': 6.0}
    """
    return MAPPING.build(x, dict(zip(x, g, strict=True)))


def redict(g: Any, x: Any) -> Any:
    """The cotangent of `x` from that of `dict(x)`.

    >>> redict({"w": 1.0}, {"w": 2.0}), redict({"w": 1.0}, [("w", 5.0), ("w", 2.0)])
    ({'w': 1.0}, [(None, 0.0), (None, 1.0)])
    """
    if isinstance(x, (list, tuple)) and all(isinstance(one, (list, tuple)) and len(one) == 2 for one in x):
        last = {key: place for place, (key, _) in enumerate(x)}                # the value that is in the dict
        parts = [[*zeros_like([key]), copy(g[key]) if last[key] == place else zeros_like(value)]
                 for place, (key, value) in enumerate(x)]
        return rebuild(x, list(map(rebuild, x, parts)))
    if not isinstance(x, dict):
        raise ArgumentError(f"dict(x) of {described(x)} is not differentiated: "
                            f"write the dict itself, {{key: value, ...}}")
    return MAPPING.build(x, g)


def keys(x: Any) -> Any:
    """The keys of a dict, `x.keys()`; whole numbers as they are. For what is read by that which going over it gives.

    Raises ArgumentError where it is neither.

    >>> list(keys({"w": 1.0, "b": 2.0})), keys([1, 0])
    (['w', 'b'], [1, 0])
    """
    if isinstance(x, Mapping):
        return x.keys()
    if isinstance(x, range) or np.size(x) == 0 or np.asarray(x).dtype.kind in "iu":
        return x
    raise ArgumentError(f"{article(type(x).__name__)} is gone over, and read by the items that this gives: "
                        "pass a dict, or whole numbers")


def check_call(text: str, count: int, names: tuple[str, ...] = (), given: tuple[Mapping[str, Any], ...] = ()) -> None:
    """What Python says of a call that does not fit to the parameters of a function, as they are written: so many
    arguments, keywords of these names, and those of mappings.

    >>> check_call("f(a, b=0)", 1, (), ({"b": 2.0},))
    >>> check_call("f(a, b=0)", 0, ("b",), ({},))
    Traceback (most recent call last):
    TypeError: f() missing 1 required positional argument: 'a'
    """
    fn, keywords = _called_as(text), dict.fromkeys(names)
    for one in given:
        if not hasattr(one, "keys"):
            fn(**one)                                      # no mapping, as Python says
        if twice := [key for key in one if key in keywords]:
            raise TypeError(f"{fn.__qualname__}() got multiple values for keyword argument {twice[0]!r}")
        keywords.update(dict.fromkeys(one))
    fn(*(None,) * count, **keywords)


@functools.cache
def _called_as(text: str) -> Callable[..., None]:
    """A function with these parameters that does nothing."""
    name, _, parameters = text.partition("(")
    scope: dict[str, Any] = {}
    exec(compile(f"def fitting({parameters}: pass", "<signature>", "exec"), scope)
    fn: Any = scope["fitting"]
    fn.__qualname__, fn.__module__ = name, None
    return fn  # type: ignore[no-any-return]
