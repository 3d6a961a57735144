"""Operator overloading: classes that behave like numbers, vectors, containers and functions."""
from __future__ import annotations

import functools

import numpy as np
from corpus import M33, V3, A, B, add, section

section("objects_operators")


class Vec:
    """A vector in the plane."""

    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, other):
        return Vec(self.x + other.x, self.y + other.y)

    def __sub__(self, other):
        return Vec(self.x - other.x, self.y - other.y)

    def __mul__(self, k):
        return Vec(self.x * k, self.y * k)

    __rmul__ = __mul__

    def __neg__(self):
        return Vec(-self.x, -self.y)

    def __matmul__(self, other):
        return self.x * other.x + self.y * other.y

    def __truediv__(self, k):
        return Vec(self.x / k, self.y / k)

    def __abs__(self):
        return np.sqrt(self @ self)

    def __iter__(self):
        yield self.x
        yield self.y


def vector_arithmetic(a, b):
    p, q = Vec(a, b), Vec(b, 2.0)
    r = 2.0 * p - q * a + -p / b
    return r.x * r.y


add(vector_arithmetic, A, B)


def vector_matmul(a, b):
    return (Vec(a, b) @ Vec(b, a * b)) * a


add(vector_matmul, A, B)


def vector_abs(a, b):
    return abs(Vec(a, b) + Vec(b, 0.5)) * a


add(vector_abs, A, B, holomorphic=False)


def vector_unpacked(a, b):
    x, y = Vec(a * b, a) + Vec(b, b)
    return x * y


add(vector_unpacked, A, B)


def vector_augmented(a, b):
    p = Vec(a, b)
    for k in range(3):
        p += Vec(b, a) * 0.1 * k
    p *= a
    return p.x + 2.0 * p.y


add(vector_augmented, A, B)


def vector_sum(a, b):
    return sum([Vec(a, b), Vec(b, a * a)], start=Vec(0.0, 1.0)) @ Vec(1.0, a)


add(vector_sum, A, B)


class Dual:
    """Forward mode, as the textbooks write it."""

    def __init__(self, value, slope=0.0):
        self.value, self.slope = value, slope

    def __add__(self, other):
        other = other if isinstance(other, Dual) else Dual(other)
        return Dual(self.value + other.value, self.slope + other.slope)

    def __mul__(self, other):
        other = other if isinstance(other, Dual) else Dual(other)
        return Dual(self.value * other.value, self.value * other.slope + self.slope * other.value)

    __radd__, __rmul__ = __add__, __mul__

    def __pow__(self, n):
        return Dual(self.value ** n, n * self.value ** (n - 1) * self.slope)


def dual_number(x):
    y = 3.0 * Dual(x, 1.0) ** 3 + Dual(x, 1.0) * 2.0 + 1.0
    return y.slope * y.value


add(dual_number, A, holomorphic=False)


def dual_of_a_function(x, w):
    def cubic(t):
        return w * t * t * t + t * 0.5
    return cubic(Dual(x, 1.0)).slope


add(dual_of_a_function, A, B)


class Matrix:
    """A matrix with powers and solves as operators."""

    def __init__(self, a):
        self.a = a

    def __matmul__(self, v):
        return self.a @ v

    def __pow__(self, n):
        return Matrix(functools.reduce(np.dot, [self.a] * n))

    def __invert__(self):
        return Matrix(self.a.T)


def matrix_operators(m, v):
    return np.dot(v, (Matrix(m) ** 3) @ v) + np.sum(~Matrix(m) @ v)


add(matrix_operators, M33, V3, holomorphic=False)


class Base:
    """Gives way to what it does not know."""

    def __init__(self, a):
        self.a = a

    def __add__(self, other):
        if not isinstance(other, Base):
            return NotImplemented
        return Base(self.a + other.a)

    def __mul__(self, other):
        return Base(self.a * other.a)

    def __lt__(self, other):
        return self.a < other.a


class Derived(Base):
    """Its reflected methods come before those of Base."""

    def __rmul__(self, other):
        return Derived(other.a * self.a * 10.0)

    def __gt__(self, other):
        return False


class Other:
    """Knows what Base does not."""

    def __init__(self, a):
        self.a = a

    def __radd__(self, other):
        return Other(self.a * other.a * 7.0)


def reflected_comes_first(x, w):
    return (Base(x) * Derived(w)).a + (Derived(x) * Base(w)).a * (Derived(x) * Derived(w)).a


add(reflected_comes_first, A, B)


def gives_way(x, w):
    return (Base(x) + Other(w)).a * (Base(x) + Base(w)).a


add(gives_way, A, B)


def compared_by_either(x, w):
    return (x if Base(x) < Derived(w) else w) + (x * x if Base(w) > Base(x) else w * w)


add(compared_by_either, A, B)


class Pair:
    def __init__(self, a, b):
        if a is None:
            raise ValueError(f"no {self.__class__.__name__}")
        self.a, self.b, self.name = a, b, self.__class__.__name__

    def __add__(self, other):
        return self.__class__(self.a + other.a, self.b * other.b)

    def __eq__(self, other):
        return self.__class__ is other.__class__ and self.name == other.name


class Named(Pair):
    pass


def objects_of_the_same_class(x):
    total = Named(x, x * x)
    for _ in range(3):
        total = total + Named(x, 2.0)
    return total.a * total.b * len(total.name) if total == Named(0.0, 0.0) else x


add(objects_of_the_same_class, A)
