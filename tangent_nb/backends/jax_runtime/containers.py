"""Containers on JAX: their arrays are put on the device when they come in, and no array in them is changed."""
from __future__ import annotations

from typing import Any

import jax
import numpy

from ...errors import ArgumentError
from ...runtime import containers
from .arguments import _differentiable, _placed
from .base import helpers
from .indexing import add_at


def kind_of(x: Any) -> containers.Kind | None:
    """How a container comes apart; None for what is none, as the arrays of JAX."""
    return None if isinstance(x, jax.Array) else containers.kind_of(x)


def record(x: Any, name: str) -> Any:
    """An argument that a derivative is taken for, which may be a container: the same with its arrays on the device.

    >>> type(record({"w": jax.numpy.ones(2, "float32"), "n": 3}, "p")["n"])
    <class 'int'>
    """
    return _on_device(x, name, ())


def _on_device(x: Any, name: str, around: tuple[int, ...]) -> Any:
    """around: the containers that x is in."""
    kind = kind_of(x)
    if kind is None:
        if not around or isinstance(x, float) \
                or isinstance(x, (jax.Array, numpy.ndarray, complex)) and containers.holds_number(x):
            return _differentiable(x, name)
        if not isinstance(x, jax.Array) and containers.is_own_container(x):
            raise ArgumentError(f"{name} is {containers.unknown(x)}")
        return _placed(x, name)
    if id(x) in around:
        raise ArgumentError(f"{name} is one of the containers that it is in: "
                            "a container that holds itself has no gradient")
    inside = (*around, id(x))
    return kind.build(x, {key: _on_device(part, name + containers.part_text(key, kind), inside)
                          for key, part in kind.parts(x).items()})


def add_item(b: Any, index: Any, g: Any) -> Any:
    """The cotangent `b` of a container, or an array, with `g` added to the part `b[index]`."""
    return add_at(b, index, g) if isinstance(b, jax.Array) else _add_to_container(b, index, g)


_add_to_container = helpers.names["add_item"]
