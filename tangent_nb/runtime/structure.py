"""Cotangents as values: zeros, sums and copies with the structure of what they belong to."""
from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ..errors import ArgumentError
from .containers import SEQUENCE, described, holds_number, kind_of
from .persistent import PersistentArray, zeros
from .recorded import recorded


def zeros_like(x: Any) -> Any:
    """A zero cotangent for `x`: the shape, dtype and containers of `x`;
    None in a container for a part that holds no number.

    >>> zeros_like((2.0, [1, None]))
    (0.0, [0.0, None])
    """
    return _fill(x, 0.0)


def zero_gradient(x: Any) -> Any:
    """A zero gradient for an argument `x`: as `zeros_like`, with None for truth values too,
    an array for a persistent one.

    >>> zero_gradient({"w": 2.0, "flag": True}), zeros_like({"w": 2.0, "flag": True})
    ({'w': 0.0, 'flag': None}, {'w': 0.0, 'flag': 0.0})
    """
    return np.array(zeros(x)) if isinstance(x, PersistentArray) else _fill(x, 0.0, flags=False)


def ones_like(x: Any) -> Any:
    """Ones with the shape, dtype and containers of `x`.

    >>> ones_like([2.0, 3])
    [1.0, 1.0]
    """
    return _fill(x, 1.0)


def _fill(x: Any, value: float, *, flags: bool = True) -> Any:
    """flags: truth values in containers count as numbers."""
    if x.__class__ is float:
        return value
    if isinstance(x, np.ndarray):
        if value == 0.0:
            return np.zeros(x.shape, x.dtype if x.dtype.kind in "fc" else float)
        return np.full(x.shape, value, x.dtype if x.dtype.kind in "fc" else float)
    if isinstance(x, np.inexact):
        return x.dtype.type(value)
    kind, x = (SEQUENCE, x.items) if isinstance(x, recorded) else (kind_of(x), x)
    if kind is None:
        if isinstance(x, PersistentArray):
            return zeros(x) + value if value else zeros(x)
        return np.full(np.shape(x), value) if hasattr(x, "__len__") and np.ndim(x) else value   # a sequence of its own
    filled: dict[Any, Any] = {}
    for key, part in kind.parts(x).items():
        if part.__class__ is float:
            filled[key] = value
            continue
        counts = isinstance(part, recorded) or kind_of(part) is not None or holds_number(part) \
            or flags and isinstance(part, (bool, np.bool_))
        filled[key] = _fill(part, value, flags=flags) if counts else None
    return without_values(kind.build(x, filled))


def without_values(g: Any) -> Any:
    """A cotangent, or a tangent, just made: if it is a `defaultdict`, what nobody has put there has no derivative, so
    that its factory gives zeros.

    >>> without_values(defaultdict(lambda: 5.0))["w"]
    0.0
    """
    made = getattr(g, "default_factory", None) if isinstance(g, defaultdict) else None
    if made is not None and getattr(made, "func", None) is not _zeros_of:
        g.default_factory = functools.partial(_zeros_of, made)
    return g


def _zeros_of(make: Callable[[], Any]) -> Any:
    return zeros_like(make())


def rebuild(like: Any, items: list[Any]) -> Any:
    """A list or tuple (also a named one) of the type of `like`.

    >>> rebuild((1, 2), [3.0, 4.0])
    (3.0, 4.0)
    """
    if isinstance(like, tuple):
        return like._make(items) if hasattr(like, "_make") else tuple(items)
    return items


def add_grad(a: Any, b: Any) -> Any:
    """The sum of two cotangents of one value, `a + b`, of containers part by part; neither is changed.

    >>> add_grad((1.0, [2.0]), (3.0, [4.0]))
    (4.0, [6.0])
    """
    if a.__class__ is float or a.__class__ is np.ndarray:
        if b.__class__ is float or b.__class__ is np.ndarray:
            return a + b
    kind = kind_of(a)
    if kind is None:
        if a is None or b is None:                         # a part that holds no number
            return None if a is None else copy(a)
        if (other := kind_of(b)) is not None and other is not SEQUENCE:
            raise ArgumentError(f"{described(b)} is used as an array, or as a number: read what it holds")
        return a + b
    if kind is SEQUENCE:
        return rebuild(a, [add_grad(p, q) for p, q in zip(a, b, strict=True)])
    others = _parts(b)
    parts = kind.parts(a)
    if others.keys() != parts.keys():
        raise ArgumentError(f"{described(a)} is used as {described(b)}: read what it holds")
    return kind.build(a, {key: add_grad(part, others[key]) for key, part in parts.items()})


