"""Derivatives taken in a function that is differentiated, of functions that read what it is differentiated for.

The first is the amazing bug of O. Manzyuk et al., "Perturbation confusion in forward automatic differentiation of
higher-order functions" (2019), section 2: a derivative of a curried function.
"""
from __future__ import annotations

from functools import partial

import numpy as np
import pytest

import tangent_nb as tnb
from tangent_nb.errors import ArgumentError, RefusedError, TangentError

pytestmark = pytest.mark.sampled(8)


def shifted(u):
    def on(f):
        def h(x):
            return f(x + u)
        return h
    return on


def curried(u):
    return tnb.grad(shifted(u)(np.exp))(1.0)


def loss(w, k):
    return np.sum((w - 1.0) ** 2) + k * np.sum(w ** 3)


def steps(k):
    w = np.array([0.5, 2.0])
    for _ in range(3):
        w = w - 0.1 * tnb.grad(lambda t: loss(t, k))(w)
    return np.sum(w)


def named(k):
    derivative = tnb.grad(lambda t: t * t * k)
    return derivative(2.0) * derivative(3.0)


def with_value(k):
    value, slope = tnb.value_and_grad(lambda t: t * t * k)(2.0)
    return value * slope


def of_several(k):
    def inner(a, b):
        return a * b * k + b ** 2 * a
    one, two = tnb.grad(inner, wrt=(0, "b"))(2.0, 3.0)
    return one * two + tnb.grad(inner, wrt="b")(2.0, k)


def of_a_partial(k):
    return tnb.grad(partial(loss, k=k))(np.array([1.0, 2.0]))[1]


def with_a_default(k):
    square = k * k
    return tnb.grad(lambda t, s=square: t ** 2 * s)(3.0)


def in_a_helper(k):
    def step(w, rate):
        return w - rate * tnb.grad(lambda t: np.sum(t ** 2) * rate)(w)
    return np.sum(step(step(np.array([1.0, 2.0]), k), k))


# ---------------------------------------------------------------------- what such derivatives are taken for
def hypergradient(k):
    a, w = np.array([[2.0, 0.3], [0.3, 1.0]]), np.zeros(2)
    for _ in range(5):
        w = w - 0.2 * tnb.grad(lambda v: 0.5 * v @ a @ v - np.sum(v) + 0.5 * k * np.sum(v ** 2))(w)
    return np.sum((w - 0.3) ** 2)


def informed(k):
    def residual(t):
        u = lambda s: s * (1 - s) * np.tanh(k * s)  # noqa: E731
        return tnb.grad(tnb.grad(u))(t) + u(t) ** 2 - np.sin(t)
    return sum(residual(t) ** 2 for t in [0.1, 0.5, 0.8])


def hamiltonian(k):
    def energy(q, p):
        return 0.5 * p ** 2 / k + k * np.cos(q)
    q, p = 0.5, 0.3
    for _ in range(3):
        p = p - 0.1 * tnb.grad(energy, wrt="q")(q, p)
        q = q + 0.1 * tnb.grad(energy, wrt="p")(q, p)
    return q * p


def implicit(k):
    def equation(y):
        return y ** 5 + y - k
    y = 0.5
    while abs(equation(y)) > 1e-13:
        y = y - equation(y) / tnb.grad(equation)(y)
    return y


def along(k):
    return tnb.jvp(lambda y: y * tnb.jvp(lambda z: y * z)(k, y))(k, k)


# ---------------------------------------------------------------------- given to functions of the user
def weighed(f, t, power=1):
    if t > 0:
        return f(t) * t ** power
    return f(-t)


def repeated(f, t, n):
    return f(t) if n == 0 else f(t) * repeated(f, t * t, n - 1)


def given_derivatives(k):
    g = lambda t: t ** 3 * k  # noqa: E731
    return weighed(g, k) * weighed(tnb.grad(g), k) + weighed(tnb.grad(tnb.grad(g)), -k, power=2)


