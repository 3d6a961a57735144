"""Derivatives of solutions: in both modes against differences, with parameters in args and in closures,
and what is refused."""
import contextlib
import functools
import math
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import oracles

import tangent_nb as tnb
from tangent_nb.errors import TangentError
from tangent_nb.runtime.integrals import integrals

integrate, optimize, stats = (pytest.importorskip(f"scipy.{name}") for name in ("integrate", "optimize", "stats"))
odeint, quad, solve_ivp = integrate.odeint, integrate.quad, integrate.solve_ivp
TS, TIGHT = np.linspace(0.0, 1.0, 5), 1e-10
MATRIX, VECTOR = np.eye(3) * 2.0 + np.arange(9.0).reshape(3, 3) / 10.0, np.array([1.0, 2.0, 0.5])


# ------------------------------------------------------------------ what is solved
def decay(y, t, k):
    return -k * y


def driven(y, t, k, m):
    return -k * y + m


def falling(y, t, k):
    return -k * y[0], y[0]


def oscillator(t, y, k):
    return np.array([y[1], -k * y[0]])


def pendulum(t, y, k):
    return [y[1], -k * np.sin(y[0])]


def forced(t, y, k):
    a, b = y
    return [b - k * a * t, 1]


def stored(t, y, p):
    dy = np.zeros(2)
    dy[0] = p[0] * y[0] - p[1] * y[0] * y[1]
    dy[1] = -p[2] * y[1] + p[3] * y[0] * y[1]
    return dy


def of_dict(t, y, p):
    return np.array([p["a"] * y[1], -p["b"] * y[0]])


def chosen(t, y, k, n, mode):
    return -k * y ** n if mode == "power" else y


def cubic(x, a, b):
    return x ** 3 + a * x - b


def system(x, matrix, b):
    return matrix @ x + 0.1 * x ** 3 - b


def circle(p, a):
    x, y = p
    return [x ** 2 + y ** 2 - a, x - y]


def cosine(x, a):
    return np.cos(a * x)


def ridge(p, x, y, weight):
    return np.mean((x @ p - y) ** 2) + weight * np.sum(p ** 4)


def valley(p, a, b):
    return (p[0] - a) ** 2 + b * (p[1] - p[0] ** 2) ** 2


# ------------------------------------------------------------------ odeint
def odeint_of_numbers(k, y0):
    return np.sum(odeint(driven, [y0, 1.0], TS, args=(k, 2), rtol=TIGHT, atol=TIGHT) ** 2)


def odeint_of_a_number(k, y0):
    return np.sum(odeint(decay, y0, TS, (k,), rtol=TIGHT, atol=TIGHT)[1:])


def odeint_of_times(k, end):
    return np.sum(odeint(falling, [1.0, k], np.linspace(0.0, end, 4), (k,), rtol=TIGHT, atol=TIGHT) ** 2)


def odeint_back_in_time(k, start):
    return np.sum(odeint(falling, [1.0, k], np.linspace(start, 0.0, 4), (k,), rtol=TIGHT, atol=TIGHT) ** 2)


def odeint_with_the_time_first(k):
    return np.sum(odeint(pendulum, [1.0, k], TS, (k,), tfirst=True, rtol=TIGHT, atol=TIGHT)[1:, 0] ** 2)


def odeint_of_a_closure(k, y0):
    def rhs(y, t):
        return -k * y
    return odeint(rhs, y0, TS, rtol=TIGHT, atol=TIGHT)[-1, 0]


def odeint_of_a_lambda_twice(k):
    rhs = lambda y, t: -k * y                              # noqa: E731
    return odeint(rhs, [k], TS, rtol=TIGHT, atol=TIGHT)[-1, 0] + odeint(rhs, [2.0], TS, rtol=TIGHT, atol=TIGHT)[2, 0]


def odeint_of_a_partial(k):
    return np.sum(odeint(functools.partial(decay, k=k), [1.0], TS, rtol=TIGHT, atol=TIGHT))


def odeint_of_a_network(w):
    def net(t, y):
        return np.tanh(w @ y)
    return np.sum(odeint(net, np.ones(3), TS, tfirst=True, rtol=TIGHT, atol=TIGHT)[-1])


def odeint_with_a_result_that_is_changed(k):
    y = odeint(decay, [1.0, k], TS, (k,), rtol=TIGHT, atol=TIGHT)
    y[0] = 0.0
    y[2] *= k
    return np.sum(y ** 2)


def odeint_with_a_start_that_is_changed(k):
    y0 = np.array([1.0, 2.0]) * k
    y = odeint(decay, y0, TS, (k,), rtol=TIGHT, atol=TIGHT)
    y0[0] = 5.0
    return np.sum(y * y0)


# ------------------------------------------------------------------ solve_ivp
def ivp_at_its_end(k, end):
    sol = solve_ivp(oscillator, (0.0, end), [1.0, end], args=(k,), rtol=TIGHT, atol=TIGHT)
    return np.sum(sol.y[:, -1] ** 2) + sol.t[-1]


def ivp_of_two_ends(k, start):
    sol = solve_ivp(fun=oscillator, t_span=(start, 2 * start), y0=[1.0, k], args=(k,), rtol=TIGHT, atol=TIGHT)
    return sol.y[0, -1] + sol.y[0, 0] * sol.t[0]


def ivp_at_times(k, start):
    sol = solve_ivp(lambda t, y: oscillator(t, y, k), (start, 2.0), [k, 1.0], t_eval=np.linspace(start, 2.0, 4),
                    rtol=TIGHT, atol=TIGHT)
    return np.sum(sol.y ** 2) + np.sum(sol.t ** 2)


def ivp_that_is_asked_whether_it_succeeded(k):
    sol = solve_ivp(oscillator, (0.0, 1.0), [1.0, k], args=(k,), t_eval=TS, rtol=TIGHT, atol=TIGHT)
    if not sol.success:
        raise RuntimeError("not solved")
    return integrate.trapezoid(sol.y[0] ** 2, sol.t) + sol["y"][0][-1]


def ivp_of_lists_and_integers(k):
    sol = solve_ivp(forced, (0, 2), [1, k], args=[k], t_eval=[0, 0.5, 2.0], rtol=TIGHT, atol=TIGHT)
    return sol.y[0, -1] * sol.y[1, 1] + sol.y[0, 0]


def ivp_of_settings(k):
    return solve_ivp(chosen, (0.0, 1.0), [k], args=(k, 2, "power"), max_step=0.1, rtol=TIGHT, atol=TIGHT).y[0][-1]


