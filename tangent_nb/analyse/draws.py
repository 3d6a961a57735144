"""Draws of random numbers: constants of the function, drawn once, as it is run.
What draws them changes nothing but itself."""
from __future__ import annotations

import random
import types
from typing import Any

import gast
import numpy as np

from ..rules import DRAWING, effects_of, methods_named
from ..rules.draws import FORMULAS, OF_PYTHON


def makes_generator(fn: Any) -> bool:
    """A class of generators, or `np.random.default_rng`."""
    return fn is np.random.default_rng or any(fn is kind for kind in DRAWING)


def writes_given(name: str) -> bool:
    """A method of generators that changes what it is given: `rng.shuffle(x)`."""
    return any(row.draws and row.changes for row in methods_named(name))


DRAWS = frozenset(name for kind in DRAWING
                  for name in dir(kind) if any(row.draws for row in methods_named(name)) and not writes_given(name)
                  ) - {*dir(np.ndarray)}


def draws(fn: Any) -> bool:
    """A method of a generator; a function of `np.random` and of `random` is one too, and what gives one a seed.

    >>> draws(np.random.normal), draws(np.random.seed), draws(np.random.shuffle), draws(np.sin)
    (True, True, False, False)
    """
    row = effects_of(fn)
    return of_generator(fn) and not writes_given(fn.__name__) \
        or row is not None and row.owner is None and row.draws and not row.changes


def of_generator(fn: Any) -> bool:
    """The same, and those that write into what they are given."""
    return type(fn) in (types.MethodType, types.BuiltinMethodType) and isinstance(fn.__self__, DRAWING)


def without_parameters(func: gast.expr, base: str, generator: Any) -> str:
    """What to write for a draw by what is differentiated. base: what draws, as it is written;
    generator: itself, where it is known."""
    name = str(getattr(func, "attr", "") or getattr(func, "id", ""))
    if isinstance(generator, random.Random) and name in OF_PYTHON:
        return OF_PYTHON[name]
    return FORMULAS.get(
        name, "a distribution whose parameters are constants, and arithmetic with what is drawn").replace("rng", base)
