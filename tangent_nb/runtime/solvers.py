"""The derivatives of solutions: of differential equations, of equations, of minimisations and of integrals.

A solution is differentiated, not the iterations that found it: by the adjoint method (L. Pontryagin et al., "The mathematical theory of optimal
processes", 1962; R. Chen et al., "Neural ordinary differential equations", 2018, appendix B and C), by the variational equations (E. Hairer,
S. Nørsett and G. Wanner, "Solving ordinary differential equations I", section I.14), and by the implicit function theorem (M. Blondel et al.,
"Efficient and modular implicit differentiation", 2022, section 2). What is solved is a function of the user, which is differentiated
when the solution is.
"""
from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ..errors import TangentError
from .containers import described, holds_number, kind_of
from .dynamic import carries, gradient
from .solved import Solved, shaped, vector_of
from .structure import zeros_like

CLOSE = 1e-3                # a Newton step that is longer, relative to the solution, says that this is none


# ------------------------------------------------------------------ differential equations
class Cotangents(NamedTuple):
    """The cotangents of what a solver was given, by the names of its arguments; None for those that it has not."""

    fun: Any
    args: Any
    y0: Any = None
    t: Any = None
    t_span: Any = None
    t_eval: Any = None
    a: Any = None
    b: Any = None


def solution(rates: Callable[..., Any], t0: Any, t1: Any, y0: Any, options: dict[str, Any]) -> Callable[[Any], Any]:
    """The solution of y' = rates(t, y) from y0 at t0 to t1, as a function of the time."""
    from scipy.integrate import solve_ivp

    if t0 == t1:
        return lambda t: y0
    found = solve_ivp(rates, (t0, t1), y0, dense_output=True, **options)
    _check_solved(found)
    return found.sol  # type: ignore[no-any-return]


def _check_solved(sol: Any) -> None:
    if not sol.success:
        raise TangentError(f"the differential equation was not solved, and has no derivative: {sol.message}")


def _adjoint(system: Solved, order: Callable[..., Any], t0: Any, y0: Any, ts: Any, ys: Any, gs: Any, options: dict[str, Any]) -> tuple[Any, ...]:
    """Back from the last time to t0, with a jump at each time that has a cotangent: those of y0, of the times, of t0 and of the parameters.

    With L' = -(df/dy)^T L the cotangent of the state, that of the parameters grows by L^T df/dp, and that of a time is g . f.
    """
    def rates(path: Callable[[Any], Any], t: Any, state: Any) -> Any:
        return -np.concatenate(system.pull(state[:y0.size], *order(t, path(t))))

    scale = np.max(np.abs(gs), initial=0.0) or 1.0
    state = np.zeros(y0.size + system.pull(np.zeros(y0.size), *order(t0, y0))[1].size)
    state = scale * follow(lambda t: solution(lambda t, y: system(*order(t, y)), t0, t, y0, options), rates, t0, ts, gs / scale, state, options)
    of_times = np.array([g @ system(*order(t, y)) if np.any(g) else 0.0 for t, y, g in zip(ts, ys, gs, strict=True)])
    return state[:y0.size], of_times, -(state[:y0.size] @ system(*order(t0, y0))), state[y0.size:]


def follow(forward: Callable[[Any], Any], rates: Callable[..., Any], t0: Any, ts: Any, gs: Any, state: Any, options: dict[str, Any],
            more: Callable[[int], Any] | None = None) -> Any:
    """The state, back from the last time that has a cotangent, which is added at each; forward: the solution, up to a time; more: what is
    added to the rest of the state."""
    path, here = None, t0
    for i in reversed(range(len(ts))):
        if np.any(gs[i]):
            if path is None:
                path, here = forward(ts[i]), ts[i]
            state = _back(functools.partial(rates, path), here, ts[i], state, options)
            state[:np.size(gs[i])] += gs[i]
            if more is not None:
                state[np.size(gs[i]):] += more(i)
            here = ts[i]
    return state if path is None else _back(functools.partial(rates, path), here, t0, state, options)


def _back(rates: Callable[..., Any], t1: Any, t0: Any, state: Any, options: dict[str, Any]) -> Any:
    return state if t1 == t0 else np.array(solution(rates, t1, t0, state, {**options, "atol": np.min(options["atol"])})(t0))


def _variations(system: Solved, order: Callable[..., Any], t0: Any, y0: Any, ts: Any, dy0: Any, options: dict[str, Any],
                **tangents: Any) -> Any:
    """The tangents of the states at the times."""
    end = max(ts, key=lambda t: abs(t - t0), default=t0)
    path = with_variation(system, order, t0, y0, end, dy0, options, **tangents)
    return np.array([path(t)[y0.size:] for t in ts]).reshape(len(ts), y0.size)


