"""Values that were brought back by taking away what had been added: whether they are what they were."""
from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import ArgumentError

ROUNDED = 1e4                  # rounding errors of the largest element, or of 1, about as many as a long loop makes


def check_undone(x: Any, first: Any, last: Any, name: str) -> None:
    """Refuses what a loop has added to and the loop back has taken it away from, where that is not what it was first,
    but for rounding: it was of another shape, not finite, or so large in between that its digits are lost. Then the
    values in between, and the derivative, would be wrong. last: what it was between the loops.

    >>> check_undone(np.array([0.1 + 0.2 - 0.2]), np.array([0.1]), np.array([0.3]), "x")
    >>> check_undone(np.array([0.3, 1e15]) + 1e17 - 1e17, np.array([0.3, 1e15]), np.array([1e17, 1e17]), "x")
    Traceback (most recent call last):
    tangent_nb.errors.ArgumentError: x cannot be brought back by undoing what the loop adds to it: it would be off ...
    """
    was, now = np.asarray(first), np.asarray(x)
    dtype = np.result_type(was.dtype, now.dtype)
    eps = float(np.finfo(dtype).eps) if dtype.kind in "fc" else 0.0
    with np.errstate(all="ignore"):
        off = np.abs(now - was) if was.shape == now.shape else np.full(1, np.inf)
        size = np.max(np.abs(was), initial=0.0) or np.max(np.abs(last), initial=0.0)
        least = min(ROUNDED * eps, np.sqrt(eps)) * min(1.0, size)
        close = np.all(off <= np.sqrt(eps) * np.abs(was) + least) if np.isfinite(size) else False
    if not close:
        raise ArgumentError(f"{name} cannot be brought back by undoing what the loop adds to it: it would be off by "
                            f"{np.max(off, initial=0.0):.3g}. Derive it without the pass invert_updates")
