"""What the derivatives of solutions refuse."""
from __future__ import annotations

import numpy as np

import tangent_nb as tnb
from tangent_nb.rules.table import fill

from .case import REVERSE, Case

fill("scipy.integrate", "scipy.optimize")                  # rows that are filled within a test are gone after it

IVP = "from scipy.integrate import solve_ivp\n"
OPTIMIZE = "from scipy import optimize\n"


def changed_between(f):
    """A pullback, asked when a variable outside has changed."""
    pull = tnb.pullback(f, 2.0)[1]
    f.__globals__["rate"] = 5.0
    return pull(1.0)


def called(f):
    """The derivative, called with the defaults."""
    return tnb.grad(f)(2.0)


CASES = [
    Case("closure_over_what_is_bound_later", IVP + """\
def f(k):
    def rhs(t, y):
        return -k * y
    kept = {"slow": rhs}
    k = k * 2.0
    return solve_ivp(kept["slow"], (0.0, 1.0), [1.0], rtol=1e-10, atol=1e-10).y[0, -1]
""", """\
cannot differentiate f
  cell 1, line 3, column 5
    def rhs(t, y):
    ^^^^^^^^^^^^^^
  why: the function rhs is used as a value, and reads k, which is bound or changed later: a function sees the last value
  instead: bind the value of now (k=k as a default), or give it a name that is bound once
""", IVP + """\
def f(k):
    twice = k * 2.0
    def rhs(t, y):
        return -twice * y
    kept = {"slow": rhs}
    return solve_ivp(kept["slow"], (0.0, 1.0), [1.0], rtol=1e-10, atol=1e-10).y[0, -1]
"""),
    Case("method_of_an_object_that_is_differentiated", IVP + """\
from dataclasses import dataclass
@dataclass
class Decay:
    k: float
    def rhs(self, t, y):
        return -self.k * y
def f(k):
    model = Decay(k)
    return solve_ivp(model.rhs, (0.0, 1.0), [1.0], rtol=1e-10, atol=1e-10).y[0, -1]
""", """\
what is solved is a method, which holds something that is differentiated: a function that takes it as an argument, \
and args=(...)
  cell 1, line 10, column 5
    return solve_ivp(model.rhs, (0.0, 1.0), [1.0], rtol=1e-10, atol=1e-10).y[0, -1]
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", IVP + """\
def rhs(t, y, k):
    return -k * y
def f(k):
    return solve_ivp(rhs, (0.0, 1.0), [1.0], args=(k,), rtol=1e-10, atol=1e-10).y[0, -1]
""", at=(2.0,), modes=(REVERSE,)),
    Case("differential_equation_with_a_pole", IVP + """\
def f(k):
    return solve_ivp(lambda t, y: k * y ** 2, (0.0, 10.0), [1.0]).y[0, -1]
""", """\
the differential equation was not solved, and has no derivative: Required step size is less than spacing between \
numbers.
  cell 1, line 3, column 5
    return solve_ivp(lambda t, y: k * y ** 2, (0.0, 10.0), [1.0]).y[0, -1]
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", at=(2.0,), modes=(REVERSE,)),
    Case("arguments_in_an_array", IVP + """\
def rhs(t, y, k):
    return -k * y
def f(p):
    return solve_ivp(rhs, (0.0, 1.0), [1.0], args=p).y[0, -1]
""", """\
solve_ivp is given an array as args, and takes its items one by one: a tuple, args=(...)
  cell 1, line 5, column 5
    return solve_ivp(rhs, (0.0, 1.0), [1.0], args=p).y[0, -1]
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", IVP + """\
def rhs(t, y, k):
    return -k * y
def f(p):
    return solve_ivp(rhs, (0.0, 1.0), [1.0], args=(p[0],), rtol=1e-10, atol=1e-10).y[0, -1]
""", at=(np.array([2.0]),), typed_at=(np.array([2.0]),)),
    Case("times_that_the_solver_chooses", IVP + """\
def f(k):
    return np.sum(solve_ivp(lambda t, y: -k * y, (0.0, 1.0), [1.0]).y)
""", """\
solve_ivp chooses the times between the first and the last one itself, and what it gives there has no derivative: \
t_eval=...
  cell 1, line 3, column 5
    return np.sum(solve_ivp(lambda t, y: -k * y, (0.0, 1.0), [1.0]).y)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", IVP + """\
def f(k):
    return np.sum(solve_ivp(lambda t, y: -k * y, (0.0, 1.0), [1.0], t_eval=np.linspace(0.0, 1.0, 5), rtol=1e-10, \
atol=1e-10).y)
""", at=(2.0,), modes=(REVERSE,)),
    Case("minimum_that_is_not_reached", OPTIMIZE + """\
def f(a):
    return np.sum(optimize.minimize(lambda x: np.sum((x - a) ** 4), np.zeros(2), options={"maxiter": 1}).x)
""", """\
there is no solution to differentiate: Maximum number of iterations has been exceeded.
  cell 1, line 3, column 5
    return np.sum(optimize.minimize(lambda x: np.sum((x - a) ** 4), np.zeros(2), options={"maxiter": 1}).x)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", OPTIMIZE + """\
def f(a):
    return np.sum(optimize.minimize(lambda x: np.sum((x - a) ** 2), np.zeros(2), tol=1e-9).x)
""", at=(2.0,)),
    Case("singular_equations", OPTIMIZE + """\
def f(a):
    return np.sum(optimize.root(lambda x: np.array([x[0] + x[1] - a, 2.0 * x[0] + 2.0 * x[1] - 2.0 * a]), \
np.zeros(2)).x)
""", """\
the solution has no derivative: the Jacobian of what is solved is singular there
  cell 1, line 3, column 5
    return np.sum(optimize.root(lambda x: np.array([x[0] + x[1] - a, 2.0 * x[0] + 2.0 * x[1] - 2.0 * a]), \
np.zeros(2)).x)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", at=(2.0,)),
    Case("minimum_at_a_bound", OPTIMIZE + """\
def f(a):
    return optimize.minimize_scalar(lambda x: (x - a) ** 2, bounds=(3.0, 4.0), method="bounded").x
""", """\
what is differentiated is no solution: the solver stopped before, or at a bound
  cell 1, line 3, column 5
    return optimize.minimize_scalar(lambda x: (x - a) ** 2, bounds=(3.0, 4.0), method="bounded").x
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", at=(2.0,)),
    Case("inverse_hessian_of_a_solver", OPTIMIZE + """\
def f(a):
    return np.sum(optimize.minimize(lambda x: np.sum((x - a) ** 2), np.zeros(2)).hess_inv)
""", """\
the part .hess_inv of what the solver gives is differentiated, and has no derivative: .x has one
  cell 1, line 3, column 5
    return np.sum(optimize.minimize(lambda x: np.sum((x - a) ** 2), np.zeros(2)).hess_inv)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", at=(2.0,), modes=(REVERSE,)),
    Case("minimised_with_its_gradient", OPTIMIZE + """\
def f(a):
    return np.sum(optimize.minimize(lambda x: (np.sum((x - a) ** 2), 2.0 * (x - a)), np.zeros(2), jac=True).x)
""", """\
minimize is given jac=True, where a function gives two things: a function of each, fun=... and jac=...
  cell 1, line 3, column 5
    return np.sum(optimize.minimize(lambda x: (np.sum((x - a) ** 2), 2.0 * (x - a)), np.zeros(2), jac=True).x)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", OPTIMIZE + """\
def f(a):
    return np.sum(optimize.minimize(lambda x: np.sum((x - a) ** 2), np.zeros(2), tol=1e-10).x)
""", at=(2.0,)),
    Case("minimised_within_bounds", OPTIMIZE + """\
def f(a):
    return optimize.minimize(lambda x: np.sum((x - a) ** 2), np.zeros(2), bounds=[(0.0, 1.0)] * 2).x[0]
""", """\
cannot differentiate f
  cell 1, line 3, column 12
    return optimize.minimize(lambda x: np.sum((x - a) ** 2), np.zeros(2), bounds=[(0.0, 1.0)] * 2).x[0]
           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  why: scipy.optimize.minimize is differentiated as scipy.optimize.minimize(fun, x0, args, method, jac, hess, tol, \
options), and not called so: got an unexpected keyword argument 'bounds'
  instead: a call of this form, and its result assigned
"""),
    Case("error_of_an_integral", """\
from scipy.integrate import quad
def f(a):
    return quad(lambda x: a * x, 0.0, 1.0)[1]
""", """\
the error that quad gives with an integral is differentiated, and has no derivative: quad(...)[0]
  cell 1, line 3, column 5
    return quad(lambda x: a * x, 0.0, 1.0)[1]
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", """\
from scipy.integrate import quad
def f(a):
    return quad(lambda x: a * x, 0.0, 1.0)[0]
""", at=(2.0,), modes=(REVERSE,)),
    Case("integral_whose_derivative_is_infinite", """\
from scipy.integrate import quad
def f(a):
    return quad(lambda x: np.log(x + a), 0.0, 1.0)[0]
""", """\
the derivative of an integral was not found: The maximum number of subdivisions (50) has been achieved.
  cell 1, line 3, column 5
    return quad(lambda x: np.log(x + a), 0.0, 1.0)[0]
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", at=(0.0,)),
    Case("end_without_a_value", """\
from scipy.integrate import quad
def f(a):
    return quad(lambda x: np.sin(x) / x, a, 1.0)[0]
""", """\
an integral is differentiated by an end at which what is integrated has no value: a function that is defined there
  cell 1, line 3, column 5
    return quad(lambda x: np.sin(x) / x, a, 1.0)[0]
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", """\
from scipy.integrate import quad
def f(a):
    return quad(lambda x: np.sinc(x / np.pi), a, 1.0)[0]
""", at=(0.0,), typed_at=(0.0,)),
    Case("solver_on_jax", """\
from scipy.integrate import odeint
def f(y0):
    return odeint(np.sin, y0, np.linspace(0.0, 1.0, 5))[-1, 0]
""", """\
cannot differentiate f
  cell 1, line 3, column 12
    return odeint(np.sin, y0, np.linspace(0.0, 1.0, 5))[-1, 0]
           ^^^^^^
  why: odeint has no counterpart on JAX that is known to be the same
  instead: the functions it is made of, or backend='numpy'
""", keywords={"backend": "jax"}),
    Case("integrand_that_jumps", """\
from scipy.integrate import quad
def step(x, k):
    return x if x > k else 0.0
def f(k):
    return quad(step, 0.0, 1.0, args=(k,))[0]
""", """\
cannot differentiate step
  cell 1, line 3, column 17
    return x if x > k else 0.0
                ^^^^^
  why: what a solver follows may jump here, at a place that moves with k: \
the part of the derivative that comes from the jump is not known
  instead: np.maximum, np.minimum, np.abs or np.clip, which do not jump; or tnb.stop_gradient(k) here, \
if both sides meet

  cell 1, line 5, column 5
    return quad(step, 0.0, 1.0, args=(k,))[0]
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  why: step is called here
""", """\
from scipy.integrate import quad
def step(x, k):
    return np.maximum(x - k, 0.0)
def f(k):
    return quad(step, 0.0, 1.0, args=(k,))[0]
""", modes=(REVERSE,), at=(0.5,), typed_at=(0.5,)),
    Case("integrand_that_jumps_and_raises_elsewhere", """\
from scipy.integrate import quad
def step(x, k, n):
    if x > k:
        if n > 0:
            return 5.0
        raise ValueError
    return 0.0
def f(k):
    return quad(step, 0.0, 1.0, args=(k, 1))[0]
""", """\
cannot differentiate step
  cell 1, line 3, column 8
    if x > k:
       ^^^^^
  why: what a solver follows may jump here, at a place that moves with k: \
the part of the derivative that comes from the jump is not known
  instead: np.maximum, np.minimum, np.abs or np.clip, which do not jump; or tnb.stop_gradient(k) here, \
if both sides meet

  cell 1, line 9, column 5
    return quad(step, 0.0, 1.0, args=(k, 1))[0]
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  why: step is called here
""", """\
from scipy.integrate import quad
def step(x, k, n):
    if n <= 0:
        raise ValueError
    return 5.0 * np.maximum(x - k, 0.0)
def f(k):
    return quad(step, 0.0, 1.0, args=(k, 1))[0]
""", modes=(REVERSE,), at=(0.5,), typed_at=(0.5,)),
    Case("integrand_that_chooses_among_tuples", """\
from scipy.integrate import quad
def larger(pairs):
    return max(pairs)
def step(x, k):
    return larger([(x, 1.0), (k, 2.0)])[1]
def f(k):
    return quad(step, 0.0, 1.0, args=(k,))[0]
""", """\
cannot differentiate step
  cell 1, line 3, column 12
    return max(pairs)
           ^^^^^^^^^^
  why: what a solver follows may jump here, where something else is chosen with a number that moves with pairs: \
it is not known that numbers are compared here, not tuples
  instead: np.maximum, np.minimum, np.max, np.min or np.sort, which take numbers

  cell 1, line 7, column 5
    return quad(step, 0.0, 1.0, args=(k,))[0]
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  why: step is called here
""", modes=(REVERSE,), at=(0.5,)),
    Case("integrand_with_a_kink", """\
from scipy.integrate import quad
def hinge(x, k):
    return np.maximum(x - k, 0.0)
def f(k):
    return quad(hinge, 0.0, 1.0, args=(k,))[0]
""", """\
cannot differentiate hinge
  cell 1, line 3, column 12
    return np.maximum(x - k, 0.0)
           ^^^^^^^^^^^^^^^^^^^^^^
  why: what a solver follows may have a kink here, which moves with k: the part of the second derivative that comes \
from it is not known
  instead: a smooth function, as np.logaddexp(x, 0.0), or np.hypot(x, 1e-3)

  cell 1, line 5, column 5
    return quad(hinge, 0.0, 1.0, args=(k,))[0]
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  why: hinge is called here
""", derive=lambda f: tnb.grad(tnb.grad(f))(0.5)),
    Case("third_derivative_of_a_solution", OPTIMIZE + """\
def square(x, a):
    return x ** 2 - a
def f(a):
    return optimize.brentq(square, 0.0, 3.0, args=(a,))
""", """\
cannot differentiate ddf_da_da
  ddf_da_da (generated), line 21, column 14
    bitems = rt.root_second(bf, f, square, args=items, fixed=False, dfun=broot_adjoint.fun,
             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  why: rt.root_second is not differentiated: a solution is differentiated twice, in reverse mode first
  instead: tnb.hessian, or tnb.grad of what tnb.grad gives; beyond those, differences
""", derive=lambda f: tnb.grad(tnb.grad(tnb.grad(f)))),
    Case("second_derivative_by_the_times", """\
from scipy.integrate import odeint
def f(t):
    return odeint(lambda y, t: -y, 1.0, np.array([0.0, t]))[1, 0]
""", """\
cannot differentiate df_dt
  df_dt (generated), line 17, column 65
    barray = rt.odeint_adjoint(bodeint_1, odeint_1, value, 1.0, array).t
                                                                ^^^^^
  why: rt.odeint_adjoint has no derivative by its argument t
  instead: differences of the first derivative by the times
""", derive=lambda f: tnb.grad(tnb.grad(f))),
    Case("solved_reads_what_has_changed", """\
from scipy.integrate import quad
rate = 1.0
def line(t, k):
    return k * t * rate
def f(k):
    return quad(line, 0.0, 1.0, args=(k,))[0]
""", """\
rate, which line reads, has changed since the forward sweep, and the backward sweep calls that again: \
give it as an argument, args=(...)
  cell 1, line 6, column 5
    return quad(line, 0.0, 1.0, args=(k,))[0]
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", """\
from scipy.integrate import quad
rate = 1.0
def line(t, k, rate):
    return k * t * rate
def f(k):
    return quad(line, 0.0, 1.0, args=(k, rate))[0]
""", derive=changed_between),
    Case("solver_is_given_what_reads_what_is_changed", """\
import types
from scipy.integrate import quad
options = types.SimpleNamespace(rate=1.0)
def line(t, k):
    return k * t * options.rate
def f(k, line=line):
    y = quad(line, 0.0, 1.0, args=(k,))[0]
    options.rate = 1.0
    return y
""", """\
rate, which line reads, is changed here, and the backward sweep calls that again: \
give it as an argument, args=(...)
  cell 1, line 7, column 5
    y = quad(line, 0.0, 1.0, args=(k,))[0]
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""", """\
import types
from scipy.integrate import quad
options = types.SimpleNamespace(rate=1.0)
def line(t, k, rate):
    return k * t * rate
def f(k, line=line):
    y = quad(line, 0.0, 1.0, args=(k, options.rate))[0]
    options.rate = 1.0
    return y
""", derive=called),
]