def ivp_stiff(p):
    return np.sum(solve_ivp(of_dict, (0.0, 2.0), p[:2], method="Radau", args=({"a": p[0], "b": p[1]},), rtol=1e-9,
                            atol=1e-9).y[:, -1])


def fit_of_lotka_volterra(p):
    sol = solve_ivp(stored, [0.0, 2.0], np.array([1.0, 2.0]), "DOP853", np.linspace(0.0, 2.0, 7), args=(p,),
                    rtol=TIGHT, atol=TIGHT)
    return np.mean((sol.y - 1.0) ** 2)


def shooting_in_a_loop(k, v):
    for _ in range(3):
        def fall(t, y):
            return np.array([y[1], -9.81 - k * y[1]])
        height = solve_ivp(fall, (0.0, 1.0), [0.0, v], rtol=TIGHT, atol=TIGHT).y[0, -1]
        v = v - 0.3 * height
    return v


def shooting_by_a_root(v, k):
    def height(start):
        return solve_ivp(lambda t, y: np.array([y[1], -9.81 - k * y[1]]), (0.0, 1.0), [0.0, start], rtol=TIGHT,
                         atol=TIGHT).y[0, -1] - v
    return optimize.brentq(height, 0.0, 30.0)


# ------------------------------------------------------------------ equations
def bracketed(a, b):
    return (optimize.brentq(cubic, 0.0, 3.0, args=(a, b)) + optimize.bisect(cubic, 0, 3, (a, b), 1e-14)
            + optimize.ridder(cubic, 0.0, 3.0, (a, b)) * optimize.brenth(lambda x: cubic(x, a, b), 0.0, 3.0)
            + optimize.toms748(cubic, 0.0, 3.0, args=(a, b)))


def newton(a):
    return optimize.newton(cubic, 1.0, args=(a, 2.0)) \
        + optimize.newton(lambda x: x ** 2 - a, 1.0, fprime=lambda x: 2 * x)


def slopes_that_read_what_is_differentiated(a):
    one = optimize.newton(lambda x: a * x ** 3 - 2.0, 1.0, fprime=lambda x: 3.0 * a * x ** 2)
    two = optimize.fsolve(lambda x: a * x ** 3 - 2.0, 1.0, fprime=lambda x: np.atleast_2d(3.0 * a * x ** 2))[0]
    three = optimize.root(lambda x: a * x ** 3 - 2.0, 1.0, jac=lambda x: [[3.0 * a * x[0] ** 2]], tol=1e-13).x[0]
    four = optimize.root_scalar(lambda x: a * x ** 3 - 2.0, x0=1.0, fprime=lambda x: 3.0 * a * x ** 2,
                                fprime2=lambda x: 6.0 * a * x, method="halley").root
    least = optimize.minimize(lambda x: np.sum((x - a) ** 2), np.zeros(2), jac=lambda x: 2.0 * (x - a),
                              hess=lambda x: 2.0 * np.eye(2) * a / a, method="Newton-CG", tol=1e-12)
    return one * two * three * four * least.x[1]


def slopes_of_differential_equations(a):
    stiff = solve_ivp(lambda t, y: -a * y, (0.0, 1.0), [1.0], jac=lambda t, y: [[-a]], method="Radau",
                      rtol=TIGHT, atol=TIGHT).y[0, -1]
    return stiff * odeint(lambda y, t: -a * y, 1.0, [0.0, 1.0], Dfun=lambda y, t: [[-a]], rtol=TIGHT, atol=TIGHT)[-1, 0]


def newton_of_an_array(a):
    return np.sum(optimize.newton(cubic, np.ones(3), args=(a, 2.0)) ** 2)


def root_of_a_system(matrix, b):
    return np.sum(optimize.root(system, np.zeros(3), args=(matrix, b), tol=1e-12).x ** 2)


def fsolve_of_a_list(a):
    x, y = optimize.fsolve(circle, [1.0, 0.5], args=(a,))
    return x * y + x + optimize.fsolve(lambda x: x ** 2 - a, 1.0)[0]


def root_scalar(a):
    return (optimize.root_scalar(cubic, args=(a, 2.0), bracket=[0, 3]).root
            + optimize.root_scalar(lambda x: x * x - a, x0=1.0, x1=1.5, method="secant").root)


def fixed_point(a):
    return optimize.fixed_point(cosine, 0.5, args=(a,))


def implicit_layer(w, x):
    def layer(z):
        return z - np.tanh(w @ z / 10.0 + x)
    return np.sum(optimize.fsolve(layer, np.zeros(3), xtol=1e-13) ** 2)


def implicit_steps(k):
    x = np.array([1.0, 2.0])
    for _ in range(4):
        x = optimize.root(lambda new, old: new - old + 0.1 * k * new ** 3, x, args=(x,), tol=1e-13).x
    return np.sum(x)


def start_alone(x0):
    return optimize.newton(cubic, x0, args=(1.0, 2.0)) * x0


def root_of_an_integral(a):
    return optimize.brentq(lambda x: quad(lambda s: np.exp(-x * s), 0.0, 1.0)[0] - a, 0.0, 5.0)


def integral_of_an_integral(a):
    return quad(lambda x: quad(lambda s: np.exp(-x * s), 0.0, 1.0)[0] * a, 0.0, a)[0]


# ------------------------------------------------------------------ minima
def minimum_of_data(x, y):
    return np.sum(optimize.minimize(ridge, np.zeros(2), args=(x, y, 0.1), jac=JAC, options={"gtol": 1e-9}).x ** 2)


def minimum_of_a_valley(a, b):
    found = optimize.minimize(valley, [0.0, 0.0], (a, b), "Nelder-Mead",
                              options={"xatol": 1e-10, "fatol": 1e-14, "maxiter": 4000})
    return found.x[0] * found.x[1] + found.fun


def value_at_the_minimum(a):
    return optimize.minimize(lambda x: np.sum((x - a) ** 2 * (1.0 + x ** 2)), a).fun


def minimum_of_a_number(a):
    return (optimize.minimize_scalar(lambda x: (x - a) ** 2 + 0.1 * x ** 4, tol=1e-12).x + optimize.minimize_scalar(
        lambda x: (x - a) ** 4 + x ** 2, bounds=(-1, 3), method="bounded", options={"xatol": 1e-9}).x)


JAC = tnb.grad(ridge)


# ------------------------------------------------------------------ integrals
def integral_to(a, b):
    return quad(lambda x: np.exp(-a * x * x), 0, b)[0]


def integral_without_end(a):
    value, _ = quad(lambda x, k: k * x * np.exp(-k * x), 0, np.inf, args=(a,))
    return value * a