def given_others(k):
    return weighed(tnb.grad(lambda t: t ** 3 * k), k) * weighed(tnb.grad(lambda t: t ** 5 * k), k)


def given_on(k):
    return repeated(tnb.grad(lambda t: t ** 3 * k), k, 2)


# ---------------------------------------------------------------------- what a class holds
class Spring:
    power = 3.0

    def __init__(self, stiffness):
        self.stiffness = stiffness

    def energy(self, x):
        return self.stiffness * x ** 2 * self.power

    @classmethod
    def scaled(cls, x):
        return x ** 3 * cls.power


def of_a_class(k):
    spring = Spring(k)
    force = tnb.grad(spring.energy)
    spring.stiffness = k ** 4
    return force(k) + tnb.grad(Spring.scaled)(k)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("f", [
    hypergradient, informed, hamiltonian, implicit, along, given_derivatives, given_others, given_on, of_a_class])
def test_further_derivatives(f):
    k, h = 0.7, 1e-4
    gradient = tnb.grad(f)
    slope, second = ((8 * (g(k + h) - g(k - h)) - g(k + 2 * h) + g(k - 2 * h)) / (12 * h) for g in (f, gradient))
    forward, backward = tnb.autodiff(f, motion="split")
    value, found = tnb.value_and_grad(f)(k)
    assert value == f(k)
    assert [found, gradient(k), tnb.grad(f, optimized=False)(k), tnb.jvp(f)(k, 1.0), tnb.vjp(f)(k, 1.0),
            backward(forward(k)[1], 1.0)] == pytest.approx([slope] * 6, rel=1e-7)
    assert [tnb.grad(gradient)(k), tnb.jvp(gradient)(k, 1.0), tnb.grad(tnb.jvp(f))(k, 1.0)] \
        == pytest.approx([second] * 3, rel=1e-6)


def test_known_values():
    k = 0.7
    assert tnb.grad(along)(k) == pytest.approx(9 * k ** 2)
    assert tnb.grad(of_a_class)(k) == pytest.approx(30 * k ** 4 + 18 * k)
    y = implicit(k)
    assert tnb.grad(implicit)(k) == pytest.approx(1 / (5 * y ** 4 + 1))
    assert tnb.grad(given_on)(k) == pytest.approx(27 * 17 * k ** 16)


def test_a_tangent_holds_nothing_of_its_class():
    """Of what a class holds, the tangent is 0, and not what the class holds."""
    force = tnb.grad(tnb.jvp(of_a_class))
    assert force(0.7, 1.0) == pytest.approx(120 * 0.7 ** 3 + 18)


@pytest.mark.parametrize("f", [curried, hypergradient, informed, of_a_class])
def test_on_jax_they_are_refused(f):
    with pytest.raises(RefusedError, match="would compute with NumPy|may compute with NumPy"):
        tnb.grad(f, backend="jax")


@pytest.mark.sampled(3)
@pytest.mark.parametrize("f",
                         [curried, steps, named, with_value, of_several, of_a_partial, with_a_default, in_a_helper])
def test_in_every_mode(f):
    x, h = 0.3, 1e-4
    slope = (8.0 * (f(x + h) - f(x - h)) - (f(x + 2 * h) - f(x - 2 * h))) / (12.0 * h)
    found = [tnb.grad(f)(x), tnb.grad(f, optimized=False)(x), tnb.jvp(f)(x, 1.0), tnb.pullback(f, x)[1](1.0)]
    assert found == pytest.approx([slope] * 4, rel=1e-8)


MATRIX = np.array([[1.0, 0.2, 0.1], [0.3, 2.0, 0.4], [0.2, 0.1, 1.5]])
POINT, ALONG = np.array([0.7, -0.4, 1.3]), np.array([0.3, 0.8, -0.5])


def residual(p, x):
    return np.tanh(MATRIX @ p) * x


def of_jacobian(x):
    return np.sum(tnb.jacobian(residual)(x * 2, x) ** 2)


def of_jacobian_by_another(x):
    return np.linalg.det(tnb.jacobian(residual, wrt="x")(x, x * x))


