"""The helpers that are the same on JAX as on NumPy, and how a call is refused."""
from __future__ import annotations

import jax.numpy as jnp

from ...errors import Refusal, RefusedError, Steps
from ..rebind import Rebound

helpers = Rebound(jnp)


def refused(why: str, remedy: str, steps: Steps = ()) -> RefusedError:
    """The refusal of a call that was derived, and cannot be answered.
    steps: of the traceback of an error that says so."""
    return RefusedError("this call on JAX", [Refusal(None, why, remedy)], steps)