def integral_of_ends(a):
    return quad(lambda x: a * x ** 2, -a, a, epsabs=1e-12)[0] + quad(lambda x, k: k * x, 0, 1, args=a)[0]


def integral_of_an_array(p):
    return quad(lambda x, c: c[0] + c[1] * x ** 2 + np.abs(x - c[2]), 0.0, 2.0, args=(p,), points=[0.5])[0]


def summed(k):
    return quad(lambda x, k: np.dot(k, np.cos(x * np.arange(len(k)))) * np.exp(-x * k[0]), 0.0, 2.0, args=(k,))[0]


def of_many_sizes(k):
    return quad(lambda x, k: 1e6 * k[0] * x + k[1] * np.sqrt(np.abs(x - 0.3)) + k[2] * np.log(x), 0.0, 2.0, (k,))[0]


HALF, ONE, P = 0.7, 1.3, np.array([1.0, 0.5, 0.8, 0.3])
PROGRAMS = [
    (odeint_of_numbers, HALF, ONE), (odeint_of_a_number, HALF, ONE), (odeint_of_times, HALF, ONE),
    (odeint_back_in_time, HALF, ONE), (odeint_with_the_time_first, HALF), (odeint_of_a_closure, HALF, ONE),
    (odeint_of_a_lambda_twice, HALF), (odeint_of_a_partial, HALF), (odeint_of_a_network, MATRIX - 2.0),
    (odeint_with_a_result_that_is_changed, HALF), (odeint_with_a_start_that_is_changed, HALF),
    (ivp_at_its_end, HALF, ONE), (ivp_of_two_ends, HALF, ONE), (ivp_at_times, HALF, 0.3),
    (ivp_that_is_asked_whether_it_succeeded, HALF), (ivp_of_lists_and_integers, HALF), (ivp_of_settings, HALF),
    (ivp_stiff, P[:2]), (fit_of_lotka_volterra, P), (shooting_in_a_loop, HALF, 10.0),
    (shooting_by_a_root, 2.0, HALF), (root_of_an_integral, HALF), (integral_of_an_integral, HALF),
    (bracketed, HALF, ONE), (newton, HALF), (newton_of_an_array, VECTOR), (root_of_a_system, MATRIX, VECTOR),
    (slopes_that_read_what_is_differentiated, ONE), (slopes_of_differential_equations, HALF),
    (fsolve_of_a_list, HALF), (root_scalar, HALF), (fixed_point, HALF), (implicit_layer, MATRIX, VECTOR),
    (implicit_steps, HALF), (start_alone, ONE), (minimum_of_data, MATRIX[:, :2], VECTOR),
    (minimum_of_a_valley, HALF, ONE), (value_at_the_minimum, P[:2]), (minimum_of_a_number, HALF),
    (integral_to, HALF, ONE), (integral_without_end, HALF), (integral_of_ends, HALF), (integral_of_an_array, VECTOR),
    (summed, P), (summed, np.linspace(0.1, 1.0, 40)),
]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program[0].__name__)
def test_both_modes_against_differences(program):
    f, *args = program
    wrt = tuple(range(len(args)))
    direction = tuple(oracles.like(arg, np.random.default_rng(1)) for arg in args)
    got = tnb.grad(f, wrt=wrt)(*oracles.fresh(args))
    for value, arg in zip(got, args, strict=True):
        assert np.shape(value) == np.shape(arg)
    slope, size = oracles.inner(got, direction)
    h = 1e-3
    points = [f(*oracles.moved(args, wrt, direction, t)) for t in (-2 * h, -h, h, 2 * h)]
    assert slope == pytest.approx((points[0] - 8 * points[1] + 8 * points[2] - points[3]) / (12 * h),
                                  rel=1e-6, abs=1e-6)
    assert tnb.jvp(f, wrt=wrt)(*oracles.fresh(args), *direction) \
        == pytest.approx(slope, rel=1e-6, abs=1e-6 * (1.0 + size))


def test_the_parts_of_an_integral_are_found_together():
    calls = []

    def counted(*given):
        calls.append(given)
        return np.array([1.0, 2.0, 3.0]) * given[0]
    assert np.allclose(integrals(counted, 3, 0.0, 2.0, {}), [2.0, 4.0, 6.0], rtol=1e-12)
    together = len(calls)
    assert np.allclose(integrals(counted, 3, 0.0, 2.0, {"weight": "cos", "wvar": 0.0}), [2.0, 4.0, 6.0])
    assert together <= 63 and len(calls) >= together + 3 * 15


def test_each_part_of_an_integral_is_as_exact_as_alone():
    at = np.array([1.0, 2.0, 3.0])
    one = [quad(lambda x: 1e6 * x, 0.0, 2.0)[0], quad(lambda x: np.sqrt(np.abs(x - 0.3)), 0.0, 2.0)[0],
           quad(np.log, 0.0, 2.0)[0]]
    assert np.allclose(tnb.grad(of_many_sizes)(at), one, rtol=1e-9, atol=1e-9)


BY_TIMES = (odeint_of_times, odeint_back_in_time, ivp_at_its_end, ivp_of_two_ends, ivp_at_times)


@pytest.mark.sampled(12)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program[0].__name__)
def test_second_order(program):
    """Forward over reverse mode and reverse over reverse mode, against differences of the gradient;
    times are refused."""
    f, *args = program
    wrt = tuple(range(len(args)))
    rng = np.random.default_rng(1)
    direction, other = (tuple(oracles.like(arg, rng) for arg in args) for _ in range(2))
    gradient = tnb.grad(f, wrt=wrt)
    if f in BY_TIMES:
        for derivative in (tnb.jvp, tnb.vjp):
            with pytest.raises(TangentError, match="_adjoint"):
                derivative(gradient, wrt=wrt)
        # of the cotangents of times
        gradient, wrt, direction, other = tnb.grad(f, wrt=(1,)), (0,), direction[:1], other[1:]
    if f is integral_of_an_array:                          # np.abs has a kink
        with pytest.raises(TangentError, match="kink"):
            tnb.jvp(gradient)(*args, *direction)
        with pytest.raises(TangentError, match="kink"):
            tnb.vjp(gradient)(*args, direction)
        return
    h = 1e-3
    points = [oracles.inner(gradient(*oracles.moved(args, wrt, direction, t)), other)[0]
              for t in (-2 * h, -h, h, 2 * h)]
    due = pytest.approx((points[0] - 8 * points[1] + 8 * points[2] - points[3]) / (12 * h), rel=1e-5, abs=1e-5)
    along = tnb.jvp(gradient, wrt=wrt)(*oracles.fresh(args), *direction)
    assert oracles.inner(along, other)[0] == due
    back = tnb.vjp(gradient, wrt=wrt)(*oracles.fresh(args), other)
    assert oracles.inner(back, direction)[0] == due


