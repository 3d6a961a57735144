"""The derivatives of integrals, as `scipy.integrate.quad` gives them: the rule of Leibniz."""
from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import TangentError
from .containers import holds_number
from .solved import Cotangents, Solved, shaped, vector_of

TOLERANCE = 1.49e-8            # of quad, absolute and relative
OF_VECTORS = frozenset({"epsabs", "epsrel", "limit", "points"})
LIMIT = 200                    # intervals: what needs more has a pole, for which quad has a method


def check_error(g: Any) -> None:
    """Refuses the cotangent of the error that quad gives."""
    if np.any(g[1]):
        raise TangentError(
            "the error that quad gives with an integral is differentiated, and has no derivative: quad(...)[0]")


def check_end(v: Any, seed: Any) -> Any:
    """What it is given, `v`; refuses the derivative of an integral by an end at which the integrand has no value, since
    quad asks for none there.
    """
    if np.any(np.isnan(v)) and not np.any(np.isnan(seed[0])):
        raise TangentError("an integral is differentiated by an end at which what is integrated has no value: "
                           "a function that is defined there")
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
    size = sum(vector_of(one, one).size
               for one in ([func] if integrand.bound else []) + [integrand.args[i] for i in integrand.places])

    params = integrals(lambda x: integrand.pull(np.ones(1), x, unknown=False)[1], size, a, b, options)
    return Cotangents(integrand.of_bound(g[0] * params), integrand.of_args(g[0] * params, args),
                      a=shaped(-g[0] * at_end(integrand, a), a, holds_number),
                      b=shaped(g[0] * at_end(integrand, b), b, holds_number))


def quad_tangent(y: Any, func: Any, a: Any, b: Any, args: Any = (), *, dfun: Any = None, da: Any = None, db: Any = None,
                 dargs: Any = None, **options: Any) -> tuple[Any, Any]:
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

    value, _, _, *failed = quad(function, a, b, full_output=1,
                                **{name: value for name, value in options.items() if value is not None})
    if failed:
        raise TangentError(f"the derivative of an integral was not found: {failed[0].partition(chr(10))[0]}")
    return float(value)


def integrals(function: Callable[[Any], Any], size: int, a: Any, b: Any, options: dict[str, Any]) -> Any:
    """The integrals of the parts of a vector, each as exact as quad is asked for one alone. All are found together,
    where the error of the worst is no more than the smallest may have, and one by one where that is not so, or where
    quad is asked for weights.

    >>> [round(float(one), 12) for one in integrals(lambda x: np.array([x, x * x]), 2, 0.0, 3.0, {})]
    [4.5, 9.0]
    """
    from scipy.integrate import quad_vec

    asked = {name: value for name, value in options.items() if value is not None}
    if size > 1 and not asked.keys() - OF_VECTORS:
        absolute, relative = (asked.get(name, TOLERANCE) for name in ("epsabs", "epsrel"))
        with np.errstate(all="ignore"):
            found, error, info = quad_vec(function, a, b, absolute, relative, "max", full_output=True,
                                          limit=max(LIMIT, asked.get("limit", 0)), points=asked.get("points"))
        if info.success and error <= max(absolute, relative * np.min(np.abs(found))):
            return found

    def part(x: float, i: int) -> Any:
        return function(x)[i]

    return np.array([integral(functools.partial(part, i=i), a, b, options) for i in range(size)])


def at_end(integrand: Solved, end: Any) -> Any:
    """The integrand at an end; zero where that is infinite, NaN where there is no value: quad asks for none at the
    ends."""
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
