"""Draws of random numbers: constants of the function, drawn once, as it is run. What draws them changes nothing but itself."""
from __future__ import annotations

import random
import types
from typing import Any

import gast
import numpy as np

GENERATORS = (np.random.default_rng, np.random.RandomState, np.random.Generator, random.Random)
KINDS = (np.random.Generator, np.random.RandomState, random.Random)
WRITING = ("shuffle", "permuted")                          # what they are given
STATES = frozenset(["bit_generator", "spawn", "seed", "get_state", "set_state", "getstate", "setstate"])
DRAWS = frozenset(name for kind in KINDS for name in dir(kind) if not name.startswith("_")) - STATES - {*WRITING, *dir(np.ndarray)}
FORMULAS = {                                               # a distribution by one without parameters
    "normal": "loc + scale * rng.standard_normal(size)", "uniform": "low + (high - low) * rng.random(size)",
    "exponential": "scale * rng.standard_exponential(size)", "lognormal": "np.exp(mean + sigma * rng.standard_normal(size))",
    "multivariate_normal": "mean + np.linalg.cholesky(cov) @ rng.standard_normal(len(mean))",
    "laplace": "loc + scale * rng.laplace(size=size)", "gumbel": "loc + scale * rng.gumbel(size=size)",
    "gauss": "mu + sigma * random.gauss(0.0, 1.0)", "permutation": "x[rng.permutation(len(x))]", "choice": "x[rng.choice(len(x), size)]",
    "shuffle": "x = x[rng.permutation(len(x))]", "permuted": "x[rng.permutation(len(x))]"}


OF_PYTHON = {                                              # of the module random, where it is another one
    "uniform": "a + (b - a) * random.random()", "choice": "x[random.randrange(len(x))]",
    "shuffle": "order = random.sample(range(len(x)), len(x)), and x[order]"}


def draws(fn: Any) -> bool:
    """A method of a generator; a function of `np.random` and of `random` is one too.

    >>> draws(np.random.normal), draws(np.random.shuffle), draws(np.sin)
    (True, False, False)
    """
    return of_generator(fn) and fn.__name__ not in WRITING


def of_generator(fn: Any) -> bool:
    """The same, and those that write into what they are given."""
    return type(fn) in (types.MethodType, types.BuiltinMethodType) and isinstance(fn.__self__, KINDS)


def without_parameters(func: gast.expr, base: str, generator: Any) -> str:
    """What to write for a draw by what is differentiated. base: what draws, as it is written; generator: itself, where it is known."""
    name = str(getattr(func, "attr", "") or getattr(func, "id", ""))
    if isinstance(generator, random.Random) and name in OF_PYTHON:
        return OF_PYTHON[name]
    return FORMULAS.get(name, "a distribution whose parameters are constants, and arithmetic with what is drawn").replace("rng", base)
