"""What is computed again, where a compiler would see that it has been computed before."""
from __future__ import annotations

from typing import Any

import jax


def barrier(*values: Any) -> Any:
    """The values, which XLA takes for others: what is computed of them is computed again, as by `jax.checkpoint`
    (`jax.lax.optimization_barrier`). One value for one, a tuple for more."""
    arrays = [one for one in values if isinstance(one, jax.Array)]
    fresh = iter(jax.lax.optimization_barrier(arrays))  # type: ignore[no-untyped-call]
    found = tuple(next(fresh) if isinstance(one, jax.Array) else one for one in values)
    return found if len(found) > 1 else found[0]
