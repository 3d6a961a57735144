"""The derivatives of solutions of differential equations, as SciPy gives them.

By the adjoint method (L. Pontryagin et al., "The mathematical theory of optimal processes", 1962; R. Chen et al.,
"Neural ordinary differential equations", 2018, appendix B and C) and by the variational equations (E. Hairer, S.
Nørsett and G. Wanner, "Solving ordinary differential equations I", section I.14). The equations are a function of the
user, which is differentiated when the solution is.
"""
from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import TangentError
from .containers import described, holds_number
from .solved import Cotangents, Solved, shaped, vector_of, with_parts
from .structure import zeros_like


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


def _adjoint(system: Solved, order: Callable[..., Any], t0: Any, y0: Any, ts: Any, ys: Any, gs: Any,
             options: dict[str, Any]) -> tuple[Any, ...]:
    """Back from the last time to t0, with a jump at each time that has a cotangent: those of y0, of the times,
    of t0 and of the parameters.

    With L' = -(df/dy)^T L the cotangent of the state, that of the parameters grows by L^T df/dp,
    and that of a time is g . f.
    """
    def rates(path: Callable[[Any], Any], t: Any, state: Any) -> Any:
        return -np.concatenate(system.pull(state[:y0.size], *order(t, path(t))))

    scale = np.max(np.abs(gs), initial=0.0) or 1.0
    state = np.zeros(y0.size + system.pull(np.zeros(y0.size), *order(t0, y0))[1].size)
    state = scale * follow(lambda t: solution(lambda t, y: system(*order(t, y)), t0, t, y0, options), rates, t0, ts,
                           gs / scale, state, options)
    of_times = np.array([g @ system(*order(t, y)) if np.any(g) else 0.0 for t, y, g in zip(ts, ys, gs, strict=True)])
    return state[:y0.size], of_times, -(state[:y0.size] @ system(*order(t0, y0))), state[y0.size:]


def follow(forward: Callable[[Any], Any], rates: Callable[..., Any], t0: Any, ts: Any, gs: Any, state: Any,
           options: dict[str, Any], more: Callable[[int], Any] | None = None) -> Any:
    """The state, back from the last time that has a cotangent, which is added at each; forward: the solution, up to a
    time; more: what is added to the rest of the state."""
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
    return state if t1 == t0 \
        else np.array(solution(rates, t1, t0, state, {**options, "atol": np.min(options["atol"])})(t0))


def _variations(system: Solved, order: Callable[..., Any], t0: Any, y0: Any, ts: Any, dy0: Any, options: dict[str, Any],
                **tangents: Any) -> Any:
    """The tangents of the states at the times."""
    end = max(ts, key=lambda t: abs(t - t0), default=t0)
    path = with_variation(system, order, t0, y0, end, dy0, options, **tangents)
    return np.array([path(t)[y0.size:] for t in ts]).reshape(len(ts), y0.size)


def with_variation(system: Solved, order: Callable[..., Any], t0: Any, y0: Any, t1: Any, dy0: Any,
                   options: dict[str, Any], **tangents: Any) -> Callable[[Any], Any]:
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


def of_odeint(func: Any, args: Any, tfirst: bool, rtol: Any,
              atol: Any) -> tuple[Solved, Callable[..., Any], dict[str, Any]]:
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


def odeint_tangent(y: Any, func: Any, y0: Any, t: Any, args: Any = (), rtol: Any = None, atol: Any = None,
                   tfirst: bool = False, *,
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
    moved = np.array([system(*order(at, state)) * d
                      for at, state, d in zip(ts, y, vector_of(dt, t, holds_number), strict=True)])
    return moved + _variations(system, order, ts[0], y[0], ts, start - moved[0], options, fun=dfun, args=dargs)


def of_ivp(sol: Any, fun: Any, args: Any, method: Any, rtol: Any, atol: Any,
           max_step: Any) -> tuple[Solved, dict[str, Any]]:
    _check_solved(sol)
    options = {"method": method, "rtol": 1e-3 if rtol is None else rtol, "atol": 1e-6 if atol is None else atol}
    if max_step is not None:
        options["max_step"] = max_step
    if args is not None and not isinstance(args, (tuple, list)):
        raise TangentError(f"solve_ivp is given {described(args)} as args, and takes its items one by one: "
                           "a tuple, args=(...)")
    system = Solved(fun, tuple(args or ()), 1)
    system.check_steady(2)
    return system, options


def check_times(g: Any, t_eval: Any) -> None:
    """Refuses the cotangent of what solve_ivp gives at times of its own choice."""
    if t_eval is None and (np.any(g.y[:, 1:-1]) or np.any(g.t[1:-1])):
        raise TangentError("solve_ivp chooses the times between the first and the last one itself, "
                           "and what it gives there has no derivative: t_eval=...")


def solve_ivp_adjoint(g: Any, sol: Any, fun: Any, t_span: Any, y0: Any, method: Any = "RK45", t_eval: Any = None,
                      args: Any = None, rtol: Any = None, atol: Any = None, max_step: Any = None) -> Cotangents:
    """The cotangents of what `scipy.integrate.solve_ivp` is given,
    by the adjoint method with the same solver and tolerances."""
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


def solve_ivp_tangent(sol: Any, fun: Any, t_span: Any, y0: Any, method: Any = "RK45", t_eval: Any = None,
                      args: Any = None, rtol: Any = None, atol: Any = None, max_step: Any = None, *, dfun: Any = None,
                      dt_span: Any = None, dy0: Any = None, dt_eval: Any = None, dargs: Any = None) -> Any:
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
