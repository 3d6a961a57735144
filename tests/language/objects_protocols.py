"""Objects that are called, indexed, iterated, compared, entered."""
from __future__ import annotations

import functools

import numpy as np
from corpus import M23, V3, V4, W3, A, B, C, add, section

section("objects_protocols")


class Polynomial:
    """Called like a function, indexed like a list."""

    def __init__(self, *coefficients):
        self.coefficients = list(coefficients)

    def __call__(self, x):
        value = 0.0
        for c in reversed(self.coefficients):
            value = value * x + c
        return value

    def __len__(self):
        return len(self.coefficients)

    def __getitem__(self, k):
        return self.coefficients[k]

    def __setitem__(self, k, value):
        self.coefficients[k] = value

    def __iter__(self):
        return iter(self.coefficients)

    def __contains__(self, value):
        return any(c == value for c in self.coefficients)

    def derivative(self):
        return Polynomial(*[k * c for k, c in enumerate(self.coefficients)][1:])


def polynomial_called(x, a):
    p = Polynomial(a, 2.0, x, -0.5)
    return p(x) * p(2.0)


add(polynomial_called, A, B)


def polynomial_derivative(x, a):
    return Polynomial(1.0, a, a * a, 0.3).derivative()(x)


add(polynomial_derivative, A, B)


def polynomial_items(x, a):
    p = Polynomial(a, x, a * x)
    p[1] = p[0] * p[2]
    return p[1] * len(p) + p[-1]


add(polynomial_items, A, B)


def polynomial_iterated(x, a):
    total = 0.0
    for k, c in enumerate(Polynomial(a, x, 2.0)):
        total = total + c * c * (k + 1)
    return total * (2.0 if 2.0 in Polynomial(1.0, 2.0) else 1.0)


add(polynomial_iterated, A, B)

FIXED = Polynomial(0.5, -1.0, 2.0, 0.25)


def polynomial_global(x):
    return FIXED(x) * FIXED(x * x)


add(polynomial_global, A)


class Affine:
    """A callable composed with @."""

    def __init__(self, slope, shift):
        self.slope, self.shift = slope, shift

    def __call__(self, x):
        return self.slope * x + self.shift

    def __matmul__(self, inner):
        return Affine(self.slope * inner.slope, self(inner.shift))


def callable_composed(x, a):
    return (Affine(a, x) @ Affine(2.0, a) @ Affine(x, 0.1))(x)


add(callable_composed, A, B)


def callable_passed(x, a):
    def twice(f, v):
        return f(f(v))
    return twice(Affine(a, x), x) * twice(FIXED, a)


add(callable_passed, A, 0.4)


def callable_mapped(v, a):
    return sum(map(Affine(a, 0.5), v)) * a


add(callable_mapped, V3, A)


class Accumulator:
    """A callable with a state."""

    def __init__(self, start):
        self.total = start

    def __call__(self, v):
        self.total = self.total * 0.8 + v * v
        return self.total


def callable_with_state(v, start):
    push = Accumulator(start)
    return push(v[0]) * push(v[1]) + push.total * push(v[2])


add(callable_with_state, V3, A)


class Grid:
    """Wraps an array; two indices."""

    def __init__(self, values):
        self.values = values

    def __getitem__(self, index):
        i, j = index
        return self.values[i % self.values.shape[0], j]

    def __setitem__(self, index, value):
        self.values[index] = value

    def __rmul__(self, k):
        return Grid(k * self.values)

    @property
    def shape(self):
        return self.values.shape


def grid_indexed(m, k):
    g = k * Grid(m)
    return g[3, 0] * g[0, 1] + g[1, 2] * g.shape[1]


add(grid_indexed, M23, A)


def grid_written(m):
    g = Grid(m * 1.5)
    g[0, 1] = g[1, 1] * g[0, 2]
    return np.sum(g.values ** 2)


add(grid_written, M23)


@functools.total_ordering
class Candidate:
    """Compared by cost."""

    def __init__(self, cost, value):
        self.cost, self.value = cost, value

    def __eq__(self, other):
        return self.cost == other.cost

    def __lt__(self, other):
        return self.cost < other.cost


def compared_objects(x, y):
    pool = [Candidate(3.0, x), Candidate(x, x * y), Candidate(2.0, y)]
    best, worst = min(pool), max(pool)
    return best.value * best.cost + worst.value * (2.0 if pool[0] > pool[2] else 1.0)


add(compared_objects, A, B, holomorphic=False)


class Maybe:
    """Truth, equality, left and right operands."""

    def __init__(self, value=None):
        self.value = value

    def __bool__(self):
        return self.value is not None

    def __or__(self, other):
        return self if self else other

    def __rsub__(self, left):
        return left - self.value

    def __rtruediv__(self, left):
        return left / self.value


def truth_of_objects(x, y):
    found = Maybe() | Maybe(x * y) | Maybe(y)
    return (2.0 - found) * (y / found) + (x / Maybe(2.0) if found else y)


add(truth_of_objects, A, B)


class Window:
    """Iterates with __next__."""

    def __init__(self, values, width):
        self.values, self.width, self.at = values, width, 0

    def __iter__(self):
        return self

    def __next__(self):
        if self.at + self.width > len(self.values):
            raise StopIteration
        self.at += 1
        return self.values[self.at - 1:self.at - 1 + self.width]


def iterator_object(v):
    total = 0.0
    for k, part in enumerate(Window(v, 2)):
        total = total + np.prod(part) * (k + 1)
    return total


add(iterator_object, V4)


class Lazy:
    """Attributes made on demand."""

    def __init__(self, x):
        self.x = x

    def __getattr__(self, name):
        if name == "square":
            return self.x * self.x
        raise AttributeError(name)


def attribute_on_demand(x):
    return Lazy(x).square * Lazy(x + 1.0).x


add(attribute_on_demand, A)


class Scope:
    """A context manager that changes an attribute for a while."""

    def __init__(self, gain):
        self.gain = gain

    def __enter__(self):
        self.gain = self.gain * 2.0
        return self

    def __exit__(self, *error):
        self.gain = self.gain / 4.0


def context_manager_object(x, gain):
    scope = Scope(gain)
    with scope as inside:
        y = x * inside.gain
    return y * scope.gain * x


add(context_manager_object, A, C, holomorphic=False)


def array_function_object(v, w):
    class Norm:
        def __init__(self, p):
            self.p = p

        def __call__(self, values):
            return np.sum(np.abs(values) ** self.p) ** (1.0 / self.p)
    return Norm(3)(v) * Norm(2)(w)


add(array_function_object, V3, W3)


def attributes_that_may_be_missing(x, y):
    ndim, doubled = getattr(x, "ndim", 0), x * 2.0
    rows = getattr(doubled, "T", doubled)
    other = getattr(y, "shape", ())
    return np.sum(rows * x) * (ndim + 1.0) + y * y * (2.0 if other == () else 3.0)


add(attributes_that_may_be_missing, V3, A)
add(attributes_that_may_be_missing, A, A, name="attributes_that_numbers_lack")
