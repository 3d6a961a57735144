"""Products with sparse matrices, which are products of matrices where both are."""
from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import ArgumentError


def of_vector(v: Any, x: Any) -> Any:
    """A derivative `v` by what a sparse matrix is multiplied by, where that is a vector or a matrix: by a number the
    matrix would stay sparse.

    >>> of_vector(2.0, np.ones(3))
    2.0
    """
    if np.ndim(x) == 0:
        raise ArgumentError("a sparse matrix times a number is sparse, and not differentiated: multiply the number "
                            "with what the matrix is applied to")
    return v
