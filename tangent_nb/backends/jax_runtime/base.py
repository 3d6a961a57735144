"""The helpers that are the same on JAX as on NumPy, and how a call is refused."""
from __future__ import annotations

import jax.numpy as jnp

from ...errors import Refusal, RefusedError
from ...syntax.program import Span
from ..rebind import Rebound

helpers = Rebound(jnp)


def refused(why: str, remedy: str, span: Span | None = None) -> RefusedError:
    """The refusal of a call that was derived, and cannot be answered."""
    return RefusedError("this call on JAX", [Refusal(span, why, remedy)])
