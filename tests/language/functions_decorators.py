"""functools.partial, decorators, caches."""
from __future__ import annotations

import functools
from functools import lru_cache, partial, wraps

import numpy as np
from corpus import M23, V3, A, B, C, add, section

section("functions_decorators")


def gaussian(x, mean, width):
    return np.exp(-0.5 * ((x - mean) / width) ** 2)


def partial_positional(x, m):
    density = partial(gaussian, x)
    return density(m, 1.5) + 2.0 * density(0.3, width=m * m)


add(partial_positional, A, B)


def partial_keyword(x, w):
    density = partial(gaussian, mean=x * w, width=2.0)
    return density(x) * density(0.1) + density(x, mean=0.2)


add(partial_keyword, A, B)


def partial_of_partial(x, m):
    density = partial(partial(gaussian, mean=m), width=1.0 + x * x)
    return density(x) * density(-0.4)


add(partial_of_partial, A, B)

STANDARD = partial(gaussian, mean=0.0, width=1.0)


def partial_global(x):
    return STANDARD(x) * STANDARD(2.0 * x, mean=x)


add(partial_global, A)


def partial_list(x, w):
    terms = [partial(gaussian, mean=k * w, width=1.0 + k) for k in range(3)]
    return sum((i + 1) * f(x) for i, f in enumerate(terms))


add(partial_list, A, B)


def minimise(loss, start, rate=0.1, steps=3):
    p = start
    for _ in range(steps):
        p = p - rate * (loss(p + 0.01) - loss(p - 0.01)) / 0.02
    return p


def partial_as_callback(x, w):
    return minimise(partial(lambda scale, p: scale * (p * p - x) ** 2, w), 0.8, rate=0.05)


add(partial_as_callback, A, 1.4)


def partial_attributes(x, m):
    density = partial(gaussian, mean=m)
    return density.func(x, density.keywords["mean"], 1.2) * density(x, width=1.0)


add(partial_attributes, A, B)


def doubled(f):
    @wraps(f)
    def wrapper(*args, **kwargs):
        return 2.0 * f(*args, **kwargs)
    return wrapper


@doubled
def doubled_sine(x):
    return np.sin(x) * x


def decorated_helper(x):
    return doubled_sine(x) * x + doubled_sine(x=0.5 * x)


add(decorated_helper, A, holomorphic=False)


@doubled
def decorated_entry(x, y):
    return x * x * y + y


add(decorated_entry, A, B, holomorphic=False)


def scaled(factor):
    def decorate(f):
        @functools.wraps(f)
        def wrapper(x):
            return factor * f(factor * x)
        return wrapper
    return decorate


@scaled(1.5)
def stretched(x):
    return x * x + np.cos(x)


def decorated_with_argument(x):
    return stretched(x) * stretched(x * x)


add(decorated_with_argument, A, holomorphic=False)


def clipped(low, high):
    def decorate(f):
        def wrapper(*args):
            return np.clip(f(*args), low, high)
        return wrapper
    return decorate


@clipped(-2.0, 2.0)
def bounded(x, k):
    return k * x * x


def decorated_clip(x):
    return bounded(x, 1.3) * x + bounded(x, 100.0) * x * x


add(decorated_clip, A)


def shifted(f):
    def wrapper(x):
        return f(x) + x
    return wrapper


@shifted
@scaled(0.5)
@doubled
def layered(x):
    return np.exp(x)


def decorated_stack(x):
    return layered(x) * x


add(decorated_stack, A, holomorphic=False)


class Counted:
    """A decorator that counts."""

    def __init__(self, f):
        self.f, self.calls = f, 0

    def __call__(self, *args):
        self.calls += 1
        return self.f(*args)


@Counted
def counted_square(x):
    return x * x


def decorated_by_a_class(x):
    return counted_square(x) * counted_square(x + 1.0)


add(decorated_by_a_class, A)


class Weighted:
    """A decorator with an argument."""

    def __init__(self, weight):
        self.weight = weight

    def __call__(self, f):
        return lambda x: self.weight * f(x) * x


@Weighted(3.0)
def weighted_tanh(x):
    return np.tanh(x)


def decorated_by_a_class_with_argument(x):
    return weighted_tanh(x) + weighted_tanh(x * x)


add(decorated_by_a_class_with_argument, A, holomorphic=False)

REGISTRY = {}


def register(f):
    REGISTRY[f.__name__] = f
    return f


@register
def registered_kernel(r):
    return np.exp(-r) * r


def decorated_registry(x):
    return registered_kernel(x) * REGISTRY["registered_kernel"](2.0 * x)


add(decorated_registry, A)


def decorated_inside(x, w):
    def times(f):
        return lambda t: f(t) * w

    @times
    @times
    def inner(t):
        return t * t + x
    return inner(x) + inner(0.5)


