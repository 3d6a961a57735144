"""Products with sparse matrices, which are products of matrices where both are."""
from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import ArgumentError


def is_sparse(value: Any) -> bool:
    """A matrix of `scipy.sparse`, with numbers in it.

    >>> from scipy.sparse import eye
    >>> is_sparse(eye(2)), is_sparse(np.eye(2))
    (True, False)
    """
    return type(value).__module__.startswith("scipy.sparse.") and getattr(value, "ndim", 0) == 2 \
        and value.dtype.kind != "O"


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
