"""Parts of arguments that `wrt` names by a path, `"p['w']"`: reading them,
and exchanging them in containers that are new."""
from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from ..errors import ArgumentError
from .containers import described, has_part, key_in, kind_of, part_text
from .records import exchanged, record
from .structure import copy, zeros_like


@lru_cache(maxsize=256)
def steps(path: str) -> tuple[tuple[str, Any], ...]:
    """The steps of a path after its first name, `("field", "w")` or `("item", 0)`.

    >>> steps("p.layers[0]['b']")
    (('field', 'layers'), ('item', 0), ('item', 'b'))
    """
    found = re.findall(r"\.(\w+)|\[(?:(-?\d+)|'([^']*)')\]", path)
    return tuple(("field", name) if name else ("item", int(number)) if number else ("item", key)
                 for name, number, key in found)


def part(x: Any, path: str) -> Any:
    """The part of an argument that a derivative is taken for, `p['w'][1]`, if it is there and has a derivative.

    >>> part({"w": [1.0, 2.0]}, "p['w'][1]")
    2.0
    >>> part({"w": 1.0}, "p['b']")
    Traceback (most recent call last):
    tangent_nb.errors.ArgumentError: there is no p['b']: p has ['w']
    """
    name = re.match(r"\w*", path).group()  # type: ignore[union-attr]
    for how, key in steps(path):
        kind = kind_of(x)
        keys = {} if kind is None else kind.parts(x)
        try:
            if kind is None or how == "field" and not (kind.by_name and has_part(x, key)):
                raise KeyError
            x = keys[key if how == "field" else key_in(x, key)]
        except (KeyError, IndexError, ArgumentError):
            there = f"has {', '.join(part_text(one, kind) for one in keys) or 'nothing'}" if kind is not None \
                else f"is {described(x)}"
            written = name + (f".{key}" if how == "field" else f"[{key!r}]")
            raise ArgumentError(f"there is no {written}: {name} {there}") from None
        name += f".{key}" if how == "field" else f"[{key!r}]"
    return record(x, path)


def with_part(x: Any, path: str, v: Any) -> Any:
    """`x` with another value for one of its parts, in new containers; `x` itself where it has this value.

    >>> with_part({"w": [1.0, 2.0]}, "p['w'][1]", 5.0)
    {'w': [1.0, 5.0]}
    """
    return _put(x, steps(path), v)


def _put(x: Any, way: tuple[tuple[str, Any], ...], v: Any) -> Any:
    if not way:
        return v
    (how, step), kind = way[0], kind_of(x)
    key = step if how == "field" else key_in(x, step)
    part = kind.parts(x)[key]  # type: ignore[union-attr]
    new = _put(part, way[1:], v)
    return x if new is part else exchanged(x, key, new)


def part_of(g: Any, path: str) -> Any:
    """The cotangent of a part from that of the whole: `g['w'][1]`.

    >>> part_of({"w": [1.0, 2.0]}, "p['w'][1]")
    2.0
    """
    for how, step in steps(path):
        g = kind_of(g).parts(g)[step if how == "field" else key_in(g, step)]  # type: ignore[union-attr]
    return copy(g)


def only_part(g: Any, x: Any, path: str) -> Any:
    """Zeros with the structure of `x`, with `g` for one of its parts.

    >>> only_part(5.0, {"w": [1.0, 2.0]}, "p['w'][1]")
    {'w': [0.0, 5.0]}
    """
    return with_part(zeros_like(x), path, g)