def with_variation(system: Solved, order: Callable[..., Any], t0: Any, y0: Any, t1: Any, dy0: Any, options: dict[str, Any],
                   **tangents: Any) -> Callable[[Any], Any]:
    """The states up to t1, and their tangents: the variational equations, solved beside the equations."""
    def rates(t: Any, both: Any) -> Any:
        at = order(t, both[:y0.size])
        return np.concatenate([system(*at), system.push(*at, unknown=both[y0.size:], **tangents)])

    scale = max(np.max(np.abs(dy0), initial=0.0), 1.0)
    atol = np.broadcast_to(options["atol"], y0.shape)
    return solution(rates, t0, t1, np.concatenate([y0, dy0]), {**options, "atol": np.concatenate([atol, scale * atol])})


def time_second(t: Any, y: Any) -> tuple[Any, Any]:
    return y, t


def time_first(t: Any, y: Any) -> tuple[Any, Any]:
    return t, y


def of_odeint(func: Any, args: Any, tfirst: bool, rtol: Any, atol: Any) -> tuple[Solved, Callable[..., Any], dict[str, Any]]:
    tolerance = 1.49012e-8                                 # that of odeint; between its steps LSODA is less accurate
    options = {"method": "LSODA", "rtol": 0.1 * np.min(tolerance if rtol is None else rtol), "atol": 0.1 * np.asarray(
        tolerance if atol is None else atol)}
    system = Solved(func, args, int(tfirst))
    system.check_steady(2)
    return system, time_first if tfirst else time_second, options


def odeint_adjoint(g: Any, y: Any, func: Any, y0: Any, t: Any, args: Any = (), rtol: Any = None, atol: Any = None,
                   tfirst: bool = False) -> Cotangents:
    """The cotangents of what `scipy.integrate.odeint` is given, by the adjoint method with the same tolerances.

    >>> def decay(y, t, k): return -k * y
    >>> adjoint = odeint_adjoint(np.array([[0.0], [1.0]]), np.exp([[-0.0], [-0.5]]), decay, [1.0], [0.0, 1.0], (0.5,))
    >>> [round(v, 6) for v in (*adjoint.args, *adjoint.y0, *map(float, adjoint.t))]
    [-0.606531, 0.606531, 0.303265, -0.303265]
    """
    system, order, options = of_odeint(func, args, tfirst, rtol, atol)
    ts = np.asarray(t, float)
    of_y0, of_t, of_t0, params = _adjoint(system, order, ts[0], np.ravel(y[0]), ts, y, g, options)
    of_t[0] += of_t0
    return Cotangents(system.of_bound(params), system.of_args(params, args), y0=shaped(of_y0, y0, holds_number),
                      t=shaped(of_t, t, holds_number))


def odeint_tangent(y: Any, func: Any, y0: Any, t: Any, args: Any = (), rtol: Any = None, atol: Any = None, tfirst: bool = False, *,
                   dfun: Any = None, dy0: Any = None, dt: Any = None, dargs: Any = None) -> Any:
    """The tangent of `scipy.integrate.odeint`, by the variational equations.

    >>> def decay(y, t, k): return -k * y
    >>> odeint_tangent(np.exp([[-0.0], [-0.5]]), decay, [1.0], [0.0, 1.0], (0.5,), dargs=(1.0,)).round(6).tolist()
    [[0.0], [-0.606531]]
    """
    system, order, options = of_odeint(func, args, tfirst, rtol, atol)
    ts = np.asarray(t, float)
    start = np.zeros(y[0].size) if dy0 is None else vector_of(dy0, y0, holds_number)
    if dt is None:
        return _variations(system, order, ts[0], y[0], ts, start, options, fun=dfun, args=dargs)
    moved = np.array([system(*order(at, state)) * d for at, state, d in zip(ts, y, vector_of(dt, t, holds_number), strict=True)])
    return moved + _variations(system, order, ts[0], y[0], ts, start - moved[0], options, fun=dfun, args=dargs)


def of_ivp(sol: Any, fun: Any, args: Any, method: Any, rtol: Any, atol: Any, max_step: Any) -> tuple[Solved, dict[str, Any]]:
    _check_solved(sol)
    options = {"method": method, "rtol": 1e-3 if rtol is None else rtol, "atol": 1e-6 if atol is None else atol}
    if max_step is not None:
        options["max_step"] = max_step
    if args is not None and not isinstance(args, (tuple, list)):
        raise TangentError(f"solve_ivp is given {described(args)} as args, and takes its items one by one: a tuple, args=(...)")
    system = Solved(fun, tuple(args or ()), 1)
    system.check_steady(2)
    return system, options


