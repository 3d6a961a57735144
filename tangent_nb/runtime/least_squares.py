"""The derivatives of nonlinear least squares: where the sum of the squares of residuals is least.

There its gradient `J^T r` is zero, and the implicit function theorem says how the place changes (M. Blondel et al.,
"Efficient and modular implicit differentiation", 2022, section 2.2). The Jacobian of the gradient is the whole
Hessian, `J^T J` with the curvature of the residuals (J. Nocedal and S. Wright, "Numerical Optimization", 2006, section
10.1): without it the derivative would be right only where the residuals vanish.
"""
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..errors import TangentError
from .containers import described, holds_number
from .dynamic import pull, pullback_along, push
from .solved import Cotangents, Solved, closure_of, shaped, vector_of
from .solvers import CLOSE, of_result, result_tangent, unknown_of
from .structure import zeros_like

SETTLED, STEPS = 1e-9, 8    # Newton steps go on until one is shorter than this, relative to the solution


class _Curve(Solved):
    """The misfit of a curve `fun(xdata, *x)`, over sigma; its parameters are what `fun` is bound to, and `ydata`."""

    def __init__(self, fun: Any, xdata: Any, ydata: Any, sigma: Any, size: int) -> None:
        super().__init__(fun, ())
        self.data = np.asarray(xdata, float) if isinstance(xdata, (list, tuple, np.ndarray)) else xdata
        self.ydata, self.active = np.ravel(np.asarray(ydata, float)), list(range(1, size + 1))
        sigma = np.ones(1) if sigma is None else np.asarray(sigma, float)
        if sigma.ndim > 1:
            raise TangentError("curve_fit is given covariances of the data, and is differentiated without: "
                               "sigma=... with a number for each of the data")
        self.weights = np.ones(self.ydata.size) / sigma

    def __call__(self, *at: Any) -> Any:
        value = self.fun(self.data, *at[0])
        return self.weights * (vector_of(value, value, holds_number) - self.ydata)

    def _parts(self, found: Any, at: Any, of_data: Any) -> tuple[Any, Any]:
        several = list(found) if self.bound + len(self.active) > 1 else [found]
        own = vector_of(several.pop(0), self.fun) if self.bound else np.zeros(0)
        state = np.concatenate([vector_of(b, one) for b, one in zip(several, at, strict=True)])
        return state, np.concatenate([own, of_data])

    def pull(self, seed: Any, *at: Any, unknown: bool = True) -> tuple[Any, Any]:
        value, back = pull(self.fun, self.data, *at[0], active=self.active, closure=self.bound)
        return self._parts(back(shaped(seed * self.weights, value, holds_number)), at[0], -seed * self.weights)

    def push(self, *at: Any, unknown: Any = None, fun: Any = None, args: Any = None) -> Any:
        own = [] if fun is None else [closure_of(fun if self.bound else None, self.given)]
        along = np.zeros(len(self.active)) if unknown is None else unknown
        value, tangent = push(self.fun, self.data, *at[0], active=self.active, tangents=[*own, *along],
                              closure=bool(own))
        return self.weights * (vector_of(tangent, value, holds_number) - (0.0 if args is None else args))

    def pull_along(self, seed: Any, along: Any, *at: Any, unknown: Any, params: Any) -> tuple[Any, Any]:
        value = self.fun(self.data, *at[0])
        found = pullback_along(self.fun, self.data, *at[0], active=self.active, closure=self.bound,
                               seed=shaped(seed * self.weights, value, holds_number),
                               seed_tangent=shaped(along * self.weights, value, holds_number),
                               tangents=[*([self.of_bound(params)] if self.bound else []), *unknown])[1]
        return self._parts(found, at[0], -along * self.weights)

    def params(self, fun: Any, args: Any) -> Any:
        return np.concatenate([super().params(fun, ()), np.zeros(self.ydata.size) if args is None else args])


def _gradient_of_squares(misfit: Solved, x: Any) -> Any:
    return misfit.pull(misfit(x), x)[0]


def _gradient_along(misfit: Solved, x: Any, dx: Any, fun: Any = None, args: Any = None) -> tuple[Any, Any]:
    """How the gradients of half the sum of squares change, by the unknown and by the parameters."""
    dr = misfit.push(x, unknown=dx, fun=fun, args=args)
    return misfit.pull_along(misfit(x), dr, x, unknown=dx, params=misfit.params(fun, args))


def _least(misfit: Solved, found: Any, bounds: Any) -> tuple[Any, Any]:
    """The place of the least sum of squares, after steps of Newton's method, and the Hessian there. Within bounds it
    is what the solver looked for only where it lies inside of them."""
    x = np.array(found, float)
    for count in range(STEPS):
        hessian = np.array([_gradient_along(misfit, x, unit)[0] for unit in np.eye(x.size)])
        scale = np.sqrt(np.abs(np.diag(hessian)))
        if not np.all(np.isfinite(hessian)) or not np.all(scale > 0.0) \
                or np.linalg.eigvalsh(hessian / np.outer(scale, scale))[0] <= x.size * np.finfo(float).eps:
            raise TangentError("the least squares have no derivative: the sum of squares has no minimum there "
                               "that is alone, its Hessian is singular or has a negative eigenvalue")
        step = np.linalg.solve(hessian, _gradient_of_squares(misfit, x))
        size = np.abs(step) / (1.0 + np.abs(x))
        if not np.all(size <= CLOSE) or count == STEPS - 1:
            raise TangentError("what is differentiated is no minimum of the squares: "
                               "the solver stopped before, or at a bound")
        if np.all(size <= SETTLED):
            break
        x = x - step
    lower, upper = (np.asarray(side, float) for side in _sides_of(bounds))
    if np.any(x - np.abs(step) <= lower) or np.any(x + np.abs(step) >= upper):
        raise TangentError("what is differentiated is no minimum of the squares: "
                           "the solver stopped before, or at a bound")
    return x, hessian


