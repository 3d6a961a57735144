"""Derivatives inside derivatives: perturbation confusion, mechanics, losses with derivatives, hypergradients."""
from __future__ import annotations

import functools
import itertools

import numpy as np
from corpus import M33, P3, V2, V3, W3, A, B, add, section

import tangent_nb as tnb

section("real_calculus")


def siskind_first(x):
    """x * d/dy (x + y) at y = 1: the derivative is 1."""
    return x * tnb.grad(lambda y: x + y)(1.0)


add(siskind_first, 1.0, notes="inner", holomorphic=False)


def siskind_product(x):
    """x * d/dy (x y): x squared."""
    return x * tnb.grad(lambda y: x * y)(2.0)


add(siskind_product, A, notes="inner", holomorphic=False)


def siskind_forward(x):
    def inner(y):
        return x * y * y
    return x * tnb.jvp(inner)(2.0, 1.0)


add(siskind_forward, A, notes="inner", holomorphic=False)


def siskind_mixed(x):
    """Forward inside of reverse inside of both."""
    def outer(y):
        def inner(z):
            return x * y * z ** 3
        return y * tnb.jvp(inner)(y, 1.0)
    return tnb.grad(outer)(x) * x


add(siskind_mixed, A, notes="inner", holomorphic=False)


def manzyuk_shift(x):
    """A function that is shifted by what is differentiated, differentiated twice."""
    def shift(f):
        return lambda y: f(x + y)
    return tnb.grad(shift(np.sin))(B) + tnb.grad(shift(lambda t: t ** 3))(x)


add(manzyuk_shift, A, notes="inner values", holomorphic=False)


def norm_times_sum(v):
    return np.sum(v) * tnb.grad(lambda y: y * np.sqrt(np.sum(v * v)))(1.0)


add(norm_times_sum, V3, notes="inner", holomorphic=False)


def of_a_linear_form(x):
    """The gradient in y of y A x is A x."""
    def form(y):
        return np.dot(y, M33 @ x)
    return tnb.grad(form)(P3)


add(of_a_linear_form, V3, notes="inner", holomorphic=False)


def nested_three(x):
    d1 = tnb.grad(lambda y: y ** 4 * x)
    return d1(x) + x * d1(2.0 * x)


add(nested_three, A, notes="inner", holomorphic=False)


def second_derivative(f, x):
    return tnb.grad(tnb.grad(f))(x)


def wave(t):
    return np.sin(t) * np.exp(-0.3 * t)


def ode_residual(c, t):
    """How far c * wave is from solving u'' + u = 0."""
    return (c * second_derivative(wave, t) + c * wave(t)) ** 2


add(ode_residual, 1.4, 0.6, notes="inner values", holomorphic=False)


def lagrangian(q, v):
    return 0.5 * np.sum(v ** 2) - 0.5 * np.sum(q ** 2) + 0.1 * q[0] * v[1]


def euler_lagrange(q, v):
    """Accelerations from a Lagrangian."""
    force = tnb.grad(lagrangian, wrt=0)(q, v)
    momentum = tnb.grad(lagrangian, wrt=1)
    mass = tnb.jacobian(momentum, wrt=1)(q, v)
    mixed = tnb.jacobian(momentum, wrt=0)(q, v)
    return np.linalg.solve(mass, force - mixed @ v)


def kinetic_power(q, v):
    return np.sum(euler_lagrange(q, v) * v)


add(kinetic_power, V2, np.array([0.4, 0.3]), notes="inner", holomorphic=False)


def double_backprop(w, x):
    def loss(x):
        return np.sum(np.tanh(w @ x) ** 2)
    g = tnb.grad(loss)(x)
    return loss(x) + 0.1 * g @ g


add(double_backprop, M33, V3, notes="inner", holomorphic=False)


def hessian_trace(x):
    def f(x):
        return np.sum(x ** 4) + np.prod(x)
    return np.trace(tnb.hessian(f)(x))


add(hessian_trace, V3, notes="inner", holomorphic=False)


def hessian_vector(x, v):
    def f(x):
        return np.sum(np.sin(x) * x)
    return v @ tnb.jvp(tnb.grad(f))(x, v)


add(hessian_vector, V3, W3, notes="inner", holomorphic=False)


def divergence(x):
    def field(x):
        return np.array([x[1] * x[2], x[0] ** 3, x[2] ** 2 * x[0]])
    return np.trace(tnb.jacobian(field)(x))


add(divergence, V3, notes="inner", holomorphic=False)


def change_of_variables(x, a):
    def flow(z):
        return z + a * np.tanh(z)
    J = tnb.jacobian(flow)(x)
    return np.log(np.linalg.det(J)) - 0.5 * np.sum(flow(x) ** 2)


add(change_of_variables, V3, 0.4, notes="inner", holomorphic=False)


def pullback_inside(x, s):
    def f(x):
        return np.sin(x) * x
    value, pull = tnb.pullback(f, x)
    return np.sum(value) + np.sum(pull(s) ** 2)


add(pullback_inside, V3, W3, notes="inner", holomorphic=False)


def vjp_inside(x, s):
    def f(x):
        return x ** 2 * M33[0]
    return np.sum(tnb.vjp(f)(x, s) * x)


