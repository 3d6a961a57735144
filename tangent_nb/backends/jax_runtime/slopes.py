"""Cotangents and slopes that may not ask a traced array for its value."""
from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from .base import helpers


def _to_float(g: Any) -> Any:
    """The cotangent of a Python float: a float, or a number on the device."""
    if isinstance(g, float):
        return g
    g = jnp.sum(g) if jnp.ndim(g) else g
    return g.real if jnp.iscomplexobj(g) else g


def cast(g: Any, x: Any) -> Any:
    """`g` in the dtype of `x`, where `x` is floating. Complex to real takes the real part."""
    if x.__class__ is float:
        return _to_float(g)
    dtype = getattr(x, "dtype", None)
    if dtype is None or dtype.kind != "f":
        return g
    if not hasattr(g, "dtype"):
        return jnp.asarray(g.real, dtype)
    if g.dtype == dtype:
        return g
    return (g.real if g.dtype.kind == "c" else g).astype(dtype)


def mask(g: Any, condition: Any) -> Any:
    """`g` where the condition holds, else exactly 0, even where `g` is infinite or NaN.

    A condition broader than `g` holds for a part of `g` if it holds anywhere along the broadcast axes.
    """
    if isinstance(condition, (list, tuple)):
        condition = jnp.asarray(condition)
    if not isinstance(condition, jax.Array):
        return g if condition else g * 0.0 if isinstance(g, float) and g - g == 0.0 else jnp.zeros_like(g)
    return jnp.where(helpers._narrowed(condition, jnp.shape(g)), g, 0.0)


def cut(v: Any, g: Any) -> Any:
    """`v`, a product with `g`, and exactly 0 where `g` is 0 and `v` NaN: a pole behind what the text cuts off."""
    return jnp.where(jnp.logical_and(jnp.isnan(v), jnp.equal(g, 0.0)), 0.0, v)


def uncut(v: Any, g: Any) -> Any:
    """Where `cut(v, g)` is `v`."""
    return jnp.logical_not(jnp.logical_and(jnp.isnan(v), jnp.equal(g, 0.0)))


def ratio(a: Any, b: Any) -> Any:
    """`a / b`, and 0 where `b` is 0: a norm has slope 0 at 0."""
    if a.__class__ is b.__class__ is float:
        return a / b if b else 0.0
    zero = jnp.equal(b, 0.0)
    return jnp.where(zero, 0.0, jnp.divide(a, jnp.where(zero, 1.0, b)))


def power_dx(g: Any, x: Any, y: Any) -> Any:
    """`g * y * x ** (y - 1)`, and 0 where `y` or `g` is 0."""
    if isinstance(y, (int, float)) and y == 0:
        return jnp.zeros_like(g)
    flat = jnp.logical_or(jnp.equal(y, 0), jnp.equal(g, 0))
    return jnp.where(flat, 0.0, g * (y * jnp.power(jnp.where(flat, 1.0, x), jnp.where(flat, 1.0, y - 1.0))))


def power_dy(g: Any, x: Any, y: Any, z: Any) -> Any:
    """`g * z * log(x)` for `z = x ** y`, and 0 where `x` or `g` is 0."""
    zero = jnp.logical_or(jnp.equal(x, 0.0), jnp.equal(g, 0.0))
    return jnp.where(zero, 0.0, g * z * jnp.log(jnp.where(zero, 1.0, x)))