def _sides_of(bounds: Any) -> tuple[Any, Any]:
    if bounds is None:
        return -np.inf, np.inf
    if hasattr(bounds, "lb"):
        return bounds.lb, bounds.ub
    lower, upper = bounds
    return lower, upper


def _of_squares(fun: Any, args: Any) -> Solved:
    """The residuals; least_squares takes what `args` holds one by one."""
    if not isinstance(args, (tuple, list)):
        raise TangentError(f"least_squares is given {described(args)} as args, and takes its items one by one: "
                           "a tuple, args=(...)")
    return Solved(fun, tuple(args))


def squares_adjoint(g: Any, y: Any, fun: Any, args: Any = (), bounds: Any = None) -> Cotangents:
    """The cotangents of what `scipy.optimize.least_squares` is given.

    >>> def residual(x, a): return x * x - a
    >>> found = {"x": np.array([3.0]), "success": True}
    >>> round(squares_adjoint({"x": np.ones(1)}, found, residual, (9.0,)).args[0], 12)
    0.166666666667
    """
    misfit = _of_squares(fun, args)
    x, hessian = _least(misfit, unknown_of(y), bounds)
    of_x, _ = of_result(g, y, "cost", "fun", "grad")
    of_residual = g.get("cost", 0.0) * misfit(x)
    if "fun" in y:
        of_residual = of_residual + vector_of(g["fun"], y["fun"], holds_number)
    through, params = misfit.pull(of_residual, x)
    params = params + _gradient_along(misfit, x, -np.linalg.solve(hessian, of_x + through))[1]
    return Cotangents(misfit.of_bound(params), misfit.of_args(params, args))


def squares_tangent(y: Any, fun: Any, args: Any = (), bounds: Any = None, *, dfun: Any = None,
                    dargs: Any = None) -> Any:
    """The tangent of what `scipy.optimize.least_squares` gives; NaN for what has none."""
    along = None if dargs is None else tuple(dargs)
    misfit = _of_squares(fun, args)
    x, hessian = _least(misfit, unknown_of(y), bounds)
    dx = -np.linalg.solve(hessian, _gradient_along(misfit, x, np.zeros(x.size), dfun, along)[0])
    dr = misfit.push(x, unknown=dx, fun=dfun, args=along)
    return result_tangent(y, dx, fun=shaped(dr, y["fun"], holds_number), cost=shaped([misfit(x) @ dr], y["cost"]),
                          grad=np.zeros(x.size))


class Fit(NamedTuple):
    """The cotangents of what a fit was given."""

    fun: Any
    ydata: Any


def fit_adjoint(g: Any, y: Any, f: Any, xdata: Any, ydata: Any, sigma: Any = None, bounds: Any = None) -> Fit:
    """The cotangents of what `scipy.optimize.curve_fit` is given.

    >>> def line(t, a): return a * t
    >>> found = fit_adjoint((np.ones(1), 0.0), (np.array([2.0]), 0.0), line, [1.0, 2.0], [2.0, 4.0])
    >>> np.round(found.ydata, 12).tolist()
    [0.2, 0.4]
    """
    misfit = _Curve(f, xdata, ydata, sigma, np.size(y[0]))
    if np.any(g[1]):
        raise TangentError("the covariance that curve_fit gives is differentiated, and has no derivative: "
                           "the parameters, curve_fit(...)[0]")
    x, hessian = _least(misfit, y[0], bounds)
    params = _gradient_along(misfit, x, -np.linalg.solve(hessian, np.ravel(g[0])))[1]
    return Fit(misfit.of_bound(params), shaped(params[params.size - misfit.ydata.size:], ydata, holds_number))


def fit_tangent(y: Any, f: Any, xdata: Any, ydata: Any, sigma: Any = None, bounds: Any = None, *,
                dfun: Any = None, dydata: Any = None) -> tuple[Any, Any]:
    """The tangent of `scipy.optimize.curve_fit`; that of the covariance is NaN."""
    misfit = _Curve(f, xdata, ydata, sigma, np.size(y[0]))
    x, hessian = _least(misfit, y[0], bounds)
    along = None if dydata is None else vector_of(dydata, ydata, holds_number)
    dx = -np.linalg.solve(hessian, _gradient_along(misfit, x, np.zeros(x.size), dfun, along)[0])
    return shaped(dx, y[0]), np.full(np.shape(y[1]), np.nan)


def fit_start(found: Fit, p0: Any) -> Any:
    """The cotangent of what a fit starts at, where it found the minimum: `np.zeros_like(p0)`."""
    return zeros_like(p0)
