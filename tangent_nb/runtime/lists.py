"""Lists and tuples repeated, and cut: what people do to them in place, as new ones; with the transposes;
checks of both."""
from __future__ import annotations

import collections
from typing import Any

import numpy as np

from ..errors import ArgumentError
from .constants import name_here
from .containers import described, kind_of
from .structure import add_grad, copy, rebuild, zeros_like


def repeated(x: Any, n: int) -> Any:
    """`x * n` of a list or tuple.

    >>> repeated([1.0, 2.0], 2)
    [1.0, 2.0, 1.0, 2.0]
    """
    if not isinstance(x, (list, tuple)) or np.ndim(n):
        raise ArgumentError(f"a list is repeated here, and {described(x)} times {described(n)} is none: "
                            "use np.array(...) around it")
    return x * n


def check_factor(x: Any, text: str) -> None:
    """Refuses what is no array as a factor of a list: Python repeats the list, or raises an error.

    >>> check_factor(np.ones(2), "[1.0, 2.0] * x")
    >>> check_factor(0.5, "[1.0, 2.0] * x")
    Traceback (most recent call last):
    tangent_nb.errors.ArgumentError: [1.0, 2.0] * x is a list times a float, and not times an array: ...
    """
    if not hasattr(x, "__array__") or isinstance(x, np.generic):
        raise ArgumentError(f"{text} is a list times {described(x)}, and not times an array: "
                            "use np.array(...) around the list")


def unrepeated(g: Any, x: Any, n: int) -> Any:
    """The cotangent of `x` from that of `x * n`, a list or tuple.

    >>> unrepeated([1.0, 2.0, 3.0, 4.0], [0.0, 0.0], 2)
    [4.0, 6.0]
    """
    total = zeros_like(x)
    for k in range(n):
        total = add_grad(total, rebuild(x, list(g[k * len(x):(k + 1) * len(x)])))
    return total


def with_slice(x: Any, cut: slice, v: Any) -> Any:
    """What `x[cut] = v` makes of a list.

    >>> with_slice([1.0, 2.0, 3.0], slice(0, 2), [5.0])
    [5.0, 3.0]
    """
    new = list(x)
    new[cut] = v
    return new


def without_slice(g: Any, x: Any, cut: slice) -> Any:
    """The cotangent of `x` from that of `with_slice(x, cut, v)`: zero for what was there.

    >>> without_slice([5.0, 6.0], [1.0, 2.0, 3.0], slice(0, 2))
    [0.0, 0.0, 6.0]
    """
    total = zeros_like(x)
    for place, part in zip(_places(g, x, cut), g, strict=True):
        if place is not None:
            total[place] = copy(part)
    return total


def only_slice(g: Any, x: Any, cut: slice) -> Any:
    """The cotangent of `v` from that of `with_slice(x, cut, v)`.

    >>> only_slice([5.0, 6.0], [1.0, 2.0, 3.0], slice(0, 2))
    [5.0]
    """
    return [copy(part) for place, part in zip(_places(g, x, cut), g, strict=True) if place is None]


def _places(g: Any, x: Any, cut: slice) -> list[int | None]:
    """Where the items of `with_slice(x, cut, v)` were in `x`; None for those of `v`."""
    gone = len(range(len(x))[cut])
    places: list[int | None] = list(range(len(x)))
    places[cut] = [None] * (len(g) - len(x) + gone)
    return places


def without(x: Any, cut: Any) -> Any:
    """What `del x[cut]` makes of a list or dict.

    >>> without([1.0, 2.0, 3.0], 1), without({"w": 1.0, "b": 2.0}, "b")
    ([1.0, 3.0], {'w': 1.0})
    """
    new = x.copy()
    del new[cut]
    return new


def put_back(g: Any, x: Any, cut: Any) -> Any:
    """The cotangent of `x` from that of `without(x, cut)`: zero for what is gone.

    >>> put_back([5.0, 6.0], [1.0, 2.0, 3.0], 1), put_back({"w": 5.0}, {"w": 1.0, "b": 2.0}, "b")
    ([5.0, 0.0, 6.0], {'w': 5.0, 'b': 0.0})
    """
    total = zeros_like(x)
    kept = [key for key in x if key != cut] if isinstance(x, dict) else without(list(range(len(x))), cut)
    for place, part in zip(kept, [g[key] for key in kept] if isinstance(x, dict) else g, strict=True):
        total[place] = copy(part)
    return total


