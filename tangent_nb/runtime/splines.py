"""Interpolators of SciPy: their slopes where SciPy has no call for them, and which axes of their values are places."""
from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..errors import ArgumentError
from .broadcasting import cut, unbroadcast
from .structure import add_grad


def extrapolates(ext: Any) -> bool:
    """`ext=` of a spline that goes on with its last values.

    >>> extrapolates(3), extrapolates(None)
    (True, False)
    """
    return ext in (3, "const")


def over_values(v: Any, x: Any, spline: Any) -> Any:
    """A sum over the axes of an interpolator's values which are not those of the places `x`.

    >>> from scipy.interpolate import CubicSpline
    >>> over_values(np.ones((3, 2)), np.zeros(3), CubicSpline(np.arange(4.0), np.ones((4, 2))))
    array([2., 2., 2.])
    """
    first, count = _axis(spline), np.ndim(x)
    others = tuple(i for i in range(np.ndim(v)) if not first <= i < first + count)
    return unbroadcast(np.sum(v, axis=others), x)


def across_values(v: Any, x: Any, spline: Any, y: Any) -> Any:
    """What there is for each place `x` along the other axes of an interpolator's values `y`: a transpose.

    >>> from scipy.interpolate import CubicSpline
    >>> across_values(np.arange(2.0), np.zeros(2), CubicSpline(np.arange(4.0), np.ones((4, 2))), np.zeros((2, 2)))
    array([[0., 0.],
           [1., 1.]])
    """
    first, shape = _axis(spline), np.shape(x)
    after = np.ndim(y) - first - len(shape)
    return np.broadcast_to(np.reshape(v, (*[1] * first, *shape, *[1] * after)), np.shape(y)).copy()


def _axis(spline: Any) -> int:
    return int(getattr(spline, "_y_axis", getattr(spline, "axis", 0)))


def between_ends(spline: Any, x: Any, ext: Any = None) -> Any:
    """Where a spline that goes on with its last values, by `ext=3`, is not constant.

    >>> from scipy.interpolate import InterpolatedUnivariateSpline
    >>> between_ends(InterpolatedUnivariateSpline(np.arange(4.0), np.ones(4), ext=3), np.array([1.0, 9.0]))
    array([ True, False])
    """
    x, own = np.asarray(x), getattr(spline, "ext", 0)
    if not extrapolates(own if ext is None else ext):
        return np.ones(x.shape, bool)[()]
    knots, _, degree = spline if isinstance(spline, tuple) else spline._eval_args
    return ((x >= knots[degree]) & (x <= knots[-degree - 1]))[()]


def slope_of(f: Any, x: Any, n: int = 1) -> Any:
    """The derivative number n of an interpolator: of `interp1d` that of its pieces, at a node the mean of both sides;
    0 beyond the ends where a value stands for what is there, NaN where that is NaN.

    >>> from scipy.interpolate import interp1d
    >>> slope_of(interp1d([0.0, 1.0, 3.0], [0.0, 2.0, 0.0]), np.array([0.5, 1.0, 2.0]))
    array([ 2. ,  0.5, -1. ])
    """
    kind = getattr(f, "_kind", None)
    x = np.asarray(x)
    if kind is None:
        return f.derivative(x, n)
    if kind == "spline":
        value = f._finish_y(np.reshape(f._spline(x.ravel(), n), (x.size, -1)), x.shape)
    else:
        value = 0.0 * f(x)
        if kind == "linear" and n == 1:
            steps = np.diff(f.x)
            slopes = np.moveaxis(np.diff(f._y, axis=0).T / steps, -1, 0)
            left, right = ((np.clip(np.searchsorted(f.x, x.ravel(), side), 1, len(f.x) - 1) - 1)
                           for side in ("left", "right"))
            value = value + f._finish_y(0.5 * (slopes[left] + slopes[right]), x.shape)
    if getattr(f, "_extrapolate", False):
        return value
    out = (x < f.x[0]) | (x > f.x[-1])
    return np.where(across_values(out, x, f, value), 0.0 * f(x), value)[()]


