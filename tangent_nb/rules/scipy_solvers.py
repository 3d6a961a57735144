"""SciPy's solvers: of differential equations, equations and minimisations, and integrals;
what is differentiated is the solution.

What is solved is a function of the user, with parameters in `args`, or one that reads what is differentiated: desugar
binds that to it, as `functools.partial(rhs, k=k)`, so that the function has a cotangent itself. The derivatives are in
`runtime/solvers.py`.
"""
from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import integrate, optimize

from .. import runtime as rt
from . import infer, when
from .row import Rule
from .table import linear, lookup, nondifferentiable, parse_signature, register, rule

SLOPES = ("fprime", "fprime2", "jac", "hess", "Dfun")      # functions by which solvers find the same solution sooner


def solver(fn: Any, signature: str, adjoint: str, tangent: str, *names: str, zero: Sequence[str] = (),
           spec: Any = infer.anything, ends: Sequence[str] = (), note: str = "") -> None:
    """A row whose adjoint gives all cotangents at once, by the names of the arguments, the first of them a function.
    zero: arguments on which a solution does not depend; ends: of an integral."""
    result, _, sig = parse_signature(signature)
    slopes = [name for name in SLOPES if name in sig.parameters]
    pull = {name: f"rt.check_end({adjoint}.{name}, g)" if name in ends else f"{adjoint}.{name}" for name in names}
    pull |= {name: f"rt.guess_adjoint(g, y, {name})" for name in zero}
    pull |= {name: f"rt.zeros_like({name})" for name in slopes}
    push = {name: f"{tangent[:-1]}, d{name}=g)" for name in names} | dict.fromkeys(zero, "rt.guess_tangent(y)") \
        | dict.fromkeys(slopes, f"rt.zeros_like({result})")
    pull[names[0]] = f"rt.closure_of({adjoint}.fun, {names[0]})"
    push[names[0]] = f"{tangent[:-1]}, dfun=g)"
    rule(fn, signature, pull=pull, push=push, spec=spec, note=note)


TOLERANCES = "rtol=rtol, atol=atol"
ODEINT = f"func, y0, t, args=args, {TOLERANCES}, tfirst=tfirst)"
solver(integrate.odeint, "y = scipy.integrate.odeint(func, y0, t, args=(), *, rtol=None, atol=None, tfirst=False, "
       "mxstep=0, hmax=0.0, Dfun=None, col_deriv=0)",
       f"rt.odeint_adjoint(g, y, {ODEINT}", f"rt.odeint_tangent(y, {ODEINT}", "func", "y0", "t", "args",
       spec=infer.arrays, note="by the adjoint method, to the tolerances given")
IVP = f"fun, t_span, y0, method=method, t_eval=t_eval, args=args, {TOLERANCES}, max_step=max_step)"
solver(integrate.solve_ivp, "sol = scipy.integrate.solve_ivp(fun, t_span, y0, method='RK45', t_eval=None, *, "
       "args=None, rtol=None, atol=None, max_step=None, first_step=None, jac=None)",
       f"rt.solve_ivp_adjoint(g, sol, {IVP}", f"rt.solve_ivp_tangent(sol, {IVP}", "fun", "t_span", "y0", "t_eval",
       "args", note="by the adjoint method, to the tolerances given; without events= and dense_output=")
ENDS = ("a", "b")
QUAD = "func, a, b, args=args, epsabs=epsabs, epsrel=epsrel, limit=limit, points=points)"
solver(integrate.quad,
       "y = scipy.integrate.quad(func, a, b, args=(), *, epsabs=None, epsrel=None, limit=None, points=None)",
       f"rt.quad_adjoint(g, {QUAD}", f"rt.quad_tangent(y, {QUAD}", "func", "a", "b", "args", ends=ENDS)


GUESSES = ("x0", "x1", "a", "b", "bracket")


def equation(fn: Any, name: str, signature: str, *, fun: str = "f", of: str = "root", also: str = "") -> None:
    """A solver of an equation with a function and its arguments; what it starts at has the derivative zero."""
    given = f"{fun}, args=args{also})"
    parameters = parse_signature(f"y = f({signature})")[2].parameters
    zero = [one for one in GUESSES if one in parameters]
    solver(fn, f"y = scipy.optimize.{name}({signature})", f"rt.{of}_adjoint(g, y, {given}",
           f"rt.{of}_tangent(y, {given}", fun, "args", zero=zero,
           note=f"by the implicit function theorem; the derivative by {' and '.join(zero)} is zero")


BRACKETED = "f, a, b, args=(), xtol=None, rtol=None, maxiter=None"
for name in ("brentq", "brenth", "bisect", "ridder"):
    equation(getattr(optimize, name), name, BRACKETED)
equation(optimize.toms748, "toms748", BRACKETED.replace("args=(),", "args=(), k=1,"))
equation(optimize.newton, "newton",
         "func, x0, fprime=None, args=(), tol=None, maxiter=None, fprime2=None, x1=None, rtol=None", fun="func")
