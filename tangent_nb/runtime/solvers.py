"""The derivatives of solutions of equations and of minimisations.

A solution is differentiated, not the iterations that found it: by the implicit function theorem (M. Blondel et al.,
"Efficient and modular implicit differentiation", 2022, section 2). What is solved is a function of the user, which is
differentiated when the solution is.
"""
from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import TangentError
from .dynamic import gradient
from .remembered import carries
from .solved import Cotangents, Solved, shaped, vector_of, with_parts
from .structure import zeros_like

CLOSE = 1e-3                # a Newton step that is longer, relative to the solution, says that this is none


def newton(equation: Solved, y: Any, fixed: bool) -> tuple[Any, Any]:
    """The solution, after a step of Newton's method, and the Jacobian there. fixed: what is solved is fun(x) = x."""
    x = unknown_of(y)
    for last in (False, True):
        slopes = equation.jacobian(x) - (np.eye(np.size(x)) if fixed else 0.0)
        if slopes.shape[0] != slopes.shape[1] or not np.all(np.isfinite(slopes)) \
                or np.linalg.matrix_rank(slopes) < len(slopes):
            raise TangentError("the solution has no derivative: the Jacobian of what is solved is singular there")
        if not last:
            step = np.linalg.solve(slopes, equation(x) - (np.ravel(x) if fixed else 0.0))
            if not np.all(np.abs(step) <= CLOSE * (1.0 + np.abs(np.ravel(x)))):
                raise TangentError("what is differentiated is no solution: the solver stopped before, or at a bound")
            x = shaped(np.ravel(x) - step, x)
    return x, slopes


def unknown_of(y: Any) -> Any:
    """The solution, of what a solver gives."""
    if not isinstance(y, dict):
        return np.asarray(y, float)[()]
    if not (y["converged"] if "converged" in y else y["success"]):
        raise TangentError("there is no solution to differentiate: "
                           f"{' '.join(str(y.get('message') or y.get('flag')).split())}")
    return y["root"] if "root" in y else y["x"]


def of_result(g: Any, y: Any, *known: str) -> tuple[Any, Any]:
    """The cotangents of the solution and of the value that is minimised.
    known: what else has a derivative, or is zero at every solution."""
    if not isinstance(y, dict):
        return np.ravel(g), 0.0
    for name, part in y.items():
        if name not in ("x", "root", *known) and carries(part) and np.any(vector_of(g[name], part)):
            raise TangentError(
                f"the part .{name} of what the solver gives is differentiated, and has no derivative: .x has one")
    return np.ravel(g["root"] if "root" in y else g["x"]), g.get("fun", 0.0) if "jac" in known else 0.0


def result_tangent(y: Any, dx: Any, **known: Any) -> Any:
    """The tangent of what a solver gives: NaN for what has no derivative."""
    if not isinstance(y, dict):
        return shaped(dx, y)
    zeros = zeros_like(y)
    unknown = {name: shaped(np.full(vector_of(part, part).size, np.nan), part) for name, part in y.items()
               if name not in known and carries(part)}
    own = "root" if "root" in y else "x"
    return with_parts(zeros, **{**unknown, **{name: value for name, value in known.items() if name in y},
                                own: shaped(dx, y[own])})


def guess_adjoint(g: Any, y: Any, x0: Any) -> Any:
    """The cotangent of what a solver starts at, `np.zeros_like(x0)`: the solution does not depend on it."""
    unknown_of(y)
    of_result(g, y, "fun", "jac")
    return zeros_like(x0)


def guess_tangent(y: Any) -> Any:
    """The tangent of a solution along what the solver starts at: `np.zeros_like(y)`."""
    known = {name: zeros_like(y[name]) for name in ("fun", "jac") if name in y} if isinstance(y, dict) else {}
    return result_tangent(y, np.zeros(np.size(unknown_of(y))), **known)


def root_adjoint(g: Any, y: Any, fun: Any, args: Any = (), fixed: bool = False) -> Cotangents:
    """The cotangents of what an equation fun(x, *args) = 0 was given, or with `fixed` fun(x, *args) = x,
    from that of its solution.

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
    return result_tangent(y, -np.linalg.solve(slopes, equation.push(x, fun=dfun, args=dargs)),
                           fun=zeros_like(y.get("fun", 0.0)) if isinstance(y, dict) else 0.0)


def minimum_adjoint(g: Any, y: Any, fun: Any, args: Any = (), jac: Any = None) -> Cotangents:
    """The cotangents of what a minimisation was given: the gradient is zero at the minimum,
    and the Hessian its Jacobian.

    >>> def loss(x, a): return (x - a) ** 2
    >>> found = {"x": 2.0, "fun": 0.0, "success": True}
    >>> round(minimum_adjoint({"x": 1.0, "fun": 0.0}, found, loss, (2.0,)).args[0], 12)
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
    return result_tangent(y, dx, fun=shaped(value.push(x, fun=dfun, args=dargs), y["fun"]),
                           jac=zeros_like(y.get("jac", 0.0)))


def minimised(fun: Any, args: Any, jac: Any) -> tuple[Solved, Solved]:
    if jac is True:
        raise TangentError("minimize is given jac=True, where a function gives two things: "
                           "a function of each, fun=... and jac=...")
    return Solved(fun, args, by=gradient), Solved(fun, args)