def _parts(x: Any) -> dict[Any, Any]:
    kind = kind_of(x)
    return {} if kind is None else kind.parts(x)


def copy(x: Any) -> Any:
    """A copy that shares no array with `x`, of a persistent array an array;
    containers are copied with the arrays and containers in them.

    >>> a = [np.ones(1)]; b = copy(a); b[0][0] = 5.0; a
    [array([1.])]
    """
    # what is made of it has its numbers in the same order in memory
    return _copied(x, lambda array: array.copy(order="K"), ())


def outline(x: Any) -> Any:
    """What has the shape and dtype of an array `x`, and one number for all: saved where no number of `x` is read.
    Of a container one of outlines.

    >>> outline(np.ones((2, 3))).shape, outline([np.ones((2, 3)), 1.0])[0].strides
    ((2, 3), (0, 0))
    """
    return _copied(x, lambda array: np.broadcast_to(np.zeros((), array.dtype), array.shape)
                   if array.__class__ is np.ndarray else array.copy(order="K"), ())


def _copied(x: Any, array: Callable[[Any], Any], around: tuple[int, ...]) -> Any:
    """array: copies one; around: the containers that x is in; one that holds itself is left as it is."""
    if isinstance(x, np.ndarray):
        return array(x)
    kind = kind_of(x)
    if kind is None or id(x) in around:
        return np.array(x) if isinstance(x, PersistentArray) else x
    inside = (*around, id(x))
    return kind.build(x, {key: part if part.__class__ is float else _copied(part, array, inside)
                          for key, part in kind.parts(x).items()})


def relist(g: Any, x: Any) -> Any:
    """The cotangent of `x` from that of `list(x)`, or of `tuple(x)`.

    >>> relist([1.0, 2.0], (3.0, 4.0))
    (1.0, 2.0)
    """
    if isinstance(x, (np.ndarray, PersistentArray)):
        return np.asarray(g, dtype=x.dtype).reshape(x.shape)           # which a list of no rows does not have
    if isinstance(x, dict):                                # its keys, which carry nothing
        return zeros_like(x)
    return rebuild(x, list(g))


def is_sequence(x: Any) -> bool:
    """What a sequence pattern of `match` is put to.

    >>> is_sequence([1.0]), is_sequence("ab"), is_sequence(np.ones(2))
    (True, False, False)
    """
    return isinstance(x, Sequence) and not isinstance(x, (str, bytes, bytearray))


def is_mapping(x: Any) -> bool:
    """What a mapping pattern of `match` is put to.

    >>> is_mapping({}), is_mapping([])
    (True, False)
    """
    return isinstance(x, Mapping)


def chosen(x: Any, best: Any, key: Any = None) -> int:
    """The place of what `max(x, key=key)` or `min(x, key=key)` gives: the first of equals.

    >>> chosen([1.0, 3.0, 3.0], max), chosen([1.0, -3.0], max, abs)
    (1, 1)
    """
    keys = list(x) if key is None else [key(item) for item in x]
    return int(best(range(len(keys)), key=keys.__getitem__)) if keys else -1


def ordered(x: Any, key: Any = None, reverse: bool = False) -> list[int]:
    """The places of the items of `x` in the order of `sorted(x, key=key, reverse=reverse)`.

    >>> ordered([3.0, 1.0, 2.0])
    [1, 2, 0]
    """
    keys = list(x) if key is None else [key(item) for item in x]
    return sorted(range(len(keys)), key=keys.__getitem__, reverse=reverse)


def unchosen(g: Any, x: Any, place: int) -> Any:
    """The cotangent of a sequence of which the item at `place` was taken.

    >>> unchosen(2.0, [1.0, 3.0], 1)
    [0.0, 2.0]
    """
    if isinstance(x, Mapping):                    # its keys were compared
        return zeros_like(x)
    if isinstance(x, (np.ndarray, PersistentArray)):
        b = copy(zeros_like(x))
        b[place] = g
        return b
    return rebuild(x, [copy(g) if i == place else zeros_like(item) for i, item in enumerate(x)])