equation(optimize.fsolve, "fsolve",
         "func, x0, args=(), fprime=None, *, xtol=None, maxfev=None, epsfcn=None, factor=None, diag=None", fun="func")
equation(optimize.fixed_point, "fixed_point", "func, x0, args=(), xtol=None, maxiter=None, method=None", fun="func",
         also=", fixed=True")
equation(optimize.root, "root", "fun, x0, args=(), method='hybr', jac=None, tol=None, *, options=None", fun="fun")
equation(optimize.root_scalar, "root_scalar", "f, args=(), method=None, bracket=None, fprime=None, fprime2=None, "
         "x0=None, x1=None, xtol=None, rtol=None, maxiter=None")
equation(optimize.minimize, "minimize", "fun, x0, args=(), method=None, jac=None, hess=None, *, tol=None, options=None",
         fun="fun", of="minimum", also=", jac=jac")
equation(optimize.minimize_scalar, "minimize_scalar",
         "fun, bracket=None, bounds=None, args=(), method=None, tol=None, *, options=None", fun="fun", of="minimum")

SQUARES = "fun, args=args, bounds=bounds)"
solver(optimize.least_squares,
       "y = scipy.optimize.least_squares(fun, x0, jac='2-point', bounds=None, method='trf', ftol=None, "
       "xtol=None, gtol=None, x_scale=None, *, args=(), diff_step=None, tr_solver=None, max_nfev=None, verbose=0)",
       f"rt.squares_adjoint(g, y, {SQUARES}", f"rt.squares_tangent(y, {SQUARES}", "fun", "args", zero=["x0"],
       note="by the implicit function theorem, at a minimum inside of the bounds; the derivative by x0 is zero")
FIT = "f, xdata, ydata, sigma=sigma, bounds=bounds)"
FITTED, FIT_ALONG = f"rt.fit_adjoint(g, y, {FIT}", f"rt.fit_tangent(y, {FIT[:-1]}"
rule(optimize.curve_fit,
     "y = scipy.optimize.curve_fit(f, xdata, ydata, p0=None, sigma=None, absolute_sigma=False, check_finite=None, "
     "bounds=None, method=None, jac=None, *, maxfev=None, ftol=None, xtol=None, gtol=None)",
     pull={"f": f"rt.closure_of({FITTED}.fun, f)", "ydata": f"{FITTED}.ydata", "p0": f"rt.fit_start({FITTED}, p0)",
           "jac": "rt.zeros_like(jac)"},
     push={"f": f"{FIT_ALONG}, dfun=g)", "ydata": f"{FIT_ALONG}, dydata=g)", "p0": f"{FIT_ALONG})",
           "jac": "rt.zeros_like(y)"},
     nondiff=["xdata", "sigma"], refused=["xdata", "sigma"], spec=infer.anything,
     remedies=dict.fromkeys(("xdata", "sigma"), "scipy.optimize.least_squares of what the curve misses"),
     note="by the implicit function theorem, at a minimum inside of the bounds; the derivative by p0 is zero")
for name in ("squares_adjoint", "squares_tangent", "fit_adjoint", "fit_tangent", "fit_start"):
    register(Rule(getattr(rt, name), f"rt.{name}", "z", inspect.Signature(), supported=False,
                  because="least squares are differentiated once",
                  instead="scipy.optimize.minimize of half the sum of squares, which is differentiated twice"))

# --- the function that optimisers are tried on, with SciPy's own derivatives of it
rule(optimize.rosen, "y = scipy.optimize.rosen(x)", pull={"x": "g * scipy.optimize.rosen_der(x)"},
     push={"x": "np.sum(scipy.optimize.rosen_der(x) * g, axis=0)"}, spec=infer.anything)
rule(optimize.rosen_der, "y = scipy.optimize.rosen_der(x)", pull={"x": "scipy.optimize.rosen_hess_prod(x, g)"},
     push={"x": "scipy.optimize.rosen_hess_prod(x, g)"}, spec=infer.anything)
linear(optimize.rosen_hess_prod, "y = scipy.optimize.rosen_hess_prod(x, p)", nondiff=["x"], refused=["x"],
       remedies={"x": "the function written with NumPy, for its third derivative"}, spec=infer.anything,
       pull={"p": "rt.unbroadcast(scipy.optimize.rosen_hess_prod(x, g), p)"})

