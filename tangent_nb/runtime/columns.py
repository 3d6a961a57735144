"""Matrices whose columns are tangents, taken inside of a function that is differentiated (`matrices.py`)."""
from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

import numpy as np

from ..errors import ArgumentError
from .containers import described, kind_of


def check_columns(x: Any, others: Iterable[Any], draws: bool = False) -> None:
    """Refuses a Jacobian by what is no array with elements, and of a function that draws random numbers, or is given
    what does: each column would be of other ones.

    >>> check_columns(np.ones(2), (1.0, np.random.default_rng(0)))
    Traceback (most recent call last):
    tangent_nb.errors.ArgumentError: a Jacobian is taken inside of a function, of what draws random numbers: ...
    """
    if kind_of(x) is not None or not np.size(x):
        what = "an array without elements" if kind_of(x) is None else described(x)
        raise ArgumentError(f"a Jacobian is taken inside of a function, by {what}: take it outside, or by an array")
    if draws or any(map(_draws, others)):
        raise ArgumentError("a Jacobian is taken inside of a function, of what draws random numbers: "
                            "draw them before, and give it what was drawn")


def _draws(x: Any) -> bool:
    kind = kind_of(x)
    return isinstance(x, np.random.Generator | np.random.RandomState | random.Random) \
        or kind is not None and any(map(_draws, kind.parts(x).values()))