def of_closure_jacobian(x):
    q = x * x
    return np.sum(tnb.jacobian(lambda p: p * q)(x) @ x)


def of_hessian(x):
    return np.linalg.det(tnb.hessian(lambda p: np.sum(np.sin(p) * p ** 2))(x))


def of_tangent(x):
    return np.sum(tnb.jvp(lambda p: np.sin(p) * p)(x, x * 2))


def of_tangent_by_name(x):
    return np.sum(tnb.jvp(residual, wrt=("p", "x"))(x, x, dp=x * x, dx=x))


def of_cotangent(x):
    return np.sum(tnb.vjp(lambda p: np.sin(p) * p)(x, x * 2) * x)


def of_hessian_vector(x):
    return np.sum(tnb.hvp(lambda p: np.sum(p ** 3))(x, x * 2))


def of_value(x):
    return tnb.value_and_grad(lambda p: np.sum(p ** 3))(x)[1] @ x


def of_number(x):
    return tnb.jacobian(lambda t: np.array([t * t, np.sin(t)]))(x[0]) @ x[:2]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("f", [of_jacobian, of_jacobian_by_another, of_closure_jacobian, of_hessian, of_tangent,
                               of_tangent_by_name, of_cotangent, of_hessian_vector, of_value, of_number])
def test_matrices_and_products_inside(f):
    h = 1e-5
    expected = (f(POINT + h * ALONG) - f(POINT - h * ALONG)) / (2 * h)
    for got in (tnb.grad(f)(POINT) @ ALONG, tnb.grad(f, optimized=False)(POINT) @ ALONG, tnb.jvp(f)(POINT, ALONG)):
        assert got == pytest.approx(expected, rel=1e-6)


def scaled_by(columns, v, np_):
    return np.sin(columns) * v * np_


def of_taken_names(x, rt=3.0):
    return np.sum(tnb.jacobian(scaled_by)(x, x * x, rt) ** 2)


def of_keywords(x):
    def h(p, *, push=2.0, scale):
        return np.tanh(p) * push * scale
    return np.sum(tnb.jacobian(h)(x, scale=x * x) ** 2)


@pytest.mark.parametrize("f", [of_taken_names, of_keywords])
def test_parameters_are_named_as_they_like(f):
    h = 1e-5
    expected = (f(POINT + h * ALONG) - f(POINT - h * ALONG)) / (2 * h)
    assert tnb.grad(f)(POINT) @ ALONG == pytest.approx(expected, rel=1e-6)
    assert tnb.jvp(f, wrt="x")(POINT, dx=ALONG) == pytest.approx(expected, rel=1e-6)


def noisy(p):
    return np.sin(p) * np.random.normal(size=np.shape(p))


def noisy_by(p, rng):
    return p * rng.normal(size=3)


@pytest.mark.parametrize("f", [lambda x, rng: np.sum(tnb.jacobian(noisy)(x) ** 2),
                               lambda x, rng: np.sum(tnb.jacobian(lambda p: noisy(p) * 2)(x) ** 2),
                               lambda x, rng: np.sum(tnb.jacobian(noisy_by)(x, rng) ** 2),
                               lambda x, rng: np.sum(tnb.jacobian(noisy_by)(x, rng=rng) ** 2)])
def test_each_column_would_draw_others(f):
    with pytest.raises(ArgumentError, match="of what draws random numbers: draw them before"):
        tnb.grad(f)(POINT, np.random.default_rng(0))


@pytest.mark.parametrize(("f", "what"), [(lambda x: np.sum(tnb.jacobian(lambda p: p * p)(x[:0])), "without elements"),
                                         (lambda x: np.sum(tnb.jacobian(lambda p: p[0] * p[1])([x, x])), "a list")])
def test_a_jacobian_is_by_an_array_with_elements(f, what):
    with pytest.raises(TangentError, match=f"a Jacobian is taken inside of a function, by .*{what}"):
        tnb.grad(f)(POINT)