# ------------------------------------------------------------------ grids
def grid_derivative(f: Any, xi: Any, nu: tuple[int, ...], method: Any = None) -> Any:
    """A derivative of a `RegularGridInterpolator`, how often by each coordinate says `nu`. Of a multilinear one by the
    differences across a cell: at a node of the cell to its right.

    >>> from scipy.interpolate import RegularGridInterpolator
    >>> grid_derivative(RegularGridInterpolator([np.arange(3.0)], np.arange(3.0) ** 2), np.array([[0.5], [1.5]]), (1,))
    array([1., 3.])
    """
    how = method or f.method
    if not any(nu):
        return f(xi, method)
    if how == "nearest" or how == "linear" and max(nu) > 1:
        return 0.0 * f(xi, method)
    if how != "linear":
        if how not in ("slinear", "cubic", "quintic"):
            raise ArgumentError(f"a RegularGridInterpolator with method={how!r} is not differentiated: "
                                "take 'linear', 'slinear', 'cubic' or 'quintic'")
        return f(xi, method, nu=nu)
    places = _points(f, xi)
    total: Any = 0.0
    cells = [np.clip(np.searchsorted(grid, places[..., d], "right"), 1, len(grid) - 1) for d, grid in enumerate(f.grid)]
    moved = [d for d, n in enumerate(nu) if n]
    for corner in range(2 ** len(moved)):
        at, weight = places.copy(), np.ones(places.shape[:-1])
        for i, d in enumerate(moved):
            grid, upper = np.asarray(f.grid[d]), corner >> i & 1
            at[..., d] = grid[cells[d] - 1 + upper]
            weight = weight * (1.0 if upper else -1.0) / (grid[cells[d]] - grid[cells[d] - 1])
        value = f(at, method)
        total = total + value * np.reshape(weight, weight.shape + (1,) * (np.ndim(value) - weight.ndim))
    value = f(xi, method)
    total = np.reshape(total, np.shape(value))
    out = np.any([(places[..., d] < grid[0]) | (places[..., d] > grid[-1]) for d, grid in enumerate(f.grid)], axis=0)
    if f.fill_value is None or not np.any(out):
        return total
    return np.where(np.reshape(out, np.shape(out) + (1,) * (np.ndim(value) - np.ndim(out))), 0.0 * value, total)


def _points(f: Any, xi: Any) -> Any:
    """The points, one below the other, as SciPy reads them."""
    if isinstance(xi, tuple) and len(xi) == len(f.grid):
        return np.stack(np.broadcast_arrays(*[np.asarray(part, float) for part in xi]), axis=-1)
    xi = np.asarray(xi, float)
    return np.reshape(xi, (-1, len(f.grid))) if xi.ndim == 1 else xi


def grid_adjoint(v: Any, f: Any, xi: Any, nu: Any = None, method: Any = None) -> Any:
    """The cotangent of the points of a `RegularGridInterpolator`, in the form that they have.

    >>> from scipy.interpolate import RegularGridInterpolator
    >>> f = RegularGridInterpolator([np.arange(3.0), np.arange(3.0)], np.outer([0.0, 1.0, 4.0], [1.0, 1.0, 2.0]))
    >>> grid_adjoint(np.ones(1), f, np.array([0.5, 1.5]))
    array([1.5, 0.5])
    """
    parts = []
    points = _points(f, xi).shape[:-1]
    for one in _one_more(f, nu):
        product = cut(v * grid_derivative(f, xi, one, method), v)      # beyond the ends it may be NaN
        parts.append(np.sum(product, axis=tuple(range(len(points), np.ndim(product)))))
    if isinstance(xi, tuple):
        return tuple(unbroadcast(np.reshape(part, points), one) for part, one in zip(parts, xi))
    return _in_form(np.reshape(np.stack(parts, axis=-1), np.shape(xi)), xi)


def _in_form(found: Any, xi: Any) -> Any:
    """An array in the form of the points, which may be in lists."""
    return [*map(_in_form, found, xi)] if isinstance(xi, list) else unbroadcast(found, xi)


def grid_tangent(v: Any, f: Any, xi: Any, nu: Any = None, method: Any = None) -> Any:
    """The tangent of a `RegularGridInterpolator`, from that of the points."""
    along, total = _points(f, tuple(v) if isinstance(xi, tuple) else v), 0.0
    for d, one in enumerate(_one_more(f, nu)):
        value = grid_derivative(f, xi, one, method)
        part = along[..., d]
        total = total + np.reshape(part, part.shape + (1,) * (np.ndim(value) - part.ndim)) * value
    return total


def grid_second(v: Any, f: Any, xi: Any, along: Any, nu: Any = None, method: Any = None) -> Any:
    """The derivative of `grid_adjoint` by the points, which is symmetric, along `along`."""
    directions, total = _points(f, tuple(along) if isinstance(xi, tuple) else along), None
    for d, one in enumerate(_one_more(f, nu)):
        part = directions[..., d]
        value = np.reshape(part, part.shape + (1,) * (np.ndim(v) - part.ndim)) * v
        found = grid_adjoint(value, f, xi, one, method)
        total = found if total is None else add_grad(total, found)
    return total