def surplus(xs: Any, n: int | None) -> int:
    """How many items come first in a deque that keeps the last n, `max(len(xs) - n, 0)`; None for all.

    >>> surplus([1.0, 2.0, 3.0], 2), surplus([1.0], 2), surplus([1.0], None)
    (1, 0, 0)
    """
    return max(len(xs) - len(collections.deque(xs, n)), 0)


def check_leaf(x: Any, name: str) -> None:
    """Refuses a container under a name that is put into another container, parts of whose parts are changed in place.

    >>> check_leaf([1.0], "row")
    Traceback (most recent call last):
    tangent_nb.errors.ArgumentError: row is a list which may have another name, and is put where parts of parts are ...
    """
    if kind_of(x) is not None:
        raise ArgumentError(f"{name} is {described(x)} which may have another name, "
                            f"and is put where parts of parts are changed: put a copy of it, {name}.copy()")


def check_joined(x: Any, name: str) -> None:
    """Refuses a container that operators have made of others, where its items change: those are the items of the
    others too.

    >>> check_joined(np.ones(2), "M"), check_joined([1.0, (2.0, "m")], "M")
    (None, None)
    >>> check_joined([np.ones(2)], "M")
    Traceback (most recent call last):
    tangent_nb.errors.ArgumentError: M is a list of items that others hold too, and one of them may be changed in ...
    """
    kind = kind_of(x)
    if kind is not None and not all(map(_keeps, kind.parts(x).values())):
        raise ArgumentError(f"{name} is {described(x)} of items that others hold too, and one of them may be changed "
                            "in place: make a new one, of copies")


def _keeps(x: Any) -> bool:
    """A number, a text or a tuple of such, which nothing changes."""
    return isinstance(x, (bool, int, float, complex, str, bytes, np.generic, type(None))) \
        or isinstance(x, tuple) and all(map(_keeps, x))


def check_items(x: Any, name: str) -> None:
    """Refuses an array as the items that `+=` joins to a list: NumPy would add it to the list.

    >>> check_items((1.0, 2.0), "xs")
    """
    if hasattr(type(x), "__array__"):
        raise ArgumentError(f"{name} is an array, and is added to a list: "
                            f"for its items list({name}), for a sum np.array(...) of the list")


def check_enough(xs: Any, n: int) -> None:
    """What `a, *b = xs` says where there are fewer than n items.

    >>> check_enough([], 1)
    Traceback (most recent call last):
    ValueError: not enough values to unpack (expected at least 1, got 0)
    """
    if len(xs) < n:
        raise ValueError(f"not enough values to unpack (expected at least {n}, got {len(xs)})")


def check_some(xs: Any) -> None:
    """What `functools.reduce(f, xs)` says of no items.

    >>> check_some([])
    Traceback (most recent call last):
    TypeError: reduce() of empty iterable with no initial value
    """
    if not len(xs):
        raise TypeError("reduce() of empty iterable with no initial value")


def check_part(x: Any, index: Any) -> None:
    """What `x[index]` says where there is no such part.

    >>> check_part([1.0], 1)
    Traceback (most recent call last):
    IndexError: list index out of range
    """
    x[index]


def check_lengths(xs: tuple[Any, ...]) -> None:
    """What `zip(*xs, strict=True)` says where one has more items than another.

    >>> check_lengths(([1.0], [1.0, 2.0]))
    Traceback (most recent call last):
    ValueError: zip() argument 2 is longer than argument 1
    """
    for place, x in enumerate(xs):
        if not hasattr(x, "__len__"):
            raise ArgumentError(f"zip(strict=True) compares lengths, and {name_here(x)} has none: "
                                "pass a list of its items, list(...)")
        if len(x) != len(xs[0]):
            others = "argument 1" if place == 1 else f"arguments 1-{place}"
            raise ValueError(
                f"zip() argument {place + 1} is {'longer' if len(x) > len(xs[0]) else 'shorter'} than {others}")