def check_times(g: Any, t_eval: Any) -> None:
    """Refuses the cotangent of what solve_ivp gives at times of its own choice."""
    if t_eval is None and (np.any(g.y[:, 1:-1]) or np.any(g.t[1:-1])):
        raise TangentError("solve_ivp chooses the times between the first and the last one itself, and what it gives there has no "
                           "derivative: t_eval=...")


def solve_ivp_adjoint(g: Any, sol: Any, fun: Any, t_span: Any, y0: Any, method: Any = "RK45", t_eval: Any = None, args: Any = None,
                      rtol: Any = None, atol: Any = None, max_step: Any = None) -> Cotangents:
    """The cotangents of what `scipy.integrate.solve_ivp` is given, by the adjoint method with the same solver and tolerances."""
    system, options = of_ivp(sol, fun, args, method, rtol, atol, max_step)
    check_times(g, t_eval)
    of_y0, of_t, of_t0, params = _adjoint(system, time_first, t_span[0], state_of(y0), sol.t, sol.y.T, g.y.T, options)
    of_t = of_t + g.t
    of_span = np.array([of_t0, 0.0])
    if t_eval is None:
        of_span += of_t[[0, -1]]
    return Cotangents(system.of_bound(params), None if args is None else system.of_args(params, args),
                      y0=shaped(of_y0, y0, holds_number), t_span=shaped(of_span, t_span, holds_number),
                      t_eval=None if t_eval is None else shaped(of_t, t_eval, holds_number))


def solve_ivp_tangent(sol: Any, fun: Any, t_span: Any, y0: Any, method: Any = "RK45", t_eval: Any = None, args: Any = None, rtol: Any = None,
                      atol: Any = None, max_step: Any = None, *, dfun: Any = None, dt_span: Any = None, dy0: Any = None, dt_eval: Any = None,
                      dargs: Any = None) -> Any:
    """The tangent of `scipy.integrate.solve_ivp`, by the variational equations; NaN at times that it chooses itself."""
    system, options = of_ivp(sol, fun, args, method, rtol, atol, max_step)
    start = np.zeros(sol.y.shape[0]) if dy0 is None else vector_of(dy0, y0, holds_number)
    moved = np.zeros(sol.t.size) if dt_eval is None else vector_of(dt_eval, t_eval, holds_number)
    if dt_span is not None:
        ends = vector_of(dt_span, t_span, holds_number)
        start = start - system(t_span[0], state_of(y0)) * ends[0]
        if t_eval is None:
            moved[[0, -1]] = ends
    dargs = None if dargs is None else tuple(dargs)
    dy = _variations(system, time_first, t_span[0], state_of(y0), sol.t, start, options, fun=dfun, args=dargs).T
    for i in np.flatnonzero(moved):
        dy[:, i] += system(sol.t[i], sol.y[:, i]) * moved[i]
    if t_eval is None:
        dy[:, 1:-1], moved[1:-1] = np.nan, np.nan
    return with_parts(zeros_like(sol), y=dy, t=moved)


def state_of(y0: Any) -> Any:
    """The state that a differential equation starts at."""
    return vector_of(y0, y0, holds_number)


def with_parts(zeros: Any, **parts: Any) -> Any:
    """The tangent, or the cotangent, of a result of SciPy, with these parts."""
    kind = kind_of(zeros)
    assert kind is not None
    return kind.build(zeros, {**kind.parts(zeros), **parts})


# ------------------------------------------------------------------ equations and minima
def newton(equation: Solved, y: Any, fixed: bool) -> tuple[Any, Any]:
    """The solution, after a step of Newton's method, and the Jacobian there. fixed: what is solved is fun(x) = x."""
    x = _unknown(y)
    for last in (False, True):
        slopes = equation.jacobian(x) - (np.eye(np.size(x)) if fixed else 0.0)
        if slopes.shape[0] != slopes.shape[1] or not np.all(np.isfinite(slopes)) or np.linalg.matrix_rank(slopes) < len(slopes):
            raise TangentError("the solution has no derivative: the Jacobian of what is solved is singular there")
        if not last:
            step = np.linalg.solve(slopes, equation(x) - (np.ravel(x) if fixed else 0.0))
            if not np.all(np.abs(step) <= CLOSE * (1.0 + np.abs(np.ravel(x)))):
                raise TangentError("what is differentiated is no solution: the solver stopped before, or at a bound")
            x = shaped(np.ravel(x) - step, x)
    return x, slopes


