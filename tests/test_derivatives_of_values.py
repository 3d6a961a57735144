"""Derivatives taken inside of a function, of functions that are known only when it runs: methods, objects, what a
branch or a table gives, closures that read what is differentiated; and derivatives of all that.

No derivative takes the variable of another for its own: J. Siskind and B. Pearlmutter, "Perturbation confusion and
referential transparency" (2005); O. Manzyuk et al., "Perturbation confusion in forward automatic differentiation of
higher-order functions" (2019).
"""
from __future__ import annotations

import functools
import itertools
from dataclasses import dataclass

import numpy as np
import pytest

import tangent_nb as tnb
from tangent_nb.errors import TangentError


# ---------------------------------------------------------------------- perturbation confusion
def siskind(x):
    return x * tnb.grad(lambda y: x + y)(1.0)


def siskind_thrice(x):
    return tnb.grad(lambda y: y * tnb.grad(lambda z: y + z)(1.0) * x)(1.0)


def mixed(x):
    def outer(y):
        def inner(z):
            return x * y * z ** 3
        return y * tnb.jvp(inner)(y, 1.0)
    return tnb.grad(outer)(x) * x


def three_deep(x):
    def f(y):
        def g(z):
            return tnb.grad(lambda w: x * y * z * w ** 3)(z)
        return tnb.grad(g)(y)
    return tnb.grad(f)(x)


def shifted_twice(x):
    def shift(u):
        return lambda f: (lambda t: f(t + u))

    def derivative(f):
        return tnb.grad(f)
    hat = shift(x)
    return derivative(hat(hat(lambda t: np.exp(t * x))))(x)


def curried(x):
    f = lambda u: (lambda y: u * y * y)  # noqa: E731
    return tnb.grad(lambda u: tnb.grad(f(u))(x))(x)


def same_function_thrice(x):
    f = lambda t: t ** 5 * x  # noqa: E731
    return tnb.jvp(tnb.grad(tnb.grad(f)))(2.0 * x, x)


# ---------------------------------------------------------------------- functions as values
def chosen(k):
    if k > 0:
        f = lambda t: t ** 3 * k  # noqa: E731
    else:
        f = lambda t: t * t * k  # noqa: E731
    return tnb.grad(f)(2.0)


def of_a_table(k, which="a"):
    table = {"a": lambda t: t ** 3 * k, "b": lambda t: t * k}
    return tnb.grad(table[which])(k)


def of_each(k):
    fs = [lambda t: t * k, lambda t: t ** 3 * k]
    return sum(tnb.grad(f)(k) for f in fs)


def passed_on(k):
    def slope(f, x):
        return tnb.grad(f)(x)
    return slope(lambda t: t ** 3 * k, k) + slope(np.sin, k)


def decorated(x):
    def with_slope(f):
        @functools.wraps(f)
        def both(t):
            return f(t), tnb.grad(f)(t)
        return both
    value, slope = with_slope(lambda t: t ** 3 * x)(x)
    return value * slope


def of_a_loop(x):
    g, total = np.array([[1 + x ** 2, 0.1 * x], [0.1 * x, 2 + np.sin(x)]]), 0.0
    for i, j in itertools.product(range(2), repeat=2):
        def entry(t):
            return np.array([[1 + t ** 2, 0.1 * t], [0.1 * t, 2 + np.sin(t)]])[i, j]
        total = total + g[i, j] * tnb.grad(entry)(x)
    return total


def variable_later(x):
    k = x
    slope = tnb.grad(lambda t: t ** 2 * k)
    first = slope(3.0)
    k = k * k
    return first * slope(2.0)


def priced(s, k, t, sigma):
    return np.sin(s * sigma) * k ** 2 * t * np.exp(-sigma * s)


def of_partials(s):
    price = functools.partial(priced, K := 1.1, sigma=s)
    delta = tnb.grad(price)(s, t=2.0) + tnb.grad(price, wrt=1)(s, K)
    return delta * tnb.grad(functools.partial(priced, s), wrt=-1)(1.1, 0.3, s)


def with_others(k):
    f = (lambda t: (t * t * k, k * t)) if k > 0 else (lambda t: (t, t))
    slope, aux = tnb.grad(f, has_aux=True)(k * 2)
    (value, other), again = tnb.value_and_grad(f, has_aux=True)(k * 2)
    return slope * aux + value * other * again


def of_paths(k):
    def f(p):
        return p["w"] ** 2 * k * p["b"]
    return tnb.grad(f, wrt="p['w']")({"w": k, "b": 3.0}) + tnb.grad(f)({"w": k, "b": 3.0})["b"]