def choice(g: Any, x: Any, place: int) -> Any:
    """The tangent of the item at `place`, from that of the sequence; zero for the keys of a dict.

    >>> choice([1.0, 2.0], [5.0, 6.0], 1)
    2.0
    """
    return 0.0 if isinstance(x, Mapping) or place < 0 else g[place]


def unordered(g: Any, x: Any, places: Sequence[int]) -> Any:
    """The cotangent of a sequence from that of the list of its items at `places`, each place once.

    >>> unordered([1.0, 2.0], [5.0, 4.0], [1, 0])
    [2.0, 1.0]
    """
    if isinstance(x, Mapping):
        return zeros_like(x)
    items: list[Any] = [None] * len(places)
    for item, place in zip(g, places, strict=True):
        items[place] = item
    return np.asarray(items, x.dtype).reshape(x.shape) if isinstance(x, (np.ndarray, PersistentArray)) \
        else rebuild(x, items)


def taken(x: Any, places: Sequence[int]) -> list[Any]:
    """The items at `places`, as a list.

    >>> taken((5.0, 4.0), [1, 0])
    [4.0, 5.0]
    """
    return [0.0] * len(places) if isinstance(x, Mapping) else [x[place] for place in places]


def joined(x: Any, y: Any) -> Any:
    """Two lists, or two tuples, as one: `x + y`.

    >>> joined([1.0], [2.0])
    [1.0, 2.0]
    """
    for one in (x, y):
        if not isinstance(one, (list, tuple)):
            raise ArgumentError(f"lists are joined here, and one of them is {described(one)}: make the other an array, "
                                "np.array(...), to add to it, or use np.concatenate")
    return x + y


def place(x: Any, i: int) -> int:
    """The place, counted from the front, of the item `i`.

    >>> place([1.0, 2.0], -1)
    1
    """
    return i + len(x) if i < 0 else i + 0                  # of an array without dimensions a number


def columns(x: Any) -> list[Any]:
    """`list(zip(*x))`: the columns of rows.

    >>> columns([[1.0, 2.0], [3.0, 4.0]])
    [(1.0, 3.0), (2.0, 4.0)]
    """
    return list(zip(*x))


def uncolumns(g: Any, x: Any) -> Any:
    """The cotangent of rows from that of their columns: `list(zip(*g))`.

    >>> uncolumns([(1.0, 3.0), (2.0, 4.0)], [[0.0, 0.0], [0.0, 0.0]])
    [[1.0, 2.0], [3.0, 4.0]]
    """
    if isinstance(x, (np.ndarray, PersistentArray)):
        b = copy(zeros_like(x))
        for i, column in enumerate(g):
            for j, item in enumerate(column):
                b[j, i] = item
        return b
    rows = []
    for j, row in enumerate(x):
        items = [g[i][j] if i < len(g) else zeros_like(item) for i, item in enumerate(row)]
        rows.append(np.asarray(items, row.dtype) if isinstance(row, (np.ndarray, PersistentArray))
                    else rebuild(row, items))
    return rebuild(x, rows)


def recolumns(v: Any, x: Any) -> Any:
    """The columns of rows `v`, in the form of the columns `x`.

    >>> recolumns([[1.0, 2.0], [3.0, 4.0]], [(0.0, 0.0), (0.0, 0.0)])
    [(1.0, 3.0), (2.0, 4.0)]
    """
    made = []
    for i, column in enumerate(x):
        items = [v[j][i] for j in range(len(column))]
        made.append(np.asarray(items, column.dtype) if isinstance(column, (np.ndarray, PersistentArray))
                    else rebuild(column, items))
    return rebuild(x, made)


def head(g: Any, x: Any) -> Any:
    """The cotangent of `x` from that of `x + y`, lists or tuples.

    >>> head([1.0, 2.0], [0.0])
    [1.0]
    """
    return rebuild(x, list(g[:len(x)]))


def tail(g: Any, y: Any) -> Any:
    """The cotangent of `y` from that of `x + y`, lists or tuples.

    >>> tail([1.0, 2.0], [0.0])
    [2.0]
    """
    return rebuild(y, list(g[len(g) - len(y):]))


def only_floating(g: Any, y: Any) -> Any:
    """`g` where `y` is floating; zero where it is an array of integers, which cuts a derivative off.

    >>> only_floating(2.0, np.zeros(2)), only_floating(2.0, np.zeros(2, int))
    (2.0, 0.0)
    """
    return g if np.asarray(y).dtype.kind in "fc" else g * 0.0
