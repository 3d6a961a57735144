"""Whether numbers and arrays are made as a text takes them: their classes, dtypes, ranks, and which sizes are equal.

Asked at each call: what was found of arguments of some shapes is kept.
"""
from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

import numpy as np

ndarray = np.ndarray           # a name of the module is found sooner
MOST = 4096
_known: dict[tuple[Any, ...], bool] = {}


def fits(made: str, *arguments: Any) -> bool:
    """The arguments are made so: a letter is a size of at least 2, the same wherever it stands.

    made: for each argument `"float"`, `"int"`, `"bool"`, or dtype and shape of an array, with commas between them.

    >>> x, w = np.ones((4, 3)), np.ones((3, 2))
    >>> fits("f8[n, k], f8[k, m]", x, w), fits("f8[n, k], f8[n, m]", x, w), fits("f8[n, 3], float", x, 1.0)
    (True, False, True)
    >>> fits("f8[n, n - 1], f8[2*n - 5, k]", x, w), fits("f8[n, n + 1], f8[k, 2]", x, w)
    (True, False)
    >>> fits("f8[n, m], f8[k + n, m - k]", w, x), fits("f8[n, k + 2], f8[k]", np.ones((2, 5)), np.ones(3))
    (False, True)
    >>> fits("f8[n + k + m], f8[k + m], f8[m]", np.ones(9), np.ones(6), np.ones(3))
    True
    >>> fits("f8[n, k]", x[:1]), fits("f8[n, k]", [[1.0, 2.0]])
    (False, False)
    """
    key = (made, classes_of(arguments))
    known = _known.get(key)
    if known is None:
        if len(_known) >= MOST:
            _known.clear()
        known = _known[key] = _fit(_parsed(made), arguments)
    return known


def classes_of(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """Of each argument its class, of an array shape and dtype.

    >>> classes_of((1.0, np.ones(2)))
    (<class 'float'>, (2,), dtype('float64'))
    """
    parts: list[Any] = []
    for one in arguments:
        if one.__class__ is ndarray:
            parts.append(one.shape)
            parts.append(one.dtype)
        else:
            parts.append(one.__class__)
    return tuple(parts)


def each_of(made: str) -> list[str]:
    """What it says of each argument.

    >>> each_of("f8[n, k], float")
    ['f8[n, k]', 'float']
    """
    return re.findall(r"\w+(?:\[[^]]*\])?", made)


@lru_cache(maxsize=MOST)
def _parsed(made: str) -> tuple[Any, ...]:
    """For each argument the name of a class, or dtype and sizes: numbers, letters, and sums of these."""
    found: list[Any] = []
    for one in each_of(made):
        dtype, bracket, sizes = one.partition("[")
        found.append((np.dtype(dtype), tuple(map(_size, sizes[:-1].split(", ") if sizes[:-1] else ()))) if bracket
                     else one)
    return tuple(found)


def _size(text: str) -> Any:
    """An int, the name of a size, or how often each name counts in a sum."""
    if text.isdigit():
        return int(text)
    if text.isidentifier():
        return text
    counts: dict[str, int] = {}
    for sign, times, name, number in re.findall(r"([+-]?) ?(?:(\d+)\*)?(?:([A-Za-z]\w*)|(\d+))", text):
        counts[name] = counts.get(name, 0) + (-1 if sign == "-" else 1) * int(times or number or 1)
    return counts


def _fit(made: tuple[Any, ...], arguments: tuple[Any, ...]) -> bool:
    known = {"": 1}
    sums: list[tuple[dict[str, int], int]] = []
    for want, one in zip(made, arguments, strict=True):
        if isinstance(want, str):
            if one.__class__.__module__ != "builtins" or one.__class__.__name__ != want:
                return False
            continue
        if one.__class__ is not ndarray or one.dtype != want[0] or one.ndim != len(want[1]):
            return False
        for size, number in zip(want[1], one.shape, strict=True):
            if isinstance(size, dict):
                sums.append((size, number))
            elif number != size if isinstance(size, int) else number < 2 or known.setdefault(size, number) != number:
                return False
    while sums:                                            # a letter that stands in sums alone is what is left of one
        (size, number), new = min(((one, [name for name in one[0] if name not in known]) for one in sums),
                                  key=lambda one: len(one[1]))
        left = number - sum(times * known[name] for name, times in size.items() if name in known)
        if len(new) > 1 or new and (size[new[0]] != 1 or left < 2) or not new and left:
            return False
        known.update(dict.fromkeys(new, left))
        sums.remove((size, number))
    return True