def several_ways(x):
    f = (lambda a, b: a ** 2 * b * x) if x > 0 else (lambda a, b: b)
    pushed = tnb.jvp(f, wrt=(0, 1))(x, 2.0, x * x, x)
    return pushed * tnb.vjp(f)(x, 2.0, x) * tnb.grad(f, wrt=("a", "b"))(x, 2.0)[1]


def of_matrices(x):
    f = (lambda p: np.array([p[0] * x, p[1] ** 2 * x])) if x > 0 else (lambda p: p)
    g = (lambda p: np.sum(p ** 3) * x) if x > 0 else (lambda p: np.sum(p))
    at = np.array([x, 2.0])
    return np.sum(tnb.jacobian(f)(at) ** 2) + np.sum(tnb.hessian(g)(at)) + np.sum(tnb.hvp(g)(at, at * x))


# ---------------------------------------------------------------------- methods and objects
@dataclass
class Bond:
    coupon: float
    years: int
    face: float = 1.0

    def price(self, y):
        return sum(self.coupon * self.face / (1 + y) ** t for t in range(self.years))

    def __call__(self, y, k=2.0):
        return self.coupon * y ** 3 * k

    def convexity(self, y):
        return tnb.grad(tnb.grad(self))(y) * self.coupon + tnb.grad(self.share)(y)

    def share(self, y):
        return y ** self.years * self.coupon


class Net:
    def __init__(self, w):
        self.w, self.calls = w, 0

    def level(self, t):
        return np.tanh(self.w * t) * t

    def __call__(self, t):
        return self.level(t) * self.w

    def residual(self, ts):
        def u(t):
            return np.tanh(self.w * t) * self.w
        du = tnb.grad(u)
        return sum((du(t) - u(t)) ** 2 for t in ts)

    def inverse(self, y):
        t = y
        for _ in range(3):
            t = t - (self.level(t) - y) / tnb.grad(self.level)(t)
        return t

    def counted(self, t):
        self.calls = self.calls + 1
        return self.w * t ** 3 * self.calls


class Outer:
    def __init__(self, w):
        self.net = Net(w)

    def level(self, t):
        return self.net.level(t) * self.net.w


def of_a_method(c):
    return tnb.grad(Bond(c, 4).price)(0.05 * c) + tnb.jvp(Bond(c, 3).price)(0.05 * c, c * c)


def of_an_object(c):
    bond = Bond(c, 4)
    return tnb.grad(bond)(0.05 * c) + tnb.grad(bond, wrt="k")(0.05 * c, k=c)


def of_its_own(c):
    return tnb.grad(Bond(c, 3).convexity)(0.1 * c)


def of_an_argument(x, net=Net(0.7)):
    return tnb.grad(net.level)(x) * x + tnb.grad(lambda t: net.level(t) * x)(x)


def informed(w):
    return Net(w).residual([0.1, 0.5])


def of_what_is_called(w):
    return tnb.grad(Net(w))(0.3 * w) * tnb.grad(Outer(w).level)(w)


def solved(w):
    return Net(w).inverse(0.3)


def trained(x):
    net = Net(x)
    for _ in range(3):
        net.w = net.w - 0.1 * tnb.grad(net.level)(net.w)
    return net.w


def changed_later(x):
    net = Net(x)
    slope = tnb.grad(net.level)
    first = slope(x)
    net.w = x * x
    return first * slope(x)


def bound_again(x):
    net = Net(x)
    slope = tnb.grad(net.level)
    net = Net(x * x)
    return slope(x) * net.w


def of_a_list(x):
    return sum(tnb.grad(net.level)(x) for net in [Net(x), Net(x * x)])


# ---------------------------------------------------------------------- pullbacks
def pulled(x):
    value, pull = tnb.pullback(lambda y: np.sin(y) * y * x, x)
    return value * pull(x) ** 2


def pulled_by_both(x):
    value, pull = tnb.pullback(lambda a, b: a * b * x, x, x * x, wrt=(0, 1))
    (a, b), (c, d) = pull(x), pull(2.0)
    return value * a * b + c * d


def pulled_at_a_number(x):
    value, pull = tnb.pullback(lambda a: a ** 3, 2.0)
    return pull(x) * x * value


def pulled_later(x):
    pulls = []
    for i in range(3):
        _, pull = tnb.pullback(lambda a: a ** 2 * x, x + i)
        pulls.append(pull)
    return pulls[0](x) * pulls[2](x)


