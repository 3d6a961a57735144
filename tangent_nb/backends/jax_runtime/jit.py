"""The entries of compiled code: what it can be given, and what it cannot do as Python does."""
from __future__ import annotations

import traceback
from collections import OrderedDict
from typing import Any

import jax
import numpy

from ...runtime.checks import parameter
from ...runtime.structure import rebuild
from .arguments import _placed, _what, arrays
from .base import refused
from .containers import kind_of


def traceable(*values: Any) -> Any:
    """As `arrays`, for compiled code: refused what it cannot take."""
    found = arrays(*values)
    for leaf in jax.tree_util.tree_leaves(found):
        if not isinstance(leaf, (jax.Array, int, float, complex)):
            raise refused(f"an argument is, or holds, {_what(leaf)}, which compiled code cannot take",
                           "arrays and numbers as arguments, or compile=None")
    return found


def static(*values: Any) -> Any:
    """The arguments that compiled code is made for anew: numbers without a fraction, truth values, text, None,
    tuples of these."""
    for value in values:
        if not _is_static(value):
            raise refused(f"{parameter(value, 'an argument')} is {_what(value)}, and control flow, an index or a shape "
                          "depends on it: compiled code is made for one value of it", "a Python int, or compile=None")
    found = tuple(_placed(value, "an argument") for value in values)
    return found[0] if len(found) == 1 else found


def _is_static(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(map(_is_static, value))
    return isinstance(value, (int, str, type(None), numpy.integer, numpy.bool_, range))


def no_numbers(*values: Any) -> None:
    """Refuses Python's numbers where the text divides them, or raises them to powers: compiled code cannot raise as
    Python does."""
    if any(map(_has_number, values)):
        raise refused("a Python number is divided, or raised to a power: "
                      "Python raises an error at poles and overflow, compiled code cannot",
                      "an array, jnp.asarray(x), which has infinity there in NumPy too; or compile=None")


def no_integers(*values: Any) -> None:
    """Refuses Python's integers where the text computes with them alone: in compiled code they have 64 bits and wrap
    around."""
    if any(isinstance(value, int) and not isinstance(value, bool) for value in values):
        raise refused("a Python int is computed with, and compiled code would have it in 64 bits, which wrap around",
                       "a float, an array, jnp.asarray(n), or compile=None")


def _has_number(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return any(map(_has_number, value))
    return isinstance(value, (int, float)) and not isinstance(value, numpy.generic)


class InOrder(dict):  # type: ignore[type-arg]
    """A dict whose items go into compiled code in their own order: those of `dict` would be sorted by their keys."""


jax.tree_util.register_pytree_node(InOrder, lambda x: (tuple(x.values()), tuple(x)),
                                   lambda keys, parts: InOrder(zip(keys, parts, strict=True)))


def _in_order(x: Any, *, held: bool = False) -> Any:
    """An argument as compiled code takes it. held: a dict or a list holds it."""
    kind = kind_of(x)
    if type(x) in (dict, OrderedDict):
        return (InOrder if type(x) is dict else OrderedDict)((key, _in_order(part, held=True))
                                                             for key, part in x.items())
    if isinstance(x, (list, tuple)) and kind is not None:
        return rebuild(x, [_in_order(part, held=held or isinstance(x, list)) for part in x])
    if kind is not None or held and not (x is None or isinstance(x, (jax.Array, numpy.generic, int, float, complex))):
        raise refused(f"an argument is, or holds, {_what(x)}, which compiled code cannot take",
                      "dicts, lists and tuples of arrays and numbers, or compile=None")
    return x


def compiled(function: Any, *args: Any) -> Any:
    """Call compiled code; what only tracing finds to depend on data is refused at the user's line that it is of."""
    try:
        return function(*map(_in_order, args))
    except (jax.errors.JAXTypeError, jax.errors.JAXIndexError) as error:
        why = f"compiled code cannot depend on data there ({str(error).splitlines()[0]})"
        raise refused(why, "compile=None", reversed(list(traceback.walk_tb(error.__traceback__)))) from error