# --- the derivatives themselves, which have one more: of what is solved, of its parameters,
# and of what it starts at or where it ends
def adjoint(of: str, given: str, passed: str, *names: str, y: str = "", times: Sequence[str] = (),
            ends: Sequence[str] = ()) -> None:
    """The rows of an adjoint and of a tangent. given, passed: the parameters, and how they are passed on; names: of
    what has a derivative, the function first; y: what the solution is called; times: what has a cotangent, and is
    refused where it has a second one; ends: of an integral."""
    before = f"{y}, " if y else ""
    fun, after = names[0], f"v, {before}{passed}"
    along = {name: "dfun" if name == fun else f"d{name}" for name in (*names, *times)}
    moved = ", ".join(f"{along[name]}=g.{'fun' if name == fun else name}" for name in along)
    second = f"rt.{of}_second({after}, {moved})"
    pull = {"v": f"rt.{of}_tangent({before or 'v, '}{passed}, {moved})", fun: f"rt.closure_of({second}.fun, {fun})"}
    push = {"v": f"rt.{of}_adjoint(g, {before}{passed})"}
    rule(getattr(rt, f"{of}_adjoint"), f"z = rt.{of}_adjoint(v, {before}{given})", spec=infer.anything, pull=pull
         | {name: f"rt.check_end({second}.{name}, v)" if name in ends else f"{second}.{name}" for name in names[1:]},
         push=push | {name: f"rt.{of}_second({after}, {along[name]}=g)" for name in names},
         nondiff=[*([y] if y else []), *times], refused=times,
         remedies=dict.fromkeys(times, "differences of the first derivative by the times"))
    for name in (f"{of}_tangent", f"{of}_second"):
        register(Rule(getattr(rt, name), f"rt.{name}", "z", inspect.Signature(), supported=False,
                      because="a solution is differentiated twice, in reverse mode first",
                      instead="tnb.hessian, or tnb.grad of what tnb.grad gives; beyond those, differences"))


adjoint("odeint", "func, y0, t, args=(), rtol=None, atol=None, tfirst=False",
        f"func, y0, t, args=args, {TOLERANCES}, tfirst=tfirst", "func", "y0", "args", y="y", times=["t"])
adjoint("solve_ivp", "fun, t_span, y0, method='RK45', t_eval=None, args=None, rtol=None, atol=None, max_step=None",
        IVP[:-1], "fun", "y0", "args", y="sol", times=["t_span", "t_eval"])
adjoint("quad", "func, a, b, args=(), epsabs=None, epsrel=None, limit=None, points=None", QUAD[:-1], "func", "a", "b",
        "args", ends=ENDS)
adjoint("root", "fun, args=(), fixed=False", "fun, args=args, fixed=fixed", "fun", "args", y="y")
adjoint("minimum", "fun, args=(), jac=None", "fun, args=args, jac=jac", "fun", "args", y="y")
for name, written in (("guess_adjoint", "v, y, x0"), ("guess_tangent", "y")):
    nondifferentiable(getattr(rt, name), f"z = rt.{name}({written})", because="zero everywhere", zero=True,
                      spec=infer.anything, breaks="")
linear(rt.check_end, "z = rt.check_end(v, seed)", nondiff=["seed"], pull={"v": "g"}, spec=infer.anything,
       memory="alias")
linear(rt.closure_of, "z = rt.closure_of(b, fun)", nondiff=["fun"], pull={"b": "g"}, spec=infer.anything,
       memory="alias")

# --- integrals of samples
EVEN, SPREAD = when.is_none("x"), "np.expand_dims(g, axis)"
WEIGHTS = "rt.simpson_weights(y, x, dx, axis)"
BY_DX = "(dx * rt.simpson_weights(y, axis=axis))"
rule(integrate.simpson, "r = scipy.integrate.simpson(y, x=None, *, dx=1.0, axis=-1)", refused=["x"],
     spec=infer.anything, remedies={"x": "np.trapezoid(y, x), which is differentiated by x"},
     pull={"y": [(EVEN, f"rt.unarray({SPREAD} * {BY_DX}, y)"), f"rt.unarray({SPREAD} * {WEIGHTS}, y)"],
           "dx": [(EVEN, "rt.unbroadcast(g * r / dx, dx)"), "rt.unbroadcast(g * r / dx, dx) * (x is None)"]},
     push={"y": [(EVEN, f"np.sum(g * {BY_DX}, axis=axis)"), f"np.sum(g * {WEIGHTS}, axis=axis)"],
           "dx": [(EVEN, "g * r / dx"), "g * r / dx * (x is None)"]})
nondifferentiable(rt.simpson_weights, "w = rt.simpson_weights(y, x=None, dx=1.0, axis=-1)", because="of constants",
                  breaks="", spec=infer.anything)
trapezoid = lookup(np.trapezoid)
assert trapezoid is not None
register(trapezoid, also=[integrate.trapezoid])
AHEAD = "rt.uncumsum(g if initial is None else rt.without_first(g, axis, True), rt.middle(y, axis), axis)"
ALONG = "scipy.integrate.cumulative_trapezoid({}, axis, initial)"
rule(integrate.cumulative_trapezoid,
     "r = scipy.integrate.cumulative_trapezoid(y, x=None, dx=1.0, axis=-1, initial=None)",
     spec=infer.anything, nondiff=["initial"],
     pull={"y": f"rt.unmiddle({AHEAD} * rt.widths(x, y, dx, axis), y, axis)",
           "x": f"rt.unwidths({AHEAD} * rt.middle(y, axis), x, axis)",
           "dx": "rt.unbroadcast(g * r / dx, dx) if x is None else rt.zeros_like(dx)"},
     push={"y": ALONG.format("g, x, dx"), "x": ALONG.format("y, g, dx"),
           "dx": "g * r / dx if x is None else rt.zeros_like(r)"})
