"""What the derivatives of SciPy's distributions of several variables read of their arguments."""
from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import ArgumentError
from .decompositions import symmetric


def covariance(cov: Any, x: Any) -> Any:
    """The covariance that `scipy.stats.multivariate_normal` takes for `x`: the symmetric matrix of a lower triangle.

    >>> covariance(np.array([[1.0, 9.0], [0.5, 2.0]]), np.zeros(2))
    array([[1. , 0.5],
           [0.5, 2. ]])
    """
    if np.ndim(cov) != 2 or np.shape(x)[-1:] != np.shape(cov)[-1:]:
        raise ArgumentError(f"scipy.stats.multivariate_normal of x of shape {np.shape(x)} and cov of shape "
                            f"{np.shape(cov)} is not differentiated: pass x of shape (..., n) and cov of shape (n, n)")
    return symmetric(cov)


def deviation(x: Any, mean: Any) -> Any:
    """`x - mean`, or `x` where the mean is left out.

    >>> deviation(np.ones(2), None), deviation(np.ones(2), np.ones(2))
    (array([1., 1.]), array([0., 0.]))
    """
    return x if mean is None else x - mean


def log_parts(x: Any, alpha: Any) -> Any:
    """The logarithms of the parts `x` of a whole, of `scipy.stats.dirichlet`, with a column for each point;
    the last part may be left out.

    >>> np.exp(log_parts(np.array([0.25]), np.ones(2))).round(12)
    array([[0.25],
           [0.75]])
    """
    x = np.asarray(x)
    parts = x if len(x) == np.size(alpha) else np.concatenate([x, 1.0 - np.sum(x, axis=0, keepdims=True)])
    return np.log(np.reshape(parts, (len(parts), -1)))