@pytest.mark.parametrize("f", [odeint_of_a_closure, ivp_at_its_end, bracketed, minimum_of_a_valley, integral_to],
                         ids=lambda f: f.__name__)
def test_passes_do_not_matter(f):
    one, two = tnb.grad(f, wrt=(0, 1))(HALF, ONE), tnb.grad(f, wrt=(0, 1), optimized=False)(HALF, ONE)
    np.testing.assert_allclose(one, two, rtol=1e-12)


def test_exact_for_a_linear_equation():
    """By default tolerances; exp(-k t) is known."""
    gradient = tnb.grad(lambda k: odeint(decay, [1.0], TS, (k,))[-1, 0])
    assert gradient(0.5) == pytest.approx(-np.exp(-0.5), abs=1e-6)
    times = tnb.jacobian(lambda ts: odeint(decay, [1.0], ts, (0.5,))[:, 0])(TS)
    exact = np.diag(-0.5 * np.exp(-0.5 * TS))
    exact[:, 0] += 0.5 * np.exp(-0.5 * TS)
    np.testing.assert_allclose(times, exact, atol=1e-6)


def test_one_solve_for_all_cotangents():
    text = tnb.source(tnb.grad(odeint_of_a_closure, wrt=(0, 1)))
    assert text.count("rt.odeint_adjoint(") == 1
    assert "rt.odeint_adjoint(bodeint_1, odeint_1, rhs, y0, TS, rtol=TIGHT, atol=TIGHT)" in text


def test_single_precision():
    start = np.ones(2, np.float32)
    gradient = tnb.grad(lambda y0: np.sum(odeint(decay, y0, TS, (0.5,))[-1]))(start)
    assert gradient.dtype == np.float32
    np.testing.assert_allclose(gradient, np.exp(-0.5), rtol=1e-6)
    gradient = \
        tnb.grad(lambda b: np.sum(optimize.root(system, np.zeros(3), args=(MATRIX, b)).x))(VECTOR.astype(np.float32))
    assert gradient.dtype == np.float32


class Decay:
    def __init__(self, k):
        self.k = k

    def rhs(self, t, y):
        return -self.k * y

    def __call__(self, t, y):
        return -self.k * y


CONSTANT = Decay(0.5)


def test_methods_of_constant_objects():
    def of_method(y0):
        return solve_ivp(CONSTANT.rhs, (0.0, 1.0), [y0], rtol=TIGHT, atol=TIGHT).y[0, -1]
    assert tnb.grad(of_method)(2.0) == pytest.approx(np.exp(-0.5))
    assert tnb.jvp(of_method)(2.0, 1.0) == pytest.approx(np.exp(-0.5))


@pytest.mark.parametrize("f", [
    lambda k: solve_ivp(Decay(k), (0.0, 1.0), [1.0]).y[0, -1],
    lambda k: solve_ivp(Decay(k).rhs, (0.0, 1.0), [1.0]).y[0, -1], lambda k: optimize.minimize(np.sin, [k]).fun * k
    if k > 2.0 else optimize.brentq(lambda x: np.floor(x) - k, 0.0, 3.0),
], ids=["object", "method", "step"])
def test_never_zero(f):
    for derivative in (tnb.grad, lambda f: lambda x: tnb.jvp(f)(x, 1.0)):
        with pytest.raises(TangentError):
            derivative(f)(1.5)


slope_of_a_distance = tnb.grad(lambda y: np.sum(np.abs(y)))
slope_of_the_largest = tnb.grad(lambda y: np.max(y))
slope_of_a_power = tnb.grad(lambda y: np.sum(y ** 4))


def integral_of(r):
    def f(k):
        return quad(r, 0.0, 1.0, args=(k,))[0]
    return f


ORDER_ZERO = 0


def caught_guard(s, k):
    try:
        if s > k:
            raise ValueError
        y = s
    except ValueError:
        y = 2.0
    return y


def guard(s, k):
    if s > k:
        raise ValueError
    return s


def caught_guard_of_a_helper(s, k):
    try:
        return guard(s, k)
    except ValueError:
        return 2.0


def caught_pole(s, k):
    with contextlib.suppress(ValueError):
        return math.asin(s / k)
    return 0.0


def stored_by_a_mask(s, k):
    y = np.array([s - k, 1.0])
    y[y < 0.0] = 3.0
    return y[0]


def stored_in_an_order(s, k):
    y = np.zeros(2)
    y[np.argsort(np.array([s - k, 0.0]))] = np.array([1.0, 2.0])
    return y[0]


def key_of_a_dict(s, k):
    d = {}
    d[s > k] = 2.0
    return d.get(True, 1.0)


def cut_by_a_dtype_in_a_variable(s, k):
    dtype = int
    return np.array(s * 5 - k, dtype=dtype) * 1.0


def rest_of_a_decomposition(s, k):
    u, *rest = np.linalg.svd(np.array([[s, k], [k, -s]]))
    return rest[1][0, 0]


def guarded_in_other_words(s, k):
    if k > 0.0:
        return s * k ** 2
    raise ValueError("k is not positive")


def logarithm_of_a_determinant(s, k):
    sign, value = np.linalg.slogdet(np.eye(2) + s * k * np.array([[2.0, 0.3], [0.1, 1.0]]))
    return value + np.linalg.slogdet(np.eye(2) * (1.0 + s * k))[1]


def lowest_of_two(s, k):
    w, v = np.linalg.eigh(np.eye(2) + s * k * np.array([[2.0, 0.3], [0.3, 1.0]]))
    return w[0]


def remainder_in_place(s, k):
    x = s - k
    x %= 0.5
    return x


def guarded(s, k):
    if k < 0.0:
        raise ValueError("k is negative")
    assert k < 2.0
    return np.exp(-k * s)


def helper_that_chooses(y):
    return np.where(y > 0.3, y, -y)