add(vjp_inside, V3, W3, notes="inner", holomorphic=False)


def parameters_of_a_loss(theta, rate):
    """One step on a dict of parameters."""
    def loss(w, b):
        return np.sum((np.tanh(w * P3 + b) - 0.2) ** 2)
    w, b = theta, 0.1
    for _ in range(2):
        dw, db = tnb.grad(loss, wrt=("w", "b"))(w, b)
        w, b = w - rate * dw, b - rate * db
    return loss(w, b)


add(parameters_of_a_loss, V3, 0.2, notes="inner", holomorphic=False)


def inner_loss(w, lam):
    return np.sum((w - P3) ** 2) + lam * np.sum(w ** 2)


def hyper_validation(lam, rate=0.1):
    w = np.zeros(3)
    g = tnb.grad(inner_loss)
    for _ in range(3):
        w = w - rate * g(w, lam)
    return np.sum((w - V3) ** 2)


add(hyper_validation, 0.5, wrt=(0,), notes="inner", holomorphic=False)


def implicit_hypergradient(lam):
    """The inner problem is solved, its sensitivity is by its Hessian."""
    w = P3 / (1 + lam)
    H = tnb.hessian(inner_loss)(w, lam)
    cross = tnb.jacobian(tnb.grad(inner_loss), wrt=1)(w, lam)
    return np.sum(np.linalg.solve(H, cross) ** 2)


add(implicit_hypergradient, 0.5, notes="inner", holomorphic=False)


def value_and_slope(x, k):
    value, slope = tnb.value_and_grad(wave)(x * k)
    return value * slope


add(value_and_slope, A, 1.3, notes="inner", holomorphic=False)


def sensitivity_of_a_step(y, p):
    def step(y, p):
        return y + 0.1 * np.array([y[1], -p * y[0]])
    S = np.zeros(2)
    for _ in range(2):
        S = tnb.jacobian(step, wrt=0)(y, p) @ S + tnb.jacobian(step, wrt=1)(y, p)
        y = step(y, p)
    return S @ S + y[0]


add(sensitivity_of_a_step, V2, 1.2, notes="inner", holomorphic=False)


def poisson_bracket(f, g):
    def bracket(q, p):
        return tnb.grad(f, wrt=0)(q, p) * tnb.grad(g, wrt=1)(q, p) - tnb.grad(f, wrt=1)(q, p) * tnb.grad(g, wrt=0)(q, p)
    return bracket


def energy_qp(q, p):
    return 0.5 * p * p + q ** 4


def dilation(q, p):
    return q * p


def bracket_value(q, p):
    return poisson_bracket(energy_qp, dilation)(q, p) ** 2


add(bracket_value, A, B, notes="inner values", holomorphic=False)


def taylor(f, x, h):
    terms = [f(x)]
    d, scale = f, 1.0
    for k in range(1, 3):
        d = tnb.grad(d)
        scale = scale * h / k
        terms.append(d(x) * scale)
    return sum(terms)


def expanded(x, h):
    return taylor(wave, x, h)


add(expanded, A, 0.2, notes="inner lists", holomorphic=False)


def curvature(t):
    def along(t):
        return np.array([np.cos(t), np.sin(2 * t)])
    velocity = tnb.jvp(along)
    v = velocity(t, 1.0)
    a = tnb.jvp(velocity, wrt=0)(t, 1.0, 1.0)
    return (v[0] * a[1] - v[1] * a[0]) / np.sum(v ** 2) ** 1.5


add(curvature, A, notes="inner", holomorphic=False)


def christoffel(x):
    """Of a metric that depends on the place: a sum of its derivatives."""
    def metric(x):
        return np.array([[1 + x[0] ** 2, 0.1 * x[1]], [0.1 * x[1], 2 + np.sin(x[0])]])
    g = np.linalg.inv(metric(x))
    total = 0.0
    for i, j in itertools.product(range(2), repeat=2):
        def entry(x):
            return metric(x)[i, j]
        total = total + g[i, j] * np.sum(tnb.grad(entry)(x))
    return total


add(christoffel, V2, notes="inner library", holomorphic=False)


def adversarial(x, eps):
    def loss(x):
        return np.log1p(np.exp(-x @ P3))
    attacked = x + eps * np.sign(tnb.grad(loss)(x))
    return loss(attacked)


add(adversarial, V3, 0.1, notes="inner", holomorphic=False)


class Residual:
    """A network that is asked for its own derivative, as those that solve equations are."""

    def __init__(self, weights):
        self.weights = weights

    def __call__(self, t):
        return np.tanh(self.weights[0] * t) * self.weights[1]

    def loss(self, ts):
        def u(t):
            return np.tanh(self.weights[0] * t) * self.weights[1]
        du = tnb.grad(u)
        return sum((du(t) - u(t)) ** 2 for t in ts)


def physics_informed(weights):
    return Residual(weights).loss([0.1, 0.5])


add(physics_informed, V2, notes="inner objects lists", holomorphic=False)


def iterated(x, n=2):
    def loop(y):
        for _ in range(n):
            y = y * np.cos(x * y)
        return y
    return functools.reduce(lambda acc, d: acc * d(x), [tnb.grad(loop), loop], 1.0)


add(iterated, A, wrt=(0,), notes="inner values library", holomorphic=False)