CONFUSION = [siskind, siskind_thrice, mixed, three_deep, shifted_twice, curried, same_function_thrice]
VALUES = [chosen, of_a_table, of_each, passed_on, decorated, of_a_loop, variable_later, of_partials, with_others,
          of_paths, several_ways, of_matrices]
OBJECTS = [of_a_method, of_an_object, of_its_own, of_an_argument, informed, of_what_is_called, solved, trained,
           changed_later, bound_again, of_a_list]
PULLED = [pulled, pulled_by_both, pulled_at_a_number, pulled_later]
X, H = 0.7, 1e-4


def slope(f, h=H):
    return (8.0 * (f(X + h) - f(X - h)) - (f(X + 2 * h) - f(X - 2 * h))) / (12.0 * h)


@pytest.mark.sampled(24)
@pytest.mark.parametrize("f", [*CONFUSION, *VALUES, *OBJECTS, *PULLED], ids=lambda f: f.__name__)
def test_in_every_mode(f):
    expected, tangent = slope(f), "d" + f.__code__.co_varnames[0]
    found = [tnb.grad(f)(X), tnb.grad(f, optimized=False)(X), tnb.jvp(f)(X, **{tangent: 1.0}),
             tnb.pullback(f, X)[1](1.0)]
    assert found == pytest.approx([expected] * 4, rel=1e-7)


@pytest.mark.sampled(24)
@pytest.mark.parametrize("f", [*CONFUSION, *VALUES, *OBJECTS, *PULLED[:3]], ids=lambda f: f.__name__)
def test_derivatives_of_these(f):
    tangent = "d" + f.__code__.co_varnames[0]
    gradient, push = tnb.grad(f), tnb.jvp(f)
    expected = (gradient(X + H) - gradient(X - H)) / (2 * H)
    found = [tnb.jvp(gradient)(X, **{tangent: 1.0}), tnb.grad(gradient)(X), tnb.grad(push)(X, **{tangent: 1.0})]
    assert found == pytest.approx([expected] * 3, rel=1e-5, abs=1e-6)


def test_known_values():
    assert tnb.grad(siskind)(2.0) == 1.0
    assert tnb.grad(curried)(3.0) == 2.0
    assert tnb.grad(chosen)(2.0) == 12.0 and tnb.grad(chosen)(-2.0) == 4.0
    assert tnb.grad(of_its_own, optimized=False)(0.5) == pytest.approx(tnb.jvp(of_its_own)(0.5, 1.0))


# ---------------------------------------------------------------------- what is refused
def bound_late(x):
    slopes = []
    for i in range(1, 4):
        def g(t):
            return t ** 3 * i * x
        slopes.append(tnb.grad(g))
    return sum(d(x) for d in slopes)


def counting(x):
    net = Net(x)
    d = tnb.grad(net.counted)
    return d(x) * net.calls


def of_stars(x):
    args = (x, 2.0)
    return sum(tnb.grad(f)(*args) for f in (lambda a, b: a * b * x, lambda a, b: b * x))


@pytest.mark.parametrize(("f", "why"), [
    (bound_late, "reads i, which is bound or changed later"),
    (counting, "calls of an object that others may hold is assigned, and read again"),
    (of_stars, r"an argument has a star")])
def test_what_is_not_known_is_refused(f, why):
    with pytest.raises(TangentError, match=why):
        tnb.grad(f)(X)


@dataclass
class Held:
    w: float

    def level(self, t):
        self.w = self.w * 2.0
        return self.w * t ** 3


def changes_itself(x):
    held = Held(x)
    return tnb.grad(held.level)(x) * held.w


def held_elsewhere(x, made):
    held = made(x)
    d = tnb.grad(held.level)
    held.w = x * x * x
    return d(x)


@pytest.mark.parametrize("f", [changes_itself, lambda x: held_elsewhere(x, Held)])
def test_no_object_is_read_as_it_was(f):
    with pytest.raises(TangentError):
        tnb.grad(f)(X)


def helper(t):
    return t ** 2


def of_a_helper(x):
    return tnb.grad(lambda t: helper(t) * x)(x)


def test_never_stale(monkeypatch):
    df = tnb.grad(of_a_helper)
    assert df(3.0) == 12.0
    monkeypatch.setitem(globals(), "helper", lambda t: t ** 3)
    with pytest.raises(TangentError, match="derive again"):
        df(3.0)
    assert tnb.grad(of_a_helper)(3.0) == 81.0


def test_the_text_says_what_it_takes():
    assert "derivative = rt.derivative_of(f, tnb.grad)" in tnb.source(tnb.grad(chosen))
    assert "rt.derivative_of(_function_2, tnb.grad)" in tnb.source(tnb.grad(siskind))
