"""Interpolators that are linear in their values: what stands for SciPy's where the values carry a derivative."""
from __future__ import annotations

from typing import Any

import numpy as np


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
        weights = self.basis(*args, **options)
        known = np.isfinite(weights)                       # others are for places beyond the nodes: no value is read
        inside = np.reshape(known.all(-1), known.shape[:-1] + (1,) * (np.ndim(self.values) - 1))
        return np.where(inside, np.tensordot(np.where(known, weights, 0.0), self.values, 1), np.nan)

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
        weights = self.basis(x)
        known = np.isfinite(weights)
        return np.where(known.all(0), np.tensordot(self.values, np.where(known, weights, 0.0), 1), np.nan)

    @property
    def x(self) -> Any:
        return self.basis.x


class Slope:
    """The derivative of such an interpolator, of an order that is at least one."""

    def __init__(self, basis: Any, values: Any, order: int) -> None:
        self.basis, self.values, self.order = basis, values, order

    def __call__(self, x: Any, nu: int = 0, extrapolate: Any = None) -> Any:
        weights = self.basis(x, self.order + nu, extrapolate)
        known = np.isfinite(weights)
        inside = np.reshape(known.all(-1), known.shape[:-1] + (1,) * (np.ndim(self.values) - 1))
        return np.where(inside, np.tensordot(np.where(known, weights, 0.0), self.values, 1), np.nan)

    def derivative(self, nu: int = 1) -> Slope:
        return Slope(self.basis, self.values, self.order + nu)
