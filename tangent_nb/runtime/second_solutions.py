"""The second derivatives of solutions: how the cotangents in `solvers.py` change along a change of what is solved.

For a solution `z(p)` with the cotangent `v` these are products with the Hessian of `v . z(p)`, which is symmetric:
reverse mode over reverse mode and forward mode over reverse mode ask for the same. The adjoint equations are
differentiated along the change, and solved beside the equations (A. Griewank and A. Walther, "Evaluating derivatives",
2008, section 5.1, "second-order adjoints").
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from .containers import holds_number
from .differential_equations import check_times, follow, of_ivp, of_odeint, state_of, time_first, with_variation
from .integrals import check_end, check_error, integrals, of_end
from .solved import Cotangents, Solved, shaped, vector_of
from .solvers import minimised, newton, of_result


class Along(NamedTuple):
    """How the cotangents of the state at the start, of the times, of t0 and of the parameters change."""

    y0: Any
    times: Any
    t0: Any
    params: Any


def _adjoint_along(system: Solved, order: Callable[..., Any], t0: Any, y0: Any, ts: Any, ys: Any, gs: Any,
                   options: dict[str, Any], dy0: Any, dfun: Any, dargs: Any, dts: Any, dt0: Any) -> Along:
    """The adjoint equations `L' = -(df/dy)^T L`, along the changes given.

    A time that changes moves the state by f, and so the change of L jumps there by `(df/dy)^T g dt`. The second
    derivative by two times is left out.
    """
    system.check_steady(2, steady="twice")
    n, params, scale = y0.size, system.params(dfun, dargs), np.max(np.abs(gs), initial=0.0) or 1.0
    start, at_start = dy0, order(t0, y0)
    paths: list[Callable[[Any], Any]] = []
    if dt0:
        start = dy0 - system(*at_start) * dt0

    def rates(path: Callable[[Any], Any], t: Any, state: Any) -> Any:
        both, adjoint, along = path(t), state[:n], state[n:2 * n]
        at = order(t, both[:n])
        return -np.concatenate([system.pull(adjoint, *at)[0],
                                *system.pull_along(adjoint, along, *at, unknown=both[n:], params=params)])

    def forward(t: Any) -> Any:
        paths.append(with_variation(system, order, t0, y0, t, start, options, fun=dfun, args=dargs))
        return paths[0]

    def moved(i: int) -> Any:
        return np.concatenate(system.pull(gs[i] / scale, *order(ts[i], ys[i]))) * dts[i]

    state = scale * follow(forward, rates, t0, ts, gs / scale, np.zeros(2 * n + params.size), options,
                           moved if np.any(dts) else None)
    adjoint, along, of_params = state[:n], state[n:2 * n], state[2 * n:]
    if np.any(dts) or dt0:
        of_state, of_rest = system.pull(adjoint, *at_start)
        return Along(along - of_state * dt0, np.full(len(ts), np.nan), np.nan, of_params - of_rest * dt0)

    def push(at: Any, unknown: Any) -> Any:
        return system.push(*at, unknown=unknown, fun=dfun, args=dargs)

    of_times = [g @ push(order(t, y), paths[0](t)[n:]) if np.any(g) else 0.0
                for t, y, g in zip(ts, ys, gs, strict=True)]
    return Along(along, np.array(of_times), -(along @ system(*at_start) + adjoint @ push(at_start, dy0)), of_params)


def odeint_second(v: Any, y: Any, func: Any, y0: Any, t: Any, args: Any = (), rtol: Any = None, atol: Any = None,
                  tfirst: bool = False, *,
                  dfun: Any = None, dy0: Any = None, dt: Any = None, dargs: Any = None) -> Cotangents:
    """The change of `odeint_adjoint(v, y, ...)` where the function, the state at the start and the arguments change.

    >>> def decay(y, t, k): return -k * y
    >>> at = np.exp([[-0.0], [-0.5]])
    >>> along = odeint_second(np.array([[0.0], [1.0]]), at, decay, [1.0], [0.0, 1.0], (0.5,), dargs=(1.0,))
    >>> [round(v, 6) for v in (*along.args, *along.y0)]
    [0.606531, -0.606531]
    """
    system, order, options = of_odeint(func, args, tfirst, rtol, atol)
    ts = np.asarray(t, float)
    start = np.zeros(y[0].size) if dy0 is None else vector_of(dy0, y0, holds_number)
    dts = np.zeros(ts.size) if dt is None else vector_of(dt, t, holds_number)
    found = _adjoint_along(system, order, ts[0], np.ravel(y[0]), ts, y, v, options, start, dfun, dargs, dts, dts[0])
    found.times[0] += found.t0
    return Cotangents(system.of_bound(found.params), system.of_args(found.params, args),
                      y0=shaped(found.y0, y0, holds_number), t=shaped(found.times, t, holds_number))


def solve_ivp_second(v: Any, sol: Any, fun: Any, t_span: Any, y0: Any, method: Any = "RK45", t_eval: Any = None,
                     args: Any = None, rtol: Any = None, atol: Any = None, max_step: Any = None, *, dfun: Any = None,
                     dt_span: Any = None, dy0: Any = None, dt_eval: Any = None, dargs: Any = None) -> Cotangents:
    """The change of `solve_ivp_adjoint(v, sol, ...)` where the function,
    the state at the start and the arguments change."""
    system, options = of_ivp(sol, fun, args, method, rtol, atol, max_step)
    check_times(v, t_eval)
    start = np.zeros(sol.y.shape[0]) if dy0 is None else vector_of(dy0, y0, holds_number)
    dts = np.zeros(sol.t.size) if dt_eval is None else vector_of(dt_eval, t_eval, holds_number)
    ends = np.zeros(2) if dt_span is None else vector_of(dt_span, t_span, holds_number)
    if t_eval is None:
        dts[[0, -1]] = ends
    found = _adjoint_along(system, time_first, t_span[0], state_of(y0), sol.t, sol.y.T, v.y.T, options, start, dfun,
                           None if dargs is None else tuple(dargs), dts, ends[0])
    of_span = np.array([found.t0, 0.0])
    if t_eval is None:
        of_span += found.times[[0, -1]]
    return Cotangents(system.of_bound(found.params), None if args is None else system.of_args(found.params, args),
                      y0=shaped(found.y0, y0, holds_number), t_span=shaped(of_span, t_span, holds_number),
                      t_eval=None if t_eval is None else shaped(found.times, t_eval, holds_number))


def _implicit_along(equation: Solved, x: Any, slopes: Any, of_x: Any, dfun: Any, dargs: Any) -> tuple[Any, Any]:
    """The changes of the cotangents of the parameters, and of the solution; `slopes` is the Jacobian there."""
    params, adjoint = equation.params(dfun, dargs), -np.linalg.solve(slopes.T, of_x)
    dx = -np.linalg.solve(slopes, equation.push(x, fun=dfun, args=dargs))
    of_slopes, along = equation.pull_along(adjoint, np.zeros(adjoint.size), x, unknown=dx, params=params)
    return along + equation.pull(-np.linalg.solve(slopes.T, of_slopes), x, unknown=False)[1], dx


def root_second(v: Any, y: Any, fun: Any, args: Any = (), fixed: bool = False, *, dfun: Any = None,
                dargs: Any = None) -> Cotangents:
    """The change of `root_adjoint(v, y, ...)` where the function and the arguments change.

    >>> def square(x, a): return x * x - a
    >>> round(root_second(1.0, 3.0, square, (9.0,), dargs=(1.0,)).args[0], 12)
    -0.009259259259
    """
    equation = Solved(fun, args)
    x, slopes = newton(equation, y, fixed)
    of_x, _ = of_result(v, y, "fun")
    params, _ = _implicit_along(equation, x, slopes, of_x, dfun, dargs)
    return Cotangents(equation.of_bound(params), equation.of_args(params, args))


def minimum_second(v: Any, y: Any, fun: Any, args: Any = (), jac: Any = None, *, dfun: Any = None,
                   dargs: Any = None) -> Cotangents:
    """The change of `minimum_adjoint(v, y, ...)` where the function and the arguments change."""
    equation, value = minimised(fun, args, jac)
    x, hessian = newton(equation, y, False)
    of_x, of_value = of_result(v, y, "fun", "jac")
    params, dx = _implicit_along(equation, x, hessian, of_x, dfun, dargs)
    if np.any(of_value):
        seed = np.ravel(of_value)
        params = params \
            + value.pull_along(seed, np.zeros(seed.size), x, unknown=dx, params=value.params(dfun, dargs))[1]
    return Cotangents(equation.of_bound(params), equation.of_args(params, args))


def quad_second(v: Any, func: Any, a: Any, b: Any, args: Any = (), *, dfun: Any = None, da: Any = None, db: Any = None,
                dargs: Any = None, **options: Any) -> Cotangents:
    """The change of `quad_adjoint(v, ...)` where the function, the ends and the arguments change.

    >>> def parabola(x, k): return k * x * x
    >>> along = quad_second((1.0, 0.0), parabola, 0.0, 2.0, (3.0,), db=1.0)
    >>> along.b, along.args
    (12.0, (4.0,))
    """
    integrand = Solved(func, args)
    integrand.check_steady(1, False, steady="twice")
    check_error(v)
    params = integrand.params(dfun, dargs)
    one, zero = np.ones(1), np.zeros(1)

    def curve(x: float) -> Any:
        return integrand.pull_along(one, zero, x, unknown=zero, params=params)[1]

    along = integrals(curve, params.size, a, b, options) if np.any(params) else np.zeros(params.size)
    ends = []
    for end, moved, sign in ((a, da, -1.0), (b, db, 1.0)):
        change = zero if moved is None else vector_of(moved, end, holds_number)

        def slope(end: Any = end, change: Any = change) -> Any:
            return integrand.push(end, unknown=shaped(change, end, holds_number), fun=dfun, args=dargs)

        def partials(end: Any = end) -> Any:
            return integrand.pull(one, end, unknown=False)[1]

        ends.append(sign * of_end(slope, end))
        if np.any(change) and np.all(np.isfinite(end)):
            along = along + sign * change * check_end(of_end(partials, end), [change])
    return Cotangents(integrand.of_bound(v[0] * along), integrand.of_args(v[0] * along, args),
                      a=shaped(v[0] * ends[0], a, holds_number), b=shaped(v[0] * ends[1], b, holds_number))