@pytest.mark.parametrize("f", [
    lambda k: quad(lambda s: s if s > k else 0.0, 0.0, 1.0, limit=200)[0],
    lambda k: solve_ivp(lambda t, y: np.array([1.0 if t > k else 0.0]), (0.0, 1.0), [0.0], max_step=0.05).y[0, -1],
    lambda k: odeint(lambda y, t: -k * helper_that_chooses(y), [1.0], TS)[-1, 0],
    lambda k: odeint(lambda y, t: -k * np.sign(y), [1.0], TS)[-1, 0],
    lambda k: odeint(lambda y, t: -k * y * (y[0] // 0.3), [1.0], TS)[-1, 0],
    lambda k: odeint(lambda y, t: -k * y * np.mod(y, 0.3), [1.0], TS)[-1, 0],
    lambda k: odeint(lambda y, t: -k * slope_of_a_distance(y), [1.0], TS)[-1, 0],
    lambda k: odeint(lambda y, t: -0.1 * k * slope_of_the_largest(y), [1.0, 0.5], TS)[-1, 0],
    lambda k: quad(remainder_in_place, 0.0, 1.0, args=(k,))[0],
    lambda k: quad(lambda s: np.arctan2(s - k, -1.0), 0.0, 1.0)[0],
    lambda k: quad(lambda s: math.remainder(s - k, 0.3), 0.0, 1.0)[0],
    lambda k: quad(lambda s: np.interp(s - k, [0.0, 1.0], [0.0, 1.0], left=-1.0), 0.0, 1.0)[0],
    lambda k: quad(lambda s: stats.uniform.pdf(s, scale=k), 0.0, 1.0)[0],
    lambda k: quad(lambda s: np.linalg.eigh(np.array([[s, k], [k, -s]]))[1][0, 0], 0.0, 1.0)[0],
    *map(integral_of, (
        caught_guard, caught_guard_of_a_helper, caught_pole, stored_by_a_mask, stored_in_an_order, key_of_a_dict)),
    *map(integral_of, (
        lambda s, k: np.where(np.maximum(s - k, 0.0), 1.0, 0.0),
        lambda s, k: (not max(s - k, 0.0)) * 1.0,
        lambda s, k: np.compress(np.array([np.maximum(s - k, 0.0), 1.0]), np.array([2.0, s])).sum(),
        lambda s, k: np.array(s * 5 - k, dtype=int) * 1.0,
        lambda s, k: np.asarray(s * 5 - k).astype(int) * 1.0,
        lambda s, k: np.sum(np.array([s * 5 - k]), dtype=int) * 1.0,
        cut_by_a_dtype_in_a_variable,
        lambda s, k: np.linalg.eigh(np.array([[s, k], [k, -s]]))[-1][0, 0],
        rest_of_a_decomposition,
        lambda s, k: np.nan_to_num(np.arcsin(s / k)),
        lambda s, k: np.nansum(np.array([np.arcsin(s / k), 0.0])))),
], ids=["integrand", "time", "helper", "sign", "floor", "mod", "slope_of_abs", "slope_of_max", "in_place", "arctan2",
        "remainder", "left", "uniform", "eigh", "caught", "caught_in_a_helper", "caught_pole", "mask", "order", "key",
        "where", "not", "compress", "dtype", "astype",
        "sum_of_integers", "dtype_in_a_variable", "last_part", "rest", "nan_to_num", "nansum"])
@pytest.mark.filterwarnings("ignore:The maximum number of subdivisions", "ignore:invalid value encountered in arcsin")
def test_jumps_that_move_are_refused(f):
    for derivative in (tnb.grad, lambda f: lambda x: tnb.jvp(f)(x, 1.0)):
        with pytest.raises(TangentError, match="jump"):
            derivative(f)(0.6)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("f", "second"), [
    (lambda k: odeint(lambda y, t: -k * y if t < 0.5 else -2.0 * k * y, [1.0], [0.0, 0.5, 1.0], rtol=TIGHT,
                      atol=TIGHT)[-1, 0], True),
    (lambda k: odeint(lambda y, t: -k * np.where(tnb.stop_gradient(y) > 0.0, y, 0.0), [1.0], TS, rtol=TIGHT,
                      atol=TIGHT)[-1, 0], True),
    (lambda k: odeint(lambda y, t: -k * np.maximum(y, 0.1), [1.0], TS, rtol=TIGHT, atol=TIGHT)[-1, 0], False),
    (lambda k: quad(lambda s: np.abs(s - k), 0.0, 1.0, limit=200)[0], False),
    (lambda k: odeint(lambda y, t: -k * slope_of_a_power(y), [1.0], TS, rtol=TIGHT, atol=TIGHT)[-1, 0], True),
    (lambda k: quad(guarded, 0.0, 1.0, args=(k,))[0], True),
    (lambda k: quad(lambda s: np.interp(s, [0.0, 0.5, 1.0], np.array([1.0, k ** 3, 2.0])), 0.0, 1.0)[0], True),
    (lambda k: quad(lambda s: np.linalg.norm(np.array([s - k, 1.0])), 0.0, 1.0)[0], True),
    (lambda k: quad(lambda s: stats.gamma.pdf(s, 1.0 + k), 0.0, 1.0)[0], True),
    (lambda k: quad(guarded_in_other_words, 0.0, 1.0, args=(k,))[0], True),
    (lambda k: quad(logarithm_of_a_determinant, 0.0, 1.0, args=(k,))[0], True),
    (lambda k: quad(lambda s: np.linalg.norm(np.array([s, k]), 3) if k is not None else s, 0.0, 1.0)[0], True),
    (lambda k: quad(lambda s: ((1j * (s - k) - 1.0) ** 2).real + np.sqrt(s + k) + np.exp(1j * k * s).real, 0.0, 1.0)[0],
     True),
    (lambda k: quad(lowest_of_two, 0.0, 1.0, args=(k,))[0], False),
    (lambda k: quad(lambda s: np.linalg.norm(np.array([s - k, 1.0]), 1), 0.0, 1.0)[0], False),
    (lambda k: quad(lambda s: np.maximum.reduce(np.array([s, k])), 0.0, 1.0)[0], False),
    (lambda k: quad(lambda s: np.linalg.eigvalsh(np.array([[s, k], [k, -s]]))[0], 0.0, 1.0)[0], False),
    (lambda k: quad(lambda s: np.interp(s - k, [0.0, 1.0], [0.0, 1.0]), 0.0, 1.0)[0], False),
], ids=["fixed", "meeting", "maximum", "abs", "slope", "guard", "values", "norm", "gamma", "other_guard", "slogdet",
        "norm_3", "complex", "eigh", "norm_1", "reduce", "eigvalsh", "interp"])
def test_jumps_that_stay_and_kinks(f, second):
    h = 1e-4
    assert tnb.grad(f)(0.6) == pytest.approx((f(0.6 + h) - f(0.6 - h)) / (2 * h), rel=1e-5, abs=1e-7)
    if second:
        due = (f(0.6 + 1e-2) - 2 * f(0.6) + f(0.6 - 1e-2)) / 1e-4
        assert tnb.grad(tnb.grad(f))(0.6) == pytest.approx(due, rel=1e-3)
    else:
        with pytest.raises(TangentError, match="kink"):
            tnb.grad(tnb.grad(f))(0.6)


def leaves_both_ways(s, k):
    if s > k:
        return 1.0
    else:
        return 2.0
    raise ValueError("never")


def matched(s, k):
    match s:
        case v if v > k:
            return 1.0
        case _:
            return 2.0


def sorted_in_place(s, k):
    pairs = [(s, 1.0), (k, 3.0)]
    pairs.sort()
    return pairs[0][1]


def held(s, k):
    with contextlib.nullcontext(s > k) as above:
        return 1.0 + above


def crosses_a_cut(s, k):
    z = 1j * (s - k)
    w = z - 1.0
    return np.log(w).imag


def pairs_of(s, k):
    return [(s, 1.0), (k, 5.0)]


def chosen_of_appended(s, k):
    pairs = []
    for pair in ((s, 1.0), (k, 5.0)):
        pairs.append(pair)
    largest = max(pairs)
    return largest[1]


def chosen_of_names(s, k):
    first, second = (s, 1.0), (k, 5.0)
    both = [first, second]
    return min(both)[1]


def best(pairs):
    return max(pairs)


def both(s, k):
    return (s, 1.0), (k, 5.0)


def lesser(a, b):
    return min(a, b)


def with_another(pairs, s):
    pairs.append((s, 3.0))
    return pairs


def chosen_of_another_name(s, k):
    pairs = []
    same = pairs
    same.append((s, 1.0))
    same.append((k, 5.0))
    return max(pairs)[1]


def chosen_of_what_a_call_changes(s, k):
    pairs = [(k, 5.0)]
    more = with_another(pairs, s)
    return max(pairs)[1] + 0.0 * more[0][0]


def chosen_of_grown(s, k):
    groups = {}
    for place, v in enumerate((s, k)):
        groups.setdefault("a", []).append((v, float(place)))
    return max(groups["a"])[1]


def chosen_one_by_one(s, k):
    largest = (s, 1.0)
    for pair in pairs_of(s, k):
        largest = max(largest, pair)
    return largest[1]


def chosen_by_what_is_known_then(s, k, choose=best):
    return choose(pairs_of(s, k))[1]


def exchanged_by_size(s, k):
    pairs = [(s, 1.0), (k, 5.0)]
    pairs[0], pairs[1] = min(pairs), max(pairs)
    return pairs[1][1]


def counted(values):
    return sum([v > 0.0 for v in values])


@pytest.mark.parametrize("rate", [
    leaves_both_ways, matched, sorted_in_place, held, crosses_a_cut,
    lambda s, k: float(any(v > s for v in (k, 0.1))),
    lambda s, k: sum(int(4 * v) for v in [s * k, 0.1]) * 1.0,
    lambda s, k: np.dot([round(v * 5) for v in (s - k, s)], [1.0, 2.0]),
    lambda s, k: len({int(4 * v) for v in (s, k)}) * 1.0,
    lambda s, k: 1.0 * counted([s - k, s]),
    lambda s, k: min((s - 0.5, k - 1.0), key=lambda v: v * v),
    lambda s, k: max([(s, 1.0), (k, 5.0)])[1],
    chosen_of_appended, chosen_of_names, chosen_of_another_name, chosen_of_what_a_call_changes, chosen_of_grown,
    chosen_one_by_one,
    chosen_by_what_is_known_then, exchanged_by_size,
    lambda s, k: best(pairs_of(s, k))[1],
    lambda s, k: max(*both(s, k))[1],
    lambda s, k: lesser(*both(s, k))[1],
    lambda s, k: max({"a": (s, 1.0), "b": (k, 5.0)}.values())[1],
    lambda s, k: sum(max([p, (k, 5.0)])[1] for p in [(s, 1.0), (s * s, 3.0)]),
    lambda s, k: functools.reduce(max, pairs_of(s, k))[1],
    lambda s, k: np.sum(max(pairs_of(s, k))),
    lambda s, k: max(np.array([[s, 1.0], [k, 5.0]]).tolist())[1],
    lambda s, k: sorted([(0.3, 2.0), (0.4, 3.0), (s, k)])[0][1],
    lambda s, k: max(pairs_of(s, k))[1],
    lambda s, k: sorted(pairs_of(s, k))[0][1],
    lambda s, k: max((s, 1.0), (k, 5.0))[1],
    lambda s, k: sorted(zip((s, k), (1.0, 5.0), strict=True))[0][1],
    lambda s, k: float(max(range(2), key=lambda i: (s, k)[i])),
    lambda s, k: np.linalg.norm(np.array([np.maximum(s - k, 0.0), 1.0]), 0),
    lambda s, k: np.linalg.norm(np.array([np.maximum(s - k, 0.0), 1.0]), ORDER_ZERO),
    lambda s, k: 1.0 if f"{s - k}".startswith("-") else 2.0,
    lambda s, k: 1.0 if "{}".format(s - k).startswith("-") else 2.0,         # noqa: UP032
    lambda s, k: 1.0 if ("%g" % (s - k)).startswith("-") else 2.0,
    lambda s, k: np.sqrt(-1.0 + 1j * (s - k)).imag,
    lambda s, k: ((-1.0 + 1j * (s - k)) ** 0.5).imag,
    lambda s, k: np.full_like(np.array([1, 2]), 6 * s * k)[0] * 1.0,
    lambda s, k: np.insert(np.array([1, 2]), 0, 6 * s * k)[0] * 1.0,
], ids=["both_ways", "match", "sort", "with", "logarithm", "any",
        "int_of_each", "round_of_each", "set", "helper", "key", "pairs", "appended", "names", "another_name",
        "call_changes", "grown", "one_by_one", "known_then", "exchanged", "best", "both", "lesser", "dict", "each",
        "reduce", "sum", "tolist", "more", "given", "sorted",
        "two_pairs", "zip",
        "places", "norm_0", "norm_of_an_order", "text", "format", "percent", "root", "power", "full_like",
        "insert"])
@pytest.mark.filterwarnings("ignore:The maximum number of subdivisions")
def test_jumps_of_python_are_refused(rate):
    for derivative in (tnb.grad, lambda f: lambda x: tnb.jvp(f)(x, 1.0)):
        with pytest.raises(TangentError, match="jump"):
            derivative(integral_of(rate))(0.6)


def above(v):
    return 1.0 if v > 0.5 else 2.0


def by_argument(s, k, f):
    return f(s - k)


def by_table(t, y, k, fs):
    return fs[0](t - k) * y


@pytest.mark.parametrize("f", [
    lambda k: quad(by_argument, 0.0, 1.0, args=(k, above))[0],
    lambda k: solve_ivp(by_table, (0.0, 1.0), [1.0], args=(k, (above,)), max_step=0.05).y[0, -1],
    lambda k, f=above: quad(lambda s: f(s - k), 0.0, 1.0)[0],
], ids=["argument", "table", "closure"])
@pytest.mark.filterwarnings("ignore:The maximum number of subdivisions")
def test_jumps_in_what_is_known_only_when_it_runs_are_refused(f):
    for derivative in (tnb.grad(f), lambda k: tnb.jvp(f)(k, dk=1.0)):
        with pytest.raises(TangentError, match="jump"):
            derivative(0.2)


def smooth(v):
    return np.sin(v) * v


def test_what_is_known_only_when_it_runs_may_be_smooth():
    def f(k):
        return quad(by_argument, 0.0, 1.0, args=(k, smooth))[0]
    h = 1e-4
    assert tnb.grad(f)(0.2) == pytest.approx((f(0.2 + h) - f(0.2 - h)) / (2 * h), rel=1e-6)


LIMIT = 0.4


def minmod(a, b):
    return max(min(a, b), 0.0)


def spread(values):
    return max(values) - min(values)


def area(a, b):
    return a * b * b


def running_largest(s, k):
    largest, found = 0.0, []
    for v in (s, k, s * k):
        largest = max(largest, v)
        found.append(v * v)
    return largest + max(found) + max(found[1:]) + sum(found)


def of_arrays(s, k):
    x = np.array([s, k, s * k])
    return max(x) + min(x[1:]) + max(abs(v) for v in x) + max(x[0], x[1]) + max(np.sum(x), np.exp(k) - 1.5) \
        + max(np.dot(x, x), np.mean(x))


def of_parts(s, k):
    pairs = pairs_of(s, k)
    return max(pairs[0]) + max(pairs[0][0], pairs[1][0]) + max([pair[0] for pair in pairs]) \
        + sum(max(a * b, s) for a, b in zip([s], [k]))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("rate", [
    running_largest, of_arrays, of_parts,
    lambda s, k: minmod(s, k) + lesser(s, k) + spread([s * k, s + k, 0.1]) + max(area(s, k), area(k, s)),
    lambda s, k: max(s, k) + min([s, k, 0.3]) + sorted([s, k])[0] + max(LIMIT, s) + max([v * k for v in (s, k)]),
    lambda s, k: functools.reduce(max, [s, k, 0.2]) + max(float(s), float(k)) + max(np.linalg.norm([s, k]), s),
], ids=["largest", "arrays", "parts", "helpers", "each", "reduce"])
def test_kinks_among_numbers_are_let_through(rate):
    f, h = integral_of(rate), 1e-4
    assert tnb.grad(f)(0.6) == pytest.approx((f(0.6 + h) - f(0.6 - h)) / (2 * h), rel=1e-3)
    assert tnb.jvp(f)(0.6, 1.0) == pytest.approx(tnb.grad(f)(0.6))


def test_what_keeps_shapes_and_adds_up_is_let_through():
    def f(k):
        def rate(t, y):
            if y[0] < -5.0:
                raise ValueError(f"negative: {y[0]}")
            change = np.zeros_like(y)
            change[0] = -k * y[0]
            change[1] = max(y[0], k) - sum(v * v for v in y) - max([k * v for v in y]) - sorted(y)[0]
            return np.append(change[:1], np.insert(change[1:], 0, 1.0)[1:]) * np.full_like(y, 0.5) * np.ones_like(y) \
                * np.size(y) / np.ndim(y)
        return solve_ivp(rate, (0.0, 1.0), [1.0, 0.2], rtol=TIGHT, atol=TIGHT).y[1, -1]
    h = 1e-3
    assert tnb.grad(f)(0.6) == pytest.approx((f(0.6 + h) - f(0.6 - h)) / (2 * h), rel=1e-3)


def test_ends_without_a_value_are_refused():
    """sin(s) / s has no value at 0, where quad asks for none: by what is inside there is a derivative,
    by the end it is refused."""
    def f(k, a):
        return quad(lambda s: np.sin(k * s) / s, a, 1.0)[0]
    assert tnb.grad(f)(0.5, 0.0) == pytest.approx(np.sin(0.5) / 0.5)
    assert tnb.grad(f, wrt="a")(0.5, 0.1) == pytest.approx(-np.sin(0.05) / 0.1)
    for derivative in (tnb.grad(f, wrt="a"), tnb.grad(f, wrt=("k", "a")), tnb.hessian(f, wrt="a"), lambda k, a:
                       tnb.jvp(f, wrt="a")(k, a, 1.0), lambda k, a: tnb.jvp(tnb.grad(f), wrt="a")(k, a, 1.0)):
        with pytest.raises(TangentError, match="has no value"):
            derivative(0.5, 0.0)


def test_no_tangent_between_the_steps():
    """The times are those that the solver chooses: NaN in forward mode, refused in reverse mode."""
    assert np.isnan(tnb.jvp(lambda k: np.sum(solve_ivp(oscillator, (0.0, 1.0), [1.0, k], args=(k,)).y))(0.5, 1.0))
    assert np.isnan(
        tnb.jvp(lambda a: np.sum(optimize.minimize(lambda x: np.sum((x - a) ** 2), np.zeros(2)).hess_inv))(0.5, 1.0))
    assert np.isnan(tnb.jvp(lambda a: quad(lambda x: a * x, 0.0, 1.0)[1])(0.5, 1.0))


# ----------------------------------------------------- what is solved reads what changes before the derivative is taken
SOLVED = {"quad": "integrate.quad(g, 0.0, 1.0, args=(x,))[0]",
          "odeint": "integrate.odeint(lambda y, t, a: -g(t, a) * y, 1.0, [0.0, 1.0], args=(x,))[-1, 0]",
          "solve_ivp": ("integrate.solve_ivp(lambda t, y, a: "
                        "-g(t, a) * y, (0.0, 1.0), [1.0], args=(x,), rtol=1e-9, atol=1e-9).y[0, -1]"),
          "brentq": "optimize.brentq(lambda t, a: t - 2.0 - g(1.0, a), -50.0, 50.0, args=(x,))"}
MADE = ["g = lambda t, a: a * t * {}", "def g(t, a):\n        return a * t * {}"]


def modes_of(f, *args):
    yield lambda: tnb.grad(f)(*map(oracles.fresh, args))
    yield lambda: tnb.grad(f, optimized=False)(*map(oracles.fresh, args))
    yield lambda: tnb.value_and_grad(f)(*map(oracles.fresh, args))[1]
    yield lambda: tnb.jvp(f)(*map(oracles.fresh, args), 1.0)
    yield lambda: tnb.pullback(f, *map(oracles.fresh, args))[1](1.0)


def solving(name, made, read, change):
    text = f"def f(x, c, w):\n    {made.format(read)}\n    v = {SOLVED[name]}\n    {change}\n    return v\n"
    return oracles.sourced(text, {"np": np, "integrate": integrate, "optimize": optimize})["f"]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", SOLVED)
@pytest.mark.parametrize("change", ["c[0] = 5.0", "c += 5.0", "w = 5.0"])
@pytest.mark.parametrize("made", MADE)
def test_what_is_solved_reads_a_variable_that_changes_later(made, change, name):
    f = solving(name, made, change.split()[0].partition("[")[0] + ("" if change[0] == "w" else "[0]"), change)
    due = (f(1.2 + 1e-5, np.ones(1), 1.0) - f(1.2 - 1e-5, np.ones(1), 1.0)) / 2e-5
    for mode in modes_of(f, 1.2, np.ones(1), 1.0):
        assert mode() == pytest.approx(due, rel=1e-3)


@pytest.mark.parametrize("name", SOLVED)
@pytest.mark.parametrize("change", ["c[0] = 5.0", "c += 5.0"])
def test_what_is_solved_has_a_default_that_changes_later(change, name):
    for mode in modes_of(solving(name, "g = lambda t, a, c=c: a * t * {}", "c[0]", change), 1.2, np.ones(1), 1.0):
        with pytest.raises(TangentError, match="bound or changed later|changed in place"):
            mode()


@pytest.mark.parametrize("name", SOLVED)
def test_what_is_solved_is_given_what_changes_later(name):
    solved = SOLVED[name].replace("a:", "a, c:").replace("(t, a)", "(t, a, c)").replace(
        "(1.0, a)", "(1.0, a, c)").replace("(x,)", "(x, c)")
    text = f"def g(t, a, c):\n    return a * t * c[0]\ndef f(x, c):\n    v = {solved}\n    c[0] = 5.0\n    return v\n"
    f = oracles.sourced(text, {"np": np, "integrate": integrate, "optimize": optimize})["f"]
    due = (f(1.2 + 1e-5, np.ones(1)) - f(1.2 - 1e-5, np.ones(1))) / 2e-5
    for mode in modes_of(f, 1.2, np.ones(1)):
        assert mode() == pytest.approx(due, rel=1e-3)


@pytest.mark.parametrize("loop",
                         ["for k in range(3)", "for k in [0.0, 1.0, 2.0]", "for k in c", "for _, k in enumerate(c)"])
def test_what_is_solved_reads_the_variable_of_a_loop(loop):
    text = (f"def f(x, c):\n    s = 0.0\n    {loop}:\n"
            "        s = s + integrate.quad(lambda t, a: a * t * k, 0.0, 1.0, args=(x,))[0]\n")
    text += "    return s\n"
    f = oracles.sourced(text, {"np": np, "integrate": integrate})["f"]
    for mode in modes_of(f, 1.2, np.arange(3.0)):
        assert mode() == pytest.approx(1.5)


# ------------------------------------------------------------- what is solved reads what changes between the two sweeps
READERS = {
    "a global": ("r = 1.0\ndef g(t, a):\n    return a * t * r\n", "ns['r'] = 5.0"),
    "an array": ("r = np.ones(2)\ndef g(t, a):\n    return a * t * r[0]\n", "ns['r'][0] = 5.0"),
    "a dict": ("r = {'r': [1.0]}\ndef g(t, a):\n    return a * t * r['r'][0]\n", "ns['r']['r'][0] = 5.0"),
    "a closure": (
        "def make():\n    r = 1.0\n    def g(t, a):\n        return a * t * r\n    def change():\n        nonlocal r\n"
        "        r = 5.0\n    return g, change\ng, change = make()\n", "ns['change']()"),
    "a default": ("def g(t, a, r=np.ones(1)):\n    return a * t * r[0]\n", "ns['g'].__defaults__[0][0] = 5.0"),
    "a helper's global": ("r = 1.0\ndef h(t):\n    return t * r\ndef g(t, a):\n    return a * h(t)\n", "ns['r'] = 5.0"),
    "a helper": ("def h(t):\n    return t\ndef g(t, a):\n    return a * h(t)\n", "ns['h'] = lambda t: 5.0 * t"),
    "an attribute": ("class P:\n    r = 1.0\np = P()\np.s = 1.0\ndef g(t, a):\n    return a * t * p.s\n",
                     "ns['p'].s = 5.0"),
    "a part of a class": ("class P:\n    r = 1.0\ndef g(t, a):\n    return a * t * P.r\n", "ns['P'].r = 5.0"),
}


def between(text, change, solved="g"):
    scope = {"np": np, "integrate": integrate, "optimize": optimize, "__name__": "case"}
    ns = oracles.sourced(text + f"def f(x, h=None):\n    return {SOLVED['quad'].replace('(g', f'({solved}')}\n", scope)
    pull = tnb.pullback(ns["f"], 1.2, ns["g"])[1]
    assert pull(1.0) == pytest.approx(0.5)
    exec(change, {"ns": ns})
    return pull


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("solved", ["g", "h", "lambda t, a: g(t, a)"])
def test_what_is_solved_reads_what_changes_between_the_sweeps(solved, name):
    pull = between(*READERS[name], solved)
    with pytest.raises(TangentError, match="has changed since the forward sweep"):
        pull(1.0)


@pytest.mark.parametrize("text, change", [
    ("r = 1.0\ndef g(t, a):\n    return a * t * r\n", "ns['other'] = 5.0"),
    ("r = np.ones(3)\ndef g(t, a):\n    return a * t * r[0]\n", "ns['r'] = ns['r'].copy()"),
    ("r = np.array([1.0, np.nan])\ndef g(t, a):\n    return a * t * r[0]\n", "ns['r'] = ns['r'].copy()")])
def test_what_has_not_changed_between_the_sweeps_is_no_matter(text, change):
    assert between(text, change)(1.0) == pytest.approx(0.5)


def test_what_an_object_holds_is_kept_with_the_residuals():
    text = "class P:\n    def g(self, t, a):\n        return a * t * self.s\np = P()\np.s = 1.0\ng = None\n"
    assert between(text, "ns['p'].s = 5.0", "p.g")(1.0) == pytest.approx(0.5)