def _unknown(y: Any) -> Any:
    """The solution, of what a solver gives."""
    if not isinstance(y, dict):
        return np.asarray(y, float)[()]
    if not (y["converged"] if "converged" in y else y["success"]):
        raise TangentError(f"there is no solution to differentiate: {' '.join(str(y.get('message') or y.get('flag')).split())}")
    return y["root"] if "root" in y else y["x"]


def of_result(g: Any, y: Any, *known: str) -> tuple[Any, Any]:
    """The cotangents of the solution and of the value that is minimised. known: what else has a derivative, or is zero at every solution."""
    if not isinstance(y, dict):
        return np.ravel(g), 0.0
    for name, part in y.items():
        if name not in ("x", "root", *known) and carries(part) and np.any(vector_of(g[name], part)):
            raise TangentError(f"the part .{name} of what the solver gives is differentiated, and has no derivative: .x has one")
    return np.ravel(g["root"] if "root" in y else g["x"]), g.get("fun", 0.0) if "jac" in known else 0.0


def _result_tangent(y: Any, dx: Any, **known: Any) -> Any:
    """The tangent of what a solver gives: NaN for what has no derivative."""
    if not isinstance(y, dict):
        return shaped(dx, y)
    zeros = zeros_like(y)
    unknown = {name: shaped(np.full(vector_of(part, part).size, np.nan), part) for name, part in y.items()
               if name not in known and carries(part)}
    own = "root" if "root" in y else "x"
    return with_parts(zeros, **{**unknown, **{name: value for name, value in known.items() if name in y}, own: shaped(dx, y[own])})


def guess_adjoint(g: Any, y: Any, x0: Any) -> Any:
    """The cotangent of what a solver starts at: the solution does not depend on it."""
    _unknown(y)
    of_result(g, y, "fun", "jac")
    return zeros_like(x0)


def guess_tangent(y: Any) -> Any:
    """The tangent of a solution along what the solver starts at: zero."""
    known = {name: zeros_like(y[name]) for name in ("fun", "jac") if name in y} if isinstance(y, dict) else {}
    return _result_tangent(y, np.zeros(np.size(_unknown(y))), **known)


def root_adjoint(g: Any, y: Any, fun: Any, args: Any = (), fixed: bool = False) -> Cotangents:
    """The cotangents of what an equation fun(x, *args) = 0 was given, or with `fixed` fun(x, *args) = x, from that of its solution.

    >>> def square(x, a): return x * x - a
    >>> round(root_adjoint(1.0, 3.0, square, (9.0,)).args[0], 12)
    0.166666666667
    """
    equation = Solved(fun, args)
    x, slopes = newton(equation, y, fixed)
    of_x, _ = of_result(g, y, "fun")
    params = equation.pull(-np.linalg.solve(slopes.T, of_x), x, unknown=False)[1]
    return Cotangents(equation.of_bound(params), equation.of_args(params, args))


def root_tangent(y: Any, fun: Any, args: Any = (), fixed: bool = False, *, dfun: Any = None, dargs: Any = None) -> Any:
    """The tangent of the solution of fun(x, *args) = 0, or with `fixed` of fun(x, *args) = x.

    >>> def square(x, a): return x * x - a
    >>> round(root_tangent(3.0, square, (9.0,), dargs=(1.0,)), 12)
    0.166666666667
    """
    equation = Solved(fun, args)
    x, slopes = newton(equation, y, fixed)
    return _result_tangent(y, -np.linalg.solve(slopes, equation.push(x, fun=dfun, args=dargs)), fun=zeros_like(y.get("fun", 0.0))
                           if isinstance(y, dict) else 0.0)


def minimum_adjoint(g: Any, y: Any, fun: Any, args: Any = (), jac: Any = None) -> Cotangents:
    """The cotangents of what a minimisation was given: the gradient is zero at the minimum, and the Hessian its Jacobian.

    >>> def loss(x, a): return (x - a) ** 2
    >>> round(minimum_adjoint({"x": 1.0, "fun": 0.0}, {"x": 2.0, "fun": 0.0, "success": True}, loss, (2.0,)).args[0], 12)
    1.0
    """
    equation, value = minimised(fun, args, jac)
    x, hessian = newton(equation, y, False)
    of_x, of_value = of_result(g, y, "fun", "jac")
    params = equation.pull(-np.linalg.solve(hessian.T, of_x), x, unknown=False)[1]
    if np.any(of_value):
        params = params + value.pull(np.ravel(of_value), x, unknown=False)[1]
    return Cotangents(equation.of_bound(params), equation.of_args(params, args))