def grid_tangent_second(v: Any, f: Any, xi: Any, along: Any, nu: Any = None, method: Any = None) -> Any:
    """The derivative of `grid_tangent` by the points, along `along`."""
    directions, total = _points(f, tuple(along) if isinstance(xi, tuple) else along), 0.0
    for d, one in enumerate(_one_more(f, nu)):
        value, part = grid_tangent(v, f, xi, one, method), directions[..., d]
        total = total + np.reshape(part, part.shape + (1,) * (np.ndim(value) - part.ndim)) * value
    return total


def _one_more(f: Any, nu: Any) -> list[tuple[int, ...]]:
    """Orders of derivatives, with one more by each coordinate in turn."""
    orders = tuple(nu) if nu is not None else (0,) * len(f.grid)
    return [tuple(n + (i == d) for i, n in enumerate(orders)) for d in range(len(orders))]


def at_grid(v: Any, x: Any, y: Any) -> Any:
    """What `bisplev` gives, as a matrix with a row for each of `x` and a column for each of `y`.

    >>> at_grid(2.0, 1.0, 3.0)
    array([[2.]])
    """
    return np.reshape(v, (math.prod(np.shape(x)), math.prod(np.shape(y))))


def at_order(spline: Any, x: Any, n: int = 0, ext: Any = None) -> Any:
    """A derivative of a spline, `spline(x, n)`, or of its knots, coefficients and degree, `splev(x, spline, n)`: 0
    above the degree, where FITPACK refuses it.

    >>> from scipy.interpolate import UnivariateSpline
    >>> line = UnivariateSpline(np.arange(3.0), np.array([0.0, 2.0, 1.0]), k=1, s=0.0)
    >>> at_order(line, np.array([0.5, 1.5]), 1), at_order(line, np.array([0.5, 1.5]), 2)
    (array([ 2., -1.]), array([0., 0.]))
    """
    from scipy.interpolate import splev

    of_knots = isinstance(spline, (tuple, list))
    if n > (spline if of_knots else spline._eval_args)[2]:
        return np.zeros(np.shape(x))
    return splev(x, spline, n, ext or 0) if of_knots else spline(x, n, ext)


def on_plane(spline: Any, x: Any, y: Any, dx: int = 0, dy: int = 0, ends: str = "", *, grid: bool = False) -> Any:
    """A partial derivative of a spline of two places, or of its knots, coefficients and degrees, also of an order as
    high as its degree, of which FITPACK computes none. Beyond the ends FITPACK computes what is at the ends.

    ends: the axes, `"x"` and `"y"`, along which a derivative of that is meant, which is 0 there.

    >>> from scipy.interpolate import RectBivariateSpline
    >>> plane = RectBivariateSpline(np.arange(3.0), np.arange(3.0), np.outer([0.0, 2.0, 1.0], np.ones(3)), kx=1, ky=1)
    >>> on_plane(plane, np.array([0.5, 1.5, 2.5]), 1.0, 1)
    array([ 2., -1., -1.])
    >>> on_plane(plane, np.array([0.5, 1.5, 2.5]), 1.0, 1, 0, "x")
    array([ 2., -1.,  0.])
    """
    from scipy.interpolate import BSpline, bisplev

    of_knots = isinstance(spline, (tuple, list))
    tx, ty, c, kx, ky = spline if of_knots else (*spline.tck, *spline.degrees)
    axes = (("x", tx, kx, x, dx), ("y", ty, ky, y, dy))
    if dx < kx and dy < ky:
        found = bisplev(x, y, spline, dx, dy) if of_knots else spline(x, y, dx, dy, grid)
        found = at_grid(found, x, y) if of_knots else found
    else:
        places = [np.clip(np.ravel(at) if grid else at, t[k], t[-k - 1]) for _, t, k, at, _ in axes]
        rows, columns = (BSpline(t, np.eye(len(t) - k - 1), k)(at, n)
                         for at, (_, t, k, _, n) in zip(places, axes, strict=True))
        weighted = rows @ np.reshape(c, (rows.shape[-1], columns.shape[-1]))
        found = weighted @ columns.T if grid else np.sum(weighted * columns, axis=-1)
    for axis, t, k, at, _ in axes:
        if axis in ends:
            inside = np.greater_equal(at, t[k]) & np.less_equal(at, t[-k - 1])
            found = np.where(np.reshape(inside, (-1, 1) if axis == "x" else (1, -1)) if grid else inside, found, 0.0)
    return found[()]
