"""Distances between the rows of matrices: which norm they are, and the transpose of `squareform`."""
from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import ArgumentError
from .broadcasting import unbroadcast


def order_of(metric: Any, p: float) -> float:
    """The order of the norm that a metric is: the `ord` of `np.linalg.norm`.

    >>> order_of("cityblock", 2.0), order_of("minkowski", 3.0), order_of("chebyshev", 2.0)
    (1, 3.0, inf)
    """
    orders = {"euclidean": 2, "cityblock": 1, "chebyshev": np.inf, "minkowski": p}
    if metric not in orders:
        raise ArgumentError(f"distances with metric={metric!r} are not differentiated: take 'euclidean', "
                            "'sqeuclidean', 'cityblock', 'cosine', 'minkowski' or 'chebyshev'")
    return orders[metric]


def unsquareform(v: Any, X: Any) -> Any:
    """The cotangent of what `squareform` makes of distances, or of a matrix, whose part above the diagonal it reads.

    >>> unsquareform(np.array([[0.0, 1.0], [2.0, 0.0]]), np.zeros(1)), unsquareform(np.ones(1), np.zeros((2, 2)))
    (array([3.]), array([[0., 1.],
           [0., 0.]]))
    """
    from scipy.spatial import distance

    v = np.asarray(v, float)
    if np.ndim(X) == 1:
        return unbroadcast(distance.squareform(v + v.T, checks=False) if v.size > 1 else np.zeros(np.shape(X)), X)
    return unbroadcast(np.triu(distance.squareform(v, checks=False)) if np.size(X) > 1 else np.zeros(np.shape(X)), X)