add(decorated_inside, A, B, holomorphic=False)


def decorated_by_hand(x):
    f = scaled(2.0)(doubled(np.sin))
    return f(x) * x


add(decorated_by_hand, A, holomorphic=False)


def vectorized_over(f):
    def wrapper(values, *more):
        return np.array([f(v, *more) for v in values])
    return wrapper


@vectorized_over
def saturate(v, k):
    return v / (k + v * v)


def decorated_vectorized(x, k):
    return np.sum(saturate(x, k) * np.array([1.0, -2.0, 3.0]))


add(decorated_vectorized, V3, C)


@lru_cache(maxsize=None)
def binomial(n, k):
    if k in (0, n):
        return 1
    return binomial(n - 1, k - 1) + binomial(n - 1, k)


def cached_coefficients(x, n):
    total = 0.0
    for k in range(n + 1):
        total = total + binomial(n, k) * x ** k * (1.0 - 0.5 * x) ** (n - k)
    return total


add(cached_coefficients, A, 4)


@functools.cache
def cached_cube(x):
    return x * x * x


def cached_active(x):
    return cached_cube(x) + cached_cube(x) * cached_cube(x + 1.0)


add(cached_active, A)


@lru_cache
def nodes(n):
    return np.polynomial.legendre.leggauss(n)


def cached_arrays(a, b):
    t, w = nodes(4)
    x = 0.5 * (b - a) * t + 0.5 * (b + a)
    return 0.5 * (b - a) * np.sum(w * np.exp(x) * x)


add(cached_arrays, A, C)


def cached_inside(x, n):
    @functools.cache
    def term(k):
        return x if k == 0 else term(k - 1) * x + term(k // 2)
    return term(n) + term(1)


add(cached_inside, A, 5)


def returns_pair(f):
    @wraps(f)
    def wrapper(x):
        return f(x), x * x
    return wrapper


@returns_pair
def with_penalty(x):
    return np.sum(np.sin(x), axis=0)


def decorated_changes_the_result(x):
    value, penalty = with_penalty(x)
    return np.sum(value * np.array([1.0, 2.0, -1.0])) + 0.1 * np.sum(penalty)


add(decorated_changes_the_result, M23, holomorphic=False)


def normalised(f):
    @wraps(f)
    def wrapper(x, *, scale=1.0):
        size = np.sqrt(np.sum(x * x))
        return f(x / size) * scale * size
    return wrapper


@normalised
def corner(x):
    return x[0] * x[1] - x[2] ** 3


def decorated_changes_the_arguments(x):
    return corner(x) * corner(x * 0.5 + 1.0, scale=2.5)


add(decorated_changes_the_arguments, V3, holomorphic=False)


def checked(f):
    @wraps(f)
    def wrapper(x):
        if not np.all(np.isfinite(x)):
            raise ValueError("not finite")
        return f(x)
    return wrapper


@checked
def log_loss(x):
    return np.log(1.0 + np.exp(-x))


def decorated_check(x):
    return log_loss(x) + log_loss(3.0 * x) * x


add(decorated_check, A)


@functools.singledispatch
def magnitude(value):
    return value * value


@magnitude.register
def _(value: np.ndarray):
    return np.sum(value * value)


def single_dispatch(x, v):
    return magnitude(x) * magnitude(v)


add(single_dispatch, A, V3, holomorphic=False)


def decorators_in_their_order(x, w):
    def plus(c):
        return lambda f: (lambda t: f(t) + c)

    def times(c):
        return lambda f: (lambda t: f(t) * c)

    @plus(w)
    @times(x)
    def square(t):
        return t * t
    return square(x) + square(2.0)


add(decorators_in_their_order, A, B, holomorphic=False)


def decorator_with_wraps_inside(x, w):
    def raised(f):
        @wraps(f)
        def inner(*args, **options):
            return f(*args, **options) + w
        return inner

    @raised
    def g(t, *, c=2.0):
        return t * t * c
    return g(x, c=w) + g(x)


add(decorator_with_wraps_inside, A, B, holomorphic=False)


def decorator_in_a_branch(x, w):
    def twice(f):
        return lambda t: 2.0 * f(t)
    if x > 0.0:
        @twice
        def g(t):
            return t * w
    else:
        def g(t):
            return t
    return g(x)


add(decorator_in_a_branch, A, B, holomorphic=False)


def decorator_that_registers(x, w):
    table = {}

    def registered(f):
        table["f"] = f
        return f

    @registered
    def g(t):
        return t * w
    return table["f"](x) * g(w)


add(decorator_that_registers, A, B, holomorphic=False)


def cached_value_of_before(x, w):
    k = 2

    @functools.cache
    def f(t):
        return t * w * k
    y = f(x)
    k = 3
    return y + f(x)


add(cached_value_of_before, A, B, holomorphic=False)
