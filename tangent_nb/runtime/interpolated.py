"""Interpolators that are linear in their values: what stands for SciPy's where the values carry a derivative."""
from __future__ import annotations

from typing import Any

import numpy as np


def weigh(x: Any, y: Any) -> Any:
    """The sums of values, times weights, `np.tensordot(x, y, 1)`: of either along its last axis, of the other along its
    first. Where weights are NaN, beyond the nodes, no value is read.

    >>> weigh(np.array([[0.5, 0.5], [np.nan, np.nan]]), np.array([1.0, 3.0]))
    array([ 2., nan])
    """
    return np.tensordot(x, y, 1)


def known_weights(x: Any) -> Any:
    """Weights, 0 beyond the nodes: `np.where(np.isfinite(x), x, 0.0)`.

    >>> known_weights(np.array([[0.5, 0.5], [np.nan, np.nan]]))
    array([[0.5, 0.5],
           [0. , 0. ]])
    """
    return np.where(np.isfinite(x), x, 0.0)


class Interpolated:
    """A sum of the interpolators of unit vectors, times values: what any interpolator that is linear in its values is.

    basis: an interpolator of the rows of the identity; values: one for each node, along the first axis.

    >>> from scipy.interpolate import CubicSpline
    >>> nodes, values = np.arange(4.0), np.array([0.0, 1.0, 8.0, 27.0])
    >>> spline = Interpolated(CubicSpline(nodes, np.eye(4)), values)
    >>> float(np.round(spline(1.5), 12)), float(np.round(spline.derivative()(1.5), 12))
    (3.375, 6.75)
    """

    def __init__(self, basis: Any, values: Any) -> None:
        self.basis, self.values = basis, values

    def __call__(self, *args: Any, **options: Any) -> Any:
        return weigh(self.basis(*args, **options), self.values)

    @property
    def x(self) -> Any:
        return self.basis.x

    def derivative(self, nu: int = 1) -> Slope:
        return Slope(self.basis, self.values, nu)


class InterpolatedLast:
    """The same where the nodes lie along the last axis of the values, as those of interp1d do.

    >>> from scipy.interpolate import interp1d
    >>> line = InterpolatedLast(interp1d(np.arange(3.0), np.eye(3)), np.array([[0.0, 1.0, 8.0], [1.0, 1.0, 1.0]]))
    >>> line(1.5)
    array([4.5, 1. ])
    """

    def __init__(self, basis: Any, values: Any) -> None:
        self.basis, self.values = basis, values

    def __call__(self, x: Any) -> Any:
        return weigh(self.values, self.basis(x))

    @property
    def x(self) -> Any:
        return self.basis.x


class Slope:
    """The derivative of such an interpolator, of an order that is at least one."""

    def __init__(self, basis: Any, values: Any, order: int) -> None:
        self.basis, self.values, self.order = basis, values, order

    def __call__(self, x: Any, nu: int = 0, extrapolate: Any = None) -> Any:
        return weigh(self.basis(x, self.order + nu, extrapolate), self.values)

    def derivative(self, nu: int = 1) -> Slope:
        return Slope(self.basis, self.values, self.order + nu)