def minimum_tangent(y: Any, fun: Any, args: Any = (), jac: Any = None, *, dfun: Any = None, dargs: Any = None) -> Any:
    """The tangent of what a minimisation gives."""
    equation, value = minimised(fun, args, jac)
    x, hessian = newton(equation, y, False)
    dx = -np.linalg.solve(hessian, equation.push(x, fun=dfun, args=dargs))
    return _result_tangent(y, dx, fun=shaped(value.push(x, fun=dfun, args=dargs), y["fun"]), jac=zeros_like(y.get("jac", 0.0)))


def minimised(fun: Any, args: Any, jac: Any) -> tuple[Solved, Solved]:
    if jac is True:
        raise TangentError("minimize is given jac=True, where a function gives two things: a function of each, fun=... and jac=...")
    return Solved(fun, args, by=gradient), Solved(fun, args)


# ------------------------------------------------------------------ integrals
def check_error(g: Any) -> None:
    """Refuses the cotangent of the error that quad gives."""
    if np.any(g[1]):
        raise TangentError("the error that quad gives with an integral is differentiated, and has no derivative: quad(...)[0]")


def check_end(v: Any, seed: Any) -> Any:
    """Refuses the derivative of an integral by an end at which the integrand has no value: quad asks for none there."""
    if np.any(np.isnan(v)) and not np.any(np.isnan(seed[0])):
        raise TangentError("an integral is differentiated by an end at which what is integrated has no value: a function that is defined there")
    return v


def quad_adjoint(g: Any, func: Any, a: Any, b: Any, args: Any = (), **options: Any) -> Cotangents:
    """The cotangents of what `scipy.integrate.quad` is given: the rule of Leibniz.

    >>> def line(x, k): return k * x
    >>> adjoint = quad_adjoint((1.0, 0.0), line, 0.0, 2.0, (3.0,))
    >>> adjoint.a, adjoint.b, [round(v, 12) for v in adjoint.args]
    (-0.0, 6.0, [2.0])
    """
    integrand = Solved(func, args)
    integrand.check_steady(1, False)
    check_error(g)
    size = sum(vector_of(one, one).size for one in ([func] if integrand.bound else []) + [integrand.args[i] for i in integrand.places])

    def slope(x: float, i: int) -> Any:
        return integrand.pull(np.ones(1), x, unknown=False)[1][i]

    params = np.array([integral(functools.partial(slope, i=i), a, b, options) for i in range(size)])
    return Cotangents(integrand.of_bound(g[0] * params), integrand.of_args(g[0] * params, args),
                      a=shaped(-g[0] * at_end(integrand, a), a, holds_number),
                      b=shaped(g[0] * at_end(integrand, b), b, holds_number))


def quad_tangent(y: Any, func: Any, a: Any, b: Any, args: Any = (), *, dfun: Any = None, da: Any = None, db: Any = None, dargs: Any = None,
                 **options: Any) -> tuple[Any, Any]:
    """The tangent of `scipy.integrate.quad`; that of the error is NaN."""
    integrand = Solved(func, args)
    integrand.check_steady(1, False)
    total = 0.0
    if dfun is not None or dargs is not None:
        total += integral(lambda x: integrand.push(x, fun=dfun, args=dargs)[0], a, b, options)
    for end, moved, sign in ((a, da, -1.0), (b, db, 1.0)):
        if moved is not None and np.any(moved):
            total += sign * float(check_end(at_end(integrand, end), (moved, 0.0))[0] * moved)
    return total, np.nan


def integral(function: Callable[[Any], Any], a: Any, b: Any, options: dict[str, Any]) -> float:
    from scipy.integrate import quad

    value, _, _, *failed = quad(function, a, b, full_output=1, **{name: value for name, value in options.items() if value is not None})
    if failed:
        raise TangentError(f"the derivative of an integral was not found: {failed[0].partition(chr(10))[0]}")
    return float(value)


def at_end(integrand: Solved, end: Any) -> Any:
    """The integrand at an end; zero where that is infinite, NaN where there is no value: quad asks for none at the ends."""
    return of_end(lambda: integrand(end), end)


def of_end(value: Callable[[], Any], end: Any) -> Any:
    """A value at an end of an integral."""
    if not np.all(np.isfinite(end)):
        return np.zeros(1)
    try:
        with np.errstate(all="ignore"):
            return value()
    except (ArithmeticError, ValueError):
        return np.full(1, np.nan)
